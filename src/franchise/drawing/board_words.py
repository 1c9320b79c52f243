"""The words on the board in English; a caller may pass others under the same keys."""

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce

Words = Mapping[str, str]


class FrozenWords(dict[str, str]):
    """Immutable words, so that drawings can be cached by them."""

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self.items()))


WORDS: dict[str, str] = {
    "board": "Franchise: the board",
    "money": "${amount}",
    "both": "{first}; {second}",
    "links": "Link cost",
    "track": "Region track",
    "closed": "Closed for the season",
    "opens": "opens with four or five players",
    "scored": "scored",
    "turn": "Turn {turn}",
    "town": "{name}, town in {region}: {pieces}",
    "city": "{name}, city of {size} in {region}: {pieces}",
    "free": "{count} free",
    "nobody": "nobody yet",
    "blocked": "out of play",
    "no_tile": "{name}: no tile yet",
    "link": "{a} – {b}: ${price}",
    "region": "{name}: first {first}, second {second}, others {third}",
    "tie_break": "tie-break: {colour}",
    "red_zone": "Red zone: the game ends",
    "red_zone_short": "red: last turn",
    "scores": "scores",
    "space": "Space {space}: {value}",
    "boom": "Boom in {name}",
    "marker": "Expansion marker in {name}",
    "marker_of": "expansion marker of {colour}",
    "waiting": "{colour} {count} waiting in the centre",
    "boom_here": "boom: empty spaces count double",
    "standings": "standings: {pieces}",
    "missing": "still open ({count}): {names}",
    "bonus_tiles": "Bonus tiles: {count}",
    "income": "next income",
    "supply": "supply",
    "towns": "towns",
    "expansion_tile": "expansion tile",
    "road_tile": "road tile",
    "draft": "Expert draft",
    "start": "Starting franchise",
    "boom_phase": "Boom marker",
    "expand": "Expand",
    "grow": "Increase market share",
    "score": "Score regions",
    "over": "End of the game",
    "dollars": "dollars",
    "bonus": "IP; the first takes a used bonus tile back",
    "count": "added to the tiles on the track",
    "expansion": "IP; the first takes the expansion tile",
    "road": "IP; the first takes the road tile",
    "plain": "IP",
    **{colour: colour for colour in ("blue", "red", "orange", "black", "beige")},
    "milestone_a": "4 towns",
    "milestone_b": "4 regions",
    "milestone_c": "5 in scored cities",
    "milestone_d": "cities of 2, 3 and 4",
    "milestone_e": "trigger a 6, 7 or 8",
    "milestone_f": "trigger a region",
    "milestone_g": "two $8 links",
}


def joined(parts: Sequence[str], words: Words) -> str:
    """Parts of a description with semicolons between them, spaced as the language does."""
    return reduce(lambda first, second: words["both"].format(first=first, second=second), parts)
