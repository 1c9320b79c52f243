"""The tutorial on the real table: the script provides the next move, the engine its effects."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from franchise.drawing.cuts import cut_of
from franchise.drawing.notes import NotePart
from franchise.drawing.targets import Target
from franchise.engine.layout import Kind
from franchise.insight.turn_bounds import turn_starts
from franchise.server.tables.table import Clock, Seat, Table
from franchise.web import table_parts
from franchise.web.lessons import LEARNER, LessonPosition, place_at, script
from franchise.web.scene import Scene
from franchise.web.start_page import SEE_OTHER
from franchise.web.templating import answered
from franchise.web.visitor import YEAR_S, Visitor, visitor_of
from franchise.wording.advice import step
from franchise.wording.language import Language
from franchise.wording.prompt import PlaceChoice, Prompt, acting

router = APIRouter(prefix="/learn", include_in_schema=False)

PROGRESS = "franchise_lesson"  # a cookie with the visitor's current lesson
CREATED = datetime(2026, 1, 1, tzinfo=UTC)
BESIDE = 0.47  # of the map: what the guide may hide at its upper left
FIRST = LessonPosition(1, 0)
Made = Annotated[int, Query(ge=0, le=100)]


@dataclass(frozen=True)
class LessonStep:
    """A move of a lesson in words."""

    text: str
    state: str  # past, now or later


@dataclass(frozen=True)
class LessonScene(Scene):
    """The table of a lesson: only the script's next move can be chosen."""

    place: LessonPosition = FIRST

    @property
    def url(self) -> str:
        return f"/learn/{self.place.number}"

    @property
    def lesson(self) -> LessonPosition:
        return self.place

    @property
    def acts(self) -> bool:
        return not self.place.complete

    @property
    def may_undo(self) -> bool:
        return False

    @cached_property
    def steps(self) -> tuple[LessonStep, ...]:
        """The learner's moves of this lesson in words."""
        lesson, walk = self.place.lesson, script().at(self.place.lesson.first)
        steps: list[LessonStep] = []
        for number, action in enumerate(script().actions[lesson.first : lesson.last]):
            if walk.current_player == LEARNER and action.kind not in (Kind.DONE, Kind.STAY):
                past = number < self.place.made
                now = not past and all(step.state == "past" for step in steps)
                steps.append(LessonStep(step(action, self.language), "past" if past else "now" if now else "later"))
            walk.play(action)
        return tuple(steps)

    @property
    def step(self) -> str:
        """The current instruction."""
        return next((step.text for step in self.steps if step.state == "now"), self.prompt.title)

    @property
    def outlook(self) -> str:
        """What the move that the lesson asks for would do."""
        choices = [choice for spot in self.prompt.spots for choice in spot.choices]
        buttons = [" ".join(button.outlook) for button in self.prompt.buttons]
        outlook = choices[0].outlook if choices else "".join(buttons[:1])
        return outlook[:1].upper() + outlook[1:]

    @property
    def guide_side(self) -> str:
        """The position of the guide: over land that is not in play, unless that hides the lesson's target."""
        cut = cut_of(self.view, self.cut)
        places = [cut.places[spot.name].at for spot in self.prompt.spots if spot.name in cut.places]
        hidden = any(at.x < BESIDE * cut.size.width and at.y < BESIDE * cut.size.height for at in places)
        return "right" if hidden else "left"

    def target(self, number: int, spot: PlaceChoice) -> Target:
        """Highlight what the lesson asks for."""
        return replace(super().target(number, spot), note=(NotePart(self.language.text("Press here")),), urged=True)

    def make_prompt(self) -> Prompt:
        """The prompt for the script's next move."""
        prompt = Prompt(self.language.text(self.place.lesson.title), self.place.text(self.language), 0)
        if self.place.complete:
            return prompt
        offered = acting(self.game, None, self.language)

        def fits(moves: str) -> bool:
            return self.place.after([move.strip() for move in moves.split(";")]) is not None

        spots = tuple(
            spot._replace(choices=tuple(choice for choice in spot.choices if fits(choice.moves)))
            for spot in offered.spots
            if any(fits(choice.moves) for choice in spot.choices)
        )
        buttons = tuple(replace(button, primary=True) for button in offered.buttons if fits(button.moves))
        return replace(prompt, phase=offered.phase, spots=spots, buttons=buttons)


def scene_of(place: LessonPosition, language: Language, notice: str = "", cut: str = "L") -> LessonScene:
    """The table at a position of the tutorial."""
    game = place.game
    seats = tuple(
        Seat(number, "human" if number == LEARNER else "bot", "", None if number == LEARNER else "casual", True)
        for number in range(game.players)
    )
    table = Table(
        id=f"lesson-{place.number}",
        version=place.made,
        game=game,
        seats=seats,
        public=False,
        clock=Clock(),
        created_at=CREATED,
        changed_at=CREATED,
        base=len(game.actions),
        starts=turn_starts(game),
    )
    return LessonScene(table, game, place.made, True, frozenset({LEARNER}), language, notice, cut=cut, place=place)


@router.get("")
async def resume(request: Request) -> Response:
    """Continue where the visitor stopped."""
    stored = request.cookies.get(PROGRESS, "1")
    number = int(stored) if stored.isdecimal() and len(stored) < 4 else 1
    return RedirectResponse(f"/learn/{place_at(number, 0).number}", SEE_OTHER)


@router.get("/{number}")
async def lesson(request: Request, number: int, made: Made = 0) -> Response:
    """A lesson, with so many of its moves made."""
    visitor = visitor_of(request)
    place = place_at(number, made)
    response = whole(visitor, place)
    response.set_cookie(PROGRESS, str(place.number), max_age=YEAR_S, samesite="lax")
    return response


def whole(visitor: Visitor, place: LessonPosition, notice: str = "", status: int = 200) -> Response:
    return answered(table_parts.whole(visitor, scene_of(place, visitor.language, notice, visitor.cut), ()), status)


@router.get("/{number}/scene")
async def parts(request: Request, number: int, made: Made = 0) -> Response:
    """The parts of the page that a move changes."""
    visitor = visitor_of(request)
    return changed(request, visitor, place_at(number, made))


def changed(request: Request, visitor: Visitor, place: LessonPosition, notice: str = "", status: int = 200) -> Response:
    shown = request.headers.get(table_parts.NAME, "")
    return answered(table_parts.changes(visitor, scene_of(place, visitor.language, notice, visitor.cut), shown), status)


@router.post("/{number}/move")
async def move(
    request: Request,
    number: int,
    version: Annotated[int, Form(ge=0, le=100)],
    moves: Annotated[str, Form(max_length=200)],
) -> Response:
    """Make the script's next move; for any other move, say which one it is."""
    visitor = visitor_of(request)
    place = place_at(number, version)
    following = place.after([text.strip() for text in moves.split(";")])
    notice = "" if following is not None else visitor.language.text("Not that one: this lesson asks for another move.")
    status = 200 if following is not None else 422
    place = following or place
    if request.headers.get("hx-request"):
        return changed(request, visitor, place, notice, status)
    if notice:
        return whole(visitor, place, notice, status)
    return RedirectResponse(f"/learn/{place.number}?made={place.made}", SEE_OTHER)
