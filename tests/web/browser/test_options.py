"""Every option switched on, played for some turns."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from franchise import Game, Options
from franchise.engine.layout import Kind
from franchise.facts import BOARD
from web.browser.guest import Guest, resize
from web.browser.page_checks import plain

MOST_STEPS = 60
WIDE: ViewportSize = {"width": 1440, "height": 900}
SIZES: tuple[ViewportSize, ...] = (
    WIDE,
    {"width": 1280, "height": 720},
    {"width": 820, "height": 1180},
    {"width": 390, "height": 844},
    {"width": 740, "height": 360},
)
SEEN = """parts => parts.map(part => {
  const words = document.createRange();
  words.selectNodeContents(part);
  const { left, right, top, bottom } = words.getBoundingClientRect();
  const met = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && met.includes(part);
})"""  # whether the words of a part are in sight, and nothing cuts them off


def play_until_turn(guest: Guest, turn: int) -> None:
    """Take whatever is offered first until that turn begins."""
    for _ in range(MOST_STEPS):
        guest.expect_to_act()
        if guest.api()["turn"] >= turn:
            return
        if guest.places:
            guest.choose(guest.places[0])
        elif guest.button("e").count():
            guest.end_turn()
        else:
            guest.press("d")
    raise AssertionError(f"turn {turn} never came")


def set_up(guest: Guest, *chosen: str) -> None:
    """Open a table with options by their names, `group: choice` where there is one; two people in one browser."""
    guest.go("/new")
    guest.page.get_by_role("radio", name="2", exact=True).check()
    guest.page.get_by_label("Seat 2").select_option("guest")
    for name in (*chosen, "Seat order: As shown"):
        group, _, choice = name.partition(": ")
        if group == "Clock":
            guest.page.locator("select[name=clock]").select_option(label=choice)
        elif choice:
            guest.page.get_by_role("group", name=group).get_by_role("radio", name=choice).check()
        else:
            guest.page.get_by_role("switch", name=name).check()
    guest.page.get_by_text("More", exact=True).click()
    guest.page.get_by_label("Seed").fill("5")
    guest.page.get_by_role("button", name="Open the table").click()
    guest.expect_to_act()


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (["Milestones"], {"milestones": True}),
        (["Boom"], {"boom": True}),
        (["New Regions: Mixed"], {"regions": "mixed"}),
        (["New Regions: New"], {"regions": "new"}),
        (["Expert set-up: Dealt"], {"expert": "random"}),
        (["Clock: 20 minutes"], {}),
        (
            ["Milestones", "Boom", "New Regions: New", "Expert set-up: Dealt"],
            {"milestones": True, "boom": True, "regions": "new", "expert": "random"},
        ),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
def test_an_option_of_the_start_page_is_in_play(guest: Guest, names: list[str], options: dict[str, Any]) -> None:
    set_up(guest, *names)
    chosen = guest.api()["options"]
    assert {name: chosen[name] for name in options} == options
    if options.get("milestones"):
        expect(guest.page.locator("#players .modules", has_text="Milestones").locator("li").first).to_be_visible()
    if options.get("regions") == "new":
        expect(guest.page.locator("#regions .kind").first).to_be_attached()
    if "Clock: 20 minutes" in names:
        expect(guest.page.locator("#player-0 .clock")).to_have_text("20:00")
        expect(guest.page.locator("#player-1 .clock")).to_have_text(re.compile("^(20:[0-3]|19:)"))  # runs, from 20:30
    play_until_turn(guest, 3)
    if options.get("boom"):
        assert guest.api()["view"]["boom"]
        expect(guest.page.locator("#prompt")).to_contain_text("boom marker")
    guest.page.reload()
    guest.expect_to_act()


def test_a_draft_puts_tile_after_tile_by_choosing_a_place_and_then_a_tile(guest: Guest) -> None:
    set_up(guest, "Expert set-up: Draft")
    expect(guest.page.locator("#prompt")).to_contain_text("Choose a city, then its tile.")
    first = guest.places[0]
    guest.page.mouse.click(*guest.middle(guest.target(first)))
    ways = guest.chooser.locator(".ways button")
    expect(ways).to_have_count(guest.spot(first).count())
    assert ways.count() > 1
    expect(guest.page.locator("#prompt-title")).to_have_text(f"{first}: {ways.first.inner_text()}")
    wanted = ways.last.get_attribute("data-moves")
    with guest.change():
        ways.last.click()
    assert first not in guest.places
    assert str(wanted).split()[0] == "tile"
    assert any(first in line for line in guest.log)
    while "Choose a region" not in guest.page.locator("#prompt-title").inner_text():
        guest.choose(guest.places[0])
        assert guest.version < MOST_STEPS
    region = guest.places[0]
    guest.tap(region)
    assert region not in guest.places
    assert any(region in line for line in guest.log)
    play_until_turn(guest, 2)
    assert guest.api()["phase"] == "expand"


def words_in_sight(chips: Locator) -> list[str]:
    """What a row of chips says to people: also what its last one shows, once it is pressed."""
    assert all(chips.locator(".chip:not([hidden], .more)").evaluate_all(SEEN))
    said: list[str] = chips.locator(".chip:not([hidden], .more)").all_inner_texts()
    more = chips.locator(".more")
    if more.count():
        more.get_by_role("button").click()
        assert all(more.locator(".rest").evaluate_all(SEEN))
        said += more.locator(".rest").inner_text().split(", ")
    return [plain(text) for text in said]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_tile_that_a_draft_has_still_to_place_can_be_read(
    new_guest: Callable[..., Guest], size: ViewportSize
) -> None:
    guest = new_guest(viewport=WIDE, locale="de-DE")
    game = Game(5, 7, Options(expert="draft", regions="mixed"))
    for kind in (Kind.TILE, Kind.REGION):
        while game.legal_actions()[0].kind != kind:
            game.play(game.legal_actions()[0])
        guest.open_table(*["me"] * 5, record=game.to_text())
        guest.expect_to_act()
        resize(guest.page, **size)
        actions = game.legal_actions()
        if kind == Kind.TILE:
            left = game.state["pool"][0]
            tiles = [f"{tile} ×{left[tile]}" for tile in sorted({action.size for action in actions})]
        else:
            drafted = [BOARD.tiles[number] for number in sorted({action.tile for action in actions})]
            tiles = [f"{tile.id} {'/'.join(map(str, tile.values))}" for tile in drafted]
        assert words_in_sight(guest.page.locator("#prompt .chips")) == tiles
