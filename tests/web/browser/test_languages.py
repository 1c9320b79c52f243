"""English, German and French, on every page."""

import html
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from franchise.wording.language import LANGUAGES, language
from recorded_games import record
from web.browser.guest import Guest, resize
from web.browser.page_checks import expect_language

BOT_AND_PERSON = ("newcomer", "me")
SIZES: tuple[ViewportSize, ...] = ({"width": 1440, "height": 900}, {"width": 1280, "height": 720})
FITS = """status => [...status.children].every(text => text.scrollWidth <= text.clientWidth + 1)
  && status.getBoundingClientRect().height <= status.parentElement.clientHeight"""
OTHERS = [code for code in LANGUAGES if code != "en"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_start_page_table_and_final_screen_speak_the_language_of_the_browser(
    new_guest: Callable[..., Guest], code: str
) -> None:
    guest = new_guest(locale=code)
    guest.go("/")
    expect_language(guest.page, code, "Play", "Tables waiting", "New here?")
    guest.go("/new")
    expect_language(guest.page, code, "Open a table", "Boom", "Introductory game", "Seat order")
    guest.open_table(*BOT_AND_PERSON, record=record("everything-2", 132))
    guest.expect_to_act()
    expect_language(guest.page, code, "Undo", "End turn", "Influence", "Cash", "Phases of the turn")
    guest.look(record("base-2"))
    guest.visit(guest.id)
    expect_language(guest.page, code, "Region track", "Rematch", "Download the record", "What decided it")
    for size in SIZES:
        resize(guest.page, **size)
        assert guest.page.locator("#status").evaluate(FITS), f"the end of the game is cut off at {size}"
    resize(guest.page, 1024, 768)
    assert guest.page.locator("#after").evaluate("final => final.scrollWidth - final.clientWidth") == 0
    for path, message in (("/look", "Open a record"), ("/rules", "The aim"), ("/rules/aid", "Overview")):
        guest.go(path)
        expect_language(guest.page, code, message)


@pytest.mark.parametrize("code", OTHERS)
def test_errors_and_refusals_are_in_the_language_too(new_guest: Callable[..., Guest], code: str) -> None:
    guest = new_guest(locale=code)
    guest.pardon("404|422")
    guest.visit("nowhere")
    expect_language(guest.page, code, "Page not found", "Go to the start page")
    table = guest.open_table("me", "me", introductory=1)
    answer = guest.context.request.post(
        f"{guest.address}/t/{table}/move",
        form={"version": "0", "moves": "expand Seattle"},
        headers={"HX-Request": "true", "Accept-Language": code},
    )
    assert answer.status == 422
    reason = "{place} is out of play with this number of players"
    refusal = language(code).text("Not possible: {reason}.", reason=language(code).text(reason, place="Seattle"))
    assert refusal in html.unescape(answer.text())


@pytest.mark.parametrize("code", OTHERS)
def test_the_language_is_chosen_anywhere_and_kept(guest: Guest, code: str) -> None:
    table = guest.open_table("me", "me", record=record("base-2", 62), name="Ada")
    english = guest.log
    guest.set("language", code)
    expect(guest.page.locator("html")).to_have_attribute("lang", code)
    expect(guest.page).to_have_url(f"{guest.address}/t/{table}")
    assert len(guest.log) == len(english)
    assert guest.log != english
    guest.end_turn()
    expect_language(guest.page, code, "Undo", "Choose a place")
    guest.go("/")
    expect_language(guest.page, code, "Play")
    guest.set("language", "en")
    expect_language(guest.page, "en", "Play")


def test_numbers_and_names_stay_when_the_language_changes(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 62))
    numbers = re.findall(r"\d+", guest.page.locator("#players").inner_text())
    guest.set("language", "fr")
    expect(guest.page.locator("html")).to_have_attribute("lang", "fr")
    shown = re.findall(r"\d+", guest.page.locator("#players").inner_text())
    assert shown == numbers
