"""Laplace, Gaussian, truncated Laplace: clipping, the noise, and δ by independent integration."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from mechanisms import (
    Gaussian,
    Laplace,
    TruncatedLaplace,
    Vocabulary,
    truncated_laplace_law,
)
from mechanisms.gaussian_delta import analytic_sigma, log_gaussian_delta
from mechanisms.truncated_laplace_law import extended_dimensions
from tests.claims import ALPHA, p_value_of_sample
from tests.toy import TOY, first_words

EVERY_WORD = np.arange(len(TOY))
EVERY_EPSILON = (1e-30, 1e-9, 1.0, 1e9, 1e308)
VARIANTS = [
    lambda epsilon: Laplace(epsilon=epsilon),
    lambda epsilon: Gaussian(epsilon=epsilon, variant="published"),
    lambda epsilon: Gaussian(epsilon=epsilon, variant="repaired"),
    lambda epsilon: TruncatedLaplace(epsilon=epsilon, variant="published"),
    lambda epsilon: TruncatedLaplace(epsilon=epsilon, variant="repaired"),
]
EVERY_VARIANT = pytest.mark.parametrize(
    "made",
    VARIANTS,
    ids=["Laplace", "Gaussian-p", "Gaussian-r", "TruncatedLaplace-p", "TruncatedLaplace-r"],
)


def space(dimensions):
    """A vocabulary that only sets the number of dimensions."""
    return Vocabulary(["a", "b"], np.eye(2, dimensions))


# ----------------------------------------------------------------------------------------- clipping


@EVERY_VARIANT
def test_vectors_longer_than_c_are_shortened_to_it_and_others_left_alone(made):
    start = made(1.0).start(TOY, EVERY_WORD)  # C = 5; only lonely, (8, -6), is longer
    lonely = TOY.get("lonely")
    np.testing.assert_allclose(start[lonely], [4.0, -3.0], rtol=1e-15)
    others = np.arange(len(TOY)) != lonely
    assert np.array_equal(start[others], TOY.vectors[others].astype(np.float64))


def test_at_the_default_c_of_glove_almost_every_word_is_nearest_to_its_clipped_vector(glove):
    ids = np.arange(0, len(glove), 10)
    expected = {1.0: (0.0, 0.02), 2.0: (0.1, 0.4), 5.0: (0.99, 1.0)}
    for norm, (low, high) in expected.items():
        start = Laplace(epsilon=1.0, clipping_norm=norm).start(glove, ids)
        assert low <= (glove.nearest(start) == ids).mean() <= high


# ------------------------------------------------------------------------------------------ Laplace


@pytest.mark.parametrize(("dimensions", "norm"), [(1, 5.0), (2, 0.3), (50, 5.0)])
def test_laplace_coordinates_have_scale_two_root_d_c_over_epsilon(dimensions, norm):
    mechanism = Laplace(epsilon=3.0, clipping_norm=norm)
    noise = mechanism.noise(space(dimensions), 40_000, np.random.default_rng(1))
    scale = 2 * dimensions**0.5 * norm / 3
    for column in (0, dimensions - 1):
        assert p_value_of_sample(noise[:, column], stats.laplace(scale=scale).cdf) > ALPHA
        for wrong in (scale * 1.1, scale / 1.1):
            assert p_value_of_sample(noise[:, column], stats.laplace(scale=wrong).cdf) < ALPHA
    if dimensions > 1:
        assert stats.spearmanr(np.abs(noise[:, 0]), np.abs(noise[:, 1])).pvalue > ALPHA


@pytest.mark.parametrize("epsilon", [0.5, 5.0, 40.0])
def test_laplace_keeps_epsilon_between_any_two_words_of_the_plane(epsilon):
    # One quadrature for all words; the choice depends on the noisy point alone.
    mechanism = Laplace(epsilon=epsilon)
    scale = mechanism.scale(TOY)
    axis = np.linspace(-8 * scale - 5, 8 * scale + 5, 201)
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    released = mechanism.choose(TOY, np.zeros(len(points), int), points, np.random.default_rng(2))
    density = np.stack(
        [np.exp(-np.abs(points - x).sum(axis=1) / scale) for x in mechanism.start(TOY, EVERY_WORD)]
    )
    laws = np.stack([np.bincount(released, row, len(TOY)) for row in density])
    laws = laws[:, laws.sum(axis=0) > 0]
    largest = np.log(laws[:, None] / laws[None]).max()
    guarantee = mechanism.guarantee(TOY)
    assert largest <= guarantee.log_ratio_bound(TOY, [0], [1])[0] + 1e-9
    # Power: the densities alone come to ‖s‖₁ / scale, a fair share of ε for the farthest words.
    assert largest > 0.3 * epsilon
    assert guarantee.notion == "pure DP"


# ----------------------------------------------------------------------------------------- Gaussian


def log_exact_delta(epsilon, relative_sigma):
    """log δ by its integral ∫₀^∞ e^-t Pr[loss > ε + t] dt, where nothing cancels.

    The privacy loss is normal with mean 1/(2s²) and deviation 1/s.
    """
    s = relative_sigma
    a = 1 / (2 * s) - epsilon * s
    largest = special.log_ndtr(a)

    def integrand(x):  # t = x / s
        return math.exp(-x / s + special.log_ndtr(a - x) - largest) / s

    end = min(60 * s, 45.0)
    value, _ = integrate.quad(integrand, 0, end, epsabs=0, epsrel=1e-10, limit=400)
    return math.log(value) + largest


@pytest.mark.parametrize("delta", [1e-300, 1e-30, 1e-5, 0.3, 0.999])
@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 0.1, 1.0, 7.0, 100.0, 1e6])
def test_the_analytic_sigma_has_exactly_its_delta(epsilon, delta):
    sigma = analytic_sigma(epsilon, delta)
    assert log_exact_delta(epsilon, sigma) == pytest.approx(math.log(delta), abs=1e-6)
    assert log_exact_delta(epsilon, sigma * 0.999) > math.log(delta) + 1e-9, "a smaller σ would do"
    assert log_gaussian_delta(epsilon, sigma) == pytest.approx(math.log(delta), abs=1e-6)


def test_the_analytic_sigma_of_one_setting_by_the_plain_formula():
    sigma = analytic_sigma(1.0, 1e-5)
    a, b = 1 / (2 * sigma) - sigma, -1 / (2 * sigma) - sigma
    assert stats.norm.cdf(a) - math.e * stats.norm.cdf(b) == pytest.approx(1e-5, rel=1e-9)


def test_the_analytic_sigma_is_safe_at_every_epsilon_and_falls_in_it():
    for delta in (1e-300, 1e-5, 0.5):
        sigmas = [analytic_sigma(epsilon, delta) for epsilon in np.geomspace(1e-300, 1e300, 61)]
        assert np.isfinite(sigmas).all()
        assert min(sigmas) > 0
        assert (np.diff(sigmas) <= 1e-9 * np.array(sigmas[1:])).all(), "beyond rounding"
    # As ε -> 0 it is the total variation 2 Φ(1/(2s)) - 1; as ε -> ∞, s -> 1 / sqrt(2 ε).
    assert 2 * stats.norm.cdf(0.5 / analytic_sigma(1e-300, 0.5)) - 1 == pytest.approx(0.5)
    assert analytic_sigma(1e300, 0.5) == pytest.approx((2e300) ** -0.5)


@pytest.mark.parametrize("variant", ["published", "repaired"])
@pytest.mark.parametrize("dimensions", [1, 2, 50])
def test_gaussian_noise_is_normal_with_the_declared_sigma(dimensions, variant):
    mechanism = Gaussian(epsilon=0.8, delta=1e-4, clipping_norm=2.0, variant=variant)
    if variant == "published":
        sigma = math.sqrt(8 * 2.0**2 * math.log(1.25 / 1e-4) / 0.8**2)
    else:
        sigma = 4.0 * analytic_sigma(0.8, 1e-4)
    assert mechanism.sigma(space(dimensions)) == pytest.approx(sigma)
    noise = mechanism.noise(space(dimensions), 20_000, np.random.default_rng(3))
    for column in (0, dimensions - 1):
        assert p_value_of_sample(noise[:, column], stats.norm(scale=sigma).cdf) > ALPHA
        for wrong in (sigma * 1.1, sigma / 1.1):
            assert p_value_of_sample(noise[:, column], stats.norm(scale=wrong).cdf) < ALPHA
    radii = np.linspace(0, 4 * sigma * dimensions**0.5, 30)
    np.testing.assert_allclose(
        mechanism.radius_cdf(space(dimensions), radii),
        stats.chi(dimensions, scale=sigma).cdf(radii),
    )


def test_the_analytic_sigma_is_smaller_than_the_classical_one_where_that_is_proven():
    for epsilon in (0.01, 0.1, 0.5, 1.0):
        classical = Gaussian(epsilon=epsilon, variant="published")
        assert classical.sigma(TOY) > Gaussian(epsilon=epsilon).sigma(TOY)
        guarantee = classical.guarantee(TOY)
        assert (guarantee.notion, guarantee.holds) == ("(ε, δ)-DP", True)


@pytest.mark.parametrize(("epsilon", "holds"), [(1.01, True), (3.0, True), (20.0, False)])
def test_above_epsilon_one_the_classical_sigma_is_not_proven_and_at_last_broken(epsilon, holds):
    mechanism = Gaussian(epsilon=epsilon, variant="published")
    guarantee = mechanism.guarantee(TOY)
    assert guarantee.notion == "none proven"
    assert guarantee.holds == holds
    true_delta = math.exp(log_exact_delta(epsilon, mechanism.sigma(TOY) / 10))
    assert f"δ = {true_delta:.3g}" in guarantee.caveat
    assert (true_delta <= 1e-5) == holds


# -------------------------------------------------------------------------------- truncated Laplace


def truncated(scale, support):
    """Its density and distribution function, as scipy has them."""
    law = stats.laplace(scale=scale)
    mass = law.cdf(support) - law.cdf(-support)

    def cdf(x):
        return np.clip((law.cdf(x) - law.cdf(-support)) / mass, 0, 1)

    return lambda x: np.where(np.abs(x) <= support, law.pdf(x) / mass, 0), cdf


@pytest.mark.parametrize(
    ("epsilon", "delta", "dimensions", "variant"),
    [
        (1.0, 1e-5, 50, "published"),
        (0.01, 1e-30, 50, "published"),
        (3.0, 1e-5, 2, "published"),
        (1.0, 1e-5, 50, "repaired"),
        (8.0, 0.5, 2, "repaired"),
        (1.0, 0.9, 1, "repaired"),
    ],
)
def test_its_coordinates_follow_the_truncated_law(epsilon, delta, dimensions, variant):
    mechanism = TruncatedLaplace(epsilon=epsilon, delta=delta, variant=variant)
    vocabulary = space(dimensions)
    noise = mechanism.noise(vocabulary, 60_000, np.random.default_rng(4))
    scale, support = mechanism.scale(vocabulary), mechanism.support(vocabulary)
    assert np.abs(noise).max() <= support
    assert np.abs(noise).max() > min(0.99 * support, 8 * scale)
    for column in (0, dimensions - 1):
        assert p_value_of_sample(noise[:, column], truncated(scale, support)[1]) > ALPHA
        assert p_value_of_sample(1.05 * noise[:, column], truncated(scale, support)[1]) < ALPHA


def test_published_has_the_parameters_of_theorem_3():
    for epsilon, delta, dimensions in [(1.0, 1e-5, 50), (0.3, 1e-80, 300), (0.005, 1e-5, 2)]:
        mechanism = TruncatedLaplace(epsilon=epsilon, delta=delta, variant="published")
        root, share = dimensions**0.5, delta ** (1 / dimensions)
        alpha = epsilon / (2 * root * 5.0)
        support = -math.log(1 - epsilon / (2 * share * root)) / alpha
        assert mechanism.scale(space(dimensions)) == pytest.approx(1 / alpha)
        assert mechanism.support(space(dimensions)) == pytest.approx(support)
        # Its B is Δ∞ / δ^(1/d).
        assert 2 * (1 - math.exp(-alpha * support)) / alpha == pytest.approx(10 / share)


@pytest.mark.parametrize(("epsilon", "dimensions"), [(1.0, 2), (20.0, 50), (500.0, 50)])
def test_dummy_dimensions_are_as_few_as_the_condition_allows(epsilon, dimensions):
    def allowed(extended):
        return epsilon <= 2 * 1e-5 ** (1 / extended) * extended**0.5

    extended = extended_dimensions(epsilon, 1e-5, dimensions)
    assert extended > dimensions
    assert allowed(extended)
    assert not allowed(extended - 1)
    mechanism = TruncatedLaplace(epsilon=epsilon, variant="published")
    alpha = epsilon / (2 * extended**0.5 * 5.0)
    assert mechanism.scale(space(dimensions)) == pytest.approx(1 / alpha)
    assert 1 / alpha > 5.0 * (1 - 1e-9), "dummy dimensions make it quieter than C"
    threshold = 2 * 1e-5 ** (1 / extended) * extended**0.5
    support = -math.log1p(-epsilon / threshold) / alpha
    assert mechanism.support(space(dimensions)) == pytest.approx(support, rel=1e-6)


def test_repaired_has_the_support_of_its_formula():
    for epsilon, delta, dimensions in [(1.0, 1e-5, 50), (30.0, 1e-9, 300), (0.1, 0.01, 2)]:
        mechanism = TruncatedLaplace(epsilon=epsilon, delta=delta)
        root = dimensions**0.5
        alpha = epsilon / (2 * root * 5.0)
        support = math.log(1 + root * (math.exp(epsilon / root) - 1) / (2 * delta)) / alpha
        assert mechanism.scale(space(dimensions)) == pytest.approx(1 / alpha)
        assert mechanism.support(space(dimensions)) == pytest.approx(support)
    # A large δ would make it narrower than 2C.
    assert TruncatedLaplace(epsilon=1.0, delta=0.9).support(space(1)) == pytest.approx(10)


def hockey_stick(mechanism, vocabulary, shift):
    """∫ (f(x) - e^ε f(x - s))₊ dx in one or two dimensions, by a fine midpoint rule."""
    scale, support = mechanism.scale(vocabulary), mechanism.support(vocabulary)
    density, cdf = truncated(scale, support)
    if len(shift) == 1:
        steps = 100_001
        edges = np.linspace(-support, support, steps)
        middle, mass = (edges[1:] + edges[:-1]) / 2, np.diff(cdf(edges))
        ratio = density(middle - shift[0]) / density(middle)
        return float((mass * np.maximum(0, 1 - np.exp(mechanism.epsilon) * ratio)).sum())
    edges = np.linspace(-support, support, 3_001)
    middle, mass = (edges[1:] + edges[:-1]) / 2, np.diff(cdf(edges))
    ratio = [density(middle - s) / density(middle) for s in shift]
    loss = np.maximum(0, 1 - np.exp(mechanism.epsilon) * np.multiply.outer(*ratio))
    return float(mass @ loss @ mass)


def pair_apart(shift):
    """Two words whose vectors differ by `shift`, both within C = 5 of the origin."""
    shift = np.array(shift)
    return Vocabulary(["a", "b"], np.stack([shift / 2, -shift / 2]))


@pytest.mark.parametrize("variant", ["published", "repaired"])
@pytest.mark.parametrize("epsilon", [0.02, 0.5, 3.0])
@pytest.mark.parametrize("delta", [0.01, 0.6])  # at 0.6 the published support is shorter than 2C
@pytest.mark.parametrize(
    "shift", [(10.0,), (4.0,), (10.0, 0.0), (7.0, 7.0), (3.0, 9.0), (-6.0, 8.0), (0.0, 0.0)]
)
def test_the_unreachable_mass_is_the_hockey_stick_divergence(shift, delta, epsilon, variant):
    vocabulary = pair_apart(shift)
    mechanism = TruncatedLaplace(epsilon=epsilon, delta=delta, variant=variant)
    [declared] = mechanism.unreachable_mass(vocabulary, np.array([0]), np.array([1]))
    integrated = hockey_stick(mechanism, vocabulary, shift)
    assert declared == pytest.approx(integrated, abs=2e-4, rel=2e-2)
    if variant == "repaired":
        assert declared <= delta * (1 + 1e-9)


@pytest.mark.parametrize("dimensions", [1, 2, 5, 50, 300])
@pytest.mark.parametrize("epsilon", [1e-30, 1e-3, 0.1, 1.0, 10.0, 300.0, 1e9, 1e308])
@pytest.mark.parametrize("delta", [1e-30, 1e-5, 0.1, 0.9])
def test_repaired_keeps_its_delta_in_every_direction(delta, epsilon, dimensions):
    mechanism = TruncatedLaplace(epsilon=epsilon, delta=delta)
    rng = np.random.default_rng(5)
    # Shifts of length 2C: uniform, sparse, and equal in k coordinates, between ±s/2.
    shifts = rng.normal(size=(40, dimensions)) * rng.choice([1e-3, 1, 1], (40, dimensions))
    shifts *= 10 / np.linalg.norm(shifts, axis=1, keepdims=True)
    vectors = np.concatenate([shifts / 2, -shifts / 2])
    vocabulary = Vocabulary([f"w{i}" for i in range(80)], vectors)
    masses = mechanism.unreachable_mass(vocabulary, np.arange(40), np.arange(40, 80))
    worst = max(masses.max(), mechanism.true_delta_lower_bound(vocabulary))
    assert worst <= delta * (1 + 1e-6)
    # And the densities, where both are possible, stay within e^ε: ‖s‖₁ ≤ 2 √d C.
    assert np.abs(shifts).sum(axis=1).max() / mechanism.scale(vocabulary) <= epsilon * (1 + 1e-6)
    assert mechanism.guarantee(vocabulary).holds


def test_a_clipped_vector_longer_than_c_by_a_rounding_does_no_harm():
    lengths = np.random.default_rng(6).uniform(5, 9, (3_000, 1))
    vectors = np.concatenate([lengths, -lengths])
    vocabulary = Vocabulary([f"w{i}" for i in range(6_000)], vectors)
    mechanism, ids = TruncatedLaplace(epsilon=1e308, delta=1e-5), np.arange(6_000)
    assert np.abs(mechanism.start(vocabulary, ids)).max() > 5
    assert mechanism.unreachable_mass(vocabulary, ids[:3_000], ids[3_000:]).max() <= 1e-5 * (
        1 + 1e-9
    )


def test_repaired_needs_its_support():
    # In one dimension, and over many at a small ε, its δ is reached: no narrower support would do.
    one = TruncatedLaplace(epsilon=2.0, delta=1e-4).true_delta_lower_bound(space(1))
    many = TruncatedLaplace(epsilon=1e-6, delta=1e-4).true_delta_lower_bound(space(50))
    assert one == pytest.approx(1e-4)
    assert many == pytest.approx(1e-4, rel=1e-3)


@pytest.mark.parametrize("dimensions", [50, 300])
def test_published_is_broken_by_one_coordinate_and_worse_by_many(dimensions):
    # The paper's own regime, δ ≤ 4^-d: one coordinate moved by 2C has mass 0.19 to 0.25 outside.
    for epsilon in (1e-9, 0.1, 1.0):
        mechanism = TruncatedLaplace(epsilon=epsilon, delta=4.0**-dimensions, variant="published")
        vocabulary = pair_apart([10.0] + [0.0] * (dimensions - 1))
        [one] = mechanism.unreachable_mass(vocabulary, np.array([0]), np.array([1]))
        assert 0.19 <= one <= 0.25 + 1e-9
        worst = mechanism.true_delta_lower_bound(vocabulary)
        assert worst > 0.7
        guarantee = mechanism.guarantee(vocabulary)
        assert not guarantee.holds
        assert guarantee.delta == 4.0**-dimensions
        assert f"with probability {worst:.3g}" in guarantee.caveat


def test_published_is_broken_in_draws():
    # Two vectors 2C apart along the diagonal: draws of one outside the reach of the other.
    vocabulary = pair_apart([10 / 50**0.5] * 50)
    mechanism = TruncatedLaplace(epsilon=1.0, variant="published")
    noise = mechanism.noise(vocabulary, 2_000, np.random.default_rng(6))
    outside = (np.abs(noise + 10 / 50**0.5) > mechanism.support(vocabulary)).any(axis=1).mean()
    assert outside > 0.98
    assert outside == pytest.approx(mechanism.true_delta_lower_bound(vocabulary), abs=0.01)


def test_published_in_one_dimension_keeps_its_delta():
    # There the unreachable part is an interval of length Δ∞, as the proof says.
    for epsilon, delta in [(0.001, 0.01), (0.1, 0.2), (1.0, 0.6)]:
        mechanism = TruncatedLaplace(epsilon=epsilon, delta=delta, variant="published")
        assert extended_dimensions(epsilon, delta, 1) == 1
        assert mechanism.true_delta_lower_bound(space(1)) <= delta
        assert mechanism.guarantee(space(1)).holds


def test_published_says_where_its_claim_is_neither_proven_nor_refuted():
    # Between: √d p(2C) above δ, the exact δ of every shift looked at below it.
    notions = set()
    for epsilon in np.geomspace(100, 1e5, 60):
        mechanism = TruncatedLaplace(epsilon=float(epsilon), variant="published")
        guarantee = mechanism.guarantee(space(50))
        notions.add((guarantee.notion, guarantee.holds))
        if guarantee.holds and guarantee.notion == "(ε, δ)-DP":
            assert mechanism.true_delta_lower_bound(space(50)) <= 1e-5
    assert ("(ε, δ)-DP", False) in notions
    assert ("(ε, δ)-DP", True) in notions


# -------------------------------------------------------------------------------------- all of them


@EVERY_VARIANT
@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("epsilon", [5e-324, *EVERY_EPSILON])
def test_small_vocabularies_work_at_every_epsilon(count, epsilon, made):
    vocabulary, ids = first_words(count), np.arange(count)
    mechanism = made(epsilon)
    released = mechanism.sample(vocabulary, ids, 200, np.random.default_rng(7))
    assert released.min() >= 0
    assert released.max() < count
    published_truncation = (
        isinstance(mechanism, TruncatedLaplace) and mechanism.variant == "published"
    )
    if epsilon >= 1e9 and not published_truncation:
        assert (released == ids[:, None]).all()
    if epsilon <= 1e-9 and count > 1:
        assert len(np.unique(released)) > 1
    assert mechanism.guarantee(vocabulary).epsilon == epsilon


@EVERY_VARIANT
@pytest.mark.parametrize("delta", [5e-324, 1e-300, 1 - 1e-16])
@pytest.mark.parametrize("norm", [1e-300, 1e300])
def test_extreme_parameters_sample_words_without_a_warning(made, norm, delta):
    for epsilon in EVERY_EPSILON:
        mechanism = made(epsilon)
        changes = {"epsilon": epsilon, "clipping_norm": norm}
        if not isinstance(mechanism, Laplace):
            changes |= {"delta": delta, "variant": mechanism.variant}
        mechanism = type(mechanism)(**changes)
        released = mechanism.sample(TOY, EVERY_WORD, 20, np.random.default_rng(8))
        assert released.min() >= 0
        assert released.max() < len(TOY)
        mechanism.guarantee(TOY)


@pytest.mark.parametrize(
    ("formula", "rest"),
    [
        (analytic_sigma, (1e-5,)),
        (extended_dimensions, (1e-5, 50)),
        (truncated_laplace_law.published_law, (1e-5, 50)),
        (truncated_laplace_law.repaired_law, (1e-5, 50)),
    ],
)
def test_a_cached_formula_does_not_remember_the_kind_of_number_that_came_first(formula, rest):
    epsilon = 0.734_21
    formula.cache_clear()
    first = formula(np.float64(epsilon), *map(np.asarray, rest))
    numbers = first if isinstance(first, tuple) else (first,)
    assert {type(number) for number in numbers} <= {int, float}
    formula.cache_clear()
    assert formula(epsilon, *rest) == first


@EVERY_VARIANT
def test_words_with_equal_vectors_have_equal_laws(made):
    twin, copy = TOY.ids(["twin", "copy"])
    for epsilon in (1e-9, 0.5, 50.0, 1e9):
        mechanism = made(epsilon)
        first = mechanism.sample(TOY, [twin], 3_000, np.random.default_rng(9))
        second = mechanism.sample(TOY, [copy], 3_000, np.random.default_rng(9))
        assert np.array_equal(first, second)
        assert copy not in first, "the input decided a tie"


@EVERY_VARIANT
def test_a_word_far_outside_is_decoded_against_vectors_that_are_not_clipped(made):
    # lonely's clipped vector (4, -3) is nearer to `nearer` (1.501, -1) than to lonely itself.
    lonely, nearer = TOY.ids(["lonely", "nearer"])
    points = made(1.0).start(TOY, np.array([lonely]))
    chosen = made(1.0).choose(TOY, np.array([lonely]), points, np.random.default_rng(10))
    assert chosen.tolist() == [nearer]


@EVERY_VARIANT
def test_real_words_stay_with_the_probability_of_independent_brute_force(glove, made):
    word, draws, epsilon = glove.get("water"), 1_500, 60.0
    mechanism = made(epsilon)
    stay = (mechanism.sample(glove, [word], draws, np.random.default_rng(11)) == word).sum()
    rng, vectors = np.random.default_rng(12), glove.vectors.astype(np.float64)
    start = vectors[word] * min(1, 5 / np.linalg.norm(vectors[word]))
    if isinstance(mechanism, Gaussian):
        noise = rng.normal(0, mechanism.sigma(glove), (draws, 50))
    else:
        noise = rng.laplace(0, mechanism.scale(glove), (3 * draws, 50))
        if isinstance(mechanism, TruncatedLaplace):  # by rejection, as in the paper
            support = mechanism.support(glove)
            noise = noise.ravel()
            noise = noise[np.abs(noise) <= support]
            noise = noise[: len(noise) // 50 * 50].reshape(-1, 50)
        noise = noise[:draws]
    own = 0
    for block in np.array_split(start + noise, 10):
        own += ((block @ vectors.T - (vectors**2).sum(axis=1) / 2).argmax(axis=1) == word).sum()
    assert len(noise) == draws
    assert stats.fisher_exact([[own, draws - own], [stay, draws - stay]]).pvalue > ALPHA
