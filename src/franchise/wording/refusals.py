"""Why something is not possible, in words."""

from franchise.engine.actions import ACTIONS, ONLY_CITIES, misspelled_place, nearest_place
from franchise.engine.layout import Kind
from franchise.engine.reasons import Reason, why_not
from franchise.facts import BOARD
from franchise.game import Game, IllegalAction
from franchise.wording.language import N_, Language
from franchise.wording.prompt import has_expanded

NAME_SHOWN = 30  # characters shown of an unknown name
REFUSALS = {  # what the server refuses, by its code, in words for people
    "no_such_table": N_("There is no such table. Perhaps the link is not complete."),
    "no_such_seat": N_("There is no such seat."),
    "no_token": N_("You have no seat at this table: you are watching."),
    "not_your_seat": N_("You have no seat at this table: you are watching."),
    "not_your_turn": N_("It is not your turn."),
    "stale": N_("The table has moved on: here is how it stands now."),
    "seat_taken": N_("Somebody else has taken that seat."),
    "not_over": N_("The game is not over yet."),
    "not_begun": N_("The seats are drawn when everybody is here."),
    "ended": N_("This game is over."),
    "resigned": N_("You have resigned: a bot plays your seat to the end."),
    "begun": N_("The game has begun."),
    "too_early": N_("Give them some time first."),
    "busy": N_("Many games are waiting to be analysed; try again in a few minutes."),
    "no_hints": N_("There are no hints at this table now."),
    "needs_account": N_("A rated table is for people with accounts: sign in first."),
    "rated_seats": N_("A rated table has no bots, and everybody has one seat."),
    "rated_start": N_("A rated game starts from the beginning with random tiles: no record, no seed."),
    "rated_hints": N_("A rated table has no hints."),
    "bad_set_up": N_("These options cannot be combined."),
    "not_signed_in": N_("This is for people who have signed in."),
    "wrong_password": N_("Wrong name or password."),
    "wrong_old_password": N_("That is not your password."),
    "name_taken": N_("Somebody else has that name."),
    "name_length": N_("The name must have 2 to 40 characters."),
    "name_letters": N_("The name must contain letters or digits, and no slashes."),
    "password_length": N_("The password must have 8 to 200 characters."),
    "password_is_name": N_("The password must not be the name."),
    "too_many_tokens": N_("An account has at most ten tokens: revoke one first."),
    "too_many": N_("Wait a moment and try again."),
    "bad_webhook": N_("A webhook is an address on the open internet that begins with https://."),
    "bad_email": N_("This is not an e-mail address."),
    "bad_keys": N_("This browser cannot show notifications."),
    "no_address": N_("Confirm an address first."),
    "no_email": N_("This server sends no e-mail."),
    "damaged": N_("The stored game of this table is damaged. Please tell the administrator of this server."),
    "not_written": N_("The server cannot save this now. Try again in a moment."),
    "not_read": N_("The server cannot look this up now. Try again in a moment."),
    "nothing_to_undo": N_("There is nothing to take back in this turn."),
    "refused": N_("That cannot be done here."),
}


def refused(code: str, language: Language) -> str:
    """Why the server refused something, in the visitor's language."""
    return language.text(REFUSALS.get(code, REFUSALS["refused"]))


def why_illegal(game: Game, moves: str, language: Language) -> str:
    """Why a move, or one of several that go together, cannot be made now; empty if nothing is wrong."""
    walk, turn, made = game.copy(), (game.turn, game.current_player), ""
    for move in map(str.strip, moves.split(";")):
        if made and (walk.over or (walk.turn, walk.current_player) != turn):
            return language.text("{move} ends your turn: nothing can follow it.", move=made)
        reason = why_not_now(walk, move, language)
        if reason:
            return reason
        made = str(walk.action(move))
        walk.play(made)
    return ""


def why_not_now(game: Game, move: str, language: Language) -> str:
    """Why a move is not legal now; empty if it is."""
    try:
        action = game.action(move)
    except IllegalAction:
        return why_unreadable(game, move, language)
    reason = why_not(game.rules[0], game.state[0], action)
    return language.text("Not possible: {reason}.", reason=language.reason(reason)) if reason else ""


def why_unreadable(game: Game, move: str, language: Language) -> str:
    """What is wrong with a text that is not a move in any position."""
    verb, _, rest = " ".join(move.split()).partition(" ")
    verb, name = verb.casefold(), misspelled_place(move)
    if name is not None:
        start = rest.casefold().find(name)
        typed = rest[start : start + len(name)][:NAME_SHOWN]
        near = nearest_place(name, verb, int(game.rules["in_play"][0]))
        return language.text("There is no place called {name}. Did you mean {place}?", name=typed, place=near)
    named = next((place for place in BOARD.locations if place.name.casefold() == rest.casefold()), None)
    if named and verb == "start":
        return language.text("{place} is a city: a chain begins in a town.", place=named.name)
    if named and verb in ONLY_CITIES:
        return language.text("{place} is a town: it has one space only.", place=named.name)
    return language.text("That is not a move.")


def why_not_here(game: Game, place: int, language: Language) -> str:
    """Why a location cannot be chosen now: the reason against the move that comes closest to being legal."""
    kinds = {"expand": (Kind.EXPAND, Kind.AGAIN), "start": (Kind.START,), "grow": (Kind.GROW,)}.get(game.phase, ())
    kinds = kinds or ((Kind.BOOM,) if game.phase == "boom" else (Kind.TILE,) if game.phase == "draft" else ())
    legal = set(game.legal_numbers())
    name = BOARD.locations[place].name
    if not int(game.rules["in_play"][0]) >> place & 1:
        return language.text("{place} is out of play with this number of players", place=name) + "."
    if game.phase == "score":
        return language.text("Regions are scored now: choose a region.")
    if any(ACTIONS[number].kind == Kind.REGION for number in legal):
        return language.text("Region tiles are placed now: choose a region.")
    moves = [action for action in ACTIONS if action.kind in kinds and action.place == place]
    if any(action.id in legal for action in moves):
        return language.text("You can choose it.")
    if not moves and game.phase == "start":
        return language.text("{place} is a city: a chain begins in a town.", place=name)
    if not moves:
        return language.text("{place} is a town: it has one space only.", place=name)
    if game.phase == "expand" and has_expanded(game):
        moves = [action for action in moves if action.kind == Kind.AGAIN]
    reasons = [reason for action in moves if (reason := why_not(game.rules[0], game.state[0], action))]
    return language.text("Not possible: {reason}.", reason=language.reason(nearest(reasons)))


def nearest(reasons: list[Reason]) -> Reason:
    """Of several illegal moves, the one closest to being legal: only the money for the cheapest link is missing."""
    priced = [reason for reason in reasons if "cash" in reason.values]
    return min(priced, key=lambda reason: int(reason.values["price"])) if priced else reasons[0]
