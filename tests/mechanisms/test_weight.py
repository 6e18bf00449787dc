"""Enclosures of weights: against 200 digits, by balls and by decimals; the check of numpy."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from mechanisms import SanText, weight
from mechanisms.weight import Weight, check_arithmetic, denormals_survive, squared_distance
from tests.bits import PRECISE, precise
from tests.toy import TOY


@pytest.fixture(params=["balls", "decimals"])
def way(request, monkeypatch):
    if request.param == "balls":
        pytest.importorskip("flint")
        monkeypatch.setattr(weight, "_exponential", lambda: weight._by_balls)
    else:
        monkeypatch.setattr(weight, "_exponential", lambda: weight._by_decimals)
    return request.param


@pytest.mark.usefixtures("way")
def test_an_enclosure_holds_the_weight_and_is_as_narrow_as_asked():
    rng = np.random.default_rng(0)
    for _ in range(200):
        rate = Fraction(rng.random()) * Fraction(10) ** int(rng.integers(-30, 4))
        square = Fraction(rng.random()) * Fraction(10) ** int(rng.integers(-40, 4))
        factor = Fraction(rng.random())
        exact = precise(factor) * PRECISE.exp(-precise(rate) * PRECISE.sqrt(precise(square)))
        for bits in (64, 128, 500):
            low, high = Weight(rate, square, factor=factor).enclosed(bits)
            assert precise(low) <= exact <= precise(high)
            assert high - low <= high / 2**bits


@pytest.mark.usefixtures("way")
def test_a_score_of_0_is_1_exactly_and_a_ceiling_is_kept():
    assert Weight().enclosed(64) == (1, 1)
    assert Weight(rate=Fraction(3)).enclosed(64) == (1, 1)
    far = Weight(Fraction(1), Fraction(10**6), Fraction(2))
    assert far.enclosed(64) == Weight(Fraction(1), Fraction(4)).enclosed(64)
    near = Weight(Fraction(1), Fraction(4), Fraction(3))
    assert near.enclosed(64) == far.enclosed(64)
    assert Weight(Fraction(1), Fraction(4), Fraction(0)).enclosed(64) == (1, 1)


@pytest.mark.parametrize("score", [10**7, 10**20, Fraction(1.7e308) ** 2])
@pytest.mark.usefixtures("way")
def test_a_weight_that_vanishes_lies_between_0_and_a_tiny_number_that_shrinks(score):
    found = [Weight(Fraction(score), Fraction(1)).enclosed(bits) for bits in (64, 128)]
    assert [low for low, _ in found] == [0, 0]
    assert 0 < found[1][1] < found[0][1] < Fraction(1, 2**4_000)


def test_a_vanishing_weight_is_enclosed_as_closely_as_any_when_enough_bits_are_asked_for():
    low, high = Weight(Fraction(4_000), Fraction(1)).enclosed(1_000)
    assert 0 < low <= high
    assert high - low <= high / 2**1_000


def test_the_two_ways_agree():
    pytest.importorskip("flint")
    for rate, square in ((Fraction(5, 2), Fraction(2)), (Fraction(1, 7), Fraction(1, 10**12))):
        one, other = weight._by_balls(rate, square, 200), weight._by_decimals(rate, square, 200)
        assert max(one[0], other[0]) <= min(one[1], other[1])


def test_without_python_flint_decimals_are_used_and_draws_are_the_same(monkeypatch):
    expected = SanText(epsilon=2.0).sample(TOY, [0, 1], 50, np.random.default_rng(1))
    monkeypatch.setitem(sys.modules, "flint", None)  # an import of it fails
    weight._exponential.cache_clear()
    weight._check.cache_clear()
    try:
        assert weight._exponential() is weight._by_decimals
        found = SanText(epsilon=2.0).sample(TOY, [0, 1], 50, np.random.default_rng(1))
    finally:
        monkeypatch.undo()
        weight._exponential.cache_clear()
    assert np.array_equal(found, expected)


def test_squared_distances_are_exact_where_floats_are_not():
    a = np.array([1e30, 1e-45, 1.0], dtype=np.float32)
    b = np.array([-3e30, 0.0, 1.0 + 2**-23], dtype=np.float32)
    expected = sum(
        (Fraction(float(x)) - Fraction(float(y))) ** 2 for x, y in zip(a, b, strict=True)
    )
    assert squared_distance(a, b) == expected
    assert squared_distance(a, b) == squared_distance(b, a)
    assert squared_distance(a, a) == 0
    assert squared_distance(np.float32([3, 4]), np.float32([0, 0])) == 25


def test_numpy_passes_the_check_which_is_made_once_a_process(monkeypatch):
    check_arithmetic()
    before = weight._check.cache_info()
    check_arithmetic()
    after = weight._check.cache_info()
    assert (after.hits, after.misses) == (before.hits + 1, before.misses)
    assert denormals_survive()


@pytest.mark.parametrize("error", [1e-10, -1e-10])
@pytest.mark.parametrize("size", [1, 498])
def test_an_error_at_one_place_for_one_length_of_array_is_found(monkeypatch, error, size):
    exponential = np.exp

    def wrong(x, **settings):
        found = np.array(exponential(x, **settings))
        if len(found) == size:
            found[-1] *= 1 + error
        return found

    monkeypatch.setattr(np, "exp", wrong)
    with pytest.raises(RuntimeError, match=r"exponential of .* Nothing is released"):
        check_arithmetic()


@pytest.mark.parametrize("name", ["exp", "sqrt"])
def test_an_error_in_float32_is_found(monkeypatch, name):
    function = getattr(np, name)

    def wrong(x, **settings):
        found = np.array(function(x, **settings))
        if found.dtype == np.float32:
            found[17] *= np.float32(1 + 1e-6)
        return found

    monkeypatch.setattr(np, name, wrong)
    with pytest.raises(RuntimeError, match="in float32 errs by more than"):
        check_arithmetic()


def test_a_process_that_flushes_small_numbers_draws_no_huge_epsilon(monkeypatch):
    monkeypatch.setattr("mechanisms.selection.denormals_survive", lambda: False)
    with pytest.raises(RuntimeError, match="flushes small numbers to 0"):
        SanText(epsilon=1e30).sample(TOY, [0], 1, np.random.default_rng(2))
    assert SanText(epsilon=1e20).sample(TOY, [0], 1, np.random.default_rng(2)) == [[0]]
