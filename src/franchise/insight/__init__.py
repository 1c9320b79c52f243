"""Previews of moves, effects of turns, reviews of games: pure functions of games and bots."""
