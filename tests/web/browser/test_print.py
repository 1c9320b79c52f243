"""Pages on paper: black on white whatever the theme, the whole map whatever the screen."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from recorded_games import record
from web.browser.guest import Guest

WHITE = "rgb(255, 255, 255)"
SHADES = """parts => [...document.querySelectorAll(parts)].filter(part => part.checkVisibility())
  .map(part => getComputedStyle(part).backgroundColor)"""
SKY = "getComputedStyle(document.body, '::before').display"


def test_the_whole_map_is_printed_where_the_screen_shows_a_part(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark")
    guest.open_table("me", "me", introductory=1)
    guest.expect_to_act()
    board = guest.page.locator("#board")
    part = board.get_attribute("viewBox")
    guest.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    guest.page.emulate_media(media="print")
    printed = [float(side) for side in (board.get_attribute("viewBox") or "").split()]
    assert printed == [0, 0, *printed[2:]]
    assert printed[2] > float((part or "").split()[2])
    expect(guest.page.locator("#track")).to_be_visible()
    assert set(guest.page.evaluate(SHADES, "body, .player")) == {WHITE}
    guest.page.emulate_media(media="screen")
    guest.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(board).to_have_attribute("viewBox", re.compile(f" {re.escape(' '.join((part or '').split()[2:]))}$"))


@pytest.mark.parametrize("path", ["/rules", "/rules/aid"])
def test_rules_are_printed_black_on_white_without_the_sky(new_guest: Callable[..., Guest], path: str) -> None:
    guest = new_guest(color_scheme="dark")
    guest.go(path)
    assert guest.page.evaluate(SHADES, "body, .card") != [WHITE]
    guest.page.emulate_media(media="print")
    assert set(guest.page.evaluate(SHADES, "body, .card")) <= {WHITE, "rgba(0, 0, 0, 0)"}
    assert guest.page.evaluate(SKY) == "none"
    assert guest.page.locator("h1").evaluate("title => getComputedStyle(title).color") == "rgb(0, 0, 0)"


def test_of_a_game_that_is_over_the_result_is_printed(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 1280, "height": 720})
    table = guest.look(record("base-5"))
    guest.visit(table)
    guest.expect_listening()
    guest.page.emulate_media(media="print")
    news = guest.page.locator("#news")
    expect(news).to_contain_text("wins with")
    expect(news).not_to_contain_text("Close to scoring")
    expect(news.locator("li small")).to_have_count(5)
    for sources in news.locator("li small").all():
        expect(sources).to_be_visible()  # on the screen there may be no room for them
