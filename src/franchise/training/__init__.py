"""Learning the value network by self-play: games, positions, fitting, generations, and how true the chances are."""
