"""The sign that explains the prices of the links."""

from functools import lru_cache

from franchise.drawing.cuts import Cut
from franchise.drawing.links import stroke
from franchise.drawing.markup import board_sign, group, number, text, title
from franchise.drawing.style import Style
from franchise.drawing.theme import DISPLAY
from franchise.facts import PRICES


@lru_cache(maxsize=64)
def legend(cut: Cut, style: Style) -> str:
    """One line per price."""
    box, theme = cut.legend, style.theme
    step = (box.height - 12) / len(PRICES)
    rows = []
    for i, price in enumerate(PRICES):
        y = box.y + 6 + step * (i + 0.5)
        rows.append(
            group(
                "price",
                stroke(f"M{number(box.x + 12)} {number(y)}H{number(box.right - 42)}", theme.roads[price], theme),
                text(
                    style.words["money"].format(amount=price), box.right - 10, y + 5, 14 if cut.large else 13,
                    theme.ink, text_anchor="end", font_family=DISPLAY,
                ),
                data_price=price,
            )
        )  # fmt: skip
    return group("legend", title(style.words["links"]), board_sign(box, theme), *rows, id="legend")
