"""The start page."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from franchise.bots.characters import CHARACTERS
from recorded_games import record
from web.browser.guest import Guest, resize
from web.browser.page_checks import MEETING

WIDER = """texts => texts.filter(text => text.checkVisibility() && text.scrollWidth > text.clientWidth + 1)
  .map(text => text.textContent)"""  # than there is room for


def test_one_click_starts_a_game_against_three_regular_bots(guest: Guest) -> None:
    guest.go("/")
    guest.page.get_by_role("button", name="Play", exact=True).click()
    assert guest.wait_to_act()
    seats = guest.api()["seats"]
    assert sorted(seat["kind"] for seat in seats) == ["bot", "bot", "bot", "human"]
    bots = [seat for seat in seats if seat["kind"] == "bot"]
    assert {seat["level"] for seat in bots} == {"regular"}
    assert len({seat["name"] for seat in bots} & set(CHARACTERS)) == 3
    guest.tap(guest.places[0])
    guest.go("/")
    guest.page.get_by_role("link", name="Back to the table").click()
    guest.expect_listening()


def test_whoever_gives_no_name_is_you_and_to_others_a_colour(new_guest: Callable[..., Guest]) -> None:
    host, other = new_guest(), new_guest()
    table = host.open_table("me", "open", introductory=1)
    expect(host.page.locator("#player-0")).to_contain_text("You")
    expect(host.page.locator("#player-0 .tag", has_text="you")).to_have_count(0)  # the name says so
    other.visit(table)
    expect(other.page.locator("#player-0")).to_contain_text("Blue")


def test_there_are_as_many_seats_to_fill_as_players(guest: Guest) -> None:
    guest.go("/new")
    for players in (2, 3, 4, 5):
        guest.page.get_by_role("radio", name=str(players), exact=True).check()
        expect(guest.page.locator("#new .seat").locator("visible=true")).to_have_count(players)


@pytest.mark.parametrize(
    ("locale", "alone", "mixed"),
    [
        ("en-GB", "You and three bots.", "You, two bots and one free seat."),
        ("de-DE", "Du und drei Bots.", "Du, zwei Bots und ein freier Platz."),
        ("fr-FR", "Vous et trois bots.", "Vous, deux bots et une place libre."),
    ],
)
def test_a_sentence_counts_who_is_going_to_play(
    new_guest: Callable[..., Guest], locale: str, alone: str, mixed: str
) -> None:
    guest = new_guest(locale=locale)
    guest.go("/new")
    expect(guest.page.locator("#summary b")).to_have_text(alone)
    guest.page.locator("[name=seat2]").select_option("open")
    expect(guest.page.locator("#summary b")).to_have_text(mixed)


def test_every_option_is_explained_in_a_sentence(guest: Guest) -> None:
    guest.go("/new")
    guest.page.get_by_text("More", exact=True).click()
    lines = guest.page.locator(".option small").all_text_contents()
    assert len(lines) == 13
    assert all(re.fullmatch(r"[A-Z0-9].*[.]( Sign in)?", line) for line in lines), lines
    offers = guest.page.locator("[data-text]").evaluate_all("all => all.map(one => one.dataset.text)")
    assert all(re.fullmatch(r"[A-Z0-9].*[.]", text) for text in offers), offers


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_no_option_lies_on_another_at_any_width(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(locale=locale)
    guest.go("/new")
    guest.page.locator("details").evaluate_all("parts => parts.forEach(part => { part.open = true; })")
    parts = guest.page.locator(".option :is(b, small, .pick, select, .toggle), .seat, .setting h1, .number")
    words = guest.page.locator(".option :is(b, small)")
    for width in (1440, 1280, 1240, 1239, 1024, 820, 390):
        resize(guest.page, width, 800)
        assert parts.evaluate_all(MEETING) + words.evaluate_all(WIDER) == [], width


def test_an_option_that_cannot_be_had_fades_and_says_why(guest: Guest) -> None:
    guest.post("/register", {"name": f"Player {uuid4().hex[:8]}", "password": "correct horse"})
    guest.go("/new")
    rated = guest.page.get_by_role("switch", name="Rated")
    expect(rated).to_be_disabled()
    expect(guest.page.locator("[data-option=rated] small")).to_contain_text("no bots")
    for seat in (2, 3, 4):
        guest.page.get_by_label(f"Seat {seat}", exact=True).select_option("open")
    expect(rated).to_be_enabled()
    rated.check()
    guest.page.get_by_text("More", exact=True).click()
    expect(guest.page.get_by_role("switch", name="No hints")).to_be_disabled()
    expect(guest.page.locator("[data-option=time_out] small")).to_have_text("Only with a clock.")
    guest.page.get_by_role("button", name="Open the table").click()
    guest.expect_listening()
    assert guest.api()["rated"] is True


def test_a_bot_has_the_face_that_was_chosen(guest: Guest) -> None:
    guest.go("/new")
    guest.page.get_by_role("radio", name="2", exact=True).check()
    seat = guest.page.locator(".seat").nth(1)
    first = seat.locator("[data-name]").text_content()
    seat.get_by_role("button", name="Another face").click()
    chosen = seat.locator("[data-name]").text_content()
    assert chosen != first
    guest.page.get_by_role("button", name="Open the table").click()
    guest.expect_listening()
    assert [seat["name"] for seat in guest.api()["seats"] if seat["kind"] == "bot"] == [chosen]
    expect(guest.page.locator("#players")).to_contain_text(str(chosen))


def test_the_name_is_remembered(guest: Guest) -> None:
    guest.go("/new")
    guest.page.get_by_label("Your name").fill("Zoë Müller")
    guest.page.get_by_role("button", name="Open the table").click()
    expect(guest.page.locator("#players")).to_contain_text("Zoë Müller")  # wherever was drawn
    guest.go("/new")
    expect(guest.page.get_by_label("Your name")).to_have_value("Zoë Müller")


def test_the_list_of_tables_follows_what_happens(new_guest: Callable[..., Guest]) -> None:
    host, looking = new_guest(), new_guest()
    looking.go("/")
    expect(looking.page.locator(".people")).to_contain_text("here")
    name = f"Host {uuid4().hex[:6]}"
    table = host.open_table("me", "open", public=1, name=name, clock="20+30", milestones=1)
    row = looking.page.locator("#waiting .tables a", has_text=name)
    expect(row).to_contain_text("1 of 2 · 20 min + 30 s · Milestones · 1 minute ago")
    expect(row.locator(".online")).to_have_count(1)
    host.post(f"/t/{table}/fill", {"seat": "1", "level": "newcomer"})
    expect(row).to_have_count(0)
    expect(looking.page.locator("#watch .tables a", has_text=name)).to_have_count(1)


def test_a_host_fills_a_seat_with_a_bot_and_nobody_else_does(new_guest: Callable[..., Guest]) -> None:
    host, stranger = new_guest(), new_guest()
    table = host.open_table("me", "open", introductory=1)
    answer = stranger.post(f"/t/{table}/fill", {"seat": "1", "level": "newcomer"})
    assert answer.status in (401, 403)
    assert host.api()["seats"][1]["taken"] is False
    host.page.locator("#invite summary").click()  # it is the host's turn: the buttons wait behind the free seat
    host.page.get_by_label("Level of the bot").select_option("newcomer")
    host.page.get_by_role("button", name="Put a bot here").click()
    host.expect_listening()
    seat = host.api()["seats"][1]
    assert (seat["kind"], seat["level"], seat["name"] in CHARACTERS) == ("bot", "newcomer", True)


def test_the_link_of_a_table_can_be_copied(guest: Guest) -> None:
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table = guest.open_table("me", "open", introductory=1)
    guest.page.locator("#invite summary").click()
    guest.page.get_by_role("button", name="Copy the link").click()
    expect(guest.page.locator("[data-copy]")).to_contain_text(f"/t/{table}")
    assert guest.page.evaluate("navigator.clipboard.readText()") == f"{guest.address}/t/{table}"


def test_a_record_dropped_on_the_start_page_is_opened(guest: Guest) -> None:
    guest.go("/")
    guest.drop(record("introductory-2"))
    expect(guest.status).to_have_attribute("data-last", "26")


def test_a_page_seen_before_loads_no_file_again(guest: Guest) -> None:
    loaded = """() => performance.getEntriesByType("resource").filter(entry => entry.transferSize > 0)
      .map(entry => new URL(entry.name).pathname).filter(path => path.startsWith("/static/"))"""
    table = guest.open_table("me", "me")
    guest.expect_to_act()
    guest.page.reload()
    guest.expect_to_act()
    assert guest.page.evaluate("performance.getEntriesByType('resource').length") > 10
    assert guest.page.evaluate(loaded) == []
    guest.go("/")
    guest.visit(table)
    guest.expect_to_act()
    assert guest.page.evaluate(loaded) == []
