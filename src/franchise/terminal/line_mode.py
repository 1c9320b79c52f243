"""The game line by line: for pipes, screen readers and simple terminals."""

import shutil
import textwrap

from franchise.engine.actions import Action
from franchise.engine.layout import EventKind
from franchise.game import ONWARD, Game
from franchise.terminal.help import TURN
from franchise.terminal.local_table import PARTS, NotDone, TerminalTable
from franchise.wording.language import N_, Language
from franchise.wording.prompt import verdict

HELP = N_(
    """\
Enter a move as it is listed (any case; a price left out means the cheapest), or
  moves   list every legal move        table   show players and places
  undo    take back your last move     record  print the game as text
  help    show this                    quit    leave"""
)
ADVICE = {  # what newcomers are told, by phase
    "draft": N_("put one tile on the board"),
    "start": N_("put your first franchise in a free town"),
    "boom": N_("put the boom marker beside a city"),
    "expand": N_("expand to a new place (the number is the price), then done"),
    "grow": N_("grow in your cities for $1 each, then end"),
    "score": N_("choose the region that is scored next"),
}
MODULES = {  # by option
    "introductory": N_("Introductory game"),
    "expert": N_("Expert set-up"),
    "milestones": N_("Milestones"),
    "boom": N_("Boom"),
    "regions": N_("New Regions"),
}
SHOWN_MOVES = 30  # listed automatically
FEW_MOVES = 12  # listed after a mistake
UNBROKEN = "\N{NO-BREAK SPACE}"  # within a move, so that it stays on one line


class LineMode:
    """A conversation about a table."""

    def __init__(self, table: TerminalTable) -> None:
        self.table = table
        self.told: tuple[Action, ...] = table.game.actions  # moves whose events were printed
        self.advised: tuple[Action, ...] | None = None  # after which moves the legal ones were listed
        self.trouble = ""
        self.interrupted = False  # left with Ctrl-C

    @property
    def language(self) -> Language:
        return self.table.language

    def run(self) -> bool:
        """Play until the end of the game; False if the person leaves earlier."""
        words = self.language.text
        names = [self.language.player(seat, self.table.game) for seat in sorted(self.table.mine)]
        if names:
            print(words("You are {names}.", names=", ".join(names)))
            self.help()
        else:
            print(words("You have no seat at this table: you are watching."))
        while True:
            self.tell()
            game = self.table.game
            if game.over:
                self.tell_result(game)
                return True
            if self.table.ended:
                print(self.language.text("The game was ended"))
                return True
            if game.current_player in self.table.mine and not self.table.undrawn:
                if not self.ask(game):
                    return False
            elif not self.table.advance():
                return False

    def help(self) -> None:
        print(self.language.text(HELP))
        show(self.language.text(TURN), indent="")

    def tell(self) -> None:
        """Print what has happened since the last time."""
        if self.table.trouble != self.trouble:
            self.trouble = self.table.trouble
            if self.trouble:
                print(f"  {self.trouble}", flush=True)
        game, shown = self.table.game, self.told
        actions = game.actions
        same = next((n for n, (a, b) in enumerate(zip(shown, actions, strict=False)) if a != b), None)
        common = min(len(shown), len(actions)) if same is None else same
        for move in reversed(shown[common:]):
            print("  " + self.language.text("{move} is taken back.", move=move))
        walk = game.at(common)
        for action in actions[common:]:
            for event in walk.play(action):
                print("  " + self.language.sentence(event, game), flush=True)
        self.told = actions

    # --- the person ---

    def ask(self, game: Game) -> bool:
        """Handle one line of input; False if the person leaves."""
        if self.advised != game.actions:
            self.advised = game.actions
            self.advise(game)
        player = game.view()["players"][game.current_player]
        name, cash = self.language.player(game.current_player, game), self.language.money(player["cash"])
        unit = self.language.words["plain"]
        try:
            answer = input(f"{name} ({cash}, {player['influence']} {unit}) {game.phase}> ").strip()
        except (EOFError, KeyboardInterrupt) as error:
            self.interrupted = isinstance(error, KeyboardInterrupt)
            print()
            return False
        command = answer.casefold()
        if command in ("quit", "exit"):
            return False
        self.obey(game, answer, command)
        return True

    def obey(self, game: Game, answer: str, command: str) -> None:
        """Carry out what was entered."""
        if command in ("", "help", "?"):
            self.help()
        elif command == "moves":
            self.show_moves(game, len(game.legal_actions()))
        elif command == "table":
            self.show_table(game)
        elif command == "record":
            print(game.to_text())
        else:
            try:
                if command == "undo":
                    self.table.undo()
                else:
                    self.table.play(answer)
            except NotDone as error:
                show(str(error))
                if command != "undo" and self.table.game is game:
                    self.show_moves(game, FEW_MOVES, self.language.text("Legal now:"))

    def advise(self, game: Game) -> None:
        """What the player to move can do."""
        name = self.language.player(game.current_player, game)
        print("\n" + self.language.labelled(f"{name}, {self.language.text(ADVICE[game.phase])}", "").rstrip())
        self.show_moves(game, SHOWN_MOVES)

    def show_moves(self, game: Game, number: int, heading: str = "") -> None:
        """The legal moves, up to a number."""
        moves = [str(action).replace(" ", UNBROKEN) for action in game.legal_actions()]
        shown = moves[:number] + [move for move in moves[number:] if move in ONWARD]
        more = len(moves) - len(shown)
        listed = ", ".join(shown)
        if more > 0:
            listed = self.language.text("{moves} and {count} more: enter moves", moves=listed, count=more)
        show(f"{heading} {listed}".strip())

    def show_table(self, game: Game) -> None:
        """The players, and the places with franchises."""
        view, words = game.view(), self.language.text
        titles = {
            "influence": words("Influence"),
            "cash": words("Cash"),
            "income": words("Next income"),
            "bonus_tiles": words("Bonus tiles"),
            "towns": words("Towns"),
            "supply": words("Supply"),
        }
        for player in view["players"]:
            figures = (
                f"{title} {self.language.money(player[key]) if key in ('cash', 'income') else player[key]}"
                for key, title in titles.items()
            )
            print(self.language.labelled(self.language.player(player["seat"], game), ", ".join(figures)))
        scored = f"  ({words('scored')})"
        for name, place in view["locations"].items():
            if any(place["spaces"]):
                spaces = " ".join(words(colour) if colour else "-" for colour in place["spaces"])
                print(f"{name:15} {place['region']:12} {spaces}{scored if place['scored'] else ''}")
        print(self.language.labelled(words("Region track"), ", ".join(view["track"]) or "-"))

    def tell_result(self, game: Game) -> None:
        print("\n".join(("", *result_lines(game, self.language))))


def story_lines(game: Game, language: Language) -> list[str]:
    """A finished game from its set-up to its result, a blank line before each turn."""
    heading = language.text("A game for {count} players", count=game.players)
    chosen = [language.text(name) for option, name in MODULES.items() if getattr(game.setup.options, option)]
    lines = [f"{language.labelled(heading, ', '.join(chosen)) if chosen else heading}."]
    for events in (game.opening(), *(caused for _, caused in game.history())):
        for event in events:
            text = language.sentence(event, game)
            lines += ["", text] if event.kind == EventKind.TURN else [f"  {text}"]
    return [*lines, "", *result_lines(game, language)]


def result_lines(game: Game, language: Language) -> list[str]:
    """The final standing, and who has won."""
    result, lines = game.result(), []
    for seat in sorted(range(game.players), key=lambda seat: -result.scores[seat]):
        parts = ", ".join(f"{language.text(PARTS[part])} {points}" for part, points in result.breakdown[seat].items())
        lines.append(language.labelled(language.player(seat, game), f"{result.scores[seat]} ({parts})"))
    return [*lines, f"{verdict(game, language)}."]


def show(text: str, indent: str = "  ") -> None:
    """Text wrapped to the width of the terminal."""
    width = max(40, shutil.get_terminal_size().columns - 1)
    filled = textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    print(filled.replace(UNBROKEN, " "))
