"""Intervals against scipy, and what they promise: that the truth lies inside."""

import math

import numpy as np
import pytest
from scipy import stats

from measures.intervals import bootstrap, of_mean, of_share
from mechanisms.estimate import CONFIDENCE, Source, single
from mechanisms.randomness import seeded_rng
from tests.claims import ALPHA


def covered(truth, intervals):
    return sum(interval.low <= truth <= interval.high for interval in intervals)


# -------------------------------------------------------------------------------------------- mean


def test_the_interval_of_a_mean_is_students():
    values = seeded_rng(0).normal(3, 2, size=7)
    found = of_mean(values)
    expected = stats.t.interval(CONFIDENCE, 6, values.mean(), stats.sem(values))
    assert found.numbers == pytest.approx((values.mean(), *expected), rel=1e-12)


def test_the_interval_of_a_mean_ends_where_values_cannot_lie():
    assert of_mean([0.0, 10.0], 0, 100).numbers == (
        5,
        0,
        pytest.approx(5 + 5 * stats.t.ppf(0.975, 1)),
    )
    assert of_mean([99.0, 100.0, 98.0, 40.0], 0, 100).high == 100


def test_one_value_says_nothing_of_the_spread():
    assert of_mean([7.0]).numbers == (7, -math.inf, math.inf)
    assert of_mean([7.0], 0, 100).numbers == (7, 0, 100)


@pytest.mark.parametrize("values", [[], [1.0, math.nan], [[1.0], [2.0]]])
def test_a_mean_of_nothing_finite_is_refused(values):
    with pytest.raises(ValueError, match="of_mean: finite values are needed"):
        of_mean(values)


# ------------------------------------------------------------------------------------------- share


@pytest.mark.parametrize(("successes", "total"), [(0, 9), (9, 9), (3, 11), (5, 1000), (1, 1)])
def test_the_interval_of_a_share_is_exact(successes, total):
    interval = stats.binomtest(successes, total).proportion_ci(CONFIDENCE, "exact")
    expected = (successes / total, interval.low, interval.high)
    assert of_share(successes, total).numbers == pytest.approx(expected, abs=1e-12)


def test_groups_that_are_alike_are_as_good_as_independent_things():
    alike = of_share(np.full(20, 3), np.full(20, 10))
    assert alike.numbers == pytest.approx(of_share(60, 200).numbers, abs=1e-12)
    # All successes: nothing says that the things of a group are not one and the same.
    assert of_share([10, 10], [10, 10]).numbers == pytest.approx(of_share(2, 2).numbers)


def test_groups_that_go_together_widen_the_interval():
    together = of_share(np.repeat([0, 10], 10), np.full(20, 10))
    assert together.value == 0.5
    # Twenty groups that are all or nothing are twenty things, with Student's correction.
    fewer = (stats.t.ppf(0.975, 199) / stats.t.ppf(0.975, 19)) ** 2 * 19 / 20
    total = 20 * fewer
    expected = stats.beta.ppf(
        [0.025, 0.975], [total / 2, total / 2 + 1], [total / 2 + 1, total / 2]
    )
    assert together.numbers[1:] == pytest.approx(expected, rel=1e-9)


def test_groups_of_no_thing_do_not_count():
    assert of_share([1, 0, 2], [3, 0, 5]).numbers == of_share([1, 2], [3, 5]).numbers


def shares(intervals_of):
    """Intervals for a share of 0.3, from 400 samples of 30 groups that go together."""
    rng = seeded_rng(1)
    for _ in range(400):
        sizes = rng.integers(1, 40, size=30)
        yield intervals_of(rng.binomial(sizes, rng.beta(1.5, 3.5, size=30)), sizes)


def test_the_interval_holds_the_truth_where_groups_go_together_and_words_alone_would_not():
    by_group = covered(0.3, shares(of_share))
    as_if_independent = covered(0.3, shares(lambda hit, of: of_share(hit.sum(), of.sum())))
    assert stats.binom.cdf(by_group, 400, CONFIDENCE - 0.02) > ALPHA
    assert stats.binom.cdf(as_if_independent, 400, CONFIDENCE - 0.02) < ALPHA


@pytest.mark.parametrize(("successes", "total"), [(0, 0), (-1, 3), (4, 3), ([0, 0], [0, 0])])
def test_a_share_of_nothing_or_of_too_much_is_refused(successes, total):
    with pytest.raises(ValueError, match=r"of_share: successes must lie in \[0, total\]"):
        of_share(successes, total)


def test_a_share_as_a_percentage():
    assert single(0.5, 0.25, 0.75, Source("draws", 8)).percent.numbers == (50, 25, 75)


# --------------------------------------------------------------------------------------- bootstrap


def test_the_bootstrap_agrees_with_scipys_percentiles():
    x, y = seeded_rng(2).normal(size=(2, 60))
    y += x

    def correlation(x, y):
        return float(np.corrcoef(x, y)[0, 1])

    found = bootstrap(correlation, x, y, seed=3, resamples=4000)
    theirs = stats.bootstrap(
        (x, y), correlation, paired=True, vectorized=False, method="percentile", n_resamples=4000,
        rng=np.random.default_rng(4),
    ).confidence_interval  # fmt: skip
    assert found.value == correlation(x, y)
    assert found.numbers[1:] == pytest.approx(theirs, abs=0.02)


def test_the_bootstrap_of_a_mean_is_near_students_and_the_same_for_a_seed():
    values = seeded_rng(5).normal(size=400)
    found = bootstrap(lambda v: float(v.mean()), values, seed=6)
    assert found.numbers[1:] == pytest.approx(of_mean(values).numbers[1:], abs=0.02)
    again = bootstrap(lambda v: float(v.mean()), values, seed=6)
    assert found.numbers == again.numbers


def test_the_bootstrap_resamples_rows_of_any_kind():
    labels, rows = np.array(["a", "b"] * 20), np.eye(40)
    found = bootstrap(
        lambda label, row: float((label == "a").mean() + row.sum()), labels, rows, seed=7
    )
    assert found.value == 40.5
    assert 40.2 < found.low < 40.5 < found.high < 40.8


@pytest.mark.parametrize("arrays", [([],), ([1, 2], [1])])
def test_the_bootstrap_needs_paired_observations(arrays):
    with pytest.raises(ValueError, match="bootstrap: arrays must have as many observations"):
        bootstrap(len, *arrays, seed=0)


# ---------------------------------------------------------------------------------------- coverage


REPETITIONS = 2_000


def holds(found, truth):
    """How many intervals hold the truth, and how many of half the width around their values."""
    value, low, high = np.array([each.numbers for each in found]).T
    whole = (low <= truth) & (truth <= high)
    half = ((value + low) / 2 <= truth) & (truth <= (value + high) / 2)
    return int(whole.sum()), int(half.sum())


def enough(count):
    """Whether so many of 2,000 intervals may hold the truth if each does with 95 %."""
    return stats.binom.cdf(count, REPETITIONS, CONFIDENCE) > ALPHA


@pytest.mark.parametrize(
    ("groups", "share", "alike"),
    [(8, 0.1, 0.6), (8, 0.02, 0.2), (8, 0.3, 0.02), (30, 0.02, 0.6), (30, 0.3, 0.2)],
)
def test_shares_of_grouped_things_hold_the_truth_as_often_as_they_say(groups, share, alike):
    """`alike` is the correlation of two things of one group. Few mixed groups: conservative."""
    rng, k = seeded_rng(8), (1 - alike) / alike
    sizes = rng.integers(50, 200, (REPETITIONS, groups))
    inside = rng.beta(share * k, (1 - share) * k, (REPETITIONS, groups))
    found = [of_share(h, n) for h, n in zip(rng.binomial(sizes, inside), sizes, strict=True)]
    whole, half = holds(found, share)
    assert enough(whole)
    if share == 0.3:
        assert not enough(half)


def test_means_hold_the_truth_as_often_as_they_say():
    values = seeded_rng(9).normal(3, 2, (REPETITIONS, 10))
    whole, half = holds([of_mean(row) for row in values], 3)
    assert enough(whole)
    assert not enough(half)


def test_bootstrapped_means_hold_the_truth_as_often_as_they_say():
    values = seeded_rng(10).normal(3, 2, (REPETITIONS, 100))

    def mean(row):
        return row.sum() / 100

    found = [bootstrap(mean, row, seed=i, resamples=150) for i, row in enumerate(values)]
    whole, half = holds(found, 3)
    assert enough(whole)
    assert not enough(half)
