"""Few heaps for many threads.

glibc gives every thread a heap of its own, up to eight for each core, and a heap keeps what was
freed in it. Each run of a page is a thread: with the heaps of all of them the server holds some
150 MB more after a few pages than with two (`benchmarks/start_up.py`).
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_HEAPS = 2


def share() -> None:
    """From now on threads share heaps; without effect where there is no glibc."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _HEAPS)
