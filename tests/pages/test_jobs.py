import threading

import pytest

from pages.shared import jobs
from tests.waiting import PATIENT, wait_for


def test_pieces_are_worked_on_in_order_and_results_come_as_they_are_done():
    gate = threading.Event()
    job = jobs.start([lambda: 1, lambda: gate.wait(PATIENT) and 2, lambda: 3], "me")
    wait_for(lambda: job.results == [1])
    assert not job.finished
    assert job.share == pytest.approx(1 / 3)
    gate.set()
    wait_for(lambda: job.finished)
    assert job.results == [1, 2, 3]
    assert job.share == 1


def test_results_are_joined_once_for_all_and_again_when_more_have_come():
    gate, calls = threading.Event(), []

    def join(results):
        results_there = list(results)
        job.results.append("one more")  # the list that it is given does not grow under it
        assert results == results_there
        job.results.pop()
        calls.append(len(results))
        return sum(results)

    job = jobs.start([lambda: 1, lambda: gate.wait(PATIENT) and 2], "me")
    wait_for(lambda: job.results == [1])
    assert [job.joined(join), job.joined(join)] == [1, 1]
    gate.set()
    wait_for(lambda: job.finished)
    assert [job.joined(join), job.joined(join)] == [3, 3]
    assert calls == [1, 2]


def test_a_job_that_all_have_left_ends_after_its_piece_and_goes_on_where_it_was():
    started, gate = threading.Event(), threading.Event()
    job = jobs.start([lambda: (started.set(), gate.wait(PATIENT)), lambda: "later"], "me")
    assert started.wait(PATIENT)
    job.leave("me")
    gate.set()
    wait_for(lambda: job not in jobs._at_work)
    assert len(job.results) == 1
    assert not job.finished
    job.join("me")
    wait_for(lambda: job.finished)
    assert job.results[1] == "later"


def test_a_piece_that_waits_for_its_turn_is_not_begun_if_all_have_left():
    """All visitors share the pool: nobody else waits for what nobody sees."""
    go_on, done = threading.Event(), []
    before = [jobs.start([lambda: go_on.wait(PATIENT)], "before") for _ in range(jobs._WORKERS)]
    job = jobs.start([lambda: done.append(1)], "a visitor")
    job.leave("a visitor")
    go_on.set()
    wait_for(lambda: all(each.finished for each in before) and not jobs.running(), "the others")
    assert done == []
    job.join("a visitor")
    wait_for(lambda: job.finished, "the piece")
    assert done == [1]


def test_one_who_leaves_does_not_stop_it_for_the_others():
    started, gate = threading.Event(), threading.Event()
    pieces = [lambda: (started.set(), gate.wait(PATIENT)), lambda: "later"]
    job = jobs.start(pieces, "me", key="class")
    assert jobs.start(pieces, "you", key="class") is job
    assert started.wait(PATIENT)
    job.leave("me")
    gate.set()
    wait_for(lambda: job.finished)
    assert job.watched_by("you")
    assert not job.watched_by("me")


def test_one_who_left_is_not_brought_back_by_a_rerun_of_the_page():
    gate = threading.Event()
    pieces = [lambda: gate.wait(PATIENT), lambda: 2]
    job = jobs.start(pieces, "me", key="left")
    job.leave("me")
    assert jobs.start(pieces, "me", key="left") is job
    assert not job.watched_by("me")
    gate.set()


def test_a_long_job_does_not_keep_another_waiting():
    long = [lambda: None] * 1_000_000
    slow, also_slow = jobs.start(long, "a"), jobs.start(long, "b")
    quick = jobs.start([lambda: "there"], "c")
    wait_for(lambda: quick.finished)
    assert not slow.finished
    assert not also_slow.finished
    slow.leave("a")
    also_slow.leave("b")


def test_the_same_key_is_one_job():
    first = jobs.start([lambda: 1], "me", key=("a", 1))
    assert jobs.start([lambda: 1], "you", key=("a", 1)) is first
    assert jobs.start([lambda: 1], "me", key=("a", 2)) is not first


def test_all_jobs_can_be_stopped_those_without_a_key_too():
    jobs.stop_all()
    endless = [jobs.start([lambda: None] * 1_000_000, "me", key) for key in (None, "all")]
    assert jobs.running() == 2
    jobs.stop_all()
    assert jobs.running() == 0
    assert not any(job.finished for job in endless)


def test_jobs_without_a_key_are_never_shared():
    assert jobs.start([lambda: 1], "me") is not jobs.start([lambda: 1], "me")


def test_an_error_ends_the_job_and_is_kept_for_the_page():
    def fail():
        raise ValueError("no such ε")

    job = jobs.start([lambda: 1, fail, lambda: 3], "me", key="fails")
    wait_for(lambda: job.finished)
    assert str(job.error) == "no such ε"
    assert job.results == [1]
    assert jobs.start([lambda: 1], "me", key="fails") is not job


def test_finished_jobs_are_forgotten_when_there_are_many():
    for number in range(100):
        job = jobs.start([lambda: 1], "me", key=("many", number))
        wait_for(lambda job=job: job.finished)
    assert len(jobs._jobs) < 40


def test_a_job_without_pieces_is_finished():
    assert jobs.start([], "me").finished
