"""Templates and what they share: translations, and URLs of static files that change with their content."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Context, Macro
from markupsafe import Markup
from starlette.responses import HTMLResponse

from franchise.bots.characters import character_of
from franchise.bots.preparation import progress
from franchise.drawing.geometry import Point
from franchise.drawing.layers import frame
from franchise.drawing.markup import slug
from franchise.drawing.milestone_signs import milestone_sign as milestone_svg
from franchise.drawing.page_colours import PAGE
from franchise.drawing.piece_shapes import piece
from franchise.drawing.tile_signs import tile_sign as tile_svg
from franchise.facts import BOARD, COLOURS
from franchise.web.browser_name import browser_name
from franchise.web.page_cache import CompiledTemplates
from franchise.web.visitor import Visitor
from franchise.wording.language import LANGUAGES, Language
from franchise.wording.prompt import TILE_WORTH

if TYPE_CHECKING:
    from franchise.arena.statistics import Row
    from franchise.web.charts import ChartLines

ROOM = Path(__file__).parent
ELEMENTS = 16_384  # of each kind that are cached


@cache
def static(name: str) -> str:
    """The address of a static file; it changes with the file, so browsers may cache it forever."""
    digest = hashlib.sha256((ROOM / "static" / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?{digest}"


@cache
def icon(colour: str) -> Markup:
    """A player's piece as a small picture."""
    drawn = piece(colour, Point(12, 12), 9, PAGE)
    return Markup(f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{drawn}</svg>')


@cache
def piece_at(colour: str) -> Markup:
    """A piece around the origin, for pictures in templates."""
    return Markup(piece(colour, Point(0, 0), 8, PAGE))


def portrait(name: str, size: int = 24) -> Markup:
    """The face of a character or of the guide; its name is shown beside it."""
    source = f"/portraits/{slug(name)}.svg"
    return Markup(f'<img class="portrait" src="{source}" width="{size}" height="{size}" alt="">')


@cache
def symbol(name: str, class_: str = "") -> Markup:
    """A symbol from icons.html."""
    return Markup('<svg class="symbol {}" aria-hidden="true"><use href="#i-{}"/></svg>').format(class_, name)


@cache
def milestone_sign(key: str) -> Markup:
    """The pictogram of a milestone."""
    return Markup(milestone_svg(key, PAGE))


@cache
def tile_sign(kind: str) -> Markup:
    """The sign of a special region tile."""
    drawn = tile_svg(kind, Point(12, 12), 10, PAGE)
    return Markup(f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{drawn}</svg>')


def chart(course: "ChartLines", label: str) -> Markup:
    """A chart in the colours of the page."""
    from franchise.web.charts import chart_svg

    return Markup(chart_svg(course, label, PAGE))


def chances(course: "ChartLines", label: str, marked: Mapping[int, str]) -> Markup:
    """A large chart of chances, drawn once for wide and once for narrow pages; the style sheet shows one."""
    from franchise.web.charts import chart_svg

    drawn = (
        f'<div class="{kind}">{chart_svg(course, label, PAGE, size=size, marked=marked, unit=" %")}</div>'
        for kind, size in (("wide", (860.0, 300.0)), ("small", (380.0, 260.0)))
    )
    return Markup("".join(drawn))


def line(course: "ChartLines", label: str) -> Markup:
    """A chart of one person's values, which need not start at zero."""
    from franchise.web.charts import line_svg

    return Markup(line_svg(course, label, PAGE))


def intervals(rows: "Sequence[Row]", label: str) -> Markup:
    """Shares with their intervals."""
    from franchise.web.charts import intervals_svg

    return Markup(intervals_svg(rows, label, PAGE))


class DirectCalls(Context):
    """Calls what a template calls. Jinja2 would first look, in every call, for functions that want its context: only
    macros do here.
    """

    def call(self, called: Callable[..., Any], /, *values: Any, **named: Any) -> Any:
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(self.eval_ctx, *values, **named) if type(called) is Macro else called(*values, **named)


class Templates(Environment):
    """Jinja2 with direct calls."""

    context_class = DirectCalls


@cache
def environment() -> Environment:
    """Jinja2, with escaping everywhere and errors for undefined names."""
    made = Templates(
        loader=FileSystemLoader(ROOM / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # a running server keeps the templates it started with
        bytecode_cache=CompiledTemplates(),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        tile_worth=TILE_WORTH,
        static=static,
        icon=icon,
        piece_at=piece_at,
        portrait=portrait,
        symbol=symbol,
        milestone_sign=milestone_sign,
        tile_sign=tile_sign,
        red_zone=BOARD.red_zone_from,
        browser_name=browser_name,
        character_of=character_of,
        chart=chart,
        chances=chances,
        line=line,
        intervals=intervals,
        frame=frame,
        languages=LANGUAGES,
        colours=COLOURS,
        markup=Markup,
    )
    return made


@cache
def words(language: Language) -> dict[str, Any]:
    """The words of a language, as templates call them."""
    return {"language": language, "_": language.text, "plural": language.plural, "money": language.money}


@cache
def elements(language: Language) -> SimpleNamespace:
    """The macros of elements.html in a language; each result is cached by its values."""
    macros = environment().get_template("elements.html").make_module(words(language))
    names = (name for name in vars(macros) if not name.startswith("_"))
    return SimpleNamespace(**{name: lru_cache(ELEMENTS)(getattr(macros, name)) for name in names})


def context(visitor: Visitor) -> dict[str, Any]:
    """What every template needs: the visitor, the words of their language, and whether bots can play yet."""
    kept = elements(visitor.language)
    return {"visitor": visitor, "elements": kept, "preparing": progress(), **words(visitor.language)}


def rendered(visitor: Visitor, template: str, **values: Any) -> str:
    """A template in the visitor's language."""
    return environment().get_template(template).render(context(visitor) | values)


def answered(html: str, status: int = 200) -> HTMLResponse:
    """Markup for this visitor alone."""
    return HTMLResponse(html, status, headers={"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language"})


def page(visitor: Visitor, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page or a part of one."""
    return answered(rendered(visitor, template, **values), status)
