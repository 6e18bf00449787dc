"""The regression of Table 4: against numpy, a case worked by hand, and the print."""

import numpy as np
import pytest

from data import published
from measures.papers import benchmark_tables
from measures.sweeps import regression

PRINTED = published.load("meisenbacher2024_regression")


def random_case(seed, count=40, terms=3):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(terms, count))
    return {f"x{i}": row for i, row in enumerate(x)}, 2 + x.sum(axis=0) + rng.normal(size=count)


def test_a_line_through_four_points_comes_out_as_by_hand():
    # x = 0 1 2 3, y = 1 2 4 5: slope 1.4, constant 0.9, RSS 0.2, TSS 10, s² = 0.1.
    fit = regression.least_squares({"x": [0, 1, 2, 3]}, [1, 2, 4, 5])
    np.testing.assert_allclose(fit.coefficients, [0.9, 1.4])
    np.testing.assert_allclose(fit.errors, np.sqrt([0.1 * 14 / 20, 0.1 / 5]))
    assert fit.r_squared == pytest.approx(0.98)
    assert (fit.terms, fit.count) == (("const", "x"), 4)


@pytest.mark.parametrize("seed", range(5))
def test_a_fit_is_that_of_the_normal_equations(seed):
    predictors, y = random_case(seed)
    fit = regression.least_squares(predictors, y)
    x = np.column_stack([np.ones(len(y)), *predictors.values()])
    b = np.linalg.solve(x.T @ x, x.T @ y)
    rss = ((y - x @ b) ** 2).sum()
    np.testing.assert_allclose(fit.coefficients, b)
    covariance = rss / (len(y) - 4) * np.linalg.inv(x.T @ x)
    np.testing.assert_allclose(fit.errors, np.sqrt(np.diag(covariance)))
    assert fit.r_squared == pytest.approx(np.corrcoef(x @ b, y)[0, 1] ** 2)


def test_p_values_are_those_of_students_t():
    from scipy import stats

    predictors, y = random_case(1)
    fit = regression.least_squares(predictors, y)
    np.testing.assert_allclose(fit.p_values, 2 * stats.t.sf(np.abs(fit.t), 40 - 4))


def test_table_4_comes_out_to_its_last_digit_from_the_values_computed_with():
    fit = regression.table_4(benchmark_tables.rows())
    assert fit.count == 126
    assert fit.terms == tuple(PRINTED["term"])
    np.testing.assert_array_equal(fit.coefficients.round(4), PRINTED["coef"])
    np.testing.assert_array_equal(fit.errors.round(3), PRINTED["std_err"])
    np.testing.assert_array_equal(fit.t.round(3), PRINTED["t"])
    np.testing.assert_array_equal(fit.p_values.round(3), PRINTED["p_value"])
    assert round(fit.r_squared, 3) == PRINTED["r_squared"].unique().item()


def test_rows_without_a_measure_are_left_out():
    rows = [dict(row) for row in benchmark_tables.rows()]
    rows[0]["cs"], rows[1]["n_w"] = None, float("nan")
    del rows[2]["pp"]
    fit = regression.table_4(rows)
    assert fit.count == 123
    np.testing.assert_allclose(
        fit.coefficients, regression.table_4(benchmark_tables.rows()[3:]).coefficients
    )


def test_a_predictor_left_out_takes_its_share_of_r_squared_along():
    rows = benchmark_tables.rows()
    whole, without = regression.table_4(rows), regression.table_4(rows, without=("epsilon",))
    assert without.terms == ("const", "n_w", "s_w", "pp")
    # F = t² for one term: the R² it adds follows from its t alone.
    t = whole.t[1]
    added = (1 - whole.r_squared) * t**2 / (126 - 5)
    assert whole.r_squared - without.r_squared == pytest.approx(added)


@pytest.mark.parametrize(
    ("predictors", "response", "message"),
    [
        ({"x": [1.0, 2.0]}, [1.0, 2.0], r"more settings than terms \(2\) are needed; got 2"),
        ({"x": [1.0, 2.0, np.nan]}, [1.0, 2.0, 3.0], "values must be finite"),
        ({"x": [5.0, 5.0, 5.0]}, [1.0, 2.0, 3.0], "linear combination of the others"),
    ],
)
def test_what_cannot_be_fitted_is_refused(predictors, response, message):
    with pytest.raises(ValueError, match=message):
        regression.least_squares(predictors, response)
