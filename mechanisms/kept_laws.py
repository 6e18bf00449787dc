"""What draws keep of the laws of words, for as long as one file takes.

What a mechanism works out of a word depends on the mechanism, the vocabulary and the word, never on
where the word occurs. Inside `keeping(kept)` it may be kept for the next draws. Draws are the same
with and without it; the time of a draw then says whether a word occurred before in the same file
(SECURITY.md), so that nothing is kept from one file, text or visitor to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Found = TypeVar("Found")


class KeptLaws:
    """What one file keeps, by what it belongs to: a mechanism and a vocabulary."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self.found: dict[Hashable, Any] = {}


_current: ContextVar[KeptLaws | None] = ContextVar("kept laws", default=None)


@contextmanager
def keeping(kept: KeptLaws | None) -> Iterator[None]:
    """Inside, this thread's draws keep what they work out; with None they keep nothing."""
    before = _current.set(kept)
    try:
        yield
    finally:
        _current.reset(before)


def kept(belongs: Hashable, make: Callable[[], Found]) -> Found | None:
    """What this file keeps under this key, made if it is new; None if nothing is kept."""
    kept = _current.get()
    if kept is None:
        return None
    if belongs not in kept.found:
        kept.found[belongs] = make()
    found: Found = kept.found[belongs]
    return found
