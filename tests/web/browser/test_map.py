"""The map under wheel, pointer, fingers and keys."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from recorded_games import record
from web.browser.guest import Guest

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES_OF_TYPE = """texts => texts.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
LEAST_TYPE = 10.8  # pixels: 11 for what is in sight, but for a map that is two hundredths smaller
PLACES = """places => Object.fromEntries(places.map((place) => {
  const { x, y } = place.getBoundingClientRect();
  return [place.dataset.place, [Math.round(x), Math.round(y)]];
}))"""


def view(guest: Guest) -> tuple[float, ...]:
    """Left, top, width and height of what is in sight, in units of the map."""
    return tuple(float(side) for side in str(guest.page.locator("#board").get_attribute("viewBox")).split())


@pytest.fixture
def at_the_table(guest: Guest) -> Guest:
    guest.open_table("me", "me", record=record("base-2", 38))
    return guest


def test_the_wheel_zooms_where_the_pointer_is_and_reset_shows_everything(at_the_table: Guest) -> None:
    guest = at_the_table
    home = view(guest)
    x, y = guest.middle(guest.target(guest.places[0]))
    guest.page.mouse.move(x, y)
    guest.page.mouse.wheel(0, -600)
    expect(guest.page.locator("#board")).not_to_have_attribute("viewBox", " ".join(f"{side:.1f}" for side in home))
    assert view(guest)[2] < home[2] / 2
    now = guest.middle(guest.target(guest.places[0]))
    assert now == pytest.approx((x, y), abs=2), "what is under the pointer stays there"
    guest.tap(guest.places[0])
    guest.page.get_by_role("button", name="Show the whole map").click()
    assert view(guest) == home


def test_buttons_and_keys_zoom(at_the_table: Guest) -> None:
    guest = at_the_table
    home = view(guest)
    guest.page.get_by_role("button", name="Zoom in").click()
    nearer = view(guest)
    assert nearer[2] < home[2]
    guest.page.get_by_role("button", name="Zoom out").click()
    assert view(guest)[2] == pytest.approx(home[2], abs=1)
    guest.page.keyboard.press("+")
    assert view(guest)[2] == pytest.approx(nearer[2], abs=1)
    guest.page.keyboard.press("-")
    guest.page.keyboard.press("0")
    assert view(guest) == home


def test_a_drag_moves_the_map_and_chooses_nothing(at_the_table: Guest) -> None:
    guest = at_the_table
    before = view(guest)
    x, y = guest.middle(guest.target(guest.places[0]))
    guest.page.mouse.move(x, y)
    guest.page.mouse.down()
    guest.page.mouse.move(x + 80, y + 40, steps=5)
    guest.page.mouse.up()
    after = view(guest)
    assert after[2:] == before[2:]
    assert after[0] < before[0]
    assert after[1] < before[1]
    assert guest.api()["version"] == 0
    expect(guest.chooser).to_have_count(0)


def test_a_move_leaves_the_view_as_it_is(at_the_table: Guest) -> None:
    guest = at_the_table
    guest.page.get_by_role("button", name="Zoom in").click()
    nearer = view(guest)
    guest.choose(guest.places[0])
    assert view(guest) == nearer


def test_two_fingers_zoom(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(**PHONE)
    guest.open_table("me", "me", record=record("base-2", 38))
    before = view(guest)
    box = guest.page.locator("#board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers = guest.context.new_cdp_session(guest.page)

    def touch(kind: str, *apart: float) -> None:
        points = [{"x": x + side * wide, "y": y, "id": int(side > 0)} for wide in apart for side in (-1, 1)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 30)
    for wide in (40, 50, 60):
        touch("touchMove", wide)
    touch("touchEnd")
    after = view(guest)
    assert after[2] == pytest.approx(before[2] / 2, rel=0.1)
    assert guest.api()["version"] == 0
    assert guest.page.evaluate("window.visualViewport.scale") == 1, "the map is zoomed, not the page"


def test_a_window_of_another_size_does_not_change_the_map_of_this_one(at_the_table: Guest) -> None:
    guest = at_the_table
    guest.expect_to_act()
    before = guest.page.locator("#board .place.town").evaluate_all(PLACES)
    other = guest.context.new_page()
    other.set_viewport_size({"width": 720, "height": 450})
    other.goto(guest.page.url)
    expect(other.locator("#table[data-cut=S]")).to_be_attached()
    guest.choose(guest.places[0])
    assert guest.page.locator("#board .place.town").evaluate_all(PLACES) == before


@pytest.mark.parametrize(
    ("width", "height", "whole"), [(1024, 768, True), (1180, 820, True), (1024, 700, False), (1024, 600, False)]
)
def test_a_tablet_on_its_side_shows_the_whole_map_and_no_text_is_small(
    new_guest: Callable[..., Guest], width: int, height: int, whole: bool
) -> None:
    guest = new_guest(viewport={"width": width, "height": height})
    guest.open_table("me", "me", record=record("base-2", 38))
    expect(guest.page.locator(".windowed")).to_have_count(0 if whole else 1)
    expect(guest.page.locator("#prompt .track-pips")).to_be_visible(visible=not whole)  # in place of the track
    heights = guest.page.locator("#board text").evaluate_all(SIZES_OF_TYPE)
    assert len(heights) > 50
    assert min(heights) >= LEAST_TYPE


def test_a_page_loaded_anew_has_the_map_that_fits_the_window(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    for width, height, cut in ((720, 450, "S"), (1440, 900, "L"), (1280, 720, "M"), (720, 450, "S")):
        guest.page.set_viewport_size({"width": width, "height": height})
        guest.page.reload()
        expect(guest.page.locator(f"#table[data-cut={cut}]")).to_be_attached()
