"""One BLAS thread while anyone asks for it, and afterwards the number there was before."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from mechanisms.one_thread import one_thread


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def three_threads_before():
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(3, user_api="blas"):
        if blas_threads() != {3}:
            pytest.skip("this BLAS does not let its threads be set")
        yield


def test_inside_there_is_one_and_afterwards_as_many_as_before():
    for _ in range(2):
        with one_thread():
            assert blas_threads() == {1}
        assert blas_threads() == {3}


def test_of_two_users_that_overlap_the_last_one_puts_the_number_back():
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == {3}


def test_an_error_inside_puts_the_number_back():
    with pytest.raises(ValueError, match="inside"), one_thread():
        raise ValueError("inside")
    assert blas_threads() == {3}
