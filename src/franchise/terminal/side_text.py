"""The text around the map: the turn, the players, the regions, the place under the cursor, the log."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from franchise.drawing.theme import Theme
from franchise.facts import BOARD
from franchise.game import Game
from franchise.terminal.local_table import PARTS, TerminalTable
from franchise.terminal.text_map import SCORED, piece, worth
from franchise.wording import log
from franchise.wording.language import N_, Language
from franchise.wording.prompt import PlaceChoice, Prompt

PHASES = (N_("Income"), N_("Expand"), N_("Market share"), N_("Open and score"), N_("Regions"))
COLUMNS = {  # of the players, with a short title
    "cash": N_("$"),
    "income": N_("Inc"),
    "influence": N_("Infl"),
    "bonus_tiles": N_("Bonus"),
    "towns": N_("Town"),
    "supply": N_("Supply"),
}
COLUMN = 4  # minimum width of a number

RANKED = 11  # columns of a player in the final standing

View = Mapping[str, Any]


def piece_mark(colour: str, theme: Theme) -> tuple[str, str]:
    """A player's shape with its style."""
    look = theme.pieces[colour]
    return piece(colour), f"bold {look.ink} on {look.fill}"


def counts(numbers: Mapping[str, int], theme: Theme) -> Text:
    """Franchises by player, most first."""
    text = Text()
    for colour, count in sorted(numbers.items(), key=lambda pair: -pair[1]):
        if count:
            text.append(" " if text else "")
            text.append(*piece_mark(colour, theme))
            text.append(str(count))
    return text


def status(game: Game, view: View, prompt: Prompt, language: Language, theme: Theme) -> Text:
    """Turn, phases and region track in one row."""
    words = language.text
    where = words("Turn {turn}", turn=game.turn) if game.turn else words("Set-up")
    text = Text(words("End of the game") if game.over else where, style="bold")
    if prompt.phase:
        for number, name in enumerate(PHASES, 1):
            now = number == prompt.phase
            text.append("  " if number == 1 else " ")
            text.append(f"{number} {words(name)}" if now else str(number), style="reverse" if now else "dim")
    text.append(f"  {words('Region track')} ")
    lying = len(view["track"])
    for space, value in enumerate(BOARD.region_track, 1):
        red = space >= BOARD.red_zone_from
        look = f"bold {theme.paper} on {theme.red_zone}" if red else "bold reverse"
        text.append(SCORED if space <= lying else str(value), style=look if red or space <= lying else "")
    return text


def players(table: TerminalTable, view: View, theme: Theme, room: int) -> Text:
    """The players and their figures, as a table `room` columns wide."""
    words = table.language.text
    widths = {key: 1 + max(len(words(name)), COLUMN) for key, name in COLUMNS.items()}
    if room < 12 + sum(widths.values()):
        del widths["supply"]
    left = max(3, room - 3 - sum(widths.values()))
    text = Text(" " * (3 + left), no_wrap=True, style="")
    for key, width in widths.items():
        text.append(words(COLUMNS[key]).rjust(width), style="dim")
    for player in view["players"]:
        active = player["seat"] == view["current_player"] and not view["over"]
        text.append("\n▶" if active else "\n ")
        text.append(*piece_mark(player["colour"], theme))
        name = table.language.player(player["seat"], table.game)
        own = player["seat"] in table.mine and len(table.mine) < len(view["players"])
        kind = words("you") if own else ""
        if table.free(player["seat"]):
            kind = words("free seat")
        time = table.left(player["seat"])
        if time is not None:
            kind = f"{int(time) // 60}:{int(time) % 60:02}"
        called = f"{name[: left - len(kind) - 2]} {kind}" if kind and left > 8 + len(kind) else name[:left]
        text.append(f" {called:{left}}"[: left + 1], style="bold" if active else "")
        for key in widths:
            value = player[key]
            shown = table.language.money(value) if key in ("cash", "income") else str(value)
            text.append(shown.rjust(widths[key]), style="bold" if key == "influence" else "")
    return text


def modules(view: View, language: Language, theme: Theme) -> Text:
    """Milestones and special tiles, if they are in play."""
    parts = []
    for milestone in view.get("milestones", ()):
        part = Text(language.words[f"milestone_{milestone['id']}"])
        part.append(" " if milestone["claimed"] or milestone["beside"] else "")
        for colour in milestone["claimed"]:
            part.append(*piece_mark(colour, theme))
        for colour in milestone["beside"]:  # not claimed yet
            part.append("(").append(*piece_mark(colour, theme)).append(")")
        parts.append(part)
    for kind, tile in view.get("special_tiles", {}).items():
        part = Text(language.words[kind + "_tile"] + " ")
        if tile["owner"]:
            part.append(*piece_mark(tile["owner"], theme))
        else:
            part.append(language.text("used") if tile["used"] else language.text("not won yet"), style="dim")
        parts.append(part)
    return Text(" · ").join(parts)


def regions(view: View, language: Language, theme: Theme) -> Text:
    """Every region in play: values, standing, who breaks ties, how many places are missing."""
    text = Text(no_wrap=True)
    for name, region in view["regions"].items():
        if region["blocked"]:
            continue
        text.append("\n" if text else "")
        strong = theme.regions[name].strong
        text.append(f"{name:12}", style=f"bold {theme.plate_ink} on {strong}")
        text.append(f" {worth(region, language.words['money']):10}", style="dim" if region["scored"] else "")
        text.append_text(counts(region["franchises"], theme))
        if region["marker"] and not region["scored"]:
            text.append(" =")
            text.append(*piece_mark(region["marker"], theme))
        if region["missing"] and not region["scored"]:
            text.append(f" −{len(region['missing'])}", style="dim")
    return text


def region_line(name: str, view: View, language: Language, theme: Theme) -> Text:
    """A region in a sentence."""
    region, words = view["regions"][name], language.text
    if region["blocked"]:
        return Text(language.labelled(name, language.words["blocked"]))
    text = Text(language.labelled(f"{name} {worth(region, language.words['money'])}", ""))
    standing = counts(region["franchises"], theme)
    text.append_text(standing if standing else Text(words("nobody yet")))
    if region["marker"]:
        text.append(f", {words('ties go to')} ")
        text.append(*piece_mark(region["marker"], theme))
    if region["scored"]:
        text.append(f", {words('scored')}")
    elif region["missing"]:
        text.append(f", {words('missing: {places}', places=', '.join(region['missing']))}")
    return text


def place_line(name: str, view: View, language: Language, theme: Theme) -> Text:
    """A place in a sentence, as the drawn map describes it."""
    row, words = view["locations"][name], language.words
    if row["blocked"]:
        return Text(language.labelled(f"{name} ({row['region']})", words["blocked"]))
    if not row["size"]:  # the draft has not given it a tile yet
        return Text(words["no_tile"].format(name=f"{name} ({row['region']})"))
    franchises: dict[str, int] = {}
    for colour in filter(None, row["spaces"]):
        franchises[colour] = franchises.get(colour, 0) + 1
    free = row["size"] - sum(franchises.values())
    sentence = words[row["kind"]].format(name=name, size=row["size"], region=row["region"], pieces="\0")
    before, _, behind = sentence.partition("\0")
    text = Text(before)
    text.append_text(counts(franchises, theme))
    rest = words["scored"] if row["scored"] else words["free"].format(count=free) if free else ""
    text.append(" · " if franchises and rest else "")
    return text.append(rest + behind)


def links_line(name: str, language: Language) -> str:
    """The links of a place, the cheapest first."""
    here = BOARD.location_ids[name]
    links = sorted(
        (link.price, BOARD.locations[sum(link.ends) - here].name) for link in BOARD.links if here in link.ends
    )
    return language.text("Links: {links}", links=", ".join(f"{language.money(price)} {to}" for price, to in links))


def spot_line(spot: PlaceChoice) -> Text:
    """What can be done at a place, and what it would do."""
    first = spot.choices[0]
    more = f" (+{len(spot.choices) - 1})" if len(spot.choices) > 1 else ""
    text = Text(f"→ {first.text}{more}", style="bold")
    return text.append(f" · {first.outlook}" if first.outlook else "", style="not bold")


def log_text(name: str, game: Game, language: Language, theme: Theme, rows: int) -> Text:
    """The latest events, newest last."""
    lines: list[Text] = []
    for turn in log.turns(name, game, language)[-rows:]:
        if turn.number:
            heading = language.text("Turn {turn}", turn=turn.number)
            lines.append(Text(f"{heading} · {language.player(turn.seat, game)}", style="dim"))
        for line in turn.lines:
            lines.append(Text.assemble(piece_mark(game.colours[line.seat], theme), f" {line.text}"))
    return Text("\n").join(lines[-rows:])


def ranking(game: Game, language: Language, theme: Theme) -> Text:
    """The final standing, best first, with where the influence comes from: a column for each player."""
    result, words = game.result(), language.text
    order = sorted(range(game.players), key=lambda seat: (-result.scores[seat], seat not in result.winners))
    label = max(len(words(title)) for title in (*PARTS.values(), "Influence"))
    rows = [Text(" " * label), Text(f"{words('Influence'):{label}}", style="bold")]
    for seat in order:
        won = SCORED if seat in result.winners else ""
        name = f" {language.player(seat, game)[: RANKED - 4]}{won}"
        rows[0].append(" " * (RANKED - 1 - len(name))).append(*piece_mark(game.colours[seat], theme)).append(
            name, "bold"
        )
        rows[1].append(str(result.scores[seat]).rjust(RANKED))
    for part, title in PARTS.items():
        figures = "".join(str(result.breakdown[seat][part]).rjust(RANKED) for seat in order)
        rows.append(Text(f"{words(title):{label}}{figures}"))
    return Text("\n").join(rows)
