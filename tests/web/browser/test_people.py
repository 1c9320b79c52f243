"""People who play together, each with a browser: hosting a table, ending a game early, playing again."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from franchise import Game
from server.mail_server import MailServer, text_of
from server.running_servers import ShiftedServer
from web.browser.guest import Guest
from web.browser.received_mail import link_in, newest

FULL = re.compile("^(20:[0-3][0-9]|19:[0-9]{2})$")  # twenty minutes and what a turn adds, begun just now
MANY = 51  # tables: one more than a list shows


def sit(guest: Guest, table: str, name: str) -> None:
    """Take the free seat of a table."""
    guest.visit(table)
    guest.expect_listening()
    guest.page.get_by_placeholder("Your name").fill(name)
    guest.page.get_by_role("button", name="Sit here").click()
    guest.expect_listening()


def order(guest: Guest, name: str) -> None:
    """What a host or somebody who waits can do at the table."""
    guest.page.locator("#host summary").click()
    guest.page.get_by_role("button", name=name).click()
    guest.page.wait_for_load_state()


def test_a_host_frees_a_seat_begins_with_bots_and_closes_a_table(new_guest: Callable[..., Guest]) -> None:
    ann, bob = new_guest(), new_guest()
    table = ann.open_table("me", "open", "open", name="Ann", in_order="")
    sit(bob, table, "Bob")
    expect(ann.page.locator("#players")).to_contain_text("Bob")  # at once
    expect(ann.page).to_have_title(re.compile("Ann, Bob"))
    expect(ann.page.locator("#players .online")).to_have_count(2)
    order(ann, "Free the seat of Bob")
    expect(bob.page.get_by_role("button", name="Sit here")).to_be_visible()
    ann.page.locator("#host summary").click()
    sit(bob, table, "Bob")
    expect(bob.page.locator("#host")).to_contain_text("Leave the table")
    expect(bob.page.locator("#host")).not_to_contain_text("Close the table")
    expect(ann.page.get_by_role("button", name="Free the seat of Bob")).to_be_visible()  # the menu stays open
    order(bob, "Leave the table")
    expect(bob.page).to_have_url(re.compile("/$"))
    expect(ann.page.locator("#players")).not_to_contain_text("Bob")  # at once
    expect(ann.page).not_to_have_title(re.compile("Bob"))
    expect(ann.page.locator("#players .tag", has_text="free seat")).to_have_count(2)
    expect(ann.page.get_by_role("button", name="Free the seat of Bob")).to_have_count(0)
    sit(bob, table, "Bob")
    expect(ann.page.get_by_role("button", name="Free the seat of Bob")).to_be_visible()
    ann.page.get_by_role("button", name="Begin now, with bots").click()
    expect(ann.page.locator("#host")).to_contain_text("Resign")
    assert sorted(seat["kind"] for seat in ann.api(table)["seats"]) == ["bot", "human", "human"]
    other = ann.open_table("me", "open", name="Ann", in_order="")
    order(ann, "Close the table")
    expect(ann.page).to_have_url(re.compile("/$"))
    bob.visit(other)
    expect(bob.page.locator("#prompt")).to_contain_text("The table was closed before the game began.")


def test_a_rematch_is_offered_and_accepted_after_one_resigned(new_guest: Callable[..., Guest]) -> None:
    ann, bob = new_guest(), new_guest()
    table = ann.open_table("me", "open", name="Ann", in_order="")
    sit(bob, table, "Bob")
    expect(ann.page.locator("#status")).to_have_attribute("data-title", re.compile("Ann"))
    expect(ann.page.locator("#host")).to_contain_text("Resign")
    ann.page.locator("#host summary").click()
    ann.page.get_by_label("I give this game up").check()
    ann.page.get_by_role("button", name="Resign").click()
    expect(bob.page.locator("#prompt")).to_contain_text("Ann has resigned.")
    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.locator("#prompt")).to_contain_text("Waiting for the others to accept")
    bob.page.get_by_role("button", name="Accept the rematch").click()  # it is there at once
    expect(ann.page.locator("#prompt")).not_to_contain_text("Waiting")
    assert ann.id == bob.id != table
    assert ann.api()["seating"] == "drawn"


def test_a_game_is_called_off_when_both_agree(new_guest: Callable[..., Guest]) -> None:
    ann, bob = new_guest(), new_guest()
    table = ann.open_table("me", "open", name="Ann", in_order="")
    sit(bob, table, "Bob")
    order(bob, "Ask to call it off")
    bob.expect_listening()
    bob.page.locator("#tab-chat").click()
    for text in ("hello", "rude words"):
        bob.page.get_by_placeholder("Say something…").fill(text)
        bob.page.get_by_role("button", name="Send").click()
        expect(bob.page.locator("#chat")).to_contain_text(text)
    ann.page.locator("#tab-chat").click()
    message = ann.page.locator("#chat li", has_text="rude words")
    message.locator(".about summary").click()
    message.get_by_role("button", name="Report").click()
    expect(ann.page.locator("#prompt")).to_contain_text("will look at that message")
    ann.expect_listening()
    ann.page.locator("#tab-chat").click()
    message.locator(".about summary").click()
    message.get_by_role("button", name="Mute Bob").click()
    expect(ann.page.locator("#chat li", has_text="hello")).to_be_hidden()
    ann.page.locator("#tab-log").click()
    bob.page.get_by_placeholder("Say something…").fill("more of them")
    bob.page.get_by_role("button", name="Send").click()
    expect(ann.page.locator("#chat li", has_text="more of them")).to_have_count(1)
    expect(ann.page.locator("#unread")).to_be_hidden()  # whoever is muted is not heard
    expect(ann.page.locator("#calling")).to_contain_text("Bob wants to call the game off.")
    ann.page.get_by_role("button", name="Play on").click()
    expect(ann.page.locator("#calling")).to_have_count(0)
    expect(bob.page.locator("#host")).not_to_contain_text("Withdraw")
    order(bob, "Ask to call it off")
    expect(bob.page.locator("#host")).to_contain_text("You have asked to call the game off.")
    ann.page.get_by_role("button", name="Agree").click()
    for guest in (ann, bob):
        expect(guest.page.locator("#prompt")).to_contain_text("Everybody agreed to call the game off.")


def test_a_guest_is_asked_to_sign_in_at_a_rated_table_and_comes_back(new_guest: Callable[..., Guest]) -> None:
    ann, bob = new_guest(), new_guest()
    for guest, name in ((ann, "Ann of Reno"), (bob, "Bob of Reno")):
        guest.post("/register", {"name": name, "password": "correct horse"})
    bob.post("/account/sign-out", {})
    table = ann.open_table("me", "open", rated="1", in_order="")
    expect(ann.page.locator("#prompt .tag.rated")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Sit here")).to_have_count(0)  # the other seat is not hers
    bob.visit(table)
    bob.page.get_by_role("link", name="Sign in to play").click()
    bob.pardon("403")
    for password in ("wrong password", "correct horse"):
        bob.page.get_by_label("Name").fill("Bob of Reno")
        bob.page.get_by_label("Password").fill(password)
        bob.page.get_by_role("button", name="Sign in").click()
    expect(bob.page).to_have_url(re.compile(f"/t/{table}$"))
    bob.page.get_by_role("button", name="Sit here").click()
    expect(ann.page.locator("#players .rating")).to_have_count(2)
    expect(ann.page.locator("#players")).to_contain_text("1000")


def test_three_play_again_with_whoever_accepts(new_guest: Callable[..., Guest]) -> None:
    ann, bob, cy = new_guest(), new_guest(), new_guest()
    table = ann.open_table("me", "open", "open", name="Ann", in_order="")
    sit(bob, table, "Bob")
    sit(cy, table, "Cy")
    for guest in (ann, bob, cy):
        expect(guest.page.locator("#host")).to_contain_text("Resign")
        assert guest.post(f"/t/{table}/vote", {"what": "abort"}).ok
    expect(cy.page.locator("#prompt")).to_contain_text("Everybody agreed to call the game off.")
    ann.page.get_by_role("button", name="Rematch").click()
    bob.page.get_by_role("button", name="Accept the rematch").click()
    expect(bob.page.locator("#prompt")).to_contain_text("Waiting for the others to accept")
    following = ann.id
    cy.page.get_by_role("button", name="Decline").click()
    expect(cy.page).to_have_url(re.compile("/$"))
    expect(ann.page.locator("#prompt")).to_contain_text("Waiting for players")
    order(ann, "Begin now, with bots")
    expect(bob.page.locator("#prompt")).not_to_contain_text("Waiting for somebody")
    assert sorted(seat["kind"] for seat in ann.api(following)["seats"]) == ["bot", "human", "human"]


def test_clocks_and_names_are_on_a_phone_and_one_is_told_when_time_is_short(new_guest: Callable[..., Guest]) -> None:
    ann, bob = new_guest(viewport={"width": 390, "height": 844}), new_guest()
    ann.page.clock.install()
    table = ann.open_table("open", "me", name="Ann", clock="20+30")  # the last seat places first
    sit(bob, table, "Bob")
    ann.expect_to_act()
    strip = ann.page.locator("#players .player")
    for part in ("h3", ".clock", ".fact.cash"):
        assert all(found.is_visible() for found in strip.locator(part).all())
    for card in strip.all():
        outer = card.bounding_box()
        assert outer is not None
        for part in ("h3", ".clock", ".fact.cash"):
            inner = card.locator(part).bounding_box()
            assert inner is not None
            assert outer["y"] <= inner["y"]
            assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    own = ann.page.locator(".player.own .clock")
    expect(own).not_to_have_class(re.compile("short"))
    expect(ann.page.locator("#players .online")).to_have_count(2)  # news of Bob would bring the time of the server
    ann.pass_time("19:20")
    expect(own).to_have_class(re.compile("short"))
    expect(ann.page.locator("#spoken")).to_have_text("Less than a minute left.")
    assert ann.page.title().startswith("● Your turn · ")
    bob.open_table("me", "open", name="Bob", clock="daily 24+3")
    expect(bob.page.locator(".player.own .clock")).to_have_text("24 h 0 min")  # beside the vacation
    expect(bob.page.locator(".player.own")).to_contain_text("3 vacation days")


def test_somebody_absent_is_nudged_a_bot_is_voted_in_and_whoever_resigns_only_watches(
    new_guest: Callable[..., Guest], shifted: ShiftedServer
) -> None:
    ann, bob, cy = (new_guest(shifted.address) for _ in range(3))
    for guest in (ann, bob):
        guest.page.clock.install()
    table = ann.open_table("me", "open", "open", name="Ann")  # the last seat places first
    sit(bob, table, "Bob")
    sit(cy, table, "Cy")
    expect(ann.page.locator("#players .online")).to_have_count(3)
    cy.go("/rules")
    shifted.forward(80)
    expect(ann.page.locator("#player-2 .offline")).to_have_attribute("title", "here 1 minute ago")
    expect(ann.page.locator("#absent")).to_have_count(0)  # it is too early

    shifted.forward(60)
    ann.pass_time("01:00")
    ann.page.locator("#absent summary").click()
    ann.page.get_by_role("button", name="Nudge Cy").click()
    confirmation = "You have nudged Cy. After 5 minutes without a move, you can vote for a bot."
    expect(ann.page.locator("#prompt .notice")).to_have_text(confirmation)
    expect(ann.page.locator("#absent")).to_have_count(0)
    expect(bob.page.locator("#status")).to_have_attribute("data-again", re.compile("^(2..|300)$"))

    shifted.forward(301)
    for guest in (ann, bob):
        guest.expect_listening()
        guest.pass_time("05:01")
    ann.page.locator("#absent summary").click()
    ann.page.get_by_role("button", name="Let a bot play for Cy").click()
    expect(bob.page.locator("#bot-wanted")).to_contain_text("Ann wants a bot to play for Cy.")
    bob.page.get_by_role("button", name="Keep waiting").click()
    expect(bob.page.locator("#bot-wanted")).to_have_count(0)
    expect(ann.page.locator("#absent")).not_to_contain_text("You want a bot")
    ann.page.locator("#absent summary").click()
    ann.page.get_by_role("button", name="Let a bot play for Cy").click()
    expect(ann.page.locator("#absent")).to_contain_text("The others are asked, too.")
    bob.page.locator("#bot-wanted").get_by_role("button", name="Agree").click()
    for guest in (ann, bob):
        expect(guest.page.locator("#player-2")).to_contain_text("away: a bot plays")
    bob.expect_to_act()

    cy.visit(table)
    cy.page.get_by_role("button", name="I am back").click()
    expect(ann.page.locator("#player-2 .online")).to_have_count(1)
    expect(ann.page.locator("#player-2")).not_to_contain_text("a bot plays")

    bob.page.locator("#host summary").click()
    bob.page.get_by_label("I give this game up").check()
    bob.page.get_by_role("button", name="Resign").click()
    expect(bob.page.locator("#prompt")).to_contain_text("You have resigned: a bot plays your seat to the end.")
    expect(bob.page.locator("#host")).to_have_count(0)
    expect(bob.page.get_by_role("button", name="I am back")).to_have_count(0)
    expect(ann.page.locator("#player-1")).to_contain_text("resigned: a bot plays")
    ann.expect_to_act()  # the bot has placed for Bob
    ann.choose(ann.places[0])
    ann.take_turn()
    cy.expect_to_act()  # and made its turn
    bob.expect_to_act(False)
    cy.page.locator("#host summary").click()
    cy.page.get_by_label("I give this game up").check()
    cy.page.get_by_role("button", name="Resign").click()
    for guest in (ann, bob, cy):
        expect(guest.page.locator("#prompt")).to_contain_text("Cy has resigned.")


def test_a_rated_game_is_lost_on_time_and_pages_tell_ratings_profiles_and_clocks(
    new_guest: Callable[..., Guest], shifted: ShiftedServer
) -> None:
    ann, bob, cy = (new_guest(shifted.address) for _ in range(3))
    names = {ann: "Ann of Ogallala", bob: "Bob of Ogallala"}
    for guest, name in names.items():
        guest.post("/register", {"name": name, "password": "correct horse"})
    cy.go("/")
    table = ann.open_table("me", "open", rated=1, clock="20+30", time_out="end", public=1, in_order="")
    waiting = cy.page.locator("#waiting .tables a", has_text="Ann of Ogallala")
    expect(waiting.locator(".tag")).to_have_text("rated")
    waiting.click()  # the invitation
    expect(cy.page.locator("#prompt .tag.rated")).to_be_visible()
    expect(cy.page.get_by_role("link", name="Sign in to play")).to_be_visible()
    bob.visit(table)
    bob.page.get_by_role("button", name="Sit here").click()
    bob.expect_listening()
    expect(ann.page.locator("#players .rating")).to_have_text(["1000", "1000"])

    bob.page.locator("#host summary").click()  # too early to be rated
    bob.page.get_by_label("I give this game up").check()
    bob.page.get_by_role("button", name="Resign").click()
    expect(ann.page.locator("#prompt")).to_contain_text(
        "Bob of Ogallala has resigned. It is not rated: not everybody has had two turns."
    )
    ann.page.get_by_role("button", name="Rematch").click()
    expect(ann.page.locator("#prompt")).to_contain_text("Waiting for the others to accept")
    shifted.forward(3600)  # three times as long as their clocks last
    bob.page.get_by_role("button", name="Accept the rematch").click()
    bob.expect_listening()
    for guest in names:
        expect(guest.page.locator("#prompt")).not_to_contain_text("Waiting")
        expect(guest.page.locator("#players .clock")).to_have_text([FULL, FULL])  # they begin only now
        expect(guest.page.locator("#players .rating")).to_have_text(["1000", "1000"])

    table = ann.id
    while (state := ann.api(table))["turn"] <= 4:  # both make two turns
        mover = next(guest for guest, name in names.items() if name == state["seats"][state["current_player"]]["name"])
        mover.expect_to_act()
        if state["turn"]:
            mover.take_turn(grow=0)
        else:
            mover.choose(mover.places[0])
    loser, winner = (ann, bob) if state["seats"][state["current_player"]]["name"] == names[ann] else (bob, ann)
    for guest in names:
        guest.expect_version(state["version"])
    loser.expect_to_act()
    assert loser.page.title().startswith("● Your turn")
    shifted.forward(3600)
    for guest in names:
        expect(guest.page.locator("#prompt")).to_contain_text(f"{names[loser]} has run out of time.")
        lost = guest.page.locator("#players .player", has_text=names[loser])
        won = guest.page.locator("#players .player", has_text=names[winner])
        expect(lost.locator(".clock")).to_have_text("0:00")
        expect(won.locator(".clock")).not_to_have_text(re.compile("^0:00$|^20:00$"))
        expect(lost.locator(".rating b")).to_have_text(re.compile("^−[0-9]+$"))  # without a reload
        expect(won.locator(".rating b")).to_have_text(re.compile("^[+][0-9]+$"))
    cy.visit(table)
    cy.page.locator("#players").get_by_role("link", name=names[winner]).click()
    expect(cy.page.get_by_role("heading", name=names[winner])).to_be_visible()
    game = cy.page.locator(".things li", has_text="won on time")
    expect(game).to_have_count(1)
    with cy.page.expect_download() as file:
        game.get_by_role("link", name="Record").click()
    assert Game.from_text(file.value.path().read_text()).turn == state["turn"]

    daily = ann.open_table("open", "me", clock="daily 24+3")  # the last seat places first
    sit(cy, daily, "Cy")
    ann.expect_to_act()
    own = ann.page.locator(".player.own")
    expect(own.locator(".clock")).to_have_text(re.compile("^2(4 h 0|3 h 59) min$"))
    expect(own).to_contain_text("3 vacation days")
    shifted.forward(5 * 24 * 3600)
    expect(own).to_contain_text("a bot plays")
    ann.page.get_by_role("button", name="I am back").click()
    expect(own).not_to_contain_text("a bot plays")
    expect(own.locator(".clock")).to_have_text(re.compile("^2(4 h 0|3 h 59) min$"))
    expect(own).not_to_contain_text("vacation")  # it is used up


def test_tables_in_the_lobby_go_when_they_are_closed_left_empty_or_have_waited_too_long(
    new_guest: Callable[..., Guest], shifted: ShiftedServer
) -> None:
    ann, bob, cy = (new_guest(shifted.address) for _ in range(3))
    cy.go("/")

    def listed(table: str) -> Locator:
        return cy.page.locator(f"#waiting a[href='/t/{table}']")

    closed = ann.open_table("me", "open", name="Ann", public=1, in_order="", milestones=1, clock="daily 24+3")
    for text in ("Ann", "1 of 2", "Milestones", "24 h per turn", "ago"):
        expect(listed(closed)).to_contain_text(text)  # without a reload, as all that follows
    expect(listed(closed).locator(".online")).to_have_count(1)
    order(ann, "Close the table")
    expect(listed(closed)).to_have_count(0)

    emptied = ann.open_table("me", "open", "open", name="Ann", public=1)
    sit(bob, emptied, "Bob")
    expect(listed(emptied)).to_contain_text("2 of 3")
    assert ann.post(f"/t/{emptied}/leave", {"seat": 0}).ok  # now Bob is the host
    expect(listed(emptied)).to_contain_text("1 of 3")
    expect(bob.page.locator("#host")).to_contain_text("Close the table")
    assert bob.post(f"/t/{emptied}/leave", {"seat": 1}).ok
    expect(listed(emptied)).to_have_count(0)

    live = ann.open_table("me", "open", name="Ann", public=1, clock="20+30")
    slow = bob.open_table("me", "open", name="Bob", public=1)
    for table in (live, slow):
        expect(listed(table)).to_have_count(1)
    shifted.forward(2 * 3600 + 60)
    expect(listed(live)).to_have_count(0)
    expect(ann.page.locator("#prompt")).to_contain_text("Nobody came in time.")
    expect(listed(slow)).to_have_count(1)
    shifted.forward(7 * 24 * 3600)
    expect(listed(slow)).to_have_count(0)
    expect(bob.page.locator("#prompt")).to_contain_text("Nobody came in time.")


def test_where_several_tables_wait_one_letter_tells_and_they_are_listed_first(
    new_guest: Callable[..., Guest], shifted: ShiftedServer, mail_server: MailServer
) -> None:
    ann, bob = new_guest(shifted.address), new_guest(shifted.address)
    ann.post("/register", {"name": "Ann of Casper", "password": "correct horse"})
    ann.post("/account/email", {"email": "ann@example.org"})
    ann.go(link_in(newest(mail_server, "ann@example.org", 1), shifted))
    ann.page.get_by_role("button", name="Confirm this address").click()
    expect(ann.page.get_by_role("heading", name="The address is confirmed.")).to_be_visible()

    waiting = [ann.open_table("me", "open") for _ in range(2)]
    ann.go("/rules")
    for table, name in zip(waiting, ("Bob", "Bęn"), strict=True):
        sit(bob, table, name)
        bob.expect_to_act()
        bob.choose(bob.places[0])  # the last seat places first
    shifted.notices_due(*waiting)
    message = newest(mail_server, "ann@example.org", 2)
    assert message["Subject"] == "Franchise: it is your turn at 2 tables"
    lines = text_of(message).splitlines()
    for table, name in zip(waiting, ("Bob", "Bęn"), strict=True):
        assert f"It is your turn at the table of Ann of Casper, {name}." in lines
        assert [line for line in lines if table in line] == [f"{shifted.address}/t/{table}"]

    for _ in range(MANY):
        form = {"players": "2", "seat0": "me", "seat1": "open", "in_order": "1"}
        assert ann.context.request.post(f"{ann.address}/tables", form=form, max_redirects=0).status == 303
    ann.go("/")
    first = ann.page.get_by_role("region", name="Continue my game")
    expect(first).to_contain_text("your turn")
    expect(first.get_by_role("link", name="Back to the table")).to_have_attribute("href", f"/t/{waiting[1]}")
    mine = ann.page.get_by_role("region", name="My tables").locator(".tables a")
    expect(mine.first).to_have_attribute("href", f"/t/{waiting[0]}")
    expect(mine.locator(".yours")).to_have_count(1)
    token = re.search(r"fa_[\w-]+", ann.post("/account/tokens", {"name": "my bot"}).text())
    assert token is not None
    me = ann.context.request.get(f"{ann.address}/api/me", headers={"Authorization": f"Bearer {token[0]}"}).json()
    assert [table["id"] for table in me["tables"] if table["your_turn"]] == waiting[::-1]
    assert [table["id"] for table in me["tables"]][:2] == waiting[::-1]
    assert len(me["tables"]) == MANY - 1
    first.get_by_role("link", name="Back to the table").click()
    ann.expect_to_act()
    expect(ann.page.locator("#players").get_by_role("link", name="Ann of Casper")).to_be_visible()
    expect(ann.page.locator("#players").get_by_role("link", name="Bęn")).to_have_count(0)  # a guest has no profile
    bob.visit(waiting[1])
    bob.page.locator("#players").get_by_role("link", name="Ann of Casper").click()
    expect(bob.page.locator("main")).to_contain_text("No rated games yet")
