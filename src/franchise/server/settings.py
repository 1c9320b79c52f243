"""What can be set from outside: environment variables that begin with FRANCHISE_."""

import os
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from franchise.server.logging_setup import Format, Level

VAPID_BYTES = 32
CONNECTIONS = 8
PREFIX = "FRANCHISE_"
# Variables of other commands and of the tests.
OTHER_VARIABLES = ("CACHE_DIR", "TOKEN", "BROWSER", "HYPOTHESIS", "POSTGRES", "TMUX")
LOOPBACK = {"localhost", "127.0.0.1", "::1"}  # by which a machine asks itself


def data_folder() -> Path:
    """Where this user's data belongs."""
    kept = os.environ.get("XDG_DATA_HOME", "")
    base = Path(kept) if Path(kept).is_absolute() else Path.home() / ".local" / "share"
    return base / "franchise"


def default_database() -> str:
    """An SQLite file in the user's data folder."""
    return f"sqlite:///{data_folder() / 'franchise.db'}"


class Settings(BaseSettings):
    """The settings of a server. The text below each is its line in docs/reference-settings.md."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True)

    database: str = Field(default_factory=default_database)
    """`sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/DATABASE`"""
    database_connections: int = Field(default=CONNECTIONS, ge=2, le=200)
    """connections to PostgreSQL that requests share; each server and worker opens six more"""
    archive_days: int = Field(default=30, ge=0, le=36500)
    """days after its end from which on a game is kept as one small record; 0 for never"""
    url: str | None = None
    """where people find the server, as `https://table.example`; without it no messages are sent"""
    hosts: str | None = None
    """names that requests may call it by, separated by commas; left out, the one of `FRANCHISE_URL`, else any"""
    bot_threads: int | None = Field(default=None, ge=0, le=256)
    """bots that think at the same time; left out, one for each core; 0 leaves thinking to workers"""
    limits: float = Field(default=1.0, ge=0, le=1000)
    """times what is allowed of one address, account or table; 0 for no limits"""
    password_memory: int = Field(default=65536, ge=64, le=1 << 21)
    """KiB of memory that checking a password takes"""

    log_format: Format = "text"
    """`text`, or `json` with one object a line"""
    log_level: Level = "warning"
    """`debug`, `info` (a line for each request), `warning` or `error`"""
    metrics_token: SecretStr | None = None
    """what `/metrics` asks for, as `Authorization: Bearer TOKEN`; left out, anybody may read the numbers"""

    smtp_host: str | None = None
    """the server that takes e-mail; left out, none is sent"""
    smtp_port: int = Field(default=587, ge=1, le=65535)
    """its port"""
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    """`starttls`, `tls` or `none`"""
    smtp_user: str | None = None
    """the user at that server"""
    smtp_password: SecretStr | None = None
    """and the password"""
    mail_from: str | None = None
    """the sender of e-mail"""
    vapid_key: SecretStr | None = None
    """the private key for Web Push, as `franchise vapid` makes it; left out, there is no Web Push"""
    vapid_contact: str | None = None
    """a `mailto:` or `https:` address that push services may turn to"""
    private_webhooks: bool = False
    """whether webhooks may go to the server's own network, and over plain HTTP"""
    notice_delay: float = Field(default=15.0, ge=0, le=3600)
    """seconds before a message is sent: whoever sees their turn by then gets none"""

    @field_validator("url")
    @classmethod
    def is_a_site(cls, url: str | None) -> str | None:
        if url is not None and not re.fullmatch(r"https?://[^/?#@\s]+/?", url):
            raise ValueError("write it as https://table.example, without a path")
        return url

    @field_validator("vapid_contact")
    @classmethod
    def is_a_contact(cls, contact: str | None) -> str | None:
        if contact is not None and not re.fullmatch(r"mailto:\S+@\S+|https://\S+", contact):
            raise ValueError("write it as mailto:somebody@table.example or https://table.example/contact")
        return contact

    @field_validator("vapid_key")
    @classmethod
    def is_a_key(cls, key: SecretStr | None) -> SecretStr | None:
        try:
            if key is not None and len(urlsafe_b64decode(key.get_secret_value() + "=")) != VAPID_BYTES:
                raise ValueError
        except ValueError:
            raise ValueError("this is no key; make one with: franchise vapid") from None
        return key

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The names that requests may call the server by; none where any will do."""
        named = self.hosts.split(",") if self.hosts else [urlsplit(self.url).hostname or ""] if self.url else []
        hosts = {name.strip().casefold() for name in named} - {""}
        return frozenset(hosts | LOOPBACK if hosts else ())

    @property
    def secure(self) -> bool:
        """Whether people come over TLS, whatever the last proxy says."""
        return self.url is not None and self.url.startswith("https:")


def unknown_variable(environment: Iterable[str]) -> str | None:
    """What to say of a variable that looks like a setting and is none: a misspelled one would be ignored."""
    known = [name.upper() for name in (*Settings.model_fields, *OTHER_VARIABLES)]
    for name in sorted(environment):
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known:
            near = get_close_matches(name.removeprefix(PREFIX), known, 1)
            instead = f"did you mean {PREFIX}{near[0]}?" if near else "docs/reference-settings.md has them"
            return f"{name} is no setting; {instead}"
    return None
