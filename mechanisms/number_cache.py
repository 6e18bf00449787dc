"""A cache for formulas: plain numbers in, plain numbers out, whatever kind was asked first.

`np.float64(1.0)` and `1.0` are one key of a dictionary, but not one number: numpy's warns where
Python's raises, and rounds a power otherwise. A plain `lru_cache` answers the second caller with
the result of the first caller's type. Here arguments become plain numbers before the function sees
them, so that its result cannot depend on who came first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
Result = TypeVar("Result")


class NumberCache(Generic[P, Result]):
    """A function of numbers whose last results are kept."""

    def __init__(self, function: Callable[P, Result], maxsize: int) -> None:
        self._kept = lru_cache(maxsize)(function)
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result:
        """The function's result at these arguments as plain numbers."""
        named = {name: plain(value) for name, value in kwargs.items()}
        return self._kept(*map(plain, args), **named)

    def cache_clear(self) -> None:
        """Forget all results."""
        self._kept.cache_clear()


def number_cache(maxsize: int) -> Callable[[Callable[P, Result]], NumberCache[P, Result]]:
    """Keep the last `maxsize` results of a function of numbers."""
    return lambda function: NumberCache(function, maxsize)


def plain(value: Any) -> Any:
    """A numpy number, also in an array without axes, as Python's own; all else as it is."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    return value
