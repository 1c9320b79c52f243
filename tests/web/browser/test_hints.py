"""How a hint looks in the browser."""

from collections.abc import Callable

from playwright.sync_api import expect

from recorded_games import record
from web.browser.guest import Guest
from web.browser.page_checks import PHONE_SIZE, expect_accessible


def test_a_hint_shows_on_the_map_and_can_be_followed(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.page.get_by_role("button", name="Hint").click()
    hint = guest.page.locator("#hint")
    expect(hint).to_be_visible()
    expect(hint.locator("h2 > svg.symbol")).to_be_visible()  # ours: not every machine has letters for a bulb
    first = str(hint.locator("li").first.text_content())
    hinted = guest.page.locator("#targets .target.hinted")
    expect(hinted).to_have_count(1)
    assert first.startswith(str(hinted.get_attribute("data-place")))
    expect(guest.page.locator("#spoken")).to_contain_text(first)
    with guest.change():
        guest.main.click()
    expect(hint).to_have_count(0)
    assert any(first.partition(":")[0] in line for line in guest.log)


def test_a_hint_by_keyboard_on_a_phone(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport=PHONE_SIZE, locale="de-DE", color_scheme="dark")
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.page.keyboard.press("h")
    expect(guest.page.locator("#hint")).to_be_visible()
    expect(guest.main).to_be_focused()
    expect_accessible(guest)
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with guest.change():
        guest.page.keyboard.press("Enter")
    expect(guest.page.locator("#hint")).to_have_count(0)
