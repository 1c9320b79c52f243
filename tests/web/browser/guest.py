"""Somebody with a browser: what people do at the table, for tests to tell."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import APIResponse, BrowserContext, ConsoleMessage, Locator, Page, Request, Response, expect

from franchise import Action

PATIENCE = 120_000  # milliseconds until a test gives up waiting for the page: machines may be busy
AT_ONCE = """
if (location.protocol.startsWith("http") && localStorage.getItem("pace") === null) localStorage.setItem("pace", "0");
"""  # moves of others without pauses


DROP = """text => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "game.franchise", { type: "text/plain" }));
  document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
}"""


def deafen(page: Page) -> None:
    """Let a page hear nothing of what happens at its table."""
    page.route("**/events*", lambda route: route.fulfill(content_type="text/event-stream", body="retry: 600000\n\n"))


def resize(page: Page, width: int, height: int) -> None:
    """Give a page another size; its scripts hear of it with the next frame."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


class Guest:
    """A browser of its own, with one page or more. Whatever goes wrong in them is remembered."""

    def __init__(self, context: BrowserContext, address: str, at_once: bool = True) -> None:
        self.context = context
        self.address = address
        self.troubles: list[str] = []
        self.pardoned: list[re.Pattern[str]] = []
        context.set_default_timeout(PATIENCE)
        if at_once:
            context.add_init_script(AT_ONCE)
        context.on("page", self.watch)
        self.page = context.new_page()

    # --- what goes wrong ---

    def watch(self, page: Page) -> None:
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        page.on("requestfailed", self.miss)
        page.on("response", self.answer)

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console {message.type}: {message.text} ({message.location['url']})")

    def miss(self, request: Request) -> None:
        left = request.method == "GET" and request.failure == "net::ERR_ABORTED"
        if not left:  # a page one leaves no longer waits for what it asked for
            self.troubles.append(f"request failed: {request.method} {request.url}: {request.failure}")

    def answer(self, response: Response) -> None:
        if response.status >= 400:
            self.troubles.append(f"status {response.status}: {response.request.method} {response.url}")

    def pardon(self, pattern: str) -> None:
        """Something a test provokes."""
        self.pardoned.append(re.compile(pattern))

    def complaints(self) -> list[str]:
        """What went wrong and was not meant to."""
        for page in self.context.pages:
            page.evaluate("0")  # whatever is still on its way arrives before this
        return [text for text in self.troubles if not any(known.search(text) for known in self.pardoned)]

    # --- going somewhere ---

    def open_table(self, *seats: str, record: str | None = None, **fields: Any) -> str:
        """A table as the start page's form makes it, seats in the order as listed; its id. The page shows it."""
        form = {"players": str(len(seats)), **{f"seat{number}": kind for number, kind in enumerate(seats)}}
        form["in_order"] = "1"
        form |= {name: str(value) for name, value in fields.items()}
        if record is not None:
            form["record"] = record
        return self.arrive(self.post("/tables", form))

    def look(self, record: str) -> str:
        """A table with a record on it; its id."""
        return self.arrive(self.post("/look", {"record": record}))

    def post(self, path: str, form: dict[str, Any]) -> APIResponse:
        """Send a form as the browser would, in its language."""
        spoken = self.page.evaluate("navigator.language")
        return self.context.request.post(self.address + path, form=form, headers={"Accept-Language": spoken})

    def arrive(self, answer: APIResponse) -> str:
        assert answer.ok, answer.text()
        self.page.goto(answer.url)
        return self.id

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def visit(self, table_id: str, query: str = "") -> None:
        self.go(f"/t/{table_id}{query}")

    @property
    def id(self) -> str:
        found = self.page.locator("#table").get_attribute("data-id")
        assert found
        return found

    # --- what the page shows ---

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    def value(self, name: str) -> int:
        return int(self.status.get_attribute(f"data-{name}") or 0)

    @property
    def version(self) -> int:
        return self.value("version")

    def expect_version(self, version: int) -> None:
        self.expect_listening()
        expect(self.status).to_have_attribute("data-version", str(version))

    def expect_to_act(self, acts: bool = True) -> None:
        self.expect_listening()
        expect(self.status).to_have_attribute("data-acts", "1" if acts else "0")

    def expect_listening(self) -> None:
        """The page is there as a whole and its script runs: what is done before that is lost."""
        expect(self.page.locator("body.playing")).to_be_attached()

    def pass_time(self, span: str) -> None:
        """Put the page's clock forward; a request under way would take that for a server that does not answer."""
        patience = self.page.evaluate("htmx.config.defaultTimeout")
        self.page.evaluate("htmx.config.defaultTimeout = 0")  # of a request that begins after the next line
        expect(self.page.locator(".htmx-request")).to_have_count(0)
        self.page.clock.fast_forward(span)
        self.page.evaluate("patience => { htmx.config.defaultTimeout = patience; }", patience)

    def wait_to_act(self) -> bool:
        """Wait for one's turn; False where the game is over instead."""
        self.expect_listening()
        self.page.locator("#status[data-acts='1'], #status[data-over='1'][data-live='1']").wait_for(state="attached")
        return self.value("over") == 0

    @property
    def targets(self) -> Locator:
        return self.page.locator("#targets .target[data-spot]")

    def target(self, name: str) -> Locator:
        return self.page.locator(f'#targets .target[data-place="{name}"], #targets .target[data-region="{name}"]')

    def spot(self, name: str) -> Locator:
        """The offers of a place, the cheapest first, in the list beside the map."""
        return self.page.locator(f'#spots li[data-name="{name}"] button')

    @property
    def places(self) -> list[str]:
        """Where something can be done."""
        return [str(spot.get_attribute("data-name")) for spot in self.page.locator("#spots li").all()]

    def button(self, key: str) -> Locator:
        return self.page.locator(f'#prompt button[data-key="{key}"]')

    @property
    def undo(self) -> Locator:
        return self.page.locator("#prompt button[data-undo='']")

    @property
    def reset(self) -> Locator:
        return self.page.locator("#prompt button[data-undo=turn]")

    @property
    def main(self) -> Locator:
        """The primary button."""
        return self.page.locator("#prompt [data-slot=main]")

    @property
    def chooser(self) -> Locator:
        return self.page.locator("#prompt.choosing")

    @property
    def log(self) -> list[str]:
        """The lines of the log as they are spoken, the newest turn first."""
        turns: list[list[str]] = self.page.locator("#log .log-turn").evaluate_all(
            "turns => turns.map(turn => [...turn.querySelectorAll('li a')].map(line => line.ariaLabel))"
        )
        return [line for turn in reversed(turns) for line in turn]

    def api(self, table_id: str | None = None) -> Any:
        """The table as the server tells it to anybody."""
        answer = self.context.request.get(f"{self.address}/api/tables/{table_id or self.id}")
        assert answer.ok, answer.text()
        return answer.json()

    # --- doing something ---

    def set(self, kind: str, value: str) -> None:
        """Choose the language or the theme in the menu."""
        self.page.locator("details.menu summary").click()
        choice = self.page.locator(f".menu input[name={kind}][value={value}]")
        with self.page.expect_navigation():
            choice.check()
        expect(choice).to_be_checked()

    @contextmanager
    def change(self) -> Iterator[None]:
        """What is done inside changes the table, and the page shows it afterwards."""
        self.expect_listening()
        before = self.version
        yield
        expect(self.status).not_to_have_attribute("data-version", str(before))

    def middle(self, target: Locator) -> tuple[float, float]:
        """Where a finger would meet a target."""
        self.expect_listening()
        box = target.locator(".hit").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def tap(self, name: str) -> None:
        """Click a place on the map; where there are several ways, the first one that is offered."""
        with self.change():
            self.point_at(name, self.chooser.locator(".ways button").first)

    def point_at(self, name: str, way: Locator) -> None:
        """Press a place on the map: where there are several ways, then this one; with a finger, then the button."""
        grown = self.target(name).get_attribute("data-back") is not None
        several = self.spot(name).count() > 1 or grown
        arrow = self.page.locator(f'#edges .edge[data-place="{name}"]')
        if arrow.count():  # outside of what a small screen shows
            arrow.click()
        self.page.mouse.click(*self.middle(self.target(name)))
        if several:
            way.click()
        elif self.page.evaluate("matchMedia('(pointer: coarse)').matches"):
            self.main.click()

    def choose(self, name: str) -> None:
        """The first offer of a place, sent as its form in the list would: quicker than the map."""
        with self.change():
            self.spot(name).first.evaluate("button => button.click()")

    def press(self, key: str) -> None:
        """A button of the prompt, by its key."""
        with self.change():
            self.button(key).click()

    def drop(self, record: str) -> None:
        """Drop a file with a record onto the page."""
        self.page.evaluate(DROP, record)

    def end_turn(self) -> None:
        self.press("e")

    def play(self, move: str) -> None:
        """A move by its text: the target on the map and its way in the chooser, or the button."""
        way = self.page.locator(f'#prompt form button[data-moves="{move}"]')
        place = way.first.evaluate("way => way.closest('li[data-name]')?.dataset.name ?? ''")
        with self.change():
            if not place:
                way.click()
                return
            self.point_at(place, self.chooser.locator(f'.ways button[data-moves="{move}"]'))

    def replay(self, actions: Iterable[Action]) -> None:
        """Play recorded moves. Where `done` has no button of its own, it goes with the move after it."""
        first = ""
        for action in actions:
            if str(action) == "done" and not self.button("d").count():
                first = "done; "
            else:
                self.play(f"{first}{action}")
                first = ""

    def take_turn(self, grow: int = 1) -> None:
        """Expand to the first place that glows, increase the market share somewhere, end the turn."""
        for _ in range(1 + grow):
            if self.places:
                self.choose(self.places[0])
        self.end_turn()
