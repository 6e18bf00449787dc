"""Mahalanobis: its covariance, its noise in its own norm, and its limits."""

import numpy as np
import pytest
from scipy import stats

from mechanisms import CMP, Mahalanobis, Vocabulary
from tests.claims import ALPHA, assert_drawn_from, assert_not_drawn_from, p_value_of_sample
from tests.toy import ALL_PAIRS, TOY, first_words

EVERY_WORD = np.arange(len(TOY))


def cloud(words, dimensions, seed=0):
    """Words that spread unequally and along no axis."""
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(dimensions, dimensions)) * np.geomspace(1, 4, dimensions)
    vectors = rng.normal(size=(words, dimensions)) @ mixing + 3
    return Vocabulary([f"w{i}" for i in range(words)], vectors)


def regularised(vocabulary, lam):
    """λ Σ + (1 - λ) I, by numpy's covariance."""
    covariance = np.atleast_2d(np.cov(vocabulary.vectors.T.astype(np.float64)))
    covariance *= vocabulary.dimensions / np.trace(covariance)
    return lam * covariance + (1 - lam) * np.eye(vocabulary.dimensions)


def norm(vocabulary, lam, z):
    """‖z‖_RM by a linear solve."""
    return np.sqrt(np.einsum("nd,nd->n", z, np.linalg.solve(regularised(vocabulary, lam), z.T).T))


# ------------------------------------------------------------------------------------- the geometry


CLOUDS = [TOY, cloud(400, 7), cloud(7, 7), cloud(6, 7), cloud(3, 40)]


@pytest.mark.parametrize("vocabulary", CLOUDS)
def test_the_principal_axes_give_back_the_covariance_with_mean_variance_one(vocabulary):
    variances, axes, rest = vocabulary.principal_axes
    assert axes.shape == (vocabulary.dimensions, min(len(vocabulary), vocabulary.dimensions))
    np.testing.assert_allclose((axes * variances) @ axes.T, regularised(vocabulary, 1), atol=1e-9)
    np.testing.assert_allclose(axes.T @ axes, np.eye(axes.shape[1]), atol=1e-12)
    assert variances.sum() == pytest.approx(vocabulary.dimensions)
    assert rest == 0


def test_the_covariance_does_not_depend_on_where_its_blocks_end(monkeypatch):
    whole, parts = cloud(400, 7), cloud(400, 7)
    expected = whole.principal_axes
    monkeypatch.setattr("mechanisms.principal_axes._ROWS", 37)
    np.testing.assert_allclose(parts.principal_axes[0], expected[0])


@pytest.mark.parametrize("vocabulary", [cloud(3, 40), cloud(1, 40)])
def test_with_few_words_the_noise_has_the_covariance_in_every_direction(vocabulary):
    """The unit sphere's own covariance is I/d; A u has that of A Aᵀ / d, whatever A."""
    lam = 0.5
    at = Mahalanobis(epsilon=1.0, lam=lam)
    some = at.directions(vocabulary, 200_000, np.random.default_rng(0))
    expected = np.eye(40) if len(vocabulary) == 1 else regularised(vocabulary, lam)
    assert np.linalg.norm(np.cov(some.T) * 40 - expected, 2) < 0.05 * np.linalg.norm(expected, 2)
    np.testing.assert_allclose(-at.log_density(vocabulary, some[:100]), 1, rtol=1e-9)


def test_three_words_of_many_dimensions_need_no_square_matrix():
    """12,000 × 12,000 numbers would be 1.2 GB; what is needed is a few times 3 × 12,000."""
    import tracemalloc

    vocabulary = cloud_of_rows(3, 12_000)
    tracemalloc.start()
    try:
        vocabulary.closest_pair  # noqa: B018
        Mahalanobis(epsilon=1.0).sample(vocabulary, np.arange(3), 2, np.random.default_rng(0))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60 * 3 * 12_000 * 8


def cloud_of_rows(words, dimensions):
    vectors = np.random.default_rng(0).normal(size=(words, dimensions))
    return Vocabulary([f"w{i}" for i in range(words)], vectors)


@pytest.mark.parametrize("lam", [0.0, 0.2, 0.9, 1.0])
@pytest.mark.parametrize("vocabulary", [TOY, cloud(400, 7), cloud(3, 40)])
def test_its_distance_is_the_regularised_mahalanobis_norm_of_the_difference(vocabulary, lam):
    lam = min(lam, 0.99) if len(vocabulary) < vocabulary.dimensions else lam
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, len(vocabulary), (2, 200))
    difference = vocabulary.vectors[a].astype(np.float64) - vocabulary.vectors[b]
    distance = Mahalanobis(epsilon=1.0, lam=lam).guarantee(vocabulary).distance
    np.testing.assert_allclose(
        distance.between(vocabulary, a, b), norm(vocabulary, lam, difference), atol=1e-9
    )


def test_at_lambda_zero_its_distance_is_the_euclidean_one():
    a, b = ALL_PAIRS
    distance = Mahalanobis(epsilon=1.0, lam=0).guarantee(TOY).distance.between(TOY, a, b)
    np.testing.assert_allclose(distance, TOY.distance_between(a, b), atol=1e-12)


# ---------------------------------------------------------------------------------------- the noise


@pytest.mark.parametrize("lam", [0.0, 0.2, 1.0])
def test_the_noise_is_gamma_long_in_its_own_norm(lam):
    vocabulary = cloud(400, 7)
    noise = Mahalanobis(epsilon=2.0, lam=lam).noise(vocabulary, 20_000, np.random.default_rng(2))
    length = norm(vocabulary, lam, noise)
    assert p_value_of_sample(length, stats.gamma(7, scale=1 / 2).cdf) > ALPHA
    for wrong in (2.2, 2 / 1.1):
        assert p_value_of_sample(length, stats.gamma(7, scale=1 / wrong).cdf) < ALPHA
    if lam == 1:
        euclidean = np.linalg.norm(noise, axis=1)
        assert p_value_of_sample(euclidean, stats.gamma(7, scale=1 / 2).cdf) < ALPHA


@pytest.mark.parametrize("lam", [0.2, 1.0])
def test_the_noise_has_the_shape_of_the_regularised_covariance(lam):
    # Whitened by an independent factor, the direction is uniform: (1 + u_i) / 2 is a Beta law.
    vocabulary = cloud(400, 7)
    noise = Mahalanobis(epsilon=1.0, lam=lam).noise(vocabulary, 30_000, np.random.default_rng(3))
    law = stats.beta(3, 3).cdf

    def worst(factor):
        whitened = np.linalg.solve(factor, noise.T).T
        whitened /= np.linalg.norm(whitened, axis=1, keepdims=True)
        return min(p_value_of_sample((1 + column) / 2, law) for column in whitened.T)

    assert worst(np.linalg.cholesky(regularised(vocabulary, lam))) > ALPHA
    assert worst(np.linalg.cholesky(regularised(vocabulary, 0.7 * lam))) < ALPHA
    # The second moments: E z zᵀ = (d + 1) (λ Σ + (1 - λ) I) / ε², since E r² = d (d + 1) / ε².
    moments = noise.T @ noise / len(noise)
    np.testing.assert_allclose(moments / 8, regularised(vocabulary, lam), atol=0.1)


def test_the_declared_radius_cdf_is_that_of_the_gamma_law():
    radii = np.linspace(0, 20, 30)
    declared = Mahalanobis(epsilon=3.0).radius_cdf(TOY, radii)
    np.testing.assert_allclose(declared, stats.gamma(2, scale=1 / 3).cdf(radii))


# ------------------------------------------------------------------------------------------ the law


def law_by_integration(epsilon, lam, word, steps=700):
    """Pr[M(w) = v] in the plane (V,), by the midpoint rule and a Cholesky factor."""
    middle = (np.arange(steps) + 0.5) / steps
    radii = stats.gamma(2, scale=1 / epsilon).ppf(middle)
    circle = np.stack([np.cos(2 * np.pi * middle), np.sin(2 * np.pi * middle)], axis=1)
    noise = radii[:, None, None] * (circle @ np.linalg.cholesky(regularised(TOY, lam)).T)
    points = (TOY.vectors[word].astype(np.float64) + noise).reshape(-1, 2)
    scores = points @ TOY.vectors.T.astype(np.float64)
    scores -= (TOY.vectors.astype(np.float64) ** 2).sum(axis=1) / 2
    return np.bincount(scores.argmax(axis=1), minlength=len(TOY)) / steps**2


@pytest.mark.parametrize("word", ["origin", "twin", "near"])
def test_the_sampler_follows_the_law_in_the_plane(word):
    word_id = TOY.get(word)
    released = Mahalanobis(epsilon=1.0, lam=0.8).sample(
        TOY, [word_id], 100_000, np.random.default_rng(4)
    )
    counts = np.bincount(released[0], minlength=len(TOY))
    assert_drawn_from(counts, law_by_integration(1.0, 0.8, word_id))
    for wrong in (1.1, 1 / 1.1):
        assert_not_drawn_from(counts, law_by_integration(wrong, 0.8, word_id))
    assert_not_drawn_from(counts, law_by_integration(1.0, 0.0, word_id))


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_law_in_the_plane_keeps_its_own_bound_and_not_the_euclidean_one(epsilon):
    laws = np.stack([law_by_integration(epsilon, 0.9, word, steps=400) for word in EVERY_WORD])
    a, b = ALL_PAIRS
    bound = Mahalanobis(epsilon=epsilon, lam=0.9).guarantee(TOY).log_ratio_bound(TOY, a, b)
    # Cells of at least 1 %: there the midpoint rule errs by less than 2 %.
    solid = (laws[a] > 0.01) & (laws[b] > 0.01)
    ratio = np.where(solid, np.log(np.maximum(laws[a], 1e-9) / np.maximum(laws[b], 1e-9)), -np.inf)
    assert (ratio <= bound[:, None] + 0.02).all()
    euclidean = CMP(epsilon=epsilon).guarantee(TOY).log_ratio_bound(TOY, a, b)
    assert (ratio > euclidean[:, None] + 0.02).any(), (
        "the distance it is private in does not matter"
    )


def test_words_with_equal_vectors_have_equal_laws():
    twin, copy = TOY.ids(["twin", "copy"])
    for epsilon in (1e-9, 0.5, 5.0, 1e9):
        mechanism = Mahalanobis(epsilon=epsilon)
        first = mechanism.sample(TOY, [twin], 5_000, np.random.default_rng(5))
        second = mechanism.sample(TOY, [copy], 5_000, np.random.default_rng(5))
        assert np.array_equal(first, second)


# --------------------------------------------------------------------------------------- its limits


def test_fewer_words_than_dimensions_are_refused_at_lambda_one_only():
    vocabulary = cloud(5, 7)
    for lam in (0.0, 0.2, 0.999):
        Mahalanobis(epsilon=1.0, lam=lam).sample(vocabulary, [0], 5, np.random.default_rng(6))
    with pytest.raises(
        ValueError, match=r"λ = 1 .* 5 words in 7 dimensions is singular.*smaller λ"
    ):
        Mahalanobis(epsilon=1.0, lam=1).sample(vocabulary, [0], 5, np.random.default_rng(6))


def test_a_constant_column_is_refused_at_lambda_one_only():
    vectors = cloud(400, 7).vectors.copy()
    vectors[:, 3] = 0.1
    vocabulary = Vocabulary([f"w{i}" for i in range(400)], vectors)
    Mahalanobis(epsilon=1.0, lam=0.9).sample(vocabulary, [0], 5, np.random.default_rng(7))
    with pytest.raises(ValueError, match="singular"):
        Mahalanobis(epsilon=1.0, lam=1).sample(vocabulary, [0], 5, np.random.default_rng(7))


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("epsilon", [1e-30, 1e-9, 1.0, 1e9, 1e308])
def test_small_vocabularies_work_at_every_epsilon(count, epsilon):
    vocabulary = first_words(count)
    ids = np.arange(count)
    released = Mahalanobis(epsilon=epsilon).sample(vocabulary, ids, 200, np.random.default_rng(8))
    assert released.min() >= 0
    assert released.max() < count
    if epsilon >= 1e9:
        assert (released == ids[:, None]).all()
    if epsilon <= 1e-9 and count > 1:
        assert len(np.unique(released)) > 1


def test_words_in_one_place_have_no_covariance_and_get_round_noise():
    vocabulary = Vocabulary(["a", "b"], np.ones((2, 3)))
    noise = Mahalanobis(epsilon=1.0, lam=1).noise(vocabulary, 20_000, np.random.default_rng(9))
    assert p_value_of_sample(np.linalg.norm(noise, axis=1), stats.gamma(3).cdf) > ALPHA


def test_at_a_tiny_epsilon_the_release_does_not_depend_on_the_word(glove):
    mechanism = Mahalanobis(epsilon=1e-30)
    first, second = (
        mechanism.sample(glove, [word], 300, np.random.default_rng(10)) for word in (5, 5_000)
    )
    assert np.array_equal(first, second)


def test_real_words_stay_with_the_probability_of_independent_brute_force(glove):
    word, epsilon, draws = glove.get("water"), 9.0, 3_000
    released = Mahalanobis(epsilon=epsilon, lam=0.5).sample(
        glove, [word], draws, np.random.default_rng(11)
    )
    rng, vectors = np.random.default_rng(12), glove.vectors.astype(np.float64)
    noise = rng.normal(size=(draws, 50))
    noise *= (rng.gamma(50, 1 / epsilon, draws) / np.linalg.norm(noise, axis=1))[:, None]
    points = vectors[word] + noise @ np.linalg.cholesky(regularised(glove, 0.5)).T
    own = 0
    for block in np.array_split(points, 10):
        own += ((block @ vectors.T - (vectors**2).sum(axis=1) / 2).argmax(axis=1) == word).sum()
    stay = (released == word).sum()
    assert 0 < own < draws
    assert stats.fisher_exact([[own, draws - own], [stay, draws - stay]]).pvalue > ALPHA
