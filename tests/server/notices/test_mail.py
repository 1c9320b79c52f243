"""E-mail: headers that mail programs understand, addresses that can be one."""

import pytest

from franchise.server.notices.mail import compose, is_email
from franchise.server.notices.safe_http import public


def test_the_address_to_unsubscribe_at_is_bare_however_long_it_is() -> None:
    """RFC 8058: mail programs show their own button only for a URL they can read."""
    url = "https://table.example/unsubscribe/" + "x" * 400
    links = [("No more", url)]
    message = compose(
        "table@example.org", "ann@example.org", "Your turn \u2013 caf\u00e9", ["It is your turn."], links, url
    )
    lines = message.as_bytes().splitlines()
    assert f"List-Unsubscribe: <{url}>".encode() in lines
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines
    assert all(len(line) <= 998 for line in lines)
    assert message["Subject"] == "Your turn \u2013 caf\u00e9"


@pytest.mark.parametrize("address", ["a@b.c", "first.last+tag@mail.example.org", "x@a-b.example"])
def test_an_address(address: str) -> None:
    assert is_email(address)


@pytest.mark.parametrize(
    "address",
    ["a@b..c", "a@.b.c", "a@b.c.", "a..b@c.d", ".a@b.c", "a.@b.c", "a@-b.c", "a@b", "@b.c", "a@b@c.d", "a b@c.d"],
)
def test_no_address(address: str) -> None:
    assert not is_email(address)


@pytest.mark.parametrize("address", ["fec0::1", "feff::1", "fe80::1", "fc00::1", "::1", "::ffff:10.0.0.1"])
def test_an_address_of_a_network_of_ones_own_is_not_public(address: str) -> None:
    assert not public(address)
    assert public("2606:4700::1111")
