"""New tables: the request, validated field by field; the game it begins with; what is stored."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from franchise.bots.characters import free_characters
from franchise.bots.registry import BUILT_IN, listings
from franchise.engine.setups import Options, Setup, SetupError, drawn_order
from franchise.game import NAME_LIMIT, Game
from franchise.record import SIZE_LIMIT, RecordError
from franchise.server.tables.account_names import visible_part
from franchise.server.tables.errors import NeedsAccount, Refused
from franchise.server.tables.known_fields import KnownFields
from franchise.server.tables.seat_keys import Holder, Key, new_id
from franchise.server.tables.stored import StoredSeat, StoredTable
from franchise.server.tables.table import Clock, ClockKind, Seating, TimeOut

DEFAULT_LEVEL = "regular"


def readable(text: str) -> str:
    """One line of printable text, without blanks around it."""
    text = text.strip()
    if not text.isprintable():
        raise ValueError("write printable characters only, in one line")
    return text


def short(text: str) -> str:
    """A name that a record can store; one with nothing visible counts as none."""
    text = readable(text) if visible_part(text) else ""
    if len(text) > NAME_LIMIT:
        raise ValueError(f"a name has at most {NAME_LIMIT} characters")
    return text


def known(level: str) -> str:
    """A level by its name; programs cannot be started through the API."""
    if level in BUILT_IN:
        return level
    names = [listing.name for listing in listings()]  # reads what is installed
    if level not in names:
        raise ValueError(f"there is no bot {level[:40]!r}; choose from {', '.join(names)}")
    return level


Name = Annotated[str, Field(max_length=200), AfterValidator(short)]
Level = Annotated[str, Field(max_length=40), AfterValidator(known)]


class NewSeat(KnownFields):
    """A seat of a new table."""

    kind: Literal["human", "open", "bot"] = Field(
        description="human: for the creator of the table; open: for anybody who joins; bot"
    )
    name: Name | None = Field(default=None, description="the name shown at the table; by default the colour")
    level: Level | None = Field(default=None, description=f"the level of a bot; default: {DEFAULT_LEVEL}")


class NewOptions(KnownFields):
    """The options of a game."""

    introductory: bool = Field(default=False, description="the introductory game (rule 1.8)")
    expert: Literal["draft", "random", "arranged"] | None = Field(
        default=None, description="the expert set-up (5): who places the tiles"
    )
    milestones: bool = Field(default=False, description="the expansion Milestones (6)")
    boom: bool = Field(default=False, description="the expansion Boom (7)")
    regions: Literal["mixed", "new", "chosen"] | None = Field(
        default=None, description="the expansion New Regions (8): which tiles are in use"
    )
    city_tiles: dict[str, int] = Field(
        default_factory=dict, max_length=45, description="with arranged: the size of each city"
    )
    region_tiles: dict[str, str] = Field(
        default_factory=dict, max_length=10, description="with arranged: the id of each region's tile"
    )
    chosen_tiles: list[str] = Field(
        default_factory=list, max_length=30, description="with chosen: the ids of ten tiles"
    )

    def options(self) -> Options:
        """As the game takes them; SetupError where they contradict each other."""
        return Options(**self.model_dump())


class NewClock(KnownFields):
    """The clock of a new table."""

    kind: ClockKind = Field(default="none", description="live: for one sitting; daily: over several days")
    minutes: int = Field(default=20, ge=1, le=600, description="live: minutes per person for the whole game")
    increment: int = Field(default=15, ge=0, le=600, description="live: seconds gained with every turn")
    hours: int = Field(default=24, ge=1, le=720, description="daily: hours per turn")
    vacation: int = Field(default=3, ge=0, le=60, description="daily: days per person for turns that take longer")
    time_out: TimeOut = Field(
        default="bot",
        description="when the time is up: send a reminder, let a bot play until the person is back, or end the game",
    )
    stand_in: Level = Field(default=DEFAULT_LEVEL, description="the level of that bot")

    def clock(self) -> Clock:
        chosen: dict[str, Any] = {"time_out": self.time_out, "stand_in": self.stand_in}
        if self.kind == "live":
            return Clock("live", minutes=self.minutes, increment=self.increment, **chosen)
        if self.kind == "daily":
            return Clock("daily", hours=self.hours, vacation=self.vacation, **chosen)
        return Clock()


class NewTable(KnownFields):
    """A request to create a table."""

    seats: list[NewSeat] = Field(
        min_length=2, max_length=5, description="in the order of play, unless it is drawn at random"
    )
    order: Literal["given", "random"] = Field(
        default="given",
        description="random: the seats, and so the first player, are drawn once every seat is taken, before the first "
        "move; a record keeps its order",
    )
    options: NewOptions = Field(default_factory=NewOptions)
    seed: int | None = Field(default=None, ge=0, le=2**62, description="seed for everything random in the set-up")
    public: bool = Field(default=False, description="whether the table is listed")
    rated: bool = Field(default=False, description="whether the game is rated; accounts only")
    hints: bool | None = Field(
        default=None, description="whether players may ask a bot for hints; default: unless rated"
    )
    clock: NewClock = Field(default_factory=NewClock)
    record: str | None = Field(
        default=None, max_length=SIZE_LIMIT, description="a game to continue, instead of options and seed"
    )


def seated(new: NewTable, seed: int) -> tuple[list[NewSeat], Seating]:
    """The seats in the order of play, as far as it is known (RULES 1.1)."""
    if new.order == "given":
        return new.seats, "given"
    if new.record is not None:
        raise Refused("A record says who sits where; leave out the random order.")
    if any(seat.kind == "open" for seat in new.seats):
        return new.seats, "undrawn"
    return [new.seats[number] for number in drawn_order(len(new.seats), seed)], "drawn"


def check_rated(new: NewTable, holder: Key | None) -> None:
    """A rated table is for people with accounts, one seat each, from the beginning of a game."""
    if not new.rated:
        return
    if not isinstance(holder, Holder) or holder.account is None:
        raise NeedsAccount
    if any(seat.kind == "bot" for seat in new.seats) or sum(seat.kind == "human" for seat in new.seats) > 1:
        raise Refused(
            "A rated table has no bots, and its creator one seat; leave the others open, or unrate it.", "rated_seats"
        )
    if new.record is not None or new.seed is not None:
        raise Refused(
            "A rated game starts from the beginning with random tiles; leave out record and seed.", "rated_start"
        )
    if new.hints:
        raise Refused("A rated table has no hints; leave them out.", "rated_hints")


def characters_for(seats: list[NewSeat], recorded: tuple[str, ...]) -> dict[int, str]:
    """The names of the bots that are given none, by seat."""
    nameless = [
        number
        for number, seat in enumerate(seats)
        if seat.kind == "bot" and not seat.name and not (recorded and recorded[number])
    ]
    free = free_characters([seat.name or "" for seat in seats] + list(recorded))
    return dict(zip(nameless, free, strict=False))


def own_name(holder: Key | None, rated: bool, name: str | None) -> str | None:
    """A person's name at a table; at a rated table, the name of the account."""
    return holder.name if rated and isinstance(holder, Holder) else name


def first_game(new: NewTable, seed: int) -> Game:
    """The game a new table begins with; Refused says what does not fit."""
    try:
        if new.record is None:
            return Game(len(new.seats), seed, new.options.options())
        game = Game.from_text(new.record)
    except (SetupError, RecordError) as error:
        where = "The record is not valid" if isinstance(error, RecordError) else "The options are not valid"
        raise Refused(f"{where}: {error}.", "bad_set_up") from None
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
    seating: Seating,
) -> StoredTable:
    """A new table as it is stored."""
    nameless = game.copy()
    nameless.names = ()
    return StoredTable(
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
        settled=game.over,  # the table only shows a record
        seating=seating,
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
