"""Charts on pages, in the language of the page."""

import re

import pytest

from franchise.arena.intervals import share
from franchise.arena.statistics import Row
from franchise.web.charts import ChartLines
from franchise.web.templating import chances, intervals
from franchise.wording.language import language

SIGNS = {"en": "20%", "de": "20\xa0%", "fr": "20\xa0%"}


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize("code", SIGNS)
def test_the_axes_of_shares_and_chances_have_per_cent_as_the_language_writes_it(code: str) -> None:
    rows = [Row("seat 0", 20, share(12, 20), 0.5)]
    assert SIGNS[code] in texts(intervals(rows, "Seats", language(code)))
    course = ChartLines("chances", (1, 2), ((40, 60), (60, 40)))
    assert SIGNS[code] in texts(chances(course, "Chances", {}, language(code)))
