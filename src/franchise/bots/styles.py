"""The playing styles of the characters: what each values in a turn in addition to the chance to win, as weights.

Only the lower levels have a style; stronger ones play only to win, whatever their character.
"""

from dataclasses import asdict, dataclass

from franchise.bots.characters import CHARACTERS
from franchise.bots.root_turns import RootTurn
from franchise.engine.bits import members
from franchise.engine.instructions import popcount
from franchise.engine.pieces import own_spaces
from franchise.game import Game

STYLED = ("casual", "regular")  # levels


@dataclass(frozen=True)
class PlayingStyle:
    """What each kind of change by a turn is worth, in chance to win."""

    places: float = 0.0  # a place reached
    cash: float = 0.0  # a dollar kept
    income: float = 0.0  # a dollar of income
    bonus: float = 0.0  # a bonus tile kept
    contested: float = 0.0  # a franchise more in unscored cities where another player is as strong or ahead
    stakes: float = 0.0  # a space more in unscored cities with a franchise of its own

    def preference(self, game: Game, turn: RootTurn, seat: int) -> float:
        """What the character values in a turn in addition to its expected outcome."""
        after = game.copy()
        for move in turn.moves:
            after.play(move)
        old, new = traits(game, seat), traits(after, seat)
        weights: dict[str, float] = asdict(self)
        return sum(weight * (new[name] - old[name]) for name, weight in weights.items())


def traits(game: Game, seat: int) -> dict[str, int]:
    """The quantities that styles value, by the names of their weights."""
    state, rules = game.state[0], game.rules[0]
    held = int(state.held[seat])
    cities = members(held & int(state.vacant) & int(rules.cities))
    contested = 0
    for city in cities:
        standing = [popcount(own_spaces(rules, state, other, city)) for other in range(game.players)]
        own = standing.pop(seat)
        contested += own if max(standing) >= own else 0
    return {
        "places": held.bit_count(),
        "cash": int(state.cash[seat]),
        "income": int(rules.income[state.empty[seat]]),
        "bonus": int(state.bonus[seat]),
        "contested": contested,
        "stakes": sum(int(state.city_size[city]) for city in cities),
    }


STYLES = dict(
    zip(
        CHARACTERS,
        (
            PlayingStyle(places=0.04),  # the expander
            PlayingStyle(cash=0.02, income=0.01),  # the hoarder
            PlayingStyle(contested=0.025),  # the spoiler
            PlayingStyle(stakes=0.015, bonus=-0.04),  # the gambler
            PlayingStyle(income=0.03, bonus=0.03),  # the planner
        ),
        strict=True,
    )
)


def in_style(level: str, name: str) -> str:
    """The bot for a level in a style, such as casual:route-roy, or the plain level if there is no such style."""
    return f"{level}:{short(name)}" if level in STYLED and name in STYLES else level


def style_of(text: str) -> PlayingStyle | None:
    """The style of the character named in the name of a bot."""
    return next((style for name, style in STYLES.items() if short(name) == text), None)


def short(name: str) -> str:
    return name.lower().replace(" ", "-")
