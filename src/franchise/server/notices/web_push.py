"""Web Push: a message encrypted for one browser. `franchise vapid` makes the key of a server."""

import base64
import json
import time
from urllib.parse import urlsplit

LIFETIME = 24 * 3600  # seconds a push service keeps a message for a browser that is away
SIGNED_FOR = 12 * 3600  # seconds


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def new_key() -> str:
    """A private key."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encoded(number.to_bytes(32, "big"))


def public_key(private: str) -> str:
    """The public key that belongs to a private key."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.derive_private_key(int.from_bytes(decoded(private), "big"), ec.SECP256R1())
    point = serialization.PublicFormat.UncompressedPoint
    return encoded(key.public_key().public_bytes(serialization.Encoding.X962, point))


def sealed(
    message: dict[str, str], endpoint: str, p256dh: str, auth: str, private: str, contact: str
) -> tuple[bytes, dict[str, str]]:
    """A message for one browser: body and headers. ValueError if its keys are invalid."""
    from py_vapid import Vapid
    from pywebpush import WebPusher

    browser = WebPusher({"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}})
    body = browser.encode(json.dumps(message).encode())
    parts = urlsplit(endpoint)
    claims = {"sub": contact, "aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED_FOR}
    headers = Vapid.from_raw(private.encode()).sign(claims)
    return bytes(body["body"]), {
        **{name: str(value) for name, value in headers.items()},
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(LIFETIME),
        "Urgency": "normal",
    }
