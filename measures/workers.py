"""Where joblib runs tasks: this process, processes of this machine, workers of a dask scheduler."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

import joblib


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

    Raises
    ------
    BrokenProcessPool
        Where a process that had a task has died.
    OSError
        Where no scheduler answers.

    """
    if scheduler is not None:
        from distributed import Client, KilledWorker

        client = Client(scheduler)  # type: ignore[no-untyped-call]
        with client, joblib.parallel_config(backend="dask"):
            try:
                yield -1
            except KilledWorker as error:
                raise BrokenProcessPool(str(error)) from error
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
