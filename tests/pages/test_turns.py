"""Runs of pages, one after the other."""

import math
import threading

import pytest

from pages.shared import turns
from tests.app import healthy, page
from tests.boxes import number_box
from tests.waiting import PATIENT, wait_for


@pytest.fixture
def busy(monkeypatch):
    """The queue of runs while one, which ends when its event is set, keeps all others waiting."""
    line, there, end = turns.Line(), threading.Event(), threading.Event()
    monkeypatch.setattr(turns, "RUNS", line)

    def one():
        with line.turn():
            there.set()
            assert end.wait(PATIENT)

    thread = beside(one)
    assert there.wait(PATIENT)
    yield line, end
    end.set()
    thread.join(PATIENT)


def beside(run):
    """A thread that runs this."""
    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_all_have_their_turn_in_order_and_one_at_a_time():
    line, at_work, most, order = turns.Line(), [], [], []
    threads = []

    def work(name):
        with line.turn():
            at_work.append(name)
            most.append(len(at_work))
            order.append(name)
            if name == 0:
                wait_for(lambda: len(line._standing) == 20)
            at_work.remove(name)

    for name in range(20):
        threads.append(beside(lambda name=name: work(name)))
        wait_for(lambda name=name: len(line._standing) == name + 1)
    for thread in threads:
        thread.join(PATIENT)
    assert order == list(range(20))
    assert set(most) == {1}
    assert line._standing == []


def test_who_takes_long_lets_the_next_go_ahead_and_ends_in_peace():
    line, ahead, second_is_in = turns.Line(longest=0.01), [], threading.Event()

    def second():
        with line.turn(ahead.append):
            second_is_in.set()

    with line.turn():
        thread = beside(second)
        assert second_is_in.wait(PATIENT)
    thread.join(PATIENT)
    assert set(ahead) <= {1}
    assert line._standing == []
    with line.turn(ahead.clear):  # nobody is ahead, so it is not called
        pass
    assert set(ahead) <= {1}


def test_who_may_take_any_time_lets_nobody_go_ahead():
    line = turns.Line()
    assert line._longest == math.inf
    told = []

    def leaves(ahead):
        told.append(ahead)
        if len(told) == 3:
            raise InterruptedError

    with line.turn():
        with pytest.raises(InterruptedError), line.turn(leaves, seconds=0.01):
            pass
        assert len(line._standing) == 1
    assert told == [1, 1, 1]


def test_a_turn_ends_where_its_work_fails():
    line = turns.Line()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), line.turn():
            raise ZeroDivisionError
    assert line._standing == []


def test_a_run_of_a_page_waits_for_its_turn(busy):
    line, end = busy
    seen = []
    thread = beside(lambda: seen.append(page(mechanism="tem")))
    wait_for(lambda: len(line._standing) == 2)
    assert seen == []
    end.set()
    thread.join(PATIENT)
    assert seen[0].header[0].value == "Private sentences"


def test_so_does_a_run_of_its_parts_and_both_end_their_turn(run_from, monkeypatch):
    app = page(mechanism="tem", eps="4")
    assert turns.RUNS._standing == []
    began = []

    class Counted(turns.Line):
        def turn(self, *waiting):
            began.append(1)
            return super().turn(*waiting)

    monkeypatch.setattr(turns, "RUNS", Counted())
    box = number_box(app, key="tem.epsilon").set_value(5.5)
    healthy(run_from(app, box.id))
    assert began == [1]
    assert turns.RUNS._standing == []
