"""What can be set from outside: environment variables that begin with FRANCHISE_."""

import os
from pathlib import Path

from pydantic import Field
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
    bot_threads: int | None = Field(
        default=None, ge=0, le=256
    )  # one for each core when left out; 0: only workers think
