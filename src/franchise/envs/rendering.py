"""Rendering of positions: as text, SVG or pixels."""

from io import BytesIO
from typing import Any

from franchise.game import Game

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
WIDTH = 800  # pixels


def checked_mode(mode: str | None) -> str | None:
    """A render mode; ValueError lists the valid ones."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")
    return mode


def render(game: Game, mode: str | None) -> Any:
    """The position in a mode; `human` prints the text."""
    if mode == "human":
        print(text(game))
    elif mode == "ansi":
        return text(game)
    elif mode == "svg":
        return svg(game)
    elif mode == "rgb_array":
        return pixels(svg(game))
    return None


def svg(game: Game) -> str:
    """The drawn board."""
    from franchise.drawing import board_svg

    return board_svg(game)


def pixels(picture: str, width: int = WIDTH) -> Any:
    """An SVG picture as an array (height, width, 3) of uint8."""
    import numpy as np
    from PIL import Image

    from franchise.drawing.picture import png

    with Image.open(BytesIO(png(picture, width))) as image:
        return np.asarray(image.convert("RGB"))


def text(game: Game) -> str:
    """The players, the places with franchises, and the region track."""
    view = game.view()
    to_move = "over" if view["over"] else f"{view['phase']}, {view['players'][view['current_player']]['name']} to move"
    lines = [f"Turn {view['turn']}, {to_move}"]
    for player in view["players"]:
        lines.append(
            f"{player['name']:8} influence {player['influence']:3}  cash ${player['cash']:<3} "
            f"income ${player['income']:<2} bonus tiles {player['bonus_tiles']}  "
            f"towns {player['towns']:2}  supply {player['supply']}"
        )
    for name, place in view["locations"].items():
        centre = view["centre"].get(name, 0)
        notes = [f"+{centre}"] * (centre > 0) + ["marker"] * (name in view["markers"]) + ["scored"] * place["scored"]
        if any(place["spaces"]) or notes:
            spaces = " ".join(colour or "-" for colour in place["spaces"])
            lines.append(f"{name:15} {place['region']:12} {spaces}" + (f"  ({', '.join(notes)})" if notes else ""))
    lines.append(f"Region track: {', '.join(view['track']) or 'empty'}")
    return "\n".join(lines)
