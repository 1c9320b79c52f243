"""What wins, over the games of this server."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from franchise.arena.statistics import Row
from franchise.server.tables.win_statistics import Findings
from franchise.web.start_page import tables_of
from franchise.web.templating import page
from franchise.web.visitor import visitor_of
from franchise.wording.language import N_, Language

router = APIRouter(prefix="/statistics", include_in_schema=False)

USES = {  # of bonus tiles
    "again": N_("expand a second time"),
    "double": N_("double market share"),
    "cash": N_("dollars"),
    "kept": N_("kept to the end"),
}


@router.get("")
async def statistics(request: Request) -> Response:
    """First-player advantage, regions, starting towns and uses of bonus tiles."""
    visitor = visitor_of(request)
    figures = await findings(request).current()
    return page(
        visitor,
        "statistics.html",
        figures=figures,
        seats={players: seated(rows, visitor.language) for players, rows in figures.seats.items()},
        uses=[row._replace(name=visitor.language.text(USES[row.name])) for row in figures.uses],
    )


def findings(request: Request) -> Findings:
    """The statistics of this server."""
    if not hasattr(request.app.state, "findings"):
        request.app.state.findings = Findings(tables_of(request))
    found: Findings = request.app.state.findings
    return found


def seated(rows: list[Row], language: Language) -> list[Row]:
    """Seat numbers starting at 1."""
    return [
        row._replace(name=language.text("Seat {number}", number=number)) for number, row in enumerate(rows, start=1)
    ]
