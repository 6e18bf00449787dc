"""Weights of a law as exact numbers, enclosed as closely as asked.

A weight is q · exp(-a · min(√s, c)) with rational q, a, s and c. Vectors are float32, so a squared
distance s = ‖x - v‖² is a rational; so are ε, γ and a base measure q(v), which are floats. The
enclosure is computed by ball arithmetic (Johansson, "Arb: efficient arbitrary-precision midpoint-
radius interval arithmetic", IEEE Transactions on Computers 2017), or by the standard library's
`decimal`, whose root and exponential are rounded correctly, if python-flint is missing.

Float64 estimates weights first. `check_arithmetic` compares numpy's root and exponential with
enclosures, once a process.
"""

from __future__ import annotations

import decimal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Enclosure = tuple[Fraction, Fraction]

# The relative error that float64's root and exponential are assumed to keep, and the one that the
# check at the start demands.
ASSUMED = 2.0**-31
_DEMANDED = 2.0**-40

# python-flint keeps its precision for the whole process.
_lock = threading.Lock()


@dataclass(frozen=True)
class Weight:
    """The number q · exp(-a · min(√s, c)); by default 1."""

    rate: Fraction = Fraction(0)
    """a, at least 0."""
    square: Fraction = Fraction(0)
    """s, at least 0."""
    ceiling: Fraction | None = None
    """c, at least 0; None: no ceiling."""
    factor: Fraction = Fraction(1)
    """q, above 0."""

    def enclosed(self, bits: int) -> Enclosure:
        """Two rationals around the weight, whose difference is at most 2^-bits times it.

        A weight below q · 2^-(4 bits + 4096) is enclosed by 0 and that number instead.
        """
        square = self.square
        if self.ceiling is not None:
            square = min(square, self.ceiling**2)
        vanishing = 4 * bits + 4096
        if self.rate**2 * square > vanishing**2:
            return Fraction(0), self.factor / 2**vanishing
        low, high = _exponential()(self.rate, square, bits + 8)
        return self.factor * low, self.factor * high


def squared_distance(a: NDArray[np.float32], b: NDArray[np.float32]) -> Fraction:
    """‖a - b‖² of two float32 vectors (d,), exactly."""
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    return sum(((Fraction(x) - Fraction(y)) ** 2 for x, y in pairs), Fraction(0))


def check_arithmetic() -> None:
    """Compare numpy's square root and exponential with enclosures, once a process.

    Raises RuntimeError if one of them misses the relative error of 2^-40, a thousandth part of
    the error that exact draws allow for, or in float32 the units in the last place that the bounds
    of blocks allow for: then nothing is released.
    """
    _check(np.sqrt, np.exp)


def denormals_survive() -> bool:
    """Whether this thread computes with numbers below the smallest normal float32."""
    smallest = np.full(1, 2.0**-149, dtype=np.float32)
    return bool((smallest.astype(np.float64) > 0).all())


@cache
def _check(root: Callable[..., Any], exponential: Callable[..., Any]) -> None:
    """The check for these two functions. A failure is not kept: it is found again."""
    squares = np.concatenate([np.geomspace(1e-90, 1e36, 397), np.linspace(0, 100, 101)])
    scores = np.concatenate([np.geomspace(1e-12, 1, 97), np.linspace(0, 200, 401)])
    for name, function, points, exact in (
        ("square root", root, squares, _root_of),
        ("exponential", exponential, -scores, _exponential_of),
    ):
        enclosures = [exact(Fraction(x)) for x in points.tolist()]
        # A vector library takes other paths for few, for strided and for many numbers.
        singly = np.concatenate([function(points[i : i + 1]) for i in range(len(points))])
        strided = function(np.repeat(points, 3)[::3])
        for values in (function(points), singly, strided):
            for x, value, (low, high) in zip(points.tolist(), values, enclosures, strict=True):
                slack = Fraction(_DEMANDED) * high
                if not low - slack <= Fraction(float(value)) <= high + slack:
                    raise RuntimeError(
                        f"Exact draws: this machine's {name} of {x!r} is {float(value)!r}, which "
                        "misses the true value by more than a relative 2^-40. Nothing is released; "
                        "install another build of numpy."
                    )

    for name, function, numbers, units in (
        ("square root", root, np.geomspace(1e-30, 1e30, 4_001), 1),
        ("exponential", exponential, np.linspace(-80, 0, 4_001), 4),
    ):
        short = numbers.astype(np.float32)
        values = function(short)
        # In float64 the value was found right just now.
        error = np.abs(values - function(short.astype(np.float64)))
        if not (error < units * np.spacing(values)).all():
            raise RuntimeError(
                f"Exact draws: this machine's {name} in float32 errs by more than {units} units in "
                "the last place. Nothing is released; install another build of numpy."
            )


def _root_of(square: Fraction) -> Enclosure:
    """√s by whole numbers: ⌊√(s 4^k)⌋ / 2^k and one unit more."""
    shift = 80 + max(0, square.denominator.bit_length() - square.numerator.bit_length())
    below = isqrt((square.numerator << 2 * shift) // square.denominator)
    return Fraction(below, 1 << shift), Fraction(below + 1 if square else 0, 1 << shift)


def _exponential_of(score: Fraction) -> Enclosure:
    return Weight(Fraction(1), score**2).enclosed(80)


# ----------------------------------------------------------------------------- e^(-a √s), two ways


def _by_balls(rate: Fraction, square: Fraction, bits: int) -> Enclosure:
    """Two rationals around exp(-a √s), by python-flint."""
    import flint

    # The score may have that many bits before its point.
    before = rate.numerator.bit_length() + square.numerator.bit_length() // 2 + 2
    before -= rate.denominator.bit_length() + square.denominator.bit_length() // 2 - 2
    with _lock, flint.ctx.workprec(bits + max(0, before) + 16):
        root = flint.arb(flint.fmpq(square.numerator, square.denominator)).sqrt()
        ball = (-flint.arb(flint.fmpq(rate.numerator, rate.denominator)) * root).exp()
        return _rational(ball.lower()), _rational(ball.upper())


def _rational(exact: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _by_decimals(rate: Fraction, square: Fraction, bits: int) -> Enclosure:
    """Two rationals around exp(-a √s), by the standard library."""
    before = max(0, (rate**2 * square).numerator.bit_length())
    before = max(0, before - (rate**2 * square).denominator.bit_length())
    digits = int((bits + before) * 0.302) + 12
    lowest, highest = decimal.MIN_EMIN, decimal.MAX_EMAX
    down = decimal.Context(digits, decimal.ROUND_FLOOR, lowest, highest)
    up = decimal.Context(digits, decimal.ROUND_CEILING, lowest, highest)
    score_squared = rate**2 * square
    ends = []
    for near, far in ((down, up), (up, down)):
        numerator = decimal.Decimal(score_squared.numerator)
        quotient = near.divide(numerator, decimal.Decimal(score_squared.denominator))
        score = near.sqrt(quotient)  # rounded to nearest, whatever the context says
        score = near.next_minus(score) if near is down else near.next_plus(score)
        # The smaller score belongs to the larger weight, and exp is rounded to nearest too.
        weight = far.exp(score.copy_negate() if score_squared else decimal.Decimal(0))
        if score_squared:
            weight = far.next_plus(weight) if near is down else far.next_minus(weight)
        ends.append(Fraction(weight))
    return ends[1], ends[0]


@cache
def _exponential() -> Callable[[Fraction, Fraction, int], Enclosure]:
    """Balls if python-flint is installed, else decimals."""
    try:
        import flint  # noqa: F401
    except ImportError:
        return _by_decimals
    return _by_balls
