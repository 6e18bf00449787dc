"""Long work for many visitors: one bounded pool for all sessions.

A job is a list of pieces that take a second or so each. The pool works on one piece of each job in
turn, so a long job of one visitor does not keep the others waiting, and results so far can be read
while it runs. Jobs with the same key (public things only) are one job, whoever asks for it. A job
goes on as long as someone watches it: a visitor who leaves does not stop it for the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

_WORKERS = 2
_KEPT = 16

_pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="job")
_jobs: dict[Hashable, Job] = {}
_at_work: set[Job] = set()
_lock = Lock()


class Job:
    """Pieces that are worked on in turn, their results so far, and who watches."""

    def __init__(self, pieces: Sequence[Callable[[], Any]]) -> None:
        """Take the pieces; nothing runs yet."""
        self._pieces = pieces
        self._viewers: set[str] = set()
        self.seen_by: set[str] = set()
        self.results: list[Any] = []
        self.error: Exception | None = None
        self._joined: tuple[int, Any] | None = None

    def joined(self, join: Callable[[list[Any]], Any]) -> Any:
        """The results so far as one, made once for all who watch; `join` is the same each time."""
        results = list(self.results)
        if self._joined is None or self._joined[0] != len(results):
            self._joined = len(results), join(results)
        return self._joined[1]

    @property
    def share(self) -> float:
        """The share that is done, from 0 to 1."""
        return len(self.results) / len(self._pieces) if self._pieces else 1.0

    @property
    def finished(self) -> bool:
        """Whether nothing more can come: all is done, or it has failed."""
        return self.error is not None or len(self.results) == len(self._pieces)

    def watched_by(self, viewer: str) -> bool:
        """Whether this viewer has not left."""
        return viewer in self._viewers

    def join(self, viewer: str) -> None:
        """Watch: the work goes on where it stopped."""
        with _lock:
            self._viewers.add(viewer)
            if self not in _at_work and not self.finished:
                _at_work.add(self)
                _pool.submit(self._work)

    def leave(self, viewer: str) -> None:
        """Stop watching. Without any viewer the work ends after the piece at hand."""
        with _lock:
            self._viewers.discard(viewer)

    def _work(self) -> None:
        with _lock:
            if not self._viewers:  # all have left while this piece waited for its turn
                _at_work.discard(self)
                return
        try:
            self.results.append(self._pieces[len(self.results)]())
        except Exception as error:  # shown to the visitor by the page that reads the job
            self.error = error
        with _lock:
            if self._viewers and not self.finished:
                _pool.submit(self._work)  # behind the pieces of the other jobs
            else:
                _at_work.discard(self)


def start(pieces: Sequence[Callable[[], Any]], viewer: str, key: Hashable | None = None) -> Job:
    """A job for these pieces, watched by the viewer: the one with this key, unless it has failed.

    A viewer who left a job does not join it again by asking for it.
    Without a key the job is the caller's own: so it is where a visitor's words are in it.
    """
    with _lock:
        job = _jobs.get(key) if key is not None else None
        if job is not None and job.error is None and viewer in job.seen_by:
            return job
        if job is None or job.error is not None:
            job = Job(pieces)
            if key is not None:
                _jobs.pop(key, None)
                _jobs[key] = job
                finished = [k for k, other in _jobs.items() if other.finished]
                for old in finished[: max(0, len(_jobs) - _KEPT)]:
                    del _jobs[old]
        job.seen_by.add(viewer)
    job.join(viewer)
    return job


def running() -> int:
    """How many jobs of all visitors are at work."""
    with _lock:
        return len(_at_work)


def stop_all(seconds: float = 60.0) -> None:
    """End every job after the piece at hand, and wait for that: before the process ends."""
    with _lock:
        for job in _at_work:
            job._viewers.clear()
    deadline = time.monotonic() + seconds
    while running() and time.monotonic() < deadline:
        time.sleep(0.01)
