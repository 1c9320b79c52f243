"""The tutorial: every lesson can be played to its end, says what is so, and asks for nothing else."""

import httpx
import pytest

from franchise.web.lessons import LEARNER, LESSONS, LessonPosition, place_at, script
from franchise.web.tutorial import scene_of, whole
from franchise.web.visitor import Visitor
from franchise.wording.language import LANGUAGES, language

NUMBERS = range(1, len(LESSONS) + 1)


def offers(place: LessonPosition) -> list[str]:
    """The moves that can be chosen at a place of the tutorial."""
    prompt = scene_of(place, language("en")).prompt
    return [choice.moves for spot in prompt.spots for choice in spot.choices] + [b.moves for b in prompt.buttons]


@pytest.mark.parametrize("number", NUMBERS)
def test_each_step_offers_the_next_move_of_the_script_and_nothing_else(number: int) -> None:
    place = place_at(number, 0)
    while not place.complete:
        found = offers(place)
        assert found
        following = place.after([move.strip() for move in found[0].split(";")])
        assert following is not None
        assert following.made > place.made
        assert place.game.current_player == LEARNER
        place = following
    assert offers(place) == []


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_texts_are_complete_in_every_language(number: int, code: str) -> None:
    lesson = LESSONS[number - 1]
    for place in (place_at(number, 0), place_at(number, 100)):
        text = place.text(language(code))
        assert text
        assert "{" not in text
        assert (text == place.text(language("en"))) == (code == "en")
    assert (language(code).text(lesson.title) == lesson.title) == (code == "en")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_bar_of_the_third_lesson_says_what_the_end_of_the_turn_will_do(code: str) -> None:
    place = place_at(3, 0)
    shown = scene_of(place, language(code))
    assert [button.moves for button in shown.prompt.buttons] == ["done; end"]
    assert "Kansas City" in shown.outlook
    page = bytes(whole(Visitor(None, "", language(code), "auto"), place).body).decode()
    assert f">{shown.outlook}</p>" in page


def test_lessons_follow_each_other_through_the_record() -> None:
    assert [lesson.first for lesson in LESSONS] == sorted(lesson.first for lesson in LESSONS)
    assert LESSONS[-1].last == len(script().actions)
    assert script().over


def test_the_script_is_refused_another_move() -> None:
    assert place_at(1, 0).after(["start Reno"]) is None
    assert place_at(1, 0).after(["start Little Rock", "end"]) is None


def test_a_lesson_works_as_a_plain_form(client: httpx.Client) -> None:
    wrong = client.post("/learn/1/move", data={"version": "0", "moves": "start Reno"})
    assert wrong.status_code == 422
    assert "this lesson asks for another move" in wrong.text
    right = client.post("/learn/1/move", data={"version": "0", "moves": "start Little Rock"})
    assert (right.status_code, right.headers["location"]) == (303, "/learn/1?made=1")
    assert client.get("/learn/3").status_code == 200
    assert client.get("/learn").headers["location"] == "/learn/3"  # where one stopped
    assert client.get("/learn/99", headers={"Accept-Language": "de"}).status_code == 200
