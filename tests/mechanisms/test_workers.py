"""A dask scheduler without workers, and one that goes away."""

import json
import subprocess
import sys
import time

import joblib
import pytest
from distributed import LocalCluster

from mechanisms import workers
from tests.waiting import wait_for

pytestmark = pytest.mark.process


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(workers, "_LOOK", 0.05)
    monkeypatch.setattr(workers, "_PATIENCE", 0.1)


def cluster(count):
    return LocalCluster(
        n_workers=count, threads_per_worker=2, processes=False, dashboard_address=":0"
    )


def test_a_scheduler_without_workers_is_told_of_and_waited_for(quick):
    told = []
    with cluster(0) as found:

        def tell(sentence):
            told.append(sentence)
            found.scale(1)

        with workers.backend(1, found.scheduler_address, tell=tell) as jobs:
            assert joblib.Parallel(jobs)(joblib.delayed(abs)(-i) for i in range(3)) == [0, 1, 2]
    (sentence,) = told
    assert "has no workers; waiting for one (dask worker " in sentence


@pytest.fixture
def processes(tmp_path):
    """A scheduler and a worker as processes of their own, and the address."""
    file, begun = tmp_path / "scheduler.json", []

    def begin(what, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", file]
        begun.append(subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL))

    begin("scheduler", "--port", "0", "--no-dashboard")
    begin("worker", "--nthreads", "2", "--no-nanny", "--no-dashboard")
    wait_for(lambda: file.exists() or begun[0].poll() is not None, "the scheduler's file")
    assert begun[0].poll() is None
    yield json.loads(file.read_text())["address"], begun[0]
    for each in begun:
        each.kill()
        each.wait()


def test_a_scheduler_that_goes_away_ends_the_run(quick, processes):
    address, scheduler = processes

    def work():
        with workers.backend(1, address) as jobs:
            tasks = (joblib.delayed(time.sleep)(seconds) for seconds in (0, 60, 60))
            results = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1)(tasks)
            next(results)
            scheduler.kill()
            next(results)

    with pytest.raises(OSError, match="does not answer any more; the same command goes on"):
        work()


def test_an_address_where_nobody_answers_is_said():
    with pytest.raises(OSError, match=r"Scheduler: nowhere://x does not answer"):
        workers.backend(1, "nowhere://x").__enter__()
