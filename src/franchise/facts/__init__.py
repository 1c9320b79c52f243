"""The facts of the printed game as data: board, tiles, tables."""

from franchise.facts.loader import BOARD, COLOURS, MILESTONES, PRICES, Board, Link, Location, Region, Tile

__all__ = ["BOARD", "COLOURS", "MILESTONES", "PRICES", "Board", "Link", "Location", "Region", "Tile"]
