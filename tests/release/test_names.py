"""Name-like words: by their spelling, and what that misses."""

import pytest

from data.given_names import given_names
from release.names import Names, Spellings, name_like


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        (["Please call Siobhan today."], "siobhan"),
        (["Siobhan called about it."], "siobhan"),  # at a start: given name, or no English word
        (["Kowalski called about it."], "kowalski"),
        (["- Oliver\n- Emma"], "emma"),
        (["it was olivia who wrote"], "olivia"),  # small letters, a list has it
        (["I spoke to O'Brien."], "o'brien"),
        (["My order, says Zoë, is late"], "zoë"),
        (["Dr. Quixley saw me. So did Prof. Young."], "quixley"),
        (["Dr. Quixley saw me. So did Prof. Young."], "young"),
        (["I wrote to J. Smith twice."], "smith"),
        (["J. R. Baker never answered."], "baker"),
        (["the parcel went to Leeds"], "leeds"),  # a place is written alike
        (["Ask Will about it; he will know and will call."], "will"),
    ],
)
def test_words_written_as_names_are_name_like(texts, word):
    assert word in name_like(texts).list


@pytest.mark.parametrize(
    "text",
    [
        "The parcel is late.",
        "It is late. Ordered it on Monday in May. Nobody answers!",
        "THE PARCEL IS BROKEN",
        "My Order Never Came Back",  # a headline says nothing
        "may I ask? I'm sad",
        "I saw the Dr. He was late.",
        "so did I. Nobody answers!",
        "Late.\nBroken.\n\u201cTerrible service\u201d",
        "",
        "12 + 7 = 19 :-)",
    ],
)
def test_sentence_starts_headlines_days_and_capitals_are_none(text):
    assert name_like([text]).list == []


def test_a_name_that_is_a_word_too_counts_with_its_capital_alone():
    names = name_like(["We asked Mark to mark it. Then mark this too."])
    assert "Mark" in names
    assert "mark" not in names
    assert names.of("Mark, mark my words, MARK") == ["Mark", "MARK"]


def test_a_name_known_from_one_text_is_found_in_any_spelling_of_another():
    names = name_like(["Thanks to Quixley for this.", "quixley was late", "QUIXLEY!"])
    assert [bool(names.of(t)) for t in ("quixley was late", "QUIXLEY!", "late")] == [1, 1, 0]


def test_counts_of_two_pieces_are_those_of_the_whole():
    texts = ["Ask Anna.", "anna and Bill", "the bill, Bill", "Late again"]
    one, two = Spellings(), Spellings()
    for text in texts[:2]:
        one.add(text)
    for text in texts[2:]:
        two.add(text)
    one += two
    assert one.names() == name_like(texts)


def test_the_list_of_given_names_is_the_one_described():
    assert len(given_names()) == 5163
    assert {"mary", "mark"} <= given_names()
    assert not len(Names())


def test_a_long_line_takes_time_in_proportion():
    found = Spellings()
    found.add("and Then It was " * 20_000)  # a search back to its start would take minutes
    assert found.inside["then"] == 20_000
