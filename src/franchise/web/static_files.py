"""Static files: read and compressed once, under addresses that change with their content, so browsers keep them."""

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from franchise.server.http.compression import accepts_gzip

router = APIRouter(include_in_schema=False)

FOLDER = Path(__file__).parent / "static"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
FOR_EVER = "public, max-age=31536000, immutable"
VERSION = re.compile(r"[0-9a-f]{10}/")  # at the beginning of a path
IMPORT = re.compile(r"""^import .*? from "\./([\w.]+)";$""", re.MULTILINE)


class ReadyFile(NamedTuple):
    """The content of an answer, as it is and compressed."""

    content: bytes
    compressed: bytes
    kind: str
    etag: str


@cache
def ready(content: bytes | str, kind: str) -> ReadyFile:
    """What is sent often, compressed as much as possible."""
    plain = content.encode() if isinstance(content, str) else content
    etag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
    return ReadyFile(plain, gzip.compress(plain, mtime=0), kind, etag)


@cache
def names() -> dict[str, Path]:
    """The static files, by their paths in addresses."""
    return {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*")) if path.is_file()}


@cache
def version() -> str:
    """Ten digits that change with any static file: scripts and style sheets that refer to each other stay together."""
    digest = hashlib.sha256()
    for name, path in names().items():
        digest.update(f"{name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:10]


@cache
def static(name: str) -> str:
    """The address of a static file."""
    return f"/static/{version()}/{names()[name].relative_to(FOLDER).as_posix()}"


@cache
def imported(name: str) -> tuple[str, ...]:
    """The scripts that a script imports, and those that these import: a browser can load all of them at once."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        for other in IMPORT.findall(names()[waiting.pop()].read_text(encoding="utf-8")):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return tuple(found)


@cache
def static_file(name: str) -> ReadyFile:
    path = names()[name]
    return ready(path.read_bytes(), KINDS.get(path.suffix, "text/plain"))


def answer(request: Request, file: ReadyFile, caching: str) -> Response:
    """A file as the client takes it; nothing if the client has it already."""
    headers = {"Cache-Control": caching, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.etag:
        return Response(status_code=304, headers=headers)
    if len(file.compressed) < len(file.content) and accepts_gzip(request.scope):
        return Response(file.compressed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.kind)
    return Response(file.content, headers=headers, media_type=file.kind)


@router.get("/static/{path:path}")
async def file(request: Request) -> Response:
    """A static file. A page of another version gets the file of this one, but does not keep it."""
    path = request.path_params["path"]
    name = VERSION.sub("", path, count=1) if VERSION.match(path) else path
    if name not in names():
        raise HTTPException(404, "There is no such file.")
    return answer(request, static_file(name), FOR_EVER if path.startswith(f"{version()}/") else "no-cache")
