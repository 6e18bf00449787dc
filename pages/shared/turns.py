"""Queues: one has its turn, the others wait in the order they came.

Runs of pages stand in one (`RUNS`). Python computes in one thread at a time: runs that all begin at
once share it and all end last, while the server's own thread, which hands out what they draw, waits
for all of them. One after the other, the first ends soon and the last no later
(`benchmarks/README.md`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock


class Line:
    """A queue of threads. Who has its turn for `longest` seconds lets the next one go ahead."""

    def __init__(self, longest: float = math.inf) -> None:
        """Nobody stands in it."""
        self._longest = longest
        self._standing: list[Event] = []  # each is set when its turn begins: the first one's is
        self._began = 0.0
        self._lock = Lock()

    @contextmanager
    def turn(
        self, waiting: Callable[[int], None] = lambda ahead: None, seconds: float = 0.3
    ) -> Iterator[None]:
        """Wait for one's turn and have it; `waiting` is told again and again how many are ahead.

        Where it raises, one leaves the queue.
        """
        mine = Event()
        with self._lock:
            self._standing.append(mine)
            if len(self._standing) == 1:
                self._begin()
        try:
            while ahead := self._ahead_of(mine):
                waiting(ahead)
                mine.wait(min(seconds, max(0.0, self._began + self._longest - time.monotonic())))
            yield
        finally:
            with self._lock:
                self._leave(mine)

    def _ahead_of(self, mine: Event) -> int:
        with self._lock:
            if mine.is_set():
                return 0
            if time.monotonic() >= self._began + self._longest:
                self._leave(self._standing[0])
            return self._standing.index(mine)

    def _leave(self, who: Event) -> None:
        if who in self._standing:  # it may have let others go ahead
            self._standing.remove(who)
            if who.is_set() and self._standing:
                self._begin()

    def _begin(self) -> None:
        self._began = time.monotonic()
        self._standing[0].set()


# Runs of pages; one that computes for long keeps the others no longer than this.
RUNS = Line(longest=0.3)
