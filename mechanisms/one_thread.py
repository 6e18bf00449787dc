"""Many small matrix products, each on one thread.

A BLAS shares every product among its threads and waits for the last of them. For products of a
millisecond on a busy machine the wait is the larger part by far, and the sums, split otherwise,
differ in their last bits. BLAS keeps its number of threads for the whole process; so the first of
several concurrent users sets it to one, and the last puts it back.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_users = 0
_limits = ExitStack()


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside, matrix products of this process run on the thread that asks for them."""
    global _users
    with _lock:
        if _users == 0:
            controller = _controller("faiss" in sys.modules, "scipy.linalg" in sys.modules)
            _limits.enter_context(controller.limit(limits=1, user_api="blas"))
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _limits.close()


@cache
def _controller(faiss_is_there: bool, scipy_is_there: bool) -> ThreadpoolController:
    """What sets the number of threads.

    Looking takes milliseconds: done once, and again where a library came with a BLAS of its own.
    """
    return ThreadpoolController()
