import mpmath
import numpy as np
import pytest
from scipy.special import logsumexp

from mechanisms import TEM, SanText
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import ALL_PAIRS, TOY, first_words

EVERY = np.arange(len(TOY))


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 7.5, 1e5])
def test_the_law_is_the_formula_in_exact_arithmetic(epsilon):
    law = SanText(epsilon=epsilon).log_prob(TOY, EVERY)
    points = [[mpmath.mpf(float(x)) for x in vector] for vector in TOY.vectors]
    for w, vector in enumerate(points):
        weights = [
            mpmath.exp(-epsilon / 2 * mpmath.hypot(v[0] - vector[0], v[1] - vector[1]))
            for v in points
        ]
        expected = [float(mpmath.log(weight / sum(weights))) for weight in weights]
        np.testing.assert_allclose(law[w], expected, rtol=1e-12, atol=1e-12)


def test_it_is_tem_whose_ball_holds_all_words():
    everything = TEM(epsilon=2.0, gamma=1e3).log_prob(TOY, EVERY)
    np.testing.assert_array_equal(SanText(epsilon=2.0).log_prob(TOY, EVERY), everything)


@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 10.0, 1e3])
def test_every_pair_of_words_is_within_the_declared_bound(epsilon):
    mechanism = SanText(epsilon=epsilon)
    law = mechanism.log_prob(TOY, EVERY)
    a, b = ALL_PAIRS
    bound = mechanism.guarantee(TOY).log_ratio_bound(TOY, a, b)
    gap = (law[a] - law[b]).max(axis=1)
    assert np.all(gap <= bound + 1e-12 * (1 + bound))
    # The bound cannot be halved: the ratio exceeds ε d / 2 for some pair.
    assert np.any(gap > bound / 2)


def test_the_sampler_follows_the_law_with_power():
    word, draws = TOY.get("twin"), 200_000
    drawn = SanText(epsilon=2.0).sample(TOY, np.array([word]), draws, np.random.default_rng(0))[0]
    counts = np.bincount(drawn, minlength=len(TOY))
    assert_drawn_from(counts, np.exp(SanText(epsilon=2.0).log_prob(TOY, [word])[0]))
    for factor in (1.1, 1 / 1.1):
        other = np.exp(SanText(epsilon=2.0 * factor).log_prob(TOY, [word])[0])
        assert_not_drawn_from(counts, other)


def test_words_with_equal_vectors_have_equal_laws():
    law = SanText(epsilon=3.0).log_prob(TOY, TOY.ids(["twin", "copy"]))
    np.testing.assert_array_equal(law[0], law[1])
    np.testing.assert_array_equal(*law[:, TOY.ids(["twin", "copy"])].T)


def test_a_word_stays_more_often_as_epsilon_rises():
    stays = [
        SanText(epsilon=e).log_prob(TOY, EVERY)[EVERY, EVERY] for e in np.geomspace(1e-3, 1e4, 40)
    ]
    assert np.all(np.diff(stays, axis=0) >= -1e-15)


def test_epsilon_near_zero_gives_a_uniform_word_and_a_large_one_the_word_itself():
    uniform = SanText(epsilon=1e-30).log_prob(TOY, EVERY)
    np.testing.assert_allclose(uniform, -np.log(len(TOY)), rtol=1e-14)
    law = np.exp(SanText(epsilon=1e308).log_prob(TOY, EVERY))
    np.testing.assert_array_equal(
        law[law > 0], [0.5 if s in (6, 7) else 1.0 for s in np.nonzero(law)[0]]
    )
    assert np.all(TOY.distances(EVERY)[law > 0] == 0)


@pytest.mark.parametrize("epsilon", [1e-30, 1e-9, 1.0, 1e9, 1e308])
def test_no_epsilon_gives_a_warning_or_a_wrong_word(epsilon):
    mechanism = SanText(epsilon=epsilon)
    law = mechanism.log_prob(TOY, EVERY)
    np.testing.assert_allclose(logsumexp(law, axis=1), 0, atol=1e-12)
    drawn = mechanism.sample(TOY, EVERY, 500, np.random.default_rng(1))
    assert np.isfinite(law[EVERY[:, None], drawn]).all()


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_small_vocabularies_have_a_law(count):
    vocabulary, ids = first_words(count), np.arange(count)
    mechanism = SanText(epsilon=1.0)
    np.testing.assert_allclose(
        logsumexp(mechanism.log_prob(vocabulary, ids), axis=1), 0, atol=1e-12
    )
    assert mechanism.sample(vocabulary, ids, 7, np.random.default_rng(0)).shape == (count, 7)
