"""The colours of a page: one drawing for light and dark, whose colours are variables of a style sheet."""

from dataclasses import fields, replace
from functools import cache

from franchise.drawing.markup import slug
from franchise.drawing.theme import CLASSIC, DARK, Piece, Road, Theme, Tint

PREFIX = "--f-"


def variables(theme: Theme) -> dict[str, str]:
    """Every colour of a theme by the name of its variable."""
    named = {slug(field.name): getattr(theme, field.name) for field in fields(Theme)}
    colours = {name: value for name, value in named.items() if isinstance(value, str) and name != "name"}
    for region, tint in theme.regions.items():
        colours |= {f"land-{slug(region)}": tint.land, f"strong-{slug(region)}": tint.strong}
    for colour, look in theme.pieces.items():
        colours |= {colour: look.fill, f"{colour}-edge": look.edge, f"{colour}-ink": look.ink}
    for price, road in theme.roads.items():
        colours[f"road-{price}"] = road.colour
    return {PREFIX + name: value for name, value in colours.items()}


def var(name: str) -> str:
    return f"var({PREFIX}{slug(name)})"


def by_variables(theme: Theme) -> Theme:
    """The theme with every colour left to the style sheet."""
    plain = {
        field.name: var(field.name)
        for field in fields(Theme)
        if isinstance(getattr(theme, field.name), str) and field.name != "name"
    }
    return replace(
        theme,
        **plain,
        name="page",
        regions={region: Tint(var(f"land-{region}"), var(f"strong-{region}")) for region in theme.regions},
        pieces={colour: Piece(var(colour), var(f"{colour}-edge"), var(f"{colour}-ink")) for colour in theme.pieces},
        roads={
            price: Road(var(f"road-{price}"), road.width, road.dashes, road.stripe)
            for price, road in theme.roads.items()
        },
    )


PAGE = by_variables(CLASSIC)

# How targets and new pieces behave; a page may say more about the same classes.
RULES = """
.target{cursor:pointer;outline:none}
.target .hit{fill:transparent}
.target .glow{fill:none;stroke:var(--f-glow);stroke-width:3.2;pointer-events:none}
.target .glow{animation:f-glow 1.6s ease-in-out infinite}
.target .badge{pointer-events:none}
.target:hover .glow,.target:focus-visible .glow{stroke-width:5.5;animation:none;opacity:1}
.target:focus-visible .hit{stroke:var(--f-ink);stroke-width:2.4;stroke-dasharray:4 3}
.target.hinted .glow{stroke:var(--f-active);stroke-width:6.5;animation:none;opacity:1}
.target:hover .badge rect,.target:focus-visible .badge rect{stroke-width:2.4}
.lit{filter:drop-shadow(0 0 4px var(--f-active))}
.lit .rim{stroke:var(--f-active);stroke-width:4}
.plate.lit>rect{stroke:var(--f-active);stroke-width:4}
@keyframes f-glow{0%,100%{opacity:.55}50%{opacity:1}}
@media (prefers-reduced-motion:reduce){.target .glow{animation:none}}
"""


@cache
def page_css() -> str:
    """The variables of both themes, and how targets behave."""
    light, dark = (";".join(f"{name}:{value}" for name, value in variables(theme).items()) for theme in (CLASSIC, DARK))
    return (
        f":root{{{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f":root[data-theme=dark]{{{dark}}}{RULES}"
    )
