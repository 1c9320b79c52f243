"""Above the map: a card per player, a caption, and the modules' tiles."""

from collections.abc import Mapping
from typing import Any

from franchise.drawing.board_words import Words
from franchise.drawing.cuts import Cut
from franchise.drawing.geometry import Box, Point
from franchise.drawing.markup import group, shadow, tag, text, title
from franchise.drawing.piece_shapes import piece
from franchise.drawing.style import Style
from franchise.drawing.theme import DISPLAY, Theme

Row = Mapping[str, Any]

CARD = 66.0
CAPTION = 30.0
GAP = 8.0
HEIGHT = GAP + CARD + GAP + CAPTION  # of the strip
LONGEST_NAME = 20  # letters


def panels(view: Row, cut: Cut, style: Style) -> str:
    """Cards and caption on the strip above the map."""
    theme, words = style.theme, style.words
    top, across = -HEIGHT, cut.size.width
    strip = tag("rect", x=0, y=top, width=across, height=HEIGHT, fill=theme.shore)
    players = view["players"]
    width = (across - GAP * (len(players) + 1)) / max(1, len(players))
    cards = [
        card(player, Box(GAP + i * (width + GAP), top + GAP, width, CARD), active(view, i), theme, words)
        for i, player in enumerate(players)
    ]
    return group("panels", strip, *cards, caption(view, theme, words), modules(view, across, theme, words))


def active(view: Row, seat: int) -> bool:
    return bool(view["current_player"] == seat and not view["over"])


def card(player: Row, box: Box, is_active: bool, theme: Theme, words: Words) -> str:
    """A player: piece, name, influence, money, bonus tiles and so on."""
    look = theme.pieces[player["colour"]]
    name = player["name"] if len(player["name"]) <= LONGEST_NAME else player["name"][: LONGEST_NAME - 1] + "…"
    facts = " · ".join(
        (
            f"{words['income']} {words['money'].format(amount=player['income'])}",
            f"{words['supply']} {player['supply']}",
            f"{words['towns']} {player['towns']}",
        )
    )
    tiles = [
        tag(
            "rect", x=box.x + 92 + i * 13, y=box.y + 26.5, width=10.0, height=14.0, rx=2.4, fill=look.fill,
            stroke=look.edge, stroke_width=1.0, class_="bonus-tile",
        )
        for i in range(player["bonus_tiles"])
    ]  # fmt: skip
    left = {"text_anchor": "start"}
    cash = words["money"].format(amount=player["cash"])
    return group(
        "player active" if is_active else "player",
        shadow(box, 12.0, theme),
        tag(
            "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=12.0, fill=theme.paper,
            stroke=theme.active if is_active else theme.line, stroke_width=3.0 if is_active else 1.5,
        ),
        piece(player["colour"], Point(box.x + 23, box.y + 24), 11.0, theme, class_="player-piece"),
        text(name, box.x + 44, box.y + 20, 14, theme.ink, font_weight="bold", class_="player-name", **left),
        text(cash, box.x + 44, box.y + 39, 15, theme.ink, font_weight="bold", class_="cash", **left),
        group("bonus-tiles", title(words["bonus_tiles"].format(count=player["bonus_tiles"])), *tiles),
        text(facts, box.x + 12, box.bottom - 9, 12, theme.faint, class_="details", **left),
        text(
            str(player["influence"]), box.right - 12, box.y + 34, 29, theme.ink, font_family=DISPLAY,
            text_anchor="end", class_="influence",
        ),
        data_seat=player["seat"],
        data_colour=player["colour"],
    )  # fmt: skip


def phase_name(phase: str, words: Words) -> str:
    return words["boom_phase"] if phase == "boom" else words[phase]


def caption(view: Row, theme: Theme, words: Words) -> str:
    """The turn, whose it is, and its phase."""
    parts = [phase_name(view["phase"], words)]
    if not view["over"] and view["players"]:
        name = view["players"][view["current_player"]]["name"][:LONGEST_NAME]
        parts = [words["turn"].format(turn=view["turn"]), name, *parts]
    line = text("  ·  ".join(parts), GAP + 6, -9, 15, theme.ink, font_weight="bold", text_anchor="start")
    return group("caption", line)


def modules(view: Row, across: float, theme: Theme, words: Words) -> str:
    """Milestones and special tiles in play, from the right end of the caption's line."""
    shown = [
        ("milestone", milestone["id"], words[f"milestone_{milestone['id']}"], milestone["claimed"], False)
        for milestone in view.get("milestones") or ()
    ]
    for kind, tile in (view.get("special_tiles") or {}).items():
        shown.append(("special", kind, words[f"{kind}_tile"], [tile["owner"]] if tile["owner"] else [], tile["used"]))
    right, drawn = across - GAP, []
    for class_, key, label, colours, used in reversed(shown):
        width = 6.3 * len(label) + 18 + 13 * len(colours)
        right -= width
        drawn.append(
            group(
                class_,
                tag("rect", x=right, y=-25, width=width, height=20.0, rx=10.0, fill=theme.paper, stroke=theme.rule),
                text(label, right + 9, -10.8, 12, theme.ink, text_anchor="start"),
                *(
                    piece(colour, Point(right + width - 12 - 13 * i, -15), 5.0, theme, class_="claim", shadow=False)
                    for i, colour in enumerate(reversed(colours))
                ),
                opacity=0.5 if used else None,
                data_tile=key,
            )
        )
        right -= 5
    return group("modules", *reversed(drawn))
