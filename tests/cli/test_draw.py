"""franchise draw."""

import os
import signal
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from franchise import Game
from franchise.drawing import board_svg
from franchise.drawing.theme import THEMES
from franchise.wording.language import LANGUAGES, language
from waiting import wait_until


def test_the_last_position_is_drawn(record: Path, finished: Game, tmp_path: Path, run: Any) -> None:
    out = tmp_path / "board.svg"
    assert run("draw", record, "-o", out) == (0, "", "")
    assert out.read_text(encoding="utf-8") == board_svg(finished)


def test_any_position_in_any_theme(record: Path, finished: Game, tmp_path: Path, run: Any) -> None:
    out = tmp_path / "board.svg"
    for theme in THEMES:
        assert run("draw", record, "--to", 20, "--theme", theme, "-o", out).code == 0
        assert out.read_text(encoding="utf-8") == board_svg(finished.at(20), theme=theme)


def test_the_record_may_come_from_standard_input(
    record: Path, finished: Game, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(record.read_bytes())))
    assert run("draw", "-", "-o", tmp_path / "board.svg").code == 0
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == board_svg(finished)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_are_in_the_language_asked_for(record: Path, tmp_path: Path, run: Any, code: str) -> None:
    out = tmp_path / "board.svg"
    assert run("draw", record, "--language", code, "-o", out).code == 0
    drawn, words = out.read_text(encoding="utf-8"), language(code).words
    assert all(f">{words[key]}<" in drawn for key in ("links", "track", "over"))
    assert f">{words['red'].capitalize()}<" in drawn  # a player without a name


def test_a_png_is_as_wide_as_told(record: Path, tmp_path: Path, run: Any) -> None:
    out = tmp_path / "board.PNG"
    assert run("draw", record, "--width", 500, "-o", out) == (0, "", "")
    with Image.open(out) as picture:
        assert (picture.format, picture.width) == ("PNG", 500)


def test_a_gif_has_a_picture_for_each_move_that_is_seen(record: Path, tmp_path: Path, run: Any) -> None:
    out = tmp_path / "game.gif"
    assert run("draw", record, "--to", 3, "--width", 300, "-o", out) == (0, "", "")
    with Image.open(out) as film:
        assert (film.format, film.n_frames) == ("GIF", 4)  # type: ignore[attr-defined]
    assert sorted(tmp_path.iterdir()) == sorted([record, out])


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["-o", "{}/board.bmp"], 2, "board.bmp: the name must end with one of .svg, .png, .gif, .mp4"),
        (["-o", "{}/board"], 2, "board: the name must end with one of .svg, .png, .gif, .mp4"),
        (["-o", "{}/board.svg", "--to", "9999"], 2, "--to 9999: the game has "),
        (["-o", "{}/board.svg", "--to", "-1"], 2, "--to"),
        (["-o", "{}/board.svg", "--theme", "neon"], 2, "--theme neon: choose one of classic, dark, high-contrast, "),
        (["-o", "{}/board.svg", "--language", "it"], 2, "--language it: choose one of en, de, fr"),
        (["-o", "{}/none/board.svg"], 1, "none/board.svg: No such file or directory"),
        (["-o", "{}/board.png", "--width", "9"], 2, "--width"),
        ([], 2, "Missing option"),
    ],
)
def test_what_cannot_be_drawn_is_answered_in_one_line(
    record: Path, tmp_path: Path, run: Any, arguments: list[str], code: int, said: str
) -> None:
    done = run("draw", record, *(argument.format(tmp_path) for argument in arguments))
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert said in done.err
    assert list(tmp_path.iterdir()) == [record]


@pytest.mark.parametrize("ending", ["svg", "png", "gif", "mp4"])
def test_a_damaged_record_changes_nothing(record: Path, tmp_path: Path, run: Any, ending: str) -> None:
    out = tmp_path / f"board.{ending}"
    out.write_bytes(b"as it was")
    record.write_text("franchise 1\nplayers 9\n", encoding="utf-8")
    done = run("draw", record, "-o", out)
    assert (done.code, done.err) == (1, f"{record}: line 2: expected 'players' and a number from 2 to 5, not '9'\n")
    assert out.read_bytes() == b"as it was"


@pytest.mark.parametrize(("ending", "library"), [("png", "resvg_py"), ("gif", "PIL"), ("mp4", "imageio_ffmpeg")])
def test_a_missing_library_is_named(
    record: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch, ending: str, library: str
) -> None:
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None if name == library else name)
    done = run("draw", record, "-o", tmp_path / f"game.{ending}")
    assert done.code == 1
    assert done.err == f"franchise draw: this needs {library}; install it with: pip install 'franchise[pictures]'\n"


def test_a_language_needs_the_extra_terminal_alone(
    record: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = {"markupsafe"}  # which only the server's extra installs
    monkeypatch.setattr("franchise.extras.find_spec", lambda name: None if name in absent else name)
    drawing = ("draw", record, "-o", tmp_path / "game.svg", "--language")
    assert run(*drawing, "de").code == 0
    absent.add("babel")
    done = run(*drawing, "de")
    assert (done.code, done.err) == (
        1,
        "franchise draw: this needs babel; install it with: pip install 'franchise[terminal]'\n",
    )
    assert run(*drawing, "it").code == 2  # a wrong argument, whatever is installed


def test_a_machine_without_ffmpeg_is_told_so(
    record: Path, tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> str:
        raise RuntimeError("No ffmpeg exe could be found.")

    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", missing)
    done = run("draw", record, "-o", tmp_path / "game.mp4")
    assert done.code == 1
    assert done.err == "franchise draw: an MP4 needs ffmpeg, which is not installed; a GIF does not\n"


@pytest.mark.compiled_only  # a signal at a moment of its own
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_film_leaves_no_file(record: Path, tmp_path: Path, number: signal.Signals, code: int) -> None:
    out = tmp_path / "game.mp4"
    # ffmpeg makes the file late: a minute for each position leaves most of the film to be written after that
    long = ["--width", "300", "--seconds", "60", "-o", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "franchise", "draw", str(record), *long], stderr=subprocess.PIPE, env=os.environ
    )
    wait_until((tmp_path / ".game.mp4.part").exists)
    process.send_signal(number)
    process.communicate(timeout=120)
    assert process.returncode == code
    assert list(tmp_path.iterdir()) == [record]
