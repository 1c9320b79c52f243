"""Progress towards the milestones (RULES, Milestones), counted from the public state."""

from collections.abc import Mapping
from typing import Any, NamedTuple

Row = Mapping[str, Any]

WANTED = {"a": 4, "b": 4, "c": 5, "d": 3, "e": 1, "f": 1, "g": 2}
SMALL = (2, 3, 4)  # values of the cities of milestone d


class MilestoneLine(NamedTuple):
    """A milestone in play, as the list beside the map shows it."""

    id: str
    text: str
    claimed: tuple[str, ...]  # colours
    beside: tuple[str, ...]  # colours whose first $8 link is recorded
    got: bool  # by the visitor
    wanted: int  # how much it takes; 0 for those who hold no seat, or several
    had: int  # of that, by the visitor


def progress(view: Row, seat: int, milestone: str) -> int:
    """How much of a milestone's condition a seat has met; the two that are triggered by an event are met or not."""
    player = view["players"][seat]
    colour = player["colour"]
    cities = [spot for spot in view["locations"].values() if spot["kind"] == "city" and colour in spot["spaces"]]
    match milestone:
        case "a":
            had = player["towns"]
        case "b":
            had = sum(1 for region in view["regions"].values() if region["franchises"].get(colour, 0))
        case "c":
            had = sum(city["spaces"].count(colour) for city in cities if city["scored"])
        case "d":
            had = len({city["size"] for city in cities if not city["scored"]} & set(SMALL))
        case "g":
            had = player["eights"]
        case _:
            had = 0
    return min(int(had), WANTED[milestone])
