"""The full-screen table: what is shown where, and what the keys and the mouse do."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical, VerticalScroll
from textual.filter import LineFilter
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from franchise.engine.layout import EventKind
from franchise.facts import BOARD
from franchise.insight.turn_bounds import turn_starts
from franchise.terminal import side_text
from franchise.terminal.dialogs import ChoiceDialog, TextDialog
from franchise.terminal.help import help_text
from franchise.terminal.local_table import LocalTable, NotDone, TableLost, TerminalTable, prompt_at
from franchise.terminal.map_widget import MapWidget
from franchise.terminal.move_list import matches, row_text, sign
from franchise.terminal.no_break import HeldSpaces, Panel
from franchise.terminal.palette import BOARDS, PALETTES, board_of, screen_theme, terminal_theme
from franchise.terminal.text_map import CHOOSE, Marks
from franchise.wording.language import LANGUAGES, language
from franchise.wording.log import place_of
from franchise.wording.prompt import Button, PlaceChoice, Prompt
from franchise.wording.refusals import why_not_here

LEAST = (80, 24)  # columns and rows
WIDE = (116, 32)  # from which the panels are beside the map
LOG_ROWS = 40
INTERRUPTED = 130  # exit code after Ctrl-C


class Players(Panel):
    """The table of players, which fills its panel."""

    class Resized(Message):
        """The panel has another size."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class TableApp(App[str]):
    """The full-screen table; its result is a closing message, or nothing."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar = [
        Binding("tab,shift+tab", "switch", show=False, priority=True),
        Binding("escape", "clear", show=False),
        Binding("pageup", "step(-1)", show=False, priority=True),
        Binding("pagedown", "step(1)", show=False, priority=True),
        Binding("home", "moment(0)", show=False, priority=True),
        Binding("end", "now", show=False, priority=True),
        Binding("left_square_bracket", "turn(-1)", show=False),
        Binding("right_square_bracket", "turn(1)", show=False),
        Binding("f1", "help", show=False),
        Binding("f2", "regions", show=False),
        Binding("f3", "log", show=False),
        Binding("ctrl+s", "save", show=False),
        Binding("ctrl+t", "theme", show=False),
        Binding("ctrl+l", "language", show=False),
        Binding("ctrl+c,ctrl+q", "interrupt", show=False, priority=True),
    ]

    class Changed(Message):
        """Another player has moved."""

    class Lost(Message):
        """The game cannot continue here."""

        def __init__(self, reason: str) -> None:
            super().__init__()
            self.reason = reason

    def __init__(self, table: TerminalTable, theme: str | None = None, folder: Path | None = None) -> None:
        super().__init__()
        self.table = table
        self.folder = folder or Path.cwd()
        self.moment: int | None = None  # number of moves shown; None for the current position
        self.filter = ""
        self.notice = ""
        self.saved: tuple[object, ...] = table.game.actions  # moves that have been saved
        self.ranked = table.game.over  # whether the final standing has been shown
        self.rows: list[Button | PlaceChoice] = []
        for name in BOARDS:
            self.register_theme(screen_theme(name))
        self.theme = f"franchise-{theme or terminal_theme()}"
        self.game = table.game
        self.view: dict[str, Any] = self.game.view()
        self.prompt = Prompt("", "", 0)
        self.leaving = False  # whether the person is being asked about leaving
        self.choosing: int | None = None  # the phase, if there was a place to choose when the screen was last drawn

    def get_line_filters(self) -> Sequence[LineFilter]:
        """With 256 colours or fewer, choose among them ourselves: dark blues would turn black, orange pieces red."""
        palette = PALETTES.get(self.console.color_system or "")
        return [*super().get_line_filters(), *([palette] if palette else []), HeldSpaces()]

    def compose(self) -> ComposeResult:
        yield Panel(id="status")
        with Container(id="main"):
            with Vertical(id="board"):
                yield MapWidget(self.view)
                yield Panel(id="info")
            with Container(id="side"):
                yield Players(id="players")
                yield Panel(id="modules")
                yield Panel(id="regions")
                with Vertical(id="turn"):
                    yield Panel(id="prompt")
                    yield OptionList(id="moves")
                with VerticalScroll(id="course", can_focus=False):
                    yield Panel(id="log")
        yield Panel(id="keys")
        yield Panel(id="small")

    def on_mount(self) -> None:
        self.show()
        self.map_widget.focus()
        self.watch(self, "theme", self.repaint, init=False)
        if any(self.table.left(seat) is not None for seat in range(self.table.game.players)):
            self.panel("players").set_interval(1, self.show_players)
        # A panel's timers end with it; the app's go on as it closes.
        self.panel("status").set_interval(1, self.show_status)
        self.follow()

    @property
    def map_widget(self) -> MapWidget:
        return self.screen_stack[0].query_one(MapWidget)

    def panel(self, name: str) -> Panel:
        return self.screen_stack[0].query_one(f"#{name}", Panel)

    # --- other players ---

    @work(thread=True)
    def follow(self) -> None:
        """Wait for the other players, in a separate thread."""
        try:
            while self.table.advance():
                self.post_message(self.Changed())
        except TableLost as error:
            self.post_message(self.Lost(str(error)))

    def on_table_app_changed(self) -> None:
        self.show()

    def on_table_app_lost(self, event: Lost) -> None:
        self.exit(event.reason, return_code=1)

    def on_unmount(self) -> None:
        self.table.close()

    # --- showing ---

    def on_resize(self, event: events.Resize) -> None:
        size = event.size
        small = size.width < LEAST[0] or size.height < LEAST[1]
        wide = size.width >= WIDE[0] and size.height >= WIDE[1]
        base = self.screen_stack[0]
        base.set_class(small, "-small")
        base.set_class(wide and not small, "-wide")
        base.set_class(not wide and not small, "-narrow")
        base.set_class(wide and size.width >= 170, "-broad")
        if not wide:
            base.query_one("#side").styles.height = 6 + max(0, size.height - LEAST[1]) // 3
        else:
            base.query_one("#side").styles.height = "1fr"
        self.call_after_refresh(self.show)

    def repaint(self) -> None:
        self.show()

    def show(self) -> None:
        """Redraw everything for the position that is shown."""
        game = self.table.game
        live = self.moment is None or self.moment >= len(game.actions)
        if live:
            self.moment = None
        self.game = game if live else game.at(self.moment or 0)
        self.view = self.game.view()
        self.prompt = prompt_at(self.table, self.game, live)
        language, theme = self.table.language, board_of(self.theme)
        self.show_prompt(live)
        self.show_map()
        self.place_cursor()
        self.show_info()
        self.show_status()
        self.show_players()
        modules = side_text.modules(self.view, language, theme)
        self.panel("modules").update(modules)
        self.panel("modules").display = bool(modules) and self.screen_stack[0].has_class("-wide")
        self.panel("regions").update(side_text.regions(self.view, language, theme))
        self.panel("log").update(side_text.log_text("terminal", self.game, language, theme, LOG_ROWS))
        self.screen_stack[0].query_one("#course").scroll_end(animate=False)
        self.panel("keys").update(self.keys())
        self.panel("small").update(
            language.text(
                "The table needs {columns} columns and {rows} rows. Make the window larger, or use --plain.",
                columns=LEAST[0],
                rows=LEAST[1],
            )
        )
        if live and game.over and not self.ranked:
            self.ranked = True
            self.action_ranking()

    def on_players_resized(self) -> None:
        self.show_players()

    def show_players(self) -> None:
        room = max(self.panel("players").content_size.width, 36)
        self.panel("players").update(side_text.players(self.table, self.view, board_of(self.theme), room))

    def show_status(self) -> None:
        self.panel("status").update(self.status())

    def status(self) -> Text:
        language = self.table.language
        text = side_text.status(self.game, self.view, self.prompt, language, board_of(self.theme))
        if self.moment is not None:
            moves = len(self.table.game.actions)
            text.append("  " + language.text("move {move} of {moves}", move=self.moment, moves=moves), "bold reverse")
        if self.table.trouble:
            text.append(f"  {self.table.trouble}", "bold reverse")
        return text

    def keys(self) -> Text:
        """The most important keys, as many as fit."""
        words = self.table.language.text
        pairs = (
            (words("Enter"), words("choose")),
            ("u", words("undo")),
            ("?", words("keys")),
            ("q", words("leave")),
            ("F2", words("Regions")),
            ("F3", words("Log")),
            (words("PgUp"), words("look back")),
        )
        text = Text(no_wrap=True, overflow="ellipsis")
        for key, meaning in pairs:
            shown = Text.assemble(("  " if text else ""), (key, "bold reverse"), f" {meaning}")
            if text.cell_len + shown.cell_len <= self.size.width:  # in some languages not all of them fit
                text.append_text(shown)
        return text

    def show_prompt(self, live: bool) -> None:
        """The prompt and the list of moves."""
        words = self.table.language.text
        text = Text(self.prompt.title, style="bold")
        if not live:
            text = Text(words("Looking back: Esc or End returns to the current position."), style="bold")
        elif self.prompt.text:
            text.append(f" – {self.prompt.text}", "not bold")
        if self.notice:
            text = Text(self.notice, style=f"bold {board_of(self.theme).red_zone}")
        if self.filter:
            text.append(f" [{self.filter}▏]", "reverse")
        self.panel("prompt").update(text)
        self.rows = [*self.prompt.buttons, *self.spots()]
        moves = self.screen_stack[0].query_one("#moves", OptionList)
        moves.clear_options()
        moves.add_options(Option(row_text(number, row)) for number, row in enumerate(self.rows, 1))
        moves.display = bool(self.rows)
        if moves.has_focus:
            self.highlight()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget.id == "moves":
            self.highlight()

    def action_switch(self) -> None:
        """Tab: from the map to the list of moves or back, at once, so that an Enter right behind it goes there too."""
        moves = self.screen.query_one("#moves", OptionList)
        self.screen.set_focus(self.map_widget if moves.has_focus or not moves.display else moves)
        self.highlight()

    def highlight(self) -> None:
        """Keep a move highlighted in the list, so that Enter makes it."""
        moves = self.screen_stack[0].query_one("#moves", OptionList)
        if moves.highlighted is None and self.rows:
            moves.highlighted = 0

    def spots(self) -> list[PlaceChoice]:
        """The places that can be chosen and match the typed letters, cheapest first."""
        spots = [spot for spot in self.prompt.spots if matches(spot.name, self.filter)]
        return sorted(spots, key=lambda spot: spot.choices[0].link or 0)

    def show_map(self) -> None:
        spots = self.spots()
        targets = {spot.name: sign(spot) for spot in spots if not spot.on_region}
        regions = {spot.name: CHOOSE for spot in spots if spot.on_region}
        money = self.table.language.words["money"]
        self.map_widget.show(self.view, Marks(self.map_widget.cursor, targets, regions, self.touched(), money))

    def place_cursor(self) -> None:
        """When a choice begins, put the cursor on a place that can be chosen."""
        places = [spot.name for spot in self.spots() if not spot.on_region]
        phase = self.prompt.phase if places else None
        if phase not in (None, self.choosing) and self.map_widget.cursor not in places:
            self.map_widget.look_at(places[0])
        self.choosing = phase

    def touched(self) -> tuple[str, ...]:
        """The places the last move was about."""
        if not self.game.actions:
            return ()
        events = self.game.at(len(self.game.actions) - 1).play(self.game.actions[-1])
        return tuple(
            place for event in events if event.kind != EventKind.TURN and (place := place_of(event)) is not None
        )

    def show_info(self) -> None:
        """The place the cursor is on."""
        language, theme = self.table.language, board_of(self.theme)
        place = self.map_widget.cursor
        spot = next((spot for spot in self.prompt.spots if spot.name == place and not spot.on_region), None)
        rows = [side_text.place_line(place, self.view, language, theme)]
        if spot is not None:
            rows.append(side_text.spot_line(spot))
        rows.append(side_text.region_line(self.view["locations"][place]["region"], self.view, language, theme))
        rows.append(Text(side_text.links_line(place, language)))
        for row in rows:
            row.no_wrap, row.overflow = True, "ellipsis"
        self.panel("info").update(Text("\n").join(rows))

    def on_map_widget_looked(self) -> None:
        self.show_info()

    # --- choosing ---

    async def on_map_widget_chosen(self, event: MapWidget.Chosen) -> None:
        name, on_region = event.name or self.map_widget.cursor, event.on_region
        spot = next((spot for spot in self.prompt.spots if (spot.name, spot.on_region) == (name, on_region)), None)
        if spot is not None:
            await self.choose(spot)
        elif self.prompt.spots and not on_region:
            self.filter = ""
            self.say(why_not_here(self.game, BOARD.location_ids[name], self.table.language))

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "moves" and event.option_index < len(self.rows):
            await self.choose(self.rows[event.option_index])

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the place of the highlighted move on the map."""
        if event.option_list.id == "moves" and event.option_list.has_focus and event.option_index < len(self.rows):
            row = self.rows[event.option_index]
            if isinstance(row, PlaceChoice) and not row.on_region:
                self.map_widget.look_at(row.name)

    async def choose(self, row: Button | PlaceChoice) -> None:
        """Make a move; if there are several ways, ask which."""
        if isinstance(row, Button):
            await self.make(row.moves)
        elif len(row.choices) == 1:
            await self.make(row.choices[0].moves)
        else:
            ways = [(way.moves, Text.assemble((way.text, "bold"), f"\n  {way.outlook}")) for way in row.choices]
            self.push_screen(ChoiceDialog(row.name, ways), self.chosen)

    async def chosen(self, moves: str | None) -> None:
        if moves is not None:
            await self.make(moves)

    async def make(self, moves: str) -> None:
        """Make the person's moves in a thread, because a server may take a while to answer."""
        await self.attempt(self.table.play, moves)

    async def attempt(self, action: Any, *values: str) -> None:
        self.filter = self.notice = ""
        self.moment = None
        try:
            await asyncio.to_thread(action, *values)
        except (NotDone, TableLost) as error:
            self.notice = str(error)
        self.show()
        self.map_widget.focus()

    def say(self, notice: str) -> None:
        self.notice = notice
        self.show_prompt(self.moment is None)
        self.show_map()

    # --- keys ---

    async def on_key(self, event: events.Key) -> None:
        """Letters search. If nothing matches, the search starts over; then `u` and `q` are keys again."""
        letter = event.character or ""
        if len(self.screen_stack) > 1:
            return
        if event.key == "backspace" and self.filter:
            self.search(self.filter[:-1])
        elif letter == "?":
            self.action_help()
        elif letter.isdecimal() and 0 < int(letter) <= len(self.prompt.buttons):
            await self.choose(self.prompt.buttons[int(letter) - 1])
        elif letter.isalpha() or (letter in " ." and self.filter):
            typed = letter.casefold()
            if self.filter and self.search(self.filter + typed):
                pass
            elif typed == "u":
                await self.attempt(self.table.undo)
            elif typed == "q":
                self.action_leave()
            elif not self.search(typed):
                self.bell()
        else:
            return
        event.stop()
        event.prevent_default()  # a dialog that has just opened must not get the key

    def search(self, typed: str) -> bool:
        """Narrow the list to what begins with this text and go to the first; False if nothing does."""
        spots = [spot.name for spot in self.prompt.spots if matches(spot.name, typed)]
        names = spots or [place.name for place in BOARD.locations if matches(place.name, typed)]
        if not names:
            return False
        self.filter, self.notice = typed, ""
        self.show_prompt(self.moment is None)
        self.show_map()
        if typed and names[0] in BOARD.location_ids and self.map_widget.cursor not in names:
            self.map_widget.look_at(names[0])
        return True

    def action_clear(self) -> None:
        """Esc: discard the typed letters, or return to the current position."""
        if not self.filter and not self.notice:
            self.moment = None
        self.filter = self.notice = ""
        self.show()
        self.map_widget.focus()

    # --- looking back ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a dialog is open, it gets all keys."""
        return len(self.screen_stack) == 1 or action not in ("step", "moment", "now", "turn", "switch")

    def action_step(self, moves: int) -> None:
        now = len(self.table.game.actions)
        self.action_moment((now if self.moment is None else self.moment) + moves)

    def action_moment(self, moves: int) -> None:
        """Show the position after that many moves."""
        now = len(self.table.game.actions)
        self.moment = None if moves >= now else max(moves, 0)
        self.filter = self.notice = ""
        self.show()

    def action_now(self) -> None:
        self.action_moment(len(self.table.game.actions))

    def action_turn(self, turns: int) -> None:
        """Go to the first move of the previous or next turn."""
        starts = sorted(set(turn_starts(self.table.game)))
        here = len(self.table.game.actions) if self.moment is None else self.moment
        following = [start for start in starts if (start < here if turns < 0 else start > here)]
        if following:
            self.action_moment(following[-1] if turns < 0 else following[0])
        elif turns > 0:
            self.action_now()

    # --- dialogs ---

    def page(self, title: str, text: Text, name: str) -> None:
        if len(self.screen_stack) == 1:
            self.push_screen(TextDialog(title, text, name))

    def action_help(self) -> None:
        self.page(self.table.language.text("Keys"), help_text(self.table.language, board_of(self.theme)), "help")

    def action_regions(self) -> None:
        language, theme = self.table.language, board_of(self.theme)
        text = side_text.regions(self.view, language, theme)
        modules = side_text.modules(self.view, language, theme)
        self.page(language.text("Regions"), Text("\n\n").join(filter(None, (text, modules))), "standing")

    def action_log(self) -> None:
        language = self.table.language
        text = side_text.log_text("terminal", self.game, language, board_of(self.theme), LOG_ROWS)
        self.page(language.text("Log"), text, "story")

    def action_ranking(self) -> None:
        game, language = self.table.game, self.table.language
        text = side_text.ranking(game, language, board_of(self.theme))
        self.page(prompt_at(self.table, game, True).title, text, "ranking")

    # --- the rest ---

    def action_theme(self) -> None:
        names = [f"franchise-{name}" for name in BOARDS]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def action_language(self) -> None:
        codes = list(LANGUAGES)
        self.table.language = language(codes[(codes.index(self.table.language.code) + 1) % len(codes)])
        self.show()

    def action_save(self) -> None:
        try:
            self.notify(self.save(), markup=False)
        except OSError as error:
            self.not_saved(error)

    def save(self) -> str:
        """Save the record to a new file in the folder; returns the message about it."""
        name = f"{datetime.now():%Y%m%d-%H%M%S}"
        for number in count(1):
            path = self.folder / f"{name if number == 1 else f'{name}-{number}'}.franchise"
            with suppress(FileExistsError), path.open("x", encoding="utf-8") as file:
                file.write(self.table.game.to_text())
                break
        self.saved = self.table.game.actions
        return self.table.language.text("The record is saved in {file}.", file=path)

    def not_saved(self, error: OSError) -> None:
        words = self.table.language.text
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
        self.notify(words("The record cannot be saved: {reason}", reason=reason), severity="error", markup=False)

    def action_interrupt(self) -> None:
        """Ctrl+C: ask before moves are lost; a second time, leave at once."""
        if self.leaving or not self.unsaved():
            self.exit(return_code=INTERRUPTED)
        else:
            self.action_leave()

    def unsaved(self) -> bool:
        """Whether leaving would lose moves."""
        return isinstance(self.table, LocalTable) and self.table.game.actions != self.saved

    def action_leave(self) -> None:
        """Ask for confirmation if moves would be lost."""
        if not self.unsaved():
            self.exit()
            return
        self.leaving = True
        words = self.table.language.text
        ways = [
            ("save", Text(words("Save the record and leave"))),
            ("leave", Text(words("Leave without saving"))),
            ("stay", Text(words("Stay"))),
        ]
        self.push_screen(ChoiceDialog(words("Leave the table?"), ways), self.left)

    def left(self, answer: str | None) -> None:
        self.leaving = False
        if answer == "save":
            try:
                self.exit(self.save())
            except OSError as error:
                self.not_saved(error)
        elif answer == "leave":
            self.exit()
