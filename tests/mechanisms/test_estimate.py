"""The one number with an error: what it says of itself, and that its intervals hold the truth."""

import math

import numpy as np
import pytest
from scipy import stats

from measures.words import deniability
from mechanisms import CMP, TEM, Laplace, SanText
from mechanisms.answers import exact_answers
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import (
    CONFIDENCE,
    EXACT,
    UNKNOWN,
    Estimate,
    Source,
    exact,
    joined,
    of_counts,
    of_shares,
    of_totals,
    self_bounding,
    stacked,
    support_margin,
    unknown,
)
from tests.toy import TOY

ALPHA = 1e-6
REPETITIONS = 2_000


# --------------------------------------------------------------------------------- what it is


def test_its_text_says_what_it_is():
    assert exact(12.714).text() == "12.71 (exact)"
    drawn = Estimate(10.0, 8.0, 13.0, Source("draws", 1_000))
    assert drawn.text() == "10 (8 to 13, from 1,000 draws)"
    assert str(Source("directions", 1)) == "from 1 direction"
    assert unknown(3.0).text() == "3 (error unknown)"
    read = Estimate(0.5, 0.4, 0.6, Source("exact", interpolated=True))
    assert read.text() == "0.5 (0.4 to 0.6, interpolated between exact values)"
    least = Estimate(140.0, 120.0, math.inf, Source("directions", 1_000))
    assert least.text() == "140 (at least 120, from 1,000 directions)"


def test_an_unknown_error_is_not_zero_and_an_interval_is_not_exact():
    with pytest.raises(ValueError, match="an unknown error is not 0"):
        Estimate(1.0, 1.0, 1.0, UNKNOWN)
    with pytest.raises(ValueError, match="an exact number has no interval"):
        Estimate(1.0, 0.9, 1.0, EXACT)
    with pytest.raises(ValueError, match="low ≤ value ≤ high"):
        Estimate(1.0, 1.1, 1.2, Source("draws", 5))
    with pytest.raises(ValueError, match="low ≤ value ≤ high"):
        Estimate(1.0, math.nan, 1.2, Source("draws", 5))
    with pytest.raises(ValueError, match="one shape"):
        Estimate([1.0, 2.0], 0.0, 3.0, Source("draws", 5))
    assert math.isinf(float(unknown(2.0).half_width))


def test_numbers_of_any_shape_are_cut_joined_averaged_and_mapped():
    found = Estimate([[1.0, 2.0], [3.0, 4.0]], np.zeros((2, 2)), np.full((2, 2), 5.0), EXACT_NOT)
    assert found[0].shape == (2,)
    assert joined([found, found]).shape == (4, 2)
    assert stacked([found, found]).shape == (2, 2, 2)
    mean = found.mean(axis=0)
    assert (mean.value.tolist(), mean.low.tolist(), mean.high.tolist()) == ([2, 3], [0, 0], [5, 5])
    turned = found.falling(lambda x: 1 - x)
    assert (turned.low[0, 0], turned.high[0, 0]) == (-4, 1)
    with pytest.raises(ValueError, match="one source is needed; got .*exact.*draws"):
        joined([found, exact(np.ones((1, 2)))])


EXACT_NOT = Source("draws", 9)


# ---------------------------------------------------------------------------------- coverage


def held(found, truth):
    """How many of the intervals (n,) hold the truth, and how many of half the width would."""
    half = Estimate(
        found.value, (found.value + found.low) / 2, (found.value + found.high) / 2, found.source
    )
    return tuple(int(((e.low <= truth) & (truth <= e.high)).sum()) for e in (found, half))


def enough(count):
    """Whether so many of 2,000 intervals may hold the truth if each does with 95 %."""
    return stats.binom.cdf(count, REPETITIONS, CONFIDENCE) > ALPHA


NEAR_THE_ENDS = [0.002, 0.01, 0.1, 0.5, 0.95, 0.995]


@pytest.mark.parametrize("share", NEAR_THE_ENDS)
def test_counts_hold_the_truth_as_often_as_they_say(share):
    counts = np.random.default_rng(1).binomial(1_000, share, REPETITIONS)
    whole, half = held(of_counts(counts, 1_000), share)
    assert enough(whole)
    assert not enough(half)


@pytest.mark.parametrize("share", NEAR_THE_ENDS)
def test_shares_over_directions_hold_the_truth_as_often_as_they_say(share):
    """Each direction is nearly a draw: the least even values have the widest spread."""
    rng, count = np.random.default_rng(2), 1_000
    values = rng.beta(0.02 * share, 0.02 * (1 - share), (REPETITIONS, count))
    found = of_shares(values.mean(1), values.std(1, ddof=1), Source("directions", count))
    whole, half = held(found, share)
    assert enough(whole)
    assert not enough(half)


def test_two_standard_errors_would_not_do_near_the_ends():
    rng, share, count = np.random.default_rng(3), 0.002, 1_000
    values = rng.beta(0.02 * share, 0.02 * (1 - share), (REPETITIONS, count))
    far = np.abs(values.mean(1) - share) > 2 * values.std(1, ddof=1) / count**0.5
    assert not enough(REPETITIONS - int(far.sum()))


LAWS = {
    "even": np.full(30, 1 / 30),
    "rare": np.append(0.99, np.full(20, 0.01 / 20)),
    "long": 1 / np.arange(1, 400) / (1 / np.arange(1, 400)).sum(),
}


def totals(law, groups, draws, rng):
    drawn = np.searchsorted(np.cumsum(law)[:-1], rng.random((REPETITIONS, groups, draws)))
    drawn.sort(axis=2)
    return 1 + np.count_nonzero(np.diff(drawn, axis=2), axis=2)


@pytest.mark.parametrize("groups", [1, 3, 10])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_distinct_outputs_hold_the_truth_as_often_as_they_say(law, groups):
    """With fewer than ten groups, and near one output, the interval is wider than it need be."""
    draws = 30
    counts = totals(law, groups, draws, np.random.default_rng(4))
    found = of_totals(counts, draws, Source("draws", groups * draws))
    truth = float((1 - (1 - law) ** draws).sum())
    whole, half = held(found, truth)
    assert enough(whole)
    assert (found.half_width > 0).all()
    if groups == 10 and law is not LAWS["rare"]:
        assert not enough(half)


def test_one_group_bounds_hold_for_either_tail():
    k = np.array([1.0, 50.0, 900.0])
    low, high = self_bounding(k, 0.01)
    np.testing.assert_allclose((k - low) ** 2 / (2 * low + 2 * (k - low) / 3), math.log(100))
    np.testing.assert_allclose((high - k) ** 2 / (2 * high), math.log(100))


@pytest.mark.parametrize("mass", [0.985, 0.9901, 0.992])
def test_the_support_is_at_least_the_lower_end(mass):
    """The likeliest word alone has nearly 99 %, so draws take the 0.01-support for 1 or more."""
    rng, n, eta = np.random.default_rng(5), 1_000, 0.01
    truth = 1 if mass >= 1 - eta else 2
    first = rng.binomial(n, mass, REPETITIONS) / n
    claimed = np.where(first >= 1 - support_margin(eta, n) - 1e-12, 1, 2)
    assert enough(int((claimed <= truth).sum()))
    if mass == 0.9901:
        naive = np.where(first >= 1 - eta, 1, 2)
        assert not enough(int((naive <= truth).sum()))


# ------------------------------------------------------------------------------ interpolation


WORDS = TOY.ids(["origin", "twin", "lonely", "east"])
GRID = np.geomspace(0.2, 30, 25)
INSIDE = np.exp(np.random.default_rng(6).uniform(np.log(0.21), np.log(29), 40))


@pytest.mark.parametrize("family", [TEM.family(), TEM.family(gamma=1.2), SanText.family()])
def test_between_the_points_of_a_grid_the_interval_holds_the_exact_value(family):
    answers = exact_answers(family, TOY, WORDS)
    read = answers.curves(GRID, draws=30, eta=0.01).on(np.sort(INSIDE))
    truth = answers.curves(np.sort(INSIDE), draws=30, eta=0.01)
    for (name, found), (_, true) in zip(read.estimates(), truth.estimates(), strict=True):
        assert not found.source.is_exact
        inside = (found.low - 1e-9 <= true.value) & (true.value <= found.high + 1e-9)
        assert inside.mean() > 0.97, name
    assert read.unchanged.half_width.max() < 0.02
    at = answers.curves(GRID).on(GRID[3:5]).unchanged
    assert at.source == EXACT


def test_on_its_own_grid_a_path_is_from_directions_and_between_it_also_interpolated():
    path = epsilon_path(CMP.family(), TOY, WORDS, 400, np.random.default_rng(7))
    curves = path.curves(GRID, draws=20)
    assert curves.unchanged.source == Source("directions", 400)
    read, true = curves.at(1.234), path.curves([1.234], draws=20)
    assert read.unchanged.source == Source("directions", 400, interpolated=True)
    np.testing.assert_allclose(read.unchanged.value, true.unchanged.value[:, 0], atol=2e-3)
    assert (read.unchanged.low <= true.unchanged.value[:, 0]).all()
    assert (read.support.high == np.inf).all()


@pytest.mark.parametrize("cls", [CMP, Laplace])
def test_a_thousand_draws_of_a_word_are_answered_and_not_called_exact(cls):
    found = deniability.curves(cls.family(), TOY, WORDS[:2], [2.0], draws=1_000)
    assert found.distinct.source.kind == ("draws" if cls is Laplace else "directions")
    assert (found.distinct.half_width > 0.05 * found.distinct.value).all()


def test_the_law_of_a_word_is_called_exact_where_it_is():
    found = deniability.curves(TEM.family(), TOY, WORDS[:2], [2.0, 3.0], draws=1_000)
    assert found.unchanged.source == found.distinct.source == found.support.source == EXACT
