"""The board of a page in layers: what stays, what moves and what can be chosen; its colours are in `page_css`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from franchise.drawing.board import Viewed, regions_that_are
from franchise.drawing.board_words import Words
from franchise.drawing.cuts import Cut, cut_named, cut_of
from franchise.drawing.land import ART, land
from franchise.drawing.legend import legend
from franchise.drawing.links import links
from franchise.drawing.markup import group, number
from franchise.drawing.page_colours import PAGE, page_css
from franchise.drawing.place_names import names
from franchise.drawing.places import extras, place_groups, places
from franchise.drawing.plates import plate_groups, plates
from franchise.drawing.style import Style, style
from franchise.drawing.targets import Target, targets_svg
from franchise.drawing.theme import SANS
from franchise.drawing.track import track

__all__ = [
    "LAND",
    "Target",
    "anonymous",
    "frame",
    "ground_svg",
    "miniature_svg",
    "page_css",
    "piece_groups",
    "pieces_parts",
    "pieces_svg",
    "targets_svg",
]


HERE = "\0"  # placeholder for the groups of a layer
LAND = "66 6 1080 716"  # the viewBox of a miniature in the large cut: a strip of water around the coast
SMALL = 1.24  # how much larger the discs of a miniature are


def frame(cut: str = "L") -> str:
    """The viewBox of the board."""
    return " ".join(number(side) for side in cut_named(cut).size)


def ground_svg(game: Viewed, words: Words | None = None, cut: str = "L") -> str:
    """Everything that stays the same during a game: land, links, names, legend."""
    view = game.view()
    return ground(cut_of(view, cut), regions_that_are(view, "blocked"), style(PAGE, words))


@lru_cache(maxsize=64)
def ground(cut: Cut, blocked: frozenset[str], style: Style) -> str:
    parts = (land(cut, style, blocked, None), links(cut, style), names(cut, style), legend(cut, style))
    return group("ground", *parts, id="ground", font_family=SANS)


def pieces_svg(game: Viewed, words: Words | None = None, cut: str = "L", news: Iterable[str] = ()) -> str:
    """Everything that a move may change: region plates, places, markers, region track.

    `news` names the places opened since the viewer's last turn; a dashed ring marks them.
    """
    view, drawn_with = game.view(), style(PAGE, words)
    shown = cut_of(view, cut)
    parts = (plates(shown, view, drawn_with), places(shown, view, drawn_with, news), track(shown, view, drawn_with))
    return group("pieces", *parts, id="pieces", font_family=SANS)


@dataclass(frozen=True)
class PieceGroups:
    """Plates and places of one size by their ids, the same for every viewer."""

    cut: Cut
    view: Mapping[str, Any]  # what they show
    plates: dict[str, str]
    places: dict[str, str]


def piece_groups(
    game: Viewed, words: Words | None = None, cut: str = "L", before: PieceGroups | None = None
) -> PieceGroups:
    """Plates and places. With those of another view, in the same words, only what differs is drawn."""
    view, drawn_with = game.view(), style(PAGE, words)
    shown = cut_of(view, cut)
    if before is None or before.cut is not shown:
        return PieceGroups(shown, view, plate_groups(shown, view, drawn_with), place_groups(shown, view, drawn_with))
    return PieceGroups(
        shown,
        view,
        plate_groups(shown, view, drawn_with, before.view, before.plates),
        place_groups(shown, view, drawn_with, before.view, before.places),
    )


def pieces_parts(
    game: Viewed, groups: PieceGroups, words: Words | None = None, cut: str = "L", news: Iterable[str] = ()
) -> list[str | dict[str, str]]:
    """What pieces_svg draws, in parts: markup, and groups by id, so that a page can be sent only the new ones."""
    view, drawn_with = game.view(), style(PAGE, words)
    shown = cut_of(view, cut)
    others = {"extras": extras(shown, view, drawn_with, news), "track": track(shown, view, drawn_with)}
    before, between, after, end = frame_of_pieces()
    return [before, groups.plates, between, groups.places, after, others, end]


@cache
def frame_of_pieces() -> tuple[str, ...]:
    """The markup around the plates, the places and the rest of the pieces."""
    inner = (group(name, HERE, id=name) for name in ("plates", "places"))
    return tuple(group("pieces", *inner, HERE, id="pieces", font_family=SANS).split(HERE))


def miniature_svg(game: Viewed, words: Words | None = None, cut: str = "L") -> str:
    """The map without names, plates and signs, with scored regions veiled, for a small picture."""
    view, drawn_with = game.view(), style(PAGE, words)
    shown = with_larger_discs(cut_of(view, cut))
    blocked, scored = regions_that_are(view, "blocked"), regions_that_are(view, "scored")
    parts = (land(shown, drawn_with, blocked, scored), links(shown, drawn_with), places(shown, view, drawn_with))
    return group("miniature", *parts, font_family=SANS)


@cache
def with_larger_discs(cut: Cut) -> Cut:
    """The cut for a small picture, which has no names that larger discs could hide."""
    radii = {size: radius * SMALL for size, radius in cut.radii.items()}
    return replace(cut, radii=radii, town=cut.town * SMALL, hub=cut.hub * SMALL, hub_type=cut.hub_type * SMALL)


def anonymous(layer: str, key: str) -> str:
    """A layer for a second board on a page: scripts find nothing in it, and its definitions have their own ids."""
    bare = re.sub(rf' id="(?!{ART})', ' data-id="', layer)
    return re.sub(rf'(id="|#){ART}', rf"\g<1>{ART}{key}-", bare)
