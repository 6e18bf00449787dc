"""Costly results that many visitors ask for at once."""

import threading
import time

import pytest

from pages.shared.session import one_at_a_time


class Kept:
    """A result on disk, as `measures.store` keeps it, and how often it was computed."""

    def __init__(self):
        self.there = False
        self.computed = 0

    def ask(self, progress):
        if not self.there:
            progress(0.0)
            time.sleep(0.05)
            self.computed += 1
            self.there = True
        return "result"


def test_what_is_on_disk_is_read_without_waiting_and_without_a_bar():
    kept, told = Kept(), []
    kept.there = True
    assert one_at_a_time(kept.ask, told.append) == "result"
    assert told == []


def test_many_visitors_at_once_compute_a_result_once():
    kept, results = Kept(), []
    threads = [
        threading.Thread(target=lambda: results.append(one_at_a_time(kept.ask, lambda share: None)))
        for _ in range(20)
    ]
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

    def gone(share):
        if share == 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        one_at_a_time(leaves, gone)
    assert one_at_a_time(Kept().ask, lambda share: None) == "result"
