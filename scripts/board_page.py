"""Writes docs/board.md, the printed board as tables, from the facts: `python scripts/board_page.py`."""

from collections.abc import Callable, Iterable
from pathlib import Path

from franchise.engine.events import MILESTONE_TEXTS
from franchise.facts import BOARD, PRICES

PAGE = Path(__file__).parents[1] / "docs" / "board.md"


def table(*rows: Iterable[object]) -> str:
    """Rows as Markdown, the first as the head."""
    head, *body = ([str(cell) for cell in row] for row in rows)
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def links(price: int) -> str:
    """All links of a price, each once, in board order."""
    pairs = sorted(link.ends for link in BOARD.links if link.price == price)
    return ", ".join(" – ".join(BOARD.locations[end].name for end in ends) for ends in pairs)


def by_players() -> str:
    """The charts, a column for each number of players."""
    counts = range(2, 6)

    def row(name: str, value: Callable[[int], object]) -> list[object]:
        return [name, *map(value, counts)]

    return table(
        row("", lambda players: f"{players} players"),
        row("starting money by seat", lambda players: ", ".join(f"${cash}" for cash in BOARD.starting_money[players])),
        row("bonus tiles of each player", BOARD.bonus_tiles.__getitem__),
        row("milestone tiles drawn", BOARD.milestone_tiles.__getitem__),
        row("regions out of play", out_of_play),
        row("empty spaces that pay $2, $3, …", lambda players: ", ".join(map(str, BOARD.income[players]))),
        row("introductory game: starting towns", towns),
    )


def out_of_play(players: int) -> str:
    return ", ".join(BOARD.regions[region].name for region in BOARD.out_of_play.get(players, ())) or "none"


def towns(players: int) -> str:
    return "; ".join(
        f"seat {seat}: {' and '.join(BOARD.locations[town].name for town in pair)}"
        for seat, pair in enumerate(BOARD.introductory[players])
    )


def text() -> str:
    """The page."""
    locations = table(
        ("number", "name", "kind", "printed size", "region"),
        *(
            (place.id, place.name, place.kind, place.size, BOARD.regions[place.region].name)
            for place in BOARD.locations
        ),
    )
    regions = table(
        ("number", "region and its printed tile", "first", "second", "others", "states"),
        *(
            (region.id, region.name, *BOARD.tiles[region.id].values, ", ".join(region.states))
            for region in BOARD.regions
        ),
    )
    tiles = table(
        ("number", "tile", "kind", "first", "second", "others"),
        *(
            (number, tile.id, tile.kind, *tile.values)
            for number, tile in enumerate(BOARD.tiles)
            if number >= len(BOARD.regions)
        ),
    )
    prices = table(("price", "links"), *((f"${price}", links(price)) for price in PRICES))
    milestones = table(("letter", "condition"), *MILESTONE_TEXTS.items())
    track = ", ".join(map(str, BOARD.region_track))
    return f"""# The board

This page lists everything printed on the board and its tiles. Names and their order are fixed, because records, moves
and views use them. `scripts/board_page.py` generates the page from `src/franchise/facts/board.toml` and
`new_regions.toml`; a test fails if it is out of date.

## Locations

*Board order* is this order. A town has one space; a city has the spaces of its tile, which is the printed one unless
the record says otherwise.

{locations}

## Links

Every link can be used in both directions. Links from or to a town cost $0 or $1, links between cities $3, $5 or $8.

{prices}

## Regions

{regions}

The region track has the values {track} from left to right. The game ends when a tile lies on
space {BOARD.red_zone_from}, the first of the red zone, or beyond.

## Tiles of New Regions

A value is influence (`plain`, and the ranks of `bonus`, `expansion` and `road`), dollars (`dollars`), or what is added
to the number of tiles on the track (`count`). Which tile lies on which region is part of a record.

{tiles}

## Milestones

{milestones}

## By number of players

{by_players()}
"""


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
