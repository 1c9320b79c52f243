"""Writes the finished games of this folder: run `python tests/games/make.py [NAME ...]` from the project's root.

Every game is random but repeatable: its seed decides the set-up and the moves. A game that is to show something rare
is the first one from its seed on that does, so the folder can be made anew after a change of the rules; the files are
then to be looked at and committed by hand. tests/engine/test_games.py replays them and checks what they cover together.

Made anew since: everything-4 and red-zone-5, when players began to choose the order of regions (RULES 8.8).
"""

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from franchise import Action, Event, Game, Options
from franchise.engine.layout import EventKind, Kind
from franchise.engine.setups import NEW_TILES, PRINTED_TILES
from franchise.facts import BOARD

FOLDER = Path(__file__).parent
LAZY = 0.4  # how often `done` and `end` are among the moves to choose from while there are others
SEARCH = 5000  # games tried before giving up
ARRANGED = {"Chicago": 8, "New York": 7, "Denver": 6, "Washington": 4, "Minneapolis": 3, "Charlotte": 2}
SWAPPED = {"Texas": "Florida", "Florida": "Texas", "Central": "Grand Canyon", "Grand Canyon": "Central"}
BASE = Options()
EVERYTHING = Options(expert="draft", milestones=True, boom=True, regions="new")

History = list[tuple[Action, list[Event]]]
Wanted = Callable[[Game, History], bool]


# --- What a game can show ---------------------------------------------------------------------------------------------


def moves(*kinds: Kind) -> Wanted:
    """Moves of each of the kinds."""
    return lambda game, history: set(kinds) <= {action.kind for action, _ in history}


def events(*kinds: EventKind) -> Wanted:
    """Events of each of the kinds."""
    return lambda game, history: set(kinds) <= {event.kind for _, happened in history for event in happened}


def milestones(letters: str) -> Wanted:
    """Those milestones, each claimed by somebody."""
    return lambda game, history: set(letters) <= set(claims(history))


def claims(history: History) -> list[str]:
    """The milestones claimed, in order."""
    return [event.where or "" for _, happened in history for event in happened if event.kind == EventKind.MILESTONE]


def claimed_in_the_turn_of_another(game: Game, history: History) -> bool:
    """A milestone claimed by a seat that was not active."""
    for _, happened in history:
        opened = {event.seat for event in happened if event.kind == EventKind.OPEN}
        claimed = {event.seat for event in happened if event.kind == EventKind.MILESTONE}
        if opened and claimed - opened:
            return True
    return False


def regions_in_the_last_turn(number: int) -> Wanted:
    """The red zone is reached by that many regions at once."""

    def shown(game: Game, history: History) -> bool:
        kinds = [event.kind for event in history[-1][1]]
        return kinds.count(EventKind.REGION) >= number and EventKind.RED_ZONE in kinds

    return shown


def shared_victory(game: Game, history: History) -> bool:
    """Nobody has more influence than another, nor more towns."""
    return len(game.result().winners) > 1


def towns_decide(game: Game, history: History) -> bool:
    """Most influence is held by several, and only one of them has most towns."""
    result = game.result()
    return result.scores.count(max(result.scores)) > 1 and len(result.winners) == 1


def count_tile_pays_nothing(game: Game, history: History) -> bool:
    """A rank of a count tile that would be below 0."""
    kinds = {name: data["kind"] for name, data in game.view()["regions"].items()}
    ranks = [event for _, happened in history for event in happened if event.kind == EventKind.RANK]
    return any(kinds[event.where] == "count" and event.amount == 0 for event in ranks)


def order_of_regions(game: Game, history: History) -> bool:
    """A player chooses a region that is not the first in board order, and the game goes on."""
    walk = game.at(0)
    for action, _ in history:
        chosen = action.kind == Kind.SCORE and action != walk.legal_actions()[0]
        walk.play(action)
        if chosen and not walk.over:
            return True
    return False


def boom_beside_a_scored_city(game: Game, history: History) -> bool:
    """The marker is put where it helps nobody."""
    walk = game.at(0)
    for action, _ in history:
        if action.kind == Kind.BOOM and walk.view()["locations"][action.where]["scored"]:
            return True
        walk.play(action)
    return False


# --- The games --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One file of the folder."""

    name: str
    players: int
    options: Options = BASE
    seed: int = 1
    shows: Wanted = lambda game, history: True
    names: Sequence[str] = ()

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.franchise"

    def play(self, seed: int) -> Game:
        """The random game of a seed."""
        rng = random.Random(seed)
        game = Game(self.players, seed, self.options, names=self.names)
        while not game.over:
            legal = game.legal_actions()
            others = [action for action in legal if action.kind not in (Kind.DONE, Kind.END)]
            game.play(rng.choice(others if others and rng.random() > LAZY else legal))
        return game

    def find(self) -> tuple[int, Game]:
        """The first game from the seed on that shows what is wanted, and its seed."""
        for seed in range(self.seed, self.seed + SEARCH):
            game = self.play(seed)
            if self.shows(game, game.history()):
                return seed, game
        raise LookupError(f"{self.name}: none of {SEARCH} games from seed {self.seed} on shows what is wanted")


def chosen(seed: int) -> tuple[str, ...]:
    """Ten tiles a table could have chosen, with every special kind among them."""
    special = ("N11", "N14", "N16", "N19", "N20")
    others = [tile for tile in PRINTED_TILES + NEW_TILES if tile not in special]
    return (*special, *random.Random(seed).sample(others, 5))


SPECIAL = tuple(tile.id for tile in BOARD.tiles if tile.kind != "plain")  # there are ten
ENTRIES = (
    Entry("base-2", 2, names=("Westward Diners", "Café № 7 #2")),
    Entry("base-3", 3),
    Entry("base-4", 4, names=("Ann", "Bob", "", "Dora")),
    Entry("base-5", 5),
    Entry("introductory-2", 2, Options(introductory=True)),
    Entry("introductory-3", 3, Options(introductory=True)),
    Entry("introductory-5", 5, Options(introductory=True)),
    Entry("draft-2", 2, Options(expert="draft")),
    Entry("draft-4", 4, Options(expert="draft")),
    Entry("random-3", 3, Options(expert="random")),
    Entry("random-5", 5, Options(expert="random")),
    Entry("arranged-3", 3, Options(expert="arranged", city_tiles=ARRANGED, region_tiles=SWAPPED)),
    Entry("arranged-4", 4, Options(expert="arranged", city_tiles=ARRANGED, region_tiles=SWAPPED)),
    Entry("milestones-2", 2, Options(milestones=True), 1, milestones("abc")),
    Entry("milestones-3", 3, Options(milestones=True), 2, milestones("def")),
    Entry("milestones-4", 4, Options(milestones=True), 6, milestones("g")),
    Entry("milestones-5", 5, Options(milestones=True), 1, claimed_in_the_turn_of_another),
    Entry("boom-2", 2, Options(boom=True), 1, moves(Kind.BOOM, Kind.STAY)),
    Entry("boom-5", 5, Options(boom=True), 1, moves(Kind.BOOM, Kind.STAY)),
    Entry("mixed-3", 3, Options(regions="mixed")),
    Entry("mixed-4", 4, Options(regions="mixed")),
    Entry("new-2", 2, Options(regions="new"), 3, events(EventKind.DOLLARS)),
    Entry("new-5", 5, Options(regions="new"), 1, events(EventKind.DOLLARS, EventKind.BONUS_BACK)),
    Entry("chosen-3", 3, Options(regions="chosen", chosen_tiles=chosen(3)), 13, moves(Kind.DOUBLE)),
    Entry("chosen-4", 4, Options(regions="chosen", chosen_tiles=chosen(4)), 1, count_tile_pays_nothing),
    Entry("far-4", 4, Options(regions="chosen", chosen_tiles=chosen(5)), 33, moves(Kind.FAR, Kind.AGAIN, Kind.DOUBLE)),
    Entry("far-5", 5, Options(regions="new", milestones=True), 1, moves(Kind.FAR)),
    Entry("free-4", 4, Options(regions="new"), 11, moves(Kind.EXPAND_FREE)),
    Entry("again-free-5", 5, Options(regions="new"), 997, moves(Kind.AGAIN_FREE)),
    Entry("far-free-3", 3, Options(regions="chosen", chosen_tiles=SPECIAL), 1436, moves(Kind.FAR_FREE)),
    Entry("score-4", 4, Options(regions="chosen", chosen_tiles=SPECIAL), 1, order_of_regions),
    Entry("boom-3", 3, Options(boom=True), 1, boom_beside_a_scored_city),
    Entry("eight-mark-4", 4, Options(milestones=True), 1, events(EventKind.EIGHT_MARK)),
    Entry("red-zone-4", 4, BASE, 5, regions_in_the_last_turn(2)),
    Entry("red-zone-5", 5, Options(regions="mixed"), 46, regions_in_the_last_turn(3)),
    Entry("standstill-2", 2, BASE, 4, events(EventKind.STANDSTILL, EventKind.REGION)),
    Entry("standstill-5", 5, Options(boom=True), 44, events(EventKind.STANDSTILL, EventKind.REGION)),
    Entry("shared-3", 3, BASE, 138, shared_victory),
    Entry("towns-decide-4", 4, BASE, 43, towns_decide),
    Entry("everything-2", 2, EVERYTHING),
    Entry("everything-3", 3, EVERYTHING),
    Entry("everything-4", 4, Options(introductory=True, expert="random", milestones=True, boom=True, regions="mixed")),
    Entry("everything-5", 5, EVERYTHING, 106, moves(Kind.EXPAND_FREE, Kind.FAR)),
)


def main() -> None:
    """Write every file, or those that are named, and say from which seed on its game was searched and found."""
    for entry in ENTRIES:
        if sys.argv[1:] and entry.name not in sys.argv[1:]:
            continue
        seed, game = entry.find()
        entry.path.write_text(game.to_text(), encoding="utf-8")
        print(f"{entry.path.name}: seed {seed}, {len(game.actions)} moves, {game.result().scores}")


if __name__ == "__main__":
    main()
