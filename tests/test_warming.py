import pytest

from measures import lessons
from pages.shared import warming
from pages.shared.lessons import worst
from tests.test_pages import page


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
