"""Why a move is not possible, in words."""

from franchise.engine.actions import ACTIONS, NotationError, parse
from franchise.engine.layout import Kind
from franchise.engine.reasons import Reason, why_not
from franchise.facts import BOARD
from franchise.game import Game
from franchise.web.language import Language
from franchise.web.prompt import has_expanded


def why_illegal(game: Game, move: str, language: Language) -> str:
    """Why a move is not legal now, in the visitor's language."""
    try:
        action = parse(move, game.legal_numbers)
    except NotationError:
        return language.text("That is not a move.")
    reason = why_not(game.rules[0], game.state[0], action)
    return language.text("Not possible: {reason}.", reason=language.reason(reason)) if reason else ""


def why_not_here(game: Game, place: int, language: Language) -> str:
    """Why a location cannot be chosen now: the reason that stands against the nearest move to it."""
    kinds = {"expand": (Kind.EXPAND, Kind.AGAIN), "start": (Kind.START,), "grow": (Kind.GROW,)}.get(game.phase, ())
    kinds = kinds or ((Kind.BOOM,) if game.phase == "boom" else (Kind.TILE,) if game.phase == "draft" else ())
    legal = set(game.legal_numbers())
    moves = [action for action in ACTIONS if action.kind in kinds and action.place == place]
    if any(action.id in legal for action in moves):
        return language.text("You can choose it.")
    name = BOARD.locations[place].name
    if not moves and game.phase == "start":
        return language.text("{place} is a city: a chain begins in a town.", place=name)
    if not moves:
        return language.text("{place} is a town: it has one space only.", place=name)
    if game.phase == "expand" and has_expanded(game):
        moves = [action for action in moves if action.kind == Kind.AGAIN]
    reasons = [reason for action in moves if (reason := why_not(game.rules[0], game.state[0], action))]
    return language.text("Not possible: {reason}.", reason=language.reason(nearest(reasons)))


def nearest(reasons: list[Reason]) -> Reason:
    """Of several ways that do not work, the one that nearly does: the money is missing for the cheapest link."""
    priced = [reason for reason in reasons if "cash" in reason.values]
    return min(priced, key=lambda reason: int(reason.values["price"])) if priced else reasons[0]
