"""For administrators: health checks, and metrics in Prometheus format."""

import asyncio
import logging
from collections.abc import Iterator
from functools import cache
from hmac import compare_digest

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.types import Scope

from franchise.server.http.limits import Limits
from franchise.server.live.broadcast import Broadcast
from franchise.server.storage.database import TROUBLES
from franchise.server.tables.interfaces import Notice
from franchise.server.tables.service import Tables

READY_S = 3.0  # within which a database that can be used answers
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
KINDS = {"api": "api", "static": "file", "t": "page"}

log = logging.getLogger("franchise.requests")
router = APIRouter(include_in_schema=False)


class Metrics(Collector):
    """The metrics of one server: requests and changes are counted as they happen, the rest is read on demand."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.registry = CollectorRegistry()
        self.tables: Tables | None = None
        self.broadcast: Broadcast | None = None
        self.requests = Histogram(
            "franchise_request_seconds",
            "Time to the first byte of an answer, by kind and status",
            ("kind", "status"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.changes = Counter(
            "franchise_changes", "Moves and undos written down", ("kind", "by"), registry=self.registry
        )
        self.requested = cache(self.requests.labels)  # finding those of one kind and status takes long
        self.changed = cache(self.changes.labels)
        ProcessCollector(registry=self.registry)
        self.registry.register(self)

    def watch(self, tables: Tables, broadcast: Broadcast) -> None:
        """Count what happens at these tables."""
        self.tables, self.broadcast = tables, broadcast
        tables.bus.subscribe(self.hear)

    def hear(self, notice: Notice) -> None:
        if notice.table is not None and notice.kind in ("move", "undo"):
            by_bot = notice.table.changes[-1].by_bot
            self.changed(notice.kind, "bot" if by_bot else "person").inc()

    def collect(self) -> Iterator[Metric]:
        tables, broadcast = self.tables, self.broadcast
        if tables is None or broadcast is None:
            return
        found = {
            "tables_in_memory": (len(tables.cache.kept), "Tables kept in memory"),
            "streams": (broadcast.followers, "Event streams that are open"),
            "bots_thinking": (tables.jobs.busy, "Tables a bot of this process thinks for, or waits to"),
            "limit_counts": (self.limits.counted, "Counts that are kept for limits"),
            "writes_waiting": (len(tables.writing), "Changes that are being written"),
            "bot_wait_seconds": (tables.clocks.bot_waits, "Age of the oldest turn of a bot that nobody has made"),
            "listener_lag_seconds": (tables.bus.lag, "What a notice takes from one process to another"),
            "clock_off_seconds": (tables.store.clock_off, "By which this machine is ahead of the database"),
        }
        for name, (value, text) in found.items():
            yield GaugeMetricFamily(f"franchise_{name}", text, value)
        count, seconds = tables.store.commits
        yield SummaryMetricFamily("franchise_commit_seconds", "What a change waits until it is safe", count, seconds)
        troubles = CounterMetricFamily("franchise_database_errors", "What the database could not do", labels=("what",))
        for what, number in TROUBLES.counts.items():
            troubles.add_metric([what], number)
        yield troubles
        refusals = CounterMetricFamily("franchise_refusals", "What was too much or too slow", labels=("limit",))
        for limit, count in self.limits.refusals.items():
            refusals.add_metric([limit], count)
        yield refusals

    def request(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request, and note it in the log at level info: by its route, as paths can hold secrets."""
        self.requested(KINDS.get(scope["path"][1:].partition("/")[0], "page"), status).observe(seconds)
        if log.isEnabledFor(logging.INFO):
            route = getattr(scope.get("route"), "path", None)
            extra = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)}
            log.info("%s %s: %s", scope["method"], route, status, extra=extra)


@router.get("/healthz")
async def alive() -> PlainTextResponse:
    """The process responds."""
    return PlainTextResponse("alive\n")


@router.get("/readyz")
async def ready(request: Request) -> PlainTextResponse:
    """Changes can be written and the schema version matches: traffic can be sent here."""
    tables: Tables = request.app.state.tables
    try:
        async with asyncio.timeout(READY_S):
            await tables.store.check()
    except Exception as error:  # noqa: BLE001 - whatever it is, others should be asked instead
        return PlainTextResponse(f"not ready: {type(error).__name__}\n", 503)
    return PlainTextResponse("ready\n")


@router.get("/metrics")
async def numbers(request: Request) -> Response:
    """For Prometheus; with a token where one is set."""
    wanted = request.app.state.settings.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if wanted is not None and not compare_digest(given.encode(), wanted.get_secret_value().encode()):
        return PlainTextResponse("this needs the token of FRANCHISE_METRICS_TOKEN\n", 401)
    metrics: Metrics = request.app.state.metrics
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
