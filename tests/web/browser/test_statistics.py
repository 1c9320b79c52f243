"""The page of statistics, in three languages."""

from collections.abc import Callable

import httpx
import pytest

from franchise.wording.language import LANGUAGES, language
from recorded_games import game
from server.running_servers import RestartableServer
from web.browser.guest import Guest
from web.browser.page_checks import expect_accessible, expect_language

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def play_a_game(address: str) -> None:
    """A recorded game once more, by two people of this server."""
    whole = game("base-2")
    with httpx.Client(base_url=address, timeout=60) as client:
        made = client.post("/api/tables", json={"seats": [{"kind": "human"}] * 2, "seed": 1}).json()
        walk = whole.at(0)
        for version, action in enumerate(whole.actions):
            answer = client.post(
                f"/api/tables/{made['id']}/moves",
                json={"version": version, "move": str(action), "move_id": f"m{version}"},
                headers={"Authorization": f"Bearer {made['tokens'][str(walk.current_player)]}"},
            )
            assert answer.status_code == 200, answer.text
            walk.play(action)


def test_the_page_shows_what_wins_in_every_language_and_on_a_phone(
    site: RestartableServer, new_guest: Callable[..., Guest]
) -> None:
    play_a_game(site.address)
    guest = new_guest(site.address)
    guest.go("/")
    guest.page.get_by_role("contentinfo").get_by_role("link", name="Statistics").click()
    guest.page.get_by_text("1 game was played to its end on this server. 32.0 turns on average.").wait_for()
    for code in LANGUAGES:
        guest = new_guest(site.address, locale=code, **(PHONE if code == "de" else {}))
        guest.go("/statistics")
        expect_language(guest.page, code, "What wins", "Region", "Starting towns: who begins there")
        assert guest.page.locator("main svg.chart").count() == 4
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        guest.page.locator("main summary").first.click()
        guest.page.locator("main table").first.wait_for()
        expect_accessible(guest)


@pytest.mark.parametrize(("code", "shown"), [("en", "12.3%"), ("de", "12,3\xa0%"), ("fr", "12,3\xa0%")])
def test_shares_are_written_as_the_language_does(code: str, shown: str) -> None:
    assert language(code).percent(0.1234) == shown
