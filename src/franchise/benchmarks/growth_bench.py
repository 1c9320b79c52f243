"""franchise bench --growth: what a server takes with more and more tables, each followed by a page, in one SQLite file.

Everybody moves at the pace of people, so that the moves grow with the tables.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from franchise.benchmarks.figures import Figure, percentile, single
from franchise.benchmarks.scripted_players import Tell, serving, settled
from franchise.benchmarks.server_process import LoadError
from franchise.benchmarks.service_bench import ServiceLoad, ServicePlan

SIZES = (50, 200, 1000, 3000)
PACE_S = 10.0  # between two moves at a table, on average


@dataclass(frozen=True)
class GrowthPlan:
    """What is measured."""

    seconds: float  # of playing, for each number of tables
    sizes: Sequence[int] = SIZES
    pace: float = PACE_S


def measure(plan: GrowthPlan, tell: Tell) -> list[Figure]:
    try:
        return asyncio.run(measured(plan, tell))
    except (OSError, EOFError) as error:
        raise LoadError(f"the server does not answer as it should: {error}") from None


async def measured(plan: GrowthPlan, tell: Tell) -> list[Figure]:
    """The figures of a new server for each number of tables."""
    return [figure for size in plan.sizes for figure in await measured_with(size, plan, tell)]


async def measured_with(size: int, plan: GrowthPlan, tell: Tell) -> list[Figure]:
    async with serving(tell, FRANCHISE_TABLES_IN_MEMORY=str(size)) as server:
        await settled(server)
        before = server.memory_mb
        service = ServicePlan(tables=size, streams=size, seconds=plan.seconds)
        load = ServiceLoad([server], service, 1 / plan.pace)
        await load.run(tell)
    times = {name: round(percentile(load.answers, share), 1) for name, share in (("median", 0.5), ("p99", 0.99))}
    each = None if load.processor is None else round(1000 * load.processor / len(load.answers), 2)
    share = None if load.processor is None else round(100 * load.processor / load.took, 1)
    more = None if before is None or load.memory is None else round(1000 * (load.memory - before) / size, 1)
    key, same = f"growth_{size}", f"the same with {size:,} tables"
    return [
        single(
            f"{key}_moves_per_s",
            f"{size:,} tables and streams: moves a second",
            round(len(load.answers) / load.took, 1),
        ),
        Figure(f"{key}_answer", f"{same}: move to answer (median / p99)", times, "ms"),
        single(f"{key}_processor", f"{same}: the server's processor time for each move", each, "ms"),
        single(f"{key}_core", f"{same}: the server's share of one core", share, "%"),
        single(f"{key}_memory", f"{same}: memory of the server", load.memory, "MB"),
        single(f"{key}_memory_of_table", f"{same}: of it for each table and stream", more, "kB"),
        single(f"{key}_missing", f"{same}: events that did not arrive", load.missing, limit=0),
    ]
