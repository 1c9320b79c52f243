"""What a bot thinks of a moment of a finished game."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from franchise.bots import make
from franchise.game import Game
from franchise.web.pages import tables_of
from franchise.web.rendering import page
from franchise.web.visitor import visitor

router = APIRouter(prefix="/t/{table_id}/analysis", include_in_schema=False)

SIMULATIONS = 2000
SHOWN_LINE = 12  # moves


@router.get("")
async def analysis(request: Request, table_id: str, move: Annotated[int, Query(ge=0)] = 0) -> Response:
    """The best moves after so many moves, with what they promise."""
    one = visitor(request)
    table = await tables_of(request).get(table_id)
    if not table.game.over:
        notice = one.language.text("A game can be analysed when it is over.")
        return page(one, "analysis.html", 403, found=None, notice=notice)
    game = table.game.at(min(move, len(table.game.actions)))
    if game.over:
        notice = one.language.text("The game is over here: go back to an earlier move.")
        return page(one, "analysis.html", found=None, notice=notice)
    async with thinking(request):
        found = await asyncio.to_thread(think, game)
    played = table.game.actions[len(game.actions)]
    return page(one, "analysis.html", found=found, notice="", game=game, played=str(played), line=SHOWN_LINE)


def thinking(request: Request) -> asyncio.Semaphore:
    """One analysis at a time: the other core is for the players."""
    if not hasattr(request.app.state, "thinking"):
        request.app.state.thinking = asyncio.Semaphore(1)
    gate: asyncio.Semaphore = request.app.state.thinking
    return gate


def think(game: Game) -> Any:
    """What an expert makes of the position."""
    return make("expert", seed=1, simulations=SIMULATIONS).analyse(game)
