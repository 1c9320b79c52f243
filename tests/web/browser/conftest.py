"""A real Chromium, and guests at the table."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Playwright, expect, sync_playwright

from server.mail_server import MailServer
from server.reserved_port import ReservedPort
from server.running_servers import ShiftedServer
from web.browser import chromium
from web.browser.guest import PATIENCE, Guest
from web.browser.painting import UNPAINTED, is_watched

NO_BROWSER = "no Chromium: browser tests skipped (make browser installs it)"
FEWER_PROCESSES = ("--renderer-process-limit=1",)  # a guest has one, and no spare one is started for the next
WIDE = {"width": 1400, "height": 900}

expect.set_options(timeout=PATIENCE)


# --- the browser. Playwright occupies the thread's event loop: it must end with this package, not with the session. ---


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser_type(playwright: Playwright) -> BrowserType:
    return playwright.chromium


@pytest.fixture(scope="package")
def launch_browser(browser_type_launch_args: dict[str, Any], browser_type: BrowserType) -> Callable[..., Browser]:
    return lambda **more: browser_type.launch(**browser_type_launch_args, **more)


@pytest.fixture(scope="package")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    found = chromium.find()
    if found is None:
        if os.environ.get("FRANCHISE_BROWSER") == "required":
            pytest.fail("no Chromium, and FRANCHISE_BROWSER=required: make browser installs it", pytrace=False)
        pytest.skip(NO_BROWSER)
    launch = request.getfixturevalue("launch_browser")
    browser = launch(executable_path=found, args=[*chromium.ARGUMENTS, *FEWER_PROCESSES])
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def browser_context_args() -> dict[str, Any]:
    return {}


@pytest.fixture(scope="package")
def mail_server() -> Iterator[MailServer]:
    """The mail server of the server below."""
    mail_server = MailServer()
    mail_server.start()
    yield mail_server
    mail_server.stop()


@pytest.fixture(scope="package")
def shifted(tmp_path_factory: pytest.TempPathFactory, mail_server: MailServer) -> Iterator[ShiftedServer]:
    """A server that sends mail, by a clock that tests put forward."""
    settings = {f"FRANCHISE_{name.upper()}": str(value) for name, value in mail_server.settings.items()}
    port = ReservedPort()
    settings |= {"FRANCHISE_URL": f"http://127.0.0.1:{port.number}", "FRANCHISE_LIMITS": "0"}
    process = ShiftedServer(tmp_path_factory.mktemp("shifted"), "--port", str(port.number), **settings)
    yield process
    process.stop()
    port.close()


@pytest.fixture
def new_guest(new_context: Callable[..., Any], request: pytest.FixtureRequest) -> Iterator[Callable[..., Guest]]:
    """Lets somebody come with a browser of their own; in the end nothing may have gone wrong in any of them."""
    guests: list[Guest] = []

    def come(address: str = "", at_once: bool = True, **settings: Any) -> Guest:
        context = new_context(**{"viewport": WIDE, "locale": "en-GB", "reduced_motion": "reduce"} | settings)
        if not is_watched(request.config):
            context.add_init_script(UNPAINTED)
        guests.append(Guest(context, address or request.getfixturevalue("address"), at_once))
        return guests[-1]

    yield come
    complaints = [text for guest in guests for text in guest.complaints()]
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def guest(new_guest: Callable[..., Guest]) -> Guest:
    return new_guest()
