"""A phone: 390 x 844, touched with a finger."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from recorded_games import game, record
from web.browser.guest import Guest, resize
from web.browser.page_checks import MEETING

STANDING: ViewportSize = {"width": 390, "height": 844}
LYING: ViewportSize = {"width": 844, "height": 390}
TABLET: ViewportSize = {"width": 820, "height": 1180}
PHONE = {"viewport": STANDING, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
NARROWEST = {"width": 320, "height": 568}  # also a laptop at 400 %
NUMBERS_CUT = """parts => parts.filter(part => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1)
  .map(part => part.textContent)"""
LEAST = 43.9  # pixels: 44, but for rounding
RICH = 119  # moves of base-5: much money, and after one more expansion three cities can grow
# Moves of base-5 with nine places to choose, and how many of them a window of a width shows with their prices.
CROWDED = {110: {390: 6, 360: 5, 320: 3}, 132: {390: 8, 360: 6, 320: 5}}
COVERED = """() => {
  const meet = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
  const small = document.querySelector(".minimap").getBoundingClientRect();
  const map = document.querySelector(".map").getBoundingClientRect();
  return [...document.querySelectorAll("#targets .target :is(.shield, .ticket)")]
    .filter(sign => meet(sign.getBoundingClientRect(), small) && meet(sign.getBoundingClientRect(), map))
    .map(sign => sign.closest(".target").dataset.place);
}"""  # prices below the small map
WHOLE = """() => {
  const map = document.querySelector(".map").getBoundingClientRect();
  const inside = (part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return left >= map.left && right <= map.right && top >= map.top && bottom <= map.bottom;
  };
  return [...document.querySelectorAll("#targets .target")]
    .filter(target => [...target.querySelectorAll(".glow, .shield text")].every(inside)).length;
}"""
LINES = """button => {
  const tops = [];
  const walk = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  for (let words = walk.nextNode(); words; words = walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(words);
    tops.push(...[...range.getClientRects()].filter(line => line.width > 1).map(line => line.top));
  }
  tops.sort((a, b) => a - b);
  return tops.filter((top, number) => !number || top - tops[number - 1] > 5).length;
}"""
BEYOND = """parts => parts
  .filter(part => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
  .map(part => part.textContent)"""
BARS = """bars => bars.filter(bar => bar.checkVisibility())
  .map(bar => [Number(bar.textContent), bar.getBoundingClientRect().width])"""
CUT_OFF = "part => Math.max(part.scrollWidth - part.clientWidth, part.scrollHeight - part.clientHeight)"
SHOWN = """note => {
  const { left, top, width, height } = note.getBoundingClientRect();
  note.style.pointerEvents = "auto";
  return document.elementFromPoint(left + width / 2, top + height / 2) === note;
}"""
GAINS = 153  # moves of base-5: the end of the turn would bring points to three others
HALF_A_LINE = 8  # pixels
CONTRASTS = """parts => parts.map((part) => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data]
      .map(value => value / 255).map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const [less, more] = [getComputedStyle(part).color, getComputedStyle(document.body).backgroundColor]
    .map(light).sort((a, b) => a - b);
  return (more + .05) / (less + .05);
})"""  # of words with the page below them
LANDING = 62  # moves of base-2: the end of the turn would score a region
IN_REACH = """targets => targets.map((target) => {
  const box = target.querySelector("circle.hit").getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const met = document.elementFromPoint(x, y);
  return { name: target.dataset.place, x, y, size: Math.min(box.width, box.height), free: !!met?.closest("#board") };
})"""


@pytest.fixture
def phone(new_guest: Callable[..., Guest]) -> Guest:
    return new_guest(**PHONE)


def expect_no_sideways(guest: Guest) -> None:
    """Nothing is wider than the screen."""
    assert guest.page.viewport_size is not None
    assert guest.page.evaluate("document.documentElement.scrollWidth") <= guest.page.viewport_size["width"]


def test_a_tap_places_and_every_target_is_large_enough_for_a_finger(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", 38))
    phone.expect_to_act()
    expect_no_sideways(phone)
    targets = phone.targets.evaluate_all(IN_REACH)
    assert len(targets) == len(phone.places)
    assert all(target["size"] >= LEAST for target in targets)
    reachable = [target for target in targets if target["free"]]
    assert len(reachable) > len(targets) / 2
    chosen = next(target for target in reachable if phone.spot(target["name"]).count() == 1)
    phone.page.touchscreen.tap(chosen["x"], chosen["y"])
    expect(phone.page.locator("#prompt-title")).to_contain_text(chosen["name"])
    assert phone.api()["version"] == 0, "the first tap previews"
    with phone.change():
        phone.page.touchscreen.tap(chosen["x"], chosen["y"])
    assert any(chosen["name"] in line for line in phone.log)
    button = phone.button("e")  # a bonus tile would let one expand again: the turn ends nevertheless at once
    expect(button).to_be_in_viewport()
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= LEAST
    with phone.change():
        button.tap()


def test_everything_on_the_map_is_drawn(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", 38))
    hidden = phone.page.locator("#board *:not(#track)").evaluate_all(
        "parts => parts.filter(part => getComputedStyle(part).display === 'none').map(part => part.outerHTML)"
    )
    assert [part for part in hidden if not part.startswith(("<title", "<desc", "<defs"))] == []
    expect(phone.page.locator("#prompt .track-pips i")).to_have_count(10)  # the track stands beside the title instead
    assert phone.page.locator("#ground .links path").count() > 50


def test_the_button_that_closes_a_sheet_covers_no_words(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", 38))
    close = phone.page.locator(".sheet-close")
    for name, words in (("News", "#news h2 > *, #news li > *"), ("Regions", "#regions li :is(h3, .values)")):
        phone.page.get_by_role("tab", name=name).tap()
        covered = phone.page.locator(words).evaluate_all(
            """(parts, close) => parts.filter(part => {
              const [a, b] = [part, close].map(one => one.getBoundingClientRect());
              return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
            }).map(part => part.textContent)""",
            close.element_handle(),
        )
        assert covered == [], name


def test_the_ribbon_of_a_replay_is_held_where_it_shows_the_moment(phone: Guest) -> None:
    table = phone.open_table("me", "me", record=record("base-2", 38))
    phone.visit(table, "?move=19")
    thumb, ribbon = phone.page.locator("#moment").bounding_box(), phone.page.locator(".ribbon").bounding_box()
    assert thumb is not None
    assert ribbon is not None
    assert thumb["width"] >= ribbon["width"], "the slider is as wide as the ribbon it lies on"


def test_tiles_about_to_land_are_not_drawn_where_there_is_no_track(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", LANDING))
    phone.expect_to_act()
    expect(phone.page.locator("#targets .landing")).to_have_count(1)
    expect(phone.page.locator("#targets .landing")).to_be_hidden()


def test_the_map_comes_first_and_panels_open_in_a_sheet(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", 38))
    board = phone.page.locator("#board").bounding_box()
    assert board is not None
    assert board["y"] < 100
    whole = phone.page.locator("body").bounding_box()
    assert board["height"] > 844 * 0.4
    for name, inside in (
        ("News", "#news h2"),
        ("Regions", "#regions li"),
        ("Chat", "#say-text"),
    ):
        tab = phone.page.get_by_role("tab", name=name)
        expect(phone.page.locator(inside).first).not_to_be_in_viewport()
        tab.tap()
        expect(phone.page.locator(inside).first).to_be_in_viewport()
        expect(tab).to_have_attribute("aria-selected", "true")
        expect_no_sideways(phone)
        assert phone.page.locator("body").bounding_box() == whole
        tab.tap()
        expect(phone.page.locator(inside).first).not_to_be_in_viewport()


def test_the_tab_of_the_news_says_how_much_there_is_to_read(phone: Guest) -> None:
    phone.open_table("me", "newcomer", "newcomer", record=record("base-3", 40))
    assert phone.wait_to_act()
    unread = phone.page.locator("#unread-news")
    expect(unread).to_have_text(str(phone.page.locator("#news > section:first-child li[data-place]").count()))
    expect(unread).to_be_visible()
    phone.page.get_by_role("tab", name="News").tap()
    expect(unread).to_be_hidden()


def test_a_sheet_leads_back_to_ones_turn_and_to_the_replay_of_the_news(phone: Guest) -> None:
    phone.open_table("me", "newcomer", record=record("introductory-2", 7))
    phone.take_turn()
    assert phone.wait_to_act()
    news, foot = phone.page.locator("#tab-news"), phone.page.locator(".sheet-foot")
    news.tap()
    expect(phone.page.locator(".panels")).to_be_visible()
    foot.get_by_role("button", name="My turn: Expand").tap()
    expect(foot).to_be_hidden()
    news.tap()
    foot.get_by_role("button", name="Replay").tap()
    expect(phone.page.locator("#replay")).to_be_visible()
    expect(foot).to_be_hidden()


def test_five_bots_keep_the_names_people_call_them_by_on_the_narrowest_phones(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    guest.open_table("me", *["newcomer"] * 4)
    guest.expect_listening()
    cut = "names => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    assert guest.page.locator(".player h3").evaluate_all(cut) == []


def test_the_chooser_fits_and_is_tapped(phone: Guest) -> None:
    phone.open_table("me", "me", expert="draft")
    target = next(target for target in phone.targets.evaluate_all(IN_REACH) if target["free"])
    phone.page.touchscreen.tap(target["x"], target["y"])
    way = phone.chooser.locator(".ways button").first
    expect(way).to_be_in_viewport()
    box = way.bounding_box()
    assert box is not None
    assert box["height"] >= LEAST
    with phone.change():
        way.tap()


def test_a_drag_moves_the_map_and_is_no_tap(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", 38))
    board = phone.page.locator("#board")
    before, version = board.get_attribute("viewBox"), phone.version
    target = next(target for target in phone.targets.evaluate_all(IN_REACH) if target["free"])
    phone.page.mouse.move(target["x"], target["y"])
    phone.page.mouse.down()
    phone.page.mouse.move(target["x"] - 60, target["y"] - 10, steps=4)
    phone.page.mouse.up()
    assert board.get_attribute("viewBox") != before
    assert phone.api()["version"] == version


@pytest.mark.parametrize("path", ["/", "/look", "/rules", "/rules/aid", "/t/nowhere"])
def test_other_pages_fit_the_screen(phone: Guest, path: str) -> None:
    phone.pardon("404")
    phone.go(path)
    expect(phone.page.locator("h1")).to_be_visible()
    expect_no_sideways(phone)
    phone.page.locator("details.menu summary").tap()
    card = phone.page.locator(".menu-card").bounding_box()
    assert card is not None
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= STANDING["width"]


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_pages_fit_the_narrowest_screen(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(viewport=NARROWEST, has_touch=True, is_mobile=True, locale=locale)
    for path in ("/", "/new", "/look", "/rules", "/people", "/statistics", "/register"):
        guest.go(path)
        expect_no_sideways(guest)
    guest.go("/new")
    for name in guest.page.locator(".seat h2").locator("visible=true").all():
        box = name.bounding_box()
        assert box is not None
        assert box["height"] < 2 * LEAST, f"{name.text_content()} has a line for each letter"
    guest.look(record("base-5"))
    expect_no_sideways(guest)
    guest.expect_listening()
    main = guest.page.locator("#replay .main").bounding_box()
    assert main is not None
    assert main["x"] + main["width"] <= NARROWEST["width"]
    guest.visit(guest.id)
    assert guest.page.locator("#after .source").evaluate_all(NUMBERS_CUT) == []


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_a_lesson_shows_all_of_its_words_and_the_place_to_press_on_a_low_screen(
    new_guest: Callable[..., Guest], locale: str
) -> None:
    guest = new_guest(viewport=NARROWEST, has_touch=True, is_mobile=True, locale=locale)
    for number in range(1, 13):
        guest.go(f"/learn/{number}")
        says = guest.page.locator(".says")
        assert says.evaluate("says => says.scrollHeight - says.clientHeight") <= 1, f"lesson {number}"
        for target in guest.targets.all():
            expect(target.locator(".glow")).to_be_in_viewport(ratio=1)


def test_the_final_screen_fits_the_screen(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("introductory-2", 25))
    phone.press("e")
    expect(phone.page.locator("#after .bars tbody tr")).to_have_count(2)
    for size in TABLET, LYING, STANDING:
        resize(phone.page, **size)
        expect_no_sideways(phone)
        expect(phone.page.locator("#after .buttons .primary")).to_be_in_viewport(ratio=1)
    phone.page.locator("#after .bars").scroll_into_view_if_needed()
    expect(phone.page.locator("#after .bars")).to_be_in_viewport()
    phone.page.locator(".share summary").tap()
    phone.page.get_by_role("link", name="Download the record").scroll_into_view_if_needed()
    expect(phone.page.get_by_role("link", name="Download the record")).to_be_in_viewport()


def test_long_names_are_on_the_cards_and_on_the_final_screen(phone: Guest) -> None:
    played = game("base-3")
    last = len(played.actions) - 1
    seats = ["newcomer"] * 3
    seats[played.at(last).current_player] = "me"
    phone.open_table(*seats, record=record("base-3", last))
    phone.expect_to_act()
    for name in phone.page.locator("#players h3").all():
        expect(name).to_be_visible()
    phone.end_turn()
    won = phone.page.locator("#final-title")
    expect(won).to_be_visible()
    expect(won).to_contain_text("Penny Pound")
    phone.look(record("base-2"))
    phone.visit(phone.id)
    expect(phone.page.locator("#after .who").filter(has_text="Westward Diners")).to_be_visible()
    assert phone.page.locator("#after .who").evaluate_all(NUMBERS_CUT) == []


def test_what_lies_outside_of_the_window_has_an_arrow_and_a_small_map_shows_the_whole(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", 38))
    phone.expect_to_act()
    small = phone.page.locator(".minimap")
    expect(small.locator("circle")).to_have_count(phone.targets.count())
    box = small.bounding_box()
    assert box is not None
    phone.page.touchscreen.tap(box["x"] + box["width"] - 6, box["y"] + 6)  # New England: far from most of what glows
    arrow = phone.page.locator("#edges .edge").first
    name = str(arrow.get_attribute("aria-label")).removeprefix("Show ")
    expect(phone.target(name).locator(".glow")).not_to_be_in_viewport()
    expect(arrow).to_contain_text("$")
    arrow.tap()
    expect(phone.target(name).locator(".glow")).to_be_in_viewport()
    assert phone.api()["version"] == 0


def test_no_arrow_covers_a_town_to_begin_in(phone: Guest) -> None:
    phone.open_table("me", "me", "me", "me")
    phone.expect_to_act()
    apart = """arrows => arrows.flatMap(arrow => {
      const a = arrow.getBoundingClientRect();
      return [...document.querySelectorAll("#targets .target .glow .ring")].map(ring => ring.getBoundingClientRect())
        .map(b => Math.hypot((a.left + a.right - b.left - b.right) / 2, (a.top + a.bottom - b.top - b.bottom) / 2));
    })"""
    found = phone.page.locator("#edges .edge").evaluate_all(apart)
    assert found
    assert min(found) >= 40


@pytest.mark.parametrize("size", [STANDING, {"width": 360, "height": 640}, NARROWEST], ids=["390", "360", "320"])
@pytest.mark.parametrize("moves", [*CROWDED])
def test_the_window_opens_on_what_can_be_chosen_and_the_small_map_covers_none_of_it(
    new_guest: Callable[..., Guest], size: ViewportSize, moves: int
) -> None:
    guest = new_guest(viewport=size, has_touch=True, is_mobile=True)
    guest.open_table(*["me"] * 5, record=record("base-5", moves))
    guest.expect_to_act()
    assert guest.page.evaluate(COVERED) == []
    assert guest.page.evaluate(WHOLE) >= CROWDED[moves][size["width"]]
    guest.page.locator("#edges .edge").last.tap()  # which is not below the small map either
    assert guest.page.evaluate(COVERED) == []


def test_no_callout_is_cut_off_by_the_edge_of_the_window(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(**PHONE, locale="de-DE")
    guest.open_table(*["me"] * 5, record=record("base-5", 132))
    guest.expect_to_act()
    guest.targets.filter(has=guest.page.locator(".callout")).first.focus()
    expect(guest.page.locator("#prompt.previewing .preview")).to_be_visible()
    expect(guest.page.locator(".target .callout").first).to_be_attached()
    assert guest.page.locator(".target .callout").locator("visible=true").count() == 0, "the bar says the same"
    for number in (1, 2):
        guest.go(f"/learn/{number}")
        expect(guest.targets.locator(".callout")).to_be_in_viewport(ratio=1)


def test_the_button_that_confirms_is_called_by_what_it_does(phone: Guest) -> None:
    phone.open_table("me", "me", record=record("base-2", 38))
    expect(phone.main).to_have_accessible_name("Choose a place")
    target = next(target for target in phone.targets.evaluate_all(IN_REACH) if target["free"])
    phone.page.touchscreen.tap(target["x"], target["y"])
    expect(phone.main).to_have_accessible_name(re.compile(r"^Expand"))
    phone.page.keyboard.press("Escape")
    expect(phone.main).to_have_accessible_name("Choose a place")


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
@pytest.mark.parametrize("size", [STANDING, LYING, {"width": 740, "height": 360}], ids=["390", "844", "740"])
def test_to_grow_everywhere_takes_two_lines(new_guest: Callable[..., Guest], locale: str, size: ViewportSize) -> None:
    guest = new_guest(viewport=size, has_touch=True, is_mobile=True, locale=locale)
    guest.open_table(*["me"] * 5, record=record("base-5", RICH))
    guest.choose(guest.places[0])
    skip = guest.page.locator("#prompt .skip-slot button")
    expect(skip).to_be_enabled()
    assert skip.evaluate(LINES) <= 2


@pytest.mark.parametrize("size", [LYING, {"width": 740, "height": 360}, NARROWEST], ids=["844", "740", "320"])
def test_what_a_host_can_do_is_in_sight_as_a_whole(new_guest: Callable[..., Guest], size: ViewportSize) -> None:
    guest = new_guest(viewport=size, has_touch=True, is_mobile=True, locale="de-DE")
    guest.open_table("me", *["newcomer"] * 3, "open")
    guest.page.locator("#host summary").tap()
    for order in guest.page.locator("#host .orders form").all():
        order.scroll_into_view_if_needed()
        expect(order).to_be_in_viewport(ratio=1)
    card = guest.page.locator("#host .orders").bounding_box()
    assert card is not None
    assert card["y"] >= 0
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= size["width"]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("size", [LYING, {"width": 740, "height": 360}], ids=["844", "740"])
def test_on_its_side_a_telephone_says_how_many_places_are_in_reach_and_what_one_has(
    new_guest: Callable[..., Guest], locale: str, size: ViewportSize
) -> None:
    guest = new_guest(viewport=size, has_touch=True, is_mobile=True, locale=locale)
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", 20))
    guest.expect_to_act()
    line = guest.page.locator("#prompt .ask > .line:not(.preview)")
    assert line.evaluate("line => line.scrollHeight - line.clientHeight") <= 1


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
@pytest.mark.parametrize(
    "size",
    [STANDING, {"width": 360, "height": 640}, NARROWEST, LYING, {"width": 740, "height": 360}],
    ids=["390", "360", "320", "844", "740"],
)
def test_what_a_hint_advises_is_said_to_its_end(
    new_guest: Callable[..., Guest], locale: str, size: ViewportSize
) -> None:
    guest = new_guest(viewport=size, has_touch=True, is_mobile=True, locale=locale)
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", 20))
    guest.expect_to_act()
    guest.page.locator(".hint-slot button").tap()
    assert guest.page.locator("#hint h2").evaluate(CUT_OFF) < HALF_A_LINE
    assert guest.main.evaluate(LINES) <= 2


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("size", [STANDING, NARROWEST, LYING, {"width": 740, "height": 360}], ids=str)
def test_who_lost_reads_all_names_and_buttons_of_two_lines(
    new_guest: Callable[..., Guest], locale: str, size: ViewportSize
) -> None:
    guest = new_guest(viewport=size, has_touch=True, is_mobile=True, locale=locale)
    played = game("base-5")
    last = len(played.actions) - 1
    seats = ["newcomer"] * 5
    seats[played.at(last).current_player] = "me"
    lost = next(seat for seat in range(5) if seat not in played.result().winners)
    seats[lost] = "me"
    guest.open_table(*seats, record=record("base-5", last))
    guest.expect_to_act()
    guest.end_turn()
    buttons = guest.page.locator("#after .buttons").locator(".button, button").locator("visible=true")
    expect(buttons.first).to_be_visible()
    assert max(button.evaluate(LINES) for button in buttons.all()) <= 2
    assert guest.page.locator("#after .who").evaluate_all(NUMBERS_CUT) == []


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
@pytest.mark.parametrize("size", [LYING, {"width": 740, "height": 360}], ids=["844", "740"])
def test_the_last_lesson_has_room_for_its_buttons_and_its_result(
    new_guest: Callable[..., Guest], locale: str, size: ViewportSize
) -> None:
    guest = new_guest(viewport=size, has_touch=True, is_mobile=True, locale=locale)
    guest.go("/learn/12")
    buttons = guest.page.locator(".lesson .slots :is(a, button)")
    assert buttons.evaluate_all(BEYOND) == []
    assert all(box["width"] >= LEAST for button in buttons.all() if (box := button.bounding_box()) is not None)
    assert guest.page.locator("#after .source").evaluate_all(NUMBERS_CUT) == []
    widths = guest.page.locator("#after tr.winner .source").evaluate_all(BARS)
    assert max(widths)[1] > 2 * min(widths)[1], "the bars show how much came from where"


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_no_alarm_lies_on_the_words_of_a_lesson(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(**PHONE, locale=locale)
    guest.go("/learn/11")
    expect(guest.page.locator(".status.alarm")).to_be_attached()
    expect(guest.page.locator(".guide h2")).to_be_visible()
    assert guest.page.locator(".turn-note, .guide h2, .guide .portrait").evaluate_all(MEETING) == []


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_what_others_would_gain_stands_out_from_the_rail(new_guest: Callable[..., Guest], colours: str) -> None:
    guest = new_guest(viewport=LYING, has_touch=True, is_mobile=True, color_scheme=colours)
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", GAINS))
    guest.expect_to_act()
    ghosts = guest.page.locator(".player:not(.active) .gain .ghost")
    expect(ghosts).to_have_count(3)
    assert min(ghosts.evaluate_all(CONTRASTS)) >= 4.5


def test_that_the_game_may_end_is_said_on_a_telephone_held_upright(phone: Guest) -> None:
    table = phone.open_table("me", "me", record=record("base-2", 127))
    phone.expect_to_act()
    note = phone.page.locator(".turn-note")
    expect(note).to_have_text("May end this round")
    for size in STANDING, NARROWEST:
        resize(phone.page, size["width"], size["height"])
        expect(note).to_be_in_viewport(ratio=1)
        assert note.evaluate(SHOWN), "nothing lies on it, and it is cut off nowhere"
    phone.visit(table, "?move=19")
    phone.expect_listening()
    assert not note.evaluate(SHOWN)
