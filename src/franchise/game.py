"""Game: a set-up plus a list of moves, with the kernel in between."""

import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from franchise.engine import events, layout
from franchise.engine.actions import ACTIONS, Action, NotationError, parse
from franchise.engine.bits import members
from franchise.engine.events import Event
from franchise.engine.layout import PHASE_NAMES, EventKind, Phase, Records
from franchise.engine.reasons import own_prices, why_not
from franchise.engine.setups import Options, Setup, check, first_state, resolve, rules_of
from franchise.engine.view import view
from franchise.engine.walk import champions, moves, replay, step
from franchise.facts import COLOURS

OVER = int(Phase.OVER)
NAME_LIMIT = 40
SHOWN_MOVES = 12  # legal moves listed in an error message
ONWARD = ("done", "stay", "end")  # always listed there
BREAKDOWN = {
    EventKind.MAJORITY: "cities",
    EventKind.FULL: "cities",
    EventKind.RANK: "regions",
    EventKind.TRACK: "track",
    EventKind.TOWNS: "towns",
    EventKind.MONEY: "money",
    EventKind.BONUS_TILES: "bonus_tiles",
}


class IllegalAction(ValueError):  # noqa: N818 - the public API names it so
    """A move that is not legal now, or text that is not a move; the message says why and what would be legal."""


class Scratch(threading.local):
    """Memory for the results of the kernel, one for each thread."""

    def __init__(self) -> None:
        self.out = np.zeros(layout.MOVES, np.int32)
        self.log = layout.new(layout.LOG)


SCRATCH = Scratch()
ACTIVE, PHASE, TURN = (layout.offset(name) // 4 for name in ("active", "phase", "turn"))


def shares(winners: Collection[int], players: int) -> tuple[float, ...]:
    """Each seat's share of the victory: the winners divide 1 equally."""
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(players))


def places(standings: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The place of each seat, 1 for the highest standing; tied seats share the better place."""
    return tuple(1 + sum(other > own for other in standings) for own in standings)


@dataclass(frozen=True)
class Result:
    """The end of a game, by seat. Several `winners` share the victory; `breakdown` says where the points come from."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]  # several share a victory (RULES 4.4)
    breakdown: tuple[dict[str, int], ...]  # where the score comes from

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the victory."""
        return shares(self.winners, len(self.scores))


class Game:
    """One game of Franchise. Seat 0 is the first player."""

    __slots__ = {
        "_actions": "The moves so far, made when somebody asks.",
        "_numbers": "The moves so far as numbers.",
        "_rules": "The RULES record.",
        "_state": "The STATE record.",
        "_words": "The memory of the STATE record as integers.",
        "colours": "The colours by seat; they may be permuted without changing the game.",
        "names": "The names by seat; empty if there are none.",
        "setup": "The Setup: players, options, tiles and milestones, with everything random drawn.",
    }

    def __init__(
        self,
        players: int = 4,
        seed: int | None = None,
        options: Options | None = None,
        *,
        names: Iterable[str] = (),
    ) -> None:
        setup = resolve(players, options if options is not None else Options(), seed)
        self._begin(setup, names)

    @classmethod
    def from_setup(cls, setup: Setup, names: Iterable[str] = ()) -> "Game":
        """A game from a complete set-up; SetupError if the rules do not allow it."""
        check(setup)
        game = cls.__new__(cls)
        game._begin(setup, names)
        return game

    def _begin(self, setup: Setup, names: Iterable[str]) -> None:
        self.setup = setup
        self.names = checked_names(names, setup.players)
        self.colours: tuple[str, ...] = COLOURS
        self._rules = rules_of(setup)
        self._stand(first_state(self._rules, SCRATCH.log))
        self._numbers: list[int] = []
        self._actions: tuple[Action, ...] = ()  # the same, made when somebody asks

    def _stand(self, state: Records) -> None:
        """Make this the current state: the record, and the same memory as integers, which are faster to read."""
        self._state = state
        self._words = state.view(np.int32)

    # --- reading ---

    @property
    def rules(self) -> Records:
        """The RULES record in an array, for kernels; read-only."""
        return self._rules

    @property
    def state(self) -> Records:
        """The STATE record in an array, for kernels; read-only, so copy it before changing it."""
        return self._state

    @property
    def players(self) -> int:
        """The number of players."""
        return self.setup.players

    @property
    def current_player(self) -> int:
        """The seat to move; after the end, the seat that made the last move."""
        return int(self._words.item(ACTIVE))

    @property
    def phase(self) -> str:
        """What the game waits for: draft, start, boom, expand, grow, score, or over."""
        return PHASE_NAMES[self._words.item(PHASE)]

    @property
    def turn(self) -> int:
        """The number of the turn, from 1; 0 during set-up."""
        return int(self._words.item(TURN))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._words.item(PHASE) == OVER

    @property
    def actions(self) -> tuple[Action, ...]:
        """The moves so far."""
        if len(self._actions) != len(self._numbers):
            self._actions = tuple(map(ACTIONS.__getitem__, self._numbers))
        return self._actions

    def legal_numbers(self) -> list[int]:
        """The legal actions as numbers, ascending."""
        count = moves(self._rules, self._state, SCRATCH.out)
        numbers: list[int] = SCRATCH.out[:count].tolist()
        return numbers

    def legal_actions(self) -> list[Action]:
        """The legal moves, in a fixed order; empty when the game is over."""
        return [ACTIONS[number] for number in self.legal_numbers()]

    def view(self) -> dict[str, Any]:
        """The whole public state as JSON-able data."""
        return view(self._rules, self._state, self.names, self.colours)

    def result(self) -> Result:
        """Scores and winners; only after the end."""
        scores, winners = self.scores_and_winners()
        return Result(scores, winners, self._breakdown())

    def scores_and_winners(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The result without its breakdown, for which the game is replayed."""
        if not self.over:
            raise ValueError("the game is not over: there is no result yet")
        scores = self._state["influence"][0, : self.players].tolist()
        return tuple(scores), tuple(members(champions(self._rules, self._state)))

    def places(self) -> tuple[int, ...]:
        """The place of each seat: by influence, then by franchises in towns (RULES 4.4)."""
        towns = int(self._rules["towns"][0])
        scores = self._state["influence"][0, : self.players].tolist()
        places_held = self._state["held"][0, : self.players].tolist()
        return places([(score, (own & towns).bit_count()) for score, own in zip(scores, places_held, strict=True)])

    def _breakdown(self) -> tuple[dict[str, int], ...]:
        parts = [dict.fromkeys(BREAKDOWN.values(), 0) for _ in range(self.players)]
        for _, caused in self.history():
            for event in caused:
                if event.kind in BREAKDOWN:
                    parts[event.seat][BREAKDOWN[event.kind]] += event.amount
        return tuple(parts)

    def opening(self) -> list[Event]:
        """The events of the set-up, before the first move."""
        first_state(self._rules, SCRATCH.log)
        return events.read(SCRATCH.log)

    def history(self) -> list[tuple[Action, list[Event]]]:
        """Every move so far with its events."""
        game = self.at(0)
        return [(action, game.play(action)) for action in self.actions]

    # --- playing ---

    def play(self, move: "str | Action | int") -> list[Event]:
        """Play a move given as text, Action or number; returns its events. IllegalAction leaves the game unchanged."""
        self.advance(self._number(move))
        return events.read(SCRATCH.log)

    def advance(self, number: int) -> None:
        """Play the action with that number without returning events, which take most of the time in `play`."""
        if not step(self._rules, self._state, number, SCRATCH.out, SCRATCH.log):
            reason = why_not(self._rules[0], self._state[0], ACTIONS[number])
            raise self._illegal(str(ACTIONS[number]), str(reason))
        self._numbers.append(number)

    def action(self, move: "str | Action | int") -> Action:
        """The Action for a text, Action or number, legal now or not; IllegalAction if it is not a move at all."""
        return ACTIONS[self._number(move)]

    def _number(self, move: "str | Action | int") -> int:
        if isinstance(move, Action):
            if not 0 <= move.id < len(ACTIONS) or ACTIONS[move.id] != move:
                raise self._illegal("not a move", "take an Action from legal_actions()")
            return move.id
        if isinstance(move, str):
            try:
                return parse(move, self.legal_numbers, lambda place: own_prices(self._state[0], place)).id
            except NotationError as error:
                raise self._illegal("not a move", str(error)) from None
        if isinstance(move, bool) or not isinstance(move, int | np.integer):
            raise self._illegal("not a move", f"a move is a text, an Action or a number, not {type(move).__name__}")
        if not 0 <= move < len(ACTIONS):
            raise self._illegal("not a move", f"moves are numbered 0 to {len(ACTIONS) - 1}, not {move}")
        return int(move)

    def _illegal(self, move: str, reason: str) -> IllegalAction:
        allowed = [str(action) for action in self.legal_actions()]
        shown = ", ".join(allowed[:SHOWN_MOVES])
        if len(allowed) > SHOWN_MOVES:
            onward = [text for text in allowed[SHOWN_MOVES:] if text in ONWARD] or allowed[-1:]
            shown += f" and {len(allowed) - SHOWN_MOVES} more, including {onward[0]}"
        return IllegalAction(f"{move}: {reason}. " + (f"Legal now: {shown}." if allowed else "No move is legal."))

    def undo(self) -> Action:
        """Undo the last move and return it; ValueError if there is none."""
        if not self._numbers:
            raise ValueError("there is no move to take back")
        last = self._numbers[-1]
        self._go_to(self._numbers[:-1])
        return ACTIONS[last]

    def _go_to(self, numbers: list[int]) -> None:
        """Go to the position after those moves, which must be legal."""
        state = first_state(self._rules, SCRATCH.log)
        replay(self._rules, state, np.array(numbers, np.int32), SCRATCH.log)
        self._stand(state)
        self._numbers, self._actions = numbers, ()

    def copy(self) -> "Game":
        """An independent game with the same position and history."""
        other = Game.__new__(Game)
        other.setup = self.setup
        other.names = self.names
        other.colours = self.colours
        other._rules = self._rules
        other._words = self._words.copy()  # all at once: NumPy would copy a record field by field
        other._state = other._words.view(layout.STATE)
        other._numbers = self._numbers.copy()
        other._actions = self._actions
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled game is its set-up and its moves."""
        return _unpickled, (self.setup, self.names, self.colours, self._numbers)

    def at(self, moves: int) -> "Game":
        """An independent game in the position after that many moves."""
        if not 0 <= moves <= len(self._numbers):
            raise ValueError(f"the game has {len(self._numbers)} moves: there is no position after {moves}")
        other = self.copy()
        other._go_to(self._numbers[:moves])
        return other

    # --- records ---

    def to_text(self) -> str:
        """The record of the game."""
        from franchise.record import write

        return write(self)

    @staticmethod
    def from_text(text: str) -> "Game":
        """The game in a record; RecordError names the line that is wrong."""
        from franchise.record import read

        return read(text)

    def _repr_svg_(self) -> str:
        """The board, for notebooks."""
        from franchise.drawing import board_svg

        return board_svg(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._numbers == other._numbers and self.setup == other.setup

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        where = "over" if self.over else f"turn {self.turn}, {self.phase}, seat {self.current_player} to move"
        return f"<Game: {self.players} players, {len(self._numbers)} moves, {where}>"


def _unpickled(setup: Setup, names: tuple[str, ...], colours: tuple[str, ...], actions: list[int]) -> Game:
    game = Game.from_setup(setup, names)
    game.colours = colours
    game._go_to(actions)
    return game


def checked_names(names: Iterable[str], players: int) -> tuple[str, ...]:
    """Names for the seats, or none; ValueError if a record could not store one."""
    given = tuple(names)
    if len(given) not in (0, players):
        raise ValueError(f"{players} players have {players} names, not {len(given)}")
    for name in given:
        if not isinstance(name, str) or not name.isprintable() or name != name.strip() or len(name) > NAME_LIMIT:
            raise ValueError(f"a name is printable text of at most {NAME_LIMIT} characters, not {name!r:.60}")
    return given
