"""What a tab finds again, and for how long."""

import pytest

from pages.shared import vault
from pages.shared.vault import Vault


@pytest.fixture
def now():
    return [1000.0]


@pytest.fixture
def timers(monkeypatch):
    """The seconds of each timer that was started, and what is due after them."""
    started = []

    class Timer:
        daemon = False

        def __init__(self, seconds, due):
            started.append((seconds, due))

        def start(self):
            pass

    monkeypatch.setattr(vault, "Timer", Timer)
    return started


def test_a_thing_is_found_under_its_token_only_and_until_it_was_not_visited_for_a_while(now):
    kept = Vault(clock=lambda: now[0])
    kept.keep("a", "mine")
    assert kept.find("a") == "mine"
    assert kept.find("b") is None
    now[0] += vault.SECONDS
    assert kept.find("a") == "mine"
    now[0] += 1
    assert kept.find("a") is None
    assert kept.tokens() == []


def test_a_visit_begins_the_time_anew_and_a_dropped_thing_is_gone(now):
    kept = Vault(clock=lambda: now[0])
    kept.keep("a", 1)
    now[0] += vault.SECONDS - 1
    kept.keep("a", 2)
    now[0] += vault.SECONDS - 1
    assert kept.find("a") == 2
    kept.drop("a")
    assert kept.find("a") is None


def test_what_nobody_asks_for_is_wiped_by_its_own_clock(now, timers):
    kept = Vault(clock=lambda: now[0])
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert [seconds for seconds, _ in timers] == [vault.SECONDS + 1]
    now[0] += vault.SECONDS + 1
    timers[0][1]()
    assert kept._things == {}
    assert len(timers) == 1  # nothing is left to wait for
    kept.keep("c", 3)
    assert len(timers) == 2


def test_a_thing_that_was_visited_is_wiped_a_while_after_that_visit(now, timers):
    kept = Vault(clock=lambda: now[0])
    kept.keep("a", 1)
    now[0] += 100
    kept.keep("a", 2)  # the page is open for a while
    now[0] += vault.SECONDS - 99
    timers[0][1]()
    assert list(kept._things) == ["a"]
    seconds, due = timers[1]
    assert seconds == 100
    now[0] += seconds
    due()
    assert kept._things == {}


def test_of_too_many_or_too_heavy_things_the_oldest_go_first():
    kept = Vault(most=3)
    for number in range(5):
        kept.keep(str(number), number)
    assert kept.tokens() == ["2", "3", "4"]
    heavy = Vault(weight=len, heaviest=10)
    for token, thing in (("a", "x" * 6), ("b", "x" * 6), ("c", "x" * 20)):
        heavy.keep(token, thing)
    assert heavy.tokens() == ["c"]  # the last one is never refused
    kept.clear()
    heavy.clear()
