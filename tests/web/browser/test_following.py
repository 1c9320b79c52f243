"""Moves of others as one sees them: one after the other, lit up, spoken, with numbers that float."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise, product
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from recorded_games import game, record
from web.browser.guest import Guest

LIT = re.compile(r"\blit\b")
KEEP_VERSIONS = """status => {
  window.seen = [Number(status.dataset.version)];
  new MutationObserver(() => {
    const now = Number(document.getElementById("status").dataset.version);
    if (window.seen.at(-1) !== now) window.seen.push(now);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
}"""
KEEP_HEARD = """window.EventSource = class extends EventSource {
  constructor(...values) {
    super(...values);
    this.addEventListener("message", (event) => { window.heard = Number(event.lastEventId); });
  }
};"""
KEEP_STATES = """status => {
  window.states = [];
  const keep = () => {
    const { version, live, acts } = document.getElementById("status").dataset;
    const now = [Number(version), live, acts];
    if (String(window.states.at(-1)) !== String(now)) window.states.push(now);
  };
  keep();
  new MutationObserver(keep).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
HOLD_ANSWERS = """() => {
  let came;
  const held = new Promise((come) => { came = come; });
  const gate = new Promise((go) => { window.letGo = go; });
  const fetched = window.fetch;
  window.fetch = async (...order) => {
    const answer = await fetched(...order);
    if (order[1]?.method === "POST") {
      came();
      await gate;
    }
    return answer;
  };
  const source = new EventSource(`/api/tables/${document.getElementById("table").dataset.id}/events?after=0`);
  window.both = Promise.all([held, new Promise((come) => { source.onmessage = come; })]).then(() => true);
}"""  # answers to moves wait until the test lets them go; `both`: the answer and the event have arrived
KEEP_SOURCE = """window.EventSource = class extends EventSource {
  constructor(...values) {
    super(...values);
    window.source = this;
  }
};"""
HOLD_SCENES = """() => {
  let came;
  window.held = new Promise((come) => { came = come; });
  window.reseated = new Promise((come) => window.source.addEventListener("seats", () => come(true)));
  const gate = new Promise((go) => { window.letGo = go; });
  const fetched = window.fetch;
  window.fetch = async (...order) => {
    const answer = await fetched(...order);
    came(true);
    await gate;
    return answer;
  };
}"""  # what the page asks for waits until the test lets it go
KEEP_FLOATS = """floats => {
  window.floated = [];
  const keep = (note) => window.floated.push(note.textContent);
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(keep)))
    .observe(floats, { childList: true });
}"""

KEEP_PATHS = """
window.paths = [];
window.times = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, ...how) {
  if (how[0]?.duration) window.times.push(how[0].duration + (how[0].delay ?? 0));
  if (this.classList.contains("flight")) {
    const at = (frame) => frame.transform.match(/-?[\\d.]+(?=px)/g).map(Number);
    window.paths.push(frames.filter((frame) => frame.transform).map(at));
  }
  return animate.call(this, frames, ...how);
};"""  # the points between which everything flies, and when it has arrived
MET = """() => {
  const boxes = [...document.querySelectorAll("#prompt button, .rail button, .rail summary")]
    .filter((button) => button.checkVisibility()).map((button) => [button, button.getBoundingClientRect()]);
  const met = new Set();
  for (const points of window.paths) {
    for (let number = 1; number < points.length; number += 1) {
      const [[ax, ay], [bx, by]] = [points[number - 1], points[number]];
      for (let part = 0; part <= 1; part += 0.02) {
        const [x, y] = [ax + (bx - ax) * part, ay + (by - ay) * part];
        for (const [button, box] of boxes) {
          if (x > box.left && x < box.right && y > box.top && y < box.bottom) met.add(button.outerHTML);
        }
      }
    }
  }
  return [...met];
}"""


TOLD = """async ({ loads, pace, calm, flying }) => {
  const { Schedule } = await import("/static/schedule.js");
  const told = [];
  for (let steps = 1; steps <= 16; steps += 1) {
    const schedule = new Schedule();
    let [now, loaded] = [5000, 0];
    for (const turn of ["1", "2", "3", "4"]) {
      const began = now;
      const shown = [];
      for (let step = 0; step < steps;) {
        schedule.ask(now, false);
        step += 1 + (step ? schedule.leftOut(now, pace, steps - step) : 0);
        now += loads[(loaded += 1) % loads.length];
        schedule.show(now, turn, { pace, calm, flying: step === steps ? flying : 0, silent: false });
        now += schedule.rest(now, pace, steps - step);
        shown.push(step);
      }
      told.push([steps, now - began, shown]);
    }
  }
  return told;
}"""  # turns of so many changes, one after the other: how long each is told, and what of it is shown
KEEP_ASKED = """
window.asked = [];
const fetched = window.fetch;
window.fetch = (...order) => {
  const version = /scene\\?version=(\\d+)/.exec(String(order[0]?.url ?? order[0]))?.[1];
  if (version) window.asked.push([Number(version), performance.now()]);
  return fetched(...order);
};"""
KEEP_TURNS = """status => {
  window.turns = {};
  new MutationObserver(() => {
    const { version, turn } = document.getElementById("status").dataset;
    window.turns[version] = turn;
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
}"""
TURN_MS = 2200
ROUNDING = 1e-6
LOADS = [[5], [60], [150], [400], [20, 300, 60, 180, 90]]  # milliseconds, in turn


def watching(new_guest: Callable[..., Guest], mover: Guest, pace: str, **settings: Any) -> Guest:
    """Somebody who watches the mover's table at a pace of their own."""
    eve = new_guest(at_once=False, **settings)
    eve.page.add_init_script(KEEP_HEARD)
    eve.page.add_init_script(f"localStorage.setItem('pace', '{pace}')")
    eve.visit(mover.id)
    expect(eve.page.locator(".connection.on")).to_have_count(1)
    eve.status.evaluate(KEEP_VERSIONS)
    return eve


def test_moves_of_others_are_shown_one_after_the_other(new_guest: Callable[..., Guest]) -> None:
    ada = new_guest()
    ada.open_table("me", "me", record=record("introductory-2", 6))
    eve = watching(new_guest, ada, pace="0.4")
    ada.replay(game("introductory-2").actions[6:11])
    eve.expect_version(ada.version)
    assert eve.page.evaluate("window.seen") == list(range(ada.version + 1))
    assert ada.version > 3
    assert eve.log == ada.log


def test_skipping_goes_straight_to_now(new_guest: Callable[..., Guest]) -> None:
    """For the one who watches time stands still, and ten moves are made before the first of them is drawn."""
    ada = new_guest()
    ada.open_table("me", "me", record=record("introductory-2", 6))
    eve = watching(new_guest, ada, pace="1", reduced_motion="no-preference")
    eve.page.clock.install()
    eve.page.clock.pause_at(datetime.now() + timedelta(hours=1))
    drawn: list[Route] = []
    eve.page.route("**/scene?version=1", lambda route: drawn.append(route))
    ada.replay(game("introductory-2").actions[6:16])
    last = ada.version
    assert last > 5
    eve.page.wait_for_function(f"window.heard === {last}")
    drawn[0].continue_()
    while eve.page.locator("#skip").is_disabled():
        eve.page.clock.run_for(1800)
    eve.page.locator("#skip").click()
    eve.expect_version(last)
    seen = eve.page.evaluate("window.seen")
    assert seen == sorted(seen)
    assert len(seen) < last  # some were not shown
    expect(eve.page.locator("#skip")).to_be_disabled()


def test_a_turn_is_told_in_its_time_with_all_that_is_loaded_for_it(guest: Guest) -> None:
    """By a clock that is only computed, however many changes a turn has and however long each is loaded."""
    guest.go("/")
    for pace, calm, loads, flying in product((1, 0.4), (False, True), LOADS, (0, 1100)):
        timing = guest.page.evaluate(TOLD, {"loads": loads, "pace": pace, "calm": calm, "flying": flying})
        for steps, time, shown in timing:
            assert time <= TURN_MS * pace + ROUNDING, (pace, calm, loads, flying, steps, time, shown)
            assert shown[-1] == steps, "how a turn ends is always shown"
            if max(loads) * 8 < TURN_MS * pace and steps <= 5:
                assert shown == list(range(1, steps + 1)), "and all of it where there is time"


def test_a_turn_of_others_takes_no_longer_than_it_may(new_guest: Callable[..., Guest]) -> None:
    """For the one who watches, time passes only here: each change takes 150 ms to load."""
    ada = new_guest()
    table = ada.open_table("me", "me", record=record("base-2", 38))
    eve = watching(new_guest, ada, pace="1", reduced_motion="no-preference")
    eve.page.add_init_script(KEEP_ASKED)
    eve.visit(table)
    eve.expect_listening()
    eve.page.clock.install()
    eve.page.clock.pause_at(datetime.now() + timedelta(hours=1))
    eve.status.evaluate(KEEP_TURNS)
    held: list[Route] = []
    eve.page.route("**/scene?version=*", lambda route: held.append(route))
    answered = 0
    actions = game("base-2").actions[38:68]
    for version, action in enumerate(actions):
        assert ada.post(f"/t/{table}/move", {"version": version, "moves": str(action)}).ok
    eve.page.wait_for_function(f"window.heard === {len(actions)}")
    while (before := eve.version) < len(actions):
        answered += 1
        while eve.page.evaluate("window.asked.length") < answered:
            eve.page.clock.run_for(10)
        eve.page.clock.run_for(150)
        while not held:
            eve.page.evaluate("null")  # lets the request arrive here, while no time passes there
        held.pop().continue_()
        expect(eve.status).not_to_have_attribute("data-version", str(before))
    asked, turns = eve.page.evaluate("[window.asked, window.turns]")
    began: dict[str, float] = {}
    for version, at in asked:
        began.setdefault(turns[str(version)], at)
    times = [after - before for before, after in pairwise(began.values())]
    assert len(times) >= 4
    assert max(times) <= TURN_MS, times
    ends = {version for version, action in enumerate(actions, start=1) if str(action) == "end"}
    assert ends <= {version for version, _ in asked}, "how a turn ends is always shown"


def test_the_bar_says_whose_turn_is_told_until_its_points_have_flown(new_guest: Callable[..., Guest]) -> None:
    ada = new_guest()
    ada.open_table("me", "me", record=record("base-2", 62))
    eve = watching(new_guest, ada, pace="1", reduced_motion="no-preference")
    title = eve.page.locator("#prompt-title")
    expect(title).to_have_text(re.compile("turn"))
    eve.page.clock.install()
    eve.page.clock.pause_at(datetime.now() + timedelta(hours=1))
    ada.end_turn()
    eve.expect_version(1)
    assert eve.page.locator("#floats").locator("*").count() > 0
    told, after = title.locator(".told"), title.locator(".next")
    expect(told).to_be_visible()
    expect(told).to_contain_text("score")
    expect(after).to_be_hidden()
    eve.page.clock.run_for(1200)
    expect(told).to_be_hidden()
    expect(after).to_be_visible()
    ada.expect_to_act()
    expect(ada.page.locator("#prompt-title .told")).to_have_count(0)


def test_the_pace_is_remembered(new_guest: Callable[..., Guest]) -> None:
    ada = new_guest()
    ada.open_table("me", "me", introductory=1)
    eve = new_guest(at_once=False)
    eve.visit(ada.id)
    faster = eve.page.get_by_role("button", name="2×")
    expect(faster).to_have_attribute("aria-pressed", "false")
    faster.click()
    eve.page.reload()
    expect(faster).to_have_attribute("aria-pressed", "true")


def test_a_move_lights_up_its_place_and_is_spoken(new_guest: Callable[..., Guest]) -> None:
    ada, eve = new_guest(), new_guest()
    eve.visit(ada.open_table("me", "me", record=record("introductory-2", 6)))
    expect(eve.page.locator(".connection.on")).to_have_count(1)
    expect(eve.page.locator("#spoken")).to_be_empty()
    ada.play("expand Denver 1")
    expect(eve.page.locator("#spoken")).to_have_text(ada.log[1])
    expect(eve.page.locator("#spoken")).to_contain_text("Denver")
    expect(eve.page.locator("#spoken")).to_have_attribute("aria-live", "polite")
    expect(eve.page.locator("#place-denver")).to_have_class(LIT)


def test_points_float_where_they_are_earned_unless_motion_is_to_be_reduced(new_guest: Callable[..., Guest]) -> None:
    ada = new_guest()
    ada.open_table("me", "me", record=record("base-2", 62))
    lively, calm = (new_guest(at_once=False, reduced_motion=wish) for wish in ("no-preference", "reduce"))
    lively.page.add_init_script(KEEP_PATHS)
    for person in (lively, calm):
        person.visit(ada.id)
        expect(person.page.locator(".connection.on")).to_have_count(1)
        person.page.locator("#floats").evaluate(KEEP_FLOATS)
    ada.end_turn()
    for person in (lively, calm):
        person.expect_version(1)
    lively.page.wait_for_function("window.floated.length")
    calm.page.wait_for_function("window.floated.length")
    assert not calm.page.evaluate("document.getAnimations().length"), "they stand where they were earned"
    expect(calm.page.locator("#floats .standing")).to_have_count(0)  # and go
    assert lively.page.evaluate("window.paths.length") >= lively.page.evaluate("window.floated.length")
    assert lively.page.evaluate(MET) == [], "nothing flies over what can be pressed"


@pytest.mark.parametrize(("pace", "most"), [("1", 1300), ("0.4", 520)])
def test_everything_a_move_sets_in_motion_arrives_in_time(
    new_guest: Callable[..., Guest], pace: str, most: int
) -> None:
    """A turn that scores three cities and a region: its end is told within the time of a turn, quicker at 2x."""
    ada = new_guest()
    ada.open_table("me", "me", record=record("base-2", 83))
    eve = new_guest(at_once=False, reduced_motion="no-preference")
    eve.page.add_init_script(KEEP_PATHS)
    eve.page.add_init_script(f"localStorage.setItem('pace', '{pace}')")
    eve.visit(ada.id)
    expect(eve.page.locator(".connection.on")).to_have_count(1)
    ada.end_turn()
    eve.expect_version(1)
    eve.page.wait_for_function("window.times.length > 8")
    assert max(eve.page.evaluate("window.times")) <= most


GAIN_AND_REFRESH = """async () => {
  const token = document.querySelector("#road [id^=token-]");
  const seat = token.querySelector(".seat");
  token.setAttribute("x", "70%");
  token.dataset.influence = "70";
  let started = false;
  for (let times = 0; times < 200; times += 1) {
    document.dispatchEvent(new CustomEvent("htmx:after:swap"));
    const driving = seat.getAnimations().length > 0;
    if (started && !driving) return true;
    started ||= driving;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""


def test_a_token_arrives_on_the_road_although_other_moves_are_shown_meanwhile(new_guest: Callable[..., Guest]) -> None:
    eve = new_guest(at_once=False, reduced_motion="no-preference")
    eve.open_table("me", "me", record=record("base-2", 62))
    eve.expect_listening()
    assert eve.page.evaluate(GAIN_AND_REFRESH)


def test_the_bar_and_the_cards_say_whose_move_is_told(new_guest: Callable[..., Guest]) -> None:
    """Ada ends a turn that scores, Bob goes on; Eve sees the end of that turn as a part of it."""
    ada, eve = new_guest(), new_guest()
    table = ada.open_table("me", "me", record=record("base-2", 83))
    name, turn = ada.page.locator(".player.active h3").text_content(), ada.value("turn")
    ada.end_turn()
    expect(ada.page.locator(".player.active h3")).not_to_have_text(str(name))
    ada.choose(ada.places[0])
    eve.visit(table)
    eve.expect_listening()
    eve.page.evaluate("htmx.ajax('GET', `${location.pathname}/scene?version=1`, { target: '#status', swap: 'none' })")
    expect(eve.page.locator("#prompt-title")).to_contain_text(f"{name} plays: ")
    expect(eve.page.locator("#prompt-title")).to_contain_text("score")
    expect(eve.page.locator(".player.active h3")).to_have_text(str(name))
    expect(eve.page.locator("#prompt .steps [aria-current]")).to_have_text("Regions")
    assert (eve.value("turn"), eve.value("ends-turn")) == (turn, 1), "its time counts as that of the turn"


def test_nobody_is_said_to_be_thinking_while_a_bots_moves_are_shown(guest: Guest) -> None:
    guest.open_table("me", "newcomer", record=record("introductory-2", 7))
    guest.expect_to_act()
    guest.take_turn()
    assert guest.wait_to_act()
    scene = f"{guest.page.url}/scene?version="
    scenes = [guest.page.request.get(f"{scene}{version}").text() for version in range(guest.version)]
    bot = guest.page.locator("#player-1 h3").text_content()
    assert any(f"{bot} plays" in parts for parts in scenes), "moments of the bot's turn"
    assert not any("thinking" in parts for parts in scenes)


def test_a_line_of_the_log_lights_up_its_place(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("introductory-2", 7))
    guest.page.get_by_role("tab", name="Log").click()
    line = guest.page.locator("#log a[data-place='Denver']").first
    line.hover()
    expect(guest.page.locator("#place-denver")).to_have_class(LIT)
    guest.page.locator("#log a[data-place='Atlanta']").first.hover()
    expect(guest.page.locator("#place-atlanta")).to_have_class(LIT)
    expect(guest.page.locator("#place-denver")).not_to_have_class(LIT)


def test_own_moves_are_never_replayed_at_the_pace_people_have(new_guest: Callable[..., Guest]) -> None:
    ada = new_guest(at_once=False, reduced_motion="no-preference")
    ada.open_table("me", "me", record=record("base-2", 38))
    expect(ada.page.locator(".connection.on")).to_have_count(1)
    ada.status.evaluate(KEEP_STATES)
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    for _ in range(3):
        ada.take_turn()
    states = ada.page.evaluate("window.states")
    assert [version for version, _, _ in states] == list(range(ada.version + 1))
    assert all(live == "1" and acts == "1" for _, live, acts in states)
    assert not [url for url in asked if "/scene" in url]


def test_the_event_of_an_own_move_may_come_before_its_answer(new_guest: Callable[..., Guest]) -> None:
    ada = new_guest(at_once=False, reduced_motion="no-preference")
    ada.open_table("me", "me", record=record("base-2", 38))
    expect(ada.page.locator(".connection.on")).to_have_count(1)
    ada.status.evaluate(KEEP_STATES)
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.page.evaluate(HOLD_ANSWERS)
    with ada.change():
        ada.button("d").click()
        ada.page.evaluate("window.both")
        ada.page.evaluate("window.letGo()")
    assert [version for version, _, _ in ada.page.evaluate("window.states")] == [0, 1]
    assert not [url for url in asked if "/scene" in url]


def test_what_else_changes_while_a_move_of_others_is_shown_is_shown_after_it(new_guest: Callable[..., Guest]) -> None:
    ada, bob = new_guest(), new_guest()
    table = ada.open_table("open", "me", name="Ada", introductory=1)
    bob.post(f"/t/{table}/sit", {"seat": "0", "name": "Bob"})
    bob.page.add_init_script(KEEP_SOURCE)
    bob.visit(table)
    bob.expect_listening()
    expect(bob.page.locator("#players .online")).to_have_count(2)
    bob.page.evaluate(HOLD_SCENES)
    assert bob.post(f"/t/{table}/move", {"version": 0, "moves": "done; end"}).ok  # in another tab
    bob.page.evaluate("window.held")
    assert ada.post(f"/t/{table}/vote", {"what": "abort"}).ok
    bob.page.evaluate("window.reseated")
    bob.page.evaluate("window.letGo()")
    expect(bob.page.locator("#calling")).to_contain_text("Ada wants to call the game off.")


@pytest.mark.parametrize("lost", ["answer", "connection"])
def test_a_move_that_could_not_be_loaded_is_shown_as_soon_as_it_can(new_guest: Callable[..., Guest], lost: str) -> None:
    ada, eve = new_guest(), new_guest()
    table = ada.open_table("me", "me", introductory=1)
    eve.visit(table)
    expect(eve.page.locator(".connection.on")).to_have_count(1)
    eve.pardon("503|ERR_|Failed to fetch")
    lose = {"answer": lambda route: route.fulfill(status=503), "connection": lambda route: route.abort()}[lost]
    eve.page.route("**/scene*", lose, times=1)
    ada.tap(ada.places[0])
    eve.expect_version(ada.version)
    assert eve.log == ada.log
    expect(eve.page.locator("#offline")).to_be_hidden()
