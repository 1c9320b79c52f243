"""Logging to standard error: lines for people, or JSON for log collectors."""

import logging
import sys
from typing import Literal

Level = Literal["debug", "info", "warning", "error"]
Format = Literal["text", "json"]
FIELDS = ("asctime", "levelname", "name", "message")
OTHERS = ("uvicorn", "alembic", "sqlalchemy")  # whose messages below warnings do not concern operators


def configure_logging(form: Format, level: Level) -> None:
    """Set up logging."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(form))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(True)  # a line of Python's own would not be JSON
    for name in OTHERS:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))


def formatter(form: Format) -> logging.Formatter:
    if form == "text":
        return logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    from pythonjsonlogger.json import JsonFormatter

    names = {"asctime": "time", "levelname": "level", "name": "logger"}
    return JsonFormatter(FIELDS, rename_fields=names)
