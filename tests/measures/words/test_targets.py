import numpy as np
import pytest

from measures.words import targets
from measures.words.deniability import curves, epsilon_grid, sample_words, unchanged_probability
from measures.words.targets import Demand, epsilon_for, epsilon_range, match
from mechanisms import CMP, TEM, Laplace, SanText, TruncatedGumbel, Vickrey
from mechanisms.answers import Curves
from mechanisms.estimate import Estimate, Source, exact
from mechanisms.randomness import seeded_rng


def made_up(unchanged, distinct=None, error=0.0):
    """Curves of any shape, on ε = 1, 2, 4, …"""
    unchanged = np.atleast_2d(np.asarray(unchanged, float))
    distinct = unchanged * 0 + 10 if distinct is None else np.atleast_2d(distinct).astype(float)
    grid = 2.0 ** np.arange(unchanged.shape[1])
    n_w = exact(unchanged)
    if error:
        ends = np.clip(unchanged - error, 0, 1), np.clip(unchanged + error, 0, 1)
        n_w = Estimate(unchanged, *ends, Source("draws", 100))
    s_w = exact(distinct)
    return Curves(n_w, s_w, s_w, n_w, grid, 100, 0.01)


RISING = made_up([[0.0, 0.2, 0.4, 0.8, 1.0], [0.0, 0.1, 0.2, 0.6, 0.9]])


def test_the_largest_epsilon_at_which_the_worst_word_still_meets_the_demand():
    choice = epsilon_for(RISING, [Demand("stays at most", 0.6)])
    # The first word passes 0.6 near half-way between ε = 4 and 8 in log ε.
    assert choice.epsilon == pytest.approx(4 * 2**0.5, rel=0.03)
    assert choice.deciding == (0,)
    # Between the points of the grid nothing is exact, and the interval says by how much.
    assert choice.low < choice.epsilon < choice.high
    assert not choice.source.is_exact


def test_on_average_is_another_question_than_the_worst_case():
    mean = epsilon_for(RISING, [Demand("stays at most", 0.6, "mean")])
    assert mean.epsilon > epsilon_for(RISING, [Demand("stays at most", 0.6)]).epsilon


def test_a_mean_is_met_where_the_mean_is():
    choice = epsilon_for(RISING, [Demand("stays about", 0.7)])
    low, high = choice.intervals[0]
    assert low <= 8 <= high


def test_a_demand_that_is_met_on_two_stretches_gives_both():
    """S_w is not monotone in ε."""
    hill = made_up(np.full((1, 7), 0.5), [[9, 30, 9, 9, 9, 40, 9]])
    choice = epsilon_for(hill, [Demand("outputs at least", 25)])
    assert len(choice.intervals) == 2
    (a, b), (c, d) = choice.intervals
    assert a < 2 < b < c < 32 < d
    assert choice.epsilon == d


def test_demands_that_contradict_each_other_say_which_fails_and_by_how_much():
    known = made_up([[0.1, 0.5, 0.9]], [[50, 20, 5]])
    wishes = [Demand("stays at least", 0.8), Demand("outputs at least", 40)]
    choice = epsilon_for(known, wishes)
    assert choice.epsilon is None
    assert choice.failing in (0, 1)
    assert choice.missed_by > 0


def test_errors_of_the_curves_become_an_interval_that_holds_the_answer():
    noisy = made_up([[0.0, 0.2, 0.4, 0.8, 1.0]], error=0.02)
    choice = epsilon_for(noisy, [Demand("stays at most", 0.6)])
    assert choice.low < choice.epsilon < choice.high


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("stays at most", 1.5), "needs a value it can have; got 1.5"),
        (("stays at most", float("nan")), "needs a value it can have"),
        (("outputs at least", -1), "needs a value it can have"),
        (("is nice", 1), "kind must be one of"),
        (("stays at most", 0.5, "median"), "over must be one of"),
    ],
)
def test_a_bad_demand_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Demand(*arguments)


def test_without_a_demand_there_is_no_answer():
    with pytest.raises(ValueError, match="at least one demand"):
        epsilon_for(RISING, [])


@pytest.mark.parametrize("family", [CMP.family(), TEM.family()], ids=lambda f: f.name)
def test_fresh_draws_at_the_epsilon_that_was_chosen_meet_the_demands(family, glove):
    word_ids = sample_words(glove, "random", 40)
    ends = epsilon_range(family, glove)
    grid = epsilon_grid(family, glove, ends.low, ends.high)
    known = curves(family, glove, word_ids, grid)
    choice = epsilon_for(known, [Demand("stays at most", 0.5)])
    at_high = family.at(choice.high)
    drawn = at_high.sample(glove, word_ids, 2000, seeded_rng(5))
    stays = (drawn == word_ids[:, None]).mean(axis=1)
    decider = choice.deciding[0]
    assert stays[decider] == pytest.approx(0.5, abs=0.06)
    assert stays.max() < 0.56


@pytest.mark.parametrize("cls", [CMP, TEM, SanText, Laplace], ids=lambda c: c.name)
def test_the_range_goes_from_few_words_that_stay_to_nearly_all(cls, glove):
    ends = epsilon_range(cls.family(), glove)
    word_ids = sample_words(glove, "random", 60)

    def mean(epsilon):
        mechanism = cls(epsilon=epsilon)
        return unchanged_probability(mechanism, glove, word_ids, seeded_rng(1), 60).value.mean()

    assert mean(ends.low) < 0.1
    assert 0.25 < mean(ends.middle) < 0.75
    assert mean(ends.high) > 0.9


def test_a_range_is_measured_once_and_kept_on_disk(glove, monkeypatch, tmp_path):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    first = epsilon_range(SanText.family(), glove)
    assert isinstance(first.low, float)
    monkeypatch.setattr(targets, "_epsilon_range", None)
    assert epsilon_range(SanText.family(), glove) == first
    with pytest.raises(TypeError):
        epsilon_range(TEM.family(beta=0.25), glove)


def test_the_range_of_a_mechanism_that_refuses_small_epsilons_starts_where_it_answers(glove):
    family = TruncatedGumbel.family()
    ends = epsilon_range(family, glove)
    assert ends.low > family.smallest_epsilon(glove)
    family.at(ends.low).sample(glove, np.array([1]), 1, seeded_rng(0))


def test_matched_mechanisms_keep_equally_many_words_on_fresh_draws(glove):
    word_ids = sample_words(glove, "random", 60)
    matches = match([CMP, TEM, Laplace], glove, 0.5)
    for found in matches:
        drawn = found.mechanism.sample(glove, word_ids, 400, seeded_rng(2))
        assert (drawn == word_ids[:, None]).mean() == pytest.approx(0.5, abs=0.05)


def test_a_mechanism_that_cannot_reach_the_target_says_what_it_can_reach(glove):
    (found,) = match([Vickrey.family(variant="published")], glove, 0.5)
    assert found.mechanism is None
    assert found.low == found.high == 0


@pytest.mark.parametrize("target", [0, 1, -1, float("nan")])
def test_a_target_that_no_mean_can_be_is_refused(target, glove):
    with pytest.raises(ValueError, match=r"target must lie in \(0, 1\)"):
        match([CMP], glove, target)
