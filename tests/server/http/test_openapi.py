"""Whatever the API is sent, it answers, and never with an error of its own: schemathesis over its description."""

import warnings
from typing import Any

import httpx
import hypothesis
import pytest
from hypothesis import HealthCheck

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis

EXAMPLES = 12  # requests of each kind
ENDLESS = "follow_table"  # a stream


@pytest.mark.compiled_only
def test_no_request_makes_the_server_fail(address: str) -> None:
    """Half of the requests are about a table that exists, from somebody who sits there and can read its version."""
    made = httpx.post(f"{address}/api/tables", json={"seats": [{"kind": "human"}] * 2}, timeout=60).json()
    seat = {"Authorization": f"Bearer {made['tokens']['1']}"}
    asked, done = 0, 0
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.definition.raw.get("operationId") == ENDLESS:
            continue

        @hypothesis.settings(
            max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @hypothesis.given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            nonlocal asked, done
            asked += 1
            there = asked % 2 == 0
            if there and "table_id" in (case.path_parameters or {}):
                case.path_parameters["table_id"] = made["id"]
            if there and isinstance(case.body, dict) and "version" in case.body:
                case.body["version"] = 0
            answer = case.call(headers=seat if there else {})
            done += answer.status_code < 400
            assert answer.status_code < 500, f"{case.method} {case.path}: {answer.status_code} {answer.text}"

        ask()
    assert asked > 100
    assert done > 20
