"""The order of settings over α: exact against a fine grid, and on examples worked by hand."""

import numpy as np
import pytest

from measures.sweeps import ranking

GRID = np.linspace(0, 1, 20_001)


def settings(seed, count=30):
    """Random scores with two decimals, so that ties occur."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 100, (2, count)).round(2)


def test_two_settings_change_places_where_their_scores_are_equal():
    first, second = ranking.segments([90.0, 60.0], [40.0, 80.0], [0, 1])
    assert first.high == second.low == pytest.approx(40 / 70)
    assert (first.order, second.order) == ((1, 0), (0, 1))
    one, two = ranking.scores([90, 60], [40, 80], first.high)
    assert one == pytest.approx(two, rel=1e-14)
    np.testing.assert_array_equal(ranking.order([90, 60], [40, 80], first.high + 1e-9), [0, 1])
    np.testing.assert_array_equal(ranking.order([90, 60], [40, 80], first.high - 1e-9), [1, 0])


@pytest.mark.parametrize("privacy", [(80.0, 40.0), (50.0, 50.0), (50.0, 40.0)])
def test_a_setting_ahead_on_one_side_and_not_behind_on_the_other_is_never_overtaken(privacy):
    (only,) = ranking.segments([90.0, 60.0], privacy, [0, 1])
    assert only.order == (0, 1)


def test_scores_of_several_alpha_are_those_of_each():
    u, p = settings(0, 5)
    many = ranking.scores(u, p, [0, 0.3, 1])
    assert many.shape == (5, 3)
    np.testing.assert_allclose(many, np.column_stack([p, 0.3 * u + 0.7 * p, u]))


@pytest.mark.parametrize("seed", range(20))
def test_the_best_setting_is_the_best_at_every_alpha_of_a_grid(seed):
    u, p = settings(seed)
    found = ranking.reigns(u, p)
    assert (found[0].low, found[-1].high) == (0, 1)
    assert all(a.high == b.low for a, b in zip(found, found[1:], strict=False))
    best = ranking.scores(u, p, GRID)
    for setting, low, high in found:
        here = (low <= GRID) & (high >= GRID)
        np.testing.assert_allclose(best[setting, here], best[:, here].max(axis=0), rtol=1e-12)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("count", [2, 5, 30])
def test_the_order_of_groups_is_that_of_a_grid_between_its_changes(seed, count):
    u, p = settings(seed)
    group = np.arange(30) % count
    found = ranking.segments(u, p, group)
    assert (found[0].low, found[-1].high) == (0, 1)
    assert all(a.order != b.order for a, b in zip(found, found[1:], strict=False))
    every = ranking.scores(u, p, GRID)
    of_groups = np.array([every[group == g].max(axis=0) for g in range(count)])
    for low, high, order in found:
        here = np.flatnonzero((low + 1e-9 < GRID) & (high - 1e-9 > GRID))
        ranked = of_groups[list(order)][:, here]
        assert (np.diff(ranked, axis=0) <= 1e-9).all()


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5])
def test_no_change_of_order_is_missed_or_made_up(seed):
    u, p = settings(seed, 12)
    group = np.arange(12) % 4
    changes = [segment.low for segment in ranking.segments(u, p, group)[1:]]
    every = ranking.scores(u, p, GRID)
    of_groups = np.array([every[group == g].max(axis=0) for g in range(4)])
    orders = np.argsort(-of_groups, axis=0, kind="stable")
    seen = np.flatnonzero((orders[:, 1:] != orders[:, :-1]).any(axis=0))
    assert len(changes) >= len(seen) > 0
    for i in seen:
        assert any(GRID[i] - 1e-9 <= a <= GRID[i + 1] + 1e-9 for a in changes)
    for a in changes:
        assert any(GRID[i] - 1e-9 <= a <= GRID[i + 1] + 1e-9 for i in seen)


def test_lines_that_meet_in_one_place_change_the_order_there_once():
    u, p = [100.0, 75.0, 50.0], [0.0, 25.0, 50.0]  # all 50 at α = 0.5
    found = ranking.segments(u, p, [0, 1, 2])
    assert [(s.low, s.order) for s in found] == [(0.0, (2, 1, 0)), (0.5, (0, 1, 2))]
    assert [r.setting for r in ranking.reigns(u, p)] == [2, 0]


def test_equal_settings_keep_the_order_they_are_listed_in():
    found = ranking.segments([50.0, 50.0, 60.0], [50.0, 50.0, 40.0], [0, 1, 2])
    assert [s.order for s in found] == [(0, 1, 2), (2, 0, 1)]


def test_the_best_of_each_group_comes_once_and_in_order():
    best = ranking.best_of_groups([10, 90, 50, 40], [10, 0, 50, 40], [0, 0, 1, 2], 0.5)
    assert best == [2, 1, 3]


def test_labels_become_numbers_in_the_order_they_appear():
    labels, number = ranking.groups(["b", "a", "b", "c"])
    assert labels == ["b", "a", "c"]
    np.testing.assert_array_equal(number, [0, 1, 0, 2])


@pytest.mark.parametrize("seed", range(20))
def test_the_front_is_what_a_comparison_of_all_pairs_leaves(seed):
    u, p = settings(seed).round(-1)  # many ties
    front = ranking.pareto(u, p)
    for i in range(len(u)):
        beaten = any(
            u[j] >= u[i] and p[j] >= p[i] and (u[j] > u[i] or p[j] > p[i]) for j in range(len(u))
        )
        assert front[i] == (not beaten)


@pytest.mark.parametrize("seed", range(20))
def test_whoever_is_best_at_some_alpha_is_on_the_front(seed):
    u, p = settings(seed)
    front = ranking.pareto(u, p)
    assert all(front[reign.setting] for reign in ranking.reigns(u, p))


def test_a_setting_on_the_front_may_be_best_at_no_alpha():
    u, p = [100.0, 40.0, 0.0], [0.0, 40.0, 100.0]
    assert ranking.pareto(u, p).all()
    assert {reign.setting for reign in ranking.reigns(u, p)} == {0, 2}
