"""Long work for many visitors: one bounded pool for all sessions.

A job is a list of pieces that take a second or so each. The pool works on one piece of each job in
turn, so a long job of one visitor does not keep the others waiting; results so far can be read
while it runs, and it stops after the piece at hand. Jobs with the same key (public things only) are
one job, whoever asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

_WORKERS = 2
_KEPT = 16

_pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="job")
_jobs: dict[Hashable, Job] = {}
_lock = Lock()


class Job:
    """Pieces that are worked on in turn, and their results so far."""

    def __init__(self, pieces: Sequence[Callable[[], Any]]) -> None:
        """Take the pieces; nothing runs yet."""
        self._pieces = pieces
        self.results: list[Any] = []
        self.error: Exception | None = None
        self.stopped = False

    @property
    def total(self) -> int:
        """Number of pieces."""
        return len(self._pieces)

    @property
    def share(self) -> float:
        """The share that is done, from 0 to 1."""
        return len(self.results) / self.total if self.total else 1.0

    @property
    def finished(self) -> bool:
        """Whether nothing more will come: done, stopped or failed."""
        return self.stopped or self.error is not None or len(self.results) == self.total

    def stop(self) -> None:
        """End after the piece at hand. What is there stays."""
        self.stopped = True

    def _work(self) -> None:
        if self.finished:
            return
        try:
            self.results.append(self._pieces[len(self.results)]())
        except Exception as error:  # shown to the visitor by the page that reads the job
            self.error = error
        if not self.finished:
            _pool.submit(self._work)  # behind the pieces of the other jobs


def start(pieces: Sequence[Callable[[], Any]], key: Hashable | None = None) -> Job:
    """A job for these pieces: the one with this key, unless it was stopped or has failed.

    Without a key the job is the caller's own: so it is where a visitor's words are in it.
    """
    with _lock:
        job = _jobs.get(key) if key is not None else None
        if job is not None and not job.stopped and job.error is None:
            return job
        job = Job(pieces)
        if key is not None:
            _jobs.pop(key, None)
            _jobs[key] = job
            for old in [k for k, j in _jobs.items() if j.finished][: max(0, len(_jobs) - _KEPT)]:
                del _jobs[old]
    _pool.submit(job._work)
    return job


def waiting() -> int:
    """How many jobs of all visitors are at work or wait."""
    with _lock:
        return sum(not job.finished for job in _jobs.values())
