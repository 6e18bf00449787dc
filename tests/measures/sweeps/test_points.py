"""Rows become points: by Equation 4, with intervals, averaged over repetitions, and labelled."""

import json

import numpy as np
import pytest

from measures.papers import benchmark_tables
from measures.puc import composite, puc
from measures.sweeps.scores import EQUATION_4, points
from mechanisms.estimate import UNKNOWN

ROW = {
    "corpus": "imdb",
    "mechanism": "TEM",
    "variant": "",
    "epsilon": 5.0,
    "texts": 500,
    "parameters": json.dumps({"gamma": None, "beta": 0.001}),
    "accuracy": 60.0,
    "accuracy_from": 55.0,
    "accuracy_to": 65.0,
    "baseline_accuracy": 80.0,
    "accuracy_on_original": 70.0,
    "n_w": 30.0,
    "n_w_from": 20.0,
    "n_w_to": 40.0,
    "s_w": 50.0,
    "pp": 60.0,
    "cs": 40.0,
    "cs_from": 30.0,
    "cs_to": 50.0,
    "low": 10.0,
    "error": None,
}


def row(**changed):
    return {**ROW, **changed}


def test_a_row_scores_what_equation_4_says():
    found = points([ROW])
    assert found.utility.value[0] == 75
    assert found.privacy.value[0] == (70 + 50 + 60 + 40 + 90) / 5
    expected = puc(60.0, 80.0, 30.0, 50.0, 60.0, 40.0, 10.0, 0.3)
    assert found.puc(0.3).value[0] == pytest.approx(expected, rel=1e-14)


def test_the_interval_is_that_of_the_score_and_not_of_all_errors_added():
    """Errors of independent measures add up as variances; one without an interval is unknown."""
    ends = {f"{n}{e}": ROW[n] for n in ("s_w", "pp", "low") for e in ("_from", "_to")}
    base = {"baseline_accuracy_from": 78.0, "baseline_accuracy_to": 82.0}
    found = points([ROW | ends | base])
    half = 100 * np.hypot(5 / 80, 60 * 2 / 80**2)
    np.testing.assert_allclose(found.utility[0].numbers, [75, 75 - half, 75 + half])
    half = np.hypot(10, 10) / 5
    np.testing.assert_allclose(found.privacy[0].numbers, [62, 62 - half, 62 + half])
    both = np.hypot(0.4 * found.utility.half_width[0], 0.6 * found.privacy.half_width[0])
    value, low, high = found.puc(0.4)[0].numbers
    assert high - value == pytest.approx(value - low) == pytest.approx(both)
    assert points([ROW]).privacy.source == UNKNOWN
    assert np.isinf(points([ROW]).privacy[0].numbers[1:]).all()


def test_all_126_settings_of_the_benchmark_score_by_equation_4():
    rows = [{**r, "variant": f"{r['dimensions']}"} for r in benchmark_tables.rows()]
    for corpus in ("imdb", "ag-news"):
        mine = [r for r in rows if r["corpus"] == corpus]
        found = points(mine)
        assert len(found) == len(mine) == 63
        scores = found.puc(0.6).value
        columns = ("accuracy", "baseline_accuracy", *EQUATION_4[1:])
        expected = [puc(*(r[c] for c in columns), 0.6) for r in mine]
        np.testing.assert_allclose(sorted(scores), sorted(expected))


def test_weights_and_a_choice_of_measures_are_those_of_definition_5_1():
    found = points([ROW], ("accuracy", "pp", "n_w"), {"pp": 3.0, "low": 9.0})
    expected = composite({}, {"PP": 60.0}, {"N_w": 30.0}, 0, weights={"PP": 3}).score
    assert found.privacy.value[0] == pytest.approx(float(expected)) == (3 * 60 + 70) / 4


def test_the_protocol_of_tem_tests_on_original_text():
    assert points([ROW], protocol="original").utility.value[0] == pytest.approx(100 * 70 / 80)


def test_repetitions_are_averaged_and_counted():
    found = points([ROW, row(accuracy=70.0, accuracy_from=60.0, accuracy_to=80.0, repetition=1)])
    assert len(found) == 1
    assert found.repetitions == (2,)
    assert found.utility.value[0] == pytest.approx(65 / 0.8)
    ends = {"baseline_accuracy_from": 80.0, "baseline_accuracy_to": 80.0}
    found = points([row(**ends), row(repetition=1, **ends)])
    assert found.utility.high[0] - 75 == pytest.approx(5 / 0.8 / np.sqrt(2))


def test_curves_stay_together_in_the_order_of_mechanisms_and_epsilon_ascends():
    rows = [row(epsilon=10.0), row(mechanism="CMP"), row(epsilon=1.0), row(mechanism="CMP")]
    found = points(rows)
    assert found.curve == ("CMP", "TEM", "TEM")
    np.testing.assert_array_equal(found.epsilon, [5, 1, 10])
    assert points(rows).of_curves(["CMP"]).repetitions == (2,)


def test_rows_that_cannot_be_points_are_counted_by_reason():
    rows = [
        ROW,
        row(error="TEM: no word"),
        row(cs=None),
        row(cs=float("nan")),
        row(baseline_accuracy=None),
    ]
    found = points(rows)
    assert found.left_out == {"failed": 1, "without CS": 2, "without the baseline": 1}
    assert len(points(rows, ("accuracy", "pp"))) == 1
    assert points(rows, ("accuracy", "pp")).repetitions == (3,)
    assert len(points([])) == 0


def test_a_label_names_the_variant_and_only_what_is_not_as_in_most_rows():
    rows = [
        row(mechanism="Vickrey", variant="repaired", parameters='{"t": 0.5}'),
        row(mechanism="TruncatedGumbel", variant="benchmark"),
        row(parameters='{"gamma": 2.5}'),
        row(parameters='{"gamma": 3.0}', texts=1000),
    ]
    assert points(rows[:2]).curve == ("Vickrey (repaired)", "Truncated Gumbel (benchmark)")
    every = points(rows).curve
    assert [c for c in every if "TEM" in c] == ["TEM, gamma = 2.5", "TEM, gamma = 3, 1,000 texts"]


def test_a_broken_parameter_text_and_an_unknown_mechanism_are_no_obstacle():
    found = points([row(mechanism="Mine", parameters="{"), row(mechanism="Mine", parameters="[1]")])
    assert found.curve == ("Mine",)


@pytest.mark.parametrize(
    ("counted", "weights", "message"),
    [
        (("accuracy", "english"), {}, "must be one of accuracy, .*; got 'english'"),
        (("accuracy",), {}, "at least one measure of privacy"),
        (("pp",), {}, "at least one measure of utility"),
        (("accuracy", "pp"), {"pp": -1.0}, "weight of pp must lie"),
    ],
)
def test_a_choice_that_is_no_score_is_refused(counted, weights, message):
    with pytest.raises(ValueError, match=message):
        points([ROW], counted, weights)
