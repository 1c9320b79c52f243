"""What the table sounds like: every event of a game starts its own oscillators, once somebody has switched sound on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from recorded_games import game, record
from web.browser.guest import Guest

LISTEN = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  window.heard.push(Math.round(this.frequency.value));
  return start.call(this, at);
};
"""
PLACE, GROW, PAY, CITY, REGION, TURN, ZONE, END, REFUSED = 320, 420, 1900, 1320, 180, 311, 110, 262, 95  # first tones
ON = "localStorage.setItem('sound', '1')"


@pytest.fixture
def listener(new_guest: Callable[..., Guest]) -> Guest:
    """Somebody whose browser writes down what it plays."""
    guest = new_guest()
    guest.page.add_init_script(LISTEN)
    return guest


def heard(guest: Guest) -> list[int]:
    """The tones since one last listened."""
    tones: list[int] = guest.page.evaluate("window.heard.splice(0)")
    return tones


def expect_heard(guest: Guest, *tones: int) -> None:
    """These tones are played, if not yet, then soon."""
    guest.page.wait_for_function("tones => tones.every(tone => window.heard.includes(tone))", arg=list(tones))


def test_sound_is_off_until_switched_on_and_stays_as_it_was_left(listener: Guest) -> None:
    listener.open_table("me", "me", record=record("base-2", 38))
    listener.choose(listener.places[0])
    assert heard(listener) == []
    button = listener.page.locator("#sound")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect_heard(listener, PLACE)  # what it sounds like
    listener.page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    listener.page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_telephone_has_the_switch_in_the_menu(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    guest.open_table("me", "me", introductory=1)
    guest.expect_to_act()
    guest.page.locator(".tools .menu summary").tap()
    switch = guest.page.get_by_role("button", name="Sound")
    switch.tap()
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.tap()
    expect(switch).to_have_attribute("aria-pressed", "false")
    assert guest.page.evaluate("localStorage.getItem('sound')") == "0"


def test_moves_scores_and_the_end_have_sounds(listener: Guest) -> None:
    listener.page.add_init_script(ON)
    whole = game("base-2")
    paid = next(
        number
        for number, action in enumerate(whole.actions)
        if re.fullmatch(r"expand .+ [1358]", str(action)) and str(whole.actions[number + 2]).startswith("grow")
    )
    listener.open_table("me", "me", record=record("base-2", paid))
    listener.expect_to_act()
    listener.replay(whole.actions[paid : paid + 1])
    expect_heard(listener, PLACE, PAY)
    listener.replay(whole.actions[paid + 1 : paid + 3])
    expect_heard(listener, GROW)
    listener.open_table("me", "me", record=record("base-2", 62))
    listener.end_turn()
    expect_heard(listener, CITY, REGION)
    listener.open_table("me", "me", record=record("base-2", 106))
    listener.end_turn()
    expect_heard(listener, ZONE)  # from now on the game may end
    listener.open_table("me", "me", record=record("base-2", 129))
    listener.end_turn()
    expect_heard(listener, END)


def test_ones_own_turn_and_a_refusal_have_sounds(listener: Guest) -> None:
    listener.page.add_init_script(ON)
    listener.open_table("me", "newcomer", record=record("introductory-2", 7))
    listener.take_turn()
    assert listener.wait_to_act()
    expect_heard(listener, TURN)
    listener.pardon(r"422|409")
    version = listener.version
    listener.page.evaluate("document.getElementById('status').dataset.version = '0'")  # a page left behind
    listener.button("d").click()
    expect(listener.page.locator("#prompt .notice, #offline:not([hidden])")).to_be_visible()
    assert listener.version == version
    expect_heard(listener, REFUSED)
