"""What stands around the map, the bar and the rail, at sizes and in languages where room is scarce."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, Route, expect

from recorded_games import THROWN, game, record
from web.browser.guest import Guest, resize
from web.browser.page_checks import BEYOND, MEETING

LAPTOP = {"width": 1280, "height": 720}
CUT_OFF = """texts => texts.filter(text => text.checkVisibility() && text.scrollWidth > text.clientWidth + 1)
  .map(text => `${text.className} ${text.textContent}`)"""
STEPS_CUT = """steps => {
  const room = steps.getBoundingClientRect();
  return [...steps.children].filter(step => {
    const { left, right, top } = step.getBoundingClientRect();
    return top < room.bottom - 1 && (left < room.left - 1 || right > room.right + 1);
  }).map(step => step.textContent);
}"""  # a step stands there as a whole, or not at all
CHOICES_CUT = """selects => selects.filter(select => select.checkVisibility()).flatMap(select => {
  const style = getComputedStyle(select);
  const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font: style.font });
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return [...select.options].map(option => option.text).filter(text => pen.measureText(text).width > room + 1);
})"""
UNDER = """id => {
  const chip = document.getElementById(id).getBoundingClientRect();
  const map = document.querySelector(".map").getBoundingClientRect();
  const meets = ({ left, right, top, bottom }) =>
    left < chip.right && right > chip.left && top < chip.bottom && bottom > chip.top;
  const parts = ".place, .name, .plate, .target .hit, #track, #legend, .zoom button, .minimap";
  const covered = [...document.querySelectorAll(parts)]
    .filter(part => part.checkVisibility() && meets(part.getBoundingClientRect()));
  const inside = chip.left >= map.left && chip.right <= map.right && chip.top >= map.top && chip.bottom <= map.bottom;
  return [...covered.map(part => part.id || part.textContent), ...(inside ? [] : ["beyond the map"])];
}"""
NOTICE = """() => document.body.insertAdjacentHTML("beforeend", `<p id="preparing"><label>The bots are being prepared
  for this computer, this first time only. You can already play. <progress max="1" value=".4"></progress></label></p>`)
"""  # as on the very first start
LOG_ROWS = """lines => lines.map(line => ({
  text: line.innerText,
  lines: Math.round(line.firstElementChild.offsetHeight / parseFloat(getComputedStyle(line).lineHeight)),
  right: line.querySelector("b") ? Math.round(line.querySelector("b").getBoundingClientRect().right) : 0,
  wide: line.scrollWidth > line.clientWidth,
}))"""  # of the log: how many lines each takes, where its amount ends
SIZES = (
    (1440, 900), (1280, 720), (1024, 768), (820, 1180), (720, 450),
    (844, 390), (667, 375), (640, 360), (390, 844), (360, 640), (320, 568),
)  # fmt: skip
ON_THEIR_SIDES = ((844, 390), (667, 375), (640, 360), (568, 320))  # telephones, and a laptop at 200 %
RICH = 119  # moves of base-5: much money, and after one more expansion three cities can grow
CUT_NAMES = """names => names.filter(name => name.parentElement.clientWidth > 1 && name.scrollWidth > name.clientWidth)
  .map(name => name.textContent)"""  # where only screen readers are told them, they take one pixel
WORDS = ".slots button:not(.visually-hidden), .player .facts, #prompt-title, #news .close .name"
LONGEST = """names => { for (const name of names) name.textContent = "Grand Canyon"; }"""  # of all regions
LABELS = ".tabs button, .slots button:not(.visually-hidden), .slots button span, .turn-label, .player h3, #news h2"

HEAD = """head => {
  const written = [...head.querySelectorAll(".turn-label, .turn-note")].map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.getBoundingClientRect();
  });
  const signs = [...head.querySelectorAll(".tools svg")].filter(sign => sign.checkVisibility());
  const seen = head.getBoundingClientRect();
  return [
    ...signs.filter((sign) => written.some((text) => {
      const box = sign.getBoundingClientRect();
      return Math.min(text.right, box.right) - Math.max(text.left, box.left) > 0
        && Math.min(text.bottom, box.bottom) - Math.max(text.top, box.top) > 1;
    })).map(sign => sign.parentElement.title),
    ...written.filter(({ top, right, bottom }) => top < seen.top || right > seen.right || bottom > seen.bottom)
      .map(() => "beyond"),
  ];
}"""  # what of the signs lies on what is written, or is written beyond the head

APART = """tabs => tabs.filter(tab => tab.checkVisibility()).map((tab) => {
  const words = document.createRange();
  words.selectNode(tab.firstChild);
  return words.getBoundingClientRect();
}).map(({ left }, number, all) => number ? left - all[number - 1].right : Infinity)"""  # pixels between two words
EDGES = "tabs => tabs.map(tab => [tab.getBoundingClientRect().left, tab.getBoundingClientRect().right])"
FRESH = """badge => {
  badge.textContent = "12";
  badge.hidden = false;
}"""  # as many messages have come

OWN = {"de-DE": re.compile(r"\b[Dd]ein"), "fr-FR": re.compile(r"\b[Vv](os|otre)\b")}


def expect_nothing_cut_off(page: Page) -> None:
    found = page.locator(LABELS).evaluate_all(CUT_OFF) + page.locator("#prompt .steps").evaluate(STEPS_CUT)
    assert found == [], found


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_long_words_fit_on_a_laptop_with_five_players_and_a_hint(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(viewport=LAPTOP, locale=locale)
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", 20))
    guest.expect_to_act()
    expect(guest.page.locator(".player")).to_have_count(5)
    for player in guest.page.locator(".player").all():
        expect(player).to_be_in_viewport(ratio=1)
    expect_nothing_cut_off(guest.page)
    titles = guest.page.locator(".player:not(.own) .income").evaluate_all("facts => facts.map(fact => fact.title)")
    assert len(titles) == 4
    assert not any(OWN[locale].search(text) for text in titles), titles  # what others have is not yours
    news = guest.page.locator("#news > section").first
    assert news.evaluate("part => part.scrollHeight <= part.clientHeight"), "news fits, or is told in fewer words"
    guest.page.keyboard.press("h")
    expect(guest.page.locator("#hint")).to_be_visible()
    for part in ("#prompt-title", "#prompt .slots .main button", "#prompt .undo button"):
        expect(guest.page.locator(part).first).to_be_in_viewport(ratio=1)
    hinted = guest.page.locator("#targets .target.hinted")
    expect(hinted).to_have_count(1)
    assert str(hinted.get_attribute("data-place")) in str(guest.page.locator("#hint li").first.text_content())
    expect(guest.page.locator("#tab-news")).to_have_attribute("aria-selected", "true")
    guest.page.locator("#tab-chat").click()
    expect_nothing_cut_off(guest.page)


def expect_nothing_beyond(page: Page) -> None:
    """At no size do words leave their button, card or line."""
    for width, height in SIZES:
        resize(page, width, height)
        found = page.locator(WORDS).evaluate_all(BEYOND)
        found += page.locator(".player h3").evaluate_all(CUT_NAMES)
        assert found == [], f"{width} x {height}: {found}"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_no_words_leave_their_place_at_any_size(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(locale=locale)
    guest.open_table("newcomer", "me", *["newcomer"] * 3, record=record("base-5", RICH))
    guest.expect_to_act()
    close = guest.page.locator("#news .close li")
    expect(close.filter(has=guest.page.locator(".standing > span:nth-child(3)")).first).to_be_visible()
    close.locator(".name").evaluate_all(LONGEST)
    expect_nothing_beyond(guest.page)
    verbs = {name: str(guest.spot(name).first.get_attribute("data-verb")) for name in guest.places}
    guest.target(next(name for name, verb in verbs.items() if re.search("[358]", verb))).focus()
    expect(guest.page.locator(".player.own .cash .ghost")).to_be_visible()
    expect_nothing_beyond(guest.page)
    guest.choose(guest.places[0])
    expect(guest.button("g")).to_be_enabled()  # all growth at once
    expect_nothing_beyond(guest.page)


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_parts_do_not_lie_on_each_other_on_a_telephone_on_its_side(
    new_guest: Callable[..., Guest], locale: str
) -> None:
    guest = new_guest(locale=locale)
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", 20))
    guest.expect_to_act()
    for width, height in ON_THEIR_SIDES:
        resize(guest.page, width, height)
        parts = guest.page.locator(
            ".status, .tabs button, .player, .track-pips, #prompt h2, #prompt .line, "
            ".slots button:not(.visually-hidden)"
        )
        assert parts.locator("visible=true").count() > 15
        found = parts.evaluate_all(MEETING)
        assert found == [], f"{width} x {height}: {found}"
        last = guest.main.bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= height


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("table", [{"expert": "draft", "milestones": 1}, {}], ids=["draft", "free seat"])
def test_the_set_up_has_room_for_its_words(
    new_guest: Callable[..., Guest], locale: str, table: dict[str, object]
) -> None:
    guest = new_guest(locale=locale, viewport=LAPTOP)
    guest.open_table("me", "me" if table else "open", **table)
    guest.expect_listening()
    assert guest.page.locator(".modules h3 > *").evaluate_all(MEETING) == []
    for width, height in SIZES:
        resize(guest.page, width, height)
        found = guest.page.locator("#prompt-title").evaluate_all(BEYOND)
        found += guest.page.locator(".slots :is(button:not(.visually-hidden), select)").evaluate_all(MEETING)
        assert found == [], f"{width} x {height}: {found}"


def test_on_a_telephone_on_its_side_news_and_what_is_close_to_scoring_stand_beside_each_other(
    new_guest: Callable[..., Guest],
) -> None:
    guest = new_guest(viewport={"width": 844, "height": 390}, locale="de-DE")
    guest.open_table("me", *["newcomer"] * 4, record=record("base-5", 94))
    guest.expect_to_act()
    guest.page.locator("#tab-news").click()
    for item in guest.page.locator("#news li").all():
        expect(item).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_that_the_game_may_end_is_said_in_one_line_below_the_turn(new_guest: Callable[..., Guest], locale: str) -> None:
    """Text of the head and signs of its tools do not lie on each other."""
    guest = new_guest(locale=locale)
    guest.open_table("me", "me", record=record("base-2", 127))
    guest.expect_to_act()
    expect(guest.page.locator(".status.alarm")).to_be_attached()
    for width, height in ((1440, 900), (1280, 720), (1024, 768), (820, 1180), (844, 390)):
        resize(guest.page, width, height)
        note = guest.page.locator(".turn-note").bounding_box()
        assert note is not None
        assert note["height"] < 16, "one line"
        found = guest.page.locator(".rail-head").evaluate(HEAD)
        assert found == [], f"{width} x {height}: {found}"


def test_every_pace_can_be_chosen_on_a_telephone_on_its_side(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 844, "height": 390})
    ada = new_guest()
    table = ada.open_table("me", "me", record=record("base-2", 38))
    guest.visit(table)  # to watch
    guest.expect_listening()
    for pace in ("1", "0.4", "0"):
        guest.page.locator(f"[data-pace='{pace}']").click()
        expect(guest.page.locator("[data-pace][aria-pressed=true]")).to_have_attribute("data-pace", pace)
        expect(guest.page.locator(f"[data-pace='{pace}']")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_choice_of_a_list_is_cut_off(new_guest: Callable[..., Guest], locale: str, width: int) -> None:
    guest = new_guest(viewport={"width": width, "height": 800}, locale=locale)
    guest.go("/new")
    guest.page.locator("details:not([open])").evaluate_all("parts => parts.forEach(part => { part.open = true; })")
    assert guest.page.locator("select").count() >= 5
    assert guest.page.locator("select").evaluate_all(CHOICES_CUT) == []
    table = guest.open_table("me", "me", record=record("base-2", 38))
    guest.visit(table, "?move=20")
    guest.page.locator(".go-on").evaluate("part => { part.open = true; }")
    assert guest.page.locator("select").evaluate_all(CHOICES_CUT) == []


def test_tabs_at_every_width_and_from_narrow_to_wide(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 860, "height": 700})
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.expect_to_act()
    boxes = """() => [".map", "#prompt", ".tabs", ".panels", "#players"].map(part => {
      const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
      return [part, x, y, width, height].join(" ");
    })"""
    before = guest.page.evaluate(boxes)
    for tab in ("log", "regions", "chat", "news"):
        guest.page.locator(f"#tab-{tab}").click()
        expect(guest.page.locator(f"#panel-{tab}")).to_be_visible()
        assert guest.page.evaluate(boxes) == before
    guest.page.set_viewport_size({"width": 390, "height": 844})
    guest.page.locator("#tab-map").click()  # which a wide page does not have
    for size in ({"width": 390, "height": 844}, {"width": 1440, "height": 900}):
        guest.page.set_viewport_size(size)
        expect(guest.page.locator(".tabs [aria-selected=true]:visible")).to_have_count(1)


def test_an_attempt_without_connection_is_told_where_one_looks(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.expect_to_act()
    guest.pardon("ERR_INTERNET_DISCONNECTED|ERR_FAILED|htmx|events")
    guest.context.set_offline(True)
    place = guest.places[0]
    guest.spot(place).first.evaluate("button => button.click()")
    expect(guest.page.locator("#offline")).to_be_in_viewport(ratio=1)
    expect(guest.page.locator("#spoken")).to_have_text("No connection: that was not sent.")
    guest.context.set_offline(False)
    guest.choose(place)
    expect(guest.page.locator("#offline")).to_be_hidden()


def test_while_a_move_is_under_way_the_page_says_so(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.expect_to_act()
    held: list[Route] = []
    guest.page.route("**/move", lambda route: held.append(route))
    with guest.change():
        guest.page.mouse.click(*guest.middle(guest.target(guest.places[0])))
        expect(guest.page.locator("#sending")).to_have_text("Sending…")
        expect(guest.page.locator("#sending")).to_be_in_viewport(ratio=1)
        wheel = guest.page.locator("#prompt [data-slot=main]").evaluate(
            "main => getComputedStyle(main, '::after').width"
        )
        assert wheel == "14px", "a wheel turns on the primary button"
        held.pop().continue_()
    expect(guest.page.locator("#sending")).to_be_hidden()


def test_what_the_server_does_not_take_is_told_with_its_reason(guest: Guest) -> None:
    """Whether it says so in a page of its own, or not at all."""
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.expect_to_act()
    guest.pardon("500|429")
    told = guest.page.locator("#offline")
    for status, body, reason in ((500, "", "Something went wrong here"), (429, "<h1>Too many</h1>", "Too many")):
        guest.page.route("**/move", partial(Route.fulfill, status=status, body=body), times=1)
        guest.spot(guest.places[0]).first.evaluate("button => button.click()")
        expect(told).to_have_text(reason)
        expect(told).to_be_in_viewport(ratio=1)
    guest.choose(guest.places[0])
    expect(told).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1440, 900), (1280, 720), (1024, 768)])
@pytest.mark.parametrize("position", [("base-2", 38), ("base-5", 20)])
def test_what_is_told_on_the_map_covers_nothing(
    new_guest: Callable[..., Guest], width: int, height: int, position: tuple[str, int]
) -> None:
    guest = new_guest(viewport={"width": width, "height": height}, locale="fr-FR")
    guest.open_table(*["me"] * int(position[0][-1]), record=record(*position))
    guest.expect_to_act()
    guest.page.locator("#offline").evaluate(
        "told => { told.textContent = document.getElementById('table').dataset.offline; told.hidden = false; }"
    )
    assert guest.page.evaluate(UNDER, "offline") == []


def test_a_clock_is_still_seen_when_little_time_is_left(guest: Guest) -> None:
    guest.open_table("me", "newcomer", clock="20+30", introductory=1)
    guest.expect_listening()
    shown = "clock => { clock.classList.add('short'); return clock.checkVisibility(); }"
    assert guest.page.locator(".player.own .clock").evaluate(shown)


def test_a_turn_with_three_actions_takes_four_clicks(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", 71))
    guest.expect_to_act()
    seat, turn = guest.api()["current_player"], guest.value("turn")
    clicks = 0
    for _ in range(3):  # expand, and grow twice
        before = guest.version
        guest.page.mouse.click(*guest.middle(guest.page.locator("#targets .target:not(.chosen)").first))
        clicks += 1
        expect(guest.status).not_to_have_attribute("data-version", str(before))
    guest.main.click()
    clicks += 1
    expect(guest.status).not_to_have_attribute("data-turn", str(turn))
    assert clicks == 4
    assert guest.api()["current_player"] != seat


def test_with_a_bonus_tile_left_a_turn_still_ends_at_once(guest: Guest) -> None:
    guest.open_table("me", "me", "me", "me", "me", record=record("base-5", 20))
    guest.expect_to_act()
    turn = guest.value("turn")
    guest.choose(guest.places[0])
    assert int(guest.api()["view"]["players"][guest.api()["current_player"]]["bonus_tiles"]) > 0
    kinds = guest.targets.evaluate_all("targets => targets.map(target => target.classList[1])")
    assert set(kinds) == {"expand", "grow"}, "a second expansion and growth are offered beside each other"
    expect(guest.main).to_have_text("End turn")
    guest.end_turn()
    expect(guest.status).not_to_have_attribute("data-turn", str(turn))


def test_sound_is_asked_about_once(guest: Guest) -> None:
    guest.open_table("me", "newcomer", record=record("introductory-2", 7))
    guest.expect_to_act()
    guest.take_turn()
    chip = guest.page.locator("#sound-chip")
    expect(chip).to_be_visible()
    chip.get_by_role("button", name="No").click()
    expect(chip).to_be_hidden()
    assert guest.wait_to_act()
    guest.take_turn()
    guest.wait_to_act()
    expect(chip).to_be_hidden()
    expect(guest.page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    assert guest.page.locator("#floats").evaluate("sky => getComputedStyle(sky).pointerEvents") == "none"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (1024, 768), (820, 1180)])
@pytest.mark.parametrize(("locale", "position"), [("en-GB", ("base-2", 38)), ("fr-FR", ("base-5", 20))])
def test_the_question_about_sound_covers_nothing(
    new_guest: Callable[..., Guest], width: int, height: int, locale: str, position: tuple[str, int]
) -> None:
    guest = new_guest(viewport={"width": width, "height": height}, locale=locale)
    guest.open_table(*["me"] * int(position[0][-1]), record=record(*position))
    guest.expect_to_act()
    guest.page.locator("#sound-chip").evaluate("chip => { chip.hidden = false; }")
    assert guest.page.evaluate(UNDER, "sound-chip") == []


def test_on_a_telephone_the_question_about_sound_waits_for_the_turns_of_others(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for seats, shown in ((("open", "me"), True), (("me", "me"), False)):
        guest.open_table(*seats, record=record("base-2", 38))
        guest.expect_to_act(not shown)
        guest.page.locator("#sound-chip").evaluate("chip => { chip.hidden = false; }")
        expect(guest.page.locator("#sound-chip")).to_be_visible(visible=shown)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1440, 900), (1280, 720), (1180, 820), (1024, 768)])
@pytest.mark.parametrize("position", [("base-2", 38), ("base-5", 20)])
def test_the_notice_that_bots_are_being_prepared_covers_nothing(
    new_guest: Callable[..., Guest], width: int, height: int, position: tuple[str, int]
) -> None:
    guest = new_guest(viewport={"width": width, "height": height})
    guest.open_table(*["me"] * int(position[0][-1]), record=record(*position))
    guest.expect_to_act()
    guest.page.evaluate(NOTICE)
    assert guest.page.evaluate(UNDER, "preparing") == []


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_tabs_stand_apart_and_none_moves_for_a_message(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(locale=locale)
    guest.open_table("me", "me", record=record("base-2", 38))
    guest.expect_to_act()
    tabs, badge = guest.page.locator(".tabs button"), guest.page.locator("#unread")
    for width, height in SIZES[:4]:
        resize(guest.page, width, height)
        assert min(tabs.evaluate_all(APART)) >= 4, f"{width} x {height}"
        edges = tabs.evaluate_all(EDGES)
        badge.evaluate(FRESH)
        expect(badge).to_be_in_viewport(ratio=1)
        assert tabs.evaluate_all(EDGES) == edges, f"{width} x {height}"
        badge.evaluate("badge => { badge.hidden = true; }")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720), (390, 844)])
def test_what_happens_takes_a_line_of_the_log_with_its_gain_at_the_right(
    new_guest: Callable[..., Guest], width: int, height: int, locale: str
) -> None:
    guest = new_guest(locale=locale, viewport={"width": width, "height": height})
    guest.open_table("me", "me", record=record("base-2", 100))
    guest.expect_listening()
    guest.page.locator("#tab-log").evaluate("tab => tab.click()")  # on a telephone, it stands in the sheet of news
    expect(guest.page.locator("#panel-log")).to_be_visible()
    rows = guest.page.locator("#log li a").evaluate_all(LOG_ROWS)
    assert len(rows) > 100
    assert sum(row["lines"] > 1 for row in rows) <= len(rows) / 20
    assert {row["text"] for row in rows if row["lines"] > 2} == set()
    assert len({row["right"] for row in rows if row["right"]}) == 1, "amounts end at the same edge"
    assert [row for row in rows if row["wide"]] == []
    spoken = rows[-1]["text"]
    assert guest.page.get_by_role("link", name=guest.log[0], exact=True).count() >= 1
    assert len(guest.log[0]) > len(spoken)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_a_sheet_of_news_names_its_regions_in_full(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(viewport={"width": 720, "height": 450}, locale=locale)
    guest.open_table(*["me"] * 5, record=record("base-5", RICH))
    guest.expect_to_act()
    guest.page.locator("#tab-news").click()
    names = guest.page.locator("#news .close .name")
    expect(names.first).to_be_visible()
    names.evaluate_all(LONGEST)
    for width, height in ON_THEIR_SIDES[:2]:
        resize(guest.page, width, height)
        assert names.evaluate_all(CUT_OFF) == [], f"{width} x {height}"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_a_replay_says_where_it_is_at_every_size_with_a_bar(new_guest: Callable[..., Guest], locale: str) -> None:
    guest = new_guest(locale=locale)
    table = guest.open_table(*["me"] * 5, record=record("base-5"))
    guest.visit(table, f"?move={len(game('base-5').actions) - 1}")
    guest.expect_listening()
    said = guest.page.locator("#replay :is(.steps-line, h2, .chips, .line), #replay .slots .main")
    for width, height in SIZES[:4]:
        resize(guest.page, width, height)
        assert said.evaluate_all(BEYOND) == [], f"{width} x {height}"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("ending", ["played", "called off"])
def test_how_a_game_ended_is_said_in_full_beside_its_buttons(
    new_guest: Callable[..., Guest], ending: str, locale: str
) -> None:
    guest = new_guest(locale=locale)
    if ending == "played":
        guest.visit(guest.look(record("base-5")))
        guest.page.locator("[data-close-final]").click()
    else:
        table = guest.open_table("me", "me", record=record("base-2", 38))
        assert guest.post(f"/t/{table}/vote", {"what": "abort"}).ok
        guest.visit(table)
    expect(guest.page.locator(".status.over")).to_be_attached()
    guest.expect_listening()
    said = guest.page.locator("#prompt :is(h2, .line), #prompt .slots :is(button, .button)")
    for width, height in SIZES[:3]:
        resize(guest.page, width, height)
        assert said.locator("visible=true").evaluate_all(BEYOND) == [], f"{width} x {height}"


def test_a_replay_shows_the_whole_log_its_ribbon_and_nobody_thinking(guest: Guest) -> None:
    table = guest.open_table("me", "newcomer", record=THROWN.to_text())
    moment = next(move for move in range(60, 80) if THROWN.at(move).current_player == 1)  # the bot's
    guest.visit(table, f"?move={moment}")
    guest.expect_listening()
    expect(guest.page.locator(".ribbon path")).to_have_count(2)
    assert guest.page.locator("#log a.later").count() > 20
    assert any("passes" in line for line in guest.log)
    moves = guest.page.locator("#log a").evaluate_all("lines => lines.map(line => Number(line.dataset.move))")
    assert moves == sorted(moves), "from the oldest line to the newest, in a turn and between turns"
    assert "thinking" not in str(guest.page.locator("#table").text_content())
    guest.visit(table)
    guest.expect_listening()
    guest.page.locator("[data-close-final]").click()
    guest.page.locator("#tab-log").click()
    guest.page.locator("#log a").nth(10).click()
    guest.page.wait_for_url("**?move=*")
    guest.page.go_back()
    expect(guest.page.locator("#status")).to_have_attribute("data-live", "1")
    assert guest.page.url.endswith(f"/t/{table}")
    guest.page.keyboard.press("?")
    expect(guest.page.locator("#keys kbd", has_text="C").first).to_be_visible()
