"""Any program as a bot, over its standard input and output. docs/program-bots.md specifies the protocol.

Nothing the program writes is trusted: answers are short lines with a deadline, moves are checked against the rules, and
any error kills the program's process group and raises BotFailure. The next decision starts the program again.
"""

import os
import selectors
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

from franchise.bots.protocol import PROGRAM, Analysis, BotError, BotFailure, Budget, Cancelled, Factory, RankedMove
from franchise.engine.actions import Action
from franchise.game import Game, IllegalAction

GREETING = "franchise 1"
READY_SECONDS = 10.0  # from the start to `ready`
MOVE_SECONDS = 10.0  # for a move, if the budget sets no time and nothing else is given
GRACE_SECONDS = 1.0  # added to a budget, for pipes and a busy machine
EXIT_SECONDS = 0.5  # to end by itself after `quit`
LINE_LIMIT = 500  # bytes of an answer
CHUNK = 4096  # bytes read at once
STDERR_LIMIT = 2000  # bytes kept of the end of its standard error
SHOWN = 200  # how many characters of that a message shows


def program_factory(command: str) -> Factory:
    """A factory for bots from a command line; BotError if it cannot be run."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"{PROGRAM}{command} is not a valid command line: {error}") from None
    if not words:
        raise BotError(f"{PROGRAM}COMMAND needs a command, as in '{PROGRAM}python3 examples/program_bot.py'")
    if shutil.which(words[0]) is None:
        raise BotError(f"{PROGRAM}{command}: there is no program {words[0]!r}")
    return lambda seed, budget: ProgramBot(words, seed, budget)


class ProgramBot:
    """A bot whose moves a program chooses. It runs from the first decision until `close`."""

    def __init__(
        self,
        words: list[str],
        seed: int | None,
        budget: Budget,
        *,
        name: str | None = None,
        patience: float = MOVE_SECONDS,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name or PROGRAM + shlex.join(words)
        self.words = words
        self.patience = patience  # seconds for a move if the budget sets no time
        self.environment = environment  # None: that of this process
        self.seed = seed
        self.budget = budget
        self.lock = threading.Lock()  # held while starting and ending
        self.talk: Conversation | None = None
        self.sent: Game | None = None  # the game as the program knows it
        self.guard: weakref.finalize[..., ProgramBot] | None = None  # kills the process if nobody closes the bot
        self.busy = False  # deciding, in a thread other than those that call cancel and close
        self.stopped = False  # by cancel or close, until the next decision
        self.closed = False

    def choose(self, game: Game) -> Action:
        if game.over:
            raise ValueError("the game is over: there is no move to choose")
        with self.lock:
            self.stopped = False
            self.busy = True
        action = None
        trouble = ""
        try:
            action = self._ask(game)
        except Failure as failure:
            trouble = str(failure)
        finally:
            with self.lock:
                self.busy = False
                last_output = self._end() if action is None or self.stopped else ""
        if action is not None:
            return action
        if self.stopped:
            raise Cancelled
        raise BotFailure(f"the bot {self.name} {trouble}{last_output}")

    def _ask(self, game: Game) -> Action:
        talk = self._running()
        seconds = self.budget.seconds
        legal = "; ".join(map(str, game.legal_actions()))
        limits = f"{'-' if seconds is None else f'{seconds:g}'} {self.budget.simulations or '-'}"
        lines = [*self._news(game), f"legal {legal}", f"go {limits}"]
        self.sent = None  # until all of it is sent
        answer = talk.ask(lines, "move", self.patience if seconds is None else seconds + GRACE_SECONDS)
        self.sent = game.copy()
        after = game.copy()
        try:
            after.play(answer)
        except IllegalAction as error:
            reason = str(error).partition(" Legal now:")[0]  # the program was told what is legal
            raise Failure(f"chose an illegal move: {reason.removesuffix('.')}") from None
        return after.actions[-1]

    def _news(self, game: Game) -> list[str]:
        """What the program does not know yet: the latest moves, or the whole game."""
        moves = game.actions
        if self.sent is not None and (self.sent.setup, self.sent.names) == (game.setup, game.names):
            sent = self.sent.actions
            if moves[: len(sent)] == sent:
                return [f"play {move}" for move in moves[len(sent) :]]
        header = game.at(0).to_text().split("\n")[1:-2]  # the record between its first line and `moves`
        return ["new", *header, "end", *(f"play {move}" for move in moves)]

    def _running(self) -> "Conversation":
        """The running conversation, started if necessary."""
        with self.lock:
            if self.closed or self.stopped:
                raise Failure("is closed")
            if self.talk is not None:
                return self.talk
            self.sent = None
            self.talk = talk = Conversation(self.words, self.environment)
            self.guard = weakref.finalize(self, end_quietly, talk, os.getpid())
        talk.ask([GREETING], "ready", READY_SECONDS)
        talk.say([f"seed {self.seed}"] if self.seed is not None else [])
        return talk

    def reseed(self, seed: int) -> None:
        """Use another seed from the next decision on."""
        with self.lock:
            self.seed = seed
            if self.talk is not None:
                self.talk.say([f"seed {seed}"])

    def analyse(self, game: Game, *, moves: int = 5) -> Analysis:
        """Only the program's move; the protocol provides no more."""
        action = self.choose(game)
        scores = tuple(float(player["influence"]) for player in game.view()["players"])
        even = (1 / game.players,) * game.players
        return Analysis(game.current_player, (RankedMove(action, scores, even, (action,), 0),), 0)

    def cancel(self) -> None:
        """End the program at once: a running `choose` notices that its output ends."""
        with self.lock:
            self.stopped = True
            self._stop()

    def close(self) -> None:
        """Ask the program to quit, and kill it if it does not."""
        with self.lock:
            self.stopped = self.closed = True
            if self.talk is not None and not self.busy:
                self.talk.dismiss()
            self._stop()

    def _stop(self) -> None:
        """End the process; if a decision is running, its thread cleans up."""
        if not self.busy:
            self._end()
        elif self.talk is not None:
            self.talk.kill()

    def _end(self) -> str:
        """Clean up the process; returns the end of its standard error, for an error message."""
        if self.talk is None:
            return ""
        talk, self.talk = self.talk, None
        talk.end()
        if self.guard is not None:
            self.guard.detach()
        written = " ".join(talk.errors.decode("utf-8", "replace").split())
        written = "".join(character if character.isprintable() else "?" for character in written)
        return f"; it last wrote: {written[-SHOWN:]}" if written else ""


class Failure(Exception):  # noqa: N818 - the predicate of a BotFailure, inside this module
    """How a program misbehaved, as the end of a sentence that begins with its name."""


class Conversation:
    """A process in its own process group with three non-blocking pipes."""

    input: IO[bytes]
    output: IO[bytes]
    error: IO[bytes]

    def __init__(self, words: list[str], environment: Mapping[str, str] | None = None) -> None:
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(
                words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
            )
        except OSError as error:
            raise Failure(f"does not start: {error.strerror}") from None
        pipes: Any = self.process  # mypy thinks the pipes could be missing
        self.input, self.output, self.error = pipes.stdin, pipes.stdout, pipes.stderr
        for stream in (self.input, self.output, self.error):
            os.set_blocking(stream.fileno(), False)
        self.unsent = b""
        self.unread = b""
        self.errors = b""
        self.lock = threading.Lock()  # held while signalling and reaping
        self.ended = False

    def say(self, lines: list[str]) -> None:
        """Queue lines for the next `ask` to send."""
        self.unsent += "".join(f"{line}\n" for line in lines).encode()

    def ask(self, lines: list[str], keyword: str, seconds: float) -> str:
        """Send lines and return what follows the keyword in the answer; Failure says what came instead."""
        self.say(lines)
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.error, selectors.EVENT_READ)
            selector.register(self.output, selectors.EVENT_READ)
            self._receive(self.output)
            if self.unread:
                raise Failure(f"wrote {self._shown()} without being asked")
            selector.register(self.input, selectors.EVENT_WRITE)
            while b"\n" not in self.unread:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Failure(f"did not answer with a line '{keyword} ...' within {seconds:g} s")
                for key, _ in selector.select(left):
                    if key.fileobj is self.input:
                        self._send()
                        if not self.unsent:
                            selector.unregister(self.input)
                    elif not self._receive(key.fileobj):
                        selector.unregister(key.fileobj)
                        if key.fileobj is self.output:
                            raise Failure(f"{self._exit()} instead of answering '{keyword} ...'")
                if len(self.unread) > LINE_LIMIT:
                    break
        return self._answer(keyword)

    def _answer(self, keyword: str) -> str:
        line, end, rest = self.unread.partition(b"\n")
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError:
            text = ""
        word, _, answer = text.partition(" ")
        if word != keyword or not end or rest or len(line) > LINE_LIMIT:
            raise Failure(f"answered {self._shown()} instead of one line '{keyword} ...'")
        self.unread = b""
        return answer

    def _shown(self) -> str:
        shown = self.unread[:60].decode("utf-8", "replace")
        return ascii(shown) + (f" and more, {len(self.unread)} bytes so far" if len(self.unread) > 60 else "")

    def _send(self) -> None:
        try:
            self.unsent = self.unsent[self.input.write(self.unsent[:CHUNK]) or 0 :]
        except OSError:  # a broken pipe
            raise Failure(f"{self._exit()} instead of reading its input") from None

    def _receive(self, stream: object) -> bool:
        """Read what is available; False at the end of the stream."""
        if stream is self.output:
            read = self.output.read(CHUNK)  # None if nothing is available
            self.unread += read or b""
        else:
            read = self.error.read(CHUNK)
            self.errors = (self.errors + (read or b""))[-STDERR_LIMIT:]
        return read != b""

    def _exit(self) -> str:
        """How the process ended, after a pipe closed."""
        with self.lock, suppress(subprocess.TimeoutExpired):
            code = self.process.wait(EXIT_SECONDS)
            return f"was ended by signal {-code}" if code < 0 else f"exited with code {code}"
        return "closed its pipes"

    def dismiss(self) -> None:
        """Send `quit` and give the process a moment to exit."""
        with suppress(OSError):
            self.input.write(b"quit\n")
        with suppress(OSError):
            self.input.close()
        with self.lock, suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_SECONDS)

    def kill(self) -> None:
        """Kill the process group, and nothing else."""
        with self.lock:
            if not self.ended:
                with suppress(ProcessLookupError, PermissionError):  # nobody left; on some systems: only zombies left
                    os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill and reap the process, and close its pipes."""
        self.kill()
        with self.lock:
            self.ended = True
            self.process.wait()
            for _ in range(65536 // CHUNK):  # as much as a pipe holds
                self._receive(self.error)
            for stream in (self.input, self.output, self.error):
                with suppress(OSError):
                    stream.close()


def end_quietly(talk: Conversation, owner: int) -> None:
    """Clean up after bots that were never closed; a forked copy of the owner leaves the process alone."""
    if os.getpid() == owner and not talk.ended:
        talk.end()
