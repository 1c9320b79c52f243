"""What README.md and docs/ show is run as it stands, what the specifications list is all there is, the site builds."""

import ast
import json
import os
import pkgutil
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from franchise import Game, Options
from franchise.arena.dataset import GAMES, MOVES
from franchise.cli import app, main
from franchise.engine.actions import ACTIONS, FORMS
from franchise.engine.observe import FIELDS, OFFSETS
from franchise.record import KEYWORDS, SIZE_LIMIT
from franchise.server.tables import errors

ROOT = Path(__file__).parents[1]
REFERENCE = runpy.run_path(str(ROOT / "scripts" / "reference.py"))
PAGES = {str(path.relative_to(ROOT)): path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}

# Commands that the pages show and this test does not carry out, and why. Their arguments are read as the command would;
# of `make` it is asked what it would do.
NOT_CARRIED_OUT = {
    "franchise serve": "serves until it is stopped; tests/server/test_process.py starts it",
    "franchise worker": "works until it is stopped; tests/server starts it where there is PostgreSQL",
    "franchise db": "changes a database; tests/server/storage/test_schema.py does so with one of its own",
    "franchise play": "asks for moves; tests/cli/test_play.py plays",
    "franchise train": "learns, for hours; tests/training does so for a moment",
    "franchise bench": "measures, for minutes; tests/cli/test_perft_and_bench.py runs it for a moment",
    "franchise storm": "kills servers, for minutes; tests/benchmarks/test_kill_test.py has short ones",
    "franchise attack": "attacks servers, for minutes; tests/cli/test_attack.py has short ones",
    "make ": "sets up, serves, or runs these very tests",
}
# Code that needs what is not installed here.
NOT_RUN = {
    "from sb3_contrib import": "stable-baselines3 and PyTorch are no part of the development set-up",
    "franchise export --out mixed -n 100000": "takes hours; test_bots_take_all_seats_in_turn plays a few",
    "from catanatron import": "catanatron is no part of the development set-up",
    "python examples/measure.py classic --games 4096": "takes a minute; tests/test_examples.py measures a smaller one",
    "python examples/train.py --tier duel --minutes 60": "takes an hour; tests/test_examples.py learns for a moment",
    "python examples/to_onnx.py examples/checkpoints": "takes minutes; tests/test_examples.py plays both checkpoints",
    "python examples/account_bot.py": "needs a server and an account; tests/server/people has both",
}
COMMAND = re.compile(
    r"^(\$ |franchise [a-z]|make [a-z]|python |pip |uv |docker |from [\w.]+ import|import )", re.MULTILINE
)


class Block(NamedTuple):
    language: str
    line: int
    code: str


def blocks(path: Path) -> list[Block]:
    text = path.read_text(encoding="utf-8")
    fences = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(fence[1], text.count("\n", 0, fence.start(2)) + 1, fence[2]) for fence in fences]


def run_python(path: Path, block: Block, names: dict[str, object]) -> None:
    # Blank lines in front give a traceback the line numbers of the page.
    exec(compile("\n" * (block.line - 1) + block.code, path.name, "exec"), names)


class Shell:
    """Carries out command lines: `franchise` in this process where no shell is needed, which saves its start."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, command: str) -> str:
        """What the command prints."""
        reason = next((name for name in NOT_CARRIED_OUT if command.startswith(name)), None)
        if command.startswith("make "):
            return self.outside(f"make --dry-run {shlex.join(shlex.split(command, comments=True)[1:])}", ROOT)
        if reason:
            self.read(shlex.split(command, comments=True)[1:])
            return ""
        if command.startswith("franchise ") and not re.search(r"[|<>&;$`]", command):
            words = shlex.split(command, comments=True)
            return self.inside([name for word in words for name in spread(word)])
        return self.outside(command)

    def inside(self, words: list[str]) -> str:
        self.monkeypatch.setattr(sys, "argv", words)
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        out, err = self.capsys.readouterr()
        assert not end.value.code, f"{shlex.join(words)}\n{out}{err}"
        return out

    def outside(self, command: str, folder: Path | None = None) -> str:
        search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": search}
        done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment, cwd=folder)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def read(self, words: list[str]) -> None:
        """Refuse arguments that the command does not take."""
        command: Any = typer.main.get_command(app)
        context = command.make_context("franchise", [words[0]])
        while hasattr(command, "resolve_command"):
            name, command, words = command.resolve_command(context, words)
            context = command.make_context(name, list(words), parent=context)
            words = [*context._protected_args, *context.args] if hasattr(context, "_protected_args") else context.args


def spread(word: str) -> list[str]:
    """The names that a pattern stands for."""
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


def commands(code: str) -> Iterator[tuple[str, str]]:
    """The command lines of a `console` block, each with what it prints."""
    for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def printed(shown: str) -> re.Pattern[str]:
    """Fits what is shown; `...` stands for anything."""
    return re.compile(re.escape(shown).replace(r"\.\.\.", "(?s:.*?)"))


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.mark.parametrize("page", [page for page, path in PAGES.items() if blocks(path)])
def test_every_block_runs_as_it_stands_in(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell
) -> None:
    """From top to bottom, in one folder that holds the examples and a record."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    shutil.copy(ROOT / "tests" / "games" / "base-4.franchise", tmp_path / "game.franchise")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(PAGES[page]):
        match block.language:
            case "python":
                run_python(PAGES[page], block, names)
            case "shell":
                for command in filter(None, block.code.splitlines()):
                    shell(command)
            case "console":
                for command, shown in commands(block.code):
                    assert printed(shown).fullmatch(out := shell(command)), f"{command} prints\n{out}"
            case "json":
                json.loads(block.code)
            case "text":
                held = [line for line in block.code.splitlines() if COMMAND.match(line)]
                assert not held or held[0].startswith(tuple(NOT_RUN)), f"line {block.line}: make this a block that runs"
            case other:
                pytest.fail(f"line {block.line}: a block of {other or 'no language'} is not checked")


def test_a_block_that_does_not_run_is_noticed(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell("franchise serve --port 8001 --no-browser # parsed only")
    shell("make play")
    for command in ("franchise serve --prot 1", "franchise bots --colour", "franchise db nothing", "make nothing"):
        with pytest.raises((AssertionError, typer.BadParameter.__mro__[1])):  # type: ignore[arg-type]
            shell(command)
    assert printed("a ... c\n...\nd\n").fullmatch("a b c\n1\n2\nd\n")
    assert not printed("a ... c\n").fullmatch("a b d\n")


def test_the_pages_show_python_and_commands_with_their_output() -> None:
    assert {block.language for block in blocks(PAGES["README.md"])} >= {"python", "shell"}
    assert "console" in {block.language for block in blocks(PAGES["docs/index.md"])}


@pytest.mark.parametrize("page", PAGES)
def test_commands_named_in_sentences_exist(page: str) -> None:
    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    known |= {group.name for group in app.registered_groups if group.name}
    named = re.findall(r"(?<!`)`franchise ([a-z][a-z-]*)", PAGES[page].read_text(encoding="utf-8"))
    assert set(named) <= known


@pytest.mark.parametrize("page", PAGES)
def test_every_link_to_a_file_leads_somewhere_in(page: str) -> None:
    path = PAGES[page]
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []
    if page.startswith("docs/"):
        assert [target for target in targets if target.startswith("..")] == [], "the site holds docs/ alone"


# --- the site ---------------------------------------------------------------------------------------------------------


def test_every_page_is_in_the_navigation_once() -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))

    def listed(entries: Any) -> Iterator[str]:
        for entry in entries:
            for value in entry.values():
                yield from [value] if isinstance(value, str) else listed(value)

    pages = list(listed(settings["project"]["nav"]))
    assert sorted(pages) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_the_site_builds_without_a_warning_and_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    command = [str(Path(sys.executable).parent / "zensical"), "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    built = {path.relative_to(tmp_path / "site").as_posix(): path for path in (tmp_path / "site").rglob("*.html")}
    assert {f"{Path(page).stem}.html" for page in PAGES if page.startswith("docs/")} <= built.keys()
    for name, path in built.items():
        html = path.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|link|iframe|source)\b[^>]*?(?:src|href)=[\"']?(?:https?:)?//[^>]*>", html)
        assert loaded == [], f"{name} loads from elsewhere"
        assert not re.search(r"@import|url\((?:https?:)?//", html), name
        if name != "404.html":  # which is shown at any address
            assert "</h1>" in html
            targets = re.findall(r'(?:href|src)="([^":#?]+)(?:[#?][^"]*)?"', html)
            assert [target for target in targets if not (path.parent / target).exists()] == [], name


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("docs/board.md", lambda: runpy.run_path(str(ROOT / "scripts" / "board_page.py"))["text"]()),
        (
            "docs/images/packages.svg",
            lambda: runpy.run_path(str(ROOT / "scripts" / "architecture.py"))["packages_picture"](),
        ),
        ("docs/images/move.svg", lambda: runpy.run_path(str(ROOT / "scripts" / "architecture.py"))["move_picture"]()),
        *(
            (f"docs/reference-{name}.md", lambda page=name: REFERENCE["PAGES"][f"reference-{page}.md"]())
            for name in ("commands", "http", "python", "settings")
        ),
        ("docs/images/icon.svg", lambda: (ROOT / "src/franchise/web/static/icon.svg").read_text(encoding="utf-8")),
    ],
)
def test_what_is_made_by_a_script_is_what_it_makes_today(name: str, made: Callable[[], str]) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == made(), (
        "run scripts/board_page.py, scripts/pictures.py, make reference and make architecture"
    )


def test_the_reference_of_python_describes_every_public_member_of_a_game() -> None:
    section = page("reference-python").partition("\n## franchise.Game\n")[2].partition("\n## ")[0]
    described = re.findall(r"^\| `(\w+)[`(]", section, re.MULTILINE)
    assert {name for name in dir(Game) if not name.startswith("_")} == set(described)


def test_every_package_is_described() -> None:
    packages = runpy.run_path(str(ROOT / "scripts" / "architecture.py"))["packages"]()
    described = re.findall(r"^\| `(\w+)(?:/|\.py)` \|", page("architecture"), re.MULTILINE)
    assert described[: len(packages)] == packages[::-1]


def test_the_path_of_a_move_names_what_there_is() -> None:
    way = page("architecture").partition("## The path of a move")[2].partition("\n## ")[0]
    named = re.findall(r"`((?:[a-z_]+\.)+[A-Za-z_][\w.]*)`", way)
    assert len(named) > 25
    for name in named:
        if name != "franchise.":
            pkgutil.resolve_name(f"franchise.{name}")


def test_no_two_modules_share_a_name_unless_they_play_the_same_role() -> None:
    source = ROOT / "src" / "franchise"
    names = Counter(path.name for path in source.rglob("*.py") if "versions" not in path.parts)
    assert {name for name, count in names.items() if count > 1} == {"__init__.py", "__main__.py", "app.py"}


def test_every_class_has_a_name_of_its_own() -> None:
    sources = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "src" / "franchise").rglob("*.py")]
    names = Counter(node.name for source in sources for node in ast.walk(source) if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


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


def test_the_errors_of_the_api_are_listed_with_their_status() -> None:
    section = page("server").partition("### Errors")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", section, re.MULTILINE)
    listed = {(code, int(status)) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    known = {(kind.code, kind.status) for kind in vars(errors).values() if "code" in getattr(kind, "__dict__", {})}
    only_on_pages = {"no_hints", "wrong_password", "wrong_old_password", "busy"}
    assert {(code, status) for code, status in known if code not in only_on_pages | {"conflict"}} <= listed


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


def test_every_ruling_has_its_reason() -> None:
    marked = set(re.findall(r"^- (\d\.\d+) (?:(?!\n- ).)*?Ruling", page("rules"), re.MULTILINE))
    reasons = re.findall(r"^\| (\[\d[^|]+) \| [^|]+ \| [^|]+ \|$", page("rulings"), re.MULTILINE)
    given = {clause for row in reasons for clause in re.findall(r"\[(\d\.\d+)\]", row)}
    assert marked <= given
    for ruling in re.split(r"^- ", page("rulings"), flags=re.MULTILINE)[1:]:
        assert "*Why:*" in ruling, ruling


def test_the_rulings_cite_clauses_that_exist() -> None:
    clauses = set(re.findall(r"(?:^- |\. |\) )(\d\.\d+) ", page("rules"), re.MULTILINE))
    cited = re.findall(r"\d\.\d+", page("rulings"))
    assert cited
    assert [clause for clause in cited if clause not in clauses] == []


def test_every_clause_can_be_linked_to() -> None:
    clauses = re.findall(r"(?:^- |\. |\) )(\d\.\d+) ", page("rules"), re.MULTILINE)
    assert re.findall(r'<a id="(\d\.\d+)"></a>', page("rules")) == clauses
    linked = re.findall(r"\(rules\.md#(\d\.\d+)\)", page("rulings"))
    assert linked
    assert set(linked) <= set(clauses)
