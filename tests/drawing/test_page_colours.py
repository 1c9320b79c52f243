"""The colours of a page: both themes under the same names."""

import re

from franchise.drawing.page_colours import CALM, PAGE, page_css, variables
from franchise.drawing.theme import CLASSIC, DARK, HIGH_CONTRAST, PRINT


def block(selector: str) -> dict[str, str]:
    """The variables a rule sets."""
    found = re.search(re.escape(selector) + r"\{([^}]*)\}", page_css())
    assert found, selector
    return dict(entry.split(":") for entry in found[1].split(";"))


def test_light_is_the_rule_and_dark_comes_by_the_system_or_by_choice() -> None:
    light, dark = ({**variables(theme), "--f-calm": str(CALM[theme])} for theme in (CLASSIC, DARK))
    assert block(":root") == light
    assert block(":root[data-theme=dark]") == dark
    assert block(":root[data-theme=contrast]")["--f-ink"] == HIGH_CONTRAST.ink
    assert block("@media print{:root:root")["--f-blue"] == PRINT.pieces["blue"].fill
    assert block("@media (prefers-color-scheme:dark){:root:not([data-theme=light])") == dark


def test_both_themes_name_the_same_colours_and_each_is_a_colour() -> None:
    light, dark = variables(CLASSIC), variables(DARK)
    assert list(light) == list(dark)
    assert all(re.fullmatch(r"#[0-9a-f]{6}|none", colour) for colour in (*light.values(), *dark.values()))


def test_every_colour_of_the_page_theme_is_a_variable_of_its_own() -> None:
    used = variables(PAGE)
    assert {f"var({name})" for name in used} == set(used.values())


def test_the_sheet_asks_for_nothing_from_outside() -> None:
    assert not re.search(r"url\(|@import|http", page_css())


def test_the_sheet_uses_only_variables_that_it_sets() -> None:
    used = set(re.findall(r"var\((--[\w-]+)", page_css()))
    assert used <= set(block(":root")), used - set(block(":root"))
