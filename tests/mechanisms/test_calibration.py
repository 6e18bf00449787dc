"""Theorem 4.2 and its inverses, against decimal arithmetic of 60 digits, and against TEM itself."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from data import embeddings
from mechanisms import TEM, Vocabulary
from mechanisms.calibration import beta_for, epsilon_for, gamma_for
from tests.toy import TOY

EPSILONS = [0.01, 0.1, 0.7, 1.0, 3.3, 5.0, 10.0, 100.0, 1000.0]
BETAS = [1e-9, 1e-6, 1e-3, 0.01, 0.05, 0.3, 0.4999, 0.5]
SIZES = [3, 4, 12, 100, 28_136, 400_000, 3_000_000]
GRID = list(itertools.product(EPSILONS, BETAS, SIZES))

DIGITS = 1e-12


def exact_gamma(epsilon, beta, size):
    """The theorem as printed, the quotient formed, in 60 digits."""
    with localcontext() as context:
        context.prec = 60
        epsilon, beta = Decimal(epsilon), Decimal(beta)
        return float(2 / epsilon * ((1 - beta) * (size - 1) / beta).ln())


def exact_beta(epsilon, gamma, size):
    with localcontext() as context:
        context.prec = 60
        inside = (Decimal(epsilon) * Decimal(gamma) / 2).exp()
        return float((size - 1) / (size - 1 + inside))


# -------------------------------------------------------------------------------------- the formula


def test_gamma_has_twelve_digits_over_the_whole_grid():
    for epsilon, beta, size in GRID:
        assert gamma_for(epsilon, beta, size) == pytest.approx(
            exact_gamma(epsilon, beta, size), rel=DIGITS, abs=0
        )


def test_beta_has_twelve_digits_over_the_whole_grid():
    for epsilon, gamma, size in itertools.product(EPSILONS, [0.0, 1e-6, 0.3, 4.0, 11.0], SIZES):
        expected = exact_beta(epsilon, gamma, size)
        if expected > 1e-250:
            assert beta_for(epsilon, gamma, size) == pytest.approx(expected, rel=DIGITS, abs=0)


def test_any_two_give_the_third_back():
    for epsilon, beta, size in GRID:
        gamma = gamma_for(epsilon, beta, size)
        assert beta_for(epsilon, gamma, size) == pytest.approx(beta, rel=DIGITS, abs=0)
        if gamma != 0:
            assert epsilon_for(gamma, beta, size) == pytest.approx(epsilon, rel=DIGITS, abs=0)


@pytest.mark.parametrize("size", [2, 3, 12, 400_000, 3_000_000])
def test_where_gamma_passes_zero_its_digits_remain(size):
    # γ = 0 where β = K / (K + 1): there the logarithms cancel. Steps down to the last float.
    zero = (size - 1) / size
    steps = [0.0, *(sign * 10.0**-k for k in range(3, 17) for sign in (1, -1))]
    betas = sorted({zero + step for step in steps if 0 < zero + step < 1})
    gammas = [gamma_for(2.0, beta, size) for beta in betas]
    for beta, gamma in zip(betas, gammas, strict=True):
        assert gamma == pytest.approx(exact_gamma(2.0, beta, size), rel=DIGITS, abs=0)
    assert gammas == sorted(gammas, reverse=True)
    assert gammas[0] > 0 > gammas[-1]


def test_a_published_setting():
    # ε = 10, β = 0.001 over IMDb's 28,000 words or so: about 3.4 (and not the printed 0.5).
    assert gamma_for(10.0, 1e-3, 28_136) == pytest.approx(0.2 * math.log(999 * 28_135), rel=1e-14)


def test_with_a_single_word_nothing_can_be_left():
    assert gamma_for(1.0, 0.1, 1) == -math.inf
    assert beta_for(1.0, 3.0, 1) == 0.0
    assert beta_for(1.0, gamma_for(1.0, 0.1, 1), 1) == 0.0
    assert epsilon_for(2.0, 0.1, 1) == -math.inf


def test_extreme_values_give_a_limit_and_never_nan():
    assert gamma_for(5e-324, 0.5, 2) == 0.0
    assert gamma_for(5e-324, 0.1, 2) == math.inf
    assert gamma_for(1e308, 1e-9, 3_000_000) == pytest.approx(0, abs=1e-300)
    assert beta_for(1e308, 1e308, 10) == 0.0
    assert beta_for(1.0, -math.inf, 10) == 1.0
    assert math.isfinite(gamma_for(1.0, 5e-324, 3_000_000))


def test_gamma_falls_with_epsilon_and_with_beta_and_rises_with_the_vocabulary():
    def falls(values):
        return all(a > b for a, b in itertools.pairwise(values))

    assert falls([gamma_for(epsilon, 1e-3, 1_000) for epsilon in EPSILONS])
    assert falls([gamma_for(1.0, beta, 1_000) for beta in BETAS])
    assert falls([gamma_for(1.0, 1e-3, size) for size in reversed(SIZES)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gamma_for(0.0, 0.1, 5), r"ε \(epsilon\) must be above 0; got 0\."),
        (lambda: gamma_for(-1.0, 0.1, 5), r"ε \(epsilon\) must be above 0; got -1\."),
        (lambda: gamma_for(math.inf, 0.1, 5), r"ε \(epsilon\) must be finite; got inf\."),
        (lambda: beta_for(math.nan, 0.1, 5), r"ε \(epsilon\) must be finite; got nan\."),
        (lambda: gamma_for(1.0, 0.0, 5), r"β \(beta\) must be above 0 and below 1; got 0\."),
        (lambda: epsilon_for(1.0, 1.0, 5), r"β \(beta\) must be above 0 and below 1; got 1\."),
        (lambda: epsilon_for(0.0, 0.1, 5), r"γ \(gamma\) must not be 0"),
        (lambda: beta_for(1.0, math.nan, 5), r"γ \(gamma\) must be a number; got nan\."),
        (lambda: gamma_for(1.0, 0.1, 0), r"\|W\| must be a whole number and at least 1; got 0\."),
        (
            lambda: gamma_for(1.0, 0.1, 2.5),
            r"\|W\| must be a whole number and at least 1; got 2\.5\.",
        ),
        (
            lambda: gamma_for(1.0, 0.1, math.inf),
            r"\|W\| must be a whole number and at least 1; got inf\.",
        ),
    ],
)
def test_values_out_of_range_are_named(call, message):
    with pytest.raises(ValueError, match=f"Theorem 4.2: {message}"):
        call()


# ------------------------------------------------------------------------- the theorem, kept by TEM


def probability_of_leaving(tem, vocabulary, word_ids):
    """Pr[d(w, M(w)) > γ] for each word, by the law."""
    outside = vocabulary.distances(word_ids) > tem.threshold(vocabulary)
    return np.where(outside, np.exp(tem.log_prob(vocabulary, word_ids)), 0.0).sum(axis=1)


@pytest.mark.parametrize("beta", [1e-9, 1e-3, 0.05, 0.5])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 10.0, 100.0])
def test_every_word_of_the_toy_leaves_its_ball_with_probability_at_most_beta(epsilon, beta):
    leaving = probability_of_leaving(TEM(epsilon=epsilon, beta=beta), TOY, np.arange(len(TOY)))
    assert leaving.max() <= beta * (1 + DIGITS)


@pytest.mark.parametrize("epsilon", [3.0, 5.0, 10.0, 40.0])
def test_real_words_leave_their_ball_with_probability_at_most_beta(epsilon):
    glove = embeddings.load(embeddings.GLOVE, 10_000)
    leaving = probability_of_leaving(TEM(epsilon=epsilon), glove, np.arange(0, len(glove), 150))
    assert leaving.max() <= 1e-3 * (1 + DIGITS)
    assert leaving.max() > 0, "no ball leaves a word outside: nothing was tested"


@pytest.mark.parametrize("beta", [1e-6, 1e-3, 0.05, 0.5])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_a_word_far_from_all_others_leaves_its_ball_with_probability_exactly_beta(epsilon, beta):
    gamma = gamma_for(epsilon, beta, 50)
    crowd = np.random.default_rng(0).normal(size=(49, 3))
    vectors = np.vstack([[[10 * gamma + 100, 0, 0]], crowd])
    vocabulary = Vocabulary([f"w{i}" for i in range(50)], vectors)
    tem = TEM(epsilon=epsilon, beta=beta)
    assert probability_of_leaving(tem, vocabulary, [0])[0] == pytest.approx(beta, rel=1e-9)
    # So no smaller γ would do.
    smaller = TEM(epsilon=epsilon, gamma=gamma * 0.99)
    assert probability_of_leaving(smaller, vocabulary, [0])[0] > beta * 1.001
