"""All bots by name: the levels, bots of other packages (entry points), programs, Python factories, ONNX files."""

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points

from franchise.bots.protocol import PROGRAM, Bot, BotError, Budget, Factory

GROUP = "franchise.bots"  # entry points of other packages: name = module:factory, where factory is a Factory
ONNX = "onnx:"  # followed by a file: bots/onnx_policy.py
PYTHON = "python:"  # python:MODULE:FACTORY, a Factory in a module that can be imported


@dataclass(frozen=True)
class Listing:
    """A line of `franchise bots`."""

    name: str
    text: str
    source: str  # "built in", or the package that provides it


BUILT_IN = {  # name: (module:factory, what it is)
    "newcomer": ("franchise.bots.levels:newcomer", "plausible moves, easy to beat"),
    "casual": ("franchise.bots.levels:casual", "the best turn at first sight"),
    "regular": ("franchise.bots.levels:regular", "looks a few turns ahead, up to 0.3 s"),
    "expert": ("franchise.bots.levels:expert", "looks far ahead, up to 2 s"),
    "champion": ("franchise.bots.levels:champion", "looks as far ahead as it can in 5 s on all cores"),
    "random": ("franchise.bots.simple:random_bot", "any legal move, with equal probability"),
}


def listings() -> list[Listing]:
    """Every bot that can be made by name."""
    own = [Listing(name, text, "built in") for name, (_, text) in BUILT_IN.items()]
    return own + [
        Listing(point.name, point.value, point.dist.name if point.dist else "")
        for point in entry_points(group=GROUP)
        if point.name not in BUILT_IN
    ]


def make(name: str, *, seed: int | None = None, seconds: float | None = None, simulations: int | None = None) -> Bot:
    """Create the bot with that name; without a budget, a level uses its own."""
    try:
        budget = Budget(seconds, simulations)
    except ValueError as error:
        raise BotError(str(error)) from None
    return find(name)(seed, budget)


def find(name: str) -> Factory:
    """The factory for the bot with that name."""
    if name.startswith(PROGRAM):
        from franchise.bots.program import program_factory

        return program_factory(name.removeprefix(PROGRAM))
    if name.startswith(PYTHON):
        return imported(name)
    if name.startswith(ONNX):
        from franchise.bots.onnx_policy import policy_factory

        return policy_factory(name.removeprefix(ONNX))
    if name in BUILT_IN:
        module, _, factory = BUILT_IN[name][0].partition(":")
        built_in: Factory = getattr(import_module(module), factory)
        return built_in
    level, _, character = name.partition(":")
    if character and level in BUILT_IN:
        return styled(level, character)
    for point in entry_points(group=GROUP, name=name):
        try:
            loaded: Factory = point.load()
        except (ImportError, AttributeError) as error:
            raise BotError(f"the bot {name} of {point.value} cannot be loaded: {error}") from None
        return loaded
    names = ", ".join(listing.name for listing in listings())
    raise BotError(f"there is no bot {name[:40]!r}; choose from {names}, or {PROGRAM}COMMAND for a program")


def styled(level: str, character: str) -> Factory:
    """A level that plays in the style of a character: casual:route-roy."""
    from franchise.bots.levels import LEVELS, LevelBot
    from franchise.bots.styles import STYLED, STYLES, short, style_of

    style = style_of(character)
    if style is None or level not in STYLED:
        levels, characters = " and ".join(STYLED), ", ".join(map(short, STYLES))
        raise BotError(f"there is no bot {level}:{character[:40]}; the styles of {levels} are {characters}")
    return lambda seed, budget: LevelBot(LEVELS[level], seed, budget, style=style)


def imported(name: str) -> Factory:
    """The factory named by python:my_module:my_bot."""
    module, _, factory = name.removeprefix(PYTHON).partition(":")
    try:
        loaded: Factory = getattr(import_module(module), factory)
    except (ImportError, AttributeError, ValueError) as error:
        raise BotError(f"the bot {name[:80]!r} cannot be loaded: {error}; write {PYTHON}MODULE:FACTORY") from None
    return loaded
