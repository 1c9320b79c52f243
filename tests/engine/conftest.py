"""A failed test of the rules shows the position it failed at."""

from collections.abc import Generator
from typing import Any

import pytest

from franchise import Game
from text_positions import drawn


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, Any]:
    report = yield
    if call.when == "call" and report.failed and call.excinfo is not None:
        for entry in reversed(call.excinfo.traceback):
            games = [value for value in entry.frame.f_locals.values() if isinstance(value, Game)]
            if games:
                report.sections.append(("position", drawn(games[-1])))
                break
    return report
