"""The changing parts of a table's page: drawn once for everyone who sees the same, and sent only if they changed.

A page names the state it shows; parts that are still the same are not sent again.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from cachetools import LRUCache
from markupsafe import Markup

from franchise.bots.characters import character_of
from franchise.server.tables.stored import Message
from franchise.web import table_options
from franchise.web.lessons import LESSONS
from franchise.web.moment import Part
from franchise.web.scene import Scene
from franchise.web.templating import elements, environment, rendered, words
from franchise.web.visitor import Visitor
from franchise.wording.language import Language

LAYERS = ("ground", "pieces", "targets")  # of the map; the first never changes
KEPT = 1024  # states of pages: one or two for each that follows a table
NAME = "Franchise-Shown"  # the header with the name of the state that a page shows

Parts = dict[str, Part]  # by the id of the element

_shown: "LRUCache[str, Parts]" = LRUCache(KEPT)


@cache
def macros(language: Language) -> Any:
    """The template of each part, as a function in a language."""
    values = {
        "elements": elements(language),
        "choices": table_options,
        "lessons": len(LESSONS),
        "lesson_titles": [lesson.title for lesson in LESSONS],
    }
    return environment().get_template("part.html").make_module(words(language) | values)


def draw(visitor: Visitor, scene: Scene) -> tuple[str, Parts]:
    """All parts and a name for them; shared parts are drawn only once for everybody."""
    templates, shared, drawn = macros(scene.language), scene.moment.part, elements(scene.language)
    parts: Parts = {
        "pieces": shared(("pieces", scene.cut, scene.opened), lambda: scene.moment.pieces(scene.cut, scene.opened)),
        "log": scene.latest.part("log", lambda: log_parts(scene)),
        "regions": shared("regions", lambda: (templates.regions(scene),)),
        "players": player_parts(scene),
        "targets": (scene.targets,),
        "road": (drawn.road(scene.standing, scene.road),),
        "news": (templates.news(scene),),
        "looking": (drawn.looking(scene.shown_turn, scene.table.game.turn),),
        "replay": (templates.replay(scene) if scene.replaying else drawn.no_replay(),),
        "after": (templates.after(scene) if scene.game.over else drawn.no_after(),),
        "prompt": (templates.prompt(scene, visitor),),
    }
    shown = format(hash(tuple([contents(part) for part in parts.values()])) & 2**64 - 1, "x")
    _shown[shown] = parts
    return shown, parts


def contents(part: Part) -> tuple[str | tuple[str, ...], ...]:
    """A part in a form that can be hashed."""
    return tuple([piece if isinstance(piece, str) else tuple(piece.values()) for piece in part])


def log_parts(scene: Scene) -> Part:
    """The log, turn by turn."""
    game, language = scene.game, scene.language
    names = tuple(language.player(seat, game) for seat in range(game.players))
    faces = tuple(
        character_of(names[seat.number], seat.number) if seat.kind == "bot" else "" for seat in scene.table.seats
    )
    drawn, url = elements(language).turn, scene.url
    turns = {
        f"turn-{turn.number}": drawn(url, turn, names[turn.seat], game.colours, faces[turn.seat])
        for turn in scene.latest.log
    }
    return ('<div id="log">', turns, "</div>")


def player_parts(scene: Scene) -> Part:
    """The cards of the players, then the milestones in play."""
    drawn = elements(scene.language)
    cards = {f"player-{card.seat}": drawn.player(card) for card in scene.players}
    milestones = drawn.milestones(scene.milestones, scene.bonus_tiles_left) if scene.milestones else ""
    return (f'<div id="players" data-count="{scene.game.players}">', cards, f"{milestones}</div>")


def joined(part: Part, known: Part = ()) -> str:
    """A part as markup; groups that are the same in the known part are left empty."""
    same = {key: group for piece in known if not isinstance(piece, str) for key, group in piece.items()}
    written: list[str] = []
    for piece in part:
        if isinstance(piece, str):
            written.append(piece)
        else:
            tag = next(iter(piece.values()), "").partition(" ")[0]  # all have the same
            written += [left_empty(key, tag) if same.get(key) == group else group for key, group in piece.items()]
    return "".join(written)


@lru_cache(KEPT)
def left_empty(key: str, tag: str) -> str:
    """An element that stays as it is on the page; of its tag the beginning, such as `<g`."""
    return f'{tag} id="{key}" data-same></{tag[1:]}>'


def changes(visitor: Visitor, scene: Scene, shown: str) -> str:
    """The elements that a page has to replace."""
    templates = macros(scene.language)
    name, parts = draw(visitor, scene)
    known = _shown.get(shown, {})
    changed = {key: joined(part, known.get(key, ())) for key, part in parts.items() if known.get(key) != part}
    if not changed.keys().isdisjoint(LAYERS):
        layers = [changed.pop(key, left_empty(key, "<g")) for key in LAYERS]
        changed["board"] = templates.board(scene.cut, Markup("".join(layers)))
    written = {"status": templates.status(scene, name), **changed}
    return "".join(
        f'<hx-partial hx-target="#{key}" hx-swap="outerMorph">{markup}</hx-partial>\n'
        for key, markup in written.items()
    )


def whole(
    visitor: Visitor, scene: Scene, messages: Sequence[Message], address: str = "", *, looking: bool = False
) -> str:
    """The whole page."""
    name, parts = draw(visitor, scene)
    templates = macros(scene.language)
    written = {key: Markup(joined(part)) for key, part in parts.items()} | {"status": templates.status(scene, name)}
    layers = (scene.moment.ground(scene.cut), written.pop("pieces"), written.pop("targets"))
    written["board"] = templates.board(scene.cut, Markup("".join(layers)))
    return rendered(
        visitor, "table.html", scene=scene, parts=written, messages=messages, looking=looking, address=address
    )
