"""Settings: what cannot be meant stops the start with one line that a person understands."""

import re

import pytest
from pydantic import ValidationError

from franchise.cli import app
from franchise.server.settings import OTHER_VARIABLES, PREFIX, Settings, unknown_variable


def said(name: str, value: str, monkeypatch: pytest.MonkeyPatch, command: str = "serve") -> str:
    """What a command says to a variable that stops it."""
    from typer.testing import CliRunner

    monkeypatch.setenv(name, value)
    ended = CliRunner().invoke(app, [command, "--port", "0", "--no-browser"] if command == "serve" else [command])
    assert ended.exit_code == 2
    assert ended.stderr.count("\n") == 1
    return ended.stderr


def test_a_misspelled_variable_is_named_with_the_nearest_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be ignored otherwise, and leave open what it was to close."""
    near = "FRANCHISE_METRIC_TOKEN is not a setting; did you mean FRANCHISE_METRICS_TOKEN?"
    assert said("FRANCHISE_METRIC_TOKEN", "secret", monkeypatch) == f"franchise serve: {near}\n"
    assert near in said("FRANCHISE_METRIC_TOKEN", "secret", monkeypatch, "worker")


def test_every_variable_that_is_read_is_known() -> None:
    known = [PREFIX + name.upper() for name in (*Settings.model_fields, *OTHER_VARIABLES)]
    assert unknown_variable([*known, "PATH", "FRANCHISEE"]) is None
    assert (
        unknown_variable(["FRANCHISE_QQQQQQQQ"])
        == "FRANCHISE_QQQQQQQQ is not a setting; docs/reference-settings.md lists the settings"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("URL", "table.example"), ("URL", "https://table.example/here"), ("VAPID_CONTACT", "somebody")],
)
def test_an_address_that_does_not_fit_is_told_with_one_that_does(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = said(f"FRANCHISE_{name}", value, monkeypatch)
    assert re.fullmatch(
        rf"franchise serve: FRANCHISE_{name}: write it as (mailto:\S+ or )?https://table\.example.*\n", line
    )
    assert "^" not in line


def test_the_server_goes_by_the_names_it_is_given() -> None:
    assert Settings().allowed_hosts == frozenset()
    assert Settings(url="https://Table.example:8443").allowed_hosts >= {
        "table.example",
        "localhost",
        "127.0.0.1",
        "::1",
    }
    assert Settings(url="https://table.example", hosts="a.example, B.example").allowed_hosts - {
        *("localhost", "127.0.0.1", "::1")
    } == {"a.example", "b.example"}
    with pytest.raises(ValidationError):
        Settings(url="https://user@table.example")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("BOT_THREADS", "many", "must be a whole number"),
        ("BOT_THREADS", "-3", "must be at least 0"),
        ("LIMITS", "few", "must be a number"),
        ("THINK_AHEAD", "perhaps", "must be true or false"),
        ("LOG_LEVEL", "loud", "must be 'debug', 'info', 'warning' or 'error'"),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(
    name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(f"FRANCHISE_{name}", value, monkeypatch) == f"franchise serve: FRANCHISE_{name}: {words}\n"
