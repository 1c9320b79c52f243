"""Towns and cities as they are in a game: their discs, a sentence about each, and what is on them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from franchise.drawing.board_words import Words
from franchise.drawing.boom import boom
from franchise.drawing.cities import Spot, city, seat, town
from franchise.drawing.cuts import Cut, Place
from franchise.drawing.markup import group, slug, tag, title
from franchise.drawing.piece_shapes import hollow
from franchise.drawing.style import Style

Row = Mapping[str, Any]

KEPT = 8192  # drawn places that are kept: a move changes only a few


def next_space(spot: Spot) -> int:
    """The space the next franchise takes: the first one that is free."""
    return next((space for space, colour in enumerate(spot.spaces) if colour is None), 0)


@lru_cache(maxsize=1024)
def marker(cut: Cut, place: Place, spot: Spot, style: Style) -> str:
    """An expansion marker on the space it will open."""
    colour = spot.active or ""
    return group(
        "marker",
        title(style.words["marker"].format(name=place.name)),
        hollow(colour, *seat(cut, place, next_space(spot), spot.size), style.theme),
        id=f"marker-{slug(place.name)}",
        data_place=place.name,
        data_colour=colour,
    )


@lru_cache(maxsize=1024)
def news_mark(cut: Cut, place: Place, spot: Spot, style: Style) -> str:
    """A dashed ring around a place opened since the viewer's last turn."""
    return tag(
        "circle", cx=place.at.x, cy=place.at.y, r=cut.radius(place, spot.size, spot.scored) + 3.6, class_="news",
        fill="none", stroke=style.theme.ink, stroke_width=1.4, stroke_dasharray="3 3", id=f"news-{slug(place.name)}",
    )  # fmt: skip


def described(place: Place, spot: Spot, words: Words) -> str:
    """A place in a sentence: who is there, what is free, and what is on it."""
    if not spot.size:
        return words["no_tile"].format(name=place.name)
    franchises = Counter(colour for colour in spot.spaces if colour)
    parts = [f"{words[colour]} {count}" for colour, count in franchises.items()] or [words["nobody"]]
    free = sum(colour is None for colour in spot.spaces)
    if spot.scored:
        parts.append(words["scored"])
    elif free and spot.kind == "city":
        parts.append(words["free"].format(count=free))
    if spot.active and spot.marked:
        parts.append(words["marker_of"].format(colour=words[spot.active]))
    if spot.active and spot.waiting:
        parts.append(words["waiting"].format(colour=words[spot.active], count=spot.waiting))
    if spot.boom:
        parts.append(words["boom_here"])
    pieces = ", ".join(parts)
    return words[spot.kind].format(name=place.name, region=spot.region, size=spot.size, pieces=pieces)


@lru_cache(maxsize=KEPT)
def drawn_place(cut: Cut, place: Place, spot: Spot, style: Style) -> str:
    """One location with its pieces."""
    disc = (town if spot.kind == "town" else city)(cut, place, spot, style.theme)
    label = described(place, spot, style.words)
    return group(
        f"place {spot.kind}{' scored' * spot.scored}",
        title(label),
        disc,
        id=f"place-{slug(place.name)}",
        data_place=place.name,
        data_region=spot.region,
        role="img",
        aria_label=label,
    )


def spot_of(name: str, view: Row) -> Spot:
    """What a view says about a location."""
    row, waiting, marked = view["locations"][name], view["centre"].get(name, 0), name in view["markers"]
    return Spot(
        kind=row["kind"],
        region=row["region"],
        size=row["size"],
        spaces=tuple(row["spaces"]),
        scored=row["scored"],
        waiting=waiting,
        active=view["players"][view["current_player"]]["colour"] if waiting or marked else None,
        marked=marked,
        boom=view.get("boom") == name,
    )


def noted(view: Row) -> Iterable[str | None]:
    """The locations of which a view says more than in their rows."""
    return *view["centre"], *view["markers"], view.get("boom")


def place_groups(
    cut: Cut, view: Row, style: Style, before: Row | None = None, drawn: Mapping[str, str] | None = None
) -> dict[str, str]:
    """All locations in play, each by its id.

    With what was `drawn` of the view `before`: locations whose rows are the very same objects look as they did there.
    """
    if before is None or drawn is None:
        return {
            f"place-{slug(name)}": drawn_place(cut, place, spot_of(name, view), style)
            for name, place in cut.places.items()
        }
    rows, known, changed = view["locations"], before["locations"], {*noted(view), *noted(before)}
    return {
        key: markup
        if rows[name] is known[name] and name not in changed
        else drawn_place(cut, cut.places[name], spot_of(name, view), style)
        for name, (key, markup) in zip(cut.places, drawn.items(), strict=True)
    }


def places(cut: Cut, view: Row, style: Style, news: Iterable[str] = ()) -> str:
    """All locations in play, then the current player's markers on them, and marks around those in the news."""
    return group("places", *place_groups(cut, view, style).values(), id="places") + extras(cut, view, style, news)


def extras(cut: Cut, view: Row, style: Style, news: Iterable[str] = ()) -> str:
    """The current player's markers on locations, and marks around those in the news."""
    drawn = [news_mark(cut, cut.places[name], spot_of(name, view), style) for name in news if name in cut.places]
    drawn += [marker(cut, cut.places[name], spot_of(name, view), style) for name in view["markers"]]
    if view.get("boom"):
        drawn.append(boom(cut.places[view["boom"]], style))
    return group("extras", *drawn, id="extras", aria_hidden="true")
