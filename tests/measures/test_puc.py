"""The composite score: Equation 4 by hand, its general form, and what it refuses."""

import numpy as np
import pytest

from measures.puc import composite, puc

# Table 9 of the benchmark prints 82.22, 74.12 and 66.01 for these (IMDb, d = 50, ε = 1, SynTF).
SYNTF = dict(accuracy=72.58, baseline=77.30, n_w=32.1, s_w=5.1, pp=70.5, cs=62.9, low=70.5)


def test_the_utility_term_is_the_share_of_the_baseline_that_is_left():
    assert puc(**SYNTF, alpha=1) == pytest.approx(100 * 72.58 / 77.30)


def test_the_privacy_term_is_the_mean_of_five_with_the_low_ones_turned_round():
    assert puc(**SYNTF, alpha=0) == pytest.approx((67.9 + 5.1 + 70.5 + 62.9 + 29.5) / 5)


def test_alpha_mixes_the_two_linearly():
    ends = puc(**SYNTF, alpha=[1, 0])
    np.testing.assert_allclose(
        puc(**SYNTF, alpha=[0.75, 0.25]), [[0.75, 0.25], [0.25, 0.75]] @ ends
    )


def test_a_printed_cell_comes_out():
    assert puc(**SYNTF, alpha=0.75) == pytest.approx(82.22, abs=0.005)


def test_arrays_broadcast():
    many = puc(**{**SYNTF, "n_w": np.array([[0.0], [50.0], [100.0]])}, alpha=[0.25, 0.75])
    assert many.shape == (3, 2)
    assert (np.diff(many, axis=0) < 0).all()


def test_equation_4_is_the_general_form_with_one_utility_and_five_measures_of_privacy():
    general = composite(
        {"accuracy": 100 * 72.58 / 77.30},
        {"S_w": 5.1, "PP": 70.5, "CS": 62.9},
        {"N_w": 32.1, "LOW": 70.5},
        alpha=0.3,
    )
    assert general.score == pytest.approx(puc(**SYNTF, alpha=0.3))
    assert general.missing == ()


def test_a_missing_measure_is_left_out_of_the_mean_and_named():
    result = composite({"a": 90.0, "b": None}, {"c": 40.0}, {"d": 10.0, "e": None}, alpha=0.5)
    assert result.score == pytest.approx(0.5 * 90 + 0.5 * (40 + 90) / 2)
    assert result.missing == ("b", "e")


def test_any_largest_score_gives_the_same_up_to_its_scale():
    percent = composite({"a": 90.0}, {"b": 40.0}, {"c": 10.0}, alpha=0.4)
    fraction = composite({"a": 0.9}, {"b": 0.4}, {"c": 0.1}, alpha=0.4, maximum=1)
    assert percent.score == pytest.approx(100 * fraction.score)


def test_utility_may_exceed_its_baseline():
    assert puc(**{**SYNTF, "accuracy": 80.0}, alpha=1) > 100


def test_a_side_without_weight_needs_no_measure_and_one_with_weight_does():
    assert composite({}, {"a": 40.0}, {}, alpha=0).score == 40
    assert composite({"a": 80.0}, {"b": None}, {}, alpha=1).score == 80
    with pytest.raises(ValueError, match="at least one measure of utility"):
        composite({"a": None}, {"b": 40.0}, {}, alpha=0.5)
    with pytest.raises(ValueError, match="at least one measure of privacy"):
        composite({"a": 80.0}, {}, {"b": None}, alpha=0.5)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"alpha": 1.5}, r"α \(alpha\) must lie in \[0, 1\]; got 1.5"),
        ({"alpha": float("nan")}, r"α \(alpha\) must lie"),
        ({"baseline": 0}, r"B-Acc \(baseline\) must lie in \(0, inf\); got 0"),
        ({"n_w": 101.0}, r"N_w must lie in \[-100, 100\]; got 101"),
        ({"cs": float("nan")}, "CS must lie"),
        ({"accuracy": float("inf")}, "accuracy must lie"),
    ],
)
def test_a_value_outside_its_range_is_refused_by_name(changed, message):
    with pytest.raises(ValueError, match=message):
        puc(**{**SYNTF, "alpha": 0.5, **changed})


def test_a_measure_on_two_sides_is_refused():
    with pytest.raises(ValueError, match="one side only; got a twice"):
        composite({"a": 1.0}, {"a": 1.0}, {}, alpha=0.5)


def test_rounding_may_carry_a_similarity_a_hair_beyond_100():
    assert np.isfinite(puc(**{**SYNTF, "cs": 100.00001}, alpha=0.5))


# ---------------------------------------------------------------------------------------- weights

SIDES = (
    {"accuracy": 100 * 72.58 / 77.30},
    {"S_w": 5.1, "PP": 70.5, "CS": 62.9},
    {"N_w": 32.1, "LOW": 70.5},
)


@pytest.mark.parametrize("each", [1, 0.2, 7])
def test_equal_weights_of_any_size_are_equation_4(each):
    weights = dict.fromkeys(("accuracy", "S_w", "PP", "CS", "N_w", "LOW"), each)
    score = composite(*SIDES, alpha=0.3, weights=weights).score
    assert score == pytest.approx(puc(**SYNTF, alpha=0.3), rel=1e-14)


def test_a_weight_of_two_counts_a_measure_twice_and_no_other_side():
    twice = composite(*SIDES, alpha=0.25, weights={"PP": 2}).score
    privacy = (67.9 + 5.1 + 2 * 70.5 + 62.9 + 29.5) / 6
    assert twice == pytest.approx(0.25 * 100 * 72.58 / 77.30 + 0.75 * privacy)


def test_a_weight_of_nothing_leaves_a_measure_out():
    without = composite(*SIDES, alpha=0.4, weights={"LOW": 0}).score
    assert without == pytest.approx(composite(*SIDES[:2], {"N_w": 32.1}, alpha=0.4).score)
    with pytest.raises(ValueError, match="at least one measure of utility"):
        composite(*SIDES, alpha=0.4, weights={"accuracy": 0})


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf")])
def test_a_wrong_weight_is_refused_by_name(wrong):
    with pytest.raises(ValueError, match=r"the weight of PP must lie in \[0, inf\); got"):
        composite(*SIDES, alpha=0.4, weights={"PP": wrong})


def test_a_weight_without_its_measure_is_refused():
    with pytest.raises(ValueError, match="a weight must belong to a measure; got one of English"):
        composite(*SIDES, alpha=0.4, weights={"English": 1})
