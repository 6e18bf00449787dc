"""Costly results that many visitors ask for at once."""

import threading

import pytest

from pages.shared.progress import bar
from pages.shared.shared_work import one_at_a_time
from tests.waiting import PATIENT, wait_for


class Kept:
    """A result on disk, as `measures.store` keeps it, and how often it was computed."""

    def __init__(self, visitors=0):
        self.there = False
        self.computed = 0
        self.visitors, self.arrived = visitors, []

    def ask(self, progress):
        if not self.there:
            progress(0.0)
            wait_for(lambda: len(self.arrived) == self.visitors)
            self.computed += 1
            self.there = True
        return "result"


def test_what_is_on_disk_is_read_without_waiting_and_without_a_bar():
    kept, told = Kept(), []
    kept.there = True
    assert one_at_a_time(kept.ask, told.append) == "result"
    assert told == []


def test_many_visitors_at_once_compute_a_result_once():
    kept, results = Kept(20), []

    def visit():
        kept.arrived.append(threading.get_ident())
        results.append(one_at_a_time(kept.ask, lambda *told: None))

    threads = [threading.Thread(target=visit) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["result"] * 20
    assert kept.computed == 1


def test_the_bar_ends_whether_this_visitor_computed_or_another_did():
    told = []
    one_at_a_time(Kept().ask, told.append)
    assert told[0] == 0
    assert told[-1] == 1


def test_a_visitor_who_leaves_frees_the_way():
    def leaves(progress):
        progress(0.5)

    def gone(share, ahead=0):
        if share == 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        one_at_a_time(leaves, gone)
    assert one_at_a_time(Kept().ask, lambda *told: None) == "result"


def test_who_waits_is_told_how_many_come_first_and_all_have_their_turn_in_order():
    first_is_in, go_on = threading.Event(), threading.Event()
    turns, told, threads = [], {name: [] for name in "abc"}, []

    def ask(name):
        def compute(progress):
            progress(0.5)
            if name == "a":
                first_is_in.set()
                assert go_on.wait(PATIENT)
            turns.append(name)

        return compute

    def heard(name):
        def progress(share, ahead=0):
            told[name].append(ahead)

        return progress

    def begin(name):
        threads.append(threading.Thread(target=one_at_a_time, args=(ask(name), heard(name))))
        threads[-1].start()

    begin("a")
    assert first_is_in.wait(PATIENT)
    for place, name in enumerate("bc", 1):
        begin(name)
        wait_for(lambda place=place, name=name: place in told[name])
    go_on.set()
    for thread in threads:
        thread.join(PATIENT)
    assert turns == ["a", "b", "c"]
    assert set(told["a"]) == {0}
    assert set(told["b"]) == {0, 1}
    assert set(told["c"]) - {1} == {0, 2}


def test_a_bar_in_the_queue_says_how_many_come_first():
    class Place:
        def progress(self, share, text):
            self.text = text

    place = Place()
    show = bar(place, "Comparing words …")
    show(0.0, 3)
    assert place.text == "Comparing words … 3 computations are ahead of yours"
    show(0.0, 1)
    assert place.text == "Comparing words … 1 computation is ahead of yours"
    show(0.25)
    assert place.text == "Comparing words … 25 %"
