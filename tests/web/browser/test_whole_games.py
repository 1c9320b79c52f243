"""Whole games, from the start page to the final screen."""

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import expect

from franchise import Action, Game
from franchise.bots.characters import CHARACTERS
from recorded_games import game
from web.browser.guest import Guest

MOST_STEPS = 150
PARTS = ("cities", "regions", "track", "towns", "money", "bonus_tiles")


def set_up(guest: Guest, second: str, seed: int) -> None:
    """Open a table: an introductory game of two."""
    guest.go("/new")
    guest.page.get_by_label("Your name").fill("Ada")
    guest.page.get_by_role("radio", name="2", exact=True).check()
    guest.page.get_by_label("Seat 2").select_option(second)
    expect(guest.page.get_by_label("Seat 3")).to_be_hidden()
    guest.page.get_by_role("switch", name="Introductory game").check()
    guest.page.get_by_role("radio", name="As shown").check()
    guest.page.get_by_text("More", exact=True).click()
    guest.page.get_by_label("Seed").fill(str(seed))
    guest.page.get_by_role("button", name="Open the table").click()


def expect_final_screen(guest: Guest) -> dict[str, Any]:
    """Everything the final screen says about the result is what the server says."""
    state: dict[str, Any] = guest.api()
    assert state["over"]
    result = state["result"]
    seats = sorted(
        range(len(result["scores"])), key=lambda seat: (-result["scores"][seat], seat not in result["winners"])
    )
    rows = guest.page.locator("#after .bars tbody tr")
    expect(rows).to_have_count(len(seats))
    for row, seat in zip(rows.all(), seats, strict=True):
        expect(row.locator("th")).to_contain_text(state["seats"][seat]["name"])
        figures = [result["breakdown"][seat][part] for part in PARTS] + [result["scores"][seat]]
        assert [int(cell) for cell in row.locator("td").all_text_contents()] == figures
        assert sum(figures[:-1]) == figures[-1]
    expect(guest.page.locator("#after figure svg")).to_have_count(3)
    expect(guest.page.locator("#prompt button[data-moves]")).to_have_count(0)
    expect(guest.targets).to_have_count(0)
    expect(guest.page.locator("#after a[data-watch='0']")).to_be_visible()
    return state


def test_a_whole_game_against_a_bot_by_clicking_on_the_map(guest: Guest) -> None:
    set_up(guest, "newcomer", seed=3)
    taps = 0
    for _ in range(MOST_STEPS):
        if not guest.wait_to_act():
            break
        places = guest.places
        assert guest.targets.count() == len(places)
        if places:
            guest.tap(places[0])
            taps += 1
        else:
            guest.end_turn()
    state = expect_final_screen(guest)
    assert taps > 10
    assert [(seat["name"], seat["level"]) for seat in state["seats"]] == [("Ada", None), (CHARACTERS[0], "newcomer")]


def test_a_hot_seat_game_is_played_by_both_in_one_browser(guest: Guest) -> None:
    played = game("introductory-2")
    set_up(guest, "guest", seed=1)
    names = ("Ada", "Player 2")
    for seat, turn in turns(played):
        guest.expect_to_act()
        expect(guest.page.locator("#players .player[aria-current] h3")).to_have_text(names[seat])
        expect(guest.page.locator("#prompt-title")).to_contain_text(names[seat])
        guest.replay(turn)
    state = expect_final_screen(guest)
    assert state["result"]["scores"] == list(played.result().scores)


def turns(played: Game) -> Iterator[tuple[int, tuple[Action, ...]]]:
    """Who moves in each turn, and what."""
    first = 0
    for move, action in enumerate(played.actions, start=1):
        if str(action) == "end":
            yield played.at(first).current_player, played.actions[first:move]
            first = move
