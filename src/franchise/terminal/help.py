"""The help page: keys, signs, and a turn in a few sentences."""

from rich.text import Text

from franchise.drawing.theme import Theme
from franchise.facts import COLOURS
from franchise.terminal.side_text import piece_mark
from franchise.terminal.text_map import BOOM, CHOOSE, EMPTY, MOVED, OUT_OF_PLAY, SCORED, marker
from franchise.wording.language import N_, Language

KEYS = (
    ("← ↑ → ↓", N_("go from place to place")),
    ("a–z", N_("find a place by its name")),
    (N_("Enter"), N_("choose the place (or use the mouse)")),
    ("1 2 3", N_("make a move without a place, by its number")),
    ("Tab", N_("to the list of moves and back")),
    ("u", N_("undo")),
    (N_("Esc"), N_("clear what you typed; return to the current position")),
    (N_("PgUp PgDn"), N_("one move back, one move forward")),
    ("[ ]", N_("one turn back, one turn forward")),
    (N_("Home End"), N_("the beginning of the game, the current position")),
    ("F2 F3", N_("regions, log")),
    (N_("Ctrl+S"), N_("save the record to a file")),
    (N_("Ctrl+T"), N_("light or dark")),
    (N_("Ctrl+L"), N_("another language")),
    ("q", N_("leave the table")),
)
TURN = N_(
    "A turn: take income; expand to one new place and pay the link to it; increase your market share for $1 in each of "
    "your cities; end the turn. More than half of a city, or the last space in it, scores it; a region is scored when "
    "its towns are taken and its cities scored."
)


def help_text(language: Language, theme: Theme) -> Text:
    """Keys, signs, and a turn."""
    words = language.text
    text = Text()
    for key, meaning in KEYS:
        text.append(f"{words(key):>17}  ", "bold").append(words(meaning) + "\n")
    text.append("\n")
    for colour in COLOURS:
        text.append(*piece_mark(colour, theme)).append(f" {words(colour)}  ")
    behind_names = (
        (EMPTY, words("an empty space")),
        (marker(COLOURS[0]), words("opens at the end of the turn")),
        (SCORED, words("scored")),
        (BOOM, words("boom")),
    )
    offers = (
        ("3", words("expand over a {price} link", price=language.money(3))),
        ("+", words("increase market share for $1")),
    )
    others = (
        (CHOOSE, words("can be chosen")),
        (MOVED, words("the last move")),
        (OUT_OF_PLAY, language.words["blocked"]),
    )
    for signs in (behind_names, offers, others):
        text.append("\n" + "  ".join(f"{sign} {meaning}" for sign, meaning in signs))
    return text.append(f"\n\n{words(TURN)}")
