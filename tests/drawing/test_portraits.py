"""Faces and the landscape: every character has one, and each is a picture of its own."""

from xml.etree import ElementTree

import pytest

from franchise.bots.characters import CHARACTERS, character_of, free_characters
from franchise.drawing.landscape import LIGHTS, roadside_svg
from franchise.drawing.portraits import FACES, GUIDE, portrait_svg


def test_every_character_and_the_guide_have_a_face_and_nobody_else() -> None:
    assert set(FACES) == {*CHARACTERS, GUIDE}


def test_no_two_faces_are_alike() -> None:
    assert len({portrait_svg(name) for name in FACES}) == len(FACES)


@pytest.mark.parametrize("picture", [*map(portrait_svg, FACES), *map(roadside_svg, LIGHTS)])
def test_pictures_are_well_formed_and_show_nothing_from_elsewhere(picture: str) -> None:
    root = ElementTree.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "href" not in picture


def test_a_bot_keeps_the_face_of_its_name_and_an_old_one_gets_one_by_its_seat() -> None:
    assert character_of("Slick Vic", 0) == "Slick Vic"
    assert {character_of("Regular 2", seat) for seat in range(5)} == set(CHARACTERS)


def test_characters_that_sit_at_the_table_are_not_given_again() -> None:
    assert free_characters(["Slick Vic", "Ada"]) == [name for name in CHARACTERS if name != "Slick Vic"]
