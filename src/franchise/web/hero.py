"""The picture of the start page. It is cached on disk: drawing it needs the kernels, and loading them takes longer than
everything else on the first page.
"""

from contextlib import suppress
from functools import cache
from pathlib import Path

from franchise.drawing.layers import LAND, miniature_svg
from franchise.game import Game
from franchise.web.page_cache import folder, keep
from franchise.wording.language import Language

SAMPLE = Path(__file__).parent / "static" / "sample.franchise"


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
