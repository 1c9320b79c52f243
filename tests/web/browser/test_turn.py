"""A player's own turn: choosing, hovering, taking back, what the end would bring."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from franchise import Game
from recorded_games import game, record
from web.browser.guest import Guest, deafen

RICH = 38  # moves of base-2: a turn begins, with $14 and much to choose
ONCE = 71  # another turn: places in which one can grow, and not again


INSIDE = """card => [...card.querySelectorAll(".fact dd")].every(
  fact => fact.getBoundingClientRect().right <= card.getBoundingClientRect().right)"""
GHOSTS = "cards => cards.map(card => (card.querySelector('.ghost')?.textContent ?? '0').replace('+', ''))"


def scores(guest: Guest) -> list[int]:
    return [int(player["influence"]) for player in guest.api()["view"]["players"]]


def cash(guest: Guest, seat: int) -> int:
    return int(guest.api()["view"]["players"][seat]["cash"])


def test_undo_takes_back_one_move_and_begin_again_the_whole_turn(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", RICH))
    guest.page.locator("#prompt-title").wait_for()
    first = (guest.value("moves"), guest.places, guest.log)
    expect(guest.undo).to_be_disabled()
    expect(guest.reset).to_be_disabled()
    guest.press("d")
    second = (guest.value("moves"), guest.places, guest.log)
    guest.tap(guest.places[0])
    assert guest.value("moves") == first[0] + 2
    with guest.change():
        guest.undo.click()
    assert (guest.value("moves"), guest.places, guest.log) == second
    guest.tap(guest.places[0])
    guest.tap(guest.places[0])
    assert guest.value("moves") == first[0] + 3
    with guest.change():
        guest.page.keyboard.press("r")
    assert (guest.value("moves"), guest.places, guest.log) == first
    expect(guest.undo).to_be_disabled()


def test_a_turn_that_has_ended_cannot_be_taken_back(guest: Guest) -> None:
    guest.open_table("me", "me", introductory=1)
    guest.tap(guest.places[0])
    expect(guest.undo).to_be_enabled()
    guest.end_turn()
    guest.expect_to_act()
    expect(guest.undo).to_be_disabled()
    expect(guest.reset).to_be_disabled()


@pytest.mark.parametrize(("name", "moves"), [("base-2", 62), ("milestones-2", 93), ("new-2", 83), ("boom-2", 89)])
def test_what_the_end_of_the_turn_is_said_to_bring_is_what_it_brings(guest: Guest, name: str, moves: int) -> None:
    guest.open_table("me", "me", record=record(name, moves))
    chips = guest.page.locator("#prompt .chip").all_inner_texts()
    gains = [int(text) for text in guest.page.locator("#players .score").evaluate_all(GHOSTS)]
    before_scores = scores(guest)
    assert chips
    turn = guest.page.locator("#log section.log-turn").last.get_attribute("id")
    lines = guest.page.locator(f"#{turn} li a")
    before = lines.all_text_contents()
    guest.end_turn()
    assert len(lines.all_text_contents()) > len(before)
    assert scores(guest) == [score + gain for score, gain in zip(before_scores, gains, strict=True)]


def test_hovering_a_place_says_what_it_would_do_and_a_tap_does_it(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 1280, "height": 720})
    guest.open_table("me", "me", record=record("base-2", RICH))
    seat = guest.api()["current_player"]
    place = guest.places[-1]
    rows = "facts => [...new Set(facts.map(fact => fact.getBoundingClientRect().top))]"
    before = guest.page.locator(f"#player-{seat} .fact").evaluate_all(rows)
    guest.page.mouse.move(*guest.middle(guest.target(place)))
    line = guest.page.locator("#prompt .preview")
    expect(line).to_be_visible()
    expect(guest.page.locator("#prompt-title")).to_contain_text(place)
    match = re.search(r"From (.+?) · .*leaves you \$(\d+)", line.inner_text())
    assert match is not None
    assert guest.api()["view"]["players"][seat]["colour"] in guest.api()["view"]["locations"][match[1]]["spaces"]
    supply = guest.page.locator(f"#player-{seat} .supply .ghost")
    left = supply.inner_text()
    after = guest.page.locator(f"#player-{seat} .fact").evaluate_all(rows)
    assert after == before, "what it would leave stands in the rows of the card"
    assert guest.page.locator(f"#player-{seat}").evaluate(INSIDE), "and within it"
    guest.tap(place)
    assert cash(guest, seat) == int(match[2])
    expect(line).to_be_hidden()
    guest.end_turn()
    assert guest.api()["view"]["players"][seat]["supply"] == int(left)


def test_pieces_in_a_callout_stand_out_from_it(guest: Guest) -> None:
    guest.open_table("me", "me", "me", "me", "me", record=record("base-5", 123))
    guest.expect_to_act()
    edges = guest.page.locator(".callout .piece").evaluate_all(
        "pieces => pieces.map(piece => getComputedStyle(piece.firstElementChild).stroke"
        " === getComputedStyle(piece.parentElement.querySelector('text')).fill)"
    )
    assert edges, "what a choice would bring others"
    assert all(edges), "a light edge, as a black piece on black is not seen"


def test_of_several_links_to_a_place_the_cheapest_is_taken_without_a_question(guest: Guest) -> None:
    played, place, prices = several_links()
    guest.open_table("me", "me", record=played.to_text())
    seat, before = played.current_player, cash(guest, played.current_player)
    with guest.change():
        guest.page.mouse.click(*guest.middle(guest.target(place)))
    assert cash(guest, seat) == before - prices[0]


def several_links() -> tuple[Game, str, list[int]]:
    """A moment at which two links lead to one place."""
    whole = game("base-2")
    for moves in range(len(whole.actions)):
        found: dict[str, list[int]] = {}
        for text in (str(action) for action in whole.at(moves).legal_actions()):
            kind, _, rest = text.partition(" ")
            if kind == "expand":
                place, _, price = rest.rpartition(" ")
                found.setdefault(place, []).append(int(price))
        for place, prices in found.items():
            if len(prices) > 1:
                return whole.at(moves), place, sorted(prices)
    raise AssertionError("no such moment")


def test_a_double_click_is_one_move(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", RICH))
    guest.press("d")
    before = guest.version
    guest.page.mouse.dblclick(*guest.middle(guest.target(guest.places[0])))
    guest.expect_version(before + 1)
    guest.end_turn()
    assert guest.version == before + 2


def test_a_double_click_is_one_move_at_the_pace_people_have(guest: Guest) -> None:
    """The first click is answered before the second one comes, which would take growth back that can only grow once."""
    guest.open_table("me", "me", record=record("base-2", ONCE))
    guest.press("d")
    place, sent = guest.places[0], []
    guest.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    guest.page.mouse.move(*guest.middle(guest.target(place)))
    guest.page.mouse.down()
    guest.page.mouse.up()
    expect(guest.page.locator(f'#targets .target.chosen[data-place="{place}"]')).to_have_count(1)
    expect(guest.page.locator("body.sending")).to_have_count(0)
    guest.page.mouse.down(click_count=2)
    guest.page.mouse.up(click_count=2)
    guest.end_turn()
    assert [url.rpartition("/")[2] for url in sent] == ["move", "move"]


def test_a_reload_in_the_middle_of_a_turn_changes_nothing(guest: Guest) -> None:
    guest.open_table("me", "newcomer", introductory=1, seed=3)
    guest.tap(guest.places[0])
    before = (guest.version, guest.places, guest.log, guest.page.locator("#prompt").inner_text())
    guest.page.reload()
    guest.expect_to_act()
    assert (guest.version, guest.places, guest.log, guest.page.locator("#prompt").inner_text()) == before
    with guest.change():
        guest.undo.click()
    guest.tap(guest.places[1])
    guest.end_turn()
    assert guest.wait_to_act()
    assert guest.api()["turn"] == 3


def test_a_page_that_missed_a_move_says_so_and_shows_the_table_as_it_is(guest: Guest) -> None:
    guest.pardon("409")
    table = guest.open_table("me", "me", introductory=1)
    other = guest.context.new_page()
    deafen(other)
    other.goto(f"{guest.address}/t/{table}")
    box = other.locator("#targets .target circle.hit").first.bounding_box()
    assert box is not None
    guest.tap(guest.places[0])
    guest.end_turn()
    other.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    if other.locator("#prompt.choosing").count():
        other.locator("#prompt .ways button").first.click()
    expect(other.locator("#prompt .notice")).to_have_text("The table has moved on: here is how it stands now.")
    expect(other.locator("#status")).to_have_attribute("data-version", str(guest.version))
    assert other.locator("#log li a").all_text_contents() == guest.page.locator("#log li a").all_text_contents()
    assert guest.api()["version"] == guest.version


def test_a_place_that_cannot_be_chosen_says_why(guest: Guest) -> None:
    guest.open_table("me", "me", introductory=1)
    there = next(name for name in ("New York", "Chicago", "Denver") if name not in guest.places)
    box = guest.page.locator(f"#place-{there.lower().replace(' ', '-')}").bounding_box()
    assert box is not None
    answer = guest.context.request.get(f"{guest.address}/t/{guest.id}/why", params={"place": there}).text()
    guest.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(guest.page.locator("#tip")).to_contain_text(answer)
    why = "Seattle is out of play"
    guest.page.locator("#why summary").focus()  # it shows up for the keyboard; whoever points taps the place
    guest.page.keyboard.press("Enter")
    guest.page.locator("#why-place").select_option("Seattle")
    expect(guest.page.locator("#why output")).to_contain_text(why)
    assert guest.version == 0


def test_a_second_press_takes_growth_back_whatever_came_after_it(guest: Guest) -> None:
    guest.open_table("me", "me", record=record("base-2", RICH))
    guest.press("d")
    first, second = guest.places[:2]
    guest.tap(first)
    guest.tap(second)
    seat = guest.api()["current_player"]
    before = cash(guest, seat)
    chosen = guest.page.locator("#targets .target.chosen")
    expect(chosen).to_have_count(2)
    version = guest.version
    with guest.change():
        guest.page.mouse.click(*guest.middle(guest.page.locator(f'#targets .target.chosen[data-place="{first}"]')))
        if guest.chooser.count():
            guest.chooser.get_by_text("Take it back").click()
    expect(chosen).to_have_count(1)
    assert cash(guest, seat) == before + 1
    expect(chosen).to_have_attribute("data-place", second)
    assert guest.version == version + 1, "one click, one change"
    guest.undo.click()
    expect(chosen).to_have_count(0)
