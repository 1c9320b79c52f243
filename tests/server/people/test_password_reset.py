"""A forgotten password: a message to the confirmed address, a link that works once."""

import re
from typing import Any

from server.in_process_site import PASSWORD, SQLITE_ONLY, open_table
from server.mail_server import MailServer, text_of
from waiting import eventually

URL = "https://table.example"


@SQLITE_ONLY
async def test_a_forgotten_password_is_chosen_anew_by_whoever_reads_the_letter(
    new_site: Any, mail_server: MailServer
) -> None:
    async with new_site(url=URL, **mail_server.settings) as site:
        ann = await site.member("Ann")
        await site.member("Bob")  # without an address
        account = await site.people.accounts.named("Ann")
        await site.people.accounts.change(account, email="ann@example.org", language="fr")
        stranger = await site.visitor()
        assert "/forgotten" in (await stranger.get("/sign-in")).text
        answers = [await stranger.post("/forgotten", data={"who": who}) for who in ("Bob", "Nobody", "x@example.org")]
        answers.append(await stranger.post("/forgotten", data={"who": "ANN@example.org"}))
        assert len({answer.text for answer in answers}) == 1  # nobody learns who has an account
        await eventually(lambda: mail_server.messages)
        (message,) = mail_server.messages
        assert message["To"] == "ann@example.org"
        assert message["Subject"] == "Franchise\xa0: un nouveau mot de passe"
        link = re.search(rf"{URL}(/password/[\w.-]+)", text_of(message))[1]  # type: ignore[index]
        assert (await stranger.get(link)).status_code == 200
        assert (await stranger.post(link, data={"password": "short"})).status_code == 422
        assert (await stranger.post(link, data={"password": "another one"})).status_code == 303
        assert (await stranger.get("/account")).status_code == 200  # signed in
        assert (await ann.get("/account")).status_code == 303  # and the old session has ended
        assert (await stranger.post(link, data={"password": "a third one"})).status_code == 404
        assert (await stranger.get("/password/made-up")).status_code == 404
        for password, status in ((PASSWORD, 403), ("another one", 303)):
            answer = await ann.post("/sign-in", data={"name": "Ann", "password": password})
            assert answer.status_code == status


@SQLITE_ONLY
async def test_a_guest_cannot_go_by_the_name_of_an_account(new_site: Any) -> None:
    async with new_site() as site:
        ann, guest = await site.member("Ann"), await site.visitor()
        answer = await guest.post("/tables", data={"players": "2", "name": "ANN", "seat1": "open", "in_order": "1"})
        assert answer.status_code == 422
        assert 'value="ANN"' in answer.text  # and what was chosen stays
        table = (await ann.post("/tables", data={"players": "2", "seat1": "open", "in_order": "1"})).headers["location"]
        assert (await guest.post(f"{table}/sit", data={"seat": "1", "name": "Ａnn"})).status_code == 409
        assert (await guest.post(f"{table}/sit", data={"seat": "1", "name": "Anna"})).status_code == 303


NAVIGATION = {"Sec-Fetch-Mode": "navigate"}


@SQLITE_ONLY
async def test_a_browser_is_sent_on_after_every_form(new_site: Any) -> None:
    """What came of it is shown once: a reload neither repeats the form nor the error."""
    async with new_site() as site:
        ann = await site.member("Ann")
        answer = await ann.post("/account/tokens", data={"name": "my bot"}, headers=NAVIGATION)
        assert (answer.status_code, answer.headers["location"]) == (303, "/account#tokens")
        assert len(re.findall(r"fa_[\w-]+", (await ann.get("/account")).text)) == 1
        assert "fa_" not in (await ann.get("/account")).text
        assert len(await site.people.sessions.tokens(await site.people.accounts.named("Ann"))) == 1
        wrong = {"old": "wrong password", "new": "another one"}
        assert (await ann.post("/account/password", data=wrong, headers=NAVIGATION)).status_code == 303
        assert "That is not your password." in (await ann.get("/account")).text
        assert 'role="alert"' not in (await ann.get("/account")).text
        form = {"players": "3", "seat1": "open", "seat2": "open", "rated": "1", "seed": "7", "clock": "20+30"}
        answer = await ann.post("/tables", data=form, headers=NAVIGATION)
        assert answer.status_code == 303
        kept = (await ann.get(answer.headers["location"])).text
        assert 'role="alert"' in kept
        for chosen in ('name="players" value="3" checked', 'value="20+30" data-text', 'size="9" value="7"'):
            assert chosen in kept
        guest = await site.visitor()
        data = {"name": "Ann", "password": "wrong password", "following": "/people"}
        answer = await guest.post("/sign-in", data=data, headers=NAVIGATION)
        assert answer.headers["location"] == "/sign-in?next=%2Fpeople"  # the way back survives
        page = (await guest.get(answer.headers["location"])).text
        assert 'name="following" value="/people"' in page
        answer = await guest.post(
            "/settings", data={"language": "de"}, headers={"Referer": "http://table/account/push"}
        )
        assert answer.headers["location"] == "/account"  # never to where only forms go


@SQLITE_ONLY
async def test_where_it_is_my_turn_comes_before_a_list_is_cut(new_site: Any) -> None:
    async with new_site(limits=0) as site:
        ann = await site.member("Ann")
        waiting = await open_table(ann, "open", "me")  # the last seat places first
        for _ in range(51):
            await open_table(ann, "me", "open")
        assert waiting in (await ann.get("/")).text
        found = await site.tables.tables_of((await site.people.accounts.named("Ann")).holder)  # type: ignore[union-attr]
        assert (found[0].id, found[0].your_turn, found[1].your_turn, len(found)) == (waiting, True, False, 50)
        token = re.findall(r"fa_[\w-]+", (await ann.post("/account/tokens", data={"name": "my bot"})).text)[0]
        me = (await ann.get("/api/me", headers={"Authorization": f"Bearer {token}"})).json()
        assert [table["id"] for table in me["tables"]] == [table.id for table in found]
