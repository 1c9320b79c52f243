"""Nothing ever jumps: over a whole game every part of the table stays where it is, at every size."""

from collections.abc import Callable

import pytest

from recorded_games import game, record
from web.browser.guest import Guest

SIZES = {
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "phone-landscape": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
}
LEAST_MAP = {"wide": 0.65, "laptop": 0.60}  # of the viewport
PARTS = (
    ".road, #road, .map, #board, #prompt, .rail-head, .tools, #players, .player, .tabs, .tabs button, .panels, "
    "#prompt .undo, #prompt .hint-slot, #prompt .bonus, #prompt .skip-slot, #prompt .main"
)
BOXES = """parts => Object.fromEntries([...document.querySelectorAll(parts)]
  .filter(part => part.checkVisibility())
  .map((part, number) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [`${number} ${part.id || part.className.baseVal || part.className}`.replace(" active", ""),
      [x, y, width, height].map(Math.round)];
  }))"""
FRAME = ".road, .map, .bar-row:not([hidden]), .rail-head, #players, .player, .tabs, .panels"  # in every state
BARE = """parts => [...document.querySelectorAll(parts)].filter(part => part.checkVisibility()).map((part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join(" ");
})"""
WATCH = """parts => {
  const boxes = () => [...document.querySelectorAll(parts)].filter(part => part.checkVisibility()).map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join(" ");
  }).join(", ");
  window.seen = [boxes()];
  const look = () => {
    const now = boxes();
    if (now !== window.seen.at(-1)) window.seen.push(now);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""  # the boxes of every frame that differs from the one before
FIRST = 7  # moves of introductory-2: the first turn has begun


@pytest.mark.parametrize("size", SIZES)
def test_no_part_moves_during_a_whole_game(new_guest: Callable[..., Guest], size: str) -> None:
    guest = new_guest(**SIZES[size])
    guest.open_table("me", "me", record=record("introductory-2", FIRST - 1))
    guest.expect_to_act()
    first = guest.page.evaluate(BOXES, PARTS)
    assert len(first) > 15
    screen = SIZES[size]["viewport"]["width"]
    assert guest.page.evaluate("document.documentElement.scrollWidth") == screen, "nothing lies beside the screen"
    frame = set(guest.page.evaluate(BARE, FRAME))
    guest.visit(guest.id, "?move=3")  # the bar of a replay takes the place of the action bar
    guest.expect_listening()
    assert set(guest.page.evaluate(BARE, FRAME)) == frame
    guest.page.locator("[data-now]").click()
    guest.expect_to_act()
    assert guest.page.evaluate(BOXES, PARTS) == first
    before = ""  # `done`, where it goes with the move after it
    for action in game("introductory-2").actions[FIRST - 1 : -1]:
        if str(action) == "done" and not guest.button("d").count():
            before = "done; "
            continue
        guest.play(f"{before}{action}")
        before = ""
        assert guest.page.evaluate(BOXES, PARTS) == first, f"after {action}"


@pytest.mark.parametrize("size", SIZES)
def test_no_part_moves_in_any_frame_while_bots_play(new_guest: Callable[..., Guest], size: str) -> None:
    guest = new_guest(at_once=False, **SIZES[size])
    guest.page.add_init_script("localStorage.setItem('pace', '0.4')")  # their moves are told, one after the other
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", 20))
    guest.expect_to_act()
    guest.page.evaluate(WATCH, FRAME)
    before = guest.version
    guest.take_turn()
    assert guest.wait_to_act()
    assert guest.version > before + 8, "the bots have played"
    (boxes,) = guest.page.evaluate("window.seen")
    assert boxes.count(",") >= 10


@pytest.mark.parametrize("size", LEAST_MAP)
def test_the_map_has_most_of_the_screen(new_guest: Callable[..., Guest], size: str) -> None:
    guest = new_guest(**SIZES[size])
    guest.open_table("me", "me", introductory=1)
    box = guest.page.locator(".map").bounding_box()
    assert box is not None
    screen = SIZES[size]["viewport"]
    assert box["width"] * box["height"] >= LEAST_MAP[size] * screen["width"] * screen["height"]
