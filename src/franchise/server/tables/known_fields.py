"""Base class of requests: unknown fields are refused, not ignored."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class KnownFields(BaseModel):
    """A model that refuses unknown fields and suggests the nearest known one."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def names_what_is_unknown(cls, data: Any) -> Any:
        unknown = [name for name in data if name not in cls.model_fields] if isinstance(data, Mapping) else []
        if unknown:
            name = str(unknown[0])[:40]
            near = get_close_matches(name, cls.model_fields, 1)
            raise ValueError(f"there is no field {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return data
