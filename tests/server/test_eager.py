"""Coroutines begun at once: most end there, the others are awaited by somebody."""

import asyncio
from contextlib import suppress

import pytest

from franchise.server.live.eager import Rest, begin


async def finished(rest: Rest) -> None:
    await rest


def test_what_need_not_wait_is_done_at_once() -> None:
    done = []

    async def work() -> None:
        done.append(1)

    assert begin(work()) is None
    assert done == [1]


def test_an_error_is_raised_where_it_began() -> None:
    async def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        begin(work())


def test_the_rest_is_awaited_however_often_it_waits() -> None:
    async def scene() -> list[int]:
        gates = [asyncio.Event(), asyncio.Event()]
        passed: list[int] = []

        async def work() -> None:
            for number, gate in enumerate(gates):
                await gate.wait()
                passed.append(number)

        rest = begin(work())
        assert rest is not None
        assert not passed
        waiting = asyncio.ensure_future(finished(rest))
        for number, gate in enumerate(gates):
            gate.set()
            while len(passed) <= number:
                await asyncio.sleep(0)
        await waiting
        return passed

    assert asyncio.run(scene()) == [0, 1]


def test_an_error_of_the_rest_reaches_whoever_awaits_it() -> None:
    async def scene() -> None:
        async def work() -> None:
            await asyncio.sleep(0.001)
            raise ValueError("late")

        rest = begin(work())
        assert rest is not None
        with pytest.raises(ValueError, match="late"):
            await rest

    asyncio.run(scene())


@pytest.mark.parametrize("awaited", [True, False])
def test_who_stops_waiting_ends_it(awaited: bool) -> None:
    ended = []

    async def scene() -> None:
        async def work() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(1)

        rest = begin(work())
        assert rest is not None
        if not awaited:
            rest.close()
            return

        waiting = asyncio.ensure_future(finished(rest))
        await asyncio.sleep(0)
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting

    asyncio.run(scene())
    assert ended == [1]
