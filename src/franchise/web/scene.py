"""A table as one visitor sees it at one moment: everything that the table's templates show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from franchise.drawing.layers import Target
from franchise.drawing.notes import NotePart
from franchise.drawing.scored import scored_svg
from franchise.drawing.targets import targets_svg
from franchise.engine.layout import EventKind, Kind
from franchise.facts import BOARD
from franchise.game import Game
from franchise.insight.hint import Hint
from franchise.insight.review import Review
from franchise.server.tables.clocks import times
from franchise.server.tables.table import Seat, Table
from franchise.server.thinking.hints import offered
from franchise.web.action_bar import GROWING, ActionBar, bar_of, pool
from franchise.web.final_screen import FinalScreen
from franchise.web.influence_road import Token, road_svg
from franchise.web.milestones import WANTED, MilestoneLine, progress
from franchise.web.moment import LastMove, RegionLine, SharedMoment, moment_of
from franchise.web.player_cards import PlayerCard, income_text
from franchise.web.ribbon import Shares, chances, ribbon_svg
from franchise.web.rulebook import FOR_PHASE
from franchise.web.table_people import NOBODY, TablePeople
from franchise.wording import advice, log
from franchise.wording.ending import Chip, Ending, ending
from franchise.wording.language import N_, Language
from franchise.wording.news import NewsItem, gains, news, own_turn_end
from franchise.wording.prompt import PHASE_NUMBERS, PlaceChoice, Prompt, phase_of, played, prompt_of

Row = Mapping[str, Any]

TURN = ("expand", "grow")  # phases that the end of the turn follows
NEWS = 8  # turns told as news
CITY_SCORES = (EventKind.MAJORITY, EventKind.FULL)
CLOSE = 6  # regions named as close to scoring
PHASES = (N_("Boom"), N_("Income"), N_("Expand"), N_("Market share"), N_("Open and score"), N_("Regions"))
PLACES = sorted(place.name for place in BOARD.locations)


TARGETS = {Kind.GROW: "grow", Kind.DOUBLE: "grow", Kind.BOOM: "boom"}  # how what a choice does is drawn


@dataclass(frozen=True)
class Scene:
    """What to show. `game` is the game at the position that is shown."""

    table: Table
    game: Game
    version: int  # of the table, at that position
    live: bool  # the current position, not an earlier one
    mine: frozenset[int]  # seats the visitor holds
    language: Language
    notice: str = ""  # why the last attempt did not work
    hint: Hint | None = None  # what a bot would do, for somebody who asked
    cut: str = "L"  # the size of the map
    review: Review | None = None  # of the whole game, in a replay
    people: TablePeople = NOBODY  # the people around the table
    now: datetime = field(default_factory=lambda: datetime.now(UTC))  # by the server's clock

    @cached_property
    def moment(self) -> SharedMoment:
        """What everybody sees."""
        return moment_of(self.table, self.game, self.version, self.language)

    @cached_property
    def latest(self) -> SharedMoment:
        """What everybody sees of the current table, while the visitor looks at an earlier position."""
        if self.game is self.table.game and self.version == self.table.version:
            return self.moment
        return moment_of(self.table, self.table.game, self.table.version, self.language)

    @cached_property
    def view(self) -> dict[str, Any]:
        return self.moment.data

    @property
    def url(self) -> str:
        """The URL path of the table."""
        return f"/t/{self.table.id}"

    @cached_property
    def moves(self) -> int:
        """The number of moves at this position."""
        return len(self.game.actions)

    @cached_property
    def last_move(self) -> int:
        """The number of moves made so far."""
        return len(self.table.game.actions)

    @cached_property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.table.seats[self.game.current_player]

    @cached_property
    def acts(self) -> bool:
        """Whether the visitor is to move."""
        return self.live and self.table.to_move is not None and self.seat.number in self.mine and not self.seat.resigned

    @property
    def own_seats(self) -> str:
        """The visitor's seats, as scripts read them."""
        return " ".join(map(str, sorted(self.mine)))

    @property
    def looking_back(self) -> bool:
        """Whether the visitor has gone to an earlier move; an older version that is being replayed does not count."""
        return not self.live and self.game is not self.table.game

    @cached_property
    def told(self) -> LastMove | None:
        """The move that is being shown, while more have been made since: one of somebody else, or one of a replay."""
        return None if self.live or self.game.over else self.moment.last

    @property
    def turn_told(self) -> str:
        """What the turn of somebody else that has just ended did: the title of the bar until its points have flown."""
        last = self.moment.last
        over = self.game.over or self.table.over
        if last is None or not self.live or over or last.seat in self.mine or last.seat == self.seat.number:
            return ""
        return played(self.name_of(last.seat), last.events, self.language)

    @property
    def shown_seat(self) -> int:
        """Whose turn the page shows: while it tells a move, that of who made it."""
        return self.seat.number if self.told is None else self.told.seat

    @property
    def shown_turn(self) -> int:
        """The turn that the page shows, also while its end is told."""
        return self.game.turn if self.told is None else self.told.turn

    @property
    def replaying(self) -> bool:
        """Whether the bar has the keys of a replay."""
        return self.looking_back and self.lesson is None

    @property
    def free_seats(self) -> tuple[Seat, ...]:
        """The seats that anybody may take."""
        return tuple([seat for seat in self.table.seats if seat.open])

    @property
    def holds_all(self) -> bool:
        """Whether the visitor holds every seat, as with a record: then "you" would say nothing."""
        return len(self.mine) == len(self.table.seats)

    @property
    def alone(self) -> bool:
        """Whether the visitor holds every seat and looks back: then a running game may be analysed, too."""
        return not self.live and not self.table.rated and self.holds_all

    @property
    def ended(self) -> bool:
        """Whether the game was ended early."""
        return self.live and self.table.ended_at is not None

    @property
    def away(self) -> bool:
        """Whether a bot plays for the visitor."""
        return self.live and not self.table.over and any(self.table.seats[seat].away for seat in self.mine)

    @property
    def playing(self) -> bool:
        """Whether the visitor has a seat and has not resigned."""
        return any(not self.table.seats[seat].resigned for seat in self.mine)

    @cached_property
    def may_undo(self) -> bool:
        return self.acts and self.table.may_undo(self.seat.number)

    @property
    def lesson(self) -> Any:
        """The current lesson, in the tutorial."""
        return None

    @cached_property
    def prompt(self) -> Prompt:
        return self.make_prompt()

    def make_prompt(self) -> Prompt:
        """What can be done now, or what is being done."""
        if self.told is not None:
            title = played(self.name_of(self.told.seat), self.told.events, self.language)
            return Prompt(title, "", phase_of(self.told.phase, self.told.events))
        return prompt_of(
            self.game,
            self.language,
            live=self.live,
            acts=self.acts,
            several=len(self.mine) > 1,
            is_bot=self.seat.player is not None,
            free=self.seat.kind == "human" and not self.seat.taken,
            undrawn=self.undrawn,
            ended=self.end_text if self.ended else "",
            winners=self.table.winners if self.game.over else (),
        )

    @property
    def undrawn(self) -> str:
        """What is waited for before the seats are drawn."""
        if not self.table.undrawn:
            return ""
        if self.asked:
            return "asked"
        return "accepting" if any(seat.asked for seat in self.table.seats) else "seating"

    @property
    def asked(self) -> bool:
        """Whether a seat is kept here for the visitor, who has not accepted yet."""
        return any(self.table.seats[seat].asked for seat in self.mine)

    @property
    def calls_off(self) -> bool:
        """Whether the visitor has asked to call the game off."""
        return not self.people.calling.isdisjoint(self.mine)

    @property
    def votes_bot(self) -> bool:
        """Whether the visitor wants a bot to play for somebody absent."""
        return not self.people.for_bot.isdisjoint(self.mine)

    @property
    def end_text(self) -> str:
        """Why the game was ended early."""
        text, seat = self.language.text, self.table.ended_seat
        name = self.name_of(self.game.current_player if seat is None else seat)
        match self.table.ending:
            case "resigned":
                return f"{text('{player} has resigned.', player=name)} {self.unrated}".strip()
            case "agreed":
                return text("Everybody agreed to call the game off.")
            case "cancelled":
                return text("The table was closed before the game began.")
            case "expired":
                return text("Nobody came in time.")
        return f"{text('{player} has run out of time.', player=name)} {self.unrated}".strip()

    @property
    def unrated(self) -> str:
        """Why a game at a rated table does not count."""
        early = self.table.rated and not self.table.long_enough
        return self.language.text("It is not rated: not everybody has had two turns.") if early else ""

    @cached_property
    def ending(self) -> Ending | None:
        """What the end of the turn would bring the player to move."""
        if not self.acts or (self.lesson is not None and not self.prompt.buttons) or self.game.phase not in TURN:
            return None
        return ending(self.game, self.language)

    @cached_property
    def bar(self) -> ActionBar:
        """The action bar of the player to move."""
        player = self.view["players"][self.seat.number]
        tiles = pool(self.game) if self.game.phase == "draft" else ()
        return bar_of(self.prompt, self.ending, player, len(self.mine) > 1, tiles, self.language)

    @property
    def finishing(self) -> bool:
        """Whether the primary button ends the turn: then cards and road show what that brings."""
        return self.acts and self.bar.primary.key == "e"

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases of a turn, in English."""
        return PHASES if self.game.setup.options.boom else PHASES[1:]

    def phase_at(self, phase: int) -> int:
        """The index of a prompt's phase among these; moving the boom marker comes before the first."""
        return phase - 1 if phase == PHASE_NUMBERS["boom"] or not self.game.setup.options.boom else phase

    @cached_property
    def ends(self) -> bool:
        """Whether the end of this turn would end the game."""
        return self.ending is not None and self.finishing and self.ending.over

    @cached_property
    def may_end(self) -> bool:
        """Whether the game may end this round."""
        if self.game.over or not self.view["turn"]:
            return False
        others = [turn for turn in self.moment.log if 0 < turn.number < self.view["turn"]][1 - self.game.players :]
        passed = sum(1 for turn in others if not any(event.kind in log.EXPANSIONS for event in turn.events))
        return len(self.view["track"]) >= BOARD.red_zone_from - 2 or passed == self.game.players - 1

    @property
    def may_ask(self) -> bool:
        """Whether a bot may be asked for a hint."""
        return self.acts and self.lesson is None and offered(self.table)

    @cached_property
    def advice(self) -> advice.Advice | None:
        """The hint in words."""
        return None if self.hint is None else advice.advice_of(self.hint, self.prompt, self.language)

    @property
    def rule(self) -> str:
        """The section of the rules that explains the prompt."""
        return FOR_PHASE[self.game.phase]

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """The locations that cannot be chosen now."""
        spots = {spot.name for spot in self.prompt.spots if not spot.on_region}
        return tuple(name for name in PLACES if name not in spots)

    # --- the board ---

    @cached_property
    def targets(self) -> str:
        """What can be chosen, and the regions that the end of the turn would score; in a replay, what was scored."""
        if self.looking_back:
            return scored_svg(self.moment, self.moment.gains, self.cut)
        return targets_svg(
            self.moment,
            [
                *(self.target(number, spot) for number, spot in enumerate(self.prompt.spots)),
                *(self.chosen(place) for place in self.grown if place not in {s.name for s in self.prompt.spots}),
            ],
            self.language.words,
            self.cut,
            self.ending.regions if self.ending is not None and self.finishing else (),
        )

    def target(self, number: int, spot: PlaceChoice) -> Target:
        """A place that can be chosen, as a target."""
        choice = spot.choices[0]
        kind = TARGETS.get(choice.kind, "expand")
        already = self.ending.gains[self.seat.number] if self.ending is not None else 0
        gain = choice.gains[self.seat.number] - already if choice.gains else 0
        return Target(
            place=None if spot.on_region else spot.name,
            region=spot.name if spot.on_region else None,
            price=choice.price if kind == "grow" and choice.price else spot.badge,
            label=spot.label(self.language),
            hinted=self.advice is not None and self.advice.place == spot.name,
            data={"spot": str(number), **({"back": spot.name} if spot.name in self.grown else {})},
            chosen=spot.name in self.grown,
            kind=kind,
            gain=self.scored_at(spot.name)
            if spot.name in self.grown
            else f"+{gain}"
            if kind == "grow" and gain > 0
            else "",
            link=choice.link,
            note=tuple(note_parts(choice.note)) if kind == "expand" else (),
        )

    @cached_property
    def grown(self) -> list[str]:
        """The cities of this turn's growth, which a second press takes back."""
        if not self.may_undo:
            return []
        own = self.game.actions[self.table.turn_start :]
        return list(dict.fromkeys(action.where for action in own if action.kind in GROWING))

    def chosen(self, place: str) -> Target:
        """A city that grows, as a target that takes the growth back."""
        label = self.language.text("{place}: take back", place=place)
        return Target(place, None, "✓", label, {"back": place}, kind="grow", chosen=True, gain=self.scored_at(place))

    def scored_at(self, place: str) -> str:
        """What the player to move would score there at the end of the turn."""
        if self.ending is None:
            return ""
        here = (event for event in self.ending.events if event.where == place and event.kind in CITY_SCORES)
        gain = sum(event.amount for event in here if event.seat == self.seat.number)
        return f"+{gain}" if gain else ""

    @cached_property
    def opened(self) -> tuple[str, ...]:
        """The places that others have opened since the visitor's last turn."""
        if not self.mine or self.game.over:
            return ()
        turns = self.moment.log[self.since :]
        found = {
            event.where: None
            for turn in turns
            for event in turn.events
            if event.kind == EventKind.OPEN and event.seat not in self.mine
        }
        return tuple(place for place in found if place)

    # --- beside the board ---

    @cached_property
    def since(self) -> int:
        """The first turn after the visitor's last one, in the log."""
        return own_turn_end(self.moment.log, self.mine, None if self.game.over else self.game.current_player)

    @cached_property
    def news(self) -> list[NewsItem]:
        """What the others have done since the visitor's last turn; for spectators, the last round."""
        turns = self.moment.log[self.since if self.mine else -self.game.players :]
        current = self.game.current_player
        past = [turn for turn in turns if turn.seat != current or turn is not self.moment.log[-1] or self.game.over]
        return news(past[-NEWS:], self.game, self.language)

    @property
    def close(self) -> list[RegionLine]:
        """The regions closest to being scored."""
        return [region for region in self.moment.regions if not region.scored][:CLOSE]

    @cached_property
    def road(self) -> str:
        """The influence road."""
        tokens = tuple(
            Token(player["seat"], player["colour"], player["name"], player["influence"], player["seat"] in self.mine)
            for player in self.view["players"]
        )
        return road_svg(tokens, self.ending.gains if self.ending is not None and self.finishing else ())

    @property
    def standing(self) -> str:
        """Everybody's influence, in words."""
        return ", ".join(self.language.labelled(player.name, player.influence) for player in self.players)

    @cached_property
    def final(self) -> FinalScreen:
        """The end of the game, as the visitor sees it."""
        names = tuple(map(self.name_of, range(self.game.players)))
        return FinalScreen(self.table, self.game, self.moment, self.mine, self.playing, names, self.language)

    @cached_property
    def players(self) -> list[PlayerCard]:
        """The cards of the players."""
        clocks = times(self.table, self.now)
        counting = bool(self.mine) and not self.game.over
        if self.looking_back:
            gained = self.moment.gained
        else:
            gained = gains(self.moment.log[self.since :], self.game.players) if counting else [0] * self.game.players
        ahead = self.ending.gains if self.ending is not None and self.finishing else (0,) * self.game.players
        to_move = None if self.game.over or self.ended or self.table.undrawn else self.shown_seat
        special = self.view.get("special_tiles") or {}
        return [
            PlayerCard(
                seat=seat,
                colour=player["colour"],
                name=self.name_of(seat),
                you=seat in self.mine,
                says_you=seat in self.mine and not self.holds_all,
                active=seat == to_move,
                sitting=self.table.seats[seat],
                influence=player["influence"],
                gain=gained[seat],
                ghost=ahead[seat],
                cash=player["cash"],
                income=player["income"],
                income_text=income_text(self.game.players, player["empty_spaces"], player["income"], self.language),
                supply=player["supply"],
                towns=player["towns"],
                bonus_tiles=player["bonus_tiles"],
                tiles=tuple(
                    kind for kind, tile in special.items() if tile["owner"] == player["colour"] and not tile["used"]
                ),
                clock=self.table.clock.kind,
                left=None if left is None else round(left),
                vacation=round(clocks.vacation[seat] or 0),
                running=self.live and clocks.running == seat,
                profile=self.people.profiles.get(seat, ""),
                here=self.here(seat),
                rating=self.people.ratings.get(seat),
                rating_change=self.people.changes.get(seat),
            )
            for seat, (player, left) in enumerate(zip(self.view["players"], clocks.remaining, strict=True))
        ]

    def here(self, seat: int) -> str:
        """Whether somebody is online: "now", or when they were last seen, in words; "" where it does not matter."""
        if not self.people.several or self.table.seats[seat].kind == "bot":
            return ""
        if seat in self.people.online:
            return "now"
        return self.language.ago(self.people.seen[seat], self.now) if seat in self.people.seen else ""

    @cached_property
    def milestones(self) -> tuple[MilestoneLine, ...]:
        """The milestones in play, with the visitor's progress."""
        own = min(self.mine) if len(self.mine) == 1 else None
        colour = None if own is None else self.view["players"][own]["colour"]
        return tuple(
            MilestoneLine(
                id=row["id"],
                text=row["text"],
                claimed=tuple(row["claimed"]),
                beside=tuple(row["beside"]),
                got=colour in row["claimed"],
                wanted=WANTED[row["id"]] if own is not None else 0,
                had=0 if own is None else progress(self.view, own, row["id"]),
            )
            for row in self.view.get("milestones") or ()
        )

    @property
    def bonus_tiles_left(self) -> int | None:
        """The bonus tiles that milestones can still bring the visitor."""
        left: int | None = self.view["players"][min(self.mine)].get("reserve") if len(self.mine) == 1 else None
        return left

    @property
    def pips(self) -> tuple[str, ...]:
        """The region track: the regions scored, then empty spaces."""
        track = self.view["track"]
        return (*track, *[""] * (len(BOARD.region_track) - len(track)))

    def name_of(self, seat: int) -> str:
        """A player's name; "You" for a visitor without one."""
        nameless = not (self.game.names and self.game.names[seat])
        return self.language.text("You") if nameless and seat in self.mine else self.view["players"][seat]["name"]

    @cached_property
    def course(self) -> tuple[Shares, ...]:
        """The bands of the ribbon."""
        return self.latest.influence if self.review is None else chances(self.review)

    @property
    def ribbon(self) -> str:
        """The whole game at a glance, in a replay."""
        return ribbon_svg(self.course, self.game.colours, self.moves, self.last_move)

    @property
    def decades(self) -> tuple[tuple[int, float], ...]:
        """The first turn and every tenth, and where on the ribbon they begin, in percent."""
        begins = [turn.start for turn in self.latest.log if turn.number]
        return tuple(
            (turn, round(100 * begins[turn - 1] / max(1, self.last_move), 1))
            for turn in (1, *range(10, len(begins) + 1, 10))
            if begins
        )

    @property
    def chance(self) -> float | None:
        """The visitor's chance to win at the position that is shown, if a bot has judged it."""
        if self.review is None or len(self.mine) != 1:
            return None
        seen = [shares for shares in self.course if shares.move <= self.moves] or self.course[:1]
        return seen[-1].shares[min(self.mine)]


def note_parts(chips: Iterable[Chip]) -> Iterable[NotePart]:
    """Chips as a note on the map."""
    for chip in chips:
        if chip.text:
            yield NotePart(chip.text)
        if chip.gain:
            yield NotePart(chip.gain, chip.colour)
