import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import logsumexp

from data.embeddings import load
from mechanisms import SynTF, UnknownWordError, Vocabulary
from mechanisms.synonyms import rating, ratings_of
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY

LEXICON = {
    "film": ["movie", "flick", "films", "cinema"],  # cinema is not in the vocabulary
    "movie": ["film"],
    "flick": ["film", "film", "flick"],  # a repetition and the word itself count for nothing
    "films": ["film"],
    "a": ["b"],  # words of one letter have no pairs
    "b": ["a"],
    "lonely": ["cinema"],
}
WORDS = ["film", "movie", "flick", "films", "a", "b", "lonely", "other"]
SMALL = Vocabulary(WORDS, np.arange(16.0).reshape(8, 2), LEXICON)
EVERY = np.arange(len(SMALL))
WITH_SYNONYMS = np.arange(6)
VARIANTS = ("published", "benchmark")


def ratings():
    """ρ on SMALL, written down by hand."""
    table = np.zeros((8, 8))
    film, movie, flick, films, a, b = range(6)
    table[film, movie] = table[movie, film] = 0.5
    table[film, flick] = table[flick, film] = 0.5
    table[film, films] = table[films, film] = 0.5 + 0.5 * 3 / 4  # fi il lm, and ms
    table[a, b] = table[b, a] = 0.5
    table[EVERY, EVERY] = 1
    return table


def test_the_rating_is_half_plus_half_the_jaccard_index_of_character_pairs():
    half = Fraction(1, 2)
    assert rating("film", "films") == half + half * Fraction(3, 4)
    assert rating("film", "movie") == half
    assert rating("a", "b") == half
    assert rating("night", "nacht") == half + half * Fraction(1, 7)  # ht
    assert rating("papa", "pap") == 1


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 20.0])
def test_published_is_the_exponential_mechanism_over_the_whole_vocabulary(epsilon):
    weights = np.exp(epsilon / 2 * ratings())
    law = np.exp(SynTF(epsilon=epsilon).log_prob(SMALL, EVERY))
    np.testing.assert_allclose(law, weights / weights.sum(axis=1, keepdims=True), rtol=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 20.0])
def test_benchmark_is_the_same_over_the_word_and_its_synonyms(epsilon):
    weights = np.where(ratings() > 0, np.exp(epsilon / 2 * ratings()), 0)[WITH_SYNONYMS]
    law = np.exp(SynTF(epsilon=epsilon, variant="benchmark").log_prob(SMALL, WITH_SYNONYMS))
    np.testing.assert_allclose(law, weights / weights.sum(axis=1, keepdims=True), rtol=1e-12)


@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 10.0, 1e3])
def test_every_pair_of_words_is_within_the_declared_bound(epsilon):
    mechanism = SynTF(epsilon=epsilon)
    guarantee = mechanism.guarantee(SMALL)
    assert guarantee.holds
    assert guarantee.notion == "pure DP"
    a, b = np.indices((8, 8)).reshape(2, -1)
    law = mechanism.log_prob(SMALL, EVERY)
    gap = (law[a] - law[b]).max(axis=1)
    bound = guarantee.log_ratio_bound(SMALL, a, b)
    np.testing.assert_array_equal(bound, np.where(a == b, 0, epsilon))
    assert np.all(gap <= bound * (1 + 1e-12) + 1e-15)
    assert gap.max() > 0.4 * epsilon


def test_benchmark_is_broken_and_two_words_are_told_apart_for_certain():
    mechanism = SynTF(epsilon=1.0, variant="benchmark")
    guarantee = mechanism.guarantee(SMALL)
    assert not guarantee.holds
    assert "for certain" in guarantee.caveat
    law = mechanism.log_prob(SMALL, SMALL.ids(["film", "a"]))
    assert np.all(np.isneginf(law[0]) | np.isneginf(law[1]))
    # On real words: "movie" can become "film", "table" never can.
    glove = load("glove-6b-50d", 5_000)
    movie, table = mechanism.log_prob(glove, glove.ids(["movie", "table"]))
    assert movie[glove.get("film")] > np.log(0.1)
    assert np.isneginf(table[glove.get("film")])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("word", ["film", "films"])
def test_the_sampler_follows_the_law_with_power(variant, word):
    draws, ids = 400_000, SMALL.ids([word])
    drawn = SynTF(epsilon=4.0, variant=variant).sample(SMALL, ids, draws, np.random.default_rng(0))
    counts = np.bincount(drawn[0], minlength=len(SMALL))
    law = np.exp(SynTF(epsilon=4.0, variant=variant).log_prob(SMALL, ids)[0])
    assert_drawn_from(counts, law)
    assert np.all(counts[law == 0] == 0)
    for factor in (1.1, 1 / 1.1):
        other = SynTF(epsilon=4.0 * factor, variant=variant)
        assert_not_drawn_from(counts, np.exp(other.log_prob(SMALL, ids)[0]))


def test_each_word_of_a_call_has_its_own_law_and_its_own_draws():
    mechanism, ids = SynTF(epsilon=3.0), np.array([3, 0, 3, 7])
    drawn = mechanism.sample(SMALL, ids, 50_000, np.random.default_rng(1))
    for row, law in zip(drawn, np.exp(mechanism.log_prob(SMALL, ids)), strict=True):
        assert_drawn_from(np.bincount(row, minlength=len(SMALL)), law)
    assert not np.array_equal(drawn[0], drawn[2])


def test_a_word_stays_more_often_as_epsilon_rises():
    for variant, ids in (("published", EVERY), ("benchmark", WITH_SYNONYMS)):
        stays = [
            SynTF(epsilon=e, variant=variant).log_prob(SMALL, ids)[ids, ids]
            for e in np.geomspace(1e-3, 1e4, 40)
        ]
        assert np.all(np.diff(stays, axis=0) >= -1e-15)


def test_epsilon_near_zero_gives_a_uniform_word_and_a_large_one_the_word_itself():
    uniform = SynTF(epsilon=1e-30).log_prob(SMALL, EVERY)
    np.testing.assert_allclose(uniform, -np.log(len(SMALL)), rtol=1e-14)
    one = SynTF(epsilon=1e-30, variant="benchmark").log_prob(SMALL, [0])[0]
    np.testing.assert_allclose(one[:4], -np.log(4), rtol=1e-14)
    np.testing.assert_array_equal(np.exp(SynTF(epsilon=1e308).log_prob(SMALL, EVERY)), np.eye(8))


@pytest.mark.parametrize("epsilon", [1e-30, 1e-9, 1.0, 1e9, 1e308])
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_epsilon_gives_a_warning_or_a_wrong_word(variant, epsilon):
    mechanism = SynTF(epsilon=epsilon, variant=variant)
    law = mechanism.log_prob(SMALL, WITH_SYNONYMS)
    np.testing.assert_allclose(logsumexp(law, axis=1), 0, atol=1e-12)
    drawn = mechanism.sample(SMALL, WITH_SYNONYMS, 500, np.random.default_rng(1))
    assert np.isfinite(law[WITH_SYNONYMS[:, None], drawn]).all()


def test_a_word_without_synonyms_is_unknown_to_the_benchmark_variant():
    benchmark = SynTF(epsilon=1.0, variant="benchmark")
    np.testing.assert_array_equal(benchmark.covers(SMALL, EVERY), EVERY < 6)
    assert SynTF(epsilon=1.0).covers(SMALL, EVERY).all()
    assert benchmark.covers(SMALL, []).shape == (0,)
    with pytest.raises(UnknownWordError, match="'lonely' has no synonym in the vocabulary"):
        benchmark.log_prob(SMALL, [0, 6])
    with pytest.raises(UnknownWordError, match="'other' has no synonym"):
        benchmark.sample(SMALL, [7], 1, np.random.default_rng(0))


def test_without_a_lexicon_the_error_says_where_to_get_one():
    for variant in VARIANTS:
        with pytest.raises(ValueError, match=re.escape("data.wordnet.synonyms()")):
            SynTF(epsilon=1.0, variant=variant).log_prob(TOY, [0])


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_small_vocabularies_have_a_law(count):
    vocabulary = Vocabulary(WORDS[:count], np.eye(count), LEXICON)
    ids = np.arange(count)
    law = SynTF(epsilon=1.0).log_prob(vocabulary, ids)
    np.testing.assert_allclose(logsumexp(law, axis=1), 0, atol=1e-12)
    drawn = SynTF(epsilon=1.0).sample(vocabulary, ids, 100, np.random.default_rng(0))
    assert drawn.shape == (count, 100)
    assert set(drawn.ravel()) == set(range(count))


def test_the_document_form_counts_words_drawn_from_the_document_and_then_released():
    mechanism, ids, length = SynTF(epsilon=4.0), SMALL.ids(["film", "a", "a", "other"]), 200_000
    counts = mechanism.document(SMALL, ids, length, np.random.default_rng(2))
    assert counts.dtype == np.int64
    assert counts.sum() == length
    assert_drawn_from(counts, np.exp(mechanism.log_prob(SMALL, ids)).mean(axis=0))
    assert_not_drawn_from(counts, np.exp(mechanism.log_prob(SMALL, ids[[0, 1, 3]])).mean(axis=0))


def test_the_document_form_takes_any_length_but_no_frequencies_from_nothing():
    mechanism, rng = SynTF(epsilon=1.0), np.random.default_rng(0)
    np.testing.assert_array_equal(mechanism.document(SMALL, [1], 0, rng), np.zeros(8, int))
    np.testing.assert_array_equal(mechanism.document(SMALL, [], 0, rng), np.zeros(8, int))
    with pytest.raises(ValueError, match="empty document"):
        mechanism.document(SMALL, [], 3, rng)
    with pytest.raises(ValueError, match="must not be negative; got -1"):
        mechanism.document(SMALL, [1], -1, rng)


def test_the_table_of_ratings_is_that_of_the_single_pairs_and_made_once():
    table = ratings_of(SMALL)
    assert ratings_of(SMALL) is table
    for word in EVERY:
        rated, rho = table.of(word)
        expected = np.flatnonzero(ratings()[word])
        assert rated.tolist() == expected.tolist()
        assert [float(x) for x in rho] == ratings()[word, expected].tolist()


def test_lists_of_all_words_are_padded_to_one_length():
    ids, scores, counts = ratings_of(SMALL).padded(np.array([6, 0]), filler=99)
    assert ids.tolist() == [[6, 99, 99, 99], [0, 1, 2, 3]]
    assert counts.tolist() == [[1, 0, 0, 0], [1, 1, 1, 1]]
    np.testing.assert_allclose(scores[1], 1 - ratings()[0, :4])
    assert ratings_of(SMALL).padded(np.array([6]), 99)[0].shape == (1, 4)


def test_a_word_that_cannot_come_out_has_no_weight():
    film, other = SMALL.ids(["film", "other"])
    assert SynTF(epsilon=1.0).exact_weight(SMALL, film, other).square == 1
    with pytest.raises(ValueError, match="cannot come out"):
        SynTF(epsilon=1.0, variant="benchmark").exact_weight(SMALL, film, other)
