"""The application: the API and its middleware, with tables that are opened at startup and closed at shutdown."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp

from franchise.arena.rating_model import FIRST, rated
from franchise.bots import make
from franchise.bots.preparation import prepare
from franchise.engine.setups import Options
from franchise.game import Game, IllegalAction
from franchise.insight.preview import previews
from franchise.server.http import metrics
from franchise.server.http.late_routes import LateRoutes
from franchise.server.http.limits import Limits
from franchise.server.http.metrics import Metrics
from franchise.server.http.middleware import Admission, RequestDeadline, ResponseHeaders
from franchise.server.live.broadcast import Broadcast
from franchise.server.live.lobby import Lobby
from franchise.server.live.presence import Presence
from franchise.server.settings import Settings
from franchise.server.storage.archiving import archiving
from franchise.server.tables.errors import Conflicting, TableError
from franchise.server.tables.hosting import Hosting
from franchise.server.thinking.analyses import Analyses
from franchise.server.thinking.hints import Hints
from franchise.server.wiring import limit_counts, people, store_of, tables_of


class Application(FastAPI):
    """FastAPI without its two outermost layers: `ResponseHeaders` answers internal errors; nobody collects traces."""

    def build_middleware_stack(self) -> ASGIApp:
        handlers = {kind: handler for kind, handler in self.exception_handlers.items() if kind is not Exception}
        stack: ASGIApp = ExceptionMiddleware(AsyncExitStackMiddleware(self.router), handlers)
        for layer, arguments, options in reversed(self.user_middleware):
            stack = layer(stack, *arguments, **options)
        return stack


CODES = {400: "malformed", 404: "not_found", 405: "not_allowed", 413: "too_long"}


@asynccontextmanager
async def services(app: FastAPI, settings: Settings) -> AsyncIterator[None]:
    """Everything that routes and pages use, open while the server runs."""
    store = store_of(settings.database, settings.database_connections)
    try:
        await store.open()
        app.state.tables = tables_of(store, settings)
        app.state.limits.now = lambda: store.now().timestamp()  # windows of time are the same for all servers
        app.state.broadcast = Broadcast(app.state.tables)
        app.state.presence = Presence(store, app.state.tables.now)
        app.state.lobby = Lobby(app.state.tables, app.state.broadcast, app.state.presence)
        app.state.metrics.watch(app.state.tables, app.state.broadcast)
        async with (
            people(store, app.state.tables, settings) as app.state.people,
            app.state.limits.shared(limit_counts(store)),
            archiving(store, settings.archive_days),
        ):
            app.state.hints = Hints(app.state.tables)
            app.state.hosting = Hosting(app.state.tables)
            app.state.hosting.start()
            app.state.presence.start()
            app.state.analyses = Analyses(store)
            await app.state.tables.start()
            yield
            app.state.hosting.close()
            await end_streams(app)
            await app.state.analyses.close()
            await app.state.hints.close()
            await app.state.presence.close()
            await app.state.tables.close()
    finally:
        await store.close()


async def end_streams(app: FastAPI) -> None:
    """End every event stream; whoever follows comes back a second later, to the next server."""
    await app.state.lobby.close()
    await app.state.broadcast.close()


def create_app(
    settings: Settings | None = None,
    records: Iterable[str] = (),
    pages: Callable[[], Iterable[BaseRoute]] = tuple,
    first: Iterable[BaseRoute] | None = None,
) -> FastAPI:
    """Create the server. `records` names further paths that accept a whole record and therefore a longer body.

    `pages` imports further routes. Routes are tried in order, so the most frequent ones come first. If there are
    `first` routes, the server answers those at once and loads the others in the background.
    """
    chosen = settings if settings is not None else Settings()

    app = Application(
        title="Franchise",
        version=version("franchise"),
        summary="Tables of the board game Franchise",
        lifespan=lambda app: services(app, chosen),
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # what there is to know is at /metrics
    )
    app.state.settings = chosen
    app.state.limits = Limits(chosen.limits)
    app.state.metrics = Metrics(app.state.limits)
    own = list(app.routes)  # /openapi.json

    def all_routes() -> list[BaseRoute]:
        from franchise.server.http.routes import orders, router

        return [*orders.routes, *pages(), *router.routes, *metrics.router.routes, *own]

    # Not with include_router: that looks for a route twice.
    late: LateRoutes | None = None
    if first is None:
        app.router.routes[:] = all_routes()
    else:
        late = app.state.late_routes = LateRoutes(app.router, [*first, *metrics.router.routes], all_routes)
    app.add_middleware(Admission, records=["/api/tables", *records], hosts=chosen.allowed_hosts)
    app.add_middleware(RequestDeadline, before=None if late is None else late.wait)
    app.add_middleware(ResponseHeaders, secure=chosen.secure)
    app.add_exception_handler(TableError, refuse)
    app.add_exception_handler(IllegalAction, refuse_move)
    app.add_exception_handler(RequestValidationError, refuse_shape)
    app.add_exception_handler(HTTPException, refuse_request)
    app.add_exception_handler(Exception, fail)
    return app


def warm_up(quiet: bool = False) -> None:
    """Compile and load kernels, bots and ratings before anybody has to wait for them.

    With `quiet`, the line that announces a compilation is left out: it is for people, and a log in JSON is not.
    """
    prepare(quiet)
    game = Game(2, options=Options(introductory=True))
    game.view()
    previews(game)
    for level in ("casual", "regular"):
        make(level, seed=0).choose(game)
    rated([FIRST, FIRST], [1, 2])


def problem(status: int, code: str, detail: str, **more: object) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"error": code, "detail": detail, **more}, status, headers)


async def refuse(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TableError)
    if not isinstance(error, Conflicting):
        answer = problem(error.status, error.code, str(error))
        if error.seconds is not None:
            answer.headers["Retry-After"] = str(error.seconds)
        return answer
    from franchise.server.http import schemas
    from franchise.server.http.routes import key_of, service

    tables = service(request)
    held = await tables.held(error.table.id, key_of(request))
    state = schemas.state(error.table, held, tables.now()).model_dump(mode="json")
    return problem(error.status, error.code, str(error), state=state)


async def refuse_move(request: Request, error: Exception) -> JSONResponse:
    return problem(422, "illegal_move", str(error))


async def fail(request: Request, error: Exception) -> JSONResponse:
    """Answer an internal error, which is logged."""
    return problem(500, "failed", "Something went wrong on the server; only acknowledged changes have been made.")


async def refuse_shape(request: Request, error: Exception) -> JSONResponse:
    """Say what is wrong with the first invalid field."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    message = str(first["msg"]).removeprefix("Value error, ")
    end = "" if message.endswith("?") else "."
    return problem(422, "malformed", f"{where}: {message}{end}" if where else f"{message}{end}")


async def refuse_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    answer = problem(error.status_code, CODES.get(error.status_code, "refused"), str(error.detail))
    answer.headers.update(error.headers or {})
    if error.status_code == 405:
        answer.headers["Allow"] = allowed(request)
    return answer


def allowed(request: Request) -> str:
    """Every method that a path supports; Starlette lists only those of the first route."""
    methods = {
        method
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        for route in request.app.routes
        if route.matches({**request.scope, "method": method})[0] is Match.FULL
    }
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
