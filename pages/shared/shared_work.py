"""Work on public words that visitors share: one job for all, one computation at a time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from mechanisms import Vocabulary
from pages.shared import jobs, turns
from pages.shared.session import once, visitor

Result = TypeVar("Result")


def shared_job(
    pieces: Sequence[Callable[[], object]], key: Hashable, vocabulary: Vocabulary
) -> jobs.Job:
    """A job about public words of a vocabulary, one for all sessions.

    About a visitor's own embedding it is the session's own.
    """
    if vocabulary.public:
        return jobs.start(pieces, visitor(), key)
    return once(("job", key), lambda: jobs.start(pieces, visitor()))


class _NotOnDisk(Exception):
    """Progress was told: there is something to compute."""


_line = turns.Line()


class Progress(Protocol):
    """Told the share that is done, and how many computations come before this one."""

    def __call__(self, share: float, ahead: int = 0, /) -> object:
        """Show it."""


def one_at_a_time(ask: Callable[[Callable[[float], object]], Result], progress: Progress) -> Result:
    """A result that is kept on disk: read, or computed while no other visitor's is.

    `ask` takes a progress that it calls before it computes anything. Who comes second waits, and
    mostly finds the result on disk; a visitor who leaves stops waiting, as progress then raises.
    """

    def nothing_is_computed(share: float) -> None:
        raise _NotOnDisk

    try:
        return ask(nothing_is_computed)
    except _NotOnDisk:
        progress(0.0)
    with _line.turn(lambda ahead: progress(0.0, ahead)):
        result = ask(progress)
    progress(1.0)
    return result
