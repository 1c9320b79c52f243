"""Franchise: the board game as a fast, exact rules engine."""

from franchise.engine.actions import Action
from franchise.engine.events import Event
from franchise.engine.setups import Options, Setup, SetupError
from franchise.game import Game, IllegalAction, Result
from franchise.record import RecordError

__all__ = ["Action", "Event", "Game", "IllegalAction", "Options", "RecordError", "Result", "Setup", "SetupError"]
