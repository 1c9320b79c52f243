"""The analysis of a finished game: chances over the turns, turning points, and two continuations compared."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from franchise.bots.protocol import RankedMove
from franchise.engine.actions import Action
from franchise.engine.layout import EventKind
from franchise.game import Game, IllegalAction
from franchise.insight.preview import turn_end
from franchise.insight.review import Review, TurningPoint
from franchise.insight.turn_bounds import own_turn
from franchise.server.tables.errors import TableError
from franchise.server.tables.table import Table
from franchise.server.thinking.analyses import Analyses, Opinion
from franchise.web.charts import ChartLines
from franchise.web.error_pages import refusal
from franchise.web.rulebook import cutout
from franchise.web.start_page import SEE_OTHER, tables_of
from franchise.web.templating import page
from franchise.web.visitor import Visitor, visitor_of
from franchise.wording.advice import steps, worded_line
from franchise.wording.language import Language
from franchise.wording.log import place_of
from franchise.wording.refusals import why_illegal

router = APIRouter(prefix="/t/{table_id}/analysis", include_in_schema=False)

SHOWN_LINE = 12  # moves
MOVES = 12  # of a turn that is compared

Way = Annotated[str, Query(max_length=600)]


def analyses_of(request: Request) -> Analyses:
    analyses: Analyses = request.app.state.analyses
    return analyses


@dataclass(frozen=True)
class ShownTurningPoint:
    """A turning point in words."""

    point: TurningPoint
    played: list[str]
    better: list[str]
    line: list[tuple[int, list[str]]]  # a possible continuation

    @property
    def differ(self) -> int:
        """The number of moves after which the better turn differs."""
        pairs = zip(self.point.played, self.point.better, strict=False)
        same = next((number for number, (mine, other) in enumerate(pairs) if mine != other), len(self.point.better))
        return self.point.move + min(same, len(self.point.played) - 1)


def points(game: Game, review: Review, language: Language) -> list[ShownTurningPoint]:
    """The turning points of a game."""

    def worded(move: int, turn: tuple[str, ...]) -> list[str]:
        then = game.at(move)
        return steps(legal(then, "; ".join(turn)), language)

    def line(point: TurningPoint) -> list[tuple[int, list[str]]]:
        after = game.at(point.move)
        for action in legal(after, "; ".join(point.better)):
            after.play(action)
        return worded_line(after, point.line, language)

    return [
        ShownTurningPoint(point, worded(point.move, point.played), worded(point.move, point.better), line(point))
        for point in review.turning
    ]


def course(review: Review, colours: tuple[str, ...]) -> ChartLines:
    """Everybody's chance to win in per cent, at the beginning of every turn and at the end."""
    moments = review.moments
    shown = [moment.turn for moment in moments[:-1]]
    last = moments[-1].turn + (1 if moments[-1].turn == moments[-2].turn else 0) if len(moments) > 1 else 1
    seats = range(len(moments[0].chances))
    return ChartLines(
        "chance",
        (*shown, last),
        tuple(tuple(round(100 * moment.chances[seat]) for moment in moments) for seat in seats),
        colours,
    )


async def permitted(request: Request, visitor: Visitor, table_id: str) -> Table | Response:
    """The table, if its game may be analysed: it is over, or the visitor holds all seats."""
    table = await tables_of(request).get(table_id)
    mine = await tables_of(request).held(table_id, visitor.key) if visitor.key else frozenset()
    if table.over or (not table.rated and len(mine) == len(table.seats)):
        return table
    notice = visitor.language.text("A game can be analysed when it is over.")
    return page(visitor, "analysis.html", 403, table=table, notice=notice, url=f"/t/{table_id}", **nothing())


def nothing() -> dict[str, Any]:
    return {"review": None, "work": None, "points": [], "course": None, "refused": "", "game": None, "signs": {}}


async def shown(
    request: Request, visitor: Visitor, table: Table, template: str, refused: str = "", status: int = 200
) -> Response:
    """The analysis so far."""
    game = table.game
    review = await analyses_of(request).find(game)
    work = None if review is not None else analyses_of(request).working(game)
    values: dict[str, Any] = nothing() | {"review": review, "work": work, "refused": refused, "game": game}
    if review is not None:
        values |= {"points": points(game, review, visitor.language), "course": course(review, game.colours)}
        values["signs"] = {point.turn: str(number) for number, point in enumerate(review.turning, 1)}
    return page(visitor, template, status, table=table, notice="", url=f"/t/{table.id}", **values)


@router.get("")
async def analysis(request: Request, table_id: str) -> Response:
    """The analysis, its progress, or the button that starts it."""
    visitor = visitor_of(request)
    table = await permitted(request, visitor, table_id)
    return table if isinstance(table, Response) else await shown(request, visitor, table, "analysis.html")


@router.get("/progress")
async def progress(request: Request, table_id: str) -> Response:
    """The part of the page that changes while a game is being analysed."""
    visitor = visitor_of(request)
    table = await permitted(request, visitor, table_id)
    return table if isinstance(table, Response) else await shown(request, visitor, table, "review.html")


@router.post("")
async def begin(request: Request, table_id: str) -> Response:
    """Start the analysis."""
    visitor = visitor_of(request)
    table = await permitted(request, visitor, table_id)
    if isinstance(table, Response):
        return table
    try:
        await analyses_of(request).begin(table.game)
    except TableError as error:
        return await shown(request, visitor, table, "analysis.html", refusal(error, visitor.language), error.status)
    return RedirectResponse(f"/t/{table_id}/analysis", SEE_OTHER)


@router.post("/stop")
async def stop(request: Request, table_id: str) -> Response:
    """Stop the analysis."""
    visitor = visitor_of(request)
    table = await permitted(request, visitor, table_id)
    if isinstance(table, Response):
        return table
    analyses_of(request).cancel(table.game)
    return RedirectResponse(f"/t/{table_id}/analysis", SEE_OTHER)


# --- a moment ---


@dataclass(frozen=True)
class Compared:
    """One of two continuations."""

    steps: list[str]
    opinion: Opinion
    cash: int
    income: int
    brings: list[str]  # what it does, and what the end of the turn would
    picture: str
    line: list[tuple[int, list[str]]]  # a possible continuation


@dataclass(frozen=True)
class ShownMove:
    """One of the best moves in a position."""

    move: str  # as a form sends it
    step: str
    chances: tuple[float, ...]
    scores: tuple[float, ...]
    line: list[tuple[int, list[str]]]


@router.get("/moment")
async def moment(
    request: Request, table_id: str, move: Annotated[int, Query(ge=0)] = 0, first: Way = "", second: Way = ""
) -> Response:
    """The best moves in a position, and two continuations side by side."""
    visitor = visitor_of(request)
    table = await permitted(request, visitor, table_id)
    if isinstance(table, Response):
        return table
    game = table.game.at(min(move, len(table.game.actions)))
    values: dict[str, Any] = {"table": table, "url": f"/t/{table_id}", "game": game, "found": None, "compared": []}
    if game.over:
        notice = visitor.language.text("The game is over here: go back to an earlier move.")
        return page(visitor, "moment.html", notice=notice, ways=[], played="", **values)
    played = "; ".join(map(str, own_turn(game, table.game.actions[len(game.actions) :])[:1]))
    values |= {"found": await analyses_of(request).best(game), "played": played}
    best = str(values["found"].moves[0].action)
    ways = [first or played or best, second or (best if best != played else second_best(values["found"]) or best)]
    values |= {
        "ways": ways,
        "ranked_moves": [ranked_move(game, ranked, visitor.language) for ranked in values["found"].moves],
        "legal": [(str(action), steps([action], visitor.language)[0]) for action in game.legal_actions()],
    }
    notice = ""
    for way in ways:
        try:
            values["compared"].append(await compared(request, game, legal(game, way), visitor.language))
        except IllegalAction:
            notice = why_illegal(game, way, visitor.language)
    return page(visitor, "moment.html", 422 if notice else 200, notice=notice, **values)


def ranked_move(game: Game, ranked: RankedMove, language: Language) -> ShownMove:
    """A move that the bot considered, in words."""
    step = steps([ranked.action], language)[0]
    line = worded_line(game, ranked.line[:SHOWN_LINE], language)
    return ShownMove(str(ranked.action), step, ranked.chances, ranked.scores, line)


def second_best(found: Any) -> str:
    return str(found.moves[1].action) if len(found.moves) > 1 else ""


def legal(game: Game, way: str) -> tuple[Action, ...]:
    """Moves of one turn, separated by semicolons; IllegalAction where one is not legal."""
    walk, began = game.copy(), (game.turn, game.current_player)
    for text in way.split(";")[:MOVES]:
        if walk.over or (walk.turn, walk.current_player) != began:
            break
        walk.play(text.strip())
    return walk.actions[len(game.actions) :]


async def compared(request: Request, game: Game, moves: tuple[Action, ...], language: Language) -> Compared:
    """The effect of some moves and a bot's assessment."""
    seat = game.current_player
    after, happened = game.copy(), []
    for action in moves:
        happened += after.play(action)
    own = []
    for event in happened:
        if event.kind == EventKind.TURN:
            break
        own.append(event)
    if not after.over and after.turn == game.turn and after.turn:
        own += turn_end(after)
    view = after.view()["players"][seat]
    opinion = await analyses_of(request).opinion(game, moves)
    places = list(dict.fromkeys(place for event in own if (place := place_of(event))))
    return Compared(
        steps=steps(moves, language),
        opinion=opinion,
        cash=view["cash"],
        income=view["income"],
        brings=[language.sentence(event, game) for event in own],
        picture=cutout(after, places, language),
        line=worded_line(after, opinion.line[:SHOWN_LINE], language),
    )
