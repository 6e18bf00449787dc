"""N_w and S_w of named words over ε, for a notebook: `deniability.curves` with its words' names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from measures.words.deniability import curves
from measures.words.targets import epsilon_range
from mechanisms import FamilyLike, Vocabulary, family_of
from mechanisms.answers import STATISTICS, Curves, Progress
from mechanisms.estimate import Estimate
from mechanisms.shown import html_table, plot

Statistic = Literal["unchanged", "distinct", "support"]

MEANINGS: dict[str, str] = {
    "unchanged": "N_w, probability that the word stays",
    "distinct": "S_w, expected different outputs in m draws",
    "support": "S_w, η-effective support",
}

# ε of a grid that nobody chose.
_POINTS = 25


@dataclass(frozen=True, eq=False)
class WordCurves(Curves):
    """Curves (n, E) of n words, with the words."""

    words: tuple[str, ...]
    mechanism: str
    """Its name on screen."""

    def of(self, word: str, statistic: Statistic = "unchanged") -> Estimate:
        """A statistic of one word at every ε (E,)."""
        if word not in self.words:
            raise ValueError(f"Curves: {word!r} is not one of {', '.join(self.words)}.")
        found: Estimate = getattr(self, _checked(statistic))
        return found[self.words.index(word)]

    def plot(self, statistic: Statistic = "unchanged") -> Any:
        """A line a word over ε with its 95 % intervals, as a figure of plotly."""
        return plot(self, statistic=_checked(statistic))

    @property
    def title(self) -> str:
        """The mechanism and the source."""
        return f"{self.mechanism}, {self.unchanged.source}"

    def __repr__(self) -> str:
        """The title, the words and the range of ε."""
        low, high = self.epsilons[[0, -1]]
        return f"<Curves: {self.title}; {', '.join(self.words)}; ε from {low:.4g} to {high:.4g}>"

    def _repr_html_(self) -> str:
        """N_w as a table, a row for every ε."""
        rows = [
            [f"{epsilon:.4g}", *(_with_interval(self.unchanged[:, column], i) for i in words)]
            for words in [range(len(self.words))]
            for column, epsilon in enumerate(self.epsilons)
        ]
        return html_table(f"{MEANINGS['unchanged']}: {self.title}", ["ε", *self.words], rows)


def word_curves(
    mechanism: FamilyLike,
    vocabulary: Vocabulary,
    words: Sequence[str],
    epsilons: ArrayLike | None = None,
    *,
    directions: int = 1000,
    draws: int = 100,
    eta: float = 0.01,
    seed: int = 0,
    progress: Progress | None = None,
) -> WordCurves:
    """N_w and S_w of words at every ε.

    Parameters
    ----------
    mechanism
        A class or its name; or parameters of your own, such as `TEM.family(gamma=3)`.
    words
        Words of the vocabulary.
    epsilons
        (E,), positive, ascending; None for 25 over the range in which ε matters.
    directions, draws, eta, seed, progress
        As for `measures.words.deniability.curves`.

    Raises
    ------
    UnknownWordError, ValueError, TypeError
        For a word outside the vocabulary, for an ε out of range, for words that are one string.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> found = wv.curves(wv.SanText, v, ["movie"], [1, 4])
    >>> found
    <Curves: SanText, exact; movie; ε from 1 to 4>
    >>> found.of("movie").value.round(3).tolist()
    [0.619, 0.881]
    """
    if isinstance(words, str):
        raise TypeError(f"Curves: give a list of words; got the single text {words!r}.")
    ids = vocabulary.ids(words)
    if not len(ids):
        raise ValueError("Curves: at least one word is needed; got none.")
    family = family_of(mechanism)
    bare = np.flatnonzero(~family.covers(vocabulary, ids))
    if len(bare):
        raise ValueError(f"Curves: {family.name} has no law for {words[int(bare[0])]!r}.")
    if epsilons is None:
        low, _, high = epsilon_range(family, vocabulary)
        epsilons = np.geomspace(low, high, _POINTS)
    found = curves(
        family,
        vocabulary,
        ids,
        epsilons,
        directions=directions,
        draws=draws,
        eta=eta,
        seed=seed,
        progress=progress,
    )
    return WordCurves(
        **{name: getattr(found, name) for name in STATISTICS},
        epsilons=found.epsilons,
        draws=found.draws,
        eta=found.eta,
        words=tuple(words),
        mechanism=family.name,
    )


def _with_interval(found: Estimate, position: int) -> str:
    value, low, high = (float(part[position]) for part in (found.value, found.low, found.high))
    return f"{value:.4f}" if low == high else f"{value:.4f} ({low:.4f} to {high:.4f})"


def _checked(statistic: str) -> str:
    if statistic not in MEANINGS:
        raise ValueError(f"Curves: must be one of {', '.join(MEANINGS)}; got {statistic!r}.")
    return statistic
