"""Who leads, and whether the texts can tell: differences, their intervals, and honest choices.

Coverage is tested by simulation: sweeps of a known truth, a binomial test of how many intervals
hold it, and the same test must reject intervals of half the width.
"""

import numpy as np
import pytest
from scipy import stats

from measures.sweeps import scores as module
from measures.sweeps.contest import contest, shares_of_lead
from measures.sweeps.scores import points
from measures.sweeps.spread import NORMAL, Spread, influence, lacking
from measures.sweeps.vectors import packed
from mechanisms.estimate import CONFIDENCE, UNKNOWN
from mechanisms.randomness import seeded_rng
from tests.claims import ALPHA

BASE = 80.0
MEASURES = ("n_w", "s_w", "pp", "cs", "low")


def row(mechanism, epsilon, vectors, repetition=0, **changed):
    """A row of a sweep whose values are the means of these vectors by measure."""
    found = {"corpus": "imdb", "mechanism": mechanism, "epsilon": epsilon, "variant": ""}
    found |= {"texts": 500, "parameters": "{}", "error": None, "repetition": repetition}
    for name, values in vectors.items():
        half = NORMAL * values.std(ddof=1) / np.sqrt(len(values))
        found[name] = values.mean()
        found |= {f"{name}_from": values.mean() - half, f"{name}_to": values.mean() + half}
        found[f"{name}_each"] = packed(values)
    return found | changed


def world(rng, means, texts=300, words=60, alike=0.8):
    """Vectors of settings (n) with these true accuracies and privacies (n, 2), in percent.

    Texts are hard or easy and words common or rare for all settings: errors go together.
    """
    hard, word, near = rng.random(texts), rng.normal(size=words), rng.normal(size=texts // 3)
    rare, group = rng.random(4 * words), rng.normal(size=100)
    base = rng.random(texts)

    def right(share, common):
        own = rng.random(len(common))
        mixed = np.where(rng.random(len(common)) < alike, common, own)
        return 100.0 * (mixed < share / 100)

    def around(mean, common, spread):
        own = rng.normal(size=len(common))
        values = mean + spread * (np.sqrt(alike) * common + np.sqrt(1 - alike) * own)
        return np.clip(values, 0, 100)

    found = []
    for accuracy, privacy in means:
        found.append(
            {
                "accuracy": right(accuracy, hard),
                "baseline_accuracy": 100.0 * (base < BASE / 100),
                "n_w": around(100 - privacy, word, 8),
                "s_w": around(privacy, -word, 8),
                "pp": around(privacy, group, 4),
                "cs": around(privacy, near, 6),
                "low": right(100 - privacy, rare),
            }
        )
    return found


def sweep(rng, means, names=None, repetitions=1, **settings):
    rows = []
    for repetition in range(repetitions):
        for i, vectors in enumerate(world(rng, means, **settings)):
            name = names[i] if names else f"M{i}"
            rows.append(row(name, 1.0 + i, vectors, repetition))
    return points(rows)


# ------------------------------------------------------------------------------------- identities


def test_the_interval_of_a_difference_is_that_of_paired_samples():
    one, two = world(seeded_rng(0), [(60, 60), (64, 60)])
    fixed = {name: one[name] for name in (*MEASURES, "baseline_accuracy")}
    found = points([row("A", 1.0, one | fixed), row("B", 1.0, two | fixed)])
    error = found.spreads(1.0)[0].difference([0], [1])[0]
    scale = 100 / one["baseline_accuracy"].mean()
    by_text = scale * (one["accuracy"] - two["accuracy"])
    # The baseline's own error moves both alike, but for the few points that they lie apart.
    moved = by_text - by_text.mean() * one["baseline_accuracy"] / one["baseline_accuracy"].mean()
    assert error == pytest.approx(stats.sem(moved), rel=1e-9)


def test_words_are_added_word_by_word():
    one, two = world(seeded_rng(1), [(60, 50), (60, 55)])
    found = points([row("A", 1.0, one), row("B", 1.0, two)], ("accuracy", "n_w", "s_w"))
    by_word = (one["s_w"] - one["n_w"] - two["s_w"] + two["n_w"]) / 2
    error = found.spreads(0.0)[0].difference([0], [1])[0]
    assert error == pytest.approx(stats.sem(by_word), rel=1e-3)  # stored in two bytes


def test_a_spread_is_the_same_after_it_was_reduced_and_summed():
    rng = seeded_rng(2)
    spread = Spread(rng.normal(size=(3, 50)), np.array([0.0, 2.0, 1.0]), 50)
    whole = spread.factor @ spread.factor.T + np.diag(spread.own)
    less = spread.reduced()
    assert less.factor.shape == (3, 3)
    np.testing.assert_allclose(less.factor @ less.factor.T + np.diag(less.own), whole)
    weights = np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    summed = less.at(weights)
    np.testing.assert_allclose(summed.factor @ summed.factor.T, weights @ whole @ weights.T)


def test_things_that_are_all_alike_are_not_known_for_certain():
    """No word of a hundred stayed: up to 3.6 % of words in general may, by Clopper and Pearson."""
    none = np.zeros(100)
    assert (influence(none) == 0).all()
    assert NORMAL * np.sqrt(lacking(none)) == pytest.approx(3.6217, abs=1e-3)
    assert lacking(100.0 * (np.arange(100) < 40)) == 0


# --------------------------------------------------------------------------------------- coverage

SWEEPS = 600
MEANS = [(62.0, 62.0), (66.0, 58.0), (64.0, 61.0), (58.0, 66.0)]


def true_scores(alpha):
    return np.array([alpha * 100 * a / BASE + (1 - alpha) * p for a, p in MEANS])


@pytest.fixture(scope="module")
def simulated():
    rng = seeded_rng(3)
    return [sweep(rng, MEANS) for _ in range(SWEEPS)]


def may_hold(count):
    return stats.binom.cdf(count, SWEEPS, CONFIDENCE) > ALPHA


@pytest.mark.parametrize("alpha", [0.0, 0.5, 0.75, 1.0])
def test_intervals_of_a_score_hold_it_as_often_as_they_say(simulated, alpha):
    truth = true_scores(alpha)
    whole = half = 0
    for found in simulated:
        score = found.puc(alpha)
        value, low, high = score.value, score.low, score.high
        whole += int(low[1] <= truth[1] <= high[1])
        half += int(abs(truth[1] - value[1]) <= (high[1] - low[1]) / 4)
    assert may_hold(whole)
    assert not may_hold(half)
    assert stats.binom.sf(whole - 1, SWEEPS, 0.995) > ALPHA  # and they are no wider than need be


@pytest.mark.parametrize("alpha", [0.25, 0.75])
def test_intervals_of_leads_hold_all_together_as_often_as_they_say(simulated, alpha):
    truth = dict(zip((f"M{i}" for i in range(4)), true_scores(alpha), strict=True))
    whole = half = 0
    for found in simulated:
        one = contest(found, alpha)
        ahead = truth[one.curves[0]] - np.array([truth[c] for c in one.curves])
        value, low, high = one.lead.value, one.lead.low, one.lead.high
        whole += int(((low <= ahead + 1e-9) & (ahead <= high + 1e-9)).all())
        half += int((abs(ahead - value) <= (high - low) / 4 + 1e-9).all())
    assert may_hold(whole)
    assert not may_hold(half)


def test_pairs_tell_what_intervals_side_by_side_cannot():
    """A true difference of 2.7 points of accuracy, as between two settings of the sweep."""
    paired = beside = 0
    rng = seeded_rng(4)
    for _ in range(100):
        found = sweep(rng, [(70.0, 50.0), (67.3, 50.0)], texts=1000, alike=0.9)
        one = contest(found, 1.0)
        paired += one.leads
        beside += int(found.utility.low.max() > found.utility.high.min())
    assert paired > 3 * max(beside, 1)


# ----------------------------------------------------------------------------- the choice of an ε


def test_a_score_is_too_high_on_the_texts_that_chose_its_epsilon_and_right_on_others():
    rng = seeded_rng(5)
    means, names = [(60.0, 60.0)] * 9, ["M"] * 9
    truth = 100 * 60 / BASE
    naive, told, crossed = [], [], []
    for _ in range(150):
        one = contest(sweep(rng, means, names, alike=0.3), 1.0)
        naive.append(one.score.value[0] - truth)
        told.append(one.optimism)
        assert not one.crossed
        two = contest(sweep(rng, means, names, repetitions=2, alike=0.3), 1.0)
        crossed.append(two.score.value[0] - truth)
        assert two.crossed
        assert np.isnan(two.optimism)
    assert stats.ttest_1samp(naive, 0).pvalue < ALPHA
    assert np.mean(naive) > 1
    assert np.mean(naive) / 2 < np.mean(told) < np.mean(naive)
    assert stats.ttest_1samp(crossed, 0).pvalue > ALPHA


def test_the_epsilon_of_one_sample_is_scored_on_the_other():
    def at(utility, repetition, epsilon):
        values = dict.fromkeys(("accuracy", *MEASURES), 50.0) | {"accuracy": utility}
        ends = {f"{n}{e}": v for n, v in values.items() for e in ("_from", "_to")}
        return {
            "corpus": "imdb", "mechanism": "M", "epsilon": epsilon, "repetition": repetition,
            "baseline_accuracy": 100.0, "baseline_accuracy_from": 100.0,
            "baseline_accuracy_to": 100.0, **values, **ends,
        }  # fmt: skip

    # On sample 0 the first ε is best, with 60; on sample 1 the second, with 70.
    rows = [at(60.0, 0, 1.0), at(50.0, 0, 2.0), at(40.0, 1, 1.0), at(70.0, 1, 2.0)]
    one = contest(points(rows), 1.0)
    assert one.score.value[0] == (40 + 50) / 2
    assert one.chosen == (1,)  # over both samples


# ------------------------------------------------------------------------------- what may be said


def test_a_lead_is_said_only_where_the_interval_excludes_zero():
    rng = seeded_rng(6)
    clear = contest(sweep(rng, [(75.0, 60.0), (55.0, 60.0)]), 0.75)
    assert clear.leads
    assert clear.equals == ("M0",)
    assert clear.lead.low[1] > 0
    same = contest(sweep(rng, [(60.0, 60.0), (60.0, 60.0), (40.0, 30.0)]), 0.75)
    assert not same.leads
    assert set(same.equals) == {"M0", "M1"}
    assert same.comparisons == 3


def test_rows_without_intervals_decide_nothing():
    rows = [
        {"corpus": "imdb", "mechanism": name, "epsilon": 1.0, "accuracy": accuracy,
         "baseline_accuracy": 80.0, **dict.fromkeys(MEASURES, 50.0)}
        for name, accuracy in (("A", 90.0), ("B", 10.0))
    ]  # fmt: skip
    one = contest(points(rows), 0.5)
    assert one.curves == ("A", "B")
    assert not one.leads
    assert one.score.source == UNKNOWN
    assert np.isinf([one.score.low, one.score.high]).all()
    assert np.isnan(one.first).all()
    assert np.isnan(shares_of_lead(points(rows), [0.5])).all()


def test_shares_of_resamples_are_those_of_ranks():
    found = sweep(seeded_rng(7), MEANS)
    one = contest(found, 0.5)
    assert one.first.sum() == pytest.approx(1)
    assert (one.ranks[0] <= one.ranks[1]).all()
    shares = shares_of_lead(found, [0.5, 0.9])
    np.testing.assert_allclose(shares.sum(axis=0), 1)
    in_order = shares[[found.curve.index(c) for c in one.curves], 0]
    np.testing.assert_allclose(in_order, one.first, atol=0.12)


def test_errors_of_rows_without_lists_are_not_shared():
    rows = [row(f"M{i}", 1.0, v) for i, v in enumerate(world(seeded_rng(8), MEANS[:2]))]
    old = [{k: v for k, v in r.items() if not k.endswith("_each")} for r in rows]
    new_one, old_one = contest(points(rows), 0.75), contest(points(old), 0.75)
    assert new_one.paired
    assert not old_one.paired
    width = [2 * one.lead.half_width[1] for one in (new_one, old_one)]
    assert width[0] < 0.8 * width[1]


# -------------------------------------------------------------------- what normalising makes of it


@pytest.mark.skipif(not module.SHIPPED.exists(), reason="the standard sweep was not made yet")
def test_the_leader_of_our_sweep_hangs_on_the_normaliser():
    rows = module.shipped()
    first = {}
    for corpus in ("imdb", "rotten-tomatoes"):
        mine = [r for r in rows if r["corpus"] == corpus]
        for normaliser in ("baseline", "chance", "minmax"):
            found = points(mine, normaliser=normaliser)
            first[corpus, normaliser] = [contest(found, a).curves[0] for a in (0.25, 0.5, 0.75)]
            if normaliser == "chance":
                assert found.sides.coin_toss == pytest.approx(0)
            elif normaliser == "baseline":
                tosses = {r["repetition"]: 100 * r["chance"] / r["baseline_accuracy"] for r in mine}
                assert found.sides.coin_toss == pytest.approx(np.mean(list(tosses.values())))
        assert first[corpus, "baseline"][2] != first[corpus, "chance"][2]
    changed = sum(
        a != b
        for corpus in ("imdb", "rotten-tomatoes")
        for a, b in zip(first[corpus, "baseline"], first[corpus, "minmax"], strict=True)
    )
    assert changed >= 3


def test_scales_are_what_they_say():
    vectors = world(seeded_rng(9), [(60.0, 40.0), (70.0, 60.0)])
    rows = [row(f"M{i}", 1.0, v) for i, v in enumerate(vectors)]
    accuracy = np.array([r["accuracy"] for r in rows])
    base = rows[0]["baseline_accuracy"]
    chance = points(rows, normaliser="chance")
    np.testing.assert_allclose(chance.utility.value, 100 * (accuracy - 50) / (base - 50))
    minmax = points(rows, normaliser="minmax")
    np.testing.assert_allclose(minmax.utility.value, [0, 100])
    np.testing.assert_allclose(minmax.privacy.value, [0, 100])
    with pytest.raises(ValueError, match="must be one of baseline, chance, minmax; got 'z'"):
        points(rows, normaliser="z")
    with pytest.raises(ValueError, match="must have the accuracy of guessing"):
        points([r | {"corpus": "mine"} for r in rows], normaliser="chance")
    assert np.isfinite(
        points([r | {"corpus": "mine", "chance": 50.0} for r in rows]).utility.value[0]
    )
