"""Pictures that are drawn once and then served as files: faces, and the landscape behind the pages."""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from franchise.drawing.landscape import LIGHTS, roadside_svg
from franchise.drawing.markup import slug
from franchise.drawing.page_colours import page_css
from franchise.drawing.portraits import FACES, portrait_svg
from franchise.web.static_files import answer, ready

router = APIRouter(include_in_schema=False)

A_DAY = "public, max-age=86400"
NAMES = {slug(name): name for name in FACES}


def picture(request: Request, svg: str) -> Response:
    return answer(request, ready(svg, "image/svg+xml"), A_DAY)


@router.get("/portraits/{face}.svg")
async def portrait(request: Request) -> Response:
    """The face of a character, or of the guide."""
    face = request.path_params["face"]
    if face not in NAMES:
        raise HTTPException(404, "There is no such face.")
    return picture(request, portrait_svg(NAMES[face]))


@router.get("/roadside/{time}.svg")
async def roadside(request: Request) -> Response:
    """The landscape by day or by night."""
    time = request.path_params["time"]
    if time not in LIGHTS:
        raise HTTPException(404, "There is no such picture.")
    return picture(request, roadside_svg(time))


@router.get("/board.css")
async def board_css(request: Request) -> Response:
    """The colours of the board in both themes."""
    return answer(request, ready(page_css(), "text/css"), A_DAY)
