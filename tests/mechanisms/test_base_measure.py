"""Base measures: q against a count by hand, its floor, and what is refused."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from data import word_counts
from mechanisms import UnigramTEM, Vocabulary
from mechanisms.base_measure import RANKS, base_measure, counted, counts_of, with_counts, zipf
from tests.toy import TOY

# Over the words 0 to 3; 4 is the unknown word.
TEXTS = [[0, 1, 0, 1, 2], [0, 1, 2], [4, 0, 1, 4, 2], [2]]


def counts(fewest=1, texts=TEXTS, size=4):
    return counted("texts", texts, size, fewest)


def lists(followers):
    """{history: {word: count}}."""
    return {
        int(key): dict(
            zip(
                followers.ids[followers.of(key)].tolist(),
                followers.counts[followers.of(key)].tolist(),
                strict=True,
            )
        )
        for key in followers.keys.tolist()
    }


def test_words_and_neighbours_are_counted_within_a_text_and_not_across_the_unknown_word():
    found = counts()
    assert (found.documents, found.tokens, found.known) == (4, 14, 12)
    assert found.words.tolist() == [4, 4, 4, 0]
    one, two = Counter(), Counter()
    for text in TEXTS:
        for a, b in zip(text, text[1:], strict=False):
            if 4 not in (a, b):
                one[a, b] += 1
        for a, b, c in zip(text, text[1:], text[2:], strict=False):
            if 4 not in (a, b, c):
                two[a * 4 + b, c] += 1
    for followers, by_hand in ((found.after_one, one), (found.after_two, two)):
        expected = {}
        for (history, word), count in by_hand.items():
            expected.setdefault(history, {})[word] = count
        assert lists(followers) == expected
    assert found.after_one.of(3) is None


def test_rare_neighbours_are_not_kept():
    found = counts(fewest=2)
    assert lists(found.after_one) == {0: {1: 4}, 1: {2: 2}}
    assert lists(found.after_two) == {1: {2: 2}}


def test_shares_are_witten_and_bells_and_never_0():
    # Three different words among N = 12: P(v) = (c(v) + 3/4) / 15.
    expected = [Fraction(19, 60)] * 3 + [Fraction(3, 60)]
    np.testing.assert_allclose(counts().shares, [float(p) for p in expected], rtol=1e-15)
    assert sum(expected) == 1


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_q_is_a_mixture_with_the_uniform_measure_scaled_by_a_power_of_two(weight):
    words = Vocabulary(["a", "b", "c", "d"], np.eye(4))
    q = base_measure(with_counts(words, counts()), "own", weight)
    expected = weight * counts().shares + (1 - weight) / 4
    np.testing.assert_allclose(q.weights * 2.0**-q.scale, expected, rtol=1e-15)
    assert 0.5 <= q.weights.max() < 1
    assert q.smallest_share == pytest.approx(expected.min(), rel=1e-14)
    assert q.widest == pytest.approx(expected.max() / expected.min(), rel=1e-14)


def test_without_a_corpus_q_falls_with_the_rank():
    assert zipf(3).tolist() == pytest.approx(
        [(1 / (r + 2.7)) / sum(1 / (k + 2.7) for k in (1, 2, 3)) for r in (1, 2, 3)]
    )
    assert base_measure(TOY, RANKS, 1.0) is base_measure(TOY, RANKS, 1.0)


def test_counts_over_a_corpus_are_those_of_its_tokens():
    words = Vocabulary(["film", "movie", "cat"], np.eye(3))
    found = word_counts.of_texts(["A film, the Movie!", "movie film: film", "42"], words)
    assert found.words.tolist() == [3, 2, 0]
    assert (found.documents, found.tokens) == (3, 8)
    # "film, the" has a word between; "movie film" and "film: film" are seen once only.
    assert len(found.after_one.keys) == 0
    again = word_counts.of_texts(["movie, film"] * 2, words)
    assert lists(again.after_one) == {1: {0: 2}}


@pytest.mark.parametrize(
    ("texts", "said"),
    [([], "must hold a text; got none"), ([[4, 4], [4]], "none of its 3 words and numbers")],
)
def test_an_empty_corpus_and_one_of_another_language_are_refused(texts, said):
    with pytest.raises(ValueError, match=said):
        counts(texts=texts)


def test_a_source_that_is_not_there_is_named_with_the_way_out():
    with pytest.raises(ValueError, match=r"no counts of 'imdb'.*with_counts.* from the ranks"):
        UnigramTEM(epsilon=1, corpus="imdb").threshold(Vocabulary(["a", "b"], np.eye(2)))
    with pytest.raises(ValueError, match="must be of the vocabulary's 12 words; got 4"):
        with_counts(TOY, counts())
    bare = Vocabulary(TOY.words, TOY.vectors)
    own = with_counts(bare, counts(size=len(TOY), texts=[[0, 1]]))
    with pytest.raises(ValueError, match="counts of 'own'; got 'imdb'"):
        counts_of(own, "imdb")
    with pytest.raises(ValueError, match="none of your own corpora has been counted yet"):
        word_counts.of_corpus(TOY, "own")


def test_ones_own_counts_are_not_kept_for_others_and_change_nothing_else():
    own = with_counts(TOY, counts(size=len(TOY)))
    assert TOY.public
    assert not own.public
    assert own.words is TOY.words
    assert own.vectors is TOY.vectors
    assert TOY.counter is not own.counter


def test_other_counts_are_another_vocabulary():
    """What a session shows again is found by the fingerprint: never draws of another corpus."""
    texts = [[0, 1, 0, 1, 2]], [[0, 1, 0, 2, 1]], [[0, 1, 0, 1, 3]]
    found = [with_counts(TOY, counts(size=len(TOY), texts=text)).fingerprint for text in texts]
    assert len({TOY.fingerprint, *found}) == 4
    assert with_counts(TOY, counts(size=len(TOY), texts=texts[0])).fingerprint == found[0]


def test_a_measure_below_the_floor_is_refused():
    many = counted("texts", [[0] * 10], 2, 1)
    huge = type(many)("texts", 1, 10, many.words * 2**61, many.after_one, many.after_two)
    words = with_counts(Vocabulary(["a", "b"], np.eye(2)), huge)
    with pytest.raises(ValueError, match=r"at least 2\^-60 .* Take a smaller weight"):
        base_measure(words, "own", 1.0)
    base_measure(words, "own", 0.5)
