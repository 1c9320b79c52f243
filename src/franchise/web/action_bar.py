"""The action bar below the map: a line that says what to do, and five fixed slots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from franchise.engine.layout import Kind
from franchise.facts import BOARD
from franchise.game import Game
from franchise.wording.ending import Chip, Ending
from franchise.wording.language import Language
from franchise.wording.prompt import Button, PlaceChoice, Prompt

GROWING = (Kind.GROW, Kind.DOUBLE)


@dataclass(frozen=True)
class Slot:
    """A slot for a button; without moves it is shown but disabled."""

    text: str
    moves: str = ""
    key: str = ""
    short: str = ""  # the text for small screens
    outlined: bool = False  # empty until something is chosen


@dataclass(frozen=True)
class ActionBar:
    """The contents of the bar during the visitor's turn."""

    title: str
    line: str
    chips: tuple[Chip, ...]
    step: int  # of the turn, from 1; 0 for none
    bonus: Slot
    skip: Slot
    primary: Slot
    short_title: str = ""  # the title for phones in landscape
    chips_name: str = ""  # what the chips are, where the title does not say it


def bar_of(
    prompt: Prompt,
    ending: Ending | None,
    player: Mapping[str, Any],
    together: bool,
    tiles: tuple[Chip, ...],
    language: Language,
) -> ActionBar:
    """The bar for the visitor's own turn; if several play at one screen, it says whose turn it is."""
    seat, bonus_tiles, cash = player["seat"], player["bonus_tiles"], player["cash"]
    text = language.text
    buttons = {button.key: button for button in prompt.buttons}
    growing = [spot for spot in prompt.spots if spot.choices and spot.choices[0].kind in GROWING]
    finishing = "e" in buttons and "d" not in buttons
    bonus = Slot(f"{text('Bonus')} {bonus_tiles}", *moves_of(buttons.get("c")), short=str(bonus_tiles))
    if finishing and ending is not None:
        own = ending.own(seat)
        title = (
            text("This turn ends the game")
            if ending.over
            else text("End the turn: +{gain} for you", gain=own)
            if own
            else prompt.title
            if together
            else text("Increase your market share")
            if growing
            else text("Your turn is over")
        )
        primary = Slot(text("End the game") if ending.over else text("End turn"), buttons["e"].moves, "e")
        skip = grow_all(prompt, growing_moves(growing), language)
        line = can_grow(len(growing), cash, language) if growing else prompt.text
        return ActionBar(title, line, ending.chips, 3, bonus, skip, primary)
    skip = (
        Slot(text("Skip expanding"), buttons["d"].moves, "d", text("Skip"))
        if "d" in buttons and buttons["d"].moves == "done"
        else Slot(text("Leave it there"), buttons["d"].moves, "d")
        if "d" in buttons
        else Slot(text("Skip"))
    )
    primary = Slot(text("Choose a place"), outlined=True)
    if "e" in buttons:
        line = in_reach(prompt.spots, cash, language)
        if together:
            return ActionBar(prompt.title, line, (), prompt.phase, bonus, skip, primary)
        title, short = text("Where do you want to expand?"), text("Where to expand?")
        return ActionBar(title, line, (), prompt.phase, bonus, skip, primary, short)
    title, name = (prompt.text, text("Tiles still to be placed")) if tiles else (prompt.title, "")
    return ActionBar(title, prompt.text, tiles, prompt.phase, bonus, skip, primary, chips_name=name)


def can_grow(count: int, cash: int, language: Language) -> str:
    """How many cities can grow."""
    return language.plural(
        "{count} city can grow, for {price}. You have {cash}.",
        "{count} cities can grow, for {price} each. You have {cash}.",
        count,
        price=language.money(1),
        cash=language.money(cash),
    )


def in_reach(spots: Sequence[PlaceChoice], cash: int, language: Language) -> str:
    """How many places can be opened, and for how much."""
    prices = [cash - spot.choices[0].cash for spot in spots]
    low, high = min(prices, default=0), max(prices, default=0)
    values = {"low": language.money(low), "high": language.money(high), "cash": language.money(cash)}
    if low == high:
        return language.plural(
            "{count} place in reach, for {low}. You have {cash}.",
            "{count} places in reach, for {low}. You have {cash}.",
            len(spots),
            **values,
        )
    return language.plural(
        "{count} place in reach, from {low} to {high}. You have {cash}.",
        "{count} places in reach, from {low} to {high}. You have {cash}.",
        len(spots),
        **values,
    )


def pool(game: Game) -> tuple[Chip, ...]:
    """The tiles that an expert draft places now: how many there are of each size, or what each region tile is worth."""
    actions = game.legal_actions()
    sizes = sorted({action.size for action in actions if action.kind == Kind.TILE})
    left = game.state["pool"][0]
    if sizes:
        return tuple(Chip(str(size), f"×{left[size]}") for size in sizes)
    tiles = sorted({action.tile for action in actions if action.kind == Kind.REGION})
    return tuple(Chip(BOARD.tiles[tile].id, "/".join(map(str, BOARD.tiles[tile].values))) for tile in tiles)


def moves_of(button: Button | None) -> tuple[str, str]:
    """A button's moves and its key."""
    return ("", "") if button is None else (button.moves, button.key)


def growing_moves(growing: Sequence[PlaceChoice]) -> list[str]:
    """The way to grow for a dollar in each of the places."""
    return [choice.moves for spot in growing for choice in spot.choices[:1] if choice.kind == Kind.GROW]


def grow_all(prompt: Prompt, moves: Sequence[str], language: Language) -> Slot:
    """All growth at once, if there is more than one city to grow in and money for all."""
    words = language.text("Grow in all")
    poorest = min((choice.cash for spot in prompt.spots for choice in spot.choices), default=0)
    if len(moves) < 2 or poorest < len(moves) - 1:
        return Slot(words, short=language.text("Grow all"))
    first = "done; " if moves[0].startswith("done; ") else ""
    together = first + "; ".join(move.removeprefix("done; ") for move in moves)
    price = language.money(len(moves))
    return Slot(f"{words} · {price}", together, "g", f"{language.text('Grow all')} ·\N{NO-BREAK SPACE}{price}")
