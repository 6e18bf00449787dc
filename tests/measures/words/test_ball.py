"""TEM's ball and the bound of Theorem 4.2 on leaving it."""

import numpy as np
import pytest

from measures.words import ball
from measures.words.density import sampled_words
from mechanisms import TEM, Vocabulary
from mechanisms.calibration import gamma_for
from tests.toy import TOY, first_words

# A bound that is met exactly may be missed by rounding: some units in the last place.
ROUNDING = 1 + 1e-11


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.25, 3.0, 100.0])
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 50.0])
def test_leaving_and_staying_are_sums_of_the_law_of_tem(epsilon, gamma):
    words = np.arange(len(TOY))
    found = ball.balls(TOY, words, epsilon, gamma)
    distances = TOY.distances(words)
    law = np.exp(TEM(epsilon=epsilon, gamma=max(gamma, 1e-12)).log_prob(TOY, words))
    outside = distances > gamma
    np.testing.assert_allclose(found.leaving, (law * outside).sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(found.unchanged, np.diag(law), rtol=1e-9)
    assert (found.inside == (~outside).sum(axis=1)).all()


@pytest.mark.parametrize("beta", [0.3, 1e-3, 1e-9])
@pytest.mark.parametrize("epsilon", [0.5, 5.0, 10.0, 100.0])
def test_a_real_word_never_leaves_the_ball_more_often_than_beta(glove, epsilon, beta):
    words = sampled_words(glove, 150)
    gamma = gamma_for(epsilon, beta, len(glove))
    found = ball.balls(glove, words, epsilon, gamma)
    assert (found.leaving <= beta * ROUNDING).all()


def test_a_gamma_that_is_rounded_down_breaks_the_bound():
    """The test above can fail: a lonely word meets β exactly, and leaves more with less γ."""
    lonely = Vocabulary(["a", "b", "c"], [[0.0], [1e6], [-1e6]])
    gamma = gamma_for(4.0, 0.01, 3)
    assert ball.balls(lonely, [0], 4.0, gamma).leaving[0] == pytest.approx(0.01, rel=1e-12)
    assert ball.balls(lonely, [0], 4.0, 0.999 * gamma).leaving[0] > 0.01 * ROUNDING


def test_a_gamma_below_zero_is_taken_as_zero_and_all_words_are_alike():
    below, zero = (ball.balls(TOY, [0], 3.0, gamma) for gamma in (-5.0, 0.0))
    assert below.leaving[0] == zero.leaving[0] == pytest.approx(11 / 12)
    assert zero.unchanged[0] == pytest.approx(1 / 12)
    assert below.inside[0] == 1


def test_the_ball_may_hold_every_word_and_then_is_never_left():
    found = ball.balls(TOY, np.arange(len(TOY)), 1.0, 100.0)
    assert (found.inside == len(TOY)).all()
    assert (found.leaving == 0).all()


def test_copies_of_a_word_are_in_its_ball_at_gamma_zero():
    assert ball.balls(TOY, [TOY.get("twin")], 1.0, 0.0).inside[0] == 2


@pytest.mark.parametrize("epsilon", [1e-300, 1e-9, 1e9, 1e300])
def test_extreme_epsilon_is_answered(epsilon):
    found = ball.balls(TOY, np.arange(len(TOY)), epsilon, 1.0)
    assert np.isfinite(found.leaving).all()
    assert ((found.unchanged >= 0) & (found.unchanged <= 1)).all()
    curve = ball.by_gamma(TOY, 0, epsilon)
    assert np.isfinite(curve.leaving).all()
    assert np.isfinite(curve.bound).all()


def test_a_word_at_every_gamma_agrees_with_its_ball_at_each():
    curve = ball.by_gamma(TOY, 3, 1.7, points=60)
    for i, gamma in enumerate(curve.gamma):
        found = ball.balls(TOY, [3], 1.7, gamma)
        assert curve.inside[i] == found.inside[0]
        assert curve.leaving[i] == pytest.approx(found.leaving[0], rel=1e-9)
        assert curve.unchanged[i] == pytest.approx(found.unchanged[0], rel=1e-9)
    assert (curve.leaving <= curve.bound * ROUNDING).all()
    assert curve.leaving[-1] == 0


def test_a_single_word_is_never_left():
    curve = ball.by_gamma(first_words(1), 0, 2.0)
    assert (curve.leaving == 0).all()
    assert (curve.unchanged == 1).all()


@pytest.mark.parametrize("words", [3, 400, 3_000_000])
@pytest.mark.parametrize("beta", [0.5, 1e-3, 1e-9])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 1000.0])
def test_any_two_give_back_the_third(epsilon, beta, words):
    found = ball.solve("gamma", epsilon, beta, np.nan, words)
    assert ball.solve("beta", epsilon, np.nan, found.gamma, words).beta == pytest.approx(
        beta, rel=1e-12
    )
    if found.gamma > 0:
        back = ball.solve("epsilon", np.nan, beta, found.gamma, words).epsilon
        assert back == pytest.approx(epsilon, rel=1e-12)


def test_the_numbers_on_the_way_lead_to_beta():
    found = ball.solve("gamma", 4.0, 0.01, 0.0, 1000)
    assert found.others == 999
    assert found.outside_weight == pytest.approx(1 / found.odds, rel=1e-12)
    assert found.all_outside / (1 + found.all_outside) == pytest.approx(0.01, rel=1e-12)


def test_no_epsilon_is_found_where_any_will_do_or_none():
    with pytest.raises(ValueError, match="any ε and any γ will do"):
        ball.solve("epsilon", 1.0, 0.9, 1.0, 3)
    with pytest.raises(ValueError, match="γ \\(gamma\\) must not be 0"):
        ball.solve("epsilon", 1.0, 0.1, 0.0, 30)


def test_curves_are_the_theorem_point_by_point_and_begin_with_the_chosen_beta():
    curves = ball.gamma_curves(ball.solve("gamma", 10.0, 0.02, 0.0, 500))
    assert curves.beta == [0.02, 0.1, 1e-3, 1e-6]
    for row, beta in zip(curves.gamma, curves.beta, strict=True):
        expected = [gamma_for(epsilon, beta, 500) for epsilon in curves.epsilon]
        np.testing.assert_array_equal(row, expected)
    assert curves.epsilon[0] == pytest.approx(0.1)
    assert curves.epsilon[-1] == pytest.approx(1000)


@pytest.mark.parametrize("epsilon", [1e-307, 1e307])
def test_curves_are_drawn_at_extreme_epsilon(epsilon):
    curves = ball.gamma_curves(ball.solve("gamma", epsilon, 0.02, 0.0, 500))
    assert len(curves.epsilon) > 10
