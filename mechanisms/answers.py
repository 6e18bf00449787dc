"""What can be asked of a word at any ε: its law, N_w, S_w, and the entropies they stand for.

N_w is the chance that the word stays. S_w has several meanings; two are answered here:

η-effective support   the smallest number of words that together have probability 1 - η
distinct outputs      the expected number of different words among m draws

The two extremes of the Rényi entropy are H₀ = log |support| and H_∞ = log (1 / max p); for small
enough ε the word itself is the likeliest output, and then they are log S_w and log (1 / N_w).

`LawAnswers` answers exactly where the law is known, `epsilon_path.EpsilonPath` from directions with
the radius integrated out; they have the same methods.

Reference  Feyisetan et al., "Privacy- and Utility-Preserving Textual Analysis via Calibrated
           Multivariate Perturbations", WSDM 2020, Section 3.2
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.base import LawMechanism, Mechanism, has_law
from mechanisms.contenders import in_threads
from mechanisms.estimate import (
    EXACT,
    Estimate,
    Source,
    exact,
    stacked,
    support_margin,
    unknown,
)
from mechanisms.exact_law import normalised
from mechanisms.family import Family
from mechanisms.interpolation import between, between_jumps
from mechanisms.law import Law
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

Progress = Callable[[float], None]
"""Is told the share that is done, from 0 to 1; what it raises stops the work."""

# More threads than this gain little: each wants its share of the cache.
THREADS = min(4, os.cpu_count() or 1)


@dataclass(frozen=True, eq=False)
class Statistics:
    """N_w and S_w of words at one ε, each (n,), or of one word on a grid of ε, each (E,)."""

    unchanged: Estimate
    distinct: Estimate
    support: Estimate
    largest: Estimate
    """The largest probability."""

    def estimates(self) -> Iterator[tuple[str, Estimate]]:
        """Every estimate with its name."""
        for name in STATISTICS:
            yield name, getattr(self, name)


STATISTICS = ("unchanged", "distinct", "support", "largest")


@dataclass(frozen=True, eq=False)
class Curves(Statistics):
    """Answers on a grid of ε, each (n, E), so that any ε in its range is read off at once.

    Between the points of the grid N_w and S_w are read from a cubic in log ε that rises and falls
    with the points (Fritsch and Carlson 1980), and the interval grows by what a chord differs from
    it, there and in the neighbouring cells. The η-support jumps: its interval is that of both
    neighbouring points.
    """

    epsilons: Floats
    draws: int
    eta: float

    def at(self, epsilon: float) -> Statistics:
        """All answers at one ε, each (n,).

        Raises
        ------
        ValueError
            For an ε outside the grid: nothing is extrapolated.

        """
        low, high = float(self.epsilons[0]), float(self.epsilons[-1])
        if not low <= epsilon <= high:
            raise ValueError(
                f"Curves: ε (epsilon) must lie in [{low:g}, {high:g}]; got {epsilon:g}."
            )
        found = self.on(np.array([epsilon]))
        return Statistics(**{name: estimate[:, 0] for name, estimate in found.estimates()})

    def on(self, epsilons: Floats) -> Curves:
        """The same curves on another grid (E',) inside this one, at its points unchanged."""
        grid = np.asarray(epsilons, dtype=np.float64)
        at = np.searchsorted(self.epsilons, grid).clip(max=len(self.epsilons) - 1)
        if (self.epsilons[at] == grid).all():
            read = {name: estimate[:, at] for name, estimate in self.estimates()}
            return Curves(**read, epsilons=grid, draws=self.draws, eta=self.eta)
        x, fine = np.log(self.epsilons), np.log(grid)
        read = {
            name: between_jumps(found, x, fine) if name == "support" else between(found, x, fine)
            for name, found in self.estimates()
        }
        return Curves(**read, epsilons=grid, draws=self.draws, eta=self.eta)


@dataclass(frozen=True, eq=False)
class Answers(ABC):
    """The questions, for the words `word_ids` (n,)."""

    family: Family[Mechanism]
    vocabulary: Vocabulary
    word_ids: WordIds

    @abstractmethod
    def word_law(self, position: int, epsilon: float) -> tuple[WordIds, Floats]:
        """The outputs of one word, ascending, by position in `word_ids`; their probabilities."""

    @abstractmethod
    def measure(self, position: int, epsilons: Floats, draws: int, eta: float) -> Statistics:
        """Everything about one word at all ε (E,)."""

    def law(self, position: int, epsilon: float) -> Law:
        """The law of one word at one ε."""
        mechanism, word_id = self.family.at(epsilon), int(self.word_ids[position])
        outputs, probability = self.word_law(position, epsilon)
        return Law(mechanism, self.vocabulary, word_id, outputs, probability, self.source)

    @property
    @abstractmethod
    def source(self) -> Source:
        """What the probabilities of a law come from."""

    @abstractmethod
    def unchanged_probability(self, epsilons: ArrayLike) -> Estimate:
        """N_w = Pr[M(w) = w] of every word at all ε (n, E)."""

    def distinct_outputs(self, epsilons: ArrayLike, draws: int) -> Estimate:
        """The expected number of different words among `draws` draws (n, E)."""
        return self.curves(epsilons, draws=draws).distinct

    def effective_support(self, epsilons: ArrayLike, eta: float) -> Estimate:
        """The smallest number of words that together have probability 1 - η, (n, E).

        From directions or draws words that none of them met are missing, so the interval has no
        upper end.
        """
        return self.curves(epsilons, draws=1, eta=eta).support

    def entropies(self, epsilons: ArrayLike, eta: float = 0.01) -> tuple[Floats, Floats]:
        """H₀ of the η-effective support and H_∞ = log (1 / max p), natural logarithms, (n, E)."""
        curves = self.curves(epsilons, draws=1, eta=eta)
        return np.log(curves.support.value), -np.log(curves.largest.value)

    def curves(
        self,
        epsilons: ArrayLike,
        *,
        draws: int = 100,
        eta: float = 0.01,
        threads: int = THREADS,
        progress: Progress | None = None,
    ) -> Curves:
        """All answers on a grid of ε.

        Parameters
        ----------
        epsilons
            (E,), positive, ascending.
        draws
            m of the expected number of distinct outputs.
        eta
            η of the effective support, in [0, 1).
        threads
            Words measured at a time; the answers do not depend on it.
        progress
            Told the share that is done; what it raises stops the work.

        Raises
        ------
        ValueError
            For an ε, m or η out of range, or more draws than there are directions.

        """
        grid = checked_epsilons(epsilons)
        if draws < 1:
            raise ValueError(f"Distinct outputs: m (draws) must be at least 1; got {draws}.")
        if not 0 <= eta < 1:
            raise ValueError(f"Effective support: η (eta) must lie in [0, 1); got {eta:g}.")
        tasks = (
            partial(self.measure, position, grid, draws, eta)
            for position in range(len(self.word_ids))
        )
        rows = list(in_threads(tasks, len(self.word_ids), threads, progress))
        if not rows:
            nothing = {name: exact(np.empty((0, len(grid)))) for name in STATISTICS}
            return Curves(**nothing, epsilons=grid, draws=draws, eta=eta)
        columns = {name: stacked([getattr(row, name) for row in rows]) for name in STATISTICS}
        return Curves(**columns, epsilons=grid, draws=draws, eta=eta)


def checked_epsilons(epsilons: ArrayLike) -> Floats:
    """ε as an array (E,), positive, finite and ascending."""
    grid = np.atleast_1d(np.asarray(epsilons, dtype=np.float64))
    if grid.ndim != 1 or not np.isfinite(grid).all() or (grid <= 0).any():
        raise ValueError(f"ε (epsilons) must be positive numbers (E,); got {epsilons!r}.")
    if (np.diff(grid) <= 0).any():
        raise ValueError("ε (epsilons) must ascend, and no value may repeat.")
    return grid


def effective_support(law: Floats, eta: float) -> Floats:
    """How many of the likeliest words reach 1 - η of each row's sum: (E, k) -> (E,)."""
    if eta == 0:
        counts = np.count_nonzero(law, axis=1)
    else:
        accumulated = np.cumsum(np.sort(law, axis=1)[:, ::-1], axis=1)
        # Rounding must not ask for one word more than needed.
        needed = (1 - eta) * accumulated[:, -1:] * (1 - 1e-12)
        counts = np.count_nonzero(accumulated < needed, axis=1) + 1
    return np.asarray(counts, dtype=np.float64)


def sampled_support(law: Floats, eta: float, source: Source) -> Estimate:
    """`effective_support` of empirical laws (E, k): at least so many, with confidence."""
    value = effective_support(law, eta)
    low = np.minimum(effective_support(law, support_margin(eta, source.count)), value)
    return Estimate(value, low, np.full_like(value, np.inf), source)


def sampled_largest(law: Floats) -> Estimate:
    """The largest probability of empirical laws (E, k): the largest of many, so it errs upwards."""
    return unknown(np.minimum(law.max(axis=1), 1), 0, 1)


def _support(law: Floats, eta: float) -> int:
    """`effective_support` of one law whose likeliest words come first."""
    if eta == 0:
        return int(np.count_nonzero(law))
    accumulated = np.cumsum(law)
    return int(np.searchsorted(accumulated, (1 - eta) * accumulated[-1] * (1 - 1e-12))) + 1


# ------------------------------------------------------------------------------------ exact answers


@dataclass(frozen=True, eq=False)
class LawAnswers(Answers):
    """Exact answers of a mechanism whose law is known, computed when they are asked for."""

    family: Family[LawMechanism]

    @property
    def source(self) -> Source:
        """Exact."""
        return EXACT

    def word_law(self, position: int, epsilon: float) -> tuple[WordIds, Floats]:
        """The whole law of one word."""
        at = self.family.at(float(epsilon))
        law = np.exp(at.log_prob(self.vocabulary, self.word_ids[position : position + 1])[0])
        return np.arange(len(law)), law

    def unchanged_probability(self, epsilons: ArrayLike) -> Estimate:
        """N_w, exact: (n, E)."""
        grid = checked_epsilons(epsilons)
        value = np.empty((len(self.word_ids), len(grid)))
        for position, word in enumerate(self.word_ids):
            for column, epsilon in enumerate(grid):
                value[position, column] = self._kept(self.word_law(position, epsilon)[1], word)
        return exact(value)

    def measure(self, position: int, epsilons: Floats, draws: int, eta: float) -> Statistics:
        """Everything about one word, one law at a time."""
        rows = []
        laws = self._laws(position, epsilons)
        for law, stays in laws:
            with np.errstate(divide="ignore"):  # log 0: certain to be drawn
                distinct = -np.expm1(draws * np.log1p(-np.minimum(law, 1))).sum()
            rows.append((stays, distinct, _support(law, eta), law[0]))
        return Statistics(*map(exact, np.array(rows, dtype=np.float64).T))

    def _laws(self, position: int, epsilons: Floats) -> Iterator[tuple[Floats, float]]:
        """At each ε the law of one word (V,), likeliest output first, and N_w."""
        word_id = int(self.word_ids[position])
        mechanism = self.family.without_epsilon
        if (
            isinstance(mechanism, DistanceLaw)
            and mechanism.base_measure(self.vocabulary) is None
            and word_id != self.vocabulary.unknown_id
        ):
            # Falling in the distance at every ε: one row of distances, sorted once.
            word = self.word_ids[position : position + 1]
            distances = np.sort(self.vocabulary.distances(word), axis=1)
            for epsilon in epsilons:
                at = self.family.at(float(epsilon))
                assert isinstance(at, DistanceLaw)
                law = np.exp(normalised(at.scores(self.vocabulary, distances.copy())))[0]
                yield law, float(law[0])
        else:
            for epsilon in epsilons:
                law = self.word_law(position, float(epsilon))[1]
                yield np.sort(law)[::-1], self._kept(law, word_id)

    def _kept(self, law: Floats, word_id: int) -> float:
        """Pr[M(w) = w] from the law of w (V,); the unknown word never comes out."""
        return float(law[word_id]) if word_id != self.vocabulary.unknown_id else 0.0


def exact_answers(
    family: Family[Mechanism], vocabulary: Vocabulary, word_ids: ArrayLike
) -> LawAnswers:
    """The answers of a law mechanism: TEM, SanText, Truncated Gumbel, SynTF.

    Where a mechanism is not defined at some ε (Truncated Gumbel below its smallest), asking for
    that ε raises its own ValueError.
    """
    if not has_law(family):
        raise TypeError(
            f"Exact answers: {family.name} has no law in closed form; use its ε path or draws."
        )
    return LawAnswers(family, vocabulary, vocabulary.checked_inputs(word_ids))
