r"""Exact draws from a law that is known up to its sum: integer proposals, lazy acceptance.

An input word has a weight w_v > 0 for every output v: a real number, of which a float64 estimate
w̃_v and enclosures of any width (`weight.Weight`) are at hand. This module releases v with
probability w_v / Σ w *exactly*, if the generator's bits are ideal: no sum of floats, no normaliser
and no uniform number of 53 bits decides anything. Inversion of a float64 sum, the usual way, can
never return an output of a probability below 2^-53.

The row of the input has a scale S > 0, any float, and each output an integer W_v, its *cells*. The
cells of all outputs, one output after the other, begin at 0 and end at or before 2^62. The first S
w_v of the W_v cells of an output are its *own part*; the rest of the 2^62 is *waste*.

    1. T is a uniform real number of [0, 2^62): its whole part t from 62 bits, more bits on demand.
    2. If T lies in the own part of v, v is released. Otherwise begin again with a new T.

Each claim has a test in `tests/mechanisms/test_exact_draws.py` that names it.

Claim 1, the law. If W_v >= S w_v for all v and Σ W <= 2^62, the own parts do not overlap; a round
    returns v with probability S w_v / 2^62, and so v is released with probability w_v / Σ w.
Claim 2, the layout does not matter. S, the W_v and the order of the outputs cancel in claim 1. They
    may come from floats, depend on the input, and change from one round to the next. Inside one
    round the same W_v serve for the search and for the acceptance.
Claim 3, whole numbers. W_v = ⌊S w̃_v (1 + slack)⌋ + 1, its running sums and the search of t among
    them are int64, none above 2^62. So every word has a cell, and a word of probability 10^-139 can
    come out, with just this probability.
Claim 4, the estimate. w̃_v = w_v (1 + e) with |e| <= η_v = (|ln w_v| + 2) unit, if log weights have
    a relative error of at most 3/4 unit, the exponential one of 2^-31, and unit >= 2^-30: with y =
    3/4 |ln w_v| unit <= 1/4, e^y (1 + 2^-31) - 1 <= y (1 + y) + 0.7 unit. With the slack of 256
    units, W_v >= S w_v: if |ln w_v| <= 126, since η_v <= slack / 2; otherwise S w_v < 1, since a
    row whose largest weight is 2^-100 or more has S < 2^162 < e^113.
Claim 5, the decision by whole parts. With r the cells of v before t, T lies in the own part if r +
    1 <= S w̃_v (1 - η_v), and in the waste if r >= 1 and r >= S w̃_v (1 + η_v), whatever the
    further bits. An estimate that underflows decides nothing: it has W_v = 1 and r = 0.
Claim 6, the decision by further bits. If claim 5 does not decide, 64 bits more of T and an
    enclosure of w_v to as many bits are taken, again and again, until T's interval lies on one side
    of the enclosure of S w_v. The decision is the one for the infinite string of bits. The loop
    continues after b bits with a probability below 2^(2-b), so it ends with probability 1.
Claim 7, blocks. Cells may be handed out in two steps (`selection`): B_b >= Σ W_v (v in b) cells to
    a block b of words, and inside it W_v to each word. The cells between are waste; claim 1 holds.
Claim 8, equal outputs. m outputs of one weight (SynTF's words without a rating) can share one entry
    of m W cells, of which the i-th W belong to the i-th output: claim 1 as if they were listed.
Claim 9, the check at start. Claim 4 assumes thirty good bits of numpy's square root and
    exponential. They are compared with ball arithmetic, to forty bits at 3,000 places
    (`weight.check_arithmetic`), and in float32 with float64, to the units in the last place that
    `selection` assumes; if one fails, an error is raised and nothing is released.

Assumptions: ideal bits (ChaCha20's are indistinguishable from ideal ones for everybody who cannot
break it); IEEE 754 sums and products; claim 9's bits of root and exponential.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.vocabulary import Floats
from mechanisms.weight import Weight

Integers = NDArray[np.int64]

# T lies in [0, 2^62): 62 of the 64 bits of a random word, so that no sum overflows.
_BITS = 62
SPACE = 2**_BITS

# η of a weight is (|ln w| + 2) units; all layouts have 256 units of slack.
UNIT = 2.0**-30
_SLACK = 256

# Left free for the rounding of sums: a part in 2^22 of all points.
_SPARE = 2**40

_TINY = np.finfo(np.float64).tiny
_LARGEST_WEIGHT = (2.0**-100, 2.0**100)


def random_words(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """The next 64-bit words (count,) of the generator."""
    return rng.integers(0, 2**64 - 1, size=count, dtype=np.uint64, endpoint=True)


def points(rng: np.random.Generator, count: int) -> Integers:
    """Whole parts (count,) of uniform points of [0, 2^62)."""
    return (random_words(rng, count) >> np.uint64(64 - _BITS)).astype(np.int64)


def scale_for(total: Floats, entries: int | Integers) -> Floats:
    """S for rows of estimated weights with sums (n,), so that all cells fit into 2^62.

    `entries` is how many cells rounding up may add; sums must include every slack.
    """
    scale: Floats = (SPACE - _SPARE - np.asarray(entries, dtype=np.float64)) / total
    return scale


def cells(weights: Floats | NDArray[np.float32], scale: Floats, unit: float) -> Integers:
    """W = ⌊S w̃ (1 + slack)⌋ + 1: weights (n, k), scales (n,) -> (n, k)."""
    return (weights * (scale * (1 + _SLACK * unit))[:, None]).astype(np.int64) + 1


def slack(unit: float) -> float:
    """The relative slack of every number of cells."""
    return _SLACK * unit


class Layout:
    """The cells of some rows, each with the same number k of entries.

    Parameters
    ----------
    weights
        w̃ (n, k); the largest of each row must lie in [2^-100, 2^100].
    unit
        The unit of the estimates' errors, at least 2^-30.
    counts
        How many outputs share an entry, (n, k); 0 for an entry that only fills the row. None: one.

    Raises
    ------
    ValueError
        If the weights of a row are not scaled.
    RuntimeError
        If its cells do not fit: float64 errs more than IEEE 754 allows.

    """

    def __init__(self, weights: Floats, unit: float = UNIT, counts: Integers | None = None) -> None:
        """Hand out the cells."""
        self._weights, self._unit, self._counts = weights, unit, counts
        shared = weights if counts is None else weights * counts
        largest = np.where(shared > 0, weights, 0).max(axis=1)
        if not ((largest >= _LARGEST_WEIGHT[0]) & (largest <= _LARGEST_WEIGHT[1])).all():
            raise ValueError(
                "Exact draws: the largest weight of each word must lie in [2^-100, 2^100]; got "
                f"{largest.min():g} to {largest.max():g}. Scale the weights."
            )
        entries = weights.shape[1] if counts is None else counts.sum(axis=1)
        self.scale = scale_for(shared.sum(axis=1) * (1 + 2 * slack(unit)), entries)
        self.cells = cells(weights, self.scale, unit)
        self._cumulative = np.cumsum(
            self.cells if counts is None else self.cells * counts, axis=1, dtype=np.int64
        )
        if (self._cumulative[:, -1] > SPACE).any():
            raise RuntimeError("Exact draws: the cells of a word do not fit into 2^62.")

    def draw(
        self,
        row: Integers,
        rng: np.random.Generator,
        weight_of: Callable[[int, int], Weight],
    ) -> tuple[Integers, Integers]:
        """Draws from the law of each row asked for: (m,) -> entries (m,), places in them (m,).

        `weight_of(row, entry)` is the exact weight. The place is 0 for an entry of one output.
        """
        entry, place = np.full(len(row), -1, dtype=np.int64), np.zeros(len(row), dtype=np.int64)
        pending = np.arange(len(row))
        while len(pending):
            found, before = self._round(row[pending], rng, weight_of)
            taken = found >= 0
            entry[pending[taken]], place[pending[taken]] = found[taken], before[taken]
            pending = pending[~taken]
        return entry, place

    def one_round(
        self,
        row: Integers,
        rng: np.random.Generator,
        weight_of: Callable[[int, int], Weight],
    ) -> Integers:
        """One point for each row: the entry whose own part it hits, or -1: (m,) -> (m,)."""
        return self._round(row, rng, weight_of)[0]

    def _round(
        self, row: Integers, rng: np.random.Generator, weight_of: Callable[[int, int], Weight]
    ) -> tuple[Integers, Integers]:
        found, rest, inside = search(self._cumulative, row, points(rng, len(row)))
        own = self.cells[row, found]
        before, rest = np.divmod(rest, own)
        taken = inside & accepted(
            rest,
            self.scale[row],
            self._weights[row, found],
            self._unit,
            partial(_weight_of_draw, weight_of, row, found),
            rng,
            among=inside,
        )
        return np.where(taken, found, -1), before


def _weight_of_draw(
    weight_of: Callable[[int, int], Weight], row: Integers, entry: Integers, i: int
) -> Weight:
    return weight_of(int(row[i]), int(entry[i]))


def search(
    cumulative: Integers, row: Integers, point: Integers
) -> tuple[Integers, Integers, NDArray[np.bool_]]:
    """The entry of each point, the cells of the entry before it, and whether there is one.

    Running sums of cells (r, k), rows (m,), points (m,) at least 0 -> (m,), (m,), (m,). A point
    behind the last cell is waste; entry and rest then mean nothing.
    """
    total = cumulative[row, -1]
    inside = point < total
    point = np.minimum(point, total - 1)
    entry = first_reaching(cumulative, row, point + 1)
    before = np.where(entry > 0, cumulative[row, entry - 1], 0)
    return entry, point - before, inside


def accepted(
    rest: Integers,
    scale: Floats,
    weights: Floats,
    unit: float,
    weight_of: Callable[[int], Weight],
    rng: np.random.Generator,
    among: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Whether T lies in the own part of its output: claims 5 and 6.

    Parameters
    ----------
    rest
        The cells of the output before t, (m,).
    scale, weights
        S and w̃, (m,) each.
    unit
        The unit of the estimates' errors.
    weight_of
        The exact weight of the i-th draw.
    among
        Which draws to decide, (m,); the others are not accepted. None: all.

    """
    estimate = scale * weights
    # A weight below the smallest float has r = 0, and no estimate of it decides.
    error = (np.abs(np.log(np.maximum(weights, _TINY))) + 2) * unit
    own: NDArray[np.bool_] = rest + 1 <= estimate * (1 - error)
    waste = (rest >= 1) & (rest >= estimate * (1 + error))
    if among is not None:
        own &= among
        waste |= ~among
    for i in np.flatnonzero(~own & ~waste).tolist():
        own[i] = refined(int(rest[i]), float(scale[i]), weight_of(i), rng)
    return own


def refined(rest: int, scale: float, weight: Weight, rng: np.random.Generator) -> bool:
    """Whether r plus further bits lies below S w: 64 bits at a time, until it is certain."""
    bits, further = 0, 0
    while True:
        bits += 64
        further = (further << 64) | int(random_words(rng, 1)[0])
        low, high = (Fraction(scale) * end * 2**bits for end in weight.enclosed(bits + _BITS + 2))
        point = (rest << bits) + further
        if point + 1 <= low:
            return True
        if point >= high:
            return False


def first_reaching(
    cumulative: Integers | Floats, row: Integers, level: Integers | Floats
) -> Integers:
    """The first column of each row that reaches a level: (r, k), rows (m,), levels (m,) -> (m,).

    Rows ascend, and their last column reaches every level asked for.
    """
    low = np.zeros(len(row), dtype=np.int64)
    high = np.full(len(row), cumulative.shape[1] - 1, dtype=np.int64)
    for _ in range((cumulative.shape[1] - 1).bit_length()):
        middle = (low + high) // 2
        reached = cumulative[row, middle] >= level
        high = np.where(reached, middle, high)
        low = np.where(reached, low, middle + 1)
    return low
