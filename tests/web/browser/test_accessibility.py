"""axe looks at every page, by day and by night; colours that are chosen, or follow the system."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from recorded_games import record
from web.browser.guest import Guest
from web.browser.page_checks import complaints, expect_accessible

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
COLOURS = ["light", "dark"]
GAINS = 153  # moves of base-5: the end of the turn would bring points to three others


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("colours", COLOURS)
def test_axe_finds_nothing_serious(new_guest: Callable[..., Guest], colours: str, screen: dict[str, Any]) -> None:
    guest = new_guest(color_scheme=colours, **screen)
    guest.open_table("me", "newcomer", record=record("everything-2", 132), public=1)
    guest.expect_to_act()
    expect_accessible(guest)
    guest.go("/")
    expect(guest.page.locator(".tables")).not_to_have_count(0)
    expect_accessible(guest)
    guest.go("/new")
    guest.page.locator(".options").evaluate("options => { options.open = true; }")
    guest.page.get_by_text("More", exact=True).click()
    expect_accessible(guest)
    guest.look(record("base-2"))
    guest.visit(guest.id)
    expect(guest.page.locator("#after .bars")).to_be_visible()
    expect_accessible(guest)


def test_axe_finds_nothing_serious_where_one_seldom_looks(guest: Guest) -> None:
    guest.pardon("404")
    for path in ("/look", "/rules", "/rules/aid", "/learn", "/t/nowhere"):
        guest.go(path)
        expect_accessible(guest)
    guest.open_table("me", "open", expert="draft")
    for tab in ("Regions", "Chat", "Log"):
        guest.page.get_by_role("tab", name=tab).click()
        expect_accessible(guest)
    guest.page.mouse.click(*guest.middle(guest.targets.first))
    expect(guest.chooser).to_have_count(1)
    expect_accessible(guest)
    guest.page.keyboard.press("Escape")
    guest.page.keyboard.press("?")
    expect(guest.page.locator("#keys[open]")).to_have_count(1)
    expect_accessible(guest)
    guest.page.keyboard.press("Escape")
    guest.visit(guest.look(record("base-2")), "?move=62")
    guest.page.locator(".go-on summary").click()
    expect_accessible(guest)


def test_axe_finds_words_that_do_not_stand_out(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.page.locator("#tab-log").evaluate("tab => { tab.style.color = '#888'; tab.style.backgroundColor = '#999'; }")
    assert [text.split()[0] for text in complaints(guest)] == ["color-contrast"], "although the page is not painted"
    guest.go("/look")
    guest.page.locator("h1").evaluate("title => { title.style.color = '#eee'; }")
    assert [text.split()[0] for text in complaints(guest)] == ["color-contrast"], "although it lies on the sky"


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize(("colours", "faint"), [("light", "#8a8175"), ("dark", "#66607c")], ids=COLOURS)
def test_axe_finds_a_single_number_that_does_not_stand_out(
    new_guest: Callable[..., Guest], colours: str, faint: str, screen: dict[str, Any]
) -> None:
    guest = new_guest(color_scheme=colours, **screen)
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", GAINS))
    guest.expect_to_act()
    assert complaints(guest) == []
    ghosts = guest.page.locator(".player .gain .ghost")
    ghosts.last.evaluate("(ghost, faint) => { ghost.style.color = faint; }", faint)
    assert [text.split()[0] for text in complaints(guest)] == ["color-contrast"]


@pytest.mark.parametrize(("colours", "screen"), [("light", {}), ("dark", PHONE)], ids=["wide", "phone"])
def test_axe_finds_nothing_serious_about_accounts(
    new_guest: Callable[..., Guest], colours: str, screen: dict[str, Any]
) -> None:
    guest = new_guest(color_scheme=colours, **screen)
    for path in ("/sign-in", "/register", "/people"):
        guest.go(path)
        expect_accessible(guest)
    name = f"Player {uuid4().hex[:8]}"
    guest.post("/register", {"name": name, "password": "correct horse"})
    guest.post("/account/tokens", {"name": "my bot"})
    for path in ("/account", f"/people/{name}", "/"):
        guest.go(path)
        expect_accessible(guest)
    guest.open_table("me", "newcomer", clock="daily 24+3")
    guest.expect_to_act()
    expect_accessible(guest)


@pytest.mark.parametrize("width", [870, 1024, 1210, 1400])
def test_the_words_of_the_tabs_fit(new_guest: Callable[..., Guest], width: int) -> None:
    guest = new_guest(viewport={"width": width, "height": 800}, locale="fr")
    guest.open_table("me", "newcomer")
    tabs = [tab for tab in guest.page.get_by_role("tab").all() if tab.is_visible()]
    assert len(tabs) == 4
    for tab in tabs:
        assert tab.evaluate("tab => tab.scrollWidth <= tab.clientWidth")


def background(guest: Guest) -> str:
    return str(guest.page.evaluate("getComputedStyle(document.body).backgroundColor"))


def water(guest: Guest) -> str:
    return str(guest.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--f-water')"))


def test_colours_follow_the_system_until_they_are_chosen(new_guest: Callable[..., Guest]) -> None:
    day, night = new_guest(color_scheme="light"), new_guest(color_scheme="dark")
    for theme in (day, night):
        theme.open_table("me", "me", introductory=1)
    light, dark = (background(day), water(day)), (background(night), water(night))
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    for guest, chosen, seen in ((day, "dark", dark), (night, "light", light), (night, "auto", dark)):
        guest.set("theme", chosen)
        assert (background(guest), water(guest)) == seen
    day.go("/")
    assert background(day) == dark[0]
