r"""TEM's ball: how often a word leaves it, and the bound of Theorem 4.2 on that.

L_w are the words within γ of w, itself included. TEM leaves them with probability

    Pr[M(w) ∉ L_w] = |W \ L_w| e^{-εγ/2} / (Σ_{v ∈ L_w} e^{-ε d(w, v)/2} + |W \ L_w| e^{-εγ/2}),

exactly. A word that is alone in its ball has the most words outside and the least weight inside,
so nothing is left more often than K e^{-εγ/2} / (1 + K e^{-εγ/2}) with K = |W| - 1: that is β, and
the theorem is this equation solved for γ. The bound is met by lonely words and loose for others.

Reference  Carvalho et al., "TEM: High Utility Metric Differential Privacy on Text", SDM 2023,
           Theorem 4.2 and its proof
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from mechanisms import Vocabulary
from mechanisms.base import blocks
from mechanisms.calibration import beta_for, epsilon_for, gamma_for
from mechanisms.vocabulary import Floats, WordIds

Sought = Literal["gamma", "beta", "epsilon"]

USUAL_BETAS = (0.1, 1e-3, 1e-6)

# Distances held at once.
_FLOATS = 4_000_000


@dataclass(frozen=True)
class Theorem:
    """ε, β and γ that belong together for |W| words, and the numbers on the way from two to one."""

    epsilon: float
    beta: float
    gamma: float
    words: int

    @property
    def in_force(self) -> float:
        """The γ that TEM takes: 0 if the theorem allows any."""
        return max(self.gamma, 0.0)

    def given(self) -> dict[str, float]:
        """The three of them, γ as TEM takes it."""
        return {"epsilon": self.epsilon, "beta": self.beta, "gamma": self.in_force}

    @property
    def others(self) -> int:
        """K = |W| - 1, the words that are outside in the worst case."""
        return self.words - 1

    @property
    def outside_weight(self) -> float:
        """e^{-εγ/2}, the weight of one word outside; the word itself has weight 1."""
        exponent = -self.epsilon * self.gamma / 2
        return math.exp(exponent) if exponent < 700 else math.inf

    @property
    def all_outside(self) -> float:
        """K e^{-εγ/2}, the weight of all of them."""
        return self.others * self.outside_weight

    @property
    def odds(self) -> float:
        """(1 - β) K / β, what e^{εγ/2} must reach."""
        return (1 - self.beta) * self.others / self.beta if self.beta else math.inf


def solve(sought: Sought, epsilon: float, beta: float, gamma: float, words: int) -> Theorem:
    """Theorem 4.2 solved for one of the three; the value given for that one plays no part.

    Raises
    ------
    ValueError
        If the others are out of range, or no ε does it: γ = 0 makes all words alike, and a β so
        large that any γ will do leaves no equation to solve.

    """
    if sought == "gamma":
        return Theorem(epsilon, beta, gamma_for(epsilon, beta, words), words)
    if sought == "beta":
        return Theorem(epsilon, beta_for(epsilon, gamma, words), gamma, words)
    found = epsilon_for(gamma, beta, words)
    if found <= 0:
        raise ValueError(
            f"Theorem 4.2: with {words:,} words and β = {beta:g} any ε and any γ will do: even a "
            "uniform draw over all words leaves the ball with a probability of at most β."
        )
    return Theorem(found, beta, gamma, words)


class Curves(NamedTuple):
    """γ over ε, a row a β: (e,), (b,) and (b, e)."""

    epsilon: Floats
    beta: list[float]
    gamma: Floats


def gamma_curves(found: Theorem, points: int = 61) -> Curves:
    """γ over two decades of ε to either side, for some usual β and that of the theorem, first.

    A β of 0 has no γ and is left out.
    """
    with np.errstate(over="ignore"):
        epsilon = found.epsilon * np.geomspace(0.01, 100, points)
    epsilon = epsilon[(epsilon > 0) & np.isfinite(epsilon)]
    beta = [found.beta, *(b for b in USUAL_BETAS if b != found.beta)]
    beta = [b for b in beta if 0 < b < 1]
    gamma = [[gamma_for(e, b, found.words) for e in epsilon.tolist()] for b in beta]
    return Curves(epsilon, beta, np.array(gamma))


class Balls(NamedTuple):
    """For words (n,): |L_w|, the chance to leave the ball, and the chance to stay as it is."""

    word_ids: WordIds
    inside: WordIds
    leaving: Floats
    unchanged: Floats

    @property
    def worst(self) -> int:
        """Position of the word that leaves most often."""
        return int(self.leaving.argmax())

    def and_(self, others: Balls) -> Balls:
        """These words and others, which come first."""
        columns = zip(others, self, strict=True)
        return Balls(*(np.concatenate(pair) for pair in columns))


def balls(vocabulary: Vocabulary, word_ids: ArrayLike, epsilon: float, gamma: float) -> Balls:
    """The balls of words (n,) at ε and γ, exact. A γ below 0 is taken as 0, as TEM does."""
    ids, gamma = vocabulary.checked(word_ids), max(gamma, 0.0)
    inside = np.empty(len(ids), dtype=np.int64)
    log_inside = np.empty(len(ids))
    for block in blocks(len(ids), _FLOATS // len(vocabulary)):
        distances = vocabulary.distances(ids[block])
        near = distances <= gamma
        inside[block] = near.sum(axis=1)
        log_inside[block] = np.log(_weights(distances, epsilon).sum(axis=1, where=near))
    log_outside = _log_outside(len(vocabulary) - inside, epsilon, gamma)
    log_all = np.logaddexp(log_inside, log_outside)
    return Balls(ids, inside, expit(log_outside - log_inside), np.exp(-log_all))


class ByGamma(NamedTuple):
    """One word at every γ, each (g,); the bound is that of Theorem 4.2."""

    gamma: Floats
    inside: WordIds
    leaving: Floats
    unchanged: Floats
    bound: Floats


def by_gamma(vocabulary: Vocabulary, word_id: int, epsilon: float, points: int = 400) -> ByGamma:
    """What a γ of one's own does to a word: from a small one to one that holds all words."""
    distances = np.sort(vocabulary.distances([word_id])[0])
    gamma = np.linspace(0, 1.1 * max(distances[-1], np.finfo(float).tiny), points)
    inside = np.searchsorted(distances, gamma, side="right")
    log_inside = np.log(np.cumsum(_weights(distances, epsilon))[inside - 1])
    log_outside = _log_outside(len(distances) - inside, epsilon, gamma)
    log_all = np.logaddexp(log_inside, log_outside)
    bound = np.array([beta_for(epsilon, g, len(distances)) for g in gamma])
    return ByGamma(gamma, inside, expit(log_outside - log_inside), np.exp(-log_all), bound)


def _weights(distances: Floats, epsilon: float) -> Floats:
    """e^{-εd/2}; the word itself has d = 0 and weight 1, so sums never vanish."""
    with np.errstate(over="ignore"):  # an exponent of -inf is a weight of 0
        weights: Floats = np.exp(-epsilon / 2 * distances)
    return weights


def _log_outside(outside: WordIds, epsilon: float, gamma: float | Floats) -> Floats:
    r"""ln(|W \ L_w| e^{-εγ/2}), -inf if nothing is outside."""
    with np.errstate(divide="ignore", over="ignore"):
        logarithm: Floats = np.log(outside) - epsilon / 2 * np.asarray(gamma)
    return logarithm
