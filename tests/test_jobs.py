import threading
import time

import pytest

from pages.shared import jobs


def wait_for(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


def test_pieces_are_worked_on_in_order_and_results_come_as_they_are_done():
    gate = threading.Event()
    job = jobs.start([lambda: 1, lambda: gate.wait(20) and 2, lambda: 3])
    wait_for(lambda: job.results == [1])
    assert not job.finished
    assert job.share == pytest.approx(1 / 3)
    gate.set()
    wait_for(lambda: job.finished)
    assert job.results == [1, 2, 3]
    assert job.share == 1


def test_a_stopped_job_ends_after_its_piece_and_keeps_what_it_has():
    started, gate = threading.Event(), threading.Event()
    job = jobs.start([lambda: (started.set(), gate.wait(20)), lambda: "never"])
    assert started.wait(20)
    job.stop()
    gate.set()
    wait_for(lambda: job.results)
    time.sleep(0.05)
    assert len(job.results) == 1
    assert job.finished


def test_a_long_job_does_not_keep_another_waiting():
    slow = jobs.start([lambda: time.sleep(0.02)] * 200)
    also_slow = jobs.start([lambda: time.sleep(0.02)] * 200)
    quick = jobs.start([lambda: "there"])
    wait_for(lambda: quick.finished)
    assert not slow.finished
    assert not also_slow.finished
    slow.stop()
    also_slow.stop()


def test_the_same_key_is_one_job_until_it_fails_or_stops():
    gate = threading.Event()
    first = jobs.start([gate.wait], key=("a", 1))
    assert jobs.start([gate.wait], key=("a", 1)) is first
    assert jobs.start([gate.wait], key=("a", 2)) is not first
    first.stop()
    gate.set()
    assert jobs.start([lambda: 1], key=("a", 1)) is not first


def test_jobs_without_a_key_are_never_shared():
    assert jobs.start([lambda: 1]) is not jobs.start([lambda: 1])


def test_an_error_ends_the_job_and_is_kept_for_the_page():
    def fail():
        raise ValueError("no such ε")

    job = jobs.start([lambda: 1, fail, lambda: 3])
    wait_for(lambda: job.finished)
    assert str(job.error) == "no such ε"
    assert job.results == [1]


def test_finished_jobs_are_forgotten_when_there_are_many():
    for number in range(100):
        job = jobs.start([lambda: 1], key=("many", number))
        wait_for(lambda job=job: job.finished)
    assert len(jobs._jobs) < 40


def test_a_job_without_pieces_is_finished():
    assert jobs.start([]).finished
