"""Queues: one has its turn, the others wait in the order they came.

Runs of pages wait in one of them (`RUNS`), because Python computes in one thread at a time. If many
runs begin at once and share that time, all of them end late, and the server's own thread, which
sends to the browsers what the runs draw, is one more that waits. One after the other, the first run
ends early, and the last about as late as before (`benchmarks/README.md`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock


class Line:
    """A queue of threads. After `longest` seconds of a turn, the next thread no longer waits."""

    def __init__(self, longest: float = math.inf) -> None:
        """Begin with an empty queue."""
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
        """How many are ahead, without one whose turn has taken too long; 0 at one's own turn."""
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


# Runs of pages; one that takes longer than this keeps nobody waiting any more.
RUNS = Line(longest=0.3)
