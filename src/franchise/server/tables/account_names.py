"""Names of accounts: how they are shown, and how names that look the same are recognised."""

import re
import unicodedata
from functools import cache

from franchise.server.tables.errors import Refused

LONGEST = 40  # characters
SHORTEST = 2
KEY_LIMIT = 160
# Default_Ignorable_Code_Point of the Unicode Character Database, which Python's does not have, and the Braille blank.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def proper(name: str) -> str:
    """A name in the form that is shown; Refused says what is wrong."""
    name = re.sub(r"\s+", " ", unicodedata.normalize("NFC", name[: 4 * LONGEST])).strip()
    if not SHORTEST <= len(name) <= LONGEST:
        raise Refused(f"The name must have {SHORTEST} to {LONGEST} characters.", "name_length")
    visible = visible_part(name)
    if not name.isprintable() or not any(letter.isalnum() for letter in visible) or "/" in name or "\\" in name:
        raise Refused("The name must contain letters or digits, and no slashes.", "name_letters")
    return name


def visible_part(name: str) -> str:
    """A name without invisible characters."""
    return re.sub(r"\s+", " ", INVISIBLE.sub("", unicodedata.normalize("NFKC", name))).strip()


def name_key(name: str) -> str:
    """The skeleton of a name (after UTS 39): names with the same one look the same, and only one of them is given."""
    key = unicodedata.normalize("NFKD", visible_part(name))
    if re.search("[A-Za-z]", key):  # in a name of one other script a capital is that of its small letter
        key = "".join(map(capital, key))
    key = key.casefold()
    for _ in range(2):  # 0 looks like O, which is the letter o
        key = "".join(map(prototype, unicodedata.normalize("NFKD", key))).casefold()
    return unicodedata.normalize("NFKC", key)[:KEY_LIMIT]


def capital(letter: str) -> str:
    """The Latin letter that a capital of another script looks like; its small letter may look like none."""
    if letter.isascii() or not letter.isupper():
        return letter
    alike = prototype(letter)
    return "I" if alike == "l" else alike  # which are the same stroke


@cache
def prototype(letter: str) -> str:
    """What a character looks like, itself where nothing else does."""
    from confusable_homoglyphs.confusables import confusables_data  # loaded with the first name: that takes a while

    alike = [entry["c"] for entry in confusables_data.get(letter, ())]
    if len(alike) != 1:  # nothing, or all that look like this one
        return letter
    (other,) = alike
    several = len(other) > 1 or len(confusables_data.get(other, ())) > 1
    return str(other) if several else min(letter, str(other))
