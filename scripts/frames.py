"""How smoothly the table moves: milliseconds from a click to the changed picture, and frames a second while a turn ends
and its points, pieces and tiles fly.

    PYTHONPATH=tests python scripts/frames.py

Uses a server over a new database and Chromium without a graphics card, as the browser tests do; other work on the
machine shows in the figures.
"""

import asyncio
import statistics
import tempfile
from contextlib import ExitStack
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from franchise import Game
from franchise.benchmarks.scripted_players import Server, settled
from screenshots import FILMED, SAMPLE, seat
from server.running_servers import ServerProcess
from turn_film import SIZE, TURN
from web.browser import chromium

WATCH = """() => {
  window.frames = [];
  let before = performance.now();
  const frame = (now) => {
    frames.push(now - before);
    before = now;
    window.watching = requestAnimationFrame(frame);
  };
  window.watching = requestAnimationFrame(frame);
}"""
CHANGE = """() => {
  window.changed = new Promise((done) => {
    let began;
    addEventListener("click", () => began = performance.now(), { once: true, capture: true });
    const watcher = new MutationObserver(() => {
      watcher.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))); // the picture is drawn
    });
    watcher.observe(document.body, { subtree: true, attributeFilter: ["data-version"] });
  });
}"""
ROUNDS = 10  # of a turn that is played and taken back
SEEN_MS = 2000  # after the click: the longest flight is over


def main() -> None:
    moves, who = FILMED
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server = ServerProcess(f"sqlite:///{folder}/franchise.db")
        stack.callback(server.stop)
        asyncio.run(settled(Server(urlsplit(server.address), server.process.pid)))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.ARGUMENTS))
        stack.callback(browser.close)
        game = Game.from_text(SAMPLE.read_text(encoding="utf-8")).at(moves)
        table, key = seat(server.address, game, who, "human")
        context = browser.new_context(viewport=SIZE, locale="en-GB")
        context.add_cookies([{"name": "franchise_key", "value": key, "url": server.address}])
        page = context.new_page()
        page.goto(f"{server.address}/t/{table}")
        page.locator("body.playing").wait_for(state="attached")
        changes = []
        for number in range(ROUNDS):
            if number:
                version = page.locator("#status").get_attribute("data-version")
                page.keyboard.press("r")
                page.locator(f"#status:not([data-version='{version}'])").wait_for(state="attached")
            for place in TURN:
                page.evaluate(CHANGE)
                page.locator(f'#spots li[data-name="{place}"] button').first.evaluate("button => button.click()")
                changes.append(page.evaluate("() => changed"))
        page.evaluate(WATCH)
        page.wait_for_timeout(SEEN_MS)
        still = page.evaluate("() => frames.splice(0)")
        page.locator("#prompt [data-slot=main]").click()
        page.wait_for_timeout(SEEN_MS)
        moving = page.evaluate("() => frames")
    middle, most = statistics.median(changes), max(changes)
    print(f"a click to the changed picture: {middle:.0f} ms in the median of {len(changes)}, at most {most:.0f} ms")
    for name, times in (("nothing moves", still), ("a turn ends", moving)):
        rate, middle, most = (
            1000 / statistics.mean(times),
            statistics.median(times),
            statistics.quantiles(times, n=20)[-1],
        )
        print(f"{name}: {rate:.0f} frames a second; the median takes {middle:.1f} ms, 95 % at most {most:.1f} ms")


if __name__ == "__main__":
    main()
