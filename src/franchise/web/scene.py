"""A table as one visitor sees it at one moment: everything the templates of the table show, and nothing they decide."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from franchise.drawing.layers import Target, ground_svg, pieces_svg
from franchise.drawing.targets import targets_svg
from franchise.engine.events import Event
from franchise.engine.layout import EventKind
from franchise.facts import BOARD, COLOURS
from franchise.game import Game
from franchise.insight.hint import Hint
from franchise.server.tables.clocks import times
from franchise.server.tables.table import Seat, Table
from franchise.server.thinking.hints import offered
from franchise.web.charts import ChartLines, courses
from franchise.web.rulebook import FOR_PHASE
from franchise.wording import advice, log
from franchise.wording.language import Language
from franchise.wording.prompt import PlaceChoice, Prompt, acting, waiting

Row = Mapping[str, Any]

PHASES = 5
FLOATING = {  # events that let a number float over the map, and what stands before it
    EventKind.MAJORITY: "",
    EventKind.FULL: "",
    EventKind.RANK: "",
    EventKind.TRACK: "",
    EventKind.DOLLARS: "$",
    EventKind.INCOME: "$",
}


def target_kind(spot: PlaceChoice) -> str:
    """What choosing a place does, as it is drawn."""
    verb = spot.choices[0].moves.split()[0]
    return {"grow": "grow", "double": "grow", "boom": "boom"}.get(verb, "expand")


def link_price(spot: PlaceChoice) -> int | None:
    """The price of the link by which a place is reached, where it is one link."""
    verb, *words = spot.choices[0].moves.partition(";")[0].split()
    return int(words[-1]) if verb in ("expand", "again") and words[-1].isdecimal() else None


@dataclass(frozen=True)
class Scene:
    """What to show. `game` is the game at the moment that is looked at."""

    table: Table
    game: Game
    version: int  # of the table, at that moment
    live: bool  # the newest moment, not an earlier one
    mine: frozenset[int]  # seats the visitor holds
    language: Language
    notice: str = ""  # why the last attempt did not work
    hint: Hint | None = None  # what a bot would do, for somebody who asked

    @cached_property
    def view(self) -> dict[str, Any]:
        view = self.game.view()
        for player in view["players"]:
            nameless = not (self.game.names and self.game.names[player["seat"]])
            you = nameless and player["seat"] in self.mine
            player["name"] = self.language.text("You") if you else self.language.player(player["seat"], self.game.names)
        return view

    @property
    def url(self) -> str:
        """Where the table lives."""
        return f"/t/{self.table.id}"

    @property
    def moves(self) -> int:
        """How many moves had been made at this moment."""
        return len(self.game.actions)

    @property
    def last_move(self) -> int:
        """How many have been made by now."""
        return len(self.table.game.actions)

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.table.seats[self.game.current_player]

    @property
    def acts(self) -> bool:
        """Whether the visitor is to move."""
        return self.live and not self.table.over and self.seat.number in self.mine

    @property
    def alone(self) -> bool:
        """Whether the visitor holds every seat and looks back: then a game that goes on may be analysed, too."""
        return not self.live and not self.table.rated and len(self.mine) == len(self.table.seats)

    @property
    def ended(self) -> bool:
        """Whether the game was ended before its end."""
        return self.live and self.table.ended_at is not None

    @property
    def away(self) -> bool:
        """Whether a bot plays for the visitor."""
        return self.live and not self.table.over and any(self.table.seats[seat].away for seat in self.mine)

    @property
    def may_undo(self) -> bool:
        return self.acts and self.table.may_undo(self.seat.number)

    @property
    def lesson(self) -> Any:
        """The lesson that goes on here, in the tutorial."""
        return None

    @cached_property
    def prompt(self) -> Prompt:
        return self.make_prompt()

    def make_prompt(self) -> Prompt:
        """What can be done now."""
        name = self.language.player(self.seat.number, self.game.names)
        if self.ended:
            late = self.language.text("{player} has run out of time.", player=name)
            return Prompt(self.language.text("The game was ended"), late, 0)
        if self.acts:
            return acting(self.game, name if len(self.mine) > 1 else None, self.language)
        if self.live and not self.game.over and self.seat.kind == "human" and not self.seat.taken:
            return Prompt(self.language.text("Waiting for somebody to sit down"), "", 0)
        return waiting(self.game, name, self.seat.kind == "bot", self.language)

    @property
    def may_ask(self) -> bool:
        """Whether a bot may be asked for a hint."""
        return self.acts and self.lesson is None and offered(self.table)

    @cached_property
    def advice(self) -> advice.Advice | None:
        """The hint in words."""
        return None if self.hint is None else advice.told(self.hint, self.game, self.prompt, self.language)

    @property
    def rule(self) -> str:
        """The section of the rules that explains the prompt."""
        return FOR_PHASE[self.game.phase]

    @property
    def elsewhere(self) -> list[str]:
        """The locations that cannot be chosen now."""
        spots = {spot.name for spot in self.prompt.spots if not spot.on_region}
        return sorted(place.name for place in BOARD.locations if place.name not in spots)

    # --- the board ---

    @property
    def ground(self) -> str:
        return ground_svg(self.game, self.language.words)

    @property
    def pieces(self) -> str:
        return pieces_svg(self.game, self.language.words)

    @property
    def targets(self) -> str:
        return targets_svg(
            self.game,
            [
                Target(
                    place=None if spot.on_region else spot.name,
                    region=spot.name if spot.on_region else None,
                    price=spot.badge,
                    label=spot.label,
                    hinted=self.advice is not None and self.advice.place == spot.name,
                    data={"spot": str(number)},
                    kind=target_kind(spot),
                    link=link_price(spot),
                )
                for number, spot in enumerate(self.prompt.spots)
            ],
            self.language.words,
        )

    # --- what happened last ---

    @cached_property
    def last_events(self) -> list[Event]:
        """What the last move did."""
        if not self.game.actions:
            return []
        before = self.game.at(self.moves - 1)
        return before.play(self.game.actions[-1])

    @property
    def spoken(self) -> str:
        """The last move for a screen reader."""
        return " ".join(self.language.sentence(event, self.game.names) for event in self.last_events)

    @property
    def floats(self) -> list[dict[str, Any]]:
        """Numbers to float: where, how much, whose."""
        sums: dict[tuple[str | None, int, str], int] = {}
        for event in self.last_events:
            unit = FLOATING.get(event.kind)
            if unit is not None and event.amount:
                spot = (event.where, event.seat, unit)
                sums[spot] = sums.get(spot, 0) + event.amount
        return [
            {
                "place": place,
                "text": "+" + (self.language.money(amount) if unit else str(amount)),
                "colour": COLOURS[seat],
                "seat": seat,
            }
            for (place, seat, unit), amount in sums.items()
        ]

    @property
    def touched(self) -> list[str]:
        """The places the last move was about."""
        places = (log.place_of(event) for event in self.last_events)
        return list(dict.fromkeys(place for place in places if place))

    @cached_property
    def log(self) -> tuple[log.LoggedTurn, ...]:
        return log.turns(self.table.id, self.game, self.language)

    # --- beside the board ---

    @property
    def players(self) -> list[dict[str, Any]]:
        """The cards of the players."""
        clocks = times(self.table, datetime.now(UTC))
        return [
            dict(
                player,
                left=clocks.remaining[player["seat"]],
                vacation=clocks.vacation[player["seat"]],
                running=self.live and clocks.running == player["seat"],
                you=player["seat"] in self.mine,
                seat_=self.table.seats[player["seat"]],
                active=player["seat"] == self.game.current_player and not self.game.over and not self.ended,
                income_text=self.income_text(player),
            )
            for player in self.view["players"]
        ]

    def income_text(self, player: Row) -> str:
        """How the next income comes about (RULES 2.1, 2.2)."""
        chart = BOARD.income[self.game.players]
        spaces = player["empty_spaces"]
        said = self.language.plural(
            "{count} empty space in your unscored cities pays {income}",
            "{count} empty spaces in your unscored cities pay {income}",
            spaces,
            income=self.language.money(player["income"]),
        )
        following = next((first for first in chart if first > spaces), None)
        if following is None:
            return said + ". " + self.language.text("That is the most there is.")
        return said + ". " + self.language.text("The next dollar comes at {count}.", count=following)

    @property
    def regions(self) -> list[dict[str, Any]]:
        """The regions in play, unscored first."""
        rows = [
            dict(row, name=name, standing=sorted(row["franchises"].items(), key=lambda one: -one[1]))
            for name, row in self.view["regions"].items()
            if not row["blocked"]
        ]
        return sorted(rows, key=lambda row: (row["scored"], len(row["missing"]), row["name"]))

    @property
    def courses(self) -> tuple[ChartLines, ...]:
        return courses(self.game)

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """The final standing with where the influence comes from."""
        result = self.game.result()
        rows = [
            dict(player, score=result.scores[seat], won=seat in result.winners, parts=result.breakdown[seat])
            for seat, player in enumerate(self.view["players"])
        ]
        return sorted(rows, key=lambda row: (-row["score"], not row["won"]))
