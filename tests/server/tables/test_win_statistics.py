"""What wins at a server's tables: what counts, and how much work it may be."""

from typing import Any

import pytest

from franchise import Game
from franchise.server.tables import win_statistics as statistics
from franchise.server.tables.win_statistics import Findings
from server.running_servers import PATIENCE, ApiPlayer, InProcessServer

SHORTEST = ("start Huntsville", "start Ogallala", "done", "end", "done", "end")  # nobody does anything: both win


@pytest.fixture(autouse=True)
def patient_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, a visitor waits until all has been counted."""
    monkeypatch.setattr(statistics, "MOMENT_S", PATIENCE)


def finished() -> Game:
    game = Game(2, 1)
    for move in SHORTEST:
        game.play(move)
    return game


async def played(server: InProcessServer, **more: Any) -> ApiPlayer:
    table = await server.create("human", "human", **more)
    assert (await table.play(*SHORTEST))["over"]
    return table


async def test_games_played_here_to_their_end_count_and_no_others(server: InProcessServer) -> None:
    await played(server)
    await played(server, public=True)
    await (await server.create("human", "human")).play(*SHORTEST[:3])  # under way
    await server.create("human", "human", record=finished().to_text())  # somebody's record
    late = await server.create("human", "human", record=finished().at(5).to_text())
    await late.play("end")  # only the end was played here
    figures = await Findings(server.tables).current()
    assert (figures.games, figures.waiting, figures.turns) == (2, 0, 2)
    assert {row.name: (row.games, row.wins.value) for row in figures.starts} == {
        "Huntsville": (2, 0.5),
        "Ogallala": (2, 0.5),
    }
    assert [row.wins.value for row in figures.seats[2]] == [0.5, 0.5]
    assert (figures.first_player.wins.value, figures.first_player.fair) == (0.5, 0.5)


async def test_a_visitor_waits_for_a_moment_of_counting_at_most(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "MOMENT_S", 0.0)
    monkeypatch.setattr(statistics, "NEWEST", 2)

    for _ in range(3):
        await played(server)
    findings = Findings(server.tables)
    seen = [await findings.current() for _ in range(3)]
    assert [(figures.games, figures.waiting) for figures in seen] == [(1, 1), (2, 0), (2, 0)]


async def test_games_that_end_later_are_counted_when_they_are_looked_for_again(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings, seen = Findings(server.tables), []
    for pause in (statistics.AGAIN_S, statistics.AGAIN_S, 0.0):
        monkeypatch.setattr(statistics, "AGAIN_S", pause)
        await played(server)
        seen.append((await findings.current()).games)
    assert seen == [1, 1, 3]
