"""A picture of a finished game to share: a postcard that names the result."""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from franchise.drawing.picture import PictureError, png
from franchise.drawing.postcard import postcard_svg
from franchise.server.tables.table import Table
from franchise.web.start_page import SEE_OTHER, tables_of
from franchise.web.visitor import visitor_of
from franchise.wording.language import Language

router = APIRouter(prefix="/t/{table_id}", include_in_schema=False)

A_DAY = {"Cache-Control": "public, max-age=86400", "Vary": "Cookie, Accept-Language, Accept-Encoding"}
PIXELS = 1200


def result_line(table: Table, language: Language) -> str:
    """Who won, and by how much."""
    game, scores = table.game, table.game.result().scores
    ranked = sorted((scores[seat.number] for seat in table.seats if not seat.resigned), reverse=True)
    names = [language.player(seat, game) for seat in table.winners]
    if len(names) > 1:
        return language.text("Shared win: {players}", players=", ".join(names))
    values = {"player": names[0], "score": ranked[0], "second": ranked[1]}
    return language.text("{player} wins, {score} to {second}", **values)


async def drawn(request: Request, table_id: str) -> str:
    table = await tables_of(request).get(table_id)
    if not table.game.over:
        raise HTTPException(404, "A postcard is sent when the game is over.")
    language, game = visitor_of(request).language, table.game
    players = " · ".join(language.player(seat, game) for seat in range(game.players))
    greeting = language.text("Greetings from turn {turn}", turn=game.turn)
    return postcard_svg(game, result_line(table, language), greeting, players, language.words)


@router.get("/postcard.svg")
async def postcard(request: Request, table_id: str) -> Response:
    """The picture as SVG."""
    return Response(await drawn(request, table_id), media_type="image/svg+xml", headers=A_DAY)


@router.get("/postcard.png")
async def postcard_png(request: Request, table_id: str) -> Response:
    """The picture as PNG if the extra `pictures` and a font are installed, else as SVG."""
    svg = await drawn(request, table_id)
    try:
        return Response(png(svg, PIXELS), media_type="image/png", headers=A_DAY)
    except (ImportError, PictureError):
        return RedirectResponse(f"/t/{table_id}/postcard.svg", SEE_OTHER)
