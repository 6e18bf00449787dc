"""CMP: its noise, its law in the plane against numerical integration, and its limits."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import ConvexHull

from data import embeddings
from mechanisms import CMP, Vocabulary
from tests.claims import (
    ALPHA,
    assert_drawn_from,
    assert_not_drawn_from,
    p_value_of_counts,
    p_value_of_sample,
)
from tests.toy import ALL_PAIRS, TOY, first_words

EVERY_WORD = np.arange(len(TOY))


def space(dimensions):
    """A vocabulary that only sets the number of dimensions."""
    return Vocabulary(["a", "b"], np.eye(2, dimensions))


def counts_of(released, vocabulary=TOY):
    return np.bincount(np.ravel(released), minlength=len(vocabulary))


# ---------------------------------------------------------------------------------------- the noise


@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("dimensions", [1, 2, 50, 300])
def test_the_length_of_the_noise_is_gamma_with_shape_d_and_scale_one_over_epsilon(
    dimensions, epsilon
):
    rng = np.random.default_rng(1)
    noise = CMP(epsilon=epsilon).noise(space(dimensions), 20_000, rng)
    length = np.linalg.norm(noise, axis=1)
    assert p_value_of_sample(length, stats.gamma(dimensions, scale=1 / epsilon).cdf) > ALPHA
    for wrong in (epsilon * 1.1, epsilon / 1.1):
        assert p_value_of_sample(length, stats.gamma(dimensions, scale=1 / wrong).cdf) < ALPHA
    other_shape = stats.gamma(dimensions + max(1, dimensions // 10), scale=1 / epsilon)
    assert p_value_of_sample(length, other_shape.cdf) < ALPHA


@pytest.mark.parametrize("dimensions", [2, 50, 300])
def test_the_declared_radius_cdf_is_that_of_the_noise(dimensions):
    mechanism, radii = CMP(epsilon=3.0), np.linspace(0, dimensions, 40)
    declared = mechanism.radius_cdf(space(dimensions), radii)
    np.testing.assert_allclose(declared, stats.gamma(dimensions, scale=1 / 3).cdf(radii))


def test_the_radius_cdf_has_its_limits_at_every_epsilon():
    radii = np.array([0.0, 10.0, np.inf])
    assert CMP(epsilon=1e308).radius_cdf(TOY, radii).tolist() == [0.0, 1.0, 1.0]
    assert CMP(epsilon=1e-308).radius_cdf(TOY, radii).tolist() == [0.0, 0.0, 1.0]


def test_in_the_plane_every_angle_is_as_likely():
    noise = CMP(epsilon=1.0).noise(TOY, 50_000, np.random.default_rng(2))
    angles = np.arctan2(noise[:, 1], noise[:, 0])
    assert p_value_of_sample(angles, stats.uniform(-np.pi, 2 * np.pi).cdf) > ALPHA
    stretched = np.arctan2(noise[:, 1], 1.2 * noise[:, 0])
    assert p_value_of_sample(stretched, stats.uniform(-np.pi, 2 * np.pi).cdf) < ALPHA


@pytest.mark.parametrize("dimensions", [3, 50, 300])
def test_the_projection_on_any_axis_is_that_of_a_uniform_direction(dimensions):
    # (1 + ⟨u, a⟩) / 2 is Beta((d-1)/2, (d-1)/2), whatever the unit vector a.
    law = stats.beta((dimensions - 1) / 2, (dimensions - 1) / 2).cdf
    rng = np.random.default_rng(3)
    directions = CMP(epsilon=1.0).directions(space(dimensions), 20_000, rng)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1, rtol=1e-12)
    axes = [np.eye(dimensions)[0], np.eye(dimensions)[-1], rng.normal(size=dimensions)]
    for axis in axes:
        projection = directions @ (axis / np.linalg.norm(axis))
        assert p_value_of_sample((1 + projection) / 2, law) > ALPHA
    # Power: one axis longer by 15 % before the normalisation.
    stretched = directions.copy()
    stretched[:, 0] *= 1.15
    stretched /= np.linalg.norm(stretched, axis=1, keepdims=True)
    assert p_value_of_sample((1 + stretched[:, 0]) / 2, law) < ALPHA


def test_direction_and_length_are_independent():
    noise = CMP(epsilon=1.0).noise(space(3), 20_000, np.random.default_rng(4))
    length = np.linalg.norm(noise, axis=1)
    cosine = noise[:, 0] / length
    assert stats.spearmanr(length, cosine).pvalue > ALPHA
    assert stats.spearmanr(length, np.abs(cosine)).pvalue > ALPHA
    assert stats.spearmanr(length, noise[:, 0] ** 2).pvalue < ALPHA


# ------------------------------------------------------------------------------------------ the law


def law_by_integration(epsilon, word, steps=1_000):
    """Pr[M(w) = v] in the plane (V,): ∫∫ 1[v nearest to w + r u] dF(r) dθ / 2π, midpoint rule."""
    middle = (np.arange(steps) + 0.5) / steps
    radii = stats.gamma(2, scale=1 / epsilon).ppf(middle)
    angles = 2 * np.pi * middle
    noise = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = (TOY.vectors[word].astype(np.float64) + noise).reshape(-1, 2)
    scores = points @ TOY.vectors.T.astype(np.float64)
    scores -= (TOY.vectors.astype(np.float64) ** 2).sum(axis=1) / 2
    return np.bincount(scores.argmax(axis=1), minlength=len(TOY)) / steps**2


@pytest.mark.parametrize(
    ("word", "epsilon"),
    [
        ("origin", 0.7),
        ("origin", 2.0),
        ("twin", 0.7),
        ("twin", 2.0),
        ("near", 2.0),
        ("lonely", 0.7),
    ],
)
def test_the_sampler_follows_the_law_in_the_plane(word, epsilon):
    word_id = TOY.get(word)
    rng = np.random.default_rng(5)
    counts = counts_of(CMP(epsilon=epsilon).sample(TOY, [word_id], 100_000, rng))
    assert_drawn_from(counts, law_by_integration(epsilon, word_id))
    for wrong in (epsilon * 1.1, epsilon / 1.1):
        assert_not_drawn_from(counts, law_by_integration(wrong, word_id))


@pytest.mark.parametrize("epsilon", [0.1, 0.7, 2.0, 5.0])
def test_the_law_in_the_plane_keeps_the_declared_bound_for_every_pair(epsilon):
    laws = np.stack([law_by_integration(epsilon, word, steps=400) for word in EVERY_WORD])
    a, b = ALL_PAIRS
    bound = CMP(epsilon=epsilon).guarantee(TOY).log_ratio_bound(TOY, a, b)
    # Cells of at least 1 %: there the midpoint rule errs by less than 2 %.
    solid = (laws[a] > 0.01) & (laws[b] > 0.01)
    ratio = np.where(solid, np.log(np.maximum(laws[a], 1e-9) / np.maximum(laws[b], 1e-9)), -np.inf)
    assert (ratio <= bound[:, None] + 0.02).all()
    assert np.isfinite(ratio).sum() > len(TOY)


def test_real_words_stay_with_the_probability_of_independent_brute_force():
    # 50 dimensions: normal directions and radii of our own, nearest word in float64.
    glove = embeddings.load(embeddings.GLOVE, 1_000)
    words = glove.ids(["water", "film", "monday"])
    released = CMP(epsilon=9.0).sample(glove, words, 2_000, np.random.default_rng(6))
    stay = released == words[:, None]
    rng, vectors = np.random.default_rng(7), glove.vectors.astype(np.float64)
    for row, word in enumerate(words):
        noise = rng.normal(size=(2_000, 50))
        noise *= (rng.gamma(50, 1 / 9.0, 2_000) / np.linalg.norm(noise, axis=1))[:, None]
        scores = (vectors[word] + noise) @ vectors.T - (vectors**2).sum(axis=1) / 2
        own = (scores.argmax(axis=1) == word).sum()
        table = [[own, 2_000 - own], [stay[row].sum(), 2_000 - stay[row].sum()]]
        assert 0 < own < 2_000
        assert stats.fisher_exact(table).pvalue > ALPHA


def test_words_with_equal_vectors_have_equal_laws():
    twin, copy = TOY.ids(["twin", "copy"])
    for epsilon in (1e-9, 0.5, 5.0, 1e9):
        mechanism = CMP(epsilon=epsilon)
        first = mechanism.sample(TOY, [twin], 5_000, np.random.default_rng(8))
        second = mechanism.sample(TOY, [copy], 5_000, np.random.default_rng(8))
        assert np.array_equal(first, second)
        assert copy not in first, "the input decided a tie"


# --------------------------------------------------------------------------------------- its limits


def test_at_a_huge_epsilon_nothing_moves():
    glove = embeddings.load(embeddings.GLOVE, 2_000)
    for vocabulary in (TOY, glove):
        ids = np.arange(len(vocabulary))
        released = CMP(epsilon=1e9).sample(vocabulary, ids, 3, np.random.default_rng(9))
        assert (released == vocabulary.representatives[:, None]).all()


@pytest.mark.parametrize("epsilon", [1e-9, 1e-30, 1e-300, 5e-324])
def test_at_a_tiny_epsilon_the_release_does_not_depend_on_the_word(epsilon):
    mechanism = CMP(epsilon=epsilon)
    # The same noise for every word: the released words are the same, draw by draw.
    released = [
        mechanism.sample(TOY, [word], 5_000, np.random.default_rng(10)) for word in EVERY_WORD
    ]
    assert all(np.array_equal(released[0], other) for other in released[1:])


def exterior_angles():
    """The share of directions in which each word of TOY is the extreme one (V,)."""
    distinct = np.unique(TOY.representatives)
    points = TOY.vectors[distinct].astype(np.float64)
    corners = ConvexHull(points).vertices  # counterclockwise
    edges = np.roll(points[corners], -1, axis=0) - points[corners]
    headings = np.arctan2(edges[:, 1], edges[:, 0])
    turns = (headings - np.roll(headings, 1)) % (2 * np.pi)
    law = np.zeros(len(TOY))
    law[distinct[corners]] = turns / (2 * np.pi)
    return law


def test_at_a_tiny_epsilon_the_law_is_that_of_the_extreme_word_and_not_uniform():
    law = exterior_angles()
    assert law.sum() == pytest.approx(1)
    released = CMP(epsilon=1e-9).sample(TOY, [0], 50_000, np.random.default_rng(11))
    assert_drawn_from(counts_of(released), law)
    assert_not_drawn_from(counts_of(released), np.full(len(TOY), 1 / len(TOY)))
    assert (counts_of(released)[law == 0] == 0).all(), "a word inside the hull was released"


def test_a_single_word_can_only_stay():
    assert (CMP(epsilon=1.0).sample(first_words(1), [0], 50, np.random.default_rng(12)) == 0).all()


def test_draws_in_many_blocks_follow_the_same_law(monkeypatch):
    monkeypatch.setattr("mechanisms.base.BLOCK_FLOATS", 4_000)
    released = CMP(epsilon=2.0).sample(TOY, EVERY_WORD, 5_000, np.random.default_rng(13))
    law = np.mean([law_by_integration(2.0, word, steps=400) for word in EVERY_WORD], axis=0)
    assert p_value_of_counts(counts_of(released), law) > ALPHA
