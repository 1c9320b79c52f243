"""The rules in the app: every section in every language, with pictures; and true answers to "why not there?"."""

import html
import random
import re

import httpx
import pytest

from franchise.drawing.cuts import cut_of
from franchise.drawing.geometry import Box
from franchise.drawing.markup import slug
from franchise.drawing.page_colours import PAGE
from franchise.drawing.place_names import name_of
from franchise.engine.actions import ACTIONS
from franchise.engine.layout import Kind
from franchise.engine.setups import Options
from franchise.facts import BOARD
from franchise.game import Game
from franchise.web.lessons import script
from franchise.web.rulebook import CUT, FOR_PHASE, IDS, SECTIONS, Section, drawn
from franchise.wording.language import LANGUAGES, language
from franchise.wording.prompt import TILE_WORTH
from franchise.wording.refusals import why_not_here

CHOOSES = {
    "start": (Kind.START,),
    "boom": (Kind.BOOM,),
    "draft": (Kind.TILE,),
    "expand": (Kind.EXPAND, Kind.AGAIN),
    "grow": (Kind.GROW,),
}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.id)
def test_every_section_is_there_in_every_language(section: object, code: str) -> None:
    for text in (section.title, *section.paragraphs):  # type: ignore[attr-defined]
        assert (language(code).text(text) == text) == (code == "en" or text == "Boom")
    picture = section.picture  # type: ignore[attr-defined]
    if picture is not None:
        svg = drawn(picture, language(code))
        assert all(id_.startswith("art-") for id_ in re.findall(r' id="([^"]+)', svg))  # several stand on one page
        assert picture.places[0] in svg


def test_no_two_pictures_of_the_rules_share_an_id() -> None:
    pictures = [drawn(section.picture, language("en")) for section in SECTIONS if section.picture]
    ids = [id_ for svg in pictures for id_ in re.findall(r' id="([^"]+)', svg)]
    assert len(ids) == len(set(ids)) > 0


def test_every_phase_has_its_section() -> None:
    assert set(FOR_PHASE) == {"draft", "start", "boom", "expand", "grow", "score", "over"}
    assert set(FOR_PHASE.values()) <= set(IDS)


@pytest.mark.parametrize("players", [2, 4, 5])
@pytest.mark.parametrize("options", [Options(), Options(boom=True, milestones=True), Options(expert="draft")], ids=str)
def test_why_not_is_true_for_every_place_over_random_games(players: int, options: Options) -> None:
    english = language("en")
    chance = random.Random(players)
    game = Game(players, seed=players, options=options)
    asked = refused = 0
    explained: set[str] = set()
    while not game.over:
        kinds = CHOOSES[game.phase]
        open_now = {action.place for action in game.legal_actions() if action.kind in kinds}
        named = {action.place for action in ACTIONS if action.kind in kinds}
        if chance.random() < 0.15:
            for place in range(len(BOARD.locations)):
                answer = why_not_here(game, place, english)
                asked += 1
                if place in open_now:
                    assert answer == "You can choose it."
                elif place in BOARD.blocked(players):
                    refused += 1
                    explained.add(confirmed(game, BOARD.locations[place].name, answer))
                else:
                    refused += 1
                    assert answer.startswith(("Not possible: ", "Region tiles")) or place not in named
                    assert answer != "You can choose it."
                    explained.add(confirmed(game, BOARD.locations[place].name, answer))
        game.play(chance.choice(game.legal_actions()))
    assert asked > refused > 0
    assert len(explained) > 5, explained


class Claims:
    """What an answer says of a place, each looked up in the public view of the game."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.view, self.name = game, game.view(), name
        self.place = self.view["locations"][name]
        self.me = self.view["players"][game.current_player]
        self.mine = [spot for spot, row in self.view["locations"].items() if self.me["colour"] in row["spaces"]]
        self.prices = sorted(
            link.price
            for link in BOARD.links
            for near, other in (link.ends, link.ends[::-1])
            if BOARD.locations[other].name == name and BOARD.locations[near].name in self.mine
        )
        self.used = self.view["bonus_used"]

    def sayings(self) -> dict[str, bool]:
        """Every answer there is, and whether it is so."""
        place, me, cash = self.place, self.me, self.me["cash"]
        city = place["kind"] == "city"
        here = me["colour"] in place["spaces"]
        marked = self.name in self.view["markers"]
        cheapest = self.prices[0] if self.prices else 0
        turns = (self.view["turn"] - 1) // self.game.players
        return {
            f"{self.name} is out of play with this number of players": place["blocked"],
            f"the town {self.name} is taken": not city and None not in place["spaces"],
            f"you already have a franchise in {self.name}": here,
            f"you have no franchise in {self.name}": not here,
            f"{self.name} has been scored and has no spaces left": place["scored"],
            f"{self.name} is scored": place["scored"],
            f"{self.name} is not linked to any of your locations": not self.prices,
            f"the link to {self.name} costs ${cheapest}, but you have ${cash}": bool(self.prices) and cash < cheapest,
            f"your expansion marker is already in {self.name}": marked,
            f"{self.name} holds only your expansion marker of this turn": marked and not here,
            f"you have already increased your market share in {self.name} this turn": self.name in self.view["centre"],
            "increasing market share costs $1, but you have no money": cash == 0,
            "you have no bonus tile": me["bonus_tiles"] == 0,
            "only one bonus tile can be used in a turn": self.used,
            "bonus tiles cannot be used on a player's first turn": turns == 0,
            "a bonus tile gained this turn can be used from the next turn on": me["bonus_tiles"] > 0 and not self.used,
            "you have no franchise left in supply": me["supply"] == 0,
            f"{self.name} already has its city tile": city and place["size"] is not None,
            f"the boom marker is already in {self.name}; write stay": self.view.get("boom") == self.name,
            f"{self.name} has no direct connection to {self.view.get('boom')}": self.view.get("boom") != self.name,
        }


def confirmed(game: Game, name: str, answer: str) -> str:
    """The kind of an answer that is true, without the name of its place."""
    if answer == "Region tiles are placed now: choose a region.":
        assert all(action.kind == Kind.REGION for action in game.legal_actions())
        return answer
    if answer == f"{name} is out of play with this number of players.":
        assert game.view()["locations"][name]["blocked"]
        return "out of play"
    if not answer.startswith("Not possible: "):
        kind = "city" if game.phase == "start" else "town"
        assert answer.startswith(f"{name} is a {kind}: ")
        assert game.view()["locations"][name]["kind"] == kind
        return kind
    reason = answer.removeprefix("Not possible: ").removesuffix(".")
    known = Claims(game, name).sayings()
    assert reason in known, f"nobody has checked: {reason}"
    assert known[reason], f"not so after {len(game.actions)} moves: {reason}"
    return re.sub(r"\$\d+", "$", reason.replace(name, ""))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rules_are_sentences_without_the_numbers_of_clauses(client: httpx.Client, code: str) -> None:
    page = client.get("/rules", headers={"Accept-Language": code})
    assert page.is_success
    text = html.unescape(re.sub(r"<[^>]+>", " ", page.text.split("<main", 1)[1]))
    assert not re.search(r"\b\d+\.\d+\b", text)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("path", ["/rules", "/rules/aid"])
def test_what_a_bonus_tile_is_worth_stands_in_the_rules(client: httpx.Client, path: str, code: str) -> None:
    page = client.get(path, headers={"Accept-Language": code}).text
    told = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert not re.search(r"[{}]", told)
    assert language(code).money(TILE_WORTH["bonus_dollars"]) in html.unescape(told)


@pytest.mark.parametrize(
    "section", [section for section in SECTIONS if section.picture], ids=lambda section: section.id
)
def test_no_name_is_cut_by_the_edge_of_a_picture(section: Section) -> None:
    assert section.picture is not None
    svg = drawn(section.picture, language("en"))
    edges = re.search(r'viewBox="([^"]+)"', svg)
    assert edges is not None
    frame = Box(*map(float, edges[1].split()))
    cut = cut_of(script().at(section.picture.moves).view(), CUT)
    written = [place for place in cut.places.values() if name_of(place, PAGE) in svg]
    assert {place.name for place in written} >= set(section.picture.places)
    assert len(written) < len(cut.places)
    assert [place.name for place in written if not frame.holds(place.label.box)] == []
    plates = {region: box for region, box in cut.plates.items() if f'id="region-{slug(region)}"' in svg}
    assert [region for region, box in plates.items() if not frame.holds(box)] == []


def test_what_a_caption_names_is_on_its_picture() -> None:
    for section in SECTIONS:
        if section.picture is not None:
            named = {place.name for place in BOARD.locations if place.name in section.picture.caption}
            assert named <= set(section.picture.places)
