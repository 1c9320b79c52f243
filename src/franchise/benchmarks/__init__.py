"""Servers and players that are measured or killed: what `franchise bench` and `franchise storm` run."""
