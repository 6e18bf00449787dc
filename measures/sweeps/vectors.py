"""What a measure found of every single thing that it looked at, in a few bytes.

A row of a sweep holds a measure's value and, beside it, the values of its things (texts, words) in
their order: `accuracy_each` holds 0 or 100 for every text tested on. Cells on the same ground have
the same things, so that two of them can be compared thing by thing (`measures.sweeps.spread`).

packed    values -> bytes: a bit a value if all are 0 or 100, otherwise two bytes (float16)
unpacked  bytes -> values, with the format's rounding: within 0.05 of a percentage
shares    counts of groups -> values whose mean is the share of all things together, and whose
          spread is that of the ratio of sums: 100 (p + (k_g - p n_g) / mean n), p = Σ k / Σ n
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.vocabulary import Floats

EACH = (
    "n_w",
    "s_w",
    "pp",
    "cs",
    "low",
    "accuracy",
    "accuracy_on_original",
    "baseline_accuracy",
)
"""Measures whose rows have such a column, named `<measure>_each`."""

GROUPS = 100
"""Groups of texts: text i is in group i modulo this number."""

_BITS, _HALVES = b"b", b"h"

# A list longer than any sweep's, and a value larger than that of any group of texts: what claims
# more is no list of ours.
_MOST = 1_000_000
_LARGEST = 30_000.0


def packed(values: ArrayLike) -> bytes:
    """Values (n,) in percent as bytes; NaN if a thing has none."""
    array = np.asarray(values, dtype=np.float64)
    if np.isin(array, (0.0, 100.0)).all():
        return _BITS + len(array).to_bytes(4, "little") + np.packbits(array > 0).tobytes()
    return _HALVES + len(array).to_bytes(4, "little") + array.astype("<f2").tobytes()


def unpacked(data: bytes) -> Floats:
    """The values (n,) that were packed.

    Raises
    ------
    ValueError
        If the bytes are no such list, or a value is too large to be one.

    """
    kind, count, body = data[:1], int.from_bytes(data[1:5], "little"), data[5:]
    needed = {_BITS: -(-count // 8), _HALVES: 2 * count}.get(kind)
    if needed is None or count > _MOST or len(body) != needed:
        raise ValueError("Row: a column of single values is cut short or of another kind.")
    if kind == _BITS:
        bits = np.unpackbits(np.frombuffer(body, np.uint8), count=count)
        return 100.0 * bits.astype(np.float64)
    values = np.frombuffer(body, "<f2").astype(np.float64)
    if (np.isinf(values) | (abs(values) > _LARGEST)).any():
        raise ValueError(f"Row: single values must lie in [-{_LARGEST:g}, {_LARGEST:g}] percent.")
    return values


def count_of(data: bytes) -> int:
    """How many values were packed."""
    return int.from_bytes(data[1:5], "little")


def shares(counted: ArrayLike, of: ArrayLike, groups: int = GROUPS) -> Floats:
    """Values of groups (g,) in percent for counts (n,) of things, `groups` at most."""
    number = np.arange(len(np.asarray(counted))) % groups
    k, n = (np.bincount(number, np.asarray(part, dtype=np.float64)) for part in (counted, of))
    share = k.sum() / n.sum()
    return np.asarray(100 * (share + (k - share * n) / n.mean()))
