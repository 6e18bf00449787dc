"""The promises of words together: sums, and the tight bound of Gaussian noise."""

import math

import mpmath
import pytest

from mechanisms import CMP, Gaussian, Laplace, SynTF, TruncatedLaplace, Vickrey
from mechanisms.base import DISCRETE, Guarantee
from mechanisms.composition import document_promise, gaussian_epsilon
from tests.toy import TOY


def normal(x):
    return mpmath.ncdf(x)


def log_delta(epsilon, mu):
    """Corollary 2.13 of Dong, Roth and Su as it stands there, with 60 digits."""
    with mpmath.workdps(60 + int(mu * mu)):
        mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)
        delta = normal(-epsilon / mu + mu / 2) - mpmath.e**epsilon * normal(-epsilon / mu - mu / 2)
        return float(mpmath.log(delta))


def test_epsilon_and_delta_of_words_add_up():
    guarantee = TruncatedLaplace(epsilon=2.5, delta=1e-4).guarantee(TOY)
    found = document_promise(guarantee, 40)
    assert found.total_epsilon == 100
    assert found.delta == pytest.approx(40e-4)
    assert found.epsilon == {"any two words": 100}
    assert document_promise(CMP(epsilon=3).guarantee(TOY), 4).delta == 0
    assert document_promise(CMP(epsilon=3).guarantee(TOY), 4).total_epsilon == 12


def test_words_with_promises_of_different_kinds_add_up_by_their_distance():
    metric, pure = CMP(epsilon=3).guarantee(TOY), SynTF(epsilon=2).guarantee(TOY)
    unknown = Guarantee("pure DP", 0.5, "half of it", DISCRETE)
    found = document_promise(pure, 10, (unknown, 4))
    assert found.words == 14
    assert found.total_epsilon == 22
    mixed = document_promise(metric, 10, (unknown, 4))
    assert mixed.epsilon == {"Euclidean distance": 30, "any two words": 2}
    with pytest.raises(ValueError, match="in 2 distances"):
        _ = mixed.total_epsilon


def test_nothing_is_promised_where_one_of_the_words_has_no_promise():
    broken = Vickrey(epsilon=1.0, variant="published").guarantee(TOY)
    good = CMP(epsilon=3).guarantee(TOY)
    assert document_promise(broken, 40) is None
    assert document_promise(good, 40, (broken, 1)) is None
    assert document_promise(good, 40, (broken, 0)) is not None
    with pytest.raises(ValueError, match="at least 0; got -1"):
        document_promise(good, -1)


@pytest.mark.parametrize(
    ("words", "said"), [(99, ""), (100, "total δ is 0.01"), (10_000, "promises nothing")]
)
def test_a_large_total_delta_is_warned_of(words, said):
    found = document_promise(TruncatedLaplace(epsilon=1, delta=1e-4).guarantee(TOY), words)
    assert (said in found.warning) if said else not found.warning


@pytest.mark.parametrize("mu", [0.05, 0.5, 1.0, 3.0, 9.0, 20.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.01])
def test_the_epsilon_of_gaussian_noise_is_the_smallest_by_the_plain_formula(mu, delta):
    epsilon = gaussian_epsilon(mu, delta)
    assert log_delta(epsilon * (1 + 1e-6), mu) < math.log(delta)
    if epsilon > 0:
        assert log_delta(epsilon * (1 - 1e-6), mu) > math.log(delta)


def test_no_epsilon_is_needed_where_delta_alone_covers_the_noise():
    assert gaussian_epsilon(0.0, 1e-5) == 0
    mu = 0.02
    delta = 2 * float(normal(mu / 2)) - 1
    assert gaussian_epsilon(mu, delta * 1.001) == 0
    assert gaussian_epsilon(mu, delta * 0.999) > 0


@pytest.mark.parametrize("mu", [1e5, 1e7, 1e100, 1e200])
def test_the_epsilon_of_very_loud_words_is_never_too_small(mu):
    # δ(ε) > Φ(μ/2 - ε/μ)/2 for t = ε/μ - μ/2 of a few units and μ this large.
    least = mu * (mu / 2 + 4.0)
    assert gaussian_epsilon(mu, 1e-5) >= least or math.isinf(least)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 50.0])
def test_one_gaussian_word_has_its_own_promise_and_many_have_less_than_the_sum(epsilon):
    guarantee = Gaussian(epsilon=epsilon).guarantee(TOY)
    assert document_promise(guarantee, 1).gaussian.epsilon == pytest.approx(epsilon)
    many = document_promise(guarantee, 200)
    assert many.gaussian.delta == guarantee.delta
    assert many.gaussian.epsilon < 0.5 * many.total_epsilon
    assert many.delta == pytest.approx(0.002)
    # √200 μ, by the plain formula.
    mu = guarantee.gaussian_mu * math.sqrt(200)
    if mu < 20:
        assert log_delta(many.gaussian.epsilon, mu) == pytest.approx(math.log(1e-5), abs=1e-6)


def test_the_mu_of_gaussian_noise_is_sensitivity_over_sigma():
    for variant, epsilon in (("repaired", 7.0), ("published", 0.5)):
        mechanism = Gaussian(epsilon=epsilon, clipping_norm=2.0, variant=variant)
        assert mechanism.guarantee(TOY).gaussian_mu == pytest.approx(4 / mechanism.sigma(TOY))


def test_noise_that_is_not_gaussian_in_every_word_has_no_tight_bound():
    gaussian, laplace = (m(epsilon=1.0).guarantee(TOY) for m in (Gaussian, Laplace))
    assert document_promise(laplace, 3).gaussian is None
    assert document_promise(gaussian, 3, (laplace, 1)).gaussian is None
    two = document_promise(gaussian, 3, (Gaussian(epsilon=2.0).guarantee(TOY), 2))
    mus = [gaussian.gaussian_mu] * 3 + [Gaussian(epsilon=2.0).guarantee(TOY).gaussian_mu] * 2
    assert two.gaussian.epsilon == pytest.approx(gaussian_epsilon(math.hypot(*mus), 1e-5))
