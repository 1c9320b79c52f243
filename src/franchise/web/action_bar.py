"""The bar under the map: what to do now in a line, and five slots that are always there."""

from collections.abc import Sequence
from dataclasses import dataclass

from franchise.engine.layout import Kind
from franchise.wording.ending import Chip, Ending
from franchise.wording.language import Language
from franchise.wording.prompt import Button, PlaceChoice, Prompt

GROWING = (Kind.GROW, Kind.DOUBLE)


@dataclass(frozen=True)
class Slot:
    """A place for a button; without moves it is there and cannot be pressed."""

    text: str
    moves: str = ""
    key: str = ""
    outlined: bool = False  # empty until something is chosen


@dataclass(frozen=True)
class ActionBar:
    """What stands in the bar while the visitor has the turn."""

    title: str
    line: str
    chips: tuple[Chip, ...]
    step: int  # of the turn, from 1; 0 for none
    bonus: Slot
    skip: Slot
    primary: Slot


def bar_of(prompt: Prompt, ending: Ending | None, seat: int, bonus_tiles: int, language: Language) -> ActionBar:
    """The bar for a prompt of one's own."""
    text = language.text
    buttons = {button.key: button for button in prompt.buttons}
    growing = [spot for spot in prompt.spots if spot.choices and spot.choices[0].kind in GROWING]
    finishing = buttons.get("e") is not None and ("d" not in buttons or bool(growing))
    bonus = Slot(f"{text('Bonus')} {bonus_tiles}", *moves_of(buttons.get("c")))
    if finishing and ending is not None:
        own = ending.own(seat)
        title = (
            text("This turn ends the game")
            if ending.over
            else text("End the turn: +{gain} for you", gain=own)
            if own
            else prompt.title
        )
        primary = Slot(text("End the game") if ending.over else text("End turn"), buttons["e"].moves, "e")
        skip = grow_all(prompt, growing_moves(growing), language)
        return ActionBar(title, prompt.text, ending.chips, 3, bonus, skip, primary)
    skip = (
        Slot(text("Skip expanding"), buttons["d"].moves, "d")
        if "d" in buttons and buttons["d"].moves == "done"
        else Slot(text("Leave it there"), buttons["d"].moves, "d")
        if "d" in buttons
        else Slot(text("Skip"))
    )
    primary = Slot(text("Choose a place"), outlined=True)
    tiles = tuple(pool(prompt))
    return ActionBar(prompt.text if tiles else prompt.title, prompt.text, tiles, prompt.phase, bonus, skip, primary)


def pool(prompt: Prompt) -> list[Chip]:
    """The tiles of an expert draft that can still be placed."""
    texts = [c.text for spot in prompt.spots for c in spot.choices if c.kind in (Kind.TILE, Kind.REGION)]
    return [Chip(said) for said in dict.fromkeys(texts)]


def moves_of(button: Button | None) -> tuple[str, str]:
    """A button's moves and its key."""
    return ("", "") if button is None else (button.moves, button.key)


def growing_moves(growing: Sequence[PlaceChoice]) -> list[str]:
    """The way to grow for a dollar in each of the places."""
    return [choice.moves for spot in growing for choice in spot.choices[:1] if choice.kind == Kind.GROW]


def grow_all(prompt: Prompt, moves: Sequence[str], language: Language) -> Slot:
    """All growth at once, where there is more than one place for it and money for all."""
    said = language.text("Grow in all")
    poorest = min((choice.cash for spot in prompt.spots for choice in spot.choices), default=0)
    if len(moves) < 2 or poorest < len(moves) - 1:
        return Slot(said)
    first = "done; " if moves[0].startswith("done; ") else ""
    together = first + "; ".join(move.removeprefix("done; ") for move in moves)
    return Slot(f"{said} · {language.money(len(moves))}", together, "g")
