"""How a table begins: what may be asked for, the game it begins with, and what is written down of it."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from franchise.engine.setups import Options, Setup, SetupError
from franchise.game import Game
from franchise.record import RecordError
from franchise.server.errors import NeedsAccount, Refused
from franchise.server.invitation import NewTable
from franchise.server.keys import Holder, Key, new_id
from franchise.server.store import Stored, StoredSeat
from franchise.server.table import Clock


def check_rated(new: NewTable, holder: Key | None) -> None:
    """A rated table is for people with accounts, one seat each, from the beginning of a game."""
    if not new.rated:
        return
    if not isinstance(holder, Holder) or holder.account is None:
        raise NeedsAccount
    if any(seat.kind == "bot" for seat in new.seats) or sum(seat.kind == "human" for seat in new.seats) > 1:
        raise Refused("A rated table has no bots, and its creator one seat; leave the others open, or unrate it.")
    if new.record is not None or new.seed is not None:
        raise Refused("A rated game begins at its beginning with tiles as they come; leave out record and seed.")
    if new.hints:
        raise Refused("A rated table has no hints; leave them out.")


def own_name(holder: Key | None, rated: bool, wanted: str | None) -> str | None:
    """What somebody is called at a table: at a rated one an account by its own name."""
    return holder.name if rated and isinstance(holder, Holder) else wanted


def first_game(new: NewTable, seed: int) -> Game:
    """The game a new table begins with; Refused says what does not fit."""
    try:
        if new.record is None:
            return Game(len(new.seats), seed, new.options.options())
        game = Game.from_text(new.record)
    except (SetupError, RecordError) as error:
        where = "The record does not hold" if isinstance(error, RecordError) else "The options do not fit"
        raise Refused(f"{where}: {error}.") from None
    if game.players != len(new.seats):
        raise Refused(f"The record is of {game.players} players; give as many seats, not {len(new.seats)}.")
    return game


def first_stored(
    game: Game,
    seats: tuple[StoredSeat, ...],
    seed: int,
    at: datetime,
    *,
    public: bool,
    clock: Clock,
    rated: bool,
    hints: bool,
) -> Stored:
    """A new table as it is written down."""
    nameless = game.copy()
    nameless.names = ()
    return Stored(
        id=new_id(),
        record=nameless.to_text(),
        version=0,
        revision=0,
        public=public,
        options=plain_options(game.setup.options),
        seed=seed,
        clock=clock,
        turn=game.turn,
        to_move=None if game.over else game.current_player,
        rematch=None,
        created_at=at,
        changed_at=at,
        seats=seats,
        rated=rated,
        hints=hints,
        settled=game.over,  # nothing but somebody's record
    )


def plain_options(options: Options) -> dict[str, Any]:
    """The choices of a table, for lists."""
    names = ("introductory", "expert", "milestones", "boom", "regions")
    return {name: getattr(options, name) for name in names}


def options_again(setup: Setup) -> Options:
    """Options for another game like this one: what was arranged stays, what was drawn is drawn again."""
    options = setup.options
    if options.expert == "arranged":
        options = replace(options, city_tiles=setup.city_tiles, region_tiles=setup.region_tiles)
    if options.regions == "chosen":
        options = replace(options, chosen_tiles=(*setup.region_tiles.values(), *setup.draft_tiles))
    return options
