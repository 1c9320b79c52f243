"""The analysis of a game: begun, left and come back to, looked at wide and on a phone, in every language."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from recorded_games import THROWN, record
from web.browser.guest import PATIENCE, Guest
from web.browser.page_checks import expect_accessible

PHONE = {"width": 390, "height": 844}
LOOKS = ["light", "dark", "french"]
NOTATION = re.compile(r"(^|; )(expand|again|grow|double|done|end|start)\b")  # of a record, not for people
WORDS = {"en-GB": "Turning points", "de-DE": "Wendepunkte", "fr-FR": "Tournants"}


def analysed(guest: Guest) -> str:
    """A table with that record, whose analysis is on the page; its id."""
    table = guest.look(THROWN.to_text())
    guest.go(f"/t/{table}/analysis")
    begin = guest.page.locator("#review button.primary")
    if begin.count():  # the first one who asks
        begin.click()
        guest.page.locator("#review progress, .points").first.wait_for()
        guest.go("/")  # and comes back
        guest.go(f"/t/{table}/analysis")
    guest.page.locator(".points").wait_for(timeout=4 * PATIENCE)  # it gives way to everything else on the machine
    return table


@pytest.mark.parametrize(("locale", "size"), [("en-GB", None), ("de-DE", PHONE), ("fr-FR", PHONE)], ids=LOOKS)
def test_turning_points_lead_to_their_moments(
    new_guest: Callable[..., Guest], locale: str, size: dict[str, int] | None
) -> None:
    dark = {"color_scheme": "dark"} if locale == "de-DE" else {}
    guest = new_guest(locale=locale, **dark, **({"viewport": size} if size else {}))
    analysed(guest)
    page = guest.page
    expect(page.get_by_role("heading", name=WORDS[locale])).to_be_visible()
    wide, small = page.locator(".chances .wide"), page.locator(".chances .small")
    expect(small if size else wide).to_be_visible()
    expect(wide if size else small).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect_accessible(guest)
    point = page.locator(".points > li", has=page.locator("h3", has_text="33"))
    expect(point).to_have_count(1)
    for text in page.locator(".points ol li").all_inner_texts():
        assert not NOTATION.search(text), text
    point.get_by_role("link").last.click()
    ways = page.locator(".two > .way")
    expect(ways).to_have_count(2)
    expect(page.locator(".two svg.example")).to_have_count(2)
    chances = [int(re.sub(r"\D", "", way.locator(".influence dd").inner_text())) for way in ways.all()]
    assert chances[0] < 20 < 80 < chances[1], "what was played, and what would have been better"
    expect(ways.nth(1)).to_have_class(re.compile("better"))
    for text in page.locator(".two li, .two h2, table.best td, option").all_inner_texts():
        assert not NOTATION.search(text), text
    expect_accessible(guest)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.go_back()
    page.locator(".points > li", has=page.locator("h3", has_text="33")).get_by_role("link").first.click()
    expect(guest.status).to_have_attribute("data-moves", re.compile("14[2-4]"))


def test_two_moves_of_any_moment_can_be_compared(guest: Guest) -> None:
    table = guest.look(record("introductory-2"))
    guest.visit(table, "?move=21")
    guest.page.locator(".go-on summary").click()
    guest.page.get_by_role("link", name="Analyse this moment").click()
    choose = guest.page.get_by_label("Another move")
    last = choose.locator("option").last.inner_text()
    choose.select_option(label=last)
    guest.page.get_by_role("button", name="Compare").click()
    expect(guest.page.locator(".two h2").nth(1)).to_have_text(last)
    guest.pardon("422")
    guest.go(f"/t/{table}/analysis/moment?move=21&first=expand+Nowhere")
    expect(guest.page.get_by_role("alert")).to_be_visible()
