"""The nearest words along rays: those that a search at every single scale finds."""

import numpy as np
import pytest

from mechanisms import Vocabulary
from mechanisms.randomness import seeded_rng
from mechanisms.ray_search import nearest_on_rays
from tests.toy import TOY

SCALES = np.geomspace(1e-9, 1e9, 37)


def on_rays(vocabulary, k, count=300, scales=SCALES, seed=0):
    rng = seeded_rng(seed)
    starts = vocabulary.vectors.astype(float) + 0.1
    rows = np.sort(rng.integers(len(starts), size=count))
    noise = rng.standard_normal((count, vocabulary.dimensions))
    found = nearest_on_rays(vocabulary, starts, rows, noise, scales, k)
    return [(starts[rows] + noise * s, *at) for s, at in zip(scales, found, strict=True)]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_on_the_toy_vocabulary_the_k_nearest_are_those_of_sorting_all(k):
    different = np.unique(TOY.vectors.astype(float), axis=0)
    for points, distances, ids in on_rays(TOY, k):
        if abs(points).max() < 1e3:  # farther out, distances are alike in float64 too
            true = np.linalg.norm(points[:, None] - different, axis=2)
            np.testing.assert_allclose(distances, np.sort(true, axis=1)[:, :k], rtol=1e-9)
        np.testing.assert_array_equal(ids, TOY.nearest_k(points, k)[1])


def test_many_words_and_tiles_give_the_words_of_single_searches():
    vectors = seeded_rng(1).standard_normal((5_000, 20)).astype(np.float32)
    vocabulary = Vocabulary([f"w{i}" for i in range(5_000)], vectors)
    for points, _, ids in on_rays(vocabulary, 1, 400, np.geomspace(0.05, 50, 9)):
        np.testing.assert_array_equal(ids[:, 0], vocabulary.nearest(points))


def test_words_that_share_a_vector_are_one_word_with_the_lowest_id():
    vectors = [[0, 0], [1, 0], [1, 0], [0, 0], [5, 5]]
    vocabulary = Vocabulary(list("abcde"), vectors)
    for points, _, ids in on_rays(vocabulary, 2):
        assert set(ids.ravel().tolist()) <= {0, 1, 4}
        np.testing.assert_array_equal(ids, vocabulary.nearest_k(points, 2)[1])


def test_words_closer_than_float32_sees_are_told_apart():
    vectors = np.array([[30.0, 40.0], [30.0, 40.00001], [0, 0]], np.float32)
    vocabulary = Vocabulary(list("abc"), vectors)
    starts = vocabulary.vectors.astype(float)
    rows = np.repeat([0, 1], 50)
    noise = seeded_rng(2).standard_normal((100, 2))
    ((_, ids),) = nearest_on_rays(vocabulary, starts, rows, noise, np.array([1e-8]), 1)
    np.testing.assert_array_equal(ids[:, 0], rows)


def test_no_draws_and_one_word():
    one = Vocabulary(["a"], [[1.0, 2.0]])
    none = np.empty(0, dtype=np.int64)
    ((distances, ids),) = nearest_on_rays(
        one, one.vectors.astype(float), none, np.empty((0, 2)), np.ones(1), 1
    )
    assert distances.shape == ids.shape == (0, 1)
    for _, _, ids in on_rays(one, 1, 5):
        assert not ids.any()
