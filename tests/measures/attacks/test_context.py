"""Words and pairs of a corpus, and what neighbours tell of a word that is not shown."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from data import corpora
from measures.attacks import ngrams
from measures.attacks.ngrams import NONE, WordPairs, as_seen, masked_guesses, word_pairs
from mechanisms import TEM
from mechanisms.randomness import seeded_rng
from mechanisms.text import private_versions
from tests.toy import TOY, first_words


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))


@pytest.fixture
def pairs():
    """Three words: 0 1 eight times, 2 1 twice, 1 2 once."""
    table = csr_matrix(([8, 2, 1], ([0, 2, 1], [1, 1, 2])), (3, 3))
    return WordPairs(np.array([9, 11, 3]), table, table.T.tocsr())


def test_words_and_pairs_are_counted_within_a_text_and_not_across_signs(monkeypatch):
    texts = ("origin east, north", "East origin east", "unheardof 42 east")
    corpus = corpora.Corpus("imdb", texts, ("a",) * 3)
    monkeypatch.setattr(corpora, "load", lambda name: corpus)
    counted = word_pairs(TOY)
    origin, east, north = TOY.ids(["origin", "east", "north"]).tolist()
    unknown = TOY.unknown_id
    assert counted.counts[[origin, east, north, unknown]].tolist() == [2, 4, 1, 2]
    assert counted.counts.sum() == 9
    assert counted.pairs.toarray()[origin, east] == 2
    assert counted.pairs.toarray()[east, origin] == 1
    assert counted.pairs.toarray()[unknown, [unknown, east]].tolist() == [1, 1]
    assert counted.pairs.sum() == 5
    known = counted.known_only
    assert known.counts.tolist() == counted.counts[:-1].tolist()
    assert known.pairs.shape == known.reversed_pairs.shape == (12, 12)
    assert known.pairs.sum() == known.reversed_pairs.sum() == 3
    shares = np.exp(counted.log_prior)
    assert shares[[east, unknown]] == pytest.approx([5 / 22, 3 / 22])
    np.testing.assert_array_equal(counted.pairs.toarray().T, counted.reversed_pairs.toarray())
    monkeypatch.setattr(corpora, "load", None)  # the second time it is read from disk
    np.testing.assert_array_equal(word_pairs(TOY).counts, counted.counts)


def test_the_prior_leaves_no_word_out():
    counted = WordPairs(np.array([6, 2, 0]), None, None)
    np.testing.assert_allclose(np.exp(counted.log_prior), [7 / 11, 3 / 11, 1 / 11])


@pytest.mark.parametrize(("left", "right"), [(0, 2), (NONE, 2), (0, NONE), (NONE, NONE)])
def test_the_posterior_is_the_formula_and_adds_up_to_one(pairs, left, right):
    prior = np.exp(pairs.log_prior)
    before = prior
    if left != NONE:
        before = (pairs.pairs.toarray()[left] + 100 * prior) / (pairs.counts[left] + 100)
    after = np.ones(3)
    if right != NONE:
        after = (pairs.pairs.toarray()[:, right] + 100 * prior[right]) / (pairs.counts + 100)
    expected = before * after / (before * after).sum()
    np.testing.assert_allclose(np.exp(pairs.log_posterior(left, right)), expected)


def test_what_stands_at_a_masked_place_is_not_looked_at(pairs):
    for hidden in (0, 1, 2, NONE):
        assert masked_guesses(pairs, [0, hidden, 2], [1]).tolist() == [1]


def test_a_text_is_seen_without_its_spaces_as_typed_and_as_released():
    private = private_versions("Origin, unheardof east", TEM(epsilon=1.0), TOY, seeded_rng(0), 2)
    typed, released = as_seen(private)
    origin, east = TOY.ids(["origin", "east"]).tolist()
    assert typed == [origin, NONE, TOY.unknown_id, east]
    kept = [0, 1, 3, 5]
    assert released == private.drawn[kept, 0].tolist()
    assert released[1] == NONE
    assert released[2] != NONE  # an unknown word is drawn


def test_words_and_numbers_that_are_unknown_are_one_input_and_signs_are_gaps():
    words = first_words(3)
    assert ngrams.sentences(["What? 42"], words) == [[3, NONE, 3]]
