import numpy as np
import pytest
from scipy import stats

from measures.words import deniability
from measures.words.deniability import (
    at_epsilon,
    bands,
    curves,
    distinct_replacements,
    epsilon_grid,
    joined_curves,
    sample_words,
    summary,
    support_size,
    unchanged_probability,
    words_in_bar,
    words_of_text,
)
from mechanisms import CMP, TEM, Laplace, TruncatedGumbel, TruncatedLaplace
from mechanisms.estimate import CONFIDENCE, EXACT, of_counts
from mechanisms.randomness import seeded_rng
from mechanisms.tokens import tokenise
from tests.claims import ALPHA
from tests.toy import TOY


def laws(mechanism):
    return np.exp(mechanism.log_prob(TOY, np.arange(len(TOY))))


def test_the_chance_to_stay_is_exact_where_the_law_is_known():
    mechanism = TEM(epsilon=2)
    found = unchanged_probability(mechanism, TOY, np.arange(len(TOY)), seeded_rng(0))
    np.testing.assert_allclose(found.value, np.diag(laws(mechanism)), rtol=1e-12)
    assert found.source == EXACT


def test_intervals_from_draws_are_those_of_clopper_and_pearson():
    counts = np.array([0, 1, 17, 99, 100])
    found = of_counts(counts, 100)
    for i, count in enumerate(counts):
        interval = stats.binomtest(int(count), 100).proportion_ci(CONFIDENCE, "exact")
        assert found.low[i] == pytest.approx(interval.low, abs=1e-12)
        assert found.high[i] == pytest.approx(interval.high, abs=1e-12)


@pytest.mark.parametrize("how", ["frequent", "random", "rare"])
def test_samples_are_different_words_and_no_more_than_there_are(how, glove):
    words = sample_words(glove, how, 50)
    assert len(set(words.tolist())) == 50
    assert len(sample_words(TOY, how, 50)) == len(TOY)


def test_frequent_and_rare_are_the_ends_of_the_vocabulary_and_random_is_repeatable(glove):
    assert sample_words(glove, "frequent", 3).tolist() == [0, 1, 2]
    assert sample_words(glove, "rare", 2).tolist() == [len(glove) - 2, len(glove) - 1]
    first, again = (sample_words(glove, "random", 20, seed=4) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    with pytest.raises(ValueError, match="how must be one of frequent, random, rare; got 'odd'"):
        sample_words(glove, "odd", 3)


def test_all_words_of_a_text_are_looked_at_and_the_rarest_if_there_are_too_many(glove):
    ids = np.arange(0, 1_740, 10)
    text = " ".join(glove.words[i] for i in ids)
    known = np.unique([t.word_id for t in tokenise(text, glove) if t.word_id is not None])
    found, total = words_of_text(text, TEM.family(), glove)
    np.testing.assert_array_equal(found, known)
    assert total == len(known) > 120
    rarest, total = words_of_text(text, TEM.family(), glove, most=100)
    np.testing.assert_array_equal(rarest, known[-100:])
    assert total == len(known)
    assert len(words_of_text("", TEM.family(), glove)[0]) == 0


GRID = np.geomspace(0.5, 8, 9)


def test_curves_of_a_law_are_exact():
    word_ids = TOY.ids(["origin", "lonely", "twin"])
    found = curves(TEM.family(), TOY, word_ids, GRID, draws=50, eta=0.05)
    for column, epsilon in enumerate(GRID):
        law = laws(TEM(epsilon=float(epsilon)))[word_ids]
        np.testing.assert_allclose(found.unchanged.value[:, column], law[np.arange(3), word_ids])
        np.testing.assert_allclose(
            found.distinct.value[:, column], (1 - (1 - law) ** 50).sum(axis=1)
        )
        np.testing.assert_allclose(found.largest.value[:, column], law.max(axis=1))
        accumulated = np.cumsum(np.sort(law, axis=1)[:, ::-1], axis=1)
        np.testing.assert_array_equal(
            found.support.value[:, column], (accumulated < 0.95 - 1e-12).sum(axis=1) + 1
        )


@pytest.mark.parametrize("family", [CMP.family(), Laplace.family(), TruncatedLaplace.family()])
def test_curves_without_a_law_agree_with_fresh_draws(family):
    word, epsilon = TOY.get("west"), 4.0
    found = curves(family, TOY, [word], [epsilon], directions=4000, draws=20, seed=3)
    fresh = family.at(epsilon)
    drawn = fresh.sample(TOY, np.array([word]), 20_000, seeded_rng(9))[0]
    stays = (drawn == word).mean()
    error = np.hypot(found.unchanged.half_width[0, 0] / 1.96, np.sqrt(stays * (1 - stays) / 20_000))
    limit = stats.norm.isf(ALPHA / 2)
    assert abs(found.unchanged.value[0, 0] - stays) < limit * error
    groups = [len(set(g)) for g in drawn.reshape(-1, 20).tolist()]
    error = np.hypot(found.distinct.half_width[0, 0] / 1.96, np.std(groups) / np.sqrt(len(groups)))
    assert abs(found.distinct.value[0, 0] - np.mean(groups)) < limit * error


def test_curves_of_parts_put_together_are_those_of_the_whole():
    family = CMP.family()
    whole = curves(family, TOY, np.arange(6), GRID, directions=200)
    parts = [curves(family, TOY, np.arange(i, i + 2), GRID, directions=200) for i in (0, 2, 4)]
    joined = joined_curves(parts)
    np.testing.assert_allclose(joined.unchanged.value, whole.unchanged.value, atol=1e-12)
    np.testing.assert_allclose(joined.distinct.value, whole.distinct.value, atol=1e-12)


def test_the_three_meanings_of_s_w():
    known = curves(TEM.family(), TOY, np.arange(4), GRID, draws=100)
    assert support_size(known, "distinct", 100) is known.distinct
    assert support_size(known, "effective", 100) is known.support
    column = 3
    law = laws(TEM(epsilon=float(GRID[column])))[:4]
    expected = (1 - (1 - law) ** 100).sum(axis=1)
    expected -= 1 - (1 - law[np.arange(4), np.arange(4)]) ** 100
    percentage = support_size(known, "percentage", 100)
    np.testing.assert_allclose(percentage.value[:, column], expected, atol=1e-9)
    measured = known.at(float(GRID[column]))
    np.testing.assert_allclose(distinct_replacements(measured, 100).value, expected, atol=1e-6)


def test_values_are_read_between_grid_points_and_held_at_the_ends():
    known = curves(TEM.family(), TOY, np.arange(4), GRID)
    on_grid = at_epsilon(known, GRID[2]).unchanged
    np.testing.assert_allclose(on_grid.value, known.unchanged.value[:, 2])
    assert on_grid.source == EXACT
    between = at_epsilon(known, np.sqrt(GRID[2] * GRID[3])).unchanged
    ends = known.unchanged.value[:, 2:4]
    assert ((ends[:, 0] < between.value) & (between.value < ends[:, 1])).all()
    assert not between.source.is_exact
    assert (between.low < between.high).all()
    last = at_epsilon(known, 1e9).unchanged
    np.testing.assert_allclose(last.value, known.unchanged.value[:, -1])


def test_the_grid_leaves_out_epsilons_that_the_mechanism_refuses(glove):
    family = TruncatedGumbel.family()
    needed = family.smallest_epsilon(glove)
    grid = epsilon_grid(family, glove, 1.01 * needed, 10 * needed)
    assert grid[0] > needed
    assert len(epsilon_grid(CMP.family(), glove, 2, 20)) == 49


def test_summaries_name_the_least_deniable_word():
    values = np.array([0.1, 0.9, 0.4, 0.2])
    assert summary(values, larger_is_worse=True).worst == 1
    assert summary(values, larger_is_worse=False).worst == 0
    assert summary(values, larger_is_worse=True).mean == pytest.approx(0.4)
    spread = bands(np.column_stack([values, values**2]), larger_is_worse=True)
    np.testing.assert_allclose(spread.worst, [0.9, 0.81])
    np.testing.assert_allclose(spread.middle, [0.3, 0.1])


def test_every_value_lies_in_exactly_one_bar():
    values = np.array([0.0, 0.1, 0.25, 0.5, 0.99, 1.0])
    edges = np.linspace(0, 1, 5)
    bars = [words_in_bar(values, edges, bar).tolist() for bar in range(4)]
    assert bars == [[0, 1], [2], [3], [4, 5]]
    np.testing.assert_array_equal([len(b) for b in bars], np.histogram(values, edges)[0])


def test_kept_curves_come_back_from_disk_without_being_computed_again(tmp_path, monkeypatch, glove):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    grid = np.geomspace(2, 20, 5)
    first = deniability.kept_curves(CMP.family(), glove, [5, 9], grid, draws=50)

    def never(*args, **kwargs):
        raise AssertionError("computed again")

    monkeypatch.setattr(deniability, "curves", never)
    again = deniability.kept_curves(CMP.family(), glove, [5, 9], grid, draws=50)
    np.testing.assert_array_equal(first.unchanged.value, again.unchanged.value)
    np.testing.assert_array_equal(first.distinct.low, again.distinct.low)
    assert [e.source for _, e in first.estimates()] == [e.source for _, e in again.estimates()]
    with pytest.raises(AssertionError, match="computed again"):
        deniability.kept_curves(CMP.family(), glove, [5, 10], grid, draws=50)
