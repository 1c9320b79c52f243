"""The API reference as a page, generated from its OpenAPI description. It loads nothing from other sites."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from franchise.server.http.api_reference import endpoints, shapes
from franchise.web.templating import page
from franchise.web.visitor import visitor_of

router = APIRouter(include_in_schema=False)


@router.get("/api/docs")
async def api_docs(request: Request) -> Response:
    """Every path of the API, with its parameters and answers."""
    described = request.app.openapi()
    return page(visitor_of(request), "api.html", endpoints=endpoints(described), shapes=shapes(described))
