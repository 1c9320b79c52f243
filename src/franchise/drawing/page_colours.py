"""The colours of a page: one drawing for light and dark, whose colours are variables of a style sheet."""

from dataclasses import fields, replace
from functools import cache

from franchise.drawing.land import VEIL
from franchise.drawing.markup import slug
from franchise.drawing.theme import CLASSIC, DARK, HIGH_CONTRAST, PRINT, Piece, Theme, Tint

PREFIX = "--f-"
TINTED = [field.name for field in fields(Tint)]


def variables(theme: Theme) -> dict[str, str]:
    """Every colour of a theme by the name of its variable."""
    named = {slug(field.name): getattr(theme, field.name) for field in fields(Theme)}
    colours = {name: value for name, value in named.items() if isinstance(value, str) and name != "name"}
    for region, tint in theme.regions.items():
        colours |= {f"{part}-{slug(region)}": getattr(tint, part) for part in TINTED}
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
        regions={region: Tint(*(var(f"{part}-{region}") for part in TINTED)) for region in theme.regions},
        pieces={colour: Piece(var(colour), var(f"{colour}-edge"), var(f"{colour}-ink")) for colour in theme.pieces},
        roads={price: replace(road, colour=var(f"road-{price}")) for price, road in theme.roads.items()},
    )


PAGE = by_variables(CLASSIC)

# How the board behaves; a page may add rules for the same classes.
RULES = """
.target{cursor:pointer;outline:none}
.target .hit{fill:transparent}
.target .glow,.target .route,.target .ghost,.target .shield,.target .ticket,.target .callout{pointer-events:none}
.target .glow{animation:f-glow 2.4s ease-in-out infinite}
.target .ghost,.target .callout,.target .route{opacity:0}
.target:is(:hover,:focus-visible,.previewed) :is(.ghost,.callout,.route){opacity:1}
#routes{pointer-events:none}
.callout .piece>:first-child{stroke:var(--f-callout-ink)}
.target:is(:hover,:focus-visible,.previewed,.hinted) .glow{animation:none;opacity:1}
.target:is(:hover,:focus-visible,.previewed) .ring{stroke-width:5}
.target:is(:hover,:focus-visible,.previewed) .shield{transform:scale(1.12)}
.target:is(:hover,:focus-visible,.previewed) .shield .face{fill:var(--f-glow);stroke:var(--f-glow-ink)}
.target:is(:hover,:focus-visible,.previewed) .shield text{fill:var(--f-glow-ink)}
.target:is(:hover,:focus-visible,.previewed) .bed{stroke:var(--f-glow);stroke-width:13;opacity:.55}
.target.boom:is(:hover,:focus-visible,.previewed) .ring{stroke-width:11}
.target.hinted .ring{stroke:var(--f-active);stroke-width:6.5}
.target:focus-visible .hit{stroke:var(--f-ink);stroke-width:2.4;stroke-dasharray:4 3}
svg:has(.route) .links{opacity:var(--f-calm)}
.veil{opacity:0}
.lit{filter:drop-shadow(0 0 4px var(--f-active))}
.lit .rim{stroke:var(--f-active);stroke-width:4}
.plate.lit .board{stroke:var(--f-active);stroke-width:4}
@keyframes f-glow{0%,100%{opacity:.7}50%{opacity:1}}
@media (prefers-reduced-motion:reduce){.target .glow{animation:none}}
"""
CALM = {CLASSIC: 0.78, DARK: 0.62, HIGH_CONTRAST: 0.78, PRINT: 0.78}  # opacity of links not on offer


@cache
def page_css() -> str:
    """The variables of every theme, how targets behave, and the veil over what has been scored."""
    light, dark, contrast, paper = (
        ";".join(f"{name}:{value}" for name, value in {**variables(theme), f"{PREFIX}calm": CALM[theme]}.items())
        for theme in (CLASSIC, DARK, HIGH_CONTRAST, PRINT)
    )
    veils = ",".join(f"svg:has(#region-{slug(name)}.scored) #veil-{slug(name)}" for name in CLASSIC.regions)
    tints = "".join(
        f'.tint[data-region="{name}"]{{background:{var(f"strong-{name}")};color:{var("plate-ink")}}}'
        for name in CLASSIC.regions
    )
    return (
        f":root{{{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f":root[data-theme=dark]{{{dark}}}\n"
        f":root[data-theme=contrast]{{{contrast}}}\n"
        f"@media print{{:root:root{{{paper}}}}}{RULES}{veils},.miniature .veil{{opacity:{VEIL}}}{tints}\n"
    )
