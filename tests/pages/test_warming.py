import subprocess
import sys

import pytest

from measures import lessons
from pages.learn import warming
from pages.learn.lessons import worst
from tests.app import page
from tests.browser import ROOT


@pytest.fixture(autouse=True)
def once_more():
    """A server that has only just started."""
    warming.begin.cache_clear()
    yield
    warming.begin().join()


def test_the_first_visit_of_any_page_begins_it_and_the_next_does_not():
    page()
    first = warming.begin()
    page()
    assert warming.begin() is first


def test_a_lesson_finds_its_hundred_words_computed(monkeypatch):
    page()
    warming.begin().join()

    def computed_again(*_):
        raise AssertionError("was not there")

    monkeypatch.setattr(lessons, "hundred", computed_again)
    assert len(worst.hundred().word_ids) == 100


def test_a_server_that_ends_meanwhile_says_nothing_of_it():
    code = """
import threading, time
from concurrent.futures import ThreadPoolExecutor
from pages.learn import warming

def late():
    threading.main_thread().join()
    time.sleep(0.3)
    ThreadPoolExecutor().submit(print)

warming.worst.hundred = late
warming.begin()
threading.Thread(target=time.sleep, args=(1,)).start()  # the process is there a while longer
"""
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0
    assert "Error" not in ended.stderr
