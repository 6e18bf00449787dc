"""The score of a word by its distance: TEM's law, written once.

Everything that speeds the law up (`word_blocks` in float32, `answers` over sorted distances,
`sampled_path` as lines in 1/ε, the tiles of `normalisers` in float32) is held against it by tests.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Reals = TypeVar("Reals", bound=NDArray[Any])


def distance_scores(
    distances: Reals, epsilon: float, gamma: float, out: Reals | None = None
) -> Reals:
    """-ε/2 · min(d, γ), elementwise, in the precision of the distances; by default in place."""
    found = distances if out is None else out
    np.minimum(distances, gamma, out=found)
    with np.errstate(over="ignore"):  # a score of -inf is a weight of 0
        np.multiply(found, -epsilon / 2, out=found)
    return found
