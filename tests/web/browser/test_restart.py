"""The server goes away in the middle of a turn, and comes back."""

import signal
from collections.abc import Callable

from playwright.sync_api import expect

from server.running_servers import RestartableServer
from web.browser.guest import Guest


def test_an_open_page_goes_on_by_itself_after_a_restart(
    site: RestartableServer, new_guest: Callable[..., Guest]
) -> None:
    guest = new_guest(site.address)
    guest.pardon("ERR_|Failed to fetch")  # no server: whatever is asked fails until there is one again
    guest.open_table("me", "newcomer", introductory=1, seed=3)
    light = guest.page.locator(".connection.on")
    for turn, how in ((1, signal.SIGKILL), (3, signal.SIGTERM)):
        expect(light).to_have_count(1)
        guest.tap(guest.places[0])
        before = (guest.version, guest.log)
        site.stop(how)
        expect(guest.page.locator(".connection.off")).to_have_count(1)
        guest.undo.click()  # goes nowhere, and breaks nothing
        site.start()
        expect(light).to_have_count(1)
        assert (guest.version, guest.log) == before
        with guest.change():
            guest.undo.click()
        guest.tap(guest.places[0])
        assert guest.log == before[1]
        guest.take_turn()
        assert guest.wait_to_act(), "the bot moves after a restart as before"
        assert guest.api()["turn"] == turn + 2
