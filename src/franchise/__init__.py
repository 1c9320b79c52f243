"""Franchise: the board game as a fast, exact rules engine. The public names, loaded when first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from franchise import bots, drawing
    from franchise.engine.actions import Action
    from franchise.engine.events import Event
    from franchise.engine.setups import Options, Setup, SetupError
    from franchise.game import Game, IllegalAction, Result
    from franchise.record import RecordError

_HOMES = {
    "Action": "engine.actions",
    "Event": "engine.events",
    "Game": "game",
    "IllegalAction": "game",
    "Options": "engine.setups",
    "RecordError": "record",
    "Result": "game",
    "Setup": "engine.setups",
    "SetupError": "engine.setups",
    "bots": "bots",
    "drawing": "drawing",
}

__all__ = [
    "Action",
    "Event",
    "Game",
    "IllegalAction",
    "Options",
    "RecordError",
    "Result",
    "Setup",
    "SetupError",
    "__version__",
    "bots",
    "drawing",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("franchise")
    if name not in _HOMES:
        raise AttributeError(f"module 'franchise' has no attribute {name!r}")
    module = import_module(f"franchise.{_HOMES[name]}")
    return getattr(module, name, module)


def __dir__() -> list[str]:
    return __all__
