"""The final screen: who has won and by how much, what decided it, and everybody's result with its sources."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from franchise.game import Game
from franchise.server.tables.table import Table
from franchise.web.charts import ChartLines, courses
from franchise.web.moment import SharedMoment
from franchise.wording.decisive_facts import Fact, facts
from franchise.wording.language import N_, Language
from franchise.wording.prompt import verdict

RANKS = {2: N_("second place"), 3: N_("third place"), 4: N_("fourth place"), 5: N_("fifth place")}


@dataclass(frozen=True)
class FinalScreen:
    """The end of a game, as one visitor sees it."""

    table: Table
    game: Game  # at the position that is shown: its end, except for `verdict`
    moment: SharedMoment  # the same, as everybody sees it
    mine: frozenset[int]  # seats the visitor holds
    playing: bool  # the visitor has a seat and has not resigned
    names: tuple[str, ...]  # of the players, as the visitor sees them
    language: Language

    @property
    def courses(self) -> tuple[ChartLines, ...]:
        return courses(self.game)

    @cached_property
    def facts(self) -> list[Fact]:
        """What decided the game, or how it went for the visitor."""
        return facts(self.game, self.moment.log, self.subject, self.language)

    @property
    def subject(self) -> int:
        """The seat that the final screen is about: the visitor's, else the winner's."""
        winners = self.table.winners
        mine = [seat for seat in winners if seat in self.mine] or sorted(self.mine)
        return mine[0] if mine else winners[0]

    @property
    def verdict(self) -> str:
        """Who has won, as a headline."""
        return verdict(self.table.game, self.language, self.table.winners)

    @property
    def margin(self) -> str:
        """The margin, the visitor's result, and how long the game took."""
        ranking, language = self.ranking, self.language
        scores = [row["score"] for row in ranking if not row["resigned"]]
        turns = language.plural("after {count} turn", "after {count} turns", self.moment.data["turn"])
        if len(self.table.winners) > 1:
            return language.text("{score} each, {turns}", score=scores[0], turns=turns)
        score = language.text("{first} to {second}", first=scores[0], second=scores[1])
        if scores[0] == scores[1]:
            by = language.text("more towns decide")
        else:
            by = language.plural("by a single point", "by {count} points", scores[0] - scores[1])
        if len(self.mine) == 1 and self.playing and not self.won:
            own = next(row for row in ranking if row["seat"] in self.mine)
            place = RANKS[own["rank"]]
            rank = language.text(place)
            behind = scores[0] - own["score"]
            if not behind:
                ended = language.text("You take {rank}.", rank=rank)
                return f"{language.labelled(score, by)}, {turns}. {ended}"
            ended = language.plural(
                "You take {rank}, {count} point behind.", "You take {rank}, {count} points behind.", behind, rank=rank
            )
            return f"{score}, {turns}. {ended}"
        return f"{language.labelled(score, by)}, {turns}"

    @property
    def won(self) -> bool:
        """Whether the visitor has won, alone or with others."""
        return bool(self.mine & set(self.table.winners))

    @cached_property
    def ranking(self) -> list[dict[str, Any]]:
        """The final standing with where the influence comes from."""
        result = self.game.result()
        rows = [
            dict(
                player,
                name=self.names[seat],
                score=result.scores[seat],
                won=seat in self.table.winners,
                resigned=self.table.seats[seat].resigned,
                parts=result.breakdown[seat],
            )
            for seat, player in enumerate(self.moment.data["players"])
        ]
        for row in rows:
            row["rank"] = 1 + sum(standing(other) < standing(row) for other in rows)
        return sorted(rows, key=standing)


def standing(row: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """The order of a final standing: whoever resigned comes last, the winner first even where scores tie."""
    return row["resigned"], not row["won"], -row["score"]
