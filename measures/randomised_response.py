"""k-ary randomised response: a noisy answer to a question with k options, and a class's counts.

With probability λ the answer given is the true one; otherwise it is uniform over all k options, the
true one among them. So the true option is reported with probability p = λ + (1 - λ) / k, any other
one with q = (1 - λ) / k, and p / q = e^ε for λ = (e^ε - 1) / (e^ε + k - 1).

Law        closed form; λ is rounded down to a multiple of 2⁻³², so that 32 random bits decide it
           exactly and p / q is at most e^ε
Guarantee  pure DP, ε for any two answers of one person to one question; ε of several questions add
Estimate   of t people with an answer, from c reports of n: (c - n q) / (p - q). Unbiased; its
           variance is (t p (1 - p) + (n - t) q (1 - q)) / (p - q)²
Interval   every t whose law of reports, Binomial(t, p) + Binomial(n - t, q), holds c among its
           likeliest outcomes of 95 % together, each weighed by its likelihood over that of the best
           t (Feldman and Cousins, Physical Review D 57, 1998): exact, and never empty
References Warner, "Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias",
           JASA 1965; Kairouz, Oh and Viswanath, "Extremal Mechanisms for Local Differential
           Privacy", JMLR 2016
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.estimate import CONFIDENCE
from mechanisms.number_cache import number_cache
from mechanisms.vocabulary import Floats

UNIT = 2**32

# Above so many reports an interval takes seconds.
MOST_REPORTS = 500

# Likelihood ratios that differ by rounding alone rank alike.
_ROUNDING = 1e-9


class Estimated(NamedTuple):
    """How many people have each answer: estimates (k,), and the ends of their intervals (k,)."""

    value: Floats
    """Unbiased: below 0 or above n by chance."""
    low: Floats
    high: Floats

    @property
    def within(self) -> Floats:
        """The estimates (k,), each moved to the nearer end of its interval if it lies outside."""
        return np.clip(self.value, self.low, self.high)


@dataclass(frozen=True)
class RandomisedResponse:
    """How one answer out of k is reported under ε; without an ε it is reported as it is."""

    options: int
    epsilon: float | None

    def __post_init__(self) -> None:
        """Check the two parameters."""
        if not 2 <= self.options <= 100:
            raise ValueError(
                "Randomised response: the number of options must lie in [2, 100]; got "
                f"{self.options}."
            )
        if self.epsilon is not None and not 0 < self.epsilon <= 20:
            raise ValueError(
                f"Randomised response: ε (epsilon) must lie in (0, 20]; got {self.epsilon:g}."
            )

    @property
    def keep(self) -> int:
        """λ in units of 2⁻³², rounded down: below it, a random 32-bit number keeps the answer."""
        if self.epsilon is None:
            return UNIT
        grown = math.expm1(self.epsilon)
        return math.floor(UNIT * grown / (grown + self.options) * (1 - 1e-15))

    @property
    def true_probability(self) -> float:
        """The probability p that the true answer is reported."""
        return (self.options * self.keep + (UNIT - self.keep)) / (self.options * UNIT)

    @property
    def other_probability(self) -> float:
        """The probability q of each other answer."""
        return (UNIT - self.keep) / (self.options * UNIT)

    def report(self, answer: int, bits: Callable[[], int]) -> int:
        """The answer that is reported; `bits` returns 32 random bits at each call.

        A browser does the same (`question.js`).
        """
        if not 0 <= answer < self.options:
            raise ValueError(
                f"Randomised response: an answer must lie in [0, {self.options}); got {answer}."
            )
        if self.epsilon is None or bits() < self.keep:
            return answer
        even = UNIT - UNIT % self.options  # above it, some options would have one chance more
        while (drawn := bits()) >= even:
            pass
        return drawn % self.options

    def spread(self, holders: float, reports: int) -> float:
        """The standard deviation of the estimate, if so many of those who reported hold it."""
        p, q = self.true_probability, self.other_probability
        variance = holders * p * (1 - p) + (reports - holders) * q * (1 - q)
        return math.sqrt(variance) / (p - q)

    def estimate(self, counts: ArrayLike) -> Estimated:
        """How many have each answer, from the counts of reports (k,).

        Raises
        ------
        ValueError
            If the counts are not k whole numbers, or more than 500 together.

        """
        reported = np.asarray(counts)
        if reported.shape != (self.options,) or (reported < 0).any():
            raise ValueError(
                f"Randomised response: {self.options} counts are needed, each at least 0; got "
                f"{reported.tolist()!r:.100}."
            )
        n = int(reported.sum())
        if self.epsilon is None:
            exact = reported.astype(np.float64)
            return Estimated(exact, exact, exact)
        if n > MOST_REPORTS:
            raise ValueError(
                f"Randomised response: at most {MOST_REPORTS} reports have intervals; got {n}."
            )
        p, q = self.true_probability, self.other_probability
        ends = _intervals(n, p, q)[reported.astype(np.int64)]
        return Estimated((reported - n * q) / (p - q), ends[:, 0], ends[:, 1])


def law_of_counts(reports: int, p: float, q: float) -> Floats:
    """Pr[c reports of an answer | t hold it], t in rows and c in columns, (n + 1, n + 1)."""
    from scipy.special import gammaln, xlog1py, xlogy

    def binomials(probability: float) -> Floats:
        """Pr[Binomial(m, probability) = c], m in rows."""
        m, c = np.arange(reports + 1)[:, None], np.arange(reports + 1)[None]
        rest = np.maximum(m - c, 0)
        ways = gammaln(m + 1) - gammaln(c + 1) - gammaln(rest + 1)
        logs = ways + xlogy(c, probability) + xlog1py(rest, -probability)
        return np.where(c <= m, np.exp(logs), 0.0)

    true, other = binomials(p), binomials(q)
    everyone = range(reports + 1)  # sums of positive terms: small probabilities are right, too
    return np.array(
        [np.convolve(true[t, : t + 1], other[reports - t, : reports - t + 1]) for t in everyone]
    )


@number_cache(64)
def _intervals(reports: int, p: float, q: float) -> NDArray[np.float64]:
    """The interval of t for each count c of reports, (n + 1, 2)."""
    law = law_of_counts(reports, p, q)
    ratio = law / np.maximum(law.max(axis=0), np.finfo(float).tiny)
    order = np.argsort(-ratio, axis=1, kind="stable")
    ranked = np.take_along_axis(ratio, order, axis=1)
    reached = np.take_along_axis(law, order, axis=1).cumsum(axis=1)
    last = np.argmax(reached >= CONFIDENCE - _ROUNDING, axis=1)
    least = np.take_along_axis(ranked, last[:, None], axis=1)
    held = ratio >= least * (1 - _ROUNDING)
    low = np.argmax(held, axis=0)
    high = reports - np.argmax(held[::-1], axis=0)
    return np.column_stack([low, high]).astype(np.float64)
