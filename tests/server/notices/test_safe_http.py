"""Requests to addresses that people give: none reaches into the network of the server, whatever a name leads to."""

import asyncio
import socket
from typing import Any

import pytest

from franchise.server.notices import safe_http
from franchise.server.tables.errors import Refused
from server.in_process_site import SQLITE_ONLY
from server.webhook_server import WebhookServer

INTERNAL = (
    "http://example.com/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.8/", "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/", "https://localhost/", "https://intranet/", "https://host.internal/",
    "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://0.0.0.0/", "https://example.com:22/",
    "https://user:word@example.com/", "ftp://example.com/", "https://", "https://exa mple.com/", "https://100.64.0.1/",
    "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/",
    "https://[::127.0.0.1]/", "https://[::]/", "https://[fd00::1]/",
    "https://[fe80::1]/", "https://[2002:7f00:1::]/", "https://224.0.0.1/", "https://" + "x" * 1000 + ".com/", "x",
)  # fmt: skip


@SQLITE_ONLY
async def test_webhooks_do_not_reach_into_the_network_of_the_server(new_site: Any) -> None:
    for address in INTERNAL:
        with pytest.raises(Refused):
            safe_http.checked(address)
    assert safe_http.checked("https://discord.com/api/webhooks/1/x").host == "discord.com"

    async with new_site(url="https://table.example") as site:
        ann = await site.member("Ann")
        for address in INTERNAL[:6]:
            answer = await ann.post("/account/webhook", data={"webhook": address})
            assert answer.status_code == 422, address


async def test_a_name_that_leads_inside_is_refused_when_it_is_used(monkeypatch: Any) -> None:
    def resolve(*_: Any, **__: Any) -> Any:
        found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        row = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        found.set_result([(*row, ("93.184.216.34", 443)), (*row, ("10.1.2.3", 443))])
        return found

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    with pytest.raises(Refused):
        await safe_http.resolved("https://rebound.example/")


async def test_a_name_is_looked_up_once_and_what_was_looked_at_is_connected_to(monkeypatch: Any) -> None:
    hook = WebhookServer()
    port = int((await hook.start()).split(":")[2].split("/")[0])
    asked: list[str] = []

    async def resolve(host: str, *_: Any, **__: Any) -> Any:
        asked.append(host)
        first = "127.0.0.1" if len(asked) == 1 else "127.0.0.2"  # where nobody listens
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (first, port))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    assert await safe_http.post(f"http://rebound.example:{port}/", b"{}", {}, private=True) == 204
    assert asked == ["rebound.example"]
    assert hook.got[0][0]["host"] == f"rebound.example:{port}"
    hook.server.close()
