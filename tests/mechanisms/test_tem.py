"""TEM: its law against the paper's algorithm, its bound for every pair, its sampler, its limits."""

import itertools
import math

import numpy as np
import pytest

from data import embeddings
from mechanisms import TEM, Vocabulary
from mechanisms.calibration import gamma_for
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import ALL_PAIRS, TOY, first_words

EVERY_WORD = np.arange(len(TOY))
EPSILONS = [0.01, 0.5, 1.0, 3.0, 10.0]

# One γ smaller than most distances, one that is exactly the distance of two words, one of the
# middle, one larger than every distance, and Theorem 4.2.
GAMMAS = [0.0005, 1.0, 2.2, 1e6, None]


def distance(a, b):
    """‖φ(a) - φ(b)‖ of two words of TOY, by hand."""
    return math.dist(map(float, TOY.vectors[a]), map(float, TOY.vectors[b]))


# --------------------------------------------------------------------- the paper's algorithm, twice


def bottom_form(epsilon, gamma, word):
    """The law of the paper's algorithm (V,): softmax of ε/2 · score over L_w and ⊥."""
    inside = [v for v in EVERY_WORD if distance(word, v) <= gamma]
    outside = [v for v in EVERY_WORD if distance(word, v) > gamma]
    weights = {v: math.exp(-epsilon / 2 * distance(word, v)) for v in inside}
    bottom = (
        math.exp(epsilon / 2 * (-gamma + 2 * math.log(len(outside)) / epsilon)) if outside else 0
    )
    total = sum(weights.values()) + bottom
    law = np.zeros(len(TOY))
    for v in inside:
        law[v] = weights[v] / total
    for v in outside:
        law[v] = bottom / total / len(outside)
    return law


def gumbel_draws(epsilon, gamma, word, size, rng):
    """The paper's algorithm line by line (size,): Gumbel noise on the scores, the largest wins."""
    inside = [v for v in EVERY_WORD if distance(word, v) <= gamma]
    outside = [v for v in EVERY_WORD if distance(word, v) > gamma]
    scores = [-distance(word, v) for v in inside]
    if outside:
        scores.append(-gamma + 2 * math.log(len(outside)) / epsilon)
    noisy = np.array(scores) + rng.gumbel(0, 2 / epsilon, (size, len(scores)))
    released = np.array([*inside, -1])[noisy.argmax(axis=1)]
    bottom = released == -1
    released[bottom] = rng.choice(outside, bottom.sum()) if outside else -1
    return released


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_law_is_that_of_the_paper_s_algorithm_with_its_bottom_element(epsilon, gamma):
    tem = TEM(epsilon=epsilon, gamma=gamma)
    law = np.exp(tem.log_prob(TOY, EVERY_WORD))
    for word in EVERY_WORD:
        expected = bottom_form(epsilon, tem.threshold(TOY), word)
        np.testing.assert_allclose(law[word], expected, rtol=1e-12)


@pytest.mark.parametrize("gamma", [1.0, 2.2, None])
@pytest.mark.parametrize("word", ["origin", "twin", "lonely"])
def test_the_paper_s_algorithm_run_line_by_line_draws_from_the_law(word, gamma):
    word_id, tem = TOY.get(word), TEM(epsilon=2.0, gamma=gamma, beta=0.05)
    rng = np.random.default_rng(1)
    drawn = gumbel_draws(2.0, tem.threshold(TOY), word_id, 200_000, rng)
    counts = np.bincount(drawn, minlength=len(TOY))
    assert_drawn_from(counts, np.exp(tem.log_prob(TOY, [word_id])[0]))
    for wrong in (2.2, 2.0 / 1.1):
        other = TEM(epsilon=wrong, gamma=tem.threshold(TOY))
        assert_not_drawn_from(counts, np.exp(other.log_prob(TOY, [word_id])[0]))


@pytest.mark.parametrize("gamma", [1.0, 2.2, 1e6])
@pytest.mark.parametrize("word", ["origin", "twin", "near", "lonely"])
def test_the_sampler_draws_from_the_law(word, gamma):
    word_id, tem = TOY.get(word), TEM(epsilon=2.0, gamma=gamma)
    released = tem.sample(TOY, [word_id], 300_000, np.random.default_rng(2))
    counts = np.bincount(released[0], minlength=len(TOY))
    assert_drawn_from(counts, np.exp(tem.log_prob(TOY, [word_id])[0]))
    for wrong in (2.2, 2.0 / 1.1):
        other = TEM(epsilon=wrong, gamma=gamma)
        assert_not_drawn_from(counts, np.exp(other.log_prob(TOY, [word_id])[0]))


def test_the_law_of_real_words_is_the_formula():
    glove = embeddings.load(embeddings.GLOVE, 3_000)
    words = glove.ids(["water", "film", "monday"])
    tem = TEM(epsilon=8.0)
    gamma = 2 / 8.0 * math.log(999 * (len(glove) - 1))
    vectors = glove.vectors.astype(np.float64)
    for row, word in enumerate(words):
        d = np.sqrt(((vectors - vectors[word]) ** 2).sum(axis=1))
        weights = np.exp(-4.0 * np.minimum(d, gamma))
        law = np.exp(tem.log_prob(glove, words)[row])
        np.testing.assert_allclose(law, weights / weights.sum(), rtol=1e-10)


# ------------------------------------------------------------------------------------ the guarantee


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_every_pair_of_words_is_within_the_declared_bound(epsilon, gamma):
    tem = TEM(epsilon=epsilon, gamma=gamma)
    guarantee = tem.guarantee(TOY)
    assert guarantee.notion == "metric DP"
    assert guarantee.epsilon == epsilon
    law = tem.log_prob(TOY, EVERY_WORD)
    a, b = ALL_PAIRS
    bound = guarantee.log_ratio_bound(TOY, a, b)
    np.testing.assert_allclose(bound, epsilon * TOY.distance_between(a, b))
    assert (law[a] - law[b] <= bound[:, None] + 1e-12).all()


def test_the_bound_is_nearly_met_by_a_word_beside_a_crowd_so_no_smaller_epsilon_would_do():
    # One word at distance D from K = e^(ε D / 2) others: the log ratio is ε D - ln 2 or so.
    epsilon, crowd = 2.0, 3_000
    far = 2 / epsilon * math.log(crowd)
    vectors = np.vstack([[[0.0, 0.0]], np.tile([[far, 0.0]], (crowd, 1))])
    vocabulary = Vocabulary([f"w{i}" for i in range(crowd + 1)], vectors)
    pair = np.array([0]), np.array([1])
    tem = TEM(epsilon=epsilon, gamma=1e6)
    law = tem.log_prob(vocabulary, [0, 1])
    excess = {scale: (law[0] - law[1]).max() - epsilon * scale * far for scale in (1.0, 1 / 1.1)}
    assert excess[1.0] <= 1e-9 < excess[1 / 1.1]
    assert tem.guarantee(vocabulary).log_ratio_bound(vocabulary, *pair)[0] == pytest.approx(
        epsilon * far, rel=1e-6
    )


# ------------------------------------------------------------------------------------------ γ and ε


def test_the_threshold_is_the_given_one_or_that_of_the_theorem_never_rounded():
    assert TEM(epsilon=3.0, gamma=1.23456789).threshold(TOY) == 1.23456789
    assert TEM(epsilon=3.0, beta=0.02).threshold(TOY) == gamma_for(3.0, 0.02, len(TOY))


def test_where_the_theorem_allows_any_threshold_every_word_is_as_likely():
    law = TEM(epsilon=5.0, beta=0.95).log_prob(TOY, EVERY_WORD)
    np.testing.assert_allclose(law, -math.log(len(TOY)))


def grid_of_stays(vocabulary, word_ids, gamma):
    rows = np.arange(len(word_ids))
    return np.stack(
        [
            TEM(epsilon=e, gamma=gamma).log_prob(vocabulary, word_ids)[rows, word_ids]
            for e in np.geomspace(1e-4, 1e4, 80)
        ]
    )


@pytest.mark.parametrize("gamma", [0.5, 2.2, 1e6, None])
def test_the_chance_to_keep_a_word_never_falls_as_epsilon_rises(gamma):
    glove = embeddings.load(embeddings.GLOVE, 2_000)
    for vocabulary, ids in ((TOY, EVERY_WORD), (glove, np.arange(0, len(glove), 200))):
        stays = grid_of_stays(vocabulary, ids, gamma)
        assert (np.diff(stays, axis=0) >= -1e-12).all()
        assert (stays[-1] > stays[0] + 1).all(), "nothing rises: nothing was tested"


@pytest.mark.parametrize("epsilon", [1e-9, 1e-30, 1e-300, 5e-324])
def test_at_a_tiny_epsilon_every_word_is_as_likely_whatever_the_input(epsilon):
    for gamma in (2.2, 1e6):
        law = TEM(epsilon=epsilon, gamma=gamma).log_prob(TOY, EVERY_WORD)
        np.testing.assert_allclose(law, -math.log(len(TOY)), atol=1e-2)
    law = TEM(epsilon=epsilon).log_prob(TOY, EVERY_WORD)
    np.testing.assert_allclose(law, -math.log(len(TOY)), atol=1e-8)


@pytest.mark.parametrize("epsilon", [1e9, 1e300, 1.7e308])
def test_at_a_huge_epsilon_nothing_moves_but_within_equal_vectors(epsilon):
    law = np.exp(TEM(epsilon=epsilon, gamma=1.0).log_prob(TOY, EVERY_WORD))
    equal = TOY.representatives[:, None] == TOY.representatives
    np.testing.assert_allclose(law, equal / equal.sum(axis=1, keepdims=True))


def test_words_with_equal_vectors_have_equal_laws_and_are_as_likely_to_come_out():
    twin, copy = TOY.ids(["twin", "copy"])
    for epsilon, gamma in itertools.product(EPSILONS, GAMMAS):
        law = TEM(epsilon=epsilon, gamma=gamma).log_prob(TOY, EVERY_WORD)
        assert np.array_equal(law[twin], law[copy])
        np.testing.assert_allclose(law[:, twin], law[:, copy], rtol=1e-13)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_small_vocabularies_have_a_law(count):
    vocabulary = first_words(count)
    law = np.exp(TEM(epsilon=1.0).log_prob(vocabulary, np.arange(count)))
    np.testing.assert_allclose(law.sum(axis=1), 1)
    assert (law.argmax(axis=1) == np.arange(count)).all()


def test_a_word_of_probability_zero_is_never_drawn():
    # At this ε all but the word itself underflow to exactly 0.
    tem, vocabulary = TEM(epsilon=1e5, gamma=0.7), first_words(5)
    released = tem.sample(vocabulary, [0, 4], 20_000, np.random.default_rng(3))
    assert (released == [[0], [4]]).all()
