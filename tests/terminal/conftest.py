"""A table on a screen of any size, driven by keys and mouse."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from franchise.bots import make
from franchise.game import Game
from franchise.terminal.local_table import LocalTable, TerminalTable
from franchise.terminal.screen import TableApp
from franchise.wording.language import language
from waiting import PATIENCE

QUEUES = 8  # of messages between the widget that has the focus and the app, at most


class Seat:
    """Somebody before the screen."""

    def __init__(self, app: TableApp, pilot: Pilot[Any]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def game(self) -> Game:
        return self.app.table.game

    async def press(self, *keys: str) -> None:
        """Press keys, until each queue has passed on what they mean: a pause alone ends when the machine is busy."""
        await self.pilot.press(*keys)
        for _ in range(QUEUES):
            await self.pilot._wait_for_screen(PATIENCE)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        await self.press(*("space" if letter == " " else "full_stop" if letter == "." else letter for letter in text))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for somebody else, but not for ever."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self.pilot.pause(0.01)

    @property
    def text(self) -> str:
        """What stands on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    @property
    def prompt(self) -> str:
        """The sentence beside the players, whose rows stand between its own."""
        place = self.app.panel("prompt").region
        rows = self.text.splitlines()[place.y : place.bottom]
        return " ".join(" ".join(row[place.x : place.right] for row in rows).split())


@asynccontextmanager
async def seated(table: TerminalTable, size: tuple[int, int], theme: str = "dark", **more: Any) -> AsyncIterator[Seat]:
    app = TableApp(table, theme, **more)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Seat(app, pilot)


@pytest.fixture
def play() -> Callable[..., AbstractAsyncContextManager[Seat]]:
    """Sit down at a table of people, and of bots where a level is named."""

    def play(
        game: Game,
        *,
        humans: int | None = None,
        level: str = "newcomer",
        size: tuple[int, int] = (80, 24),
        code: str = "en",
        **more: Any,
    ) -> AbstractAsyncContextManager[Seat]:
        first = game.players if humans is None else humans
        bots = {seat: make(level, seed=seat) for seat in range(first, game.players)}
        return seated(LocalTable(game, bots, language(code)), size, **more)

    return play
