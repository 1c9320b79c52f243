"""The leaderboard, and the profiles of people with accounts."""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from franchise.arena.rating_model import FIRST
from franchise.server.people.ratings import by_opponent
from franchise.web.account_pages import people_of
from franchise.web.charts import ChartLines
from franchise.web.templating import page
from franchise.web.visitor import visitor_of

router = APIRouter(prefix="/people", include_in_schema=False)

SHOWN = 50  # games and opponents on a profile


@router.get("")
async def leaderboard(request: Request) -> Response:
    """The players with the highest ratings."""
    return page(visitor_of(request), "leaderboard.html", leaders=await people_of(request).ratings.leaders())


@router.get("/{name}")
async def profile(request: Request, name: str) -> Response:
    """The games of a player."""
    people = people_of(request)
    account = await people.accounts.named(name)
    if account is None:
        raise HTTPException(404)
    results = await people.ratings.results(account)
    ratings = (FIRST.shown, *(result.rating for result in reversed(results) if result.rated))
    places = tuple(result.place for result in reversed(results))
    return page(
        visitor_of(request),
        "profile.html",
        account=account,
        results=results[:SHOWN],
        by_players=await people.ratings.by_players(account),
        by_opponent=by_opponent(results)[:SHOWN],
        rating_course=ChartLines("rating", tuple(range(len(ratings))), (ratings,)) if len(ratings) > 1 else None,
        place_course=ChartLines("place", tuple(range(1, len(places) + 1)), (places,), downward=True)
        if len(places) > 1
        else None,
    )
