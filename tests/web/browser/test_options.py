"""Every option switched on, played for some turns."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from web.browser.guest import Guest

MOST_STEPS = 60


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
