"""The rules for players: sections in plain words, with pictures from a real game.

The authoritative clauses are in docs/rules.md; every section names those it explains.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from franchise.drawing.cuts import cut_of
from franchise.drawing.geometry import Box
from franchise.drawing.layers import anonymous, ground_svg, piece_groups, pieces_svg
from franchise.drawing.markup import number, slug
from franchise.drawing.page_colours import PAGE
from franchise.drawing.place_names import name_of
from franchise.game import Game
from franchise.web.lessons import script
from franchise.wording.language import N_, Language

CUT = "M"  # of the board, which a picture shows a part of
AROUND = 70.0  # pixels to each side of what a picture shows
EDGE = 4.0  # pixels between a name and the edge


@dataclass(frozen=True)
class RulePicture:
    """Some places of the scripted game after so many moves."""

    moves: int
    places: tuple[str, ...]
    caption: str


@dataclass(frozen=True)
class Section:
    """A part of the rules."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    clauses: str
    picture: RulePicture | None = None


SECTIONS = (
    Section(
        "aim",
        N_("The aim"),
        (
            N_(
                "You spread a chain of franchises over America. Influence points win: you gain them for cities "
                "where you have the most, for regions, and at the end for towns, money and unused bonus tiles."
            ),
        ),
        "4.3–4.4",
    ),
    Section(
        "places",
        N_("The board"),
        (
            N_(
                "There are 20 towns with one space each and 25 cities with two to eight spaces. Links join them; "
                "using one costs $0, $1, $3, $5 or $8. Ten regions group them."
            ),
            N_("With two or three players, three regions in the west are out of play."),
        ),
        "1.1–1.6",
        RulePicture(
            5,
            ("Kansas City", "Little Rock"),
            N_("A town and a city, each with a franchise, and the links around them."),
        ),
    ),
    Section(
        "start",
        N_("The start"),
        (
            N_(
                "The last player chooses a town first, the first player last. Everybody has 40 franchises, some "
                "money and three bonus tiles, four with two or three players."
            ),
            N_("In the introductory game the towns are given, two for each player."),
        ),
        "1.6–1.8",
    ),
    Section(
        "turn",
        N_("The turn"),
        (
            N_(
                "A turn has five phases: income; expand once; increase market share; open franchises and score "
                "cities; score regions. You decide in the second and third, the others run by themselves."
            ),
        ),
        "2",
    ),
    Section(
        "income",
        N_("Income"),
        (
            N_(
                "Count the empty spaces of all unscored cities where you have a franchise. The income chart turns"
                " the sum into $1 to $7. Towns never count, and you always get at least $1."
            ),
            N_("That is the heart of the game: the city you are about to fill or score is a city that pays you."),
        ),
        "2.1–2.2",
    ),
    Section(
        "expand",
        N_("Expand once"),
        (
            N_(
                "Choose one link from a place of yours to a neighbouring place, pay its price and put your "
                "expansion marker there. A town must be empty. A city must be unscored, have an empty space, and "
                "hold none of your franchises. You may expand from scored cities, too. You do not have to expand."
            ),
        ),
        "2.3–2.6",
        RulePicture(18, ("Chicago", "Washington"), N_("There are expansion markers in Chicago and Washington.")),
    ),
    Section(
        "grow",
        N_("Increase market share"),
        (
            N_(
                "In each unscored city where you have a franchise and a space is empty, you may put one more "
                "franchise into the centre for $1, once in each city and turn. A city with nothing but your "
                "expansion marker does not count yet."
            ),
            N_("Opening and growing are different things: you open somewhere new; you grow where you already are."),
        ),
        "2.7–2.8",
    ),
    Section(
        "open",
        N_("Open franchises and score cities"),
        (
            N_(
                "Expansion markers become franchises; then the franchises in the centres move to the next empty "
                "spaces, clockwise. After each of them, the city is checked."
            ),
            N_(
                "If you now hold more than half of its spaces, you have the absolute majority and gain as many "
                "influence points as the city has spaces. If it is full without one, whoever has the most there "
                "gains half, rounded down; if several do, the one whose franchise comes first, clockwise from the"
                " first space."
            ),
            N_(
                "The city is then closed for good. The player who gained the points takes back all but one of their "
                "franchises there. The city pays no more income, but its links can still be used."
            ),
            N_(
                "When the first city of a region is scored, the active player puts a franchise beside the region "
                "tile: it breaks ties there."
            ),
        ),
        "2.9–2.15",
        RulePicture(48, ("Chicago", "Detroit"), N_("Chicago after an absolute majority: closed, one franchise stays.")),
    ),
    Section(
        "regions",
        N_("Score regions"),
        (
            N_(
                "A region is scored when each of its towns is taken and each of its cities is scored. Whoever has"
                " the most franchises there gains the first value of its tile, whoever has the second most gains "
                "the second, and everyone else present gains the third. With two players, the second player gains"
                " the third value."
            ),
            N_(
                "Ties go to the owner of the franchise beside the tile, then clockwise. The tile moves to the "
                "region track, and the active player gains the number printed there."
            ),
        ),
        "2.16–2.20",
        RulePicture(118, ("Washington", "Raleigh"), N_("The region Washington, scored.")),
    ),
    Section(
        "bonus",
        N_("Bonus tiles"),
        (
            N_(
                "From your second turn on you may use one bonus tile in a turn. It leaves the game. Choose one of"
                " three:"
            ),
            N_("Expand a second time, after a first expansion, at the usual price."),
            N_("Double market share: a second franchise, free, where you put one this turn; two spaces must be empty."),
            N_("Dollar: take ${bonus_dollars}, at any moment of your turn."),
        ),
        "3.1–3.5",
    ),
    Section(
        "end",
        N_("End of the game and final scoring"),
        (
            N_(
                "The game ends after a turn in which a region tile lies in the red zone of the track, or when "
                "everybody in succession has ended a turn without expanding."
            ),
            N_(
                "Then there is 1 influence for each franchise in a town, 1 for every full $3, and "
                "{bonus_influence} for every unused bonus tile. The most influence wins; a tie goes to the player"
                " with more franchises in towns; if players are still tied, they share the victory."
            ),
        ),
        "4.1–4.5",
        RulePicture(156, ("Jacksonville", "Atlanta"), N_("The end of the scripted game.")),
    ),
    Section(
        "expert",
        N_("Expert variant"),
        (
            N_(
                "Each city takes any city tile with the same back, and each region any region tile: dealt at "
                "random, or placed by the players in turn, cities first."
            ),
        ),
        "5",
    ),
    Section(
        "milestones",
        N_("Milestones"),
        (
            N_(
                "Bonus tiles are not dealt. Five or six milestones lie face up; whoever meets one, even in "
                "another player’s turn, marks it and takes one of their bonus tiles, which they can use from "
                "their next turn on."
            ),
        ),
        "6",
    ),
    Section(
        "boom",
        N_("Boom"),
        (
            N_(
                "The boom marker lies beside a city whose empty spaces count double for income. At the start of a"
                " turn, before income, the player may move it to a city with a direct connection, also through "
                "towns and scored cities. Beside a scored city it helps nobody."
            ),
        ),
        "7",
    ),
    Section(
        "tiles",
        N_("New regions"),
        (
            N_(
                "Twenty more region tiles. Some pay dollars; some depend on the number of tiles on the track; two"
                " give back a bonus tile; one brings the road tile, which pays for a link once; one brings the "
                "expansion tile, with which you may once expand over any number of links."
            ),
            N_(
                "If two or more regions are waiting to be scored and one of their tiles depends on the track, the "
                "active player chooses which is scored next."
            ),
        ),
        "8",
    ),
)
IDS = {section.id: section for section in SECTIONS}
FOR_PHASE = {
    "draft": "expert",
    "start": "start",
    "boom": "boom",
    "expand": "expand",
    "grow": "grow",
    "score": "regions",
    "over": "end",
}


@cache
def drawn(picture: RulePicture, language: Language) -> str:
    """The picture as SVG."""
    return cutout(script().at(picture.moves), picture.places, language)


def cutout(game: Game, places: Iterable[str], language: Language) -> str:
    """The part of the board around some places, as SVG; the whole board where there are none.

    It shows their names; of others, and of the plates, those for which it has room.
    """
    cut, named = cut_of(game.view(), CUT), list(places)
    shown = [cut.places[name] for name in named if name in cut.places] or list(cut.places.values())
    boxes = [place.label.box.grown(EDGE) for place in shown]
    boxes += [Box.around(place.at, 2 * AROUND, 2 * AROUND) for place in shown]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    frame = Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)
    key = f"{len(game.actions)}-{slug(named[0] if named else 'all')}"
    ground, pieces = ground_svg(game, language.words, CUT), pieces_svg(game, language.words, CUT)
    for place in cut.places.values():
        if not frame.holds(place.label.box.grown(EDGE)):
            ground = ground.replace(name_of(place, PAGE), "")
    plates = piece_groups(game, language.words, CUT).plates
    for region, box in cut.plates.items():
        if not frame.holds(box):
            pieces = pieces.replace(plates.get(f"region-{slug(region)}", ""), "")
    inner = anonymous(ground + pieces, key)
    return f'<svg viewBox="{" ".join(map(number, frame))}" class="example" aria-hidden="true">{inner}</svg>'
