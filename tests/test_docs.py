"""The code in README.md and docs/ runs as it stands, and what the specifications list is all there is."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from franchise import Game, Options
from franchise.arena.dataset import GAMES, MOVES
from franchise.engine.actions import ACTIONS, FORMS
from franchise.engine.observe import FIELDS, OFFSETS
from franchise.record import KEYWORDS, SIZE_LIMIT

ROOT = Path(__file__).parents[1]
PAGES = {str(path.relative_to(ROOT)): path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}


class Block(NamedTuple):
    language: str
    line: int
    code: str


def blocks(path: Path) -> list[Block]:
    text = path.read_text(encoding="utf-8")
    fences = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    found = [Block(fence[1], text.count("\n", 0, fence.start(2)) + 1, fence[2]) for fence in fences]
    return [block for block in found if block.language in ("python", "shell")]


def run_python(path: Path, block: Block, names: dict[str, object]) -> None:
    # Blank lines in front give a traceback the line numbers of the page.
    exec(compile("\n" * (block.line - 1) + block.code, path.name, "exec"), names)


def run_command(command: str) -> None:
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env={**os.environ, "PATH": search})
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("page", [page for page, path in PAGES.items() if blocks(path)])
def test_every_block_runs_as_it_stands_in(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From top to bottom, in one folder that holds the examples; of shell blocks the `franchise` commands."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    ran = 0
    for block in blocks(PAGES[page]):
        if block.language == "python":
            run_python(PAGES[page], block, names)
            ran += 1
        else:
            for command in block.code.splitlines():
                if command.startswith("franchise "):
                    run_command(command)
                    ran += 1
    assert ran


def test_readme_shows_python_and_shell() -> None:
    assert {block.language for block in blocks(PAGES["README.md"])} == {"python", "shell"}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_to_a_file_leads_somewhere_in(page: str) -> None:
    path = PAGES[page]
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


# --- the specifications -----------------------------------------------------------------------------------------------


def page(name: str) -> str:
    return PAGES[f"docs/{name}.md"].read_text(encoding="utf-8")


def test_the_notation_lists_every_form_of_a_move() -> None:
    for form in FORMS.values():
        text = form.replace("[free]", "free")
        assert f"| `{text}` |" in page("notation"), form


def test_the_notation_gives_every_number_its_moves() -> None:
    rows = re.findall(r"^\| (\d+)(?:–(\d+))? \| `([^`]+)` \|", page("notation"), re.MULTILINE)
    number = 0
    for first, last, form in rows:
        assert int(first) == number
        for action in ACTIONS[number : int(last or first) + 1]:
            assert fits(str(action), form), f"{action.id} is {action}, not {form}"
            number += 1
    assert number == len(ACTIONS)


def fits(text: str, form: str) -> bool:
    """Whether a move is written in a form, whose capital words stand for something."""
    digits = {"PRICE": r"\d", "SIZE": r"\d"}
    pattern = re.sub(r"[A-Z]{4,}", lambda word: digits.get(word[0], "[A-Z].*"), form)
    return re.fullmatch(pattern, text) is not None


def test_the_record_page_names_every_keyword_and_the_limit() -> None:
    for keyword in (*KEYWORDS, "result"):
        assert f"| `{keyword}` |" in page("record")
    assert f"{SIZE_LIMIT:,} characters" in page("record")


def test_the_view_page_names_every_field() -> None:
    options = Options(
        expert="draft", milestones=True, boom=True, regions="chosen", chosen_tiles=[f"N{n}" for n in range(11, 21)]
    )
    view = Game(3, 1, options).view()
    assert {"boom", "milestones", "special_tiles", "draft"} <= view.keys()
    fields = {*view, *view["players"][0], *view["locations"]["Reno"], *view["regions"]["Texas"]}
    documented = set(re.findall(r"^\| `(\w+)` \|", page("view"), re.MULTILINE))
    assert documented == fields
    for inner in (view["milestones"][0], view["special_tiles"]["road"], view["special_tiles"], view["draft"]):
        assert all(f"`{field}`" in page("view") for field in inner)


def test_the_page_of_the_environments_lists_every_field_of_an_observation() -> None:
    rows = [
        f"| {at} | `{field.name}` | {'×'.join(map(str, field.shape))} | {field.unit} | {field.text} |"
        for field, at in zip(FIELDS, OFFSETS[:-1], strict=True)
    ]
    assert re.findall(r"^\| \d+ \|.*\|$", page("envs"), re.MULTILINE) == rows


def test_the_page_of_the_export_lists_every_column() -> None:
    rows = [f"| `{column.name}` | {column.kind} | {column.text} |" for column in (*GAMES, *MOVES)]
    assert re.findall(r"^\| `.*\|$", page("export"), re.MULTILINE) == rows


@pytest.mark.parametrize("name", ["pettingzoo", "gymnasium", "openspiel", "batch", "export"])
def test_the_page_of_an_interface_begins_with_a_complete_example_of_at_most_30_lines(name: str) -> None:
    first = next(block for block in blocks(PAGES[f"docs/{name}.md"]) if block.language == "python")
    assert 5 < first.code.count("\n") <= 30


def test_the_rulings_cite_clauses_that_exist() -> None:
    clauses = set(re.findall(r"(?:^- |\. |\) )(\d\.\d+) ", page("rules"), re.MULTILINE))
    cited = re.findall(r"\d\.\d+", page("rulings"))
    assert cited
    assert [clause for clause in cited if clause not in clauses] == []
