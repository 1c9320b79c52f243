"""Dialogs over the table: a choice, a text, a question."""

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from franchise.terminal.no_break import without_breaks


class Dialog(ModalScreen[str | None]):
    """A box in the middle; Esc closes it without an answer."""

    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > Vertical, Dialog > VerticalScroll { width: 76; height: auto; max-height: 96%; scrollbar-size-vertical: 1;
                 border: round $primary; padding: 0 1; background: $surface; }
    Dialog .title { text-style: bold; width: 100%; }
    Dialog OptionList { height: auto; max-height: 16; border: none; padding: 0; background: $surface; width: 100%; }
    Dialog OptionList:focus { border: none; }
    """
    BINDINGS = [Binding("escape", "dismiss", show=False)]  # noqa: RUF012 - textual reads it from the class


class ChoiceDialog(Dialog):
    """A choice of several options."""

    def __init__(self, title: str, ways: Sequence[tuple[str, Text]]) -> None:
        super().__init__()
        self.heading, self.ways = title, ways

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.heading, classes="title", markup=False)
            yield OptionList(
                *(Option(without_breaks(text), id=f"way{number}") for number, (_, text) in enumerate(self.ways))
            )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.ways[event.option_index][0])


class TextDialog(Dialog):
    """A text to read; Esc, Enter, a space, q and the help keys close it."""

    BINDINGS = [Binding("enter,q,question_mark,f1,f2,f3,space", "dismiss", show=False)]  # noqa: RUF012

    def __init__(self, title: str, text: Text, name: str) -> None:
        super().__init__(id=name)
        self.heading, self.text = title, text

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self.heading, classes="title", markup=False)
            yield Static(without_breaks(self.text))
