"""The pages without a browser: plain forms and redirects, refusals, escaping."""

import html
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from franchise.wording.language import LANGUAGES, language
from recorded_games import game as recorded
from recorded_games import record

NASTY = "<script>alert(1)</script>&\"'"


def told(answer: httpx.Response, name: str) -> int:
    """A figure of the page's status."""
    found = re.search(rf'id="status"[^>]*data-{name}="(\d+)"', answer.text)
    assert found is not None, answer.text[:500]
    return int(found[1])


def notices(answer: httpx.Response) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'class="notice" role="alert">([^<]*)<', answer.text)]


def open_table(client: httpx.Client, *seats: str, **fields: Any) -> str:
    """A table by the form of the start page, seats in the order as listed; its path."""
    chosen = {f"seat{number}": kind for number, kind in enumerate(seats)}
    form = {"players": str(len(seats)), "in_order": "1", **chosen, **fields}
    answer = client.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def test_who_sits_where_is_drawn_unless_the_listed_order_is_asked_for(client: httpx.Client) -> None:
    form = {"players": "2", "seat0": "me", "seat1": "newcomer", "name": "Ada"}
    found = set()
    for seed in range(8):
        for fields in ({}, {"in_order": "1"}):
            path = client.post("/tables", data=form | fields | {"seed": str(seed)}).headers["location"]
            first = client.get(f"/api/tables{path.removeprefix('/t')}").json()["seats"][0]["name"]
            found.add((first == "Ada", bool(fields)))
    assert found == {(True, True), (True, False), (False, False)}


@pytest.fixture
def other(address: str) -> Iterator[httpx.Client]:
    """Somebody else."""
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


def test_a_game_can_be_played_with_forms_alone(client: httpx.Client) -> None:
    path = open_table(client, "me", "me", introductory="1")
    page = client.get(path)
    assert told(page, "acts") == 1
    moves = re.findall(r'name="moves" value="([^"]*)"', page.text)
    assert any(move.startswith("expand ") for move in moves)
    answer = client.post(f"{path}/move", data={"version": "0", "moves": moves[-1]})
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert told(client.get(path), "version") == 1
    answer = client.post(f"{path}/undo", data={"version": "1"})
    assert answer.status_code == 303
    page = client.get(path)
    assert (told(page, "version"), told(page, "moves")) == (2, 0)
    answer = client.post(f"{path}/move", data={"version": "2", "moves": "done; end"})
    assert answer.status_code == 303
    page = client.get(path)
    assert (told(page, "version"), told(page, "moves")) == (3, 2)  # what goes together is one change
    assert client.post(f"{path}/say", data={"text": "no script here"}).status_code == 303
    assert "no script here" in client.get(path).text


@pytest.mark.parametrize("code", ["en", "de", "fr"])
def test_the_order_of_regions_is_chosen_with_forms_alone(client: httpx.Client, code: str) -> None:
    game = recorded("score-4")
    game = game.at(next(number for number, action in enumerate(game.actions) if action.verb == "score"))
    path = open_table(client, *["me"] * 4, record=game.to_text())
    client.post("/settings", data={"language": code})
    page = html.unescape(client.get(path).text)
    prompt = "Choose the region that is scored next: it changes what a region tile that counts the track pays."
    assert language(code).text(prompt) in page
    legal = [str(action) for action in game.legal_actions()]
    assert set(legal) <= set(re.findall(r'name="moves" value="([^"]*)"', page))
    answer = client.post(f"{path}/move", data={"version": "0", "moves": legal[-1]})
    assert answer.status_code == 303
    assert told(client.get(path), "version") == 1


def test_a_seat_is_taken_and_the_language_chosen_with_forms_alone(client: httpx.Client, other: httpx.Client) -> None:
    path = open_table(client, "me", "open", introductory="1")
    answer = other.post(f"{path}/sit", data={"seat": "1", "name": "Bob"})
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert "<h3>Bob</h3>" in client.get(path).text
    answer = other.post("/settings", data={"language": "fr", "theme": "dark"}, headers={"Referer": f"{path}?move=0"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?move=0")
    page = other.get(path).text
    assert '<html lang="fr" data-theme="dark">' in page
    assert language("fr").text("Undo") not in page, "it is not this one's turn"


@pytest.mark.parametrize(
    "form",
    [
        {"players": "9"},
        {"players": "two"},
        {"players": "2", "seat1": "wizard"},
        {"players": "2", "clock": "soon"},
        {"players": "2", "clock": "99999+0"},
        {"players": "2", "expert": "always"},
        {"players": "2", "regions": "none"},
        {"players": "2", "seed": "12345678901"},
        {"players": "2", "seed": "-1"},
        {"players": "2", "record": "no record"},
        {"players": "3", "record": record("base-2")},
    ],
    ids=lambda form: "-".join(list(form)[1:] or form.values()),
)
def test_a_form_that_does_not_fit_gives_the_start_page_with_the_reason(
    client: httpx.Client, form: dict[str, str]
) -> None:
    answer = client.post("/tables", data=form)
    assert answer.status_code == 422
    assert len(notices(answer)) == 1
    assert '<form method="post" action="/tables"' in answer.text


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("move", {"version": "0", "moves": "expand Seattle"}, 422),
        ("move", {"version": "0", "moves": "castle"}, 422),
        ("move", {"version": "7", "moves": "done"}, 409),
        ("undo", {"version": "0"}, 422),
        ("undo", {"version": "7"}, 409),
        ("rematch", {}, 409),
        ("sit", {"seat": "4"}, 404),
        ("continue", {"seat0": "wizard"}, 422),
    ],
)
def test_what_is_refused_leaves_the_table_and_says_why_once(
    client: httpx.Client, path: str, form: dict[str, str], status: int
) -> None:
    table = open_table(client, "me", "me", introductory="1")
    answer = client.post(f"{table}/{path}", data=form)
    assert answer.status_code == status
    assert len(notices(answer)) == 1
    assert told(answer, "version") == 0
    assert told(client.get(table), "version") == 0


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("move", {}),
        ("move", {"version": "-1", "moves": "done"}),
        ("move", {"version": "x", "moves": "done"}),
        ("move", {"version": "0", "moves": "done", "move_id": "x" * 61}),
        ("move", {"version": "0", "moves": "x" * 401}),
        ("undo", {}),
        ("sit", {"seat": "9"}),
        ("sit", {}),
        ("say", {"text": "x" * 2001}),
    ],
)
def test_a_form_that_cannot_be_read_gives_a_page_that_says_so(
    client: httpx.Client, path: str, form: dict[str, str]
) -> None:
    table = open_table(client, "me", "me", introductory="1")
    answer = client.post(f"{table}/{path}", data=form)
    assert answer.status_code == 422
    assert answer.headers["content-type"].startswith("text/html")
    assert "The page sent something that cannot be read." in answer.text


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("path", ["/t/nowhere", "/t/nowhere/scene", "/nowhere", "/t/x/y/z"])
def test_what_is_not_there_is_a_page_in_the_visitors_language(client: httpx.Client, path: str, code: str) -> None:
    answer = client.get(path, headers={"Accept-Language": f"{code}-XX, en;q=0.1"})
    assert answer.status_code == 404
    assert f'<html lang="{code}"' in answer.text
    assert language(code).text("Page not found") in html.unescape(answer.text)


def test_a_problem_of_the_api_stays_json(client: httpx.Client) -> None:
    answer = client.get("/api/tables/nowhere", headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert answer.json()["error"] == "no_such_table"


def test_names_and_talk_are_escaped_wherever_they_stand(client: httpx.Client) -> None:
    path = open_table(client, "me", "me", record=record("base-2", 129), name=NASTY, public="1")
    client.post(f"{path}/say", data={"text": NASTY})
    client.post(f"{path}/move", data={"version": "0", "moves": "end"})
    for page in (path, f"{path}?move=62", f"{path}/scene", f"{path}/chat", "/"):
        text = client.get(page).text
        assert "<script>alert" not in text
        assert "alert(1)" in text, page


def test_a_moment_beyond_the_last_is_the_last(client: httpx.Client) -> None:
    path = open_table(client, "me", "me", record=record("base-2", 62))
    assert told(client.get(f"{path}?move=99999"), "moves") == 62
    assert told(client.get(f"{path}/scene?version=99999"), "version") == 0
    assert client.get(f"{path}?move=-1").status_code == 422
    assert client.get(f"{path}?move=soon").status_code == 422


@pytest.mark.parametrize("cookie", ["", "x", "x" * 5000, "é", "franchise_key=;;", '"'])
def test_no_cookie_is_an_error(client: httpx.Client, cookie: str) -> None:
    names = ("key", "name", "language", "theme")
    header = "; ".join(f"franchise_{name}={cookie}" for name in names).encode()
    assert client.get("/", headers={"Cookie": header}).status_code == 200


def test_a_form_of_another_site_is_refused(client: httpx.Client) -> None:
    path = open_table(client, "me", "me", introductory="1")
    for headers in ({"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = client.post(f"{path}/move", data={"version": "0", "moves": "done"}, headers=headers)
        assert answer.status_code == 403
    assert told(client.get(path), "version") == 0


def test_after_choosing_a_language_one_is_not_led_to_another_site(client: httpx.Client) -> None:
    for referer in ("https://elsewhere.example/trap", "//elsewhere.example", "https://elsewhere.example//trap/x", "x"):
        answer = client.post("/settings", data={"language": "de"}, headers={"Referer": referer})
        assert answer.status_code == 303
        assert re.fullmatch(r"/([^/].*)?", answer.headers["location"])


def test_pages_are_never_kept_and_what_they_are_made_of_is_there(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.headers["cache-control"] == "no-store"
    assert "unsafe" not in page.headers["content-security-policy"]
    parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(parts) > 2
    for address in parts:
        assert client.get(address).status_code == 200, address


def test_no_page_has_anything_the_content_policy_forbids(client: httpx.Client) -> None:
    path = open_table(client, "me", "me", record=record("everything-2"))
    for page in ("/", "/look", "/api/docs", path, f"{path}?move=40"):
        text = client.get(page).text
        assert not re.search(r"\sstyle=|<style|\son[a-z]+=|javascript:", text), page


def test_the_api_is_described_by_a_page_of_the_server_itself(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    page = client.get("/api/docs").text
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page
    assert all(f'id="{name}"' in page for name in ("State", "NewTable", "Problem"))
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_the_rules_are_told_in_sentences_without_the_numbers_of_clauses(client: httpx.Client) -> None:
    assert not re.search(r"[Cc]lauses? \d", client.get("/rules").text)


def test_a_finished_game_has_a_postcard_and_no_other(client: httpx.Client) -> None:
    over = open_table(client, "me", "me", record=record("base-2"))
    card = client.get(f"{over}/postcard.svg", headers={"Accept-Language": "en"})
    assert card.headers["content-type"] == "image/svg+xml"
    assert re.search(r"wins, \d+ to \d+|Shared win", card.text)
    assert client.get(f"{over}/postcard.png").status_code in (200, 303)
    page = client.get(over).text
    assert f'href="{over}/postcard.png" download' in page
    assert re.search(rf'property="og:image" content="http://[^"]+{over}/postcard.png"', page)
    assert client.get(f"{open_table(client, 'me', 'me')}/postcard.svg").status_code == 404
    assert "og:image" not in client.get(open_table(client, "me", "me")).text


@pytest.mark.parametrize(("seats", "times"), [(("me", "casual"), 1), (("me", "me"), 0)])
def test_a_card_says_you_where_that_tells_one_player_from_another(
    client: httpx.Client, seats: tuple[str, ...], times: int
) -> None:
    running = open_table(client, *seats, record="\n".join(record("base-2").splitlines()[:8]))
    assert client.get(running).text.count('class="tag you"') == times
    over = client.get(open_table(client, *seats, record=record("base-2"))).text
    assert over.count("<small>you</small>") == times
