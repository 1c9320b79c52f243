"""`make audit`: what is known about the pinned libraries, or a plain word that it could not be looked up."""

import importlib.util
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


class Database(BaseHTTPRequestHandler):
    """A database that knows of one weakness."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        weak = {"package": {"name": "weak", "ecosystem": "PyPI"}, "version": "1.0"}
        body = json.dumps(
            {"results": [{"vulns": [{"id": "X-1"}]} if package == weak else {} for package in asked]}
        ).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def audit() -> Any:
    spec = importlib.util.spec_from_file_location("audit", ROOT / "scripts" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def service() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Database)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_every_pin_is_asked_for(audit: Any) -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert len(audit.pins(text)) == sum("==" in line for line in text.splitlines())


def test_a_known_weakness_is_named(audit: Any, service: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "pins.txt").write_text("fine==2.0\n", encoding="utf-8")
    (tmp_path / "weak.txt").write_text("weak[all]==1.0 ; python_version > '3'\n    # via us\n", encoding="utf-8")
    audit.SERVICE = service
    assert audit.main(str(tmp_path / "pins.txt")) == 0
    assert audit.main(str(tmp_path / "pins.txt"), str(tmp_path / "weak.txt")) == 1
    assert "weak 1.0: X-1\n2 pinned packages, 1 with known weaknesses." in capsys.readouterr().out


def test_without_the_database_it_says_that_nothing_was_checked(audit: Any, capsys: Any) -> None:
    audit.SERVICE = "http://127.0.0.1:9/"
    assert audit.main(str(ROOT / "requirements.txt")) == 2
    assert capsys.readouterr().out.startswith("NOT CHECKED: ")
