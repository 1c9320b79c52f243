"""The rules as pages."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from franchise.facts import BOARD
from franchise.web.rulebook import IDS, SECTIONS, drawn
from franchise.web.templating import page
from franchise.web.visitor import visitor_of

router = APIRouter(prefix="/rules", include_in_schema=False)


@router.get("")
async def rules(request: Request) -> Response:
    """All sections on one page."""
    return page(visitor_of(request), "rules.html", sections=SECTIONS, drawn=drawn)


@router.get("/aid")
async def aid(request: Request) -> Response:
    """Two pages to print."""
    return page(visitor_of(request), "aid.html", by_id=IDS, board=BOARD)
