"""The tabulated distribution function of the gamma law, against its series and exact values."""

import mpmath
import numpy as np
import pytest
from scipy.special import gammainc

from mechanisms.gamma_cdf import gamma_cdf


@pytest.mark.parametrize("shape", [0.5, 1, 1.5, 2, 3.5, 25, 50, 150, 300, 768, 5000])
def test_it_is_the_incomplete_gamma_function(shape):
    rng = np.random.default_rng(int(2 * shape))
    near = shape * np.exp(rng.normal(0, 3 / np.sqrt(shape), 50_000))
    x = np.concatenate([near, np.exp(rng.uniform(-30, np.log(shape) + 4, 50_000))])
    expected = gammainc(shape, x)
    np.testing.assert_allclose(gamma_cdf(shape, x), expected, rtol=2e-11, atol=1e-300)
    assert not np.allclose(gamma_cdf(shape * (1 + 1e-9), x), expected, rtol=2e-11, atol=1e-300)


@pytest.mark.parametrize("shape", [1, 25, 50, 300])
def test_it_has_the_digits_of_an_exact_evaluation(shape):
    for share in (0.05, 0.4, 0.9, 1.0, 1.1, 1.7):
        exact = mpmath.gammainc(shape, 0, share * shape, regularized=True)
        assert float(gamma_cdf(shape, [share * shape])[0]) == pytest.approx(float(exact), rel=2e-12)


@pytest.mark.parametrize("shape", [0.5, 1, 50, 5000])
def test_it_rises_from_0_to_1_and_never_falls(shape):
    x = np.concatenate([[0.0], np.geomspace(1e-300, 1e300, 400_001), [np.inf]])
    found = gamma_cdf(shape, x)
    assert (found[0], found[-1]) == (0.0, 1.0)
    assert np.diff(found).min() >= -1e-15
    dense = shape * np.linspace(0.9, 1.1, 200_001)
    assert np.diff(gamma_cdf(shape, dense)).min() >= -1e-15


def test_it_keeps_the_shape_of_its_argument_and_takes_no_radii():
    assert gamma_cdf(3, np.zeros((2, 3))).shape == (2, 3)
    assert gamma_cdf(3, []).shape == (0,)
    assert gamma_cdf(3, 2.0) == pytest.approx(gammainc(3, 2.0), rel=1e-12)
