"""The embeddings that come with the project: sizes, order, the filter for words, errors."""

import itertools

import numpy as np
import pytest

from data import embeddings
from data.embeddings import GLOVE, load

SIZE = 2_000
WORDS = load(GLOVE, SIZE)
ENTRIES = load(GLOVE, SIZE, words_only=False)


def test_every_name_that_is_offered_can_be_loaded():
    assert all(len(load(name, 10, words_only=False)) == 10 for name in embeddings.names())


def test_without_the_filter_the_size_is_exact_and_at_most_400_000():
    assert len(ENTRIES) == SIZE
    assert len(embeddings._glove()[0]) == max(embeddings.SIZES) == 400_000
    assert embeddings.DEFAULT_SIZE in embeddings.SIZES


def test_the_vectors_are_those_of_glove_in_50_dimensions():
    assert ENTRIES.dimensions == 50
    # The published file begins: the 0.418 0.24968 -0.41242 0.1217 ...
    first = ENTRIES.vectors[ENTRIES.get("the")]
    np.testing.assert_allclose(first[:4], [0.418, 0.24968, -0.41242, 0.1217], rtol=1e-6)


def test_entries_come_most_frequent_first():
    assert ENTRIES.words[:6] == ("the", ",", ".", "of", "to", "and")
    order = [ENTRIES.get(word) for word in ("the", "year", "water", "football")]
    assert order == sorted(order)
    assert load(GLOVE, 500, words_only=False).words == ENTRIES.words[:500]


def test_the_filter_keeps_words_in_order_with_their_own_vectors():
    ids = ENTRIES.ids(WORDS.words)
    assert (np.diff(ids) > 0).all()
    assert np.array_equal(WORDS.vectors, ENTRIES.vectors[ids])


def test_the_filter_takes_out_punctuation_numbers_and_pieces_and_nothing_else():
    dropped = set(ENTRIES.words) - set(WORDS.words)
    assert {",", ".", "--", "'s", "'re", "2008", "10", "$"} <= dropped
    letters_only = [word for word in dropped if word.isalpha()]
    assert letters_only == []
    assert all(word[0].isalpha() and word[-1].isalpha() for word in WORDS.words)


@pytest.mark.parametrize(
    "word", ["film", "o'neil", "jean-paul", "café", "e\u0301te\u0301", "中文", "rock’n’roll"]
)
def test_letters_with_inner_apostrophes_and_hyphens_are_a_word(word):
    assert embeddings._WORD.fullmatch(word)


@pytest.mark.parametrize(
    "entry", ["'s", "n't ", "1990s", "--", "-", "a-", "-a", "a--b", "u.s.", "", "3", "a b"]
)
def test_anything_else_is_not_a_word(entry):
    assert not embeddings._WORD.fullmatch(entry)


def test_of_the_first_30_000_entries_28_136_are_words_164_of_them_with_inner_signs():
    words = load(GLOVE, 30_000).words
    assert len(words) == 28_136
    assert sum(not word.isalpha() for word in words) == 164


def test_only_the_rows_in_use_are_read():
    small = load(GLOVE, 100, words_only=False)
    owner = small.vectors.base
    assert owner.nbytes == 100 * 50 * 4


def test_an_unknown_embedding_is_named_beside_the_known_ones():
    with pytest.raises(ValueError, match="must be one of glove-6b-50d; got 'word2vec'"):
        load("word2vec")


@pytest.mark.parametrize("size", [0, -1, 400_001])
def test_a_size_out_of_range_is_named_with_the_range(size):
    with pytest.raises(ValueError, match=rf"size must lie in \[1, 400000\]; got {size}\."):
        load(GLOVE, size)


def test_the_words_are_all_different_from_one_another():
    assert not [a for a, b in itertools.pairwise(sorted(ENTRIES.words)) if a == b]
