"""Makes the pictures of the pages in docs/pictures and the film of a turn, always of the same game: `make screenshots`.

Uses a server over a new database, Chromium, and what the browser tests have for both (PYTHONPATH=tests).
"""

import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from franchise import Game
from franchise.bots import make
from server.running_servers import ServerProcess
from turn_film import film_turn
from web.browser import chromium

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
SAMPLE = ROOT / "src" / "franchise" / "web" / "static" / "sample.franchise"
MOMENT = 128  # moves of the sample: a turn of the first player begins
FILMED = 120, 2  # moves of the sample and a seat whose turn then begins: it scores two cities and a region
WIDE = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
COLOURS = 256  # of a picture
LARGEST = 300_000  # bytes
ANALYSIS_MS = 300_000


def main() -> None:
    found = chromium.find()
    if found is None:
        raise SystemExit("make screenshots: there is no Chromium; make browser installs it")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(f"sqlite:///{folder}/franchise.db")
        browser = playwright.chromium.launch(executable_path=found, args=list(chromium.ARGUMENTS))
        try:
            take(browser, server.address)
        finally:
            browser.close()
            server.stop()


def take(browser: Browser, address: str) -> None:
    """Every picture."""
    sample = Game.from_text(SAMPLE.read_text(encoding="utf-8"))
    table, key = seat(address, sample.at(MOMENT))
    finished, winner = seat(address, played_on(sample))
    visitors(address, sample)
    moves, who = FILMED
    filmed, holder = seat(address, sample.at(moves), who, "human")
    film_turn(browser, f"{address}/t/{filmed}", holder, FOLDER / "turn.webp")
    shoot(browser, "start", address, **WIDE)
    shoot(browser, "table", f"{address}/t/{table}", key, **WIDE)
    shoot(browser, "table-dark", f"{address}/t/{table}", key, color_scheme="dark", hover=True, **WIDE)
    shoot(browser, "phone", f"{address}/t/{table}", key, **PHONE)
    shoot(browser, "phone-dark", f"{address}/t/{table}", key, color_scheme="dark", **PHONE)
    analyse(browser, address, finished)
    shoot(browser, "analysis", f"{address}/t/{finished}/analysis", whole=True, **WIDE)
    shoot(browser, "final", f"{address}/t/{finished}", winner, **WIDE)


def analyse(browser: Browser, address: str, table: str) -> None:
    """Have a game analysed, and wait for it."""
    page = browser.new_page()
    page.goto(f"{address}/t/{table}/analysis")
    page.locator("#review button.primary").click()
    page.locator("#review .points").wait_for(timeout=ANALYSIS_MS)
    page.close()


def played_on(game: Game) -> Game:
    """The game to its end, played by bots."""
    end = game.copy()
    bots = [make("casual", seed=number) for number in range(end.players)]
    while not end.over:
        end.play(bots[end.current_player].choose(end))
    return end


def seat(address: str, game: Game, person: int = 0, others: str = "bot", **more: Any) -> tuple[str, str]:
    """A table that goes on from there, one seat a person's, the others bots' or people's; its id and the key."""
    seats = [{"kind": "human" if number == person else others, "name": name} for number, name in enumerate(game.names)]
    made = httpx.post(f"{address}/api/tables", json={"seats": seats, "record": game.to_text(), **more}, timeout=30)
    made.raise_for_status()
    return made.json()["id"], made.json()["tokens"][str(person)]


def visitors(address: str, game: Game) -> None:
    """Somebody who waits for others, and a game to watch: what the start page lists."""
    seat(address, game.at(MOMENT), public=True)
    seats = [{"kind": "human", "name": "Mabel"}, {"kind": "open"}, {"kind": "bot", "name": "Otto"}]
    httpx.post(f"{address}/api/tables", json={"seats": seats, "seed": 1, "public": True}, timeout=30).raise_for_status()


def shoot(
    browser: Browser, name: str, url: str, key: str = "", hover: bool = False, whole: bool = False, **settings: Any
) -> None:
    """One picture of one page as the holder of a key sees it."""
    context = browser.new_context(locale="en-GB", timezone_id="UTC", reduced_motion="reduce", **settings)
    if key:
        context.add_cookies([{"name": "franchise_key", "value": key, "url": url}])
    page = context.new_page()
    page.goto(url)
    page.wait_for_load_state()
    page.evaluate("document.fonts.ready")
    if hover:
        point_at(page)
    keep(name, page.screenshot(animations="disabled", full_page=whole))
    context.close()


def point_at(page: Page) -> None:
    """The pointer rests on what can be chosen."""
    box = page.locator("#targets .target circle.hit").nth(3).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator("#prompt.previewing").wait_for()


def keep(name: str, picture: bytes) -> None:
    """Write it in fewer colours: nobody sees the difference, and it is a third of the size."""
    path = FOLDER / f"{name}.png"
    drawn = (
        Image.open(BytesIO(picture))
        .convert("RGB")
        .quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    )
    drawn.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {drawn.width} x {drawn.height}, {size // 1000} kB")
    assert size <= LARGEST, f"{path} is larger than {LARGEST // 1000} kB"


if __name__ == "__main__":
    main()
