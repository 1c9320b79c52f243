"""The project holds on any machine: it names no package index and no folder of its authors, and its pins are exact."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
# Written so that this file does not match itself.
INDEX_HOST = re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|npmmirror\.com|anaconda\.org")
AUTHORS_FOLDER = re.compile(r"(?<![\w.])(?:/(?:home|root|work|opt|Users|mnt)/|[A-Z]:\\Users\\)|file:/{3}")
EXACT_PIN = re.compile(r"[a-z0-9-]+==[0-9][\w.]*( ; .+)?")


def committed_texts() -> dict[str, str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    # Files about to be added count too.
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    texts = {}
    for name in filter(None, names):
        file = ROOT / name
        if file.is_file() and b"\0" not in (content := file.read_bytes()):
            texts[name] = content.decode()
    return texts


@pytest.mark.parametrize("needle", [INDEX_HOST, AUTHORS_FOLDER], ids=["package index", "folder of a machine"])
def test_no_text_names_a(needle: re.Pattern[str]) -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in committed_texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        if needle.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned_exactly(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    requirements = [line for line in lines if line and not line.lstrip().startswith("#")]
    assert requirements
    assert [line for line in requirements if not EXACT_PIN.fullmatch(line)] == []


def test_development_pins_contain_the_runtime_pins() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^\S+==.*$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))

    assert pins("requirements.txt") <= pins("requirements-dev.txt")


@pytest.mark.parametrize(("given", "served"), [([], "serve ||"), (["PORT=8080"], "serve --port 8080 ||")])
def test_the_table_of_make_play_can_have_another_port(given: list[str], served: str) -> None:
    command = ["make", "--dry-run", "--directory", str(ROOT), *given, "play"]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert f"franchise {served}" in done.stdout


def test_the_form_for_bugs_names_buttons_of_the_page() -> None:
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/bug.yml").read_text(encoding="utf-8"))
    (how,) = (field["attributes"]["description"] for field in form["body"] if field["id"] == "repeat")
    buttons = re.findall('"([^"]+)"', how)
    page = (ROOT / "src/franchise/web/templates/part.html").read_text(encoding="utf-8")
    assert buttons
    assert [name for name in buttons if f"_('{name}')" not in page] == []
