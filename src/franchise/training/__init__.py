"""Training of the value network by self-play: games, positions, fitting, generations and calibration."""
