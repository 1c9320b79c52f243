"""Without a mouse."""

from playwright.sync_api import expect

from franchise.facts import BOARD
from recorded_games import record
from web.browser.guest import Guest

MOST_TABS = 60
FOCUSED = """() => {
  const one = document.activeElement;
  return { tag: one.tagName.toLowerCase(), name: one.getAttribute("name") ?? "", place: one.dataset.place ?? "",
    text: (one.ariaLabel ?? one.textContent ?? "").trim(), tab: one.tabIndex };
}"""
# How the one who has the focus is drawn, and how it would be without.
SEEN = """() => {
  const one = document.activeElement;
  const drawn = (element) => {
    const style = getComputedStyle(element);
    return [style.outlineStyle, style.outlineWidth, style.stroke, style.strokeWidth, style.strokeDasharray].join();
  };
  const parts = [one, ...one.querySelectorAll(".hit, .glow")];
  const focused = parts.map(drawn);
  one.blur();
  const plain = parts.map(drawn);
  one.focus({ focusVisible: true });
  return focused.some((look, part) => look !== plain[part]);
}"""


def tab_to(guest: Guest, **wanted: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(MOST_TABS):
        guest.page.keyboard.press("Tab")
        focused = guest.page.evaluate(FOCUSED)
        if all(focused[key] == value for key, value in wanted.items()):
            assert guest.page.evaluate(SEEN), f"the focus on {wanted} cannot be seen"
            return
    raise AssertionError(f"Tab never comes to {wanted}")


def focused_place(guest: Guest) -> str:
    return str(guest.page.evaluate(FOCUSED)["place"])


def test_from_the_start_page_through_a_whole_turn(guest: Guest) -> None:
    keys = guest.page.keyboard
    guest.go("/new")
    tab_to(guest, tag="input", name="players")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    tab_to(guest, tag="select", name="seat1")
    keys.press("n")  # the one choice that begins like this; more letters would have to come within a second
    tab_to(guest, tag="input", name="introductory")
    keys.press("Space")
    tab_to(guest, tag="summary", text="More")
    keys.press("Enter")
    tab_to(guest, tag="input", name="seed")
    keys.type("3")
    keys.press("Enter")  # as in any form: the table is opened
    guest.expect_to_act()

    tab_to(guest, tag="g", place=guest.places[0])
    keys.press("ArrowRight")
    assert focused_place(guest) in guest.places[1:]
    assert guest.page.evaluate(SEEN)
    expect(guest.page.locator("#prompt-title")).to_contain_text(focused_place(guest))
    keys.press("ArrowLeft")
    place = focused_place(guest)
    several = guest.spot(place).count() > 1
    with guest.change():
        keys.press("Enter")
        if several:
            expect(guest.chooser).to_have_count(1)
            keys.press("Enter")
    assert any(place in line for line in guest.log)
    with guest.change():
        keys.press("u")
    assert not any("expands" in line for line in guest.log)
    keys.press("m")
    assert focused_place(guest) == guest.places[0]
    several = guest.spot(guest.places[0]).count() > 1
    with guest.change():
        keys.press("Enter")
        if several:
            keys.press("Enter")
    with guest.change():
        keys.press("e")
    assert guest.wait_to_act()
    assert guest.api()["turn"] == 3


def test_after_a_move_the_focus_stays_where_one_can_go_on(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    with guest.change():
        guest.page.keyboard.press("d")
    guest.page.keyboard.press("m")
    with guest.change():
        guest.page.keyboard.press("Enter")
    assert guest.page.evaluate(FOCUSED)["tag"] != "body"
    assert focused_place(guest) in guest.places
    with guest.change():
        guest.page.keyboard.press("r")
    guest.expect_version(3)


def test_the_chooser_is_left_with_escape(guest: Guest) -> None:
    guest.open_table("me", "me", expert="draft")
    guest.page.keyboard.press("m")
    place = focused_place(guest)
    guest.page.keyboard.press("Enter")
    expect(guest.chooser).to_have_count(1)
    guest.page.keyboard.press("Escape")
    expect(guest.chooser).to_have_count(0)
    assert focused_place(guest) == place
    assert guest.version == 0


def test_keys_written_into_a_field_are_only_text(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.page.get_by_role("tab", name="Chat").click()
    guest.page.locator("#say-text").focus()
    guest.page.keyboard.type("due +0")
    assert guest.api()["version"] == 0
    expect(guest.page.locator("#say-text")).to_have_value("due +0")


def test_tabs_are_walked_with_arrows_and_the_keys_are_explained(guest: Guest) -> None:
    guest.open_table("me", "me", introductory=1)
    guest.page.get_by_role("tab", name="Log").focus()
    guest.page.keyboard.press("ArrowRight")
    expect(guest.page.get_by_role("tab", name="Regions")).to_be_focused()
    expect(guest.page.locator("#panel-regions")).to_be_visible()
    expect(guest.page.locator("#panel-log")).to_be_hidden()
    guest.page.keyboard.press("?")
    expect(guest.page.locator("#keys[open]")).to_have_count(1)
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator("#keys[open]")).to_have_count(0)


def test_every_place_has_a_label_for_a_screen_reader(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    places = guest.page.locator("#pieces [data-place]")
    labels = places.evaluate_all("places => places.map(place => [place.dataset.place, place.ariaLabel ?? ''])")
    blocked = BOARD.blocked(players=2)  # land that is closed has no places
    assert {name for name, _ in labels} == {place.name for place in BOARD.locations if place.id not in blocked}
    assert all(label.startswith(name) for name, label in labels)
    for place in guest.places:
        expect(guest.page.get_by_role("button", name=f"{place}:").first).to_be_attached()
