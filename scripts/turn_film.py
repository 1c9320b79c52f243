"""A film of one turn at the table, for the README: made by scripts/screenshots.py.

Every animation of the page is held and put to the time of each picture, so that the film is the same on any machine.
"""

from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

SIZE = {"width": 1280, "height": 720}
WIDTH = 800  # pixels of the film
QUALITY = 55
LARGEST = 900_000  # bytes
STEP_MS = 80  # between two pictures while something moves
LOOK_MS = 900  # for what is said before a move
REST_MS = 2500  # for the end
TURN = ("Atlanta", "New York", "Charlotte")  # expand, grow, grow: two cities and a region are scored

# Animations that a script begins wait for the camera.
HELD = """
if (location.protocol.startsWith("http")) localStorage.setItem("sound", "0"); // nobody is asked about it
window.film = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const made = animate.apply(this, how);
  made.pause();
  film.push(made);
  return made;
};
"""
AT = """time => {
  for (const one of film) {
    if (time >= one.effect.getComputedTiming().endTime) one.finish();
    else one.currentTime = time;
  }
}"""
LENGTH = "() => Math.max(0, ...film.map(one => one.effect.getComputedTiming().endTime))"
STEADY = """() => {
  for (const one of document.getAnimations()) if (one instanceof CSSAnimation) [one.currentTime] = [0, one.pause()];
}"""  # what glows
OVER = "() => { for (const one of film) one.finish(); film.length = 0; }"


class Film:
    """Pictures, and for how long each is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pictures: list[Image.Image] = []
        self.times: list[int] = []

    def look(self, milliseconds: int) -> None:
        """The page as it is."""
        self.page.evaluate(STEADY)
        picture = Image.open(BytesIO(self.page.screenshot())).convert("RGB")
        height = picture.height * WIDTH // picture.width
        self.pictures.append(picture.resize((WIDTH, height), Image.Resampling.LANCZOS))
        self.times.append(milliseconds)

    def move(self) -> None:
        """All that has been set in motion, until it rests."""
        for time in range(0, int(self.page.evaluate(LENGTH)) + 1, STEP_MS):
            self.page.evaluate(AT, time)
            self.look(STEP_MS)
        self.page.evaluate(OVER)

    def write(self, path: Path) -> None:
        first, *others = self.pictures
        first.save(
            path, save_all=True, append_images=others, duration=self.times, loop=0, quality=QUALITY, method=6,
            minimize_size=True,
        )  # fmt: skip
        size = path.stat().st_size
        print(f"{path.name}: {len(self.pictures)} pictures, {sum(self.times) / 1000:.1f} s, {size // 1000} kB")
        assert size <= LARGEST, f"{path} is larger than {LARGEST // 1000} kB"


def film_turn(browser: Browser, url: str, key: str, path: Path) -> None:
    """A turn at that table, by whoever holds the key."""
    context = browser.new_context(locale="en-GB", viewport=SIZE)
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in
                         (("franchise_key", key), ("franchise_cut", "M"))])  # fmt: skip
    context.add_init_script(HELD)
    page = context.new_page()
    page.goto(url)
    page.locator("body.playing").wait_for(state="attached")
    page.evaluate("document.fonts.ready")
    film = Film(page)
    film.look(LOOK_MS)
    for place in TURN:
        box = page.locator(f'#targets .target[data-place="{place}"] .hit').bounding_box()
        assert box is not None, place
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        page.locator("#prompt.previewing").wait_for()
        film.look(LOOK_MS)
        version = version_of(page)
        page.mouse.down()
        page.mouse.up()
        page.locator(f"#status:not([data-version='{version}'])").wait_for(state="attached")
        film.move()
    page.mouse.move(5, 700)
    film.look(LOOK_MS)
    version = version_of(page)
    page.locator("#prompt [data-slot=main]").click()
    page.locator(f"#status:not([data-version='{version}'])").wait_for(state="attached")
    film.move()
    film.look(REST_MS)
    film.write(path)
    context.close()


def version_of(page: Page) -> str:
    return str(page.locator("#status").get_attribute("data-version"))
