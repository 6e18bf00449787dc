"""k-ary randomised response: law, ratio, estimate and interval, each against an independent way."""

import itertools
import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.randomised_response import UNIT, RandomisedResponse, law_of_counts

ALPHA = 1e-6


def words(seed):
    """Random 32-bit numbers, repeatable."""
    rng = np.random.default_rng(seed)
    return lambda: int(rng.integers(UNIT))


@given(st.integers(2, 100), st.floats(1e-3, 20))
def test_probabilities_add_to_one_and_their_ratio_is_e_to_the_epsilon_and_never_more(k, epsilon):
    coin = RandomisedResponse(k, epsilon)
    p, q = coin.true_probability, coin.other_probability
    assert p + (k - 1) * q == pytest.approx(1, abs=1e-12)
    # 32 bits decide, so that λ is low by at most 2⁻³²; the ratio of integers is the ratio promised.
    exact = (k * coin.keep + UNIT - coin.keep) / (UNIT - coin.keep)
    assert exact <= math.exp(epsilon) * (1 + 1e-12)
    assert coin.keep >= UNIT * math.expm1(epsilon) / (math.expm1(epsilon) + k) - 1.001


@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_the_bits_lead_to_each_report_exactly_as_often_as_the_law_says(k):
    coin = RandomisedResponse(k, 1.5)
    kept = coin.report(1, lambda: coin.keep - 1)
    assert kept == 1
    replaced = []
    for second in range(k):
        stream = iter([coin.keep, UNIT - 1, second])  # the middle one is rejected unless k is 2^n
        if UNIT % k == 0:
            stream = iter([coin.keep, second])
        replaced.append(coin.report(1, stream.__next__))
    assert sorted(replaced) == list(range(k))


def test_reports_follow_the_law_and_not_one_of_another_epsilon():
    n, k = 20_000, 4
    coin, bits = RandomisedResponse(k, 1.0), words(1)
    counts = np.bincount([coin.report(2, bits) for _ in range(n)], minlength=k)

    def fits(other):
        p = np.full(k, other.other_probability)
        p[2] = other.true_probability
        from scipy.stats import chisquare

        return chisquare(counts, n * p / p.sum()).pvalue > ALPHA

    assert fits(coin)
    assert not fits(RandomisedResponse(k, 1.2))
    assert not fits(RandomisedResponse(k, 0.8))


def enumerated(t, n, p, q):
    """The law of the count of one option by going through all reports of n people."""
    law = np.zeros(n + 1)
    for reports in itertools.product((0, 1), repeat=n):
        chances = [p if person < t else q for person in range(n)]
        law[sum(reports)] += math.prod(
            chance if yes else 1 - chance for chance, yes in zip(chances, reports, strict=True)
        )
    return law


def test_the_law_of_counts_is_the_sum_over_all_ways_to_report():
    p, q = 0.7, 0.1
    law = law_of_counts(6, p, q)
    for t in range(7):
        assert law[t] == pytest.approx(enumerated(t, 6, p, q), abs=1e-14)


@pytest.mark.parametrize(("n", "k", "epsilon"), [(10, 4, 2.0), (30, 4, 2.0), (30, 10, 1.0)])
def test_the_estimate_is_unbiased_and_has_the_variance_that_is_stated(n, k, epsilon):
    coin = RandomisedResponse(k, epsilon)
    p, q = coin.true_probability, coin.other_probability
    law, counts = law_of_counts(n, p, q), np.arange(n + 1)
    estimates = (counts - n * q) / (p - q)
    for t in (0, 1, n // 2, n):
        assert law[t] @ estimates == pytest.approx(t, abs=1e-9)
        variance = law[t] @ (estimates - t) ** 2
        assert math.sqrt(variance) == pytest.approx(coin.spread(t, n), rel=1e-9)


@given(st.lists(st.integers(0, 12), min_size=4, max_size=4))
def test_estimates_add_up_to_all_reports_and_lie_in_their_intervals_once_moved_there(counts):
    found = RandomisedResponse(4, 1.0).estimate(counts)
    assert found.value.sum() == pytest.approx(sum(counts), abs=1e-6)
    assert (found.low <= found.within).all()
    assert (found.within <= found.high).all()
    assert (found.low >= 0).all()
    assert (found.high <= sum(counts)).all()


def coverage(n, actual, assumed):
    """The least probability, over all t, that the interval holds t: exact."""
    law = law_of_counts(n, actual.true_probability, actual.other_probability)
    least = 1.0
    for t in range(n + 1):
        held = 0.0
        for count in np.flatnonzero(law[t] > 1e-15):
            rest = n - count
            found = assumed.estimate([count, rest, 0, 0])
            held += law[t, count] * (found.low[0] <= t <= found.high[0])
        least = min(least, held)
    return least


@pytest.mark.parametrize("n", [1, 10, 30])
def test_intervals_hold_the_truth_with_95_percent_exactly_and_those_of_a_wrong_epsilon_do_not(n):
    coin = RandomisedResponse(4, 2.0)
    assert coverage(n, coin, coin) >= 0.95 - 1e-9
    if n == 30:
        assert coverage(n, RandomisedResponse(4, 1.0), coin) < 0.5


def test_a_class_that_is_simulated_is_covered_95_of_100_times():
    coin, bits, rng = RandomisedResponse(4, 2.0), words(3), np.random.default_rng(4)
    truth = np.array([15, 9, 4, 2])
    holds = 0
    rounds = 400
    for _ in range(rounds):
        answers = rng.permutation(np.repeat(np.arange(4), truth))
        counts = np.bincount([coin.report(int(a), bits) for a in answers], minlength=4)
        found = coin.estimate(counts)
        holds += (found.low <= truth) & (truth <= found.high)
    # Of 95 % or more, fewer than 88 of 100 in 400 classes have a probability below 1e-6.
    assert (holds >= 0.88 * rounds).all()


def test_more_people_know_more_and_ten_are_poor():
    coin = RandomisedResponse(4, 2.0)
    ten, thirty = coin.estimate([5, 3, 1, 1]), coin.estimate([15, 9, 3, 3])
    wide = [statistics.mean((e.high - e.low) / n) for e, n in ((ten, 10), (thirty, 30))]
    assert wide[0] > 0.45
    assert wide[1] < 0.75 * wide[0]


def test_without_an_epsilon_counts_are_what_they_are():
    coin = RandomisedResponse(3, None)
    assert coin.report(2, lambda: UNIT - 1) == 2
    found = coin.estimate([3, 0, 4])
    assert found.value.tolist() == found.low.tolist() == found.high.tolist() == [3, 0, 4]


@pytest.mark.parametrize("n", [0, 1, 500])
def test_intervals_at_the_ends_are_not_the_ones_of_rounding_errors(n):
    found = RandomisedResponse(4, 2.0).estimate([n, 0, 0, 0])
    assert (found.low[0], found.high[0]) == ((n, n) if n != 1 else (0, 1))
    assert found.high[1] <= 1


@pytest.mark.parametrize(
    ("options", "epsilon", "sentence"),
    [
        (1, 1.0, r"the number of options must lie in \[2, 100\]; got 1\."),
        (4, 0.0, r"ε \(epsilon\) must lie in \(0, 20\]; got 0\."),
        (4, float("nan"), r"ε \(epsilon\) must lie in \(0, 20\]; got nan\."),
        (4, 21.0, r"ε \(epsilon\) must lie in \(0, 20\]; got 21\."),
    ],
)
def test_bad_parameters_are_named(options, epsilon, sentence):
    with pytest.raises(ValueError, match=sentence):
        RandomisedResponse(options, epsilon)


def test_bad_counts_and_answers_are_named():
    coin = RandomisedResponse(3, 1.0)
    with pytest.raises(ValueError, match="3 counts are needed"):
        coin.estimate([1, 2])
    with pytest.raises(ValueError, match="at most 500 reports have intervals; got 501"):
        coin.estimate([501, 0, 0])
    with pytest.raises(ValueError, match=r"an answer must lie in \[0, 3\); got 3"):
        coin.report(3, words(0))
