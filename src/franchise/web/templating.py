"""Templates and what they share: translations, and small pictures."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape
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
from franchise.web.static_files import imported, static
from franchise.web.visitor import Visitor
from franchise.wording.language import LANGUAGES, Language
from franchise.wording.prompt import TILE_WORTH
from franchise.wording.short_lines import short_line

if TYPE_CHECKING:
    from franchise.arena.statistics import Row
    from franchise.web.charts import ChartLines

ROOM = Path(__file__).parent
ELEMENTS = 16_384  # of each kind that are cached


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


def chances(course: "ChartLines", label: str, marked: Mapping[int, str], language: Language) -> Markup:
    """A large chart of chances, drawn once for wide and once for narrow pages; the style sheet shows one."""
    from franchise.web.charts import chart_svg

    def percent(points: int) -> str:
        return language.percent(points / 100, 0)

    drawn = (
        f'<div class="{kind}">{chart_svg(course, label, PAGE, size=size, marked=marked, written=percent)}</div>'
        for kind, size in (("wide", (860.0, 300.0)), ("small", (380.0, 260.0)))
    )
    return Markup("".join(drawn))


def line(course: "ChartLines", label: str) -> Markup:
    """A chart of one person's values, which need not start at zero."""
    from franchise.web.charts import line_svg

    return Markup(line_svg(course, label, PAGE))


def intervals(rows: "Sequence[Row]", label: str, language: Language) -> Markup:
    """Shares with their intervals."""
    from franchise.web.charts import intervals_svg

    return Markup(intervals_svg(rows, label, PAGE, lambda share: language.percent(share, 0)))


def escaped(value: Any) -> str:
    """What a template writes, as markup. Most of it is markup or a number already, or was written before."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return escaped_text(value)
    return str(value) if kind is int else escape(value)


escaped_text = lru_cache(ELEMENTS)(escape)


class DirectCode(CodeGenerator):
    """Compiles templates that write by `escaped`, and call functions as Python does.

    Jinja2 would look in every call for functions that want its context: only macros do here, and they know without it
    that everything is escaped.
    """

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.escaped(")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802 - Jinja2's
        self.write("(")
        self.visit(node.node, frame)
        self.write(")(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        for stars, more in (("*", node.dyn_args), ("**", node.dyn_kwargs)):
            if more is not None:
                self.write(stars)
                self.visit(more, frame)
                self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")


class Templates(Environment):
    """Jinja2 with direct code."""

    code_generator_class = DirectCode
    escaped = staticmethod(escaped)


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
        imported=imported,
        icon=icon,
        piece_at=piece_at,
        portrait=portrait,
        symbol=symbol,
        milestone_sign=milestone_sign,
        tile_sign=tile_sign,
        red_zone=BOARD.red_zone_from,
        browser_name=browser_name,
        character_of=character_of,
        short_line=short_line,
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
    macros = elements(visitor.language)
    return {"visitor": visitor, "elements": macros, "preparing": progress(), **words(visitor.language)}


def rendered(visitor: Visitor, template: str, **values: Any) -> str:
    """A template in the visitor's language."""
    return environment().get_template(template).render(context(visitor) | values)


def answered(html: str, status: int = 200) -> HTMLResponse:
    """Markup for this visitor alone."""
    return HTMLResponse(
        html, status, headers={"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language, Accept-Encoding"}
    )


def page(visitor: Visitor, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page or a part of one."""
    return answered(rendered(visitor, template, **values), status)
