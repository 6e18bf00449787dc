import pytest

from release.grammar import all_of, between, counted, enumerated, nouns, verb


@pytest.mark.parametrize(
    ("count", "noun", "said"),
    [
        (0, "word", "0 words"),
        (1, "word", "1 word"),
        (2_000, "word", "2,000 words"),
        (1, "HTML entity", "1 HTML entity"),
        (3, "HTML entity", "3 HTML entities"),
        (2, "day", "2 days"),
        (2, "guess", "2 guesses"),
        (1, "printed cell", "1 printed cell"),
    ],
)
def test_a_number_stands_with_its_noun(count, noun, said):
    assert counted(count, noun) == said


def test_one_thing_is_not_all():
    assert [all_of(1, "token"), all_of(12, "token")] == ["The 1 token", "All 12 tokens"]
    assert [verb(1, "is", "are"), verb(0, "is", "are")] == ["is", "are"]
    assert nouns(2, "row") == "rows"


@pytest.mark.parametrize(
    ("names", "said"),
    [(["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C"], "A, B and C")],
)
def test_names_are_listed_as_a_sentence_lists_them(names, said):
    assert enumerated(names) == said
    assert enumerated(names, "or") == said.replace("and", "or")


def test_a_range_of_equal_ends_is_one_number():
    assert [between(1, 1, "word"), between(3, 3, "word"), between(0, 1, "word")] == [
        "1 word",
        "3 words",
        "0 to 1 word",
    ]
    assert between(1, 1_200, "word") == "1 to 1,200 words"
