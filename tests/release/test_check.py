"""What a file holds before its release, and what survived of it after a draw."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mechanisms import TEM, Vocabulary
from mechanisms.cleaning import INVISIBLE, TAGS
from mechanisms.file_texts import FileTexts
from mechanisms.text import privatise_all
from release.check import Check, Column, Fate, check, names_of, warnings
from release.names import Names, name_like
from release.patterns import CARD, EMAIL, LINK, NUMBER, TELEPHONE, matches, passes_luhn
from release.survived import Survived, of_piece, survived

WORDS = ["the", "parcel", "is", "late", "anna", "mail", "call", "hospital", "7"]
VOCABULARY = Vocabulary(WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 3)))
KEEPS, MIXES = TEM(epsilon=1e6, gamma=1e3), TEM(epsilon=1e-6, gamma=1e-3)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("mail anna.b+x@mail.example.org.", [(EMAIL, "anna.b+x@mail.example.org")]),
        ("see https://a.example/x?y=1, or www.b.example", [(LINK, "https://a.example/x?y=1")]),
        ("at shop.example/o/4711 it says", [(LINK, "shop.example/o/4711")]),
        ("card 4111 1111 1111 1111!", [(CARD, "4111 1111 1111 1111")]),
        ("card 4111111111111112", [(NUMBER, "4111111111111112")]),  # fails Luhn's test
        ("call +44 20 7946 0958 now", [(TELEPHONE, "+44 20 7946 0958")]),
        ("call (020) 7946-0958", [(TELEPHONE, "(020) 7946-0958")]),
        ("on 2024-05-17 or 17.05.2024", [(NUMBER, "2024-05-17"), (NUMBER, "17.05.2024")]),
        ("order 4711, 12.50 each.", [(NUMBER, "4711"), (NUMBER, "12.50")]),
        ("a @ b, no. such/thing", []),
        ("", []),
    ],
)
def test_stretches_are_found_by_their_form_and_once(text, kinds):
    assert [tuple(m) for m in matches(text)][: len(kinds)] == kinds
    assert bool(list(matches(text))) == bool(kinds)


def test_the_check_digit_is_luhns():
    assert passes_luhn("79927398713")
    assert not any(passes_luhn(f"7992739871{d}") for d in "012456789")


def test_no_text_is_slow_to_search():
    for sign in ("a.", "1-", "a@", "+", "1 ", "a@b.", "www."):
        list(matches(sign * 10_000))


def checked(texts, passing=None):
    rows = passing or [{}] * len(texts)
    return check([[text] for text in texts], rows, KEEPS, VOCABULARY)


def test_texts_lengths_words_and_their_share_in_the_vocabulary_are_counted():
    found = checked(["The parcel is late", "", "Zorblat is late", "the the"])
    assert (found.rows, found.texts, found.distinct) == (4, 3, 5)
    assert found.length() == (2, 3, 4)
    assert found.known_share(VOCABULARY) == pytest.approx(8 / 9)
    assert checked([""]).known_share(VOCABULARY) is None


def test_what_becomes_of_each_stretch_is_read_off_its_tokens():
    found = checked(["mail anna@mail.zorblat, 7 or 12", "7<b>!</b> s\u200becret"])
    assert found.found[EMAIL].fate == Fate(drawn=2, unknown=1, signs=2)
    assert found.found[NUMBER].fate == Fate(drawn=2, unknown=1, signs=0)
    assert (found.found[NUMBER].count, found.found[NUMBER].texts) == (3, 2)
    assert found.noticed == {TAGS: 2, INVISIBLE: 1}


def test_passing_columns_that_identify_are_named_with_their_reasons():
    rows = [
        {
            "id": str(i),
            "date": f"2024-05-{i:02}",
            "stars": str(i % 3),
            "by": ["Anna Berg", "Tom"][i % 2],
            "mail": f"x{i % 2}@mail.example",
            "none": None,
        }
        for i in range(1, 20)
    ]
    found = check([["late"]] * len(rows), rows, KEEPS, VOCABULARY)
    assert found.identifying() == {
        "id": ["all values different"],
        "date": ["all values different", "dates"],
        "by": ["names"],
        "mail": ["e-mail addresses"],
    }


def test_one_row_identifies_nothing_by_being_different():
    one = Column()
    one.add("7")
    assert one.why() == []


def test_counts_of_pieces_add_up_to_the_whole():
    texts = [f"Anna is late {i}, mail a{i}@b.example" for i in range(10)]
    rows = [{"id": i} for i in range(10)]
    whole, parts = checked(texts, rows), Check()
    for piece in (slice(0, 3), slice(3, 10)):
        parts += checked(texts[piece], rows[piece])
    assert parts == whole


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("der parcel ist nicht late und ich bin nicht zu Hause mit der mail ", "German"),
        ("zorblat quux late ", "only 33 %"),
        ("12 34 !! ", "no words"),
    ],
)
def test_a_vocabulary_that_does_not_fit_is_said(text, said):
    assert said in warnings(checked([text * 9]), VOCABULARY)[0]


def test_a_vocabulary_that_fits_is_not_praised():
    assert warnings(checked(["the parcel is late"] * 20), VOCABULARY) == []


# ------------------------------------------------------------------------------------ what survived

TEXTS = ["The parcel is late", "Anna, the parcel", "call anna, zorblat 12", "the hospital"]
NAMES = Names(always=frozenset({"anna"}))


def drawn(mechanism, **how):
    rng = np.random.default_rng(3)
    return privatise_all(TEXTS, mechanism, VOCABULARY, rng, **how)


def test_names_come_first_then_the_rarest_words_with_their_texts():
    found = survived(drawn(KEEPS), NAMES, rows=[1, 2, 4, 9])
    assert (found.drawn, found.unchanged, found.kept) == (11, 11, 0)
    assert (found.with_name, found.still_with_name) == (2, 2)
    first, *others = found.ranking()
    assert tuple(first) == ("anna", True, 2, 2, 2, (2, 4))
    assert [word.of for word in others] == sorted(word.of for word in others)
    assert others[-1].word == "the"
    assert {word.word for word in others} == {"call", "hospital", "is", "late", "parcel", "the"}


def test_words_released_as_typed_survive_too_and_are_no_draws():
    found = survived(drawn(KEEPS, unknown="keep"), NAMES)
    assert found.kept == 2
    assert {"zorblat", "12"} <= {word.word for word in found.ranking()}


def test_a_draw_that_keeps_little_shows_little():
    several = Survived()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        several += survived(privatise_all(TEXTS, MIXES, VOCABULARY, rng), NAMES)
    # Every word is drawn uniformly: 220 draws stay with 1/9 each, and 24 ± 5 do.
    assert several.drawn == 220
    assert 5 <= several.unchanged <= 60
    assert several.still_with_name <= several.unchanged


def test_an_empty_file_has_nothing_to_survive():
    assert Survived().ranking() == []


def test_what_survived_adds_up_and_comes_back_from_json():
    texts = drawn(KEEPS)
    whole = survived(texts, NAMES)
    parts = survived(texts[:2], NAMES)
    parts += survived(texts[2:], NAMES, rows=[3, 4])
    assert parts == whole
    assert Survived.from_json(json.loads(json.dumps(whole.as_json()))) == whole


@pytest.mark.parametrize("unknown", ["random", "mask", "drop", "keep"])
@pytest.mark.parametrize("mechanism", [KEEPS, MIXES, TEM(epsilon=2.0, gamma=2.0)])
def test_arrays_count_what_token_by_token_is_counted(mechanism, unknown):
    texts = [*TEXTS, "", "Anna's mail; ANNA, anna-zorblat!", "12, 7 <b>late</b>"] * 3
    file = FileTexts(mechanism, VOCABULARY, unknown, "as typed", "decode", keep_laws=False)
    fast = file.private(texts, np.random.default_rng(8))
    slow = Survived()
    ends = np.cumsum(fast.drawn_counts)
    for number, text in enumerate(texts):
        # The same draws, put into the tokens of `text` one by one.
        (one,) = privatise_all([text], mechanism, VOCABULARY, np.random.default_rng(0))
        one = replace(one, unknown=unknown, case="as typed", drawn=one.drawn.copy())
        asked = [
            t.word_id is not None or (t.is_unknown and unknown == "random") for t in one.tokens
        ]
        one.drawn[:, 0] = -1
        one.drawn[asked, 0] = fast.drawn[ends[number] - fast.drawn_counts[number] : ends[number]]
        assert one.texts == [fast.texts[number]]
        slow.add(one, NAMES, 2 * number)
    assert of_piece(fast, NAMES, [2 * n for n in range(len(texts))]) == slow


def test_names_of_a_check_are_those_of_its_texts():
    texts = ["Please call Siobhan.", "siobhan is late"]
    assert names_of(checked(texts)) == name_like(texts)
    assert "Siobhan-Maria" in names_of(checked(texts))
