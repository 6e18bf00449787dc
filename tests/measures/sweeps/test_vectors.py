"""Single values of a measure in a few bytes, and their spread as that of a ratio."""

import numpy as np
import pytest

from measures.sweeps.vectors import packed, shares, unpacked
from mechanisms.randomness import seeded_rng


@pytest.mark.parametrize("count", [1, 7, 8, 1000])
def test_right_and_wrong_take_a_bit_each_and_come_back(count):
    right = 100.0 * (seeded_rng(count).random(count) < 0.7)
    data = packed(right)
    assert len(data) == 5 + -(-count // 8)
    np.testing.assert_array_equal(unpacked(data), right)


def test_other_values_come_back_within_their_rounding_and_nan_as_nan():
    values = np.array([12.345, -3.2, 99.99, np.nan, 0.001])
    found = unpacked(packed(values))
    np.testing.assert_allclose(found, values, atol=0.05)
    assert np.isnan(found[3])


@pytest.mark.parametrize(
    "data", [b"", b"x", b"b\x10\x00\x00\x00\x01", b"h\xff\xff\xff\xff", packed([1.0])[:-1]]
)
def test_bytes_that_are_no_list_are_refused(data):
    with pytest.raises(ValueError, match="cut short or of another kind"):
        unpacked(data)


def test_values_out_of_range_are_refused():
    with pytest.raises(ValueError, match=r"must lie in \[-30000, 30000\]"):
        unpacked(packed([6e4]))


def test_a_long_text_in_a_group_of_its_own_may_weigh_more_than_all():
    """A text of 900 words beside two of 10: its group is far from the mean, and still a list."""
    found = shares([0, 900, 10], [10, 900, 10], groups=3)
    assert found.max() > 100
    np.testing.assert_allclose(unpacked(packed(found)), found, rtol=1e-3)


def test_shares_have_the_mean_of_all_things_and_the_spread_of_a_ratio():
    """Against the jackknife over groups, an independent way to the same standard error."""
    rng = seeded_rng(0)
    of = rng.integers(20, 200, 300)
    counted = rng.binomial(of, rng.beta(4, 6, 300))
    found = shares(counted, of, groups=300)
    assert found.mean() == pytest.approx(100 * counted.sum() / of.sum())
    left = 100 * (counted.sum() - counted) / (of.sum() - of)
    jackknife = np.sqrt(299 / 300 * ((left - left.mean()) ** 2).sum())
    assert found.std(ddof=1) / np.sqrt(300) == pytest.approx(jackknife, rel=0.01)


def test_texts_go_into_groups_in_turn_and_groups_keep_the_mean():
    found = shares([1, 0, 2, 3], [4, 4, 4, 4], groups=2)
    np.testing.assert_allclose(found, [100 * 3 / 8, 100 * 3 / 8])
