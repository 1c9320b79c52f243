"""An account in the browser: registering with the seats of a guest, a rated game, signing out everywhere."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from franchise import Game
from server.people.test_ratings import until_somebody_scores
from web.browser.guest import Guest

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
    expect(bob.page.locator("#after")).to_be_visible()
    ada.pardon("404")  # until the result is written down
    profile = ada.page.get_by_text("place 1 of 2").or_(ada.page.get_by_text("place 2 of 2"))
    for _ in range(20):
        ada.go(f"/people/{names[1]}")
        if profile.count():
            break
    expect(profile).to_be_visible()
    expect(ada.page.get_by_role("row", name=names[0])).to_be_visible()
    expect(ada.page.locator("svg.chart")).to_have_count(1)
    ada.page.get_by_role("main").get_by_role("link", name="Leaderboard").click()
    for name in names:
        expect(ada.page.get_by_role("row", name=name)).to_be_visible()


@pytest.mark.parametrize(("answer", "said"), [("granted", "will tell you"), ("denied", "does not allow it")])
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
