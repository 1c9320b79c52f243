"""The threads that share the work of a batch."""

import threading
from typing import Any

import numpy as np

from franchise.engine.batch_kernels import EPOCHS, HELP, IDLE, Answers, Games, WorkerMemory, new_shared_words, run_batch

Array = np.ndarray[Any, np.dtype[Any]]

NO_ACTIONS = np.zeros(0, np.int64)


class WorkerThreads:
    """The thread that calls `run`, and helper threads, each with its own memory, started as needed.

    Helpers stay awake briefly after each step and look for the next one, because waking a sleeping thread takes longer
    than a step. Nobody waits for a sleeping helper, since any thread can take any portion of the work.
    """

    def __init__(self, games: Games, memories: list[WorkerMemory]) -> None:
        self._games = games
        self._memories = memories
        self._words = new_shared_words()
        self._current: tuple[int, Answers] | None = None  # the epoch, and where the helpers write to
        self._asleep = 0
        self._closed = False
        self._wake = threading.Condition()
        self._helpers: list[threading.Thread] = []
        self.actions = np.zeros(len(games.seeds), np.int32)  # by slot: those to play, or those chosen at random

    def run(self, work: int, answers: Answers, asked: Array = NO_ACTIONS) -> int:
        """Do the work with all threads; `asked` are the actions of a step. Returns what run_batch does."""
        epoch, current = self._current or (0, None)
        if answers is not current:
            epoch = (epoch + 1) % EPOCHS
            self._current = (epoch, answers)
        if not self._helpers and not self._closed:
            self._helpers = [self._start(memory) for memory in self._memories[1:]]
        if self._asleep:
            with self._wake:
                self._wake.notify_all()
        return self._work(self._memories[0], epoch, answers, work, asked)

    def close(self) -> None:
        """Stop the helper threads; from now on the thread that calls `run` works alone."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        for helper in self._helpers:
            if helper is not threading.current_thread():  # a helper itself may release the last reference to a batch
                helper.join()
        self._helpers = []

    def _start(self, memory: WorkerMemory) -> threading.Thread:
        helper = threading.Thread(target=self._help, args=(memory,), name="franchise-batch", daemon=True)
        helper.start()
        return helper

    def _help(self, memory: WorkerMemory) -> None:
        while not self._closed and self._current is not None:
            epoch, answers = self._current
            if self._work(memory, epoch, answers, HELP) == IDLE:
                with self._wake:
                    if not self._closed:
                        self._asleep += 1
                        self._wake.wait()
                        self._asleep -= 1

    def _work(self, memory: WorkerMemory, epoch: int, answers: Answers, work: int, asked: Array = NO_ACTIONS) -> int:
        return run_batch(self._games, memory, answers, asked, self.actions, self._words, epoch, work)
