"""The threads that share the work of a batch."""

import threading
from typing import Any

import numpy as np

from franchise.engine import many

Array = np.ndarray[Any, np.dtype[Any]]

NO_ACTIONS = np.zeros(0, np.int64)


class WorkerThreads:
    """The thread that calls `run`, and helper threads, each with its own desk, started as needed.

    Helpers stay awake briefly after each step and look for the next one, because waking a sleeping thread takes longer
    than a step. Nobody waits for a sleeping helper, since any thread can take any portion of the work.
    """

    def __init__(self, games: many.Games, desks: list[many.Desk]) -> None:
        self._games = games
        self._desks = desks
        self._words = many.new_shared_words()
        self._current: tuple[int, many.Answers] | None = None  # the epoch, and where the helpers write to
        self._asleep = 0
        self._closed = False
        self._wake = threading.Condition()
        self._helpers: list[threading.Thread] = []
        self.actions = np.zeros(len(games.seeds), np.int32)  # by slot: those to play, or those chosen at random

    def run(self, work: int, answers: many.Answers, asked: Array = NO_ACTIONS) -> int:
        """Do the work with all threads; `asked` are the actions of a step. Returns what many.run_many does."""
        epoch, known = self._current or (0, None)
        if answers is not known:
            epoch = (epoch + 1) % many.EPOCHS
            self._current = (epoch, answers)
        if not self._helpers and not self._closed:
            self._helpers = [self._start(desk) for desk in self._desks[1:]]
        if self._asleep:
            with self._wake:
                self._wake.notify_all()
        return self._work(self._desks[0], epoch, answers, work, asked)

    def close(self) -> None:
        """Stop the helper threads; from now on the thread that calls `run` works alone."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        for helper in self._helpers:
            if helper is not threading.current_thread():  # a helper itself may release the last reference to a batch
                helper.join()
        self._helpers = []

    def _start(self, desk: many.Desk) -> threading.Thread:
        helper = threading.Thread(target=self._help, args=(desk,), name="franchise-batch", daemon=True)
        helper.start()
        return helper

    def _help(self, desk: many.Desk) -> None:
        while not self._closed and self._current is not None:
            epoch, answers = self._current
            if self._work(desk, epoch, answers, many.HELP) == many.TIRED:
                with self._wake:
                    if not self._closed:
                        self._asleep += 1
                        self._wake.wait()
                        self._asleep -= 1

    def _work(self, desk: many.Desk, epoch: int, answers: many.Answers, work: int, asked: Array = NO_ACTIONS) -> int:
        return many.run_many(self._games, desk, answers, asked, self.actions, self._words, epoch, work)
