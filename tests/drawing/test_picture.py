"""The board as pixels, and a game as a film."""

from io import BytesIO
from pathlib import Path

import imageio_ffmpeg
import pytest
from PIL import Image

from drawing.svg_reading import played
from franchise import Game, Options
from franchise.drawing import board_svg, picture
from franchise.drawing.board import drawn, framed, ground, movable, named_style
from franchise.drawing.cuts import cut_of
from franchise.drawing.film import FPS, REST_S, Film, moments, require_ffmpeg
from franchise.drawing.geometry import Point
from franchise.drawing.panels import HEIGHT
from franchise.drawing.picture import PictureError, png
from franchise.drawing.theme import THEMES

WIDTH = 640


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content)).convert("RGB")


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def pixel(image: Image.Image, game: Game, at: Point) -> tuple[int, ...]:
    """The colour that a picture has at a point of the board."""
    scale = image.width / cut_of(game.view(), "L").size.width
    found = image.getpixel((round(at.x * scale), round((at.y + HEIGHT) * scale)))
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_a_piece_has_its_colour_and_the_sea_has_its_own(theme: str) -> None:
    game = Game(2, 1)
    game.play("start Ogallala")  # the last player chooses first
    image = opened(png(board_svg(game, theme=theme), WIDTH))
    assert image.width == WIDTH
    look = THEMES[theme]
    cut = cut_of(game.view(), "L")
    assert pixel(image, game, cut.places["Ogallala"].at) == rgb(look.pieces["red"].fill)
    assert pixel(image, game, Point(cut.size.right - 6, cut.size.bottom - 160)) == rgb(look.water)


def test_words_are_written() -> None:
    game = Game(4, 1)
    image = opened(png(board_svg(game), WIDTH))
    box = cut_of(game.view(), "L").places["Los Angeles"].label.box
    inks = {
        pixel(image, game, Point(box.x + box.width * i / 60, box.y + box.height * j / 12))
        for i in range(60)
        for j in range(12)
    }
    assert min(sum(ink) for ink in inks) < 250  # dark letters on light land


def test_a_machine_without_fonts_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert picture.can_write()
    monkeypatch.setattr(picture, "can_write", lambda: False)
    with pytest.raises(PictureError, match="no font is installed"):
        png(board_svg(Game(2, 1)), WIDTH)


@pytest.mark.parametrize("width", [0, 199, 8001])
def test_a_picture_of_no_sensible_width_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"200 to 8000 pixels wide, not {width}"):
        png("", width)


@pytest.mark.parametrize("moves", [0, 40])
def test_ground_and_what_moves_are_together_the_whole_picture(moves: int) -> None:
    view, style = played(5, Options(milestones=True, boom=True), moves).view(), named_style("classic", None)
    cut = cut_of(view, "L")
    parts = ground(view, cut, style), movable(view, cut, style, True)
    assert framed(cut, style, True, *parts) == drawn(view, cut, style, True)


def test_the_ground_changes_only_when_a_region_is_scored() -> None:
    game, style = played(3, Options(expert="draft", regions="new"), 2000), named_style("print", None)
    assert game.over
    views = [game.at(moves).view() for moves in range(0, len(game.actions) + 1, 25)]
    cut = cut_of(game.view(), "L")
    seen = {frozenset(name for name, row in view["regions"].items() if row["scored"]) for view in views}
    assert 1 < len({ground(view, cut, style) for view in views}) == len(seen)


def test_a_film_leaves_out_moves_that_change_nothing_on_the_board() -> None:
    game = Game(2, 1)
    for move in ("start Huntsville", "start Ogallala", "done", "end", "done", "end"):
        game.play(move)
    assert moments(game) == [0, 1, 2, 4, 6]


@pytest.mark.slow
def test_a_gif_shows_every_position_and_ends_with_the_last(tmp_path: Path) -> None:
    game = played(4, Options(), 8)
    film = Film(game, width=WIDTH, seconds=0.2)
    film.write_gif(tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.n_frames == len(film.moments)  # type: ignore[attr-defined]
        times = []
        for frame in range(len(film.moments)):
            gif.seek(frame)
            times.append(gif.info["duration"])
        shown = gif.convert("RGB")
    assert times == [200] * (len(times) - 1) + [1000 * REST_S]
    whole = opened(png(board_svg(game), WIDTH))
    for place in cut_of(game.view(), "L").places.values():
        near = zip(pixel(shown, game, place.at), pixel(whole, game, place.at), strict=True)
        assert max(abs(first - other) for first, other in near) <= 24, place.name


@pytest.mark.slow
def test_a_video_is_as_long_as_its_positions(tmp_path: Path) -> None:
    film = Film(played(4, Options(), 3), width=401, seconds=0.5)  # an odd width
    film.write_mp4(tmp_path / "game.mp4")
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "game.mp4"))
    assert frames == sum(round(duration * FPS) for duration in film.seconds)
    assert seconds == pytest.approx(sum(film.seconds), abs=0.2)


def test_no_ffmpeg_is_said_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", "")
    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", missing)
    with pytest.raises(PictureError, match="an MP4 needs ffmpeg"):
        require_ffmpeg()


def missing() -> str:
    raise RuntimeError("No ffmpeg exe could be found.")
