"""The parts of a table's page that a move sends: what changed, and nothing else."""

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from franchise.drawing.layers import pieces_svg
from franchise.drawing.places import drawn_place
from franchise.engine.layout import EventKind
from franchise.engine.setups import Options
from franchise.game import Game
from franchise.insight.turn_bounds import turn_starts
from franchise.server.tables.table import Clock, Seat, Table
from franchise.web import table_parts
from franchise.web.scene import Scene
from franchise.web.table_parts import LAYERS, Parts
from franchise.web.templating import elements
from franchise.web.visitor import Visitor
from franchise.wording.ending import outcome
from franchise.wording.language import LANGUAGES, language
from recorded_games import GAMES
from recorded_games import game as recorded

AT = datetime(2026, 1, 1, tzinfo=UTC)
NOBODY = Visitor(None, "", language("en"), "auto")


def scene(game: Game, seat: int, code: str = "en", name: str = "parts") -> Scene:
    """A table of people as one of them sees it after the moves of a game."""
    moves = len(game.actions)
    seats = tuple(Seat(number, "human", "", None, True) for number in range(game.players))
    table = Table(name, moves, game, seats, False, Clock(), AT, AT, 0, turn_starts(game))
    return Scene(table, game, moves, True, frozenset([seat]), language(code))


def positions(players: int, options: Options | None, moves: int) -> Iterator[tuple[Game, Game]]:
    """A game before and after each of its last moves."""
    game, chance = Game(players, 5, options), random.Random(5)
    while not game.over:
        game.play(chance.choice(game.legal_actions()))
    count = len(game.actions)
    for number in range(max(1, count - moves), count + 1):
        yield game.at(number - 1), game.at(number)


def shown_in(markup: str) -> str:
    found = re.search(r'data-shown="(\w+)"', markup)
    assert found is not None
    return found[1]


def groups(parts: Parts) -> dict[str, str]:
    """The elements of all parts that are sent one by one, by their ids."""
    pieces = (piece for part in parts.values() for piece in part if not isinstance(piece, str))
    return {key: group for piece in pieces for key, group in piece.items()}


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, None), (4, Options(milestones=True, boom=True, regions="mixed"))],
    ids=["two", "four with all modules"],
)
def test_a_move_sends_the_parts_that_changed_and_no_other(players: int, options: Options | None) -> None:
    for before, after in positions(players, options, 30):
        for seat in (after.current_player, (after.current_player + 1) % players):
            shown = shown_in(table_parts.changes(NOBODY, scene(before, seat), ""))
            sent = table_parts.changes(NOBODY, scene(after, seat), shown)
            _, old = table_parts.draw(NOBODY, scene(before, seat))
            _, new = table_parts.draw(NOBODY, scene(after, seat))
            changed = {name for name in new if old[name] != new[name]}
            expected = {"status"} | {"board" if name in LAYERS else name for name in changed}
            assert set(re.findall(r'<hx-partial hx-target="#(\w+)"', sent)) == expected
            had = groups(old)
            resent = [key for key, group in groups(new).items() if had.get(key) == group and group in sent]
            assert resent == []


def test_what_a_page_shows_already_is_not_sent_again() -> None:
    game = Game(2, 3)
    markup = table_parts.changes(NOBODY, scene(game, 0), "")
    again = table_parts.changes(NOBODY, scene(game, 0), shown_in(markup))
    assert re.findall(r'<hx-partial hx-target="#(\w+)"', again) == ["status"]
    assert shown_in(again) == shown_in(markup)


def test_cards_and_places_that_a_move_leaves_alone_are_not_drawn_again() -> None:
    for before, after in positions(3, None, 20):
        if after.over:
            break  # the final screen has a small map of its own
        _, old = table_parts.draw(NOBODY, scene(before, 0))
        drawn = [kept.cache_info().misses for kept in (elements(language("en")).player, drawn_place)]
        _, new = table_parts.draw(NOBODY, scene(after, 0))
        had = groups(old)
        changed = [key for key, group in groups(new).items() if had.get(key) != group]
        cards, places = (sum(key.startswith(kind) for key in changed) for kind in ("player-", "place-"))
        assert elements(language("en")).player.cache_info().misses - drawn[0] <= cards
        assert drawn_place.cache_info().misses - drawn[1] <= places


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, None), (3, Options(expert="draft")), (5, Options(milestones=True, boom=True, regions="mixed"))],
    ids=["two", "three with a draft", "five with all modules"],
)
@pytest.mark.parametrize("cut", ["L", "S"])
def test_the_map_shows_every_move_however_it_was_before(players: int, options: Options | None, cut: str) -> None:
    """Pages are drawn from what others have been shown last: earlier, later or much earlier positions."""
    game, chance = Game(players, 9, options), random.Random(9)
    while not game.over:
        game.play(chance.choice(game.legal_actions()))
    moves = list(range(len(game.actions) + 1))
    for number in (*moves, *chance.sample(moves, 20)):
        shown = scene(game.at(number), 0)
        drawn = table_parts.joined(shown.moment.pieces(cut, shown.opened))
        assert drawn == pieces_svg(shown.moment, shown.language.words, cut, shown.opened)


@pytest.mark.parametrize("code", LANGUAGES)
def test_parts_are_drawn_in_each_language(code: str) -> None:
    words = language(code)
    game = Game(2, 3)
    for title, seat in (("Undo", game.current_player), ("Skip this turn", 1 - game.current_player)):
        markup = table_parts.changes(NOBODY, scene(game, seat, code), "")
        assert f">{words.text(title)}<" in markup


@pytest.mark.parametrize("name", sorted(path.stem for path in GAMES.glob("*.franchise")))
def test_the_end_of_a_game_is_shown_to_everybody_who_played(name: str) -> None:
    game = recorded(name)
    for seat in range(game.players):
        _, parts = table_parts.draw(NOBODY, scene(game, seat))
        assert 'class="margin"' in table_parts.joined(parts["after"])


def test_where_scores_tie_the_final_screen_says_that_towns_decide() -> None:
    game = recorded("towns-decide-4")
    result = game.result()
    (winner,) = result.winners
    second = next(seat for seat, score in enumerate(result.scores) if seat != winner and score == result.scores[winner])
    tied = f"{result.scores[winner]} to {result.scores[winner]}: more towns decide"
    assert scene(game, winner).final.margin == f"{tied}, after {game.turn} turns"
    assert scene(game, second).final.margin == f"{tied}, after {game.turn} turns. You take second place."
    assert next(iter(outcome(game, winner, language("en")))).text == "You win by more towns"
    assert next(iter(outcome(game, second, language("en")))).text == "Blue wins by more towns"


def test_who_shares_a_win_is_first_and_the_next_player_third() -> None:
    game = recorded("shared-3")
    shown = scene(game, 0)
    assert shown.table.winners == (0, 1)
    assert [(row["seat"], row["rank"]) for row in shown.final.ranking] == [(0, 1), (1, 1), (2, 3)]
    _, parts = table_parts.draw(NOBODY, shown)
    assert re.findall(r'class="rank">(\d)<', table_parts.joined(parts["after"])) == ["1", "1", "3"]


def lines(markup: str) -> list[str]:
    """What the items of a list say."""
    items = re.findall(r"<li\b.*?</li>", markup, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", item).split()) for item in items]


@pytest.mark.parametrize("name", ["base-5", "shared-3"])
def test_of_a_game_that_is_over_the_news_tells_the_result(name: str) -> None:
    shown = scene(recorded(name), 0)
    news = table_parts.joined(table_parts.draw(NOBODY, shown)[1]["news"])
    assert "Close to scoring" not in news
    assert "Since your last turn" not in news
    assert shown.final.verdict in news
    ranking = lines(news)[: len(shown.final.ranking)]
    assert [int(line.rsplit(maxsplit=1)[1]) for line in ranking] == [row["score"] for row in shown.final.ranking]
    for row, line in zip(shown.final.ranking, ranking, strict=True):
        assert row["name"] in line
        assert f"Regions {row['parts']['regions']}" in line


def test_before_the_first_turn_no_region_is_called_close_to_scoring() -> None:
    game = recorded("base-3")
    first = next(moves for moves in range(len(game.actions)) if game.at(moves).turn)
    start, later = (scene(game.at(moves), 0, name="beginning") for moves in (0, first))
    news = table_parts.joined(table_parts.draw(NOBODY, start)[1]["news"])
    assert "Close to scoring" not in news
    assert "Smallest regions" in news
    for region, line in zip(start.close, lines(news)[-len(start.close) :], strict=True):
        assert region.worth
        assert line == f"{len(region.missing)} {region.name} {' · '.join(map(str, region.worth))}"
    news = table_parts.joined(table_parts.draw(NOBODY, later)[1]["news"])
    assert "Close to scoring" in news
    assert "Smallest regions" not in news


def test_before_the_last_turn_ends_its_regions_are_counted_rank_by_rank() -> None:
    game = recorded("base-5")
    shown = scene(game.at(len(game.actions) - 1), game.at(len(game.actions) - 1).current_player)
    assert shown.ends
    news = table_parts.joined(table_parts.draw(NOBODY, shown)[1]["news"])
    told, rank = iter(lines(news)), 0
    for event in shown.game.copy().play(game.actions[-1]):
        if event.kind == EventKind.REGION:
            assert next(told) == f"✓ {event.where}"
            rank = 0
        elif event.kind == EventKind.RANK and event.amount:
            rank += 1
            colour = game.colours[event.seat]
            name = shown.language.player(event.seat, game)
            assert next(told) == f"{rank} {name} {colour} +{event.amount}"
        elif event.kind in (EventKind.MAJORITY, EventKind.FULL, EventKind.TRACK) and event.amount:
            assert next(told).endswith(f"+{event.amount}")
    assert rank > 1, "a region is scored in that turn"
