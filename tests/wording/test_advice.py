"""Hints: what they say is so, in every language."""

import random

import pytest

from franchise import Action, Game, Options
from franchise.engine.layout import EventKind, Kind
from franchise.facts import BOARD, COLOURS
from franchise.insight.hint import Hint
from franchise.insight.turn_effects import Effect, EffectKind, effects
from franchise.wording.advice import clause, steps, why
from franchise.wording.language import LANGUAGES, language

LINKS = [(*link.ends, link.price) for link in BOARD.links]


def some_turn(game: Game, chance: random.Random) -> list[str]:
    """A turn of the player to move, busier than chance alone would have it."""
    walk, turn = game.copy(), []
    began = (game.turn, game.current_player)
    while not walk.over and (walk.turn, walk.current_player) == began:
        moves = walk.legal_actions()
        busy = [move for move in moves if move.kind not in (Kind.DONE, Kind.END, Kind.STAY)]
        turn.append(str(chance.choice(busy if busy and chance.random() < 0.6 else moves)))
        walk.play(turn[-1])
    return turn


class Witness:
    """The turn played with nothing but Game.play and its view: what it did, beside doing nothing."""

    def __init__(self, game: Game, turn: list[str]) -> None:
        self.game, self.turn, self.seat = game, turn, game.current_player
        self.colour = COLOURS[self.seat]
        self.after, self.events = self.play(turn)
        self.idle, _ = self.play([])
        self.now, self.then = self.after.view(), self.idle.view()

    def play(self, turn: list[str]) -> tuple[Game, list[tuple[EventKind, int, str | None, int]]]:
        walk, sentences = self.game.copy(), []
        moves = iter(turn)
        while not walk.over and (walk.turn, walk.current_player) == (self.game.turn, self.seat):
            idle = {"boom": "stay", "expand": "done", "grow": "end"}.get(walk.phase, "")
            move = next(moves, idle)
            if not move:  # a starting town has to be chosen
                break
            for event in walk.play(move):
                if event.kind == EventKind.TURN:
                    break
                sentences.append((event.kind, event.seat, event.where, event.amount))
        return walk, sentences

    def gained(self, place: str, *kinds: EventKind) -> int:
        return sum(n for kind, seat, where, n in self.events if kind in kinds and seat == self.seat and where == place)

    def near(self, game: Game) -> set[str]:
        """Places a link leads to from one of the seat's that still take its franchise."""
        places = game.view()["locations"]
        held = {name for name, place in places.items() if self.colour in place["spaces"]}
        linked = {
            other
            for source, two, _ in LINKS
            for mine, other in ((source, two), (two, source))
            if self.name(mine) in held
        }
        return {
            name
            for name in map(self.name, linked)
            if name not in held
            and not places[name]["blocked"]
            and not places[name]["scored"]
            and None in places[name]["spaces"]
        }

    @staticmethod
    def name(place: int) -> str:
        return BOARD.locations[place].name

    def most(self, counts: dict[str, int]) -> bool:
        mine = counts.get(self.colour, 0)
        return mine > 1 and all(mine > counts.get(other, 0) for other in COLOURS if other != self.colour)

    def share(self, view: dict[str, object], city: str) -> dict[str, int]:
        spaces = view["locations"][city]["spaces"]  # type: ignore[index]
        return {colour: spaces.count(colour) for colour in COLOURS}

    def confirms(self, effect: Effect) -> bool:
        place, amount, before = effect.place, effect.amount, effect.before
        own, was = self.now["players"][self.seat], self.then["players"][self.seat]
        match effect.kind:
            case EffectKind.WIN:
                return self.after.over and self.seat in self.after.result().winners
            case EffectKind.REGION:
                done = self.now["regions"][place]["scored"] and not self.game.view()["regions"][place]["scored"]
                return done and amount == self.gained(place, EventKind.RANK, EventKind.TRACK) > 0
            case EffectKind.CITY:
                return amount == self.gained(place, EventKind.MAJORITY, EventKind.FULL)
            case EffectKind.MILESTONE:
                return any(kind == EventKind.MILESTONE and seat == self.seat for kind, seat, _, _ in self.events)
            case EffectKind.PAID:
                _, sentences = self.play(["stay"])
                paid = [n for kind, _, _, n in self.events if kind == EventKind.INCOME]
                return paid == [amount] and [n for kind, _, _, n in sentences if kind == EventKind.INCOME] == [before]
            case EffectKind.LEAD:
                rows = [view["regions"][place]["franchises"] for view in (self.now, self.then)]
                return self.most(rows[0]) and not self.most(rows[1]) and not self.now["regions"][place]["scored"]
            case EffectKind.RACE:
                open_now = not self.now["locations"][place]["scored"]
                return (
                    open_now and self.most(self.share(self.now, place)) and not self.most(self.share(self.then, place))
                )
            case EffectKind.INCOME | EffectKind.COST:
                rises = own["income"] > was["income"]
                return (own["income"], was["income"], rises) == (amount, before, effect.kind == EffectKind.INCOME)
            case EffectKind.REACH:
                return amount == len(self.near(self.after) - self.near(self.idle))
            case EffectKind.SPACES:
                return amount == own["empty_spaces"] - was["empty_spaces"] > 0
            case EffectKind.TOWN:
                here = self.now["locations"][place]
                return here["kind"] == "town" and here["spaces"] == [self.colour]
            case EffectKind.START:
                prices = [
                    price
                    for source, two, price in LINKS
                    for mine, other in ((source, two), (two, source))
                    if self.name(mine) == place and self.name(other) in self.near(self.after)
                ]
                return (amount, before) == (len(self.near(self.after)), min(prices))
            case EffectKind.SAVED:
                return amount == own["cash"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, Options()),
        (3, Options(milestones=True, boom=True)),
        (4, Options(introductory=True)),
        (5, Options(boom=True, milestones=True, regions="new")),
    ],
    ids=["base", "modules", "introductory", "everything"],
)
def test_every_clause_of_a_hint_is_true_over_random_games(players: int, options: Options) -> None:
    chance = random.Random(players)
    seen: set[EffectKind] = set()
    for seed in range(3):
        game = Game(players, seed=seed, options=options)
        while not game.over:
            turn = some_turn(game, chance)
            if game.turn or game.phase == "start":
                found = effects(game, parsed(game, turn))
                witness = Witness(game, turn)
                for effect in found:
                    assert witness.confirms(effect), (
                        f"{effect} of {turn} after {len(game.actions)} moves of seed {seed}"
                    )
                seen |= {effect.kind for effect in found}
                said(game, turn, found)
            for move in turn:
                game.play(move)
    assert {
        EffectKind.CITY,
        EffectKind.REGION,
        EffectKind.LEAD,
        EffectKind.RACE,
        EffectKind.INCOME,
        EffectKind.COST,
        EffectKind.REACH,
        EffectKind.SAVED,
    } <= seen


def parsed(game: Game, turn: list[str]) -> list[Action]:
    """The moves of a turn as actions."""
    walk = game.copy()
    for move in turn:
        walk.play(move)
    return list(walk.actions[len(game.actions) :])


def said(game: Game, turn: list[str], found: tuple[Effect, ...]) -> None:
    """In every language the sentence names what the facts name, and each language says it in its own words."""
    actions = parsed(game, turn)
    whys = set()
    for code in LANGUAGES:
        words = language(code)
        for effect in found:
            text = clause(effect, words)
            assert "{" not in text
            assert effect.place in text
            for number in filter(None, (effect.amount, effect.before)):
                assert str(number) in text
        sentence = why(Hint(tuple(actions), found), words)
        assert sentence.endswith(".")
        assert not sentence[0].islower()
        assert len(steps(actions, words)) >= 1
        whys.add(sentence)
    assert len(whys) == len(LANGUAGES)
