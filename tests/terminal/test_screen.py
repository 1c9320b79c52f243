"""The full-screen table, driven as a person does: by keys and by mouse, at 80 by 24 and larger."""

import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, tzinfo
from pathlib import Path

import pytest
from rich.color import Color, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color as ScreenColor
from textual.widgets import OptionList

from franchise.bots.protocol import Analysis, Cancelled
from franchise.drawing.theme import THEMES
from franchise.engine.actions import Action
from franchise.engine.setups import Options
from franchise.facts import BOARD
from franchise.game import Game
from franchise.record import read_file
from franchise.terminal.dialogs import ChoiceDialog, TextDialog
from franchise.terminal.help import help_text
from franchise.terminal.local_table import LocalTable, NotDone
from franchise.terminal.map_layout import layout, short
from franchise.terminal.map_widget import MapWidget
from franchise.terminal.palette import BOARDS, PALETTES, nearest_256
from franchise.terminal.screen import LEAST
from franchise.terminal.side_text import modules
from franchise.terminal.text_map import BOOM, CHOOSE, EMPTY, MOVED, OUT_OF_PLAY, SCORED, Marks, worth
from franchise.wording.language import LANGUAGES, language
from terminal.conftest import Seat, seated

Play = Callable[..., AbstractAsyncContextManager[Seat]]
GAMES = Path(__file__).parents[1] / "games"


def opened() -> Game:
    """Two people, both with a first franchise; blue to expand."""
    game = Game(2, 1)
    for move in ("start Memphis", "start Indianapolis"):
        game.play(move)
    return game


async def test_a_whole_game_against_a_bot_by_keys(play: Play) -> None:
    async with play(Game(2, 3), humans=1, level="random") as me:
        while True:  # after some turns without expanding any more, until the bot does not expand either
            await me.until(lambda: me.game.over or me.game.current_player == 0)
            if me.game.over:
                break
            if me.app.prompt.spots and not me.game.view()["markers"] and me.game.turn < 8:
                await me.type(me.app.prompt.spots[0].name[:3].casefold())
                await me.press("enter")
                if isinstance(me.app.screen, ChoiceDialog):
                    await me.press("enter")
            buttons = [button.moves for button in me.app.prompt.buttons]
            if buttons:
                turn = me.game.turn
                await me.press(str(buttons.index(next(b for b in buttons if b.endswith("end"))) + 1))
                assert me.game.turn > turn or me.game.over
        await me.until(lambda: isinstance(me.app.screen, TextDialog))
        assert me.game.turn > 8
        assert me.game.view()["players"][0]["towns"] > 1
        assert "wins with" in me.text or "share the victory" in me.text
        assert str(max(me.game.result().scores)) in me.text


async def test_the_screen_at_80_by_24_shows_everything_there_is_to_decide_by(play: Play) -> None:
    async with play(opened()) as me:
        shown = me.text.splitlines()
        assert [len(row) for row in shown] == [80] * 24
        assert shown[0].startswith("Turn 1  1 2 Expand 3 4 5  Region track ✓✓✓2343200")
        chart = "\n".join(shown[1:15])
        assert "1StLo ···" in chart  # a price before what can be chosen, and the spaces
        assert " Memp ▪" in chart
        assert "›Indi ●" in chart  # the last move was about it
        assert " Seat ×" in chart  # out of play with two
        assert "Texas" in chart
        assert "▶● Blue" in shown[18]
        assert "$3" in shown[18]
        assert "Expand to a" in me.text
        assert "It is your turn" not in me.text  # two before one screen: by name
        assert "Blue, it is your turn" in me.text
        assert shown[23].startswith("Enter choose  u undo  ? keys  q leave")


async def test_tab_goes_to_a_move_in_the_list_and_enter_makes_it(play: Play) -> None:
    async with play(Game(3, 5), humans=1, level="random") as me:
        await me.until(lambda: me.game.current_player == 0 and bool(me.app.prompt.spots))
        first = me.app.spots()[0].name
        assert me.app.map_widget.cursor == first  # not on the place the map happens to begin with
        await me.press("tab", "enter")
        assert me.game.view()["locations"][first]["spaces"] == ["blue"]
        places = [spot.name for spot in me.app.spots()]
        prices = [spot.choices[0].link or 0 for spot in me.app.spots()]
        assert prices == sorted(prices)
        assert me.app.map_widget.cursor == places[0]  # no longer on the town just taken, which cannot be chosen again


@pytest.mark.parametrize("keys", [("tab", "enter"), (*"detroit", "enter")])
async def test_keys_that_arrive_together_do_what_they_do_one_by_one(play: Play, keys: tuple[str, ...]) -> None:
    async with play(opened()) as me:
        one_by_one = opened()
        place = me.app.spots()[0].name
        one_by_one.play("done" if keys[0] == "tab" else "expand Detroit")
        assert place != "Detroit"
        for key in keys:  # as a slow connection delivers them: in one piece
            me.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await me.pilot.pause()
        await me.until(lambda: len(me.game.actions) >= len(one_by_one.actions))
        assert me.game.actions == one_by_one.actions


@pytest.mark.parametrize("columns", [80, 100, 120])
async def test_a_french_line_does_not_break_before_a_colon(columns: int) -> None:
    game = Game(2, 1)
    for move in ("start Memphis", "start Indianapolis", "done"):
        game.play(move)
    async with seated(LocalTable(game, {1: Thinker()}, language("fr")), (columns, 36)) as me:
        assert "augmenter\u00a0:" in me.text


async def test_a_dialog_is_a_box_over_the_table_and_hides_no_more_of_it_than_it_needs(play: Play) -> None:
    async with play(opened(), size=(120, 36)) as me:
        await me.press("1")  # there is something to save now
        await me.press("q")
        assert "Leave the table?" in me.text
        box = me.app.screen.children[0].region
        assert (box.width, box.height < 10) == (76, True)
        assert "New York" in me.text  # the map around it


def test_of_256_colours_a_dark_blue_stays_dark_and_not_black() -> None:
    night, amber = (nearest_256(Color.parse(colour)) for colour in ("#131832", "#ffb020"))
    assert night.number in range(234, 238)
    assert amber.number == 214
    style = Style(color="#ffb020", bgcolor="#131832", bold=True)
    (painted,) = PALETTES["256"].apply([Segment("x", style)], ScreenColor(0, 0, 0))
    assert painted == Segment("x", Style(color=amber, bgcolor=night, bold=True))


async def test_during_the_draft_a_city_is_said_to_have_no_tile_yet(play: Play) -> None:
    async with play(Game(4, 1, Options(expert="draft"))) as me:
        assert "San Francisco (California): no tile yet" in me.text
        assert "city of 0" not in me.text


@pytest.mark.parametrize("theme", BOARDS)
def test_of_16_colours_every_player_has_their_own(theme: str) -> None:
    fills = [Style(bgcolor=piece.fill) for piece in BOARDS[theme].pieces.values()]
    painted = PALETTES["standard"].apply([Segment("x", fill) for fill in fills], ScreenColor(0, 0, 0))
    shown = [segment.style.bgcolor.downgrade(ColorSystem.STANDARD).number for segment in painted]
    assert shown == [12, 9, 11, 0, 15]  # bright blue, bright red, bright yellow, black, bright white
    (other,) = PALETTES["standard"].apply([Segment("x", Style(color="#123456"))], ScreenColor(0, 0, 0))
    assert other == Segment("x", Style(color="#123456"))


async def test_every_place_is_on_the_map_at_every_size(play: Play) -> None:
    async with play(opened()) as me:
        for size in ((80, 24), (100, 30), (120, 40), (200, 60)):
            await me.pilot.resize_terminal(*size)
            await me.pilot.pause()
            names = me.app.map_widget.arrangement.look.names
            assert names == (size >= (100, 30))
            for place in BOARD.locations:
                assert (place.name if names else short(place.name)) in me.text, (size, place.name)


async def test_a_small_terminal_gets_a_sentence_and_the_table_back_when_it_grows(play: Play) -> None:
    async with play(opened(), size=(79, 23)) as me:
        assert "needs 80 columns and 24 rows" in " ".join(me.text.split())
        assert "Region track" not in me.text
        await me.pilot.resize_terminal(*LEAST)
        await me.pilot.pause()
        assert "needs 80 columns" not in me.text
        assert "Memp ▪" in me.text


async def test_a_click_on_a_place_expands_there_and_undo_takes_it_back(play: Play) -> None:
    async with play(opened()) as me:
        box = me.app.map_widget.arrangement.places["St. Louis"]
        await me.pilot.click("#map", offset=(box.left + 2, box.top))
        await me.pilot.pause()
        assert me.game.view()["markers"] == ["St. Louis"]
        assert "StLo ○··" in me.text
        await me.press("u")
        assert me.game == opened()
        assert "StLo ···" in me.text
        await me.press("u", "u", "u")
        assert me.game.actions == ()
        assert me.prompt == "You have no move to take back."


async def test_a_place_that_cannot_be_chosen_says_why(play: Play) -> None:
    async with play(opened()) as me:
        await me.type("new y")
        assert me.app.map_widget.cursor == "New York"
        await me.press("enter")
        assert me.game == opened()
        assert "Not possible: " in me.text
        await me.press("escape")
        assert "Not possible: " not in me.text
        await me.type("newx")  # nothing goes on like that, and nothing begins like it
        assert me.app.filter == "new"
        await me.type("d")  # but this does
        assert (me.app.filter, me.app.map_widget.cursor) == ("d", "Detroit")


async def test_arrows_go_from_place_to_place_and_the_list_follows(play: Play) -> None:
    async with play(opened()) as me:
        me.app.map_widget.look_at("Denver")
        await me.press("right")
        east = me.app.map_widget.cursor
        assert east in ("Ogallala", "Dodge City", "Omaha", "Pueblo")
        await me.press("left")
        assert me.app.map_widget.cursor == "Denver"
        assert "Denver, city of 4 in Grand Canyon: 4 free" in me.text
        await me.press("tab", "down", "down", "down", "down")
        listed = me.app.screen.query_one("#moves", OptionList)
        assert listed.has_focus
        row = me.app.rows[listed.highlighted or 0]
        assert me.app.map_widget.cursor == getattr(row, "name", "")


def test_every_place_can_be_reached_by_arrows() -> None:
    made = layout(80, 14, tuple(place.size for place in BOARD.locations))

    class Still(MapWidget):
        arrangement = made  # type: ignore[assignment]

    chart = Still({})
    seen, ahead = set(), ["Denver"]
    while ahead:
        here = ahead.pop()
        if here not in seen:
            seen.add(here)
            chart.marks = Marks(here)
            ahead += [chart.neighbour(*step) for step in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    assert seen == set(BOARD.location_ids)


async def test_a_record_is_looked_at_move_by_move_turn_by_turn_and_written_again(play: Play, tmp_path: Path) -> None:
    game = read_file(GAMES / "base-3.franchise")

    async with play(game, folder=tmp_path) as me:
        assert "End of the game" in me.text
        await me.press("home")
        assert f"move 0 of {len(game.actions)}" in me.text
        assert "Set-up" in me.text
        await me.press("pagedown", "pagedown", "pagedown")
        assert me.app.game.actions == game.actions[:3]
        assert "Turn 1" in me.text
        await me.press("right_square_bracket")
        assert me.app.game.turn == 2
        await me.press("left_square_bracket", "pageup")
        assert me.app.game.actions == game.actions[:2]
        await me.press("escape")
        assert me.app.game == game
        await me.press("ctrl+s")
        (written,) = tmp_path.glob("*.franchise")
        assert read_file(written) == game


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", ("Turn 1", "Region track", "Expand", "choose", "free")),
        ("de", ("Zug 1", "Regionenleiste", "expandiere", "auswählen", "frei")),
        ("fr", ("Tour 1", "Piste de région", "développe", "choisir", "libre")),
    ],
)
async def test_the_table_speaks(code: str, words: tuple[str, ...], play: Play) -> None:
    async with play(opened(), code=code) as me:
        await me.type("st.")
        shown = me.text.casefold()
        assert [word for word in words if word.casefold() not in shown] == []
        await me.press("escape", "question_mark")
        assert isinstance(me.app.screen, TextDialog)
        assert me.text.count("╭") == 1
        assert ("Strg+S" if code == "de" else "Ctrl+S") in me.text
        before = me.text
        await me.press("end")  # scrolls the page, and does not look back behind it
        assert me.text != before
        assert me.app.moment is None
        await me.press("home")
        assert (me.text, me.app.moment) == (before, None)


async def test_leaving_asks_before_moves_are_lost(play: Play, tmp_path: Path) -> None:
    async with play(opened(), folder=tmp_path) as me:
        await me.type("st. l")
        await me.press("enter", "q")
        assert "Leave the table?" in me.text
        await me.press("escape")
        assert me.app.is_running
        await me.press("q", "enter")
        assert not me.app.is_running
        (written,) = tmp_path.glob("*.franchise")
        assert read_file(written) == me.game
        assert me.app.return_value == f"The record is saved in {written}."


async def test_every_save_is_a_file_of_its_own(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Noon(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Noon":
            return cls(2026, 11, 19, 12)

    monkeypatch.setattr("franchise.terminal.screen.datetime", Noon)
    async with play(opened(), folder=tmp_path) as me:
        await me.press("ctrl+s")
        first = me.game
        await me.type("st. l")
        await me.press("enter", "ctrl+s")
        assert read_file(tmp_path / "20261119-120000.franchise") == first
        assert read_file(tmp_path / "20261119-120000-2.franchise") == me.game != first


async def test_a_folder_that_cannot_be_written_to_is_named(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    async with play(opened(), folder=tmp_path / "gone", code="de") as me:
        monkeypatch.setattr(me.app, "notify", lambda message, **_: shown.append(message))
        await me.type("st. l")
        await me.press("enter", "ctrl+s")
        assert me.app.unsaved()
    (message,) = shown
    assert message.startswith(f"Die Aufzeichnung kann nicht gespeichert werden: {tmp_path / 'gone'}")
    assert "Errno" not in message


def test_no_place_begins_with_a_letter_that_is_a_key() -> None:
    words = [word.casefold() for place in BOARD.locations for word in place.name.split()]
    assert [word for word in words if word[0] in "uq"] == []


class Thinker:
    """A bot that thinks until it is told to stop."""

    name = "thinker"

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def choose(self, game: Game) -> Action:
        assert self.stopped.wait(60)
        self.stopped.clear()
        raise Cancelled

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        raise NotImplementedError

    def cancel(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        """Nothing to give back."""


def test_moves_that_go_together_are_taken_back_together() -> None:
    table = LocalTable(opened(), {}, language("en"))
    table.play("expand St. Louis; done")
    table.play("end")
    with pytest.raises(NotDone, match="end ends your turn"):
        table.play("done; end; done")  # the next player's
    table.undo()
    assert table.game.phase == "grow"
    table.undo()
    assert table.game == opened()


async def test_a_bot_that_thinks_does_not_freeze_the_screen_and_undo_stops_it() -> None:
    table = LocalTable(opened(), {1: Thinker()}, language("en"))
    async with seated(table, (80, 24)) as me:
        await me.press("2")  # ends the turn
        assert "Red is thinking…" in me.text
        before = me.app.map_widget.cursor
        await me.press("left", "up", "right", "down", "right")
        assert me.app.map_widget.cursor != before
        await me.press("u")
        assert "It is your turn" in me.text
        assert me.game == opened()


async def test_ctrl_c_asks_before_moves_are_lost_and_leaves_the_second_time(play: Play) -> None:
    async with play(opened()) as me:
        await me.press("1")
        await me.press("ctrl+c")
        assert "Leave the table?" in me.text
        await me.press("escape")
        assert "Leave the table?" not in me.text
        await me.press("ctrl+c")
        await me.press("ctrl+c")
        assert me.app.return_code == 130


async def test_ctrl_c_leaves_at_once_when_nothing_would_be_lost(play: Play) -> None:
    async with play(opened()) as me:
        await me.press("ctrl+c")
        assert me.app.return_code == 130


@pytest.mark.parametrize(("code", "last"), [("en", "PgUp look back"), ("de", "F3 Protokoll"), ("fr", "F3 Journal")])
async def test_the_line_of_keys_shows_whole_words_at_80_columns(play: Play, code: str, last: str) -> None:
    async with play(opened(), code=code) as me:
        assert me.text.splitlines()[-1].rstrip().endswith(last)


@pytest.mark.parametrize(
    ("kind", "values", "code", "written"),
    [
        ("plain", [10, 8, 5], "de", "10/8/5"),
        ("dollars", [12, 8, 4], "en", "$12/8/4"),
        ("dollars", [12, 8, 4], "de", "12/8/4$"),
        ("count", [2, 0, -2], "fr", "+2/0/−2"),
    ],
)
def test_values_of_a_region_tile_are_written_as_the_language_writes_them(
    kind: str, values: list[int], code: str, written: str
) -> None:
    region = {"blocked": False, "scored": False, "kind": kind, "values": values}
    assert worth(region, language(code).words["money"]) == written


def test_milestones_nobody_has_met_stand_without_a_gap() -> None:
    view = {"milestones": [{"id": letter, "claimed": [], "beside": []} for letter in "ab"]}
    assert modules(view, language("en"), THEMES["classic"]).plain == "4 towns · 4 regions"


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_help_explains_every_sign_before_and_after_a_name(code: str) -> None:
    signs = help_text(language(code), THEMES["classic"]).plain
    for sign in (EMPTY, SCORED, BOOM, CHOOSE, MOVED, OUT_OF_PLAY, "3", "+"):
        assert f"\n{sign} " in signs or f"  {sign} " in signs
