"""Pictures that are drawn once and then served as files: faces, and the landscape behind the pages."""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from franchise.drawing.landscape import LIGHTS, roadside_svg
from franchise.drawing.markup import slug
from franchise.drawing.page_colours import page_css
from franchise.drawing.portraits import FACES, portrait_svg

router = APIRouter(include_in_schema=False)

A_DAY = {"Cache-Control": "public, max-age=86400"}
NAMES = {slug(name): name for name in FACES}


def picture(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml", headers=A_DAY)


@router.get("/portraits/{face}.svg")
async def portrait(request: Request) -> Response:
    """The face of a character, or of the guide."""
    face = request.path_params["face"]
    if face not in NAMES:
        raise HTTPException(404, "There is no such face.")
    return picture(portrait_svg(NAMES[face]))


@router.get("/roadside/{time}.svg")
async def roadside(request: Request) -> Response:
    """The landscape by day or by night."""
    time = request.path_params["time"]
    if time not in LIGHTS:
        raise HTTPException(404, "There is no such picture.")
    return picture(roadside_svg(time))


@router.get("/board.css")
async def board_css() -> Response:
    """The colours of the board in both themes."""
    return Response(page_css(), media_type="text/css", headers=A_DAY)
