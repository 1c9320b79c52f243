"""The picture of the start page, cached on disk beside the kernels: drawing it needs them, and loading them takes
longer than everything else on the first page.
"""

import hashlib
import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path

from franchise.drawing.layers import miniature_svg
from franchise.engine.jit import cache_root
from franchise.game import Game
from franchise.wording.language import Language

HOUSE = Path(__file__).parent.parent
SAMPLE = HOUSE / "web" / "static" / "sample.franchise"
MADE_OF = ("engine/*.py", "facts/**/*", "drawing/**/*", "web/*.py", "wording/**/*", "web/static/*.franchise")
FOLDER = "hero-"
LAND = "66 6 1080 716"  # of the large cut: a strip of water around the coast


@cache
def hero(language: Language) -> str:
    """A picture of a game in progress."""
    file = folder() / f"{language.code}.svg"
    if file.is_file():
        with suppress(OSError):  # then it is drawn
            return file.read_text(encoding="utf-8")
    picture = drawn(language)
    with suppress(OSError):  # then it is drawn again next time
        keep(file, picture)
    return picture


def drawn(language: Language) -> str:
    game = Game.from_text(SAMPLE.read_text(encoding="utf-8"))
    return f'<svg viewBox="{LAND}">{miniature_svg(game, language.words)}</svg>'


@cache
def folder() -> Path:
    """Where the pictures of exactly this version are."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in MADE_OF for path in HOUSE.glob(pattern) if path.is_file()):
        if path.suffix != ".pyc":
            digest.update(f"{path.relative_to(HOUSE)}\n".encode() + path.read_bytes())
    return cache_root() / f"{FOLDER}{digest.hexdigest()[:16]}"


def keep(file: Path, picture: str) -> None:
    """Write a picture atomically; those of other versions are deleted."""
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_suffix(f".{os.getpid()}")
    written.write_text(picture, encoding="utf-8")
    written.replace(file)
    for other in file.parent.parent.glob(f"{FOLDER}*"):
        if other != file.parent:
            shutil.rmtree(other, ignore_errors=True)
