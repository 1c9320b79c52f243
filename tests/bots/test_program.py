"""Programs as bots: whole games, and every way to misbehave, with real processes. docs/program-bots.md"""

import gc
import os
import shlex
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from select import select
from typing import Any

import pytest

from franchise import Game, Options
from franchise.bots import Bot, BotError, BotFailure, Cancelled, make
from franchise.bots.program import Conversation
from waiting import PATIENCE

EXAMPLE = Path(__file__).parents[2] / "examples" / "program_bot.py"
ALL_MODULES = Options(expert="draft", milestones=True, boom=True, regions="mixed")
# What every program below begins with: `heard` keeps what was said to it in a file that the test can read.
PREAMBLE = """
import os, signal, sys
heard = open(sys.argv[0] + ".heard", "a", encoding="utf-8")
def lines():
    for line in sys.stdin:
        heard.write(line)
        heard.flush()
        yield line.strip()
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
"""
FIRST_LEGAL = """
legal = []
for line in lines():
    if line == "franchise 1":
        say("ready\\n")
    elif line.startswith("legal "):
        legal = line.removeprefix("legal ").split("; ")
    elif line.startswith("go "):
        say(f"move {legal[0]}\\n")
"""
READY = """
for line in lines():
    if line == "franchise 1":
        say("ready\\n")
    if line.startswith("go "):
"""


class ScriptedPrograms:
    """Makes bots of scripts, and sees to it that nothing of them is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[Any] = []

    def bot(self, code: str, **budget: Any) -> Any:
        script = self.folder / f"bot{len(self.made)}.py"
        script.write_text(PREAMBLE + code, encoding="utf-8")
        bot = make(f"program:{shlex.join([sys.executable, str(script)])}", **budget)
        self.made.append(bot)
        return bot

    def heard(self, number: int = 0) -> list[str]:
        return (self.folder / f"bot{number}.py.heard").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedPrograms]:
    begun: list[Conversation] = []

    def begin(words: list[str], environment: Mapping[str, str] | None) -> Conversation:
        begun.append(Conversation(words, environment))
        return begun[-1]

    monkeypatch.setattr("franchise.bots.program.Conversation", begin)
    for name in ("READY_SECONDS", "GRACE_SECONDS"):  # however busy the machine is, a program has time
        monkeypatch.setattr(f"franchise.bots.program.{name}", PATIENCE)
    programs = ScriptedPrograms(tmp_path)
    yield programs
    for bot in programs.made:
        bot.close()
    for talk in begun:
        assert talk.process.returncode is not None  # ended and reaped: no zombie
        assert talk.input.closed
        assert talk.output.closed
        assert talk.error.closed


def example(**budget: Any) -> Bot:
    return make(f"program:{shlex.join([sys.executable, str(EXAMPLE)])}", **budget)


def play_out(bot: Bot, game: Game) -> Game:
    while not game.over:
        game.play(bot.choose(game))
    return game


# --- playing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [Options(), ALL_MODULES], ids=["base game", "all modules"])
def test_example_plays_every_seat_of_a_whole_game(options: Options) -> None:
    bot = example(seed=3)
    game = play_out(bot, Game(3, 3, options))
    bot.close()
    assert game.over
    assert game.result().winners


def test_example_with_a_seed_repeats_itself() -> None:
    games = []
    for _ in range(2):
        bot = example(seed=9)
        games.append(play_out(bot, Game(2, 1)))
        bot.close()
    assert games[0] == games[1]


def test_example_has_at_most_40_lines_and_needs_nothing_but_python() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert "import franchise" not in text
    assert "from franchise" not in text


def test_choosing_leaves_the_game_alone(programs: ScriptedPrograms) -> None:
    game = Game(2, 1)
    before = game.copy()
    move = programs.bot(FIRST_LEGAL).choose(game)
    assert move == game.legal_actions()[0]
    assert game == before


def test_answers_are_read_as_forgivingly_as_moves_of_people(programs: ScriptedPrograms) -> None:
    bot = programs.bot(READY + "        say('move   START memphis\\r\\n')")
    assert str(bot.choose(Game(2, 1))) == "start Memphis"


def test_analysis_holds_the_move_of_the_program(programs: ScriptedPrograms) -> None:
    game = Game(3, 1)
    analysis = programs.bot(FIRST_LEGAL).analyse(game)
    assert analysis.seat == 2
    assert [move.action for move in analysis.moves] == [game.legal_actions()[0]]


def test_a_finished_game_has_no_move_to_choose(programs: ScriptedPrograms) -> None:
    bot = programs.bot(FIRST_LEGAL)
    game = play_out(make("random", seed=1), Game(2, 1))
    with pytest.raises(ValueError, match="the game is over"):
        bot.choose(game)


# --- what the program is told -----------------------------------------------------------------------------------------


def test_program_hears_the_set_up_then_only_what_is_new(programs: ScriptedPrograms) -> None:
    bot = programs.bot(FIRST_LEGAL, seed=5, seconds=2.5, simulations=100)
    game = Game(2, 1, Options(milestones=True), names=["Ann", "# 2"])
    bot.choose(game)
    game.play("start Memphis")
    game.play("start Raleigh")
    bot.choose(game)
    bot.close()
    assert programs.heard() == [
        "franchise 1",
        "seed 5",
        "new",
        "players 2",
        "option milestones",
        f"milestones {' '.join(game.setup.milestones)}",
        "seat 0 Ann",
        "seat 1 # 2",
        "end",
        f"legal {'; '.join(map(str, game.at(0).legal_actions()))}",
        "go 2.5 100",
        "play start Memphis",
        "play start Raleigh",
        f"legal {'; '.join(map(str, game.legal_actions()))}",
        "go 2.5 100",
        "quit",
    ]


def test_program_hears_dashes_for_what_the_budget_leaves_open(programs: ScriptedPrograms) -> None:
    bot = programs.bot(FIRST_LEGAL)
    bot.choose(Game(2, 1))
    assert programs.heard()[-1] == "go - -"
    assert not [line for line in programs.heard() if line.startswith("seed")]


def test_after_an_undo_the_program_hears_the_game_again(programs: ScriptedPrograms) -> None:
    bot = programs.bot(FIRST_LEGAL)
    game = Game(2, 1)
    game.play("start Memphis")
    bot.choose(game)
    game.undo()
    game.play("start Raleigh")
    bot.choose(game)
    heard = programs.heard()
    assert heard.count("franchise 1") == 1
    assert heard.count("new") == 2
    again = heard[len(heard) - heard[::-1].index("new") - 1 :]
    assert again[:4] == ["new", "players 2", "end", "play start Raleigh"]


def test_the_same_program_goes_on_to_a_second_game(programs: ScriptedPrograms) -> None:
    bot = programs.bot(FIRST_LEGAL)
    for players in (2, 3):
        game = Game(players, 1)
        game.play(bot.choose(game))
    heard = programs.heard()
    assert heard.count("franchise 1") == 1
    assert [line for line in heard if line.startswith(("new", "players"))] == ["new", "players 2", "new", "players 3"]


# --- misbehaving ------------------------------------------------------------------------------------------------------

MISBEHAVIOUR = {
    "says garbage at the start": ("say('hello there\\n'); signal.pause()", "wrote|answered 'hello there"),
    "says garbage for a move": (READY + "        say('flub\\n')", r"answered 'flub\\n' instead of one line 'move"),
    "answers with two lines": (
        READY + "        say('move start Memphis\\nmove start Memphis\\n')",
        "instead of one line",
    ),
    "answers with no text": (READY + "        os.write(1, b'move \\xff\\xfe\\n')", "instead of one line 'move"),
    "chooses an illegal move": (
        READY + "        say('move start Chicago\\n')",
        r"chose an illegal move: not a move: Chicago is not a town; write: start TOWN$",
    ),
    "chooses no move": (
        READY + "        say('move\\n')",
        "chose an illegal move: not a move: an empty text is not a move$",
    ),
    "exits at the start": ("sys.exit(3)", "exited with code 3 instead of"),
    "exits when asked": (READY + "        sys.exit(4)", "exited with code 4 instead of answering 'move"),
    "is killed when asked": (READY + "        os.kill(os.getpid(), 9)", "was ended by signal 9 instead of"),
    "raises an exception": (
        READY + "        {}['my own mistake']",
        "exited with code 1.*it last wrote.*my own mistake",
    ),
    "floods its output with one line": (
        READY + "        while True: say('x' * 10000)",
        "answered 'x+' and more, [0-9]{1,4} bytes so far instead of one line",
    ),
    "floods its output with many lines": (READY + "        while True: say('move\\n' * 5000)", "instead of one line"),
    "closes its output": (READY + "        os.close(1); signal.pause()", "closed its pipes instead of answering 'move"),
    "closes its input": (
        "lines().__next__(); os.close(0); say('ready\\n'); signal.pause()",
        "closed its pipes instead of reading its input",
    ),
}


@pytest.mark.parametrize("how", MISBEHAVIOUR)
def test_a_program_fails_with_one_sentence_when_it(how: str, programs: ScriptedPrograms) -> None:
    code, message = MISBEHAVIOUR[how]
    bot = programs.bot(code)
    with pytest.raises(BotFailure, match=message) as failure:
        bot.choose(Game(2, 1))
    assert str(failure.value).startswith(f"the bot {bot.name} ")
    assert "\n" not in str(failure.value)
    assert bot.talk is None


SILENCE = {
    "says nothing": "        signal.pause()",
    "says half a line": "        say('move start'); signal.pause()",
    "floods its standard error": "        while True: os.write(2, b'x' * 5000)",
}


@pytest.mark.parametrize("how", SILENCE)
def test_a_program_fails_after_its_time_when_it(
    how: str, programs: ScriptedPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("franchise.bots.program.GRACE_SECONDS", 0.1)
    bot = programs.bot(READY + SILENCE[how], seconds=0.1)
    with pytest.raises(BotFailure, match=r"did not answer with a line 'move \.\.\.' within 0\.2 s") as failure:
        bot.choose(Game(2, 1))
    assert len(str(failure.value)) < 1000


def test_a_program_that_is_never_ready_fails_after_its_time(
    programs: ScriptedPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("franchise.bots.program.READY_SECONDS", 0.1)
    with pytest.raises(BotFailure, match=r"did not answer with a line 'ready \.\.\.' within 0\.1 s"):
        programs.bot("signal.pause()").choose(Game(2, 1))


def test_a_program_that_does_not_read_a_long_game_fails_after_its_time(
    programs: ScriptedPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("franchise.bots.program.GRACE_SECONDS", 0.1)
    bot = programs.bot("say('ready\\n'); signal.pause()", seconds=0.1)
    bot._news = lambda game: ["play done"] * 100_000  # more than a pipe holds
    with pytest.raises(BotFailure, match=r"wrote 'ready|did not answer"):
        bot.choose(Game(2, 1))


def test_a_second_answer_is_noticed_at_the_next_decision(programs: ScriptedPrograms) -> None:
    bot = programs.bot(READY + "        say('move start Memphis\\n')\n        say('move start Memphis\\n')\n")
    game = Game(2, 1)

    def choose_twice() -> None:
        bot.choose(game)
        assert bot.talk is not None
        assert select([bot.talk.output], [], [], PATIENCE)[0], "the second answer has not come"
        bot.choose(game)

    with pytest.raises(BotFailure, match=r"without being asked|instead of one line"):
        choose_twice()


def test_a_program_that_dies_between_two_moves_fails_and_starts_again_for_the_next(programs: ScriptedPrograms) -> None:
    bot = programs.bot(READY + "        say('move start Memphis\\n')\n        sys.exit(7)\n")
    game = Game(2, 1)
    game.play(bot.choose(game))
    game.play("start Raleigh")
    with pytest.raises(BotFailure, match="exited with code 7"):
        bot.choose(game)
    with pytest.raises(BotFailure, match="chose an illegal move: start Memphis"):
        bot.choose(game)
    heard = programs.heard()
    assert heard.count("franchise 1") == 2
    assert heard[-6:-2] == ["players 2", "end", "play start Memphis", "play start Raleigh"]


def test_a_file_that_is_no_program_does_not_start(tmp_path: Path) -> None:
    script = tmp_path / "no program"
    script.write_bytes(b"\0\0")
    script.chmod(0o755)
    bot = make(f"program:{shlex.quote(str(script))}")
    with pytest.raises(BotFailure, match="does not start: Exec format error"):
        bot.choose(Game(2, 1))
    bot.close()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "program:COMMAND needs a command"),
        ("python 'bot.py", "is not a valid command line: No closing quotation"),
        ("no-such-program --fast", "there is no program 'no-such-program'"),
    ],
)
def test_a_command_that_cannot_be_a_program_is_refused_at_once(command: str, message: str) -> None:
    with pytest.raises(BotError, match=message):
        make(f"program:{command}")


# --- ending -----------------------------------------------------------------------------------------------------------


def test_cancel_stops_a_decision_and_the_program_starts_again_for_the_next(programs: ScriptedPrograms) -> None:
    slow = READY + "        if os.path.exists('second'): say('move start Memphis\\n')\n        else: signal.pause()\n"
    bot = programs.bot(slow.replace("'second'", repr(str(programs.folder / "second"))))
    game = Game(2, 1)
    raised: list[BaseException] = []

    def decide() -> None:
        try:
            bot.choose(game)
        except Cancelled as order:
            raised.append(order)

    thread = threading.Thread(target=decide)
    thread.start()
    while thread.is_alive():  # the order may come before the decision has begun, where it means nothing
        bot.cancel()
        thread.join(0.05)
    assert len(raised) == 1
    (programs.folder / "second").touch()
    assert str(bot.choose(game)) == "start Memphis"


def test_cancel_without_a_decision_leaves_no_process(programs: ScriptedPrograms) -> None:
    bot = programs.bot(FIRST_LEGAL)
    bot.choose(Game(2, 1))
    process = bot.talk.process
    bot.cancel()
    assert process.returncode == -9
    assert bot.choose(Game(2, 1)) is not None


def test_close_lets_the_program_end_by_itself(programs: ScriptedPrograms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("franchise.bots.program.EXIT_SECONDS", PATIENCE)
    bot = programs.bot(READY + "        say('move start Memphis\\n')\n    if line == 'quit': sys.exit(5)\n")
    bot.choose(Game(2, 1))
    process = bot.talk.process
    bot.close()
    assert process.returncode == 5
    assert programs.heard()[-1] == "quit"
    with pytest.raises(BotFailure, match="is closed"):
        bot.choose(Game(2, 1))


def test_close_ends_a_program_that_stays_and_its_children(programs: ScriptedPrograms) -> None:
    pipe = programs.folder / "pipe"  # open for writing in the child as long as that lives
    os.mkfifo(pipe)
    child = f"import signal; pipe = open({str(pipe)!r}, 'w'); print(1, flush=True); signal.pause()"
    stay = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", {child!r}], stdout=subprocess.PIPE)
child.stdout.readline()
"""
    bot = programs.bot(stay + READY + "        say('move start Memphis\\n')\nsignal.pause()")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    bot.choose(Game(2, 1))
    os.set_blocking(reader, True)
    process = bot.talk.process
    assert os.getpgid(process.pid) != os.getpgrp()
    bot.close()
    assert process.returncode == -9
    assert os.read(reader, 1) == b""  # comes when the child has gone
    os.close(reader)


def test_a_bot_that_is_forgotten_takes_its_process_along(programs: ScriptedPrograms) -> None:
    bot = programs.bot(FIRST_LEGAL)
    bot.choose(Game(2, 1))
    process = bot.talk.process
    programs.made.clear()
    del bot
    gc.collect()
    assert process.returncode == -9
