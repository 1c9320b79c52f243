"""Requests that nobody's browser sends: each is refused with a reason, none is an error of ours."""

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from franchise.server.tables.new_table import NewTable
from server.in_process_site import PASSWORD, SQLITE_ONLY, InProcessSite, move, open_table
from waiting import PATIENCE

NUL = "%00"


async def raw(site: InProcessSite, method: str, path: str, **more: Any) -> httpx.Response:
    visitor = more.pop("visitor", None) or await site.visitor()
    answer: httpx.Response = await visitor.request(method, path, **more)
    return answer


async def test_no_text_with_a_nul_gets_as_far_as_the_database(site: InProcessSite) -> None:
    ann = await site.member("Ann")
    table = await open_table(ann, "me", "open")
    order = {"version": 0, "move": "done", "move_id": "x"}
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    json = {"Content-Type": "application/json"}
    tried: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", f"/t/{NUL}", {}),
        ("GET", f"/t/{table}{NUL}", {}),
        ("GET", f"/api/tables/{NUL}", {}),
        ("GET", f"/api/tables/{NUL}/record", {}),
        ("POST", f"/api/tables/a{NUL}/moves", {"json": order}),
        ("GET", f"/people/An{NUL}n", {}),
        ("POST", f"/account/sessions/{NUL}/end", {}),
        ("POST", f"/account/tokens/{NUL}/revoke", {}),
        ("GET", f"/?x={NUL}", {}),
        ("POST", "/sign-in", {"content": "name=An%00n&password=xxxxxxxx", "headers": form}),
        ("POST", "/register", {"content": f"name=An%00n&password={PASSWORD}", "headers": form}),
        ("POST", "/account/tokens", {"content": "name=a\0b", "headers": form}),
        ("POST", f"/t/{table}/say", {"content": "text=%00", "headers": form}),
        ("POST", f"/api/tables/{table}/chat", {"content": rb'{"text": "\u0000"}', "headers": json}),
        ("POST", f"/api/tables/{table}/chat", {"content": rb'{"text": "\\\u0000"}', "headers": json}),
        (
            "POST",
            f"/api/tables/{table}/chat",
            {"content": rb'{"text": "\u0000"}', "headers": {"Content-Type": "x/y+json"}},
        ),
        ("POST", "/account/tokens", {"files": {"name": (None, "a\0b")}}),
    ]
    for method, path, more in tried:
        answer = await raw(site, method, path, visitor=ann, **more)
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed"), (method, path, answer.text[:200])
    posted = await ann.post(f"/t/{table}/say", data={"text": r"what is \u0000, or %00?"})
    assert posted.status_code == 303  # which is text about it


@SQLITE_ONLY
async def test_odd_headers_and_numbers_are_refused(site: InProcessSite) -> None:
    ann = await site.member("Ann")
    table = await open_table(ann, "me", "guest")
    answer = await raw(site, "POST", "/settings", visitor=ann, headers={"Origin": "http://["})
    assert answer.status_code == 403
    answer = await raw(site, "POST", "/settings", visitor=ann, headers={"Referer": "http://["})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    answer = await raw(site, "POST", f"/t/{table}/continue", visitor=ann, data={"move": "9" * 5000})
    assert answer.status_code == 422
    answer = await raw(site, "OPTIONS", "*", visitor=await site.visitor(base="http://table"))
    assert answer.status_code < 500
    content = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x; charset=punycode"}
    answer = await raw(site, "POST", "/account/tokens", visitor=ann, content=content, headers=headers)
    assert answer.status_code == 400


@SQLITE_ONLY
async def test_an_address_from_a_proxy_that_is_none_is_no_error(site: InProcessSite) -> None:
    odd = await site.visitor(address="foo:bar")
    assert (await odd.post("/settings", data={"language": "en"})).status_code == 303


@SQLITE_ONLY
async def test_options_for_everything(site: InProcessSite) -> None:
    """`OPTIONS *` has a path without a slash."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "OPTIONS",
        "path": "*",
        "raw_path": b"*",
        "query_string": b"",
        "headers": [],
        "scheme": "http",
        "http_version": "1.1",
        "client": ("127.0.0.1", 1),
        "server": ("table", 80),
        "root_path": "",
    }
    await site.app(scope, receive, send)
    assert sent[0]["status"] < 500


# --- methods ---


@SQLITE_ONLY
async def test_head_is_get_without_the_body(site: InProcessSite) -> None:
    ann = await site.member("Ann")
    table = await open_table(ann, "me", "guest")
    stream = f"/api/tables/{table}/events"
    for path in (
        "/",
        "/rules",
        "/healthz",
        f"/t/{table}",
        f"/api/tables/{table}",
        "/static/table.css",
        "/account",
        stream,
    ):
        answer = await ann.head(path)
        assert answer.content == b""
        if path != stream:  # that one does not end
            got = await ann.get(path)
            assert answer.status_code == got.status_code, path
            assert answer.headers["content-type"] == got.headers["content-type"]
        assert "content-security-policy" in answer.headers
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert (await ann.head("/nowhere")).status_code == 404


@SQLITE_ONLY
async def test_a_method_that_is_not_taken_is_told_all_that_are(site: InProcessSite) -> None:
    visitor = await site.visitor()
    table = await open_table(visitor, "me", "guest")
    for path, methods in {
        "/api/tables": "GET, HEAD, POST",
        f"/api/tables/{table}/seats/0": "DELETE, POST",
        f"/api/tables/{table}/chat": "GET, HEAD, POST",
        f"/api/tables/{table}": "GET, HEAD",
        f"/t/{table}/move": "POST",
        "/sign-in": "GET, HEAD, POST",
    }.items():
        answer = await visitor.put(path)
        assert (answer.status_code, answer.headers.get("allow")) == (405, methods), path


async def test_the_api_says_what_it_may_refuse(new_server: Any) -> None:
    async with new_server() as server:
        paths = (await server.client.get("/openapi.json")).json()["paths"]
    for path, operations in paths.items():
        for method, operation in operations.items():
            assert {"400", "403", "429", "503"} <= set(operation["responses"]), (method, path)


# --- fields ---


@SQLITE_ONLY
@pytest.mark.parametrize(
    ("order", "where", "near"),
    [
        ({"optoins": {"boom": True}}, "'optoins'", "'options'"),
        ({"options": {"bom": True}}, "'bom'", "'boom'"),
        ({"clock": {"kin": "live"}}, "'kin'", "'kind'"),
        ({"seats": [{"kind": "human"}, {"kind": "bot", "levl": "casual"}]}, "'levl'", "'level'"),
    ],
)
async def test_a_field_that_does_not_exist_is_named_with_the_nearest(
    site: InProcessSite, order: dict[str, Any], where: str, near: str
) -> None:
    visitor = await site.visitor()
    answer = await visitor.post("/api/tables", json={"seats": [{"kind": "human"}] * 2} | order)
    assert answer.status_code == 422
    assert f"there is no field {where}; did you mean {near}?" in answer.json()["detail"]


@SQLITE_ONLY
async def test_every_order_knows_its_fields(site: InProcessSite) -> None:
    visitor = await site.visitor()
    table = await open_table(visitor, "me", "open")
    orders: dict[str, dict[str, Any]] = {
        "moves": {"version": 0, "move": "done", "move_id": "x", "moveid": "y"},
        "undo": {"version": 0, "move_id": "x", "turns": True},
        "chat": {"text": "x", "txt": "y"},
        "seats/1": {"nam": "Ann"},
    }
    for what, order in orders.items():
        answer = await visitor.post(f"/api/tables/{table}/{what}", json=order)
        assert answer.status_code == 422, what
        assert "there is no field" in answer.json()["detail"]
    assert NewTable.model_validate({"seats": [{"kind": "human"}] * 2})


# --- hosts ---


@SQLITE_ONLY
async def test_the_server_answers_only_to_its_names(new_site: Any) -> None:
    async with new_site(url="http://table.example") as site:
        stranger = await site.visitor(base="http://evil.example")
        assert (await stranger.get("/")).status_code == 400
        assert (await stranger.get("/healthz")).status_code == 200
        for name in ("http://table.example", "http://TABLE.example:8000", "http://localhost:8000", "http://[::1]:8000"):
            assert (await (await site.visitor(base=name)).get("/rules")).status_code == 200


@SQLITE_ONLY
async def test_redirects_do_not_repeat_what_the_request_calls_the_server(site: InProcessSite) -> None:
    answer = await (await site.visitor(base="http://evil.example")).get("/people/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/people")


# --- games ---


@SQLITE_ONLY
async def test_a_rated_game_is_not_gone_on_with_elsewhere_while_it_runs(site: InProcessSite) -> None:
    """There are hints there."""
    ann, bob = await site.member("Ann"), await site.member("Bob")
    table = await open_table(ann, "me", "open", rated="1")
    await bob.post(f"/t/{table}/sit", data={"seat": "1"})
    await move(bob, site, table, "start Memphis")
    answer = await ann.post(f"/t/{table}/continue", data={})
    assert answer.status_code == 403
    unrated = await open_table(ann, "me", "guest")
    assert (await ann.post(f"/t/{unrated}/continue", data={})).status_code == 303


@pytest.fixture
async def quiet_site(new_site: Any, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[InProcessSite]:
    """A site that does nothing but answer: what else it loads in its first seconds is garbage at last."""
    monkeypatch.setattr("franchise.web.app.CALM_S", PATIENCE)
    async with new_site() as site:
        yield site


async def test_a_request_leaves_no_garbage(quiet_site: InProcessSite) -> None:
    """Objects that refer to each other stay until garbage is collected: it took a tenth of a busy server's time."""
    scope = {"type": "http", "method": "GET", "path": "/healthz", "query_string": b"", "headers": [], "scheme": "http"}

    async def request() -> None:
        body: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        body.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        answer: list[Any] = []

        async def send(message: Any) -> None:
            answer.append(message)

        await quiet_site.app(dict(scope), body.get, send)
        assert answer[0]["status"] == 200

    await asyncio.create_task(request())
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            await asyncio.create_task(request())
        assert gc.collect() < 10
    finally:
        gc.enable()
