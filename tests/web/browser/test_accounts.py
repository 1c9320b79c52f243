"""An account in the browser: registering with the seats of a guest, a rated game, signing out everywhere."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from franchise import Game
from server.mail_server import MailServer
from server.people.test_ratings import until_somebody_scores
from server.running_servers import ShiftedServer
from web.browser.guest import Guest
from web.browser.received_mail import link_in, newest

PASSWORD = "correct horse"


def register(guest: Guest) -> str:
    """Register from the bar at the top; the name."""
    name = f"Player {uuid4().hex[:8]}"
    guest.page.get_by_role("link", name="Sign in").click()
    guest.page.get_by_role("link", name="I have no account yet").click()
    guest.page.get_by_label("Name").fill(name)
    guest.page.get_by_label("Password").fill(PASSWORD)
    guest.page.get_by_role("button", name="Register").click()
    expect(guest.page.get_by_role("banner").get_by_role("link", name=name)).to_be_visible()
    return name


def test_a_guest_registers_takes_the_seat_along_and_signs_out_everywhere(new_guest: Callable[..., Guest]) -> None:
    ada, elsewhere = new_guest(), new_guest()
    ada.open_table("me", "newcomer")
    ada.go("/")
    name = register(ada)
    elsewhere.go("/sign-in")
    elsewhere.page.get_by_label("Name").fill(name)
    elsewhere.page.get_by_label("Password").fill(PASSWORD)
    elsewhere.page.get_by_role("button", name="Sign in").click()
    elsewhere.page.get_by_role("link", name="Back to the table").click()
    elsewhere.expect_to_act()  # the seat taken as a guest, in another browser
    ada.go("/account")
    ada.page.get_by_role("button", name="Sign out everywhere").click()
    for person in (ada, elsewhere):
        person.go("/account")
        expect(person.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_an_account_is_deleted_on_a_wide_screen(guest: Guest) -> None:
    guest.go("/")
    register(guest)
    guest.go("/account")
    guest.page.get_by_text("Delete the account").click()
    guest.page.locator("[action='/account/delete']").get_by_label("Password").fill(PASSWORD)
    guest.page.get_by_role("button", name="Delete everything").click()
    expect(guest.page.get_by_role("link", name="Sign in")).to_be_visible()


def test_a_rated_game_is_on_the_profile_and_the_leaderboard(new_guest: Callable[..., Guest]) -> None:
    ada, bob = new_guest(), new_guest()
    for person in (ada, bob):
        person.go("/")
    names = [register(ada), register(bob)]
    ada.open_table("me", "open", rated=1)
    bob.visit(ada.id)
    bob.page.get_by_role("button", name="Sit here").click()
    begun = Game.from_text(ada.context.request.get(f"{ada.address}/api/tables/{ada.id}/record").text())
    game = begun.copy()
    for version, text in enumerate(until_somebody_scores(begun)):  # a game in which nobody scores is not rated
        person = (ada, bob)[game.current_player]
        assert person.post(f"/t/{ada.id}/move", {"version": str(version), "moves": text}).ok
        game.play(text)
    for both in (ada, bob):
        both.expect_version(len(game.actions))
    expect(bob.page.locator("#players .rating b")).to_have_count(2)  # the result is written down
    bob.page.locator("#after").get_by_role("link", name=names[0], exact=True).click()
    expect(bob.page.get_by_role("heading", name=names[0])).to_be_visible()
    ada.go(f"/people/{names[1]}")
    expect(ada.page.get_by_text(re.compile("place [12] of 2"))).to_be_visible()
    expect(ada.page.get_by_role("row", name=names[0])).to_be_visible()
    expect(ada.page.locator("svg.chart")).to_have_count(1)
    ada.page.get_by_role("main").get_by_role("link", name="Leaderboard").click()
    for name in names:
        expect(ada.page.get_by_role("row", name=name)).to_be_visible()


@pytest.mark.parametrize(
    ("answer", "said"),
    [("granted", "will tell you"), ("denied", "does not allow it"), ("default", "You have not answered")],
)
def test_asking_to_be_notified_is_answered(guest: Guest, answer: str, said: str) -> None:
    asked = f"{{permission: 'default', requestPermission: async () => '{answer}'}}"
    guest.context.add_init_script(f"window.Notification = Object.assign(class {{}}, {asked});")
    guest.post("/register", {"name": f"Player {uuid4().hex[:8]}", "password": "correct horse"})
    guest.go("/account")
    guest.page.locator("[data-notify] button").click()
    expect(guest.page.locator("[data-notify] output")).to_contain_text(said)


def test_sessions_are_listed_by_the_name_of_the_browser(guest: Guest) -> None:
    guest.post("/register", {"name": f"Player {uuid4().hex[:8]}", "password": "correct horse"})
    guest.go("/account")
    expect(guest.page.locator("main")).to_contain_text("Chrome on Linux")
    expect(guest.page.locator("main")).not_to_contain_text("Mozilla/5.0")


def test_an_account_is_looked_after_by_forms_and_letters(
    new_guest: Callable[..., Guest], shifted: ShiftedServer, mail_server: MailServer
) -> None:
    ada, bob = new_guest(shifted.address), new_guest(shifted.address)
    for guest in (ada, bob):
        guest.pardon("status 4|status of 4")  # what is refused on purpose
    ada.go("/")
    name = register(ada)
    banner = ada.page.get_by_role("banner")
    ada.go("/account")

    # An address is confirmed, and tried.
    ada.page.get_by_label("E-mail").fill("ada@example.org")
    ada.page.locator("form[action='/account/email']").get_by_role("button", name="Save").click()
    expect(ada.page.locator(".done")).to_contain_text("Check your mailbox")
    ada.go(link_in(newest(mail_server, "ada@example.org", 1), shifted))
    ada.page.get_by_role("button", name="Confirm this address").click()
    expect(ada.page.get_by_role("heading", name="The address is confirmed.")).to_be_visible()
    ada.go("/account")
    ada.page.get_by_role("button", name="Send a test to ada@example.org").click()
    expect(ada.page.locator(".done")).to_contain_text("ada@example.org")
    assert newest(mail_server, "ada@example.org", 2)["Subject"] == "Franchise: a test"

    # What came of a form is shown once, where one looks, and a reload repeats nothing.
    ada.page.get_by_label("Name of the program").fill("my bot")
    ada.page.get_by_role("button", name="Create a token").click()
    expect(ada.page.locator("#tokens code")).to_be_in_viewport()
    ada.page.reload()
    expect(ada.page.locator("#tokens code")).to_have_count(0)
    expect(ada.page.locator("#tokens li")).to_have_count(1)
    ada.page.get_by_label("Old password").fill("not the password")
    ada.page.get_by_label("New password").fill("another horse")
    ada.page.get_by_role("button", name="Change the password").click()
    expect(ada.page.locator(".notice")).to_have_text("That is not your password.")
    ada.set("language", "de")  # the page after a form, in another language
    expect(ada.page.locator(".notice")).to_have_count(0)
    expect(ada.page.get_by_role("heading", name="Passwort")).to_be_visible()

    # Messages come in the language chosen last, and say who waits for how long.
    table = ada.open_table("me", "open", clock="daily 24+3")
    ada.go("/rules")
    bob.visit(table)
    bob.page.get_by_placeholder("Your name").fill(name.upper())
    bob.page.get_by_role("button", name="Sit here").click()
    expect(bob.page.locator("#prompt .notice")).to_have_text("Somebody else has that name.")
    bob.page.get_by_placeholder("Your name").fill("Bob")
    bob.page.get_by_role("button", name="Sit here").click()
    bob.expect_to_act()
    bob.choose(bob.places[0])  # the last seat places first
    shifted.notices_due(table)
    turn_message = newest(mail_server, "ada@example.org", 3)
    assert re.fullmatch(r"Franchise: dein Zug gegen Bob, bis [0-9.]{10} [0-9:]{5} UTC", turn_message["Subject"])
    ada.go(link_in(turn_message, shifted))
    ada.expect_to_act()
    assert ada.page.title().startswith("● Du bist am Zug")
    ada.set("language", "en")

    # A forgotten password is chosen anew by whoever reads the message.
    ada.go("/account")
    ada.page.get_by_role("button", name="Sign out", exact=True).click()
    ada.go("/sign-in")
    ada.page.get_by_role("link", name="I have forgotten my password").click()
    ada.page.get_by_label("Name or e-mail address").fill(name)
    ada.page.get_by_role("button", name="Send the message").click()
    expect(ada.page.locator(".done")).to_contain_text("a message is on its way")
    message = newest(mail_server, "ada@example.org", 4)
    assert message["Subject"] == "Franchise: a new password"
    ada.go(link_in(message, shifted))
    ada.page.get_by_label("New password").fill("another horse")
    ada.page.get_by_role("button", name="Change the password").click()
    expect(banner.get_by_role("link", name=name)).to_be_visible()

    # A table that is refused keeps what was chosen.
    bob.go("/new")
    bob.page.get_by_role("radio", name="3", exact=True).check()
    bob.page.locator("[name=seat2]").select_option("open")
    bob.page.get_by_label("Your name").fill(name)
    bob.page.get_by_role("button", name="Open the table").click()
    expect(bob.page.locator(".notice")).to_have_text("Somebody else has that name.")
    expect(bob.page.get_by_role("radio", name="3", exact=True)).to_be_checked()
    expect(bob.page.locator("[name=seat2]")).to_have_value("open")
    bob.page.reload()
    expect(bob.page.locator(".notice")).to_have_count(0)
