import numpy as np
import pytest

from mechanisms.number_cache import number_cache, plain


def test_the_function_sees_plain_numbers_whoever_asks_first():
    seen = []

    @number_cache(maxsize=4)
    def doubled(number, times=2):
        """Twice."""
        seen.append((number, times))
        return number * times

    assert type(doubled(np.float32(0.5), times=np.int8(2))) is float
    assert type(doubled(0.5, times=2)) is float
    assert [tuple(map(type, of_one)) for of_one in seen] == [(float, int)]
    assert doubled.__doc__ == "Twice."


def test_results_are_kept_up_to_a_number_and_can_be_forgotten():
    asked = []

    @number_cache(maxsize=1)
    def same(number):
        asked.append(number)
        return number

    for number in (1.0, np.float64(1.0), 2.0, 1.0):
        same(number)
    assert asked == [1.0, 2.0, 1.0]
    same.cache_clear()
    same(1.0)
    assert asked == [1.0, 2.0, 1.0, 1.0]


@pytest.mark.parametrize("value", [np.float64(1), np.int16(1), np.bool_(True), np.array(1.0)])
def test_a_number_of_numpy_becomes_one_of_python(value):
    assert type(plain(value)) in {int, float, bool}
    assert plain(value) == 1


def test_all_else_stays_as_it_is():
    array = np.ones(2)
    assert plain(array) is array
    assert plain("1") == "1"
    assert plain(None) is None
