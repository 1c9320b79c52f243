"""What a move would do, what a turn does, a game reviewed: pure functions of games and bots."""
