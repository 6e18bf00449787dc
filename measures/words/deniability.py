"""Plausible deniability of words: N_w, the chance that a word stays as it is.

Exact where the mechanism's law is known; otherwise from independent draws, with a Clopper-Pearson
interval (Feyisetan et al. 2020, Section 3.2, defines the statistic).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from measures import store
from mechanisms import Family, LawMechanism, Mechanism, Vocabulary
from mechanisms.answers import (
    STATISTICS,
    Answers,
    Curves,
    Progress,
    Statistics,
    checked_epsilons,
    exact_answers,
    sampled_largest,
    sampled_support,
)
from mechanisms.base import blocks, has_law, is_radial
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import Estimate, Kind, Source, exact, joined, of_counts, of_totals
from mechanisms.randomness import seeded_rng
from mechanisms.tokens import tokenise
from mechanisms.vocabulary import Floats, WordIds

# Draws a word and ε where there is neither a law nor a path: every ε has to be drawn for itself.
DRAWN = 200

# Different words of a text that are looked at: as many as the largest sample of the vocabulary.
MOST_OF_TEXT = 300

Sampling = Literal["frequent", "random", "rare"]
Support = Literal["distinct", "effective", "percentage"]

# Probabilities held at once.
_LAW_FLOATS = 4_000_000


def unchanged_probability(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    rng: np.random.Generator,
    draws: int = 1000,
) -> Estimate:
    """N_w = Pr[M(w) = w] of each word (n,): exact for a law, else from `draws` draws a word."""
    ids = vocabulary.checked(word_ids)
    if isinstance(mechanism, LawMechanism):
        log_law = np.empty(len(ids))
        for block in blocks(len(ids), _LAW_FLOATS // len(vocabulary)):
            law = mechanism.log_prob(vocabulary, ids[block])
            log_law[block] = law[np.arange(len(law)), ids[block]]
        return exact(np.exp(log_law))
    released = mechanism.sample(vocabulary, ids, draws, rng)
    return of_counts((released == ids[:, None]).sum(axis=1), draws)


def distinct_outputs(
    log_law: Floats, draws: int = 100, unchanged: ArrayLike | None = None
) -> Floats:
    """S_w as the expected number of different outputs in `draws` draws, exact: (n, V) -> (n,).

    Parameters
    ----------
    log_law
        log Pr[M(w) = v], one row (V,) a word.
    draws
        m, the number of draws.
    unchanged
        The rows' own words (n,), where the unchanged word shall not count, as in the benchmark;
        None to count it. For m = 100 the result is then a percentage of the draws as well.

    The sum over v of 1 - (1 - Pr[M(w) = v])^m. It needs the law itself: with estimated
    probabilities in its place it is badly low.

    """
    with np.errstate(divide="ignore"):  # a certain output: log(1 - 1) = -inf, found for sure
        absent = np.log1p(-np.minimum(np.exp(log_law), 1.0))
    absent *= draws
    found = -np.expm1(absent, out=absent)
    if unchanged is not None:
        found[np.arange(len(found)), np.asarray(unchanged)] = 0.0
    expected: Floats = found.sum(axis=1)
    return expected


# -------------------------------------------------------------------------------- every ε at once


def sample_words(vocabulary: Vocabulary, how: Sampling, count: int, seed: int = 0) -> WordIds:
    """Word ids (at most `count`, ascending): the most frequent, the rarest, or random ones.

    A vocabulary is in order of frequency, so frequent and rare are its two ends.
    """
    size = len(vocabulary)
    count = min(count, size)
    if how == "frequent":
        return np.arange(count, dtype=np.int64)
    if how == "rare":
        return np.arange(size - count, size, dtype=np.int64)
    if how == "random":
        return np.sort(seeded_rng(seed).choice(size, count, replace=False)).astype(np.int64)
    raise ValueError(f"how must be one of {', '.join(get_args(Sampling))}; got {how!r}.")


def words_of_text(
    text: str, family: Family[Mechanism], vocabulary: Vocabulary, most: int = MOST_OF_TEXT
) -> tuple[WordIds, int]:
    """The different words of a text that a family covers, ascending, and how many there are.

    If there are more than `most`, the rarest of them, since names are among these.
    """
    known = {t.word_id for t in tokenise(text, vocabulary) if t.word_id is not None}
    ids = np.array(sorted(known), dtype=np.int64)
    ids = ids[family.covers(vocabulary, ids)]
    return ids[-most:], len(ids)


def epsilon_grid(
    family: Family[Mechanism], vocabulary: Vocabulary, low: float, high: float, points: int = 49
) -> Floats:
    """Values of ε in equal ratios, a factor of two beyond both ends; those that are answered."""
    grid = np.geomspace(low / 2, high * 2, points)
    word = np.flatnonzero(family.covers(vocabulary, np.arange(len(vocabulary))))[:1]
    answered = np.array([_answers(family, vocabulary, word, float(e)) for e in grid])
    # One stretch without a gap: Truncated Gumbel refuses some ε in between.
    refused = np.flatnonzero(~answered)
    after = refused[refused > len(grid) // 2]
    before = refused[refused <= len(grid) // 2]
    first = before[-1] + 1 if len(before) else 0
    return grid[first : after[0] if len(after) else None]


def _answers(
    family: Family[Mechanism], vocabulary: Vocabulary, word_ids: WordIds, epsilon: float
) -> bool:
    try:
        family.at(epsilon).sample(vocabulary, word_ids, 1, seeded_rng(0))
    except ValueError:
        return False
    return True


def curves(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    epsilons: ArrayLike,
    *,
    directions: int = 1000,
    draws: int = 100,
    eta: float = 0.01,
    seed: int = 0,
    progress: Progress | None = None,
) -> Curves:
    """N_w and S_w of words on a grid of ε, in the best way that the family allows.

    By its law, exact; by its ε path over `directions`; or else by draws at every ε; no fewer
    directions or draws than the m of the distinct outputs. The same seed gives the same directions,
    so curves of parts of the words can be put together.
    """
    ids = vocabulary.checked(word_ids)
    rng = seeded_rng(seed)
    answers: Answers
    if has_law(family):
        answers = exact_answers(family, vocabulary, ids)
        return answers.curves(epsilons, draws=draws, eta=eta, progress=progress)
    if is_radial(family):
        answers = epsilon_path(
            family, vocabulary, ids, max(directions, draws), rng, progress=_half(progress, 0.0)
        )
        return answers.curves(epsilons, draws=draws, eta=eta, progress=_half(progress, 0.5))
    answers = DrawnAnswers(family, vocabulary, ids, max(DRAWN, draws), seed)
    return answers.curves(epsilons, draws=draws, eta=eta, progress=progress)


def joined_curves(parts: Sequence[Curves]) -> Curves:
    """Curves of several sets of words as those of one."""
    first = parts[0]
    columns = {name: joined([getattr(part, name) for part in parts]) for name in STATISTICS}
    return Curves(**columns, epsilons=first.epsilons, draws=first.draws, eta=first.eta)


def distinct_replacements(measured: Statistics, draws: int) -> Estimate:
    """Expected different words among `draws` draws, the unchanged word not counted.

    The benchmark's S_w, as a percentage of 100 draws. The word itself is among m independent draws
    with probability 1 - (1 - N_w)^m. The interval holds whatever the errors of both do together.
    """
    itself = measured.unchanged.rising(lambda n_w: -np.expm1(draws * _log1m(n_w)))
    value, low, high = (
        np.maximum(a - b, 0)
        for a, b in (
            (measured.distinct.value, itself.value),
            (measured.distinct.low, itself.high),
            (measured.distinct.high, itself.low),
        )
    )
    return Estimate(value, low, high, measured.unchanged.source)


def _log1m(share: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # certain to be drawn
        return np.asarray(np.log1p(-np.minimum(share, 1)))


@dataclass(frozen=True, eq=False)
class DrawnAnswers(Answers):
    """Answers from independent draws at every ε, for mechanisms with neither a law nor a path."""

    sample_size: int
    """Draws a word and ε."""
    seed: int

    @property
    def source(self) -> Source:
        """The draws of a word at one ε."""
        return Source("draws", self.sample_size)

    def word_law(self, position: int, epsilon: float) -> tuple[WordIds, Floats]:
        """The empirical law of one word."""
        words, counts = np.unique(self._sample(position, epsilon), return_counts=True)
        return words, counts / self.sample_size

    def unchanged_probability(self, epsilons: ArrayLike) -> Estimate:
        """N_w (n, E), from draws."""
        grid = checked_epsilons(epsilons)
        counts = np.array(
            [
                [(self._sample(i, float(e)) == word).sum() for e in grid]
                for i, word in enumerate(self.word_ids)
            ]
        ).reshape(len(self.word_ids), len(grid))
        return of_counts(counts, self.sample_size)

    def measure(self, position: int, epsilons: Floats, draws: int, eta: float) -> Statistics:
        """Everything about one word; distinct outputs by groups of `draws` draws."""
        word = self.word_ids[position]
        groups = self.sample_size // draws
        if not groups:
            raise ValueError(
                f"Distinct outputs: m (draws) must be at most {self.sample_size}; got {draws}."
            )
        samples = np.stack([self._sample(position, float(epsilon)) for epsilon in epsilons])
        grouped = np.sort(samples[:, : groups * draws].reshape(-1, groups, draws), axis=2)
        distinct = 1 + np.count_nonzero(np.diff(grouped, axis=2), axis=2)
        counted = [np.unique(sample, return_counts=True)[1] for sample in samples]
        laws = np.zeros((len(samples), max(map(len, counted))))
        for row, counts in zip(laws, counted, strict=True):
            row[: len(counts)] = counts / self.sample_size
        return Statistics(
            of_counts((samples == word).sum(axis=1), self.sample_size),
            of_totals(distinct, draws, self.source),
            sampled_support(laws, eta, self.source),
            sampled_largest(laws),
        )

    def _sample(self, position: int, epsilon: float) -> WordIds:
        at = self.family.at(epsilon)
        ids = self.word_ids[position : position + 1]
        released = at.sample(self.vocabulary, ids, self.sample_size, seeded_rng(self.seed))
        return np.asarray(released[0], dtype=np.int64)


def _half(progress: Progress | None, first: float) -> Progress | None:
    """One half of a progress."""
    return None if progress is None else lambda share: progress(first + share / 2)


# ------------------------------------------------------------------------------------- aggregates


@dataclass(frozen=True)
class Summary:
    """One statistic of many words at one ε."""

    mean: float
    low: float
    """5th percentile."""
    high: float
    """95th percentile."""
    worst: int
    """Position of the least deniable word: the largest N_w, or the smallest S_w."""


def summary(values: Floats, larger_is_worse: bool) -> Summary:
    """Mean, 5th and 95th percentile and the worst of values (n,)."""
    low, high = np.percentile(values, [5, 95])
    worst = int(values.argmax() if larger_is_worse else values.argmin())
    return Summary(float(values.mean()), float(low), float(high), worst)


@dataclass(frozen=True)
class Bands:
    """How a statistic spreads over words at every ε, each (E,)."""

    low: Floats
    middle: Floats
    high: Floats
    worst: Floats


def bands(values: Floats, larger_is_worse: bool) -> Bands:
    """5th percentile, median and 95th percentile over words, and the worst word: (n, E) -> (E,)."""
    low, middle, high = np.percentile(values, [5, 50, 95], axis=0)
    worst = values.max(axis=0) if larger_is_worse else values.min(axis=0)
    return Bands(low, middle, high, worst)


def support_size(measured: Statistics, which: Support, draws: int) -> Estimate:
    """S_w in one of its three meanings, of the same shape.

    effective   the η-effective support: at least so many where it was sampled
    distinct    expected different words among m draws
    percentage  the same for replacements only, as a percentage of the draws
    """
    if which == "effective":
        return measured.support
    if which == "distinct":
        return measured.distinct
    return distinct_replacements(measured, draws).rising(lambda count: 100 * count / draws)


def at_epsilon(curves: Curves, epsilon: float) -> Statistics:
    """The curves at one ε, each (n,); an ε outside the grid is answered at its nearest end."""
    low, high = float(curves.epsilons[0]), float(curves.epsilons[-1])
    return curves.at(min(max(epsilon, low), high))


def words_in_bar(values: Floats, edges: Floats, bar: int) -> NDArray[np.int64]:
    """Positions of the values in one bar of a histogram; the last bar holds its upper edge too."""
    bars = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    return np.flatnonzero(bars == bar)


def kept_curves(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    word_ids: ArrayLike,
    epsilons: Floats,
    draws: int,
) -> Curves:
    """`curves` of vocabulary words, from disk where they are there. Never for a visitor's words."""
    ids = vocabulary.checked(word_ids)
    settings = {
        "words": ids.tolist(),
        "epsilons": [float(e) for e in epsilons],
        "draws": draws,
        "lexicon": vocabulary.synonyms is not None,
    }

    def compute() -> dict[str, NDArray[Any]]:
        computed = curves(family, vocabulary, ids, epsilons, draws=draws)
        return dict(_arrays(computed))

    arrays = store.cached("curves-2", family, vocabulary, settings, compute)
    columns = {name: _estimate(arrays, name) for name in STATISTICS}
    return Curves(**columns, epsilons=epsilons, draws=draws, eta=0.01)


def _arrays(measured: Statistics) -> Iterator[tuple[str, NDArray[Any]]]:
    """Estimates as plain arrays by name."""
    for name, estimate in measured.estimates():
        yield f"{name}_value", estimate.value
        yield f"{name}_low", estimate.low
        yield f"{name}_high", estimate.high
        source = estimate.source
        yield f"{name}_source", np.array([get_args(Kind).index(source.kind), source.count])


def _estimate(arrays: store.Arrays, name: str) -> Estimate:
    """The estimate that `_arrays` wrote."""
    kind, count = (int(part) for part in arrays[f"{name}_source"])
    value, low, high = (np.asarray(arrays[f"{name}_{part}"]) for part in ("value", "low", "high"))
    return Estimate(value, low, high, Source(get_args(Kind)[kind], count))
