"""Texts of a file in arrays release what `PrivateText` releases, token by token."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms import CMP, TEM, SanText, SynTF, Vocabulary, token_numbers
from mechanisms import file_texts as file_texts_module
from mechanisms.base import Mechanism
from mechanisms.cleaning import cleaned
from mechanisms.file_texts import FileTexts
from mechanisms.randomness import seeded_rng
from mechanisms.selection import Rows
from mechanisms.text import PrivateText, Status
from mechanisms.token_numbers import NO_INPUT, TokenNumbers
from mechanisms.tokens import Kind, Token, tokenise
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.mechanisms.test_text import HARD_TEXTS
from tests.toy import TOY

SPELLED = ["a", "do", "n't", "'ve", "at", "é", "a.t.", "u.s.", "well", "I", "3.5"]
WORDS = Vocabulary(SPELLED, np.eye(len(SPELLED)))
TEXTS = [
    "",
    "   ",
    "qxz a qxz  qxz",
    "Don't! (at) 'a' a.t. A.T., u.s.. U.S.? well-at I've  ISN'T\n",
    "a\u00a0b <br /><b>at</b> &amp; at &lt;p&gt; x<y",
    "3.5 4.5 \u2800 é É e\u0301 \u00adat",
    *HARD_TEXTS,
]
ANY_TEXT = st.text() | st.text(alphabet="aTn'’.,!?(-_ \n\x1cé\u0301don't've&;<br/>\u00ad\u200dI")
OPTIONS = list(
    product(["random", "mask", "drop", "keep"], ["lower", "as typed"], ["decode", "drop", "keep"])
)


class Turn(Mechanism):
    """Replaces a word by the word some places later, so that a draw says where it was made."""

    name = "Turn"

    def guarantee(self, vocabulary):
        raise NotImplementedError

    def sample(self, vocabulary, word_ids, size, rng):
        steps = rng.integers(3, size=(len(word_ids), size))
        return (np.asarray(word_ids)[:, None] + steps) % len(vocabulary)


class OnlyEven(Turn):
    """Has a law for every other word."""

    name = "Only even"

    def covers(self, vocabulary, word_ids):
        return np.asarray(word_ids) % 2 == 0


def token_by_token(texts, private, vocabulary, mechanism, unknown, case, html):
    """What `PrivateText` says of the same draws: texts, statuses, and what was noticed."""
    drawn = iter(private.drawn.tolist())
    released, statuses, noticed = [], Counter(), Counter()
    for text in texts:
        readable = cleaned(text, html)
        noticed += readable.noticed
        tokens, column = [], []
        for token in tokenise(readable.text, vocabulary):
            word_id = token.word_id
            if word_id is not None and not mechanism.covers(vocabulary, np.array([word_id]))[0]:
                token = Token(token.text, token.kind, None, token.glued)
            asked = token.word_id is not None or (token.is_unknown and unknown == "random")
            tokens.append(token)
            column.append(next(drawn) if asked else -1)
        ids = np.array(column, dtype=np.int64)[:, None]
        one = PrivateText(tuple(tokens), vocabulary, ids, unknown, case)
        released.append(one.texts[0])
        statuses.update(piece.status for piece in one.versions[0])
    del statuses[Status.SPACE]
    assert next(drawn, None) is None
    return released, statuses, noticed


def assert_as_token_by_token(texts, file, private, vocabulary, mechanism, options):
    released, statuses, noticed = token_by_token(texts, private, vocabulary, mechanism, *options)
    assert private.texts == released
    assert private.statuses == statuses
    assert all(private.statuses.values())
    assert private.noticed == noticed
    assert private.drawn_counts.sum() == len(private.drawn)
    drawn = (Status.CHANGED, Status.UNCHANGED, Status.REPLACED)
    for text, count in zip(texts, private.drawn_counts.tolist(), strict=True):
        alone = file.private([text], seeded_rng(1))
        assert sum(alone.statuses[status] for status in drawn) == count == len(alone.drawn)


@pytest.mark.parametrize("mechanism", [Turn(epsilon=1), OnlyEven(epsilon=1)], ids=lambda m: m.name)
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_texts_and_counts_are_those_of_private_text(options, mechanism):
    file = FileTexts(mechanism, WORDS, *options)
    for texts in (TEXTS, TEXTS[::-1], TEXTS[3:9]):  # the same file: most is known by then
        private = file.private(texts, seeded_rng(0))
        assert_as_token_by_token(texts, file, private, WORDS, mechanism, options)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(ANY_TEXT, max_size=4), st.sampled_from(OPTIONS))
def test_any_texts_are_those_of_private_text(texts, options):
    mechanism = Turn(epsilon=1)
    file = FileTexts(mechanism, WORDS, *options)
    private = file.private(texts, seeded_rng(0))
    assert_as_token_by_token(texts, file, private, WORDS, mechanism, options)


@settings(max_examples=300)
@given(st.lists(ANY_TEXT, max_size=4))
def test_numbers_are_the_tokens_that_a_text_is_cut_into(texts):
    numbers = TokenNumbers(WORDS)
    for _ in range(2):
        found = numbers.of(texts)
        assert len(found.ends) == len(texts)
        first = 0
        for text, last in zip(texts, found.ends.tolist(), strict=True):
            of_text = found.tokens[first:last]
            expected = list(tokenise(text, WORDS))
            assert numbers.texts[of_text].tolist() == [token.text for token in expected]
            assert numbers.is_glued[of_text].tolist() == [token.glued for token in expected]
            spaces = [token.kind is Kind.SPACE for token in expected]
            assert numbers.is_space[of_text].tolist() == spaces
            assert numbers.inputs[of_text].tolist() == [
                token.word_id
                if token.word_id is not None
                else WORDS.unknown_id
                if token.is_unknown
                else NO_INPUT
                for token in expected
            ]
            first = last


def test_a_file_of_too_many_words_forgets_and_goes_on(monkeypatch):
    monkeypatch.setattr(token_numbers, "MOST", 10)
    mechanism, options = Turn(epsilon=1), ("random", "as typed", "decode")
    file = FileTexts(mechanism, WORDS, *options)
    for first in range(len(TEXTS)):
        texts = TEXTS[first : first + 2]
        private = file.private(texts, seeded_rng(first))
        assert_as_token_by_token(texts, file, private, WORDS, mechanism, options)


@pytest.mark.parametrize("draws", [9_000, 262_144])
@pytest.mark.parametrize("mechanism", [TEM(epsilon=1.5), CMP(epsilon=1.5)], ids=lambda m: m.name)
def test_words_of_a_file_are_drawn_from_their_laws_and_independently(mechanism, draws, monkeypatch):
    monkeypatch.setattr(file_texts_module, "_DRAWS", draws)
    count = 20_000
    file, rng = FileTexts(mechanism, TOY), seeded_rng(2)
    texts = ["east lonely", "qxzzy east"] * count
    words = [text.split() for text in file.private(texts, rng).texts]
    plain = mechanism.sample(TOY, [*TOY.ids(["east", "lonely"]), TOY.unknown_id], 200_000, rng)
    laws = [(np.bincount(row, minlength=len(TOY)) + 0.5) / (200_000 + 6.0) for row in plain]
    for start, column, law in [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 0)]:
        drawn = Counter(text[column] for text in words[start::2])
        counts = [drawn[word] for word in TOY.words]
        assert_drawn_from(counts, laws[law])
        if column == 1:
            assert_not_drawn_from(counts, laws[1 - law])


def test_laws_are_kept_from_piece_to_piece_but_not_with_a_seed(glove, monkeypatch):
    made, laid_out = [], Rows._lay_out
    monkeypatch.setattr(Rows, "_lay_out", lambda *a: made.append(len(a[1])) or laid_out(*a))
    for keep, expected in ((True, [3, 1]), (False, [3, 4])):
        made.clear()
        file = FileTexts(SanText(epsilon=3.0), glove, keep_laws=keep)
        for text in ("the good film", "film good the the movie"):
            file.private([text], seeded_rng(3))
        assert [n for n in made if n] == expected


def test_a_file_forgets_on_demand_and_goes_on(glove):
    file = FileTexts(SanText(epsilon=1e4), glove, unknown="keep")
    for _ in range(2):
        assert file.private(["the good film qxz"], seeded_rng(4)).texts == ["the good film qxz"]
        assert file._tokens
        assert file._kept.found
        file.forget()
        assert not file._tokens
        assert not file._kept.found


def test_a_draw_that_is_no_word_releases_nothing():
    class Broken(Turn):
        name = "Broken"

        def sample(self, vocabulary, word_ids, size, rng):
            return np.full((len(word_ids), size), len(vocabulary))

    with pytest.raises(LookupError, match="word ids lie in"):
        FileTexts(Broken(epsilon=1), TOY).private(["north"], seeded_rng(0))


@pytest.mark.parametrize(
    ("options", "named"),
    [({"unknown": "hide"}, "unknown"), ({"case": "upper"}, "case"), ({"html": "strip"}, "html")],
)
def test_options_that_there_are_none_of_are_refused(options, named):
    with pytest.raises(ValueError, match=f"{named} must be one of"):
        FileTexts(TEM(epsilon=1), TOY, **options)


def test_no_texts_are_no_private_texts():
    private = FileTexts(SynTF(epsilon=1), TOY).private([], seeded_rng(0))
    assert (private.texts, len(private.drawn), private.statuses) == ([], 0, Counter())
