import re

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import gammaln, lambertw, logsumexp
from scipy.stats import gumbel_r

from data.embeddings import load
from mechanisms import TruncatedGumbel, Vocabulary
from mechanisms.extreme_pairs import closest_pair, farthest_pair
from mechanisms.kept_laws import KeptLaws, keeping
from mechanisms.near_words import NearWords
from mechanisms.truncated_gumbel import _NEAR, _Noise, required_epsilon
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY, first_words

# TOY without its twins and the two words that almost coincide.
_KEPT = [i for i, word in enumerate(TOY.words) if word not in ("copy", "nearer")]
PLANE = Vocabulary([TOY.words[i] for i in _KEPT], TOY.vectors[_KEPT])
EVERY = np.arange(len(PLANE))


def cloud(count, dimensions=5, seed=0):
    vectors = np.random.default_rng(seed).standard_normal((count, dimensions))
    return Vocabulary([f"w{i}" for i in range(count)], vectors)


@pytest.fixture(scope="module")
def glove():
    return load("glove-6b-50d", 5_000)


def poisson(count):
    k = np.arange(1, count + 1)
    weights = np.exp(k * np.log(np.log(count)) - gammaln(k + 1))
    return weights / weights.sum()


def simulate(vocabulary, word, b, draws, rng):
    """The pseudocode, by rejection: k, k distances, k truncated noises, the least."""
    largest = np.max([vocabulary.distances([w]).max() for w in range(len(vocabulary))])
    counts = np.zeros(len(vocabulary), int)
    ranked = np.argsort(vocabulary.distances([word])[0], kind="stable")
    distances = vocabulary.distances([word])[0][ranked]
    for k, times in enumerate(rng.multinomial(draws, poisson(len(vocabulary))), start=1):
        noise = rng.gumbel(0, b, (times, k))
        while (outside := np.abs(noise) > largest).any():
            noise[outside] = rng.gumbel(0, b, outside.sum())
        winners = ranked[(distances[:k] + noise).argmin(axis=1)]
        counts += np.bincount(winners, minlength=len(vocabulary))
    return counts


@pytest.mark.parametrize("epsilon", [17.0, 40.0, 1e4, 1e40])
def test_the_law_is_that_of_a_fine_riemann_sum(epsilon):
    mechanism = TruncatedGumbel(epsilon=epsilon)
    b, largest = mechanism.scale(PLANE), PLANE.farthest_pair[0]
    grid = np.linspace(-largest, largest, 20_001)
    x = (grid[1:] + grid[:-1]) / 2
    cdf = gumbel_r(scale=b).cdf
    total = cdf(largest) - cdf(-largest)

    def survival(g):
        return np.clip((cdf(largest) - cdf(np.maximum(g, -largest))) / total, 0, 1)

    for word in (0, 8):
        ranked = np.argsort(PLANE.distances([word])[0], kind="stable")
        distances = PLANE.distances([word])[0][ranked]
        law = np.zeros(len(PLANE))
        for k, weight in enumerate(poisson(len(PLANE)), start=1):
            for j in range(k):
                g = x - distances[j]
                integrand = np.where(g < -largest, 0, gumbel_r(scale=b).pdf(g)) / total
                for other in set(range(k)) - {j}:
                    integrand = integrand * survival(x - distances[other])
                law[ranked[j]] += weight * integrand.sum() * (x[1] - x[0])
        computed = np.exp(mechanism.log_prob(PLANE, [word])[0])
        np.testing.assert_allclose(computed, law, rtol=1e-3, atol=1e-12)


@pytest.mark.parametrize(("variant", "epsilon"), [("published", 100.0), ("benchmark", 1.0)])
def test_the_law_is_that_of_the_pseudocode_simulated(variant, epsilon):
    mechanism = TruncatedGumbel(epsilon=epsilon, variant=variant)
    lonely = PLANE.get("lonely")
    rng = np.random.default_rng(1)
    counts = simulate(PLANE, lonely, mechanism.scale(PLANE), 400_000, rng)
    assert_drawn_from(counts, np.exp(mechanism.log_prob(PLANE, [lonely])[0]))
    wrong = simulate(PLANE, lonely, 0.8 * mechanism.scale(PLANE), 400_000, rng)
    assert_not_drawn_from(wrong, np.exp(mechanism.log_prob(PLANE, [lonely])[0]))


def test_the_sampler_follows_the_law_with_power():
    # The law depends on ln ε only; that of the word far from all others most.
    word, draws = PLANE.get("lonely"), 1_000_000
    mechanism = TruncatedGumbel(epsilon=100.0)
    drawn = mechanism.sample(PLANE, [word], draws, np.random.default_rng(2))[0]
    counts = np.bincount(drawn, minlength=len(PLANE))
    assert_drawn_from(counts, np.exp(mechanism.log_prob(PLANE, [word])[0]))
    for factor in (1.1, 1 / 1.1):
        other = TruncatedGumbel(epsilon=100.0 * factor)
        assert_not_drawn_from(counts, np.exp(other.log_prob(PLANE, [word])[0]))


def test_each_word_of_a_call_has_its_own_law(glove):
    mechanism = TruncatedGumbel(epsilon=100.0)
    ids = np.array([7, 4_000, 7])
    drawn = mechanism.sample(glove, ids, 100_000, np.random.default_rng(3))
    for row, law in zip(drawn, np.exp(mechanism.log_prob(glove, ids)), strict=True):
        assert_drawn_from(np.bincount(row, minlength=len(glove)), law)
    assert not np.array_equal(drawn[0], drawn[2])


@pytest.mark.parametrize("epsilon", [75.0, 1e3, 1e9, 1e40])
def test_the_law_sums_to_one(glove, epsilon):
    law = TruncatedGumbel(epsilon=epsilon).log_prob(glove, [0, 1_000])
    np.testing.assert_allclose(logsumexp(law, axis=1), 0, atol=1e-9)


def direct(distances, position, b, largest):
    """Log probability of the word at a position of the ranking, each nearer word on its own."""
    noise = _Noise(b, largest)
    count = len(distances)
    k = np.arange(1, count + 1)
    log_k = k * np.log(np.log(count)) - gammaln(k + 1)
    log_k -= logsumexp(log_k)
    low, high = distances[position] - largest, np.nextafter(largest, 0)
    for _ in range(30):  # shrink to where the integrand is within e^-40 of its largest value
        x = np.linspace(low, high, 42)[1:-1]
        logs = noise.log_density(x - distances[position])
        logs = logs + noise.log_survival(x[:, None] - distances[:position]).sum(axis=1)
        kept = np.flatnonzero(logs > logs.max() - 40)
        if len(kept) > 20:
            break
        step = x[1] - x[0]
        low, high = max(low, x[kept[0]] - step), min(high, x[kept[-1]] + step)
    step = (high - low) / 400
    x = low + step * (np.arange(400) + 0.5)
    nearer = noise.log_survival(x[:, None] - distances[:position]).sum(axis=1)
    later = np.full(len(x), log_k[position])
    reach = np.zeros(len(x))
    for other in range(position + 1, min(count, position + 40)):
        reach += noise.log_survival(x - distances[other])
        later = np.logaddexp(later, log_k[other] + reach)
    logs = noise.log_density(x - distances[position]) + nearer + later
    return logsumexp(logs) + np.log(step)


@pytest.mark.parametrize(
    ("variant", "epsilon"),
    [("benchmark", 1.0), ("published", 73.0), ("published", 1e5), ("published", 1e40)],
)
def test_far_words_are_right_to_a_thousandth_of_their_logarithm(glove, variant, epsilon):
    mechanism = TruncatedGumbel(epsilon=epsilon, variant=variant)
    distances, ranked = glove.neighbours([1_234], len(glove))
    law = mechanism.log_prob(glove, [1_234])[0][ranked[0]]
    b, largest = mechanism.scale(glove), glove.farthest_pair[0]
    for position in (_NEAR - 1, _NEAR, _NEAR + 40, 1_000, len(glove) - 50, len(glove) - 1):
        exact = direct(distances[0], position, b, largest)
        assert law[position] == pytest.approx(exact, rel=1e-3)
    assert law[_NEAR:].max() < np.log(1e-40)


def test_the_scale_is_that_of_the_paper_and_of_the_benchmark():
    smallest, largest = PLANE.closest_pair[0], PLANE.farthest_pair[0]
    for epsilon in (0.1, 1.0, 5.0, 30.0, 1e6):
        alpha = (epsilon - 2 * (1 + np.log(len(PLANE))) / smallest) / 3
        lambert = lambertw(complex(2 * alpha * largest)).real
        if alpha > 0:
            lambert = min(lambert, np.log(alpha * smallest))
        if lambert > 0:
            benchmark = TruncatedGumbel(epsilon=epsilon, variant="benchmark")
            assert benchmark.scale(PLANE) == pytest.approx(2 * largest / lambert, rel=1e-12)
        if epsilon > required_epsilon(PLANE):
            published = TruncatedGumbel(epsilon=epsilon)
            assert published.scale(PLANE) == pytest.approx(2 * largest / lambert, rel=1e-12)


def test_published_is_refused_below_the_epsilon_it_needs_and_names_it(glove):
    assert required_epsilon(glove) == pytest.approx(
        (3 + 2 * (1 + np.log(len(glove))))
        / glove.distance_between(*glove.ids(["tuesday", "monday"]))
    )
    message = re.escape(
        "Truncated Gumbel: on this vocabulary ε must exceed 63 (its two closest words are 0.351 "
        "apart); got 5."
    )
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=message):
        TruncatedGumbel(epsilon=5).log_prob(glove, [0])
    with pytest.raises(ValueError, match=message):
        TruncatedGumbel(epsilon=5).sample(glove, [0], 1, rng)
    needed = required_epsilon(glove)
    with pytest.raises(ValueError, match="must exceed"):
        TruncatedGumbel(epsilon=needed * (1 - 1e-9)).scale(glove)
    assert TruncatedGumbel(epsilon=needed * (1 + 1e-9)).scale(glove) > 0


def test_published_is_broken_above_it_on_a_real_vocabulary(glove):
    mechanism = TruncatedGumbel(epsilon=80.0)
    guarantee = mechanism.guarantee(glove)
    assert not guarantee.holds
    rng = np.random.default_rng(4)
    a, b = rng.choice(len(glove), (2, 20), replace=False)
    gap = np.abs(mechanism.log_prob(glove, a) - mechanism.log_prob(glove, b)).max(axis=1)
    bound = guarantee.log_ratio_bound(glove, a, b)
    assert (gap > bound).mean() > 0.9
    # A witness: the word itself against its rank from afar, far beyond the precision of the law.
    law_a, law_b = mechanism.log_prob(glove, np.array([a[0], b[0]]))
    assert law_a[a[0]] - 0.999 * law_b[a[0]] > bound[0]


def test_benchmark_promises_nothing_and_hardly_depends_on_epsilon(glove):
    guarantee = TruncatedGumbel(epsilon=1.0, variant="benchmark").guarantee(glove)
    assert guarantee.notion == "none proven"
    assert guarantee.log_ratio_bound(glove, [0], [1]) is None
    stays = [
        np.exp(TruncatedGumbel(epsilon=e, variant="benchmark").log_prob(glove, [9])[0, 9])
        for e in (1e-30, 1e-9, 1.0, 10.0)
    ]
    np.testing.assert_allclose(stays, stays[0], rtol=0.03)
    # Between the two regimes the scale is negative or absent.
    with pytest.raises(ValueError, match="benchmark.*not positive"):
        TruncatedGumbel(epsilon=0.99 * required_epsilon(glove), variant="benchmark").scale(glove)


@pytest.mark.slow
def test_a_word_stays_more_often_only_far_above_the_epsilon_it_needs():
    # Just above it the noise is uniform on [-Δ, Δ]; a little more ε first makes staying rarer.
    def stays(epsilon):
        return np.exp(TruncatedGumbel(epsilon=epsilon).log_prob(PLANE, EVERY)[EVERY, EVERY])

    assert np.all(np.diff([stays(10.0**p) for p in range(4, 300, 20)], axis=0) >= -1e-12)
    np.testing.assert_allclose(stays(1e308), 1, atol=1e-6)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_small_vocabularies_have_a_law(count):
    vocabulary = first_words(count)
    ids = np.arange(count)
    mechanism = TruncatedGumbel(epsilon=100.0)
    np.testing.assert_allclose(logsumexp(mechanism.log_prob(vocabulary, ids), axis=1), 0, atol=1e-9)
    drawn = mechanism.sample(vocabulary, ids, 50, np.random.default_rng(0))
    assert drawn.shape == (count, 50)
    assert set(drawn.ravel()) == set(range(count))


def test_one_word_and_equal_vectors_are_refused_with_the_reason():
    for variant in ("published", "benchmark"):
        mechanism = TruncatedGumbel(epsilon=100.0, variant=variant)
        with pytest.raises(ValueError, match="at least two words are needed"):
            mechanism.scale(first_words(1))
        with pytest.raises(ValueError, match=r"'twin' and 'copy' have the same vector"):
            mechanism.log_prob(TOY, [0])
        assert not mechanism.guarantee(first_words(1)).log_ratio_bound(first_words(1), [0], [0])
        mechanism.guarantee(TOY)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1e-30, 1e-9, 1.0, 1e9, 1e308])
@pytest.mark.parametrize("variant", ["published", "benchmark"])
def test_no_epsilon_gives_a_warning_or_a_wrong_word(epsilon, variant):
    mechanism = TruncatedGumbel(epsilon=epsilon, variant=variant)
    for vocabulary in (PLANE, cloud(500)):
        if variant == "published" and epsilon <= required_epsilon(vocabulary):
            with pytest.raises(ValueError, match="must exceed"):
                mechanism.log_prob(vocabulary, [0])
            continue
        law = mechanism.log_prob(vocabulary, [0, 3])
        assert not np.isnan(law).any()
        np.testing.assert_allclose(logsumexp(law, axis=1), 0, atol=1e-8)
        drawn = mechanism.sample(vocabulary, [0, 3], 1_000, np.random.default_rng(5))
        assert np.isfinite(law[np.arange(2)[:, None], drawn]).all()


def test_nothing_is_drawn_where_nothing_is_asked():
    mechanism = TruncatedGumbel(epsilon=100.0)
    rng = np.random.default_rng(0)
    assert mechanism.sample(PLANE, [], 3, rng).shape == (0, 3)
    assert mechanism.sample(PLANE, [1], 0, rng).shape == (1, 0)
    assert mechanism.log_prob(PLANE, []).shape == (0, len(PLANE))


@pytest.mark.parametrize(("count", "dimensions"), [(2, 3), (700, 2), (1_500, 20)])
def test_the_closest_and_farthest_pairs_are_those_of_all_distances(count, dimensions):
    vocabulary = cloud(count, dimensions, seed=count)
    vectors = vocabulary.vectors + np.float32(3)
    distances = cdist(vectors.astype(float), vectors.astype(float))
    upper = np.triu_indices(count, 1)
    for found, order in ((closest_pair(vectors), 1), (farthest_pair(vectors), -1)):
        best = np.argmin(order * distances[upper])
        assert found[1:] == (upper[0][best], upper[1][best])
        assert found[0] == pytest.approx(distances[upper][best], rel=1e-12)


def test_equal_rows_are_the_closest_pair_at_distance_zero():
    vectors = np.ones((3_000, 4), np.float32)
    assert closest_pair(vectors)[0] == 0
    assert farthest_pair(vectors)[0] == 0
    assert TOY.closest_pair == (0.0, *TOY.ids(["twin", "copy"]))
    assert TOY.farthest_pair[0] == TOY.distances(np.arange(len(TOY))).max()
    with pytest.raises(ValueError, match="needs two words"):
        first_words(1).closest_pair  # noqa: B018


@pytest.mark.parametrize("kept", [0, 100, 1_000, 5_000])
def test_near_words_that_are_kept_are_the_neighbours(kept, glove):
    words, rng = NearWords(glove, memory=kept * 16 * 64), np.random.default_rng(20)
    for k in (1, 30, 64, 70, 12):
        ids = np.unique(rng.integers(len(glove), size=400) // rng.integers(1, 30))
        for found, expected in zip(words.of(ids, k), glove.neighbours(ids, k), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_a_file_that_keeps_near_words_draws_what_one_without_draws(glove):
    mechanism, ids = TruncatedGumbel(epsilon=200.0), np.arange(0, 900, 3)
    file = KeptLaws()
    for seed, few in ((21, ids[:200]), (22, ids), (23, ids[150:])):
        with keeping(file):
            drawn = mechanism.sample(glove, few, 2, np.random.default_rng(seed))
        expected = mechanism.sample(glove, few, 2, np.random.default_rng(seed))
        assert np.array_equal(drawn, expected)
    assert file.found
