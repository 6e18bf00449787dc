"""Where joblib runs tasks: this process, processes of this machine, workers of a dask scheduler."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

import joblib

# Seconds between two looks at a scheduler, and how long it may have no workers, or be silent.
_LOOK = 1.0
_PATIENCE = 5.0


@contextmanager
def backend(
    workers: int = 1,
    scheduler: str | None = None,
    after: Callable[[], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Iterator[int]:
    """Inside, joblib runs tasks there; the number of jobs to ask it for.

    Parameters
    ----------
    workers
        Processes of this machine, each on one core; with 1 tasks run in this process. They end
        with this block, and with this process.
    scheduler
        The address of a dask scheduler, whose workers are used instead.
    after
        Called at the end where tasks ran in a process that goes on: what they keep is let go of.
    tell
        Called with a sentence where a scheduler has no workers, for as long as there are none.

    Raises
    ------
    BrokenProcessPool
        If a process that had a task has died.
    OSError
        If no scheduler answers, or it is gone.

    """
    if scheduler is not None:
        with _dask(scheduler, tell) as client, joblib.parallel_config(backend="dask"):
            yield -1
            if after:
                client.run(after)
    elif workers == 1:
        with joblib.parallel_config(backend="sequential"):
            yield 1
        if after:
            after()
    else:
        with joblib.parallel_config(
            backend="loky", inner_max_num_threads=1, initializer=_serve, initargs=(os.getpid(),)
        ):
            try:
                yield workers
            finally:  # also where it was stopped: they would go on with tasks that nobody takes
                joblib.externals.loky.get_reusable_executor().shutdown(kill_workers=True)


@contextmanager
def _dask(scheduler: str, tell: Callable[[str], None] | None) -> Iterator[Any]:
    """A client of a scheduler that has workers, until it is gone.

    Its library waits in silence for both, so a thread looks after them, and interrupts this one.
    """
    from distributed import Client, KilledWorker

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # it logs what is said here
    gone, over = threading.Event(), threading.Event()
    lost = f"Scheduler: {scheduler} does not answer any more; the same command goes on."
    try:
        client = Client(scheduler)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:  # the last where TLS has no certificates
        raise OSError(f"Scheduler: {scheduler} does not answer ({error}).") from error

    def look_after() -> None:
        waited = missed = 0.0
        while not over.wait(_LOOK):
            missed = 0.0 if client.status == "running" else missed + _LOOK
            if missed >= _PATIENCE:
                gone.set()
                interrupt_main()
                return
            if missed == 0.0:
                waited = 0.0 if _has_workers(client) else waited + _LOOK
                if waited == _PATIENCE and tell:
                    tell(
                        f"Scheduler: {scheduler} has no workers; waiting for one "
                        f"(dask worker {scheduler})."
                    )

    watch = threading.Thread(target=look_after, daemon=True)
    try:
        if threading.current_thread() is threading.main_thread():
            watch.start()
        while not _has_workers(client):
            time.sleep(_LOOK)
        yield client
    except KilledWorker as error:
        raise BrokenProcessPool(str(error)) from error
    except KeyboardInterrupt:
        if gone.is_set():
            raise OSError(lost) from None
        raise
    except Exception as error:  # what was asked of a scheduler that is gone fails in many ways
        if client.status != "running":
            raise OSError(lost) from error
        raise
    finally:
        over.set()
        client.close(timeout=1)  # type: ignore[no-untyped-call]


def _has_workers(client: Any) -> bool:
    """Whether there are workers, as far as is known: where nobody answers there may be."""
    try:
        return bool(client.ncores()) or client.status != "running"
    except Exception:  # the connection broke while it was asked
        return True


def _serve(parent: int) -> None:
    """Begin a process that works for the parent, and ends with it."""

    def end_with_parent() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    # Ctrl-C reaches every process of a terminal; the parent ends the others. Where the parent is
    # killed, nobody else would: a worker waits minutes for work before it ends by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":  # elsewhere the number of a dead parent stays
        threading.Thread(target=end_with_parent, daemon=True).start()
