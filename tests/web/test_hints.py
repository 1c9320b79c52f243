"""Hints without a browser: as plain forms, and who gets one."""

import httpx


def new_table(client: httpx.Client, **fields: str) -> str:
    form = {"players": "2", "seat0": "me", "seat1": "me", "in_order": "1", "introductory": "1", "seed": "3"} | fields
    return client.post("/tables", data=form).headers["location"]


def test_a_hint_works_as_a_plain_form(client: httpx.Client) -> None:
    table = new_table(client)
    assert 'action="' + table + '/hint"' in client.get(table).text
    hinted = client.post(f"{table}/hint", data={"version": "0"})
    assert hinted.status_code == 200
    assert "A regular bot would do this:" in hinted.text
    assert 'class="target expand hinted"' in hinted.text
    assert client.post(f"{table}/hint", data={"version": "0"}).text == hinted.text, "asked twice, answered alike"


def test_hints_are_for_the_one_to_move_now_and_where_the_table_has_them(client: httpx.Client, address: str) -> None:
    table = new_table(client)
    with httpx.Client(base_url=address, timeout=60) as stranger:
        assert "/hint" not in stranger.get(table).text
        assert stranger.post(f"{table}/hint", data={"version": "0"}).status_code == 403
    assert client.post(f"{table}/hint", data={"version": "7"}).status_code == 409
    without = new_table(client, no_hints="1")
    assert "/hint" not in client.get(without).text
    refused = client.post(f"{without}/hint", data={"version": "0"})
    assert refused.status_code == 403
    assert "There are no hints at this table now." in refused.text
    draft = new_table(client, introductory="", expert="draft")
    assert client.post(f"{draft}/hint", data={"version": "0"}).status_code == 403
