"""Above the map: a card per player, a caption, and the modules' tiles."""

from collections.abc import Mapping
from typing import Any

from franchise.drawing.board_words import Words
from franchise.drawing.geometry import GEOMETRY, Box, Point
from franchise.drawing.markup import group, tag, text, title
from franchise.drawing.piece_shapes import piece
from franchise.drawing.theme import Theme

Row = Mapping[str, Any]

CARD = 58.0
CAPTION = 24.0
GAP = 8.0
LONGEST_NAME = 20  # letters


def height(view: Row) -> float:
    """What the panels add to the canvas."""
    return GAP + CARD + GAP + CAPTION


def panels(view: Row, theme: Theme, words: Words) -> str:
    """Cards and caption on the strip above the canvas."""
    canvas = GEOMETRY.canvas
    top = canvas.y - height(view)
    strip = tag("rect", x=canvas.x, y=top, width=canvas.width, height=height(view), fill=theme.paper)
    players = view["players"]
    width = (canvas.width - GAP * (len(players) + 1)) / max(1, len(players))
    cards = [
        card(player, Box(canvas.x + GAP + i * (width + GAP), top + GAP, width, CARD), active(view, i), theme, words)
        for i, player in enumerate(players)
    ]
    line = canvas.y - CAPTION
    return group("panels", strip, *cards, caption(view, line, theme, words), modules(view, line, theme, words))


def active(view: Row, seat: int) -> bool:
    return bool(view["current_player"] == seat and not view["over"])


def card(player: Row, box: Box, is_active: bool, theme: Theme, words: Words) -> str:
    """A player: piece, name, influence, money, bonus tiles, and what else one looks for."""
    look = theme.pieces[player["colour"]]
    name = player["name"] if len(player["name"]) <= LONGEST_NAME else player["name"][: LONGEST_NAME - 1] + "…"
    middle = box.y + box.height / 2
    details = " · ".join(
        (
            f"{words['income']} ${player['income']}",
            f"{words['supply']} {player['supply']}",
            f"{words['towns']} {player['towns']}",
        )
    )
    tiles = [
        tag(
            "rect", x=box.x + 92 + i * 11, y=box.y + 24.5, width=9.0, height=12.0, rx=2.0, fill=look.fill,
            stroke=look.edge, stroke_width=0.8, class_="bonus-tile",
        )
        for i in range(player["bonus_tiles"])
    ]  # fmt: skip
    return group(
        "player active" if is_active else "player",
        tag(
            "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=8.0, fill=theme.space,
            stroke=theme.active if is_active else theme.line, stroke_width=3.0 if is_active else 1.0,
        ),
        piece(player["colour"], Point(box.x + 20, box.y + 20), 9.5, theme, class_="player-piece"),
        text(
            name, box.x + 37, box.y + 17, 12, theme.ink, font_weight="bold", text_anchor="start", class_="player-name"
        ),
        text(
            f"${player['cash']}", box.x + 37, box.y + 36, 14.5, theme.ink, font_weight="bold", text_anchor="start",
            class_="cash",
        ),
        group("bonus-tiles", title(words["bonus_tiles"].format(count=player["bonus_tiles"])), *tiles),
        text(details, box.x + 12, box.bottom - 7, 9, theme.faint, text_anchor="start", class_="details"),
        text(
            str(player["influence"]), box.right - 10, middle + 7, 25, theme.ink, font_weight="bold", text_anchor="end",
            class_="influence",
        ),
        text("IP", box.right - 10, middle + 18, 9, theme.faint, text_anchor="end"),
        data_seat=player["seat"],
        data_colour=player["colour"],
    )  # fmt: skip


def phase_name(phase: str, words: Words) -> str:
    return words["boom_phase"] if phase == "boom" else words[phase]


def caption(view: Row, line: float, theme: Theme, words: Words) -> str:
    """Turn, whose turn, and its phase."""
    x = GEOMETRY.canvas.x + GAP + 4
    parts = [phase_name(view["phase"], words)]
    if not view["over"] and view["players"]:
        name = view["players"][view["current_player"]]["name"][:LONGEST_NAME]
        parts = [words["turn"].format(turn=view["turn"]), name, *parts]
    return group(
        "caption", text("  ·  ".join(parts), x, line + 15, 12, theme.ink, font_weight="bold", text_anchor="start")
    )


def modules(view: Row, line: float, theme: Theme, words: Words) -> str:
    """Milestones and special tiles in play, from the right end of the caption's line."""
    shown = [
        ("milestone", milestone["id"], words[f"milestone_{milestone['id']}"], milestone["claimed"], False)
        for milestone in view.get("milestones") or ()
    ]
    for kind, tile in (view.get("special_tiles") or {}).items():
        shown.append(("special", kind, words[f"{kind}_tile"], [tile["owner"]] if tile["owner"] else [], tile["used"]))
    right, drawn = GEOMETRY.canvas.right - GAP, []
    for class_, key, said, colours, used in reversed(shown):
        width = 5.0 * len(said) + 15 + 11 * len(colours)
        right -= width
        drawn.append(
            group(
                class_,
                tag("rect", x=right, y=line + 1, width=width, height=18.0, rx=9.0, fill=theme.space, stroke=theme.line),
                text(said, right + 7.5, line + 13.2, 9, theme.ink, text_anchor="start"),
                *(
                    piece(colour, Point(right + width - 10 - 11 * i, line + 10), 4.4, theme, class_="claim")
                    for i, colour in enumerate(reversed(colours))
                ),
                opacity=0.5 if used else None,
                data_tile=key,
            )
        )
        right -= 5
    return group("modules", *reversed(drawn))
