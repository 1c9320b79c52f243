"""Several people, each with a browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from recorded_games import record
from web.browser.guest import Guest, deafen

SHARES = "bars => bars.map(bar => [bar.dataset.share, getComputedStyle(bar).flexGrow])"
SCRIPT = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">"


def sit(guest: Guest, name: str) -> None:
    guest.page.locator("form.sit input[name=name]").first.fill(name)
    guest.page.locator("form.sit button").first.click()
    expect(guest.page.locator("#players .tag", has_text="you")).to_have_count(1)
    expect(guest.page.locator("body.playing")).to_be_attached()  # the page of the seat is ready


def test_somebody_joins_by_the_link_and_a_third_watches(new_guest: Callable[..., Guest]) -> None:
    ada, bob, eve = new_guest(), new_guest(), new_guest()
    table = ada.open_table("me", "open", name="Ada", introductory=1)
    eve.visit(table)
    bob.visit(table)
    ada_sees, eve_sees = (person.page.locator("#players .player[data-seat='1'] h3") for person in (ada, eve))
    sit(bob, "Bob")
    expect(ada_sees).to_have_text("Bob")
    expect(eve_sees).to_have_text("Bob")

    ada.expect_to_act()
    bob.expect_to_act(False)
    place = ada.places[0]
    ada.tap(place)
    for other in (bob, eve):
        expect(other.status).to_have_attribute("data-version", str(ada.version))
        assert other.log == ada.log
        assert any(place in line for line in other.log)
    ada.end_turn()
    expect(bob.status).to_have_attribute("data-acts", "1")
    ada.expect_to_act(False)
    bob.take_turn()
    expect(ada.status).to_have_attribute("data-acts", "1")
    expect(eve.status).to_have_attribute("data-version", str(bob.version))
    assert ada.log == bob.log == eve.log


def test_who_watches_cannot_act(new_guest: Callable[..., Guest]) -> None:
    ada, eve = new_guest(), new_guest()
    table = ada.open_table("me", "me", introductory=1)
    move = ada.page.locator("#spots button[data-moves]").first.get_attribute("data-moves")
    eve.visit(table)
    eve.expect_to_act(False)
    expect(eve.targets).to_have_count(0)
    expect(eve.page.locator("#prompt form")).to_have_count(0)
    expect(eve.page.locator("#say input")).to_be_disabled()
    before = ada.version
    for path, form in (("move", {"moves": str(move)}), ("undo", {}), ("say", {"text": "hello"}), ("rematch", {})):
        answer = eve.context.request.post(
            f"{eve.address}/t/{table}/{path}", form={"version": str(before), **form}, headers={"HX-Request": "true"}
        )
        assert answer.status in (401, 403), path
    assert ada.api()["version"] == before


def test_a_seat_that_somebody_has_just_taken_is_not_given_twice(new_guest: Callable[..., Guest]) -> None:
    ada, bob, eve = new_guest(), new_guest(), new_guest()
    table = ada.open_table("me", "open", introductory=1)
    deafen(eve.page)  # does not hear of Bob
    eve.visit(table)
    bob.visit(table)
    sit(bob, "Bob")
    eve.pardon("409")
    eve.page.locator("form.sit button").click()
    expect(eve.page.locator("#prompt .notice")).to_have_text("Somebody else has taken that seat.")
    expect(eve.page.locator("#players .player[data-seat='1'] h3")).to_have_text("Bob")


def test_chat_goes_to_everybody_and_stays_text(new_guest: Callable[..., Guest]) -> None:
    ada, bob = new_guest(), new_guest()
    table = ada.open_table("me", "open", introductory=1, name="Ada")
    bob.visit(table)
    sit(bob, "<b>Bob</b>")
    expect(bob.page.locator("#players .player[data-seat='1'] h3")).to_have_text("<b>Bob</b>")
    bob.page.get_by_role("tab", name="Chat").click()
    bob.page.locator("#say-text").fill(SCRIPT)
    bob.page.locator("#say-text").press("Enter")
    for person in (bob, ada):
        message = person.page.locator("#chat .messages li").last
        expect(message).to_contain_text(SCRIPT)
        expect(message.locator("b").first).to_have_text("<b>Bob</b>")
        assert person.page.locator("#chat script, #chat img").count() == 0
    expect(bob.page.locator("#say-text")).to_have_value("")
    expect(ada.page.locator("#unread")).to_have_text("1")
    ada.page.get_by_role("tab", name="Chat").click()
    expect(ada.page.locator("#unread")).to_be_hidden()
    expect(ada.page).not_to_have_title("owned")
    ada.page.reload()
    ada.page.get_by_role("tab", name="Chat").click()
    expect(ada.page.locator("#chat .messages li").last).to_contain_text(SCRIPT)


def test_a_name_with_markup_is_shown_as_it_is_everywhere(guest: Guest) -> None:
    name = "<i onload=x>&amp;\"'"
    table = guest.open_table("me", "me", record=record("base-2", 129), name=name)
    expect(guest.page.locator("#players .player[data-seat='0'] h3")).to_have_text(name)
    assert any(line.startswith(name) for line in guest.log)
    guest.end_turn()
    expect(guest.page.locator("#after .bars")).to_contain_text(name)
    expect(guest.page.locator("i[onload]")).to_have_count(0)
    guest.go("/")
    expect(guest.page.locator(f".tables a[href='/t/{table}']").first).to_contain_text(name)
    expect(guest.page.locator("i[onload]")).to_have_count(0)


def test_seats_are_drawn_when_the_last_has_come(new_guest: Callable[..., Guest]) -> None:
    ada, bob = new_guest(), new_guest()
    table = ada.open_table("me", "open", name="Ada", introductory=1, in_order="")
    expect(ada.page.locator("#prompt")).to_contain_text("The seats are drawn when everybody is here.")
    ada.expect_to_act(False)
    bob.visit(table)
    sit(bob, "Bob")
    expect(ada.page.locator("#prompt")).not_to_contain_text("The seats are drawn")
    state = ada.api()
    assert {seat["name"]: seat["colour"] for seat in state["seats"]} == {"Ada": "blue", "Bob": "red"}
    first, second = (ada, bob) if state["seats"][0]["name"] == "Ada" else (bob, ada)
    first.expect_to_act()
    second.expect_to_act(False)


def test_a_rematch_brings_both_to_one_new_table(new_guest: Callable[..., Guest]) -> None:
    ada, bob = new_guest(), new_guest()
    table = ada.open_table("me", "open", record=record("introductory-2", 25), name="Ada")
    bob.visit(table)
    sit(bob, "Bob")
    bob.end_turn()
    expect(ada.page.locator("#after .bars tbody tr")).to_have_count(2)
    expect(bob.page.locator("#after .bars tbody tr")).to_have_count(2)
    ada.page.locator("#after").get_by_role("button", name="Rematch").click()
    expect(ada.page.locator(f"#table:not([data-id='{table}'])")).to_have_count(1)
    ada.page.locator("#table").wait_for()
    following = ada.id
    assert following != table
    accept = bob.page.locator("#after").get_by_role("button", name="Accept the rematch")
    expect(accept).to_be_visible()
    wide = bob.page.locator("#after .source").evaluate_all(SHARES)
    assert wide, "bars keep their widths when the offer arrives"
    assert all(share == grown for share, grown in wide)
    accept.click()
    expect(bob.page.locator(f"#table[data-id='{following}']")).to_have_count(1)
    state = ada.api()
    order = [seat["name"] for seat in state["seats"]]  # drawn anew
    assert sorted(order) == ["Ada", "Bob"]
    assert state["options"]["introductory"]
    first, second = (ada, bob) if order[state["current_player"]] == "Ada" else (bob, ada)
    first.expect_to_act()
    second.expect_to_act(False)
    eve = new_guest()
    eve.visit(table)
    eve.page.locator("#after").get_by_role("link", name="Go to the rematch").click()
    expect(eve.page.locator(f"#table[data-id='{following}']")).to_have_count(1)


def test_public_tables_are_listed_to_join_to_watch_and_to_resume(new_guest: Callable[..., Guest]) -> None:
    ada, bob = new_guest(), new_guest()
    table = ada.open_table("me", "open", name="Ada of the list", introductory=1, public=1)
    hidden = new_guest().open_table("me", "open", introductory=1)
    link = f"a[href='/t/{table}']"
    bob.go("/")
    expect(bob.page.locator(f"a[href='/t/{hidden}']")).to_have_count(0)
    to_join = bob.page.get_by_role("region", name="Tables waiting").locator(link)
    expect(to_join).to_contain_text("Ada of the list")
    to_join.click()
    sit(bob, "Bob")
    eve = new_guest()
    eve.go("/")
    expect(eve.page.get_by_role("region", name="Tables waiting").locator(link)).to_have_count(0)
    expect(eve.page.get_by_role("region", name="Tables to watch").locator(link)).to_have_count(1)
    ada.go("/")
    mine = ada.page.get_by_role("region", name="Continue my game")
    expect(mine).to_contain_text("your turn")
    mine.locator(link).click()
    ada.expect_to_act()


ASKING = """
window.Notification = class {
  static permission = "default";
  static async requestPermission() { this.permission = "%s"; }
};
"""


def test_who_sits_may_ask_to_be_notified_and_is_answered(new_guest: Callable[..., Guest]) -> None:
    ada, eve = new_guest(), new_guest()
    for guest in (ada, eve):
        guest.context.add_init_script(ASKING % "granted")
    table = ada.open_table("me", "newcomer", introductory=1, name="Ada")
    eve.visit(table)
    eve.page.locator("details.menu summary").click()
    expect(eve.page.locator("#bell")).to_have_count(0)  # a watcher has no turn
    ada.page.locator("details.menu summary").click()
    answer = ada.page.get_by_text("You will be told when it is your turn.")
    expect(answer).to_be_hidden()
    ada.page.locator("#bell").click()
    expect(answer).to_be_visible()
    assert ada.page.title().startswith("● Your turn" if ada.value("acts") else "Ada")


@pytest.mark.parametrize(
    ("permission", "answer", "asks_again"),
    [("denied", "This browser does not allow it", False), ("default", "You have not answered", True)],
)
def test_who_may_not_be_notified_or_does_not_answer_is_told_so(
    guest: Guest, permission: str, answer: str, asks_again: bool
) -> None:
    guest.context.add_init_script(ASKING % permission)
    guest.open_table("me", "newcomer", introductory=1)
    guest.expect_listening()
    guest.page.locator("details.menu summary").click()
    guest.page.locator("#bell").click()
    expect(guest.page.get_by_text(answer)).to_be_visible()
    expect(guest.page.locator("#bell")).to_be_visible(visible=asks_again)
