"""Which rows of a matrix are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def lowest_equal_row(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """For every row of (V, d) the number of the first row that equals it (V,): mostly its own."""
    # Equal rows have equal integer hashes, whatever the order of summation; the reverse is
    # checked below. Adding 0 makes -0.0 and 0.0 the same bytes.
    hashes = np.zeros(len(vectors), dtype=np.uint64)
    odd: NDArray[np.uint64] = np.array([1], dtype=np.uint64)
    draws = np.random.default_rng(0).integers(1, 2**63, vectors.shape[1], dtype=np.uint64)
    factors = np.bitwise_or(draws, odd)
    for column in range(vectors.shape[1]):
        values = vectors[:, column] + np.float32(0)
        hashes += values.view(np.uint32).astype(np.uint64) * factors[column]
    _, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    lowest = first[inverse]
    for row in np.flatnonzero(lowest != np.arange(len(vectors))):
        if not np.array_equal(vectors[row], vectors[lowest[row]]):
            lowest[row] = np.flatnonzero((vectors == vectors[row]).all(axis=1))[0]
    return lowest.astype(np.int64)
