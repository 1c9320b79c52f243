"""Runs a bot as a separate program: python -m franchise.bots.bot_process NAME (docs/program-bots.md).

This way a bot of another package can be killed at any time, and what it prints is not mistaken for an answer.
"""

import sys
from typing import TextIO

from franchise.bots.protocol import Bot

RECORD = "franchise 1"  # the first line of a record


class BotProcess:
    """Answers the lines of one conversation."""

    def __init__(self, name: str, answers: TextIO) -> None:
        self.name = name
        self.answers = answers
        self.seed: int | None = None
        self.header: list[str] | None = None  # of the game that is being read
        self.record: list[str] = []
        self.moves: list[str] = []
        self.bot: Bot | None = None

    def hear(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if self.header is not None:
            if word == "end":
                self.record, self.moves, self.header = self.header, [], None
            else:
                self.header.append(line)
        elif word == "franchise":
            self.say("ready")
        elif word == "seed":
            self.seed = int(rest)
            self.close()
        elif word == "new":
            self.header = []
        elif word == "play":
            self.moves.append(rest)
        elif word == "go":
            self.say(f"move {self.choose(*rest.split())}")

    def choose(self, seconds: str, simulations: str) -> str:
        from franchise.bots.registry import make
        from franchise.game import Game

        game = Game.from_text("\n".join([RECORD, *self.record, "moves", *self.moves]) + "\n")
        if self.bot is None:
            self.bot = make(
                self.name,
                seed=self.seed,
                seconds=None if seconds == "-" else float(seconds),
                simulations=None if simulations == "-" else int(simulations),
            )
        return str(self.bot.choose(game))

    def say(self, line: str) -> None:
        print(line, file=self.answers, flush=True)

    def close(self) -> None:
        if self.bot is not None:
            self.bot.close()
            self.bot = None


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr
    process = BotProcess(sys.argv[1], answers)
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        process.hear(line.strip())
    process.close()


if __name__ == "__main__":
    main()
