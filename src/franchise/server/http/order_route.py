"""The routes of moves and undos and of what a page loads after them: a request is read once, by its model."""

from collections.abc import Callable, Coroutine
from types import NoneType
from typing import Any, get_type_hints
from urllib.parse import parse_qsl

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.params import Form as FormParameter
from fastapi.params import Query as QueryParameter
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.types import Receive, Scope, Send

ID_LIMIT = 64  # characters of a table's id


class OrderRoute(APIRoute):
    """A route whose endpoint takes the request, the id of a table and an order, and builds its own answer.

    FastAPI documents it from the endpoint's signature like any other. What it would resolve again for every request
    (dependencies, the source of each value, what to close afterwards) is known here; resolving it costs more than the
    move itself. What the endpoint refuses is answered by the application's handlers.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        handle = self.get_route_handler()

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            response = await handle(Request(scope, receive, send))
            await response(scope, receive, send)

        self.app = answer

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        endpoint = self.endpoint
        annotation = get_type_hints(endpoint, include_extras=True)["order"]
        model: type[BaseModel] = getattr(annotation, "__origin__", annotation)
        read = READERS[type(next(iter(getattr(annotation, "__metadata__", ())), None))]

        async def handle(request: Request) -> Response:
            table_id = request.path_params["table_id"]
            if len(table_id) > ID_LIMIT:
                raise malformed("table_id", f"String should have at most {ID_LIMIT} characters")
            try:
                order = await read(request, model)
            except ValidationError as error:
                raise RequestValidationError(error.errors(include_url=False)) from None
            answer: Response = await endpoint(request, table_id, order)
            return answer

        return handle


async def read_json(request: Request, model: type[BaseModel]) -> BaseModel:
    if "json" not in request.headers.get("content-type", ""):
        raise malformed("", "Send JSON, and say so: Content-Type: application/json")
    return model.model_validate_json(await body_of(request))


async def read_form(request: Request, model: type[BaseModel]) -> BaseModel:
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return model.model_validate(dict(await request.form()))
    # As Starlette reads it: the escapes are UTF-8. Its own parser, for bodies of any length, takes as long as a move.
    fields = parse_qsl((await body_of(request)).decode("latin-1"), keep_blank_values=True)
    return model.model_validate(dict(fields))


async def body_of(request: Request) -> bytes:
    """The body, which `Admission` has read already: it comes in one message. Nobody who has gone sends one."""
    body: bytes = (await request.receive()).get("body", b"")
    return body


async def read_query(request: Request, model: type[BaseModel]) -> BaseModel:
    return model.model_validate(dict(request.query_params))


# By what the order is annotated with, as FastAPI knows it.
READERS = {NoneType: read_json, FormParameter: read_form, QueryParameter: read_query}


def malformed(field: str, message: str) -> RequestValidationError:
    return RequestValidationError([{"loc": (field,) if field else (), "msg": message, "type": "value_error"}])
