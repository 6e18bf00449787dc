"""The server's memory: few heaps for many threads, and rare looks through all of it.

glibc gives every thread a heap of its own, up to eight for each core, and a heap keeps what was
freed in it. Each run of a page is a thread: with the heaps of all of them the server holds some
150 MB more after a few pages than with two (`benchmarks/start_up.py`).

Python looks through all objects for those that only hold each other, each time so many young ones
have survived. With all libraries and pages loaded that takes a quarter of a second on a slow
machine, and all visitors wait for it: by Python's own numbers every ten seconds in a class of
thirty (`benchmarks/classroom.py`), by these about every minute. Until then, objects that only
hold each other stay in memory, such as those of a session that has ended.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_HEAPS = 2
# New objects until the young ones are looked through, and how often until older ones are.
_THRESHOLDS = 2_000, 10, 20


def share_heaps() -> None:
    """From now on threads share heaps; without effect where there is no glibc."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _HEAPS)


def collect_rarely() -> None:
    """From now on all objects are looked through less often."""
    gc.set_threshold(*_THRESHOLDS)
