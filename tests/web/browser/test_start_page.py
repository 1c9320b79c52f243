"""The start page."""

import re

from playwright.sync_api import expect

from recorded_games import record
from web.browser.guest import Guest


def test_one_click_starts_a_game_against_three_regular_bots(guest: Guest) -> None:
    guest.go("/")
    guest.page.get_by_role("button", name="Play now").click()
    assert guest.wait_to_act()
    seats = guest.api()["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "bot", "bot", "bot"]
    assert {seat["level"] for seat in seats[1:]} == {"regular"}
    assert len({seat["name"] for seat in seats}) == 4
    expect(guest.page.locator("#prompt")).to_contain_text("Choose the town where your chain begins.")
    guest.tap(guest.places[0])
    guest.go("/")
    expect(guest.page.locator("section", has_text="My tables").get_by_role("link")).to_have_count(1)


def test_there_are_as_many_seats_to_fill_as_players(guest: Guest) -> None:
    guest.go("/")
    seats = guest.page.locator("#new .seat")
    for players in (2, 3, 4, 5):
        guest.page.get_by_role("combobox", name="Players").select_option(str(players))
        expect(seats.locator("visible=true")).to_have_count(players)


def test_every_option_is_explained_in_a_sentence(guest: Guest) -> None:
    guest.go("/")
    guest.page.get_by_text("Options", exact=True).click()
    offers = guest.page.locator(".options label.switch")
    assert offers.count() >= 13
    for offer in offers.all():
        expect(offer).to_have_text(re.compile(r"\S\s+[A-Z0-9].*[.]\s*$", re.DOTALL))


def test_the_name_is_remembered(guest: Guest) -> None:
    guest.go("/")
    guest.page.get_by_label("Your name").fill("Zoë Müller")
    guest.page.get_by_role("button", name="Open the table").click()
    expect(guest.page.locator("[id^=player-] h3", has_text="Zoë Müller")).to_have_count(1)  # wherever was drawn
    guest.go("/")
    expect(guest.page.get_by_label("Your name")).to_have_value("Zoë Müller")


def test_the_link_of_a_table_can_be_copied(guest: Guest) -> None:
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = guest.open_table("me", "open", introductory=1)
    guest.page.get_by_role("button", name="Copy the link").click()
    expect(guest.page.locator("[data-copy]")).to_contain_text(f"/t/{table}")
    assert guest.page.evaluate("navigator.clipboard.readText()") == f"{guest.address}/t/{table}"


def test_a_record_dropped_on_the_start_page_is_opened(guest: Guest) -> None:
    guest.go("/")
    guest.drop(record("introductory-2"))
    expect(guest.status).to_have_attribute("data-last", "26")
