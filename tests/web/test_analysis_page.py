"""The analysis of a game without a browser."""

import httpx

from recorded_games import record


def test_a_running_game_is_not_analysed_for_others(client: httpx.Client, address: str) -> None:
    form = {"players": "2", "seat0": "me", "seat1": "open", "in_order": "1", "introductory": "1"}
    table = client.post("/tables", data=form).headers["location"]
    for path in ("/analysis", "/analysis/progress", "/analysis/moment?move=0"):
        assert client.get(table + path).status_code == 403
    assert client.post(f"{table}/analysis").status_code == 403
    own = client.post("/tables", data=form | {"seat1": "me"}).headers["location"]
    assert client.get(f"{own}/analysis").status_code == 200
    with httpx.Client(base_url=address, timeout=60) as stranger:
        assert stranger.get(f"{own}/analysis").status_code == 403


def test_an_analysis_works_as_a_plain_form(client: httpx.Client) -> None:
    table = client.post("/look", data={"record": record("introductory-2")}).headers["location"].partition("?")[0]
    assert f'action="{table}/analysis"' in client.get(f"{table}/analysis").text
    assert client.post(f"{table}/analysis").status_code == 303
    shown = client.get(f"{table}/analysis").text
    assert "chances" in shown or 'http-equiv="refresh"' in shown
    assert client.post(f"{table}/analysis/stop").status_code == 303
