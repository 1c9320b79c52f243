"""Records and earlier moments: looked at, passed on, continued, analysed."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from franchise import Game
from recorded_games import GAMES, game, record
from web.browser.guest import Guest

LAST = 26  # moves of introductory-2
PICTURE = "svg => svg.innerHTML.replace(/ lit| class=\"\"/g, '')"


def moment(guest: Guest) -> tuple[int, list[str], list[str]]:
    """What the page shows: after which move, the players' figures, the log."""
    return (
        guest.value("moves"),
        guest.page.locator("#players .facts dd, #players .score b").all_inner_texts(),
        guest.log,
    )


def expect_moment(guest: Guest, move: int) -> None:
    guest.expect_listening()
    expect(guest.status).to_have_attribute("data-moves", str(move))


def test_a_finished_record_pasted_in_can_be_replayed(guest: Guest) -> None:
    guest.go("/look")
    guest.page.get_by_label("Record").fill(record("introductory-2"))
    guest.page.get_by_role("button", name="Open", exact=True).click()
    expect_moment(guest, 0)
    guest.expect_to_act(False)
    slider = guest.page.locator("#moment")
    expect(slider).to_have_attribute("max", str(LAST))
    slider.fill("7")
    expect_moment(guest, 7)
    expect(guest.page).to_have_url(re.compile(r"\?move=7$"))
    assert any("Denver" in line for line in guest.log)
    guest.page.get_by_role("button", name="One move forward").click()
    expect_moment(guest, 8)
    guest.page.get_by_role("button", name="One move back").click()
    expect_moment(guest, 7)


def test_the_keys_go_from_moment_to_moment(guest: Guest) -> None:
    guest.look(record("introductory-2"))
    expect_moment(guest, 0)
    for key, move in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", LAST), ("Home", 0)):
        guest.page.keyboard.press(key)
        expect_moment(guest, move)
    guest.page.keyboard.press("End")
    expect(guest.page.locator("#after .bars")).to_be_visible()


def test_every_moment_shows_the_game_as_it_was(guest: Guest) -> None:
    table = guest.look(record("base-2"))
    for move in (0, 38, 83, 130):
        guest.visit(table, f"?move={move}")
        then = game("base-2", move).view()["players"]
        for seat, player in enumerate(then):
            expect(guest.page.locator(f"#player-{seat} .score b")).to_have_text(str(player["influence"]))
            expect(guest.page.locator(f"#player-{seat} .cash dd")).to_have_text(f"${player['cash']}")


def test_what_a_moment_has_scored_is_on_the_map_and_on_the_cards(guest: Guest) -> None:
    whole = game("base-2")
    influence = [[player["influence"] for player in whole.at(move).view()["players"]] for move in range(100)]
    scoring = next(move for move, both in enumerate(influence) if any(both))
    gained = influence[scoring]
    guest.visit(guest.look(record("base-2")), f"?move={scoring}")
    scored = whole.at(scoring - 1)  # the end of a turn belongs to that turn, not to the next one
    expect(guest.page.locator("#looking")).to_contain_text(f"turn {scored.turn} of {whole.turn}")
    expect(guest.page.locator("#replay h2")).to_contain_text(f"Turn {scored.turn} ·")
    expect(guest.page.locator(".player.active")).to_have_attribute("data-seat", str(scored.current_player))
    expect(guest.page.locator("#log [aria-current]")).to_have_attribute("data-place", re.compile("."))
    expect(guest.page.locator(".ribbon .turns text")).to_have_text(["1", "10", "20", "30"])
    texts = [f"+{gain}" if gain else "" for gain in gained]
    expect(guest.page.locator("#players .gain")).to_have_text(texts)
    shown = guest.page.locator("#targets .gains text").all_text_contents()
    assert sum(map(int, shown)) == sum(gained)
    guest.page.keyboard.press("ArrowRight")
    expect(guest.page.locator("#targets .gains")).to_have_count(0)
    expect(guest.page.locator("#players .gain")).to_have_text(["", ""])


def test_a_moment_can_be_passed_on_by_its_address(new_guest: Callable[..., Guest]) -> None:
    ada, eve = new_guest(), new_guest()
    ada.open_table("me", "me", record=record("base-2", 62))
    ada.page.get_by_role("tab", name="Log").click()
    ada.page.locator("#log a[data-move='40']").first.click()
    expect_moment(ada, 40)
    ada.expect_to_act(False)
    eve.page.goto(ada.page.url)
    assert moment(eve) == moment(ada)
    assert eve.page.locator("#pieces").evaluate(PICTURE) == ada.page.locator("#pieces").evaluate(PICTURE)
    ada.page.get_by_role("link", name="Back to the table").click()
    expect_moment(ada, 62)
    ada.expect_to_act()
    assert ada.page.url == f"{ada.address}/t/{ada.id}"
    expect(ada.page.locator("#replay")).to_be_hidden()


def test_while_one_looks_back_the_game_goes_on(new_guest: Callable[..., Guest]) -> None:
    ada, eve = new_guest(), new_guest()
    eve.visit(ada.open_table("me", "me", record=record("base-2", 62)), "?move=40")
    ada.end_turn()
    expect_moment(eve, 40)
    eve.page.get_by_role("link", name="Back to the table").click()
    eve.expect_version(1)
    assert eve.log == ada.log


def test_a_running_record_pasted_in_goes_on(guest: Guest) -> None:
    played = game("base-2", 62)
    guest.go("/look")
    guest.page.get_by_label("Record").fill(played.to_text())
    guest.page.get_by_role("button", name="Open", exact=True).click()
    expect_moment(guest, 62)
    guest.expect_to_act()
    guest.end_turn()
    assert guest.api()["turn"] == played.turn + 1


def test_a_record_can_be_chosen_as_a_file_or_dropped(guest: Guest) -> None:
    text = record("introductory-2")
    guest.go("/look")
    field = guest.page.get_by_label("Record")
    guest.page.locator("input[type=file]").set_input_files(GAMES / "introductory-2.franchise")
    expect(field).to_have_value(text)
    field.fill("")
    guest.drop(text)
    expect(field).to_have_value(text)


def test_a_text_that_is_no_record_is_refused_and_kept_for_correction(guest: Guest) -> None:
    guest.go("/look")
    guest.page.get_by_label("Record").fill("franchise 1\nplayers 9\n")
    guest.page.get_by_role("button", name="Open", exact=True).click()
    expect(guest.page.get_by_role("alert")).to_be_visible()
    expect(guest.page.get_by_label("Record")).to_have_value("franchise 1\nplayers 9\n")


def test_a_game_goes_on_from_any_move_with_other_people_and_bots(guest: Guest) -> None:
    table = guest.look(record("base-2"))
    guest.visit(table, "?move=38")
    guest.page.locator(".go-on summary").click()
    seat = game("base-2", 38).current_player
    guest.page.get_by_label(f"Seat {seat + 1}").select_option("me")
    guest.page.get_by_label(f"Seat {2 - seat}").select_option("newcomer")
    guest.page.get_by_role("button", name="Open a table from this moment").click()
    guest.page.locator(f"#table:not([data-id='{table}'])").wait_for()
    expect_moment(guest, 38)
    guest.expect_to_act()
    guest.tap(guest.places[0])
    guest.end_turn()
    assert guest.wait_to_act()
    assert guest.api()["turn"] == game("base-2", 38).turn + 2
    assert guest.api(table)["over"], "the old table is as it was"


def test_the_record_that_is_downloaded_is_the_game(guest: Guest) -> None:
    table = guest.open_table("me", "me", record=record("introductory-2", 25), name="Ada")
    guest.end_turn()
    with guest.page.expect_download() as waiting:
        guest.page.locator(".share summary").click()
        guest.page.get_by_role("link", name="Download the record").click()
    assert waiting.value.suggested_filename == f"{table}.franchise"
    loaded = Game.from_text(waiting.value.path().read_text(encoding="utf-8"))
    assert loaded.over
    assert loaded.actions == game("introductory-2").actions
    assert list(loaded.result().scores) == guest.api()["result"]["scores"]
    assert loaded.names[0] == "Ada"


def test_the_course_of_the_game_comes_into_sight_when_it_is_unfolded(new_guest: Callable[..., Guest]) -> None:
    guest = new_guest(viewport={"width": 1280, "height": 720})
    guest.visit(guest.look(record("base-5")))
    guest.expect_listening()
    guest.page.locator(".courses summary").click()
    expect(guest.page.locator(".courses figure").first).to_be_in_viewport(ratio=1)


def test_a_bot_analyses_a_moment_of_a_finished_game(guest: Guest) -> None:
    table = guest.look(record("introductory-2"))
    guest.visit(table, "?move=21")
    guest.page.locator(".go-on summary").click()
    guest.page.get_by_role("link", name="Analyse this moment").click()
    rows = guest.page.locator(".best tbody tr")
    expect(rows.first).to_be_visible()
    legal = {str(action) for action in game("introductory-2", 21).legal_actions()}
    offered = [row.locator("td").first.inner_text() for row in rows.all()]
    ways = guest.page.locator("select[name=first] option")
    assert set(ways.evaluate_all("ways => ways.map(way => way.value)")) == legal
    assert set(offered) <= set(ways.all_inner_texts())
    chances = [int(row.locator("td").nth(1).inner_text().removesuffix("%")) for row in rows.all()]
    assert all(0 <= chance <= 100 for chance in chances)
    expect(guest.page.get_by_label("One move")).to_have_value(str(game("introductory-2").actions[21]))
    guest.page.get_by_role("link", name="Back to this moment").click()
    expect_moment(guest, 21)
