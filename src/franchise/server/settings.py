"""What can be set from outside: environment variables that begin with FRANCHISE_."""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


def data_folder() -> Path:
    """Where this user's data belongs."""
    kept = os.environ.get("XDG_DATA_HOME", "")
    base = Path(kept) if Path(kept).is_absolute() else Path.home() / ".local" / "share"
    return base / "franchise"


def default_database() -> str:
    """An SQLite file in the user's data folder."""
    return f"sqlite:///{data_folder() / 'franchise.db'}"


class Settings(BaseSettings):
    """The settings of a server."""

    model_config = SettingsConfigDict(env_prefix="FRANCHISE_", env_ignore_empty=True)

    database: str = Field(default_factory=default_database)
    bot_threads: int | None = Field(default=None, ge=0, le=256)  # one for each core if left out; 0: only workers think
    url: str | None = Field(default=None, pattern=r"^https?://[^/\s]+/?$")  # where people find the server, for links
    limits: float = Field(default=1.0, ge=0, le=1000)  # times what limits.py allows; 0 for no limits
    password_memory: int = Field(default=65536, ge=64, le=1 << 21)  # KiB that checking a password takes

    smtp_host: str | None = None  # e-mail is sent where there is one
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    mail_from: str | None = None  # the sender
    vapid_key: SecretStr | None = None  # private key for Web Push: base64url, as `franchise vapid` makes it
    vapid_contact: str | None = None  # mailto: or https: address that push services may turn to
    private_webhooks: bool = False  # allow webhooks within the own network
    notice_delay: float = Field(default=15.0, ge=0, le=3600)  # seconds somebody has to see their turn by themselves

    @property
    def secure(self) -> bool:
        """Whether people come over TLS, whatever the last proxy says."""
        return self.url is not None and self.url.startswith("https:")
