"""Requests to addresses given by users: only to public addresses, with short timeouts, small answers, no redirects."""

import asyncio
import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from franchise.server.tables.errors import Refused

if TYPE_CHECKING:
    import httpx  # loaded when it is needed: that takes a while

LONGEST_URL = 1000
ANSWER_S = 10.0
CONNECT_S = 4.0
ANSWER_LIMIT = 4096  # bytes of an answer that are read
PORTS = (80, 443)


class Gone(Exception):  # noqa: N818 - says what is the matter
    """The message can never be delivered."""


class Unsure(Exception):  # noqa: N818
    """The message may have arrived, so it must not be sent again."""


@dataclass(frozen=True)
class ForeignAddress:
    """The destination of a request: the host name, and one of its addresses that has been checked."""

    url: "httpx.URL"
    host: str
    address: str


def checked(url: str, private: bool = False) -> "httpx.URL":
    """An address that may be requested; Refused says why not. The addresses of its host are checked on use."""
    import httpx

    refusal = Refused("This needs an address that begins with https:// on the open internet.", "bad_webhook")
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise refusal
    try:
        parts, address = urlsplit(url), httpx.URL(url)
        port = parts.port
    except (ValueError, httpx.InvalidURL):
        raise refusal from None
    if not address.host or parts.username is not None or parts.password is not None:
        raise refusal
    if not private and (address.scheme != "https" or port not in (None, *PORTS)):
        raise refusal
    if address.scheme not in ("http", "https"):
        raise refusal
    try:
        literal = address_in(address.host)
    except ValueError:
        if not private and ("." not in address.host or address.host.rstrip(".").endswith((".local", ".internal"))):
            raise refusal from None
    else:
        if not private and not public(literal):
            raise refusal
    return address


def address_in(host: str) -> str:
    """The address a host is written as, also in the ways only old programs know: 127.1, 0x7f000001; ValueError."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        try:
            return str(ipaddress.IPv4Address(socket.inet_aton(host.rstrip("."))))
        except OSError:
            raise ValueError from None


def public(address: str) -> bool:
    """Whether an address is public."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is not None:
            return public(str(inner))
        if parsed in ipaddress.ip_network("64:ff9b::/96"):  # a translated IPv4 address
            return public(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    return parsed.is_global and not (parsed.is_multicast or parsed.is_reserved or site_local(parsed))


def site_local(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is one of fec0::/10, which old networks still use for themselves."""
    return isinstance(address, ipaddress.IPv6Address) and address.is_site_local


async def resolved(url: str, private: bool = False) -> ForeignAddress:
    """The address a request is sent to, looked up once; Refused if any address of the host is not public."""
    target = checked(url, private)
    port = target.port or (443 if target.scheme == "https" else 80)
    rows = await asyncio.get_running_loop().getaddrinfo(target.host, port, type=socket.SOCK_STREAM)
    addresses = [str(row[4][0]) for row in rows]
    if not addresses or not (private or all(public(address) for address in addresses)):
        raise Refused("This address does not lead to the open internet.", "bad_webhook")
    return ForeignAddress(target, target.host, addresses[0])


async def post(url: str, content: bytes, headers: Mapping[str, str], private: bool = False) -> int:
    """Send a request; returns the status. OSError if the connection failed, Unsure if there was no answer."""
    import httpx

    target = await resolved(url, private)
    try:
        return await _post(target, content, headers)
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise ConnectionError(type(error).__name__) from None
    except (httpx.HTTPError, TimeoutError) as error:
        raise Unsure(f"no answer ({type(error).__name__})") from None


async def _post(target: ForeignAddress, content: bytes, headers: Mapping[str, str]) -> int:
    import httpx

    host = f"[{target.host}]" if ":" in target.host else target.host
    named = host if target.url.port is None else f"{host}:{target.url.port}"
    timeout = httpx.Timeout(ANSWER_S, connect=CONNECT_S)
    async with (
        asyncio.timeout(ANSWER_S),
        httpx.AsyncClient(timeout=timeout, follow_redirects=False, trust_env=False) as client,
        client.stream(
            "POST",
            target.url.copy_with(host=target.address),
            content=content,
            headers={**headers, "Host": named},
            extensions={"sni_hostname": target.host},
        ) as answer,
    ):
        read = 0
        async for chunk in answer.aiter_raw():
            read += len(chunk)
            if read > ANSWER_LIMIT:
                break
        return answer.status_code
