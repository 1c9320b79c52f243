"""The progress of compiling the bots on the first start, for open pages."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from franchise.bots.preparation import progress

router = APIRouter(include_in_schema=False)


@router.get("/preparing")
async def preparing() -> JSONResponse:
    """`share` from 0 to 1; null when bots can play."""
    return JSONResponse({"share": progress()}, headers={"Cache-Control": "no-store"})
