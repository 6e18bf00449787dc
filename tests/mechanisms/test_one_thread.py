"""One BLAS thread while anyone asks for it, and afterwards the number there was before."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from mechanisms.one_thread import one_thread


def pools():
    """Each BLAS in this process, by its file, and its number of threads."""
    return {p["filepath"]: p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def blas_threads():
    """Three threads before, in every BLAS that obeys; a function that reads them."""
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(3, user_api="blas"):
        obeying = [file for file, threads in pools().items() if threads == 3]
        if not obeying:
            pytest.skip(f"no BLAS lets its threads be set: {pools()}")
        yield lambda: {pools()[file] for file in obeying}


def test_inside_there_is_one_and_afterwards_as_many_as_before(blas_threads):
    for _ in range(2):
        with one_thread():
            assert blas_threads() == {1}
        assert blas_threads() == {3}


def test_of_two_users_that_overlap_the_last_one_puts_the_number_back(blas_threads):
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == {3}


def test_an_error_inside_puts_the_number_back(blas_threads):
    with pytest.raises(ValueError, match="inside"), one_thread():
        raise ValueError("inside")
    assert blas_threads() == {3}
