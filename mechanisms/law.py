"""The law of one word at one ε: every output with its probability, and how well it is known.

LawMechanism   exact
RadialNoise    a mean over directions, the radius integrated out (`epsilon_path`)
any other      counted among draws

Intervals of a sampled law hold for each output on its own, with 95 % confidence. A count among
draws has a Clopper-Pearson interval. A mean p over n directions is one of values in [0, 1], whose
tails are at most e times those of a binomial share (Bentkus, "On Hoeffding's inequalities", Annals
of Probability 32, 2004): the interval is Clopper-Pearson's at a level that is e times smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mechanisms.base import LawMechanism, Mechanism, RadialNoise
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import (
    CONFIDENCE,
    EXACT,
    Estimate,
    Source,
    clopper_pearson,
    exact,
    of_counts,
)
from mechanisms.randomness import seeded_rng
from mechanisms.shown import html_table, plot
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

# Outputs of a law that are shown.
_SHOWN = 10


class Outcome(NamedTuple):
    """An output and its probability."""

    word: str
    probability: float


@dataclass(frozen=True, eq=False)
class Law:
    """The outputs of one word, likeliest first; outputs of probability 0 are left out.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> law = wv.SanText(epsilon=4).law(v, "movie")
    >>> [(word, round(probability, 4)) for word, probability in law.top(2)]
    [('movie', 0.8808), ('film', 0.1192)]
    >>> law.unchanged == law["movie"], str(law.source)
    (True, 'exact')
    """

    mechanism: Mechanism
    vocabulary: Vocabulary
    word: str
    word_ids: WordIds
    """(k,), likeliest first."""
    probability: Floats
    """(k,), falling."""
    source: Source

    def __len__(self) -> int:
        """The number of outputs; in a sampled law only those that were met."""
        return len(self.word_ids)

    def __getitem__(self, word: str) -> float:
        """The probability of one output; `UnknownWordError` for a word outside the vocabulary."""
        at = np.flatnonzero(self.word_ids == self.vocabulary.ids([word])[0])
        return float(self.probability[at[0]]) if len(at) else 0.0

    @property
    def unchanged(self) -> float:
        """N_w, the probability that the word stays."""
        return self[self.word]

    def estimate(self, *words: str) -> Estimate:
        """The probabilities of some outputs (n,), with their intervals."""
        return self._with_intervals(np.array([self[word] for word in words]))

    def top(self, k: int = _SHOWN) -> list[Outcome]:
        """The k likeliest outputs."""
        if k < 0:
            raise ValueError(f"Law: k must be at least 0; got {k}.")
        likeliest = zip(self.word_ids[:k].tolist(), self.probability[:k].tolist(), strict=True)
        return [Outcome(self.vocabulary.words[i], share) for i, share in likeliest]

    def plot(self, k: int = 20) -> Any:
        """A bar chart of the k likeliest outputs, as a figure of plotly."""
        return plot(self, k=k)

    @property
    def title(self) -> str:
        """The mechanism, the word and the source."""
        return f"{self.mechanism!r} of {self.word!r}, {self.source}"

    def __repr__(self) -> str:
        """The title and the number of outputs."""
        return f"<Law: {self.title}, {len(self):,} outputs>"

    def __str__(self) -> str:
        """The title, and the likeliest outputs with their intervals."""
        rows = self._rows()
        width = max((len(row[0]) for row in rows), default=0)
        return "\n".join(
            [self.title, *(f"{row[0]:<{width}}  {'  '.join(row[1:])}" for row in rows)]
        )

    def _repr_html_(self) -> str:
        """The likeliest outputs as a table, for a notebook."""
        columns = ["output", "probability", *([] if self.source.is_exact else ["95 % interval"])]
        return html_table(self.title, columns, self._rows())

    def _rows(self) -> list[tuple[str, ...]]:
        top = self.top()
        found = self._with_intervals(np.array([share for _, share in top]))
        ends = [f"{a:.4f} to {b:.4f}" for a, b in zip(found.low, found.high, strict=True)]
        return [
            (word, f"{share:.4f}") if self.source.is_exact else (word, f"{share:.4f}", end)
            for (word, share), end in zip(top, ends, strict=True)
        ]

    def _with_intervals(self, share: Floats) -> Estimate:
        if self.source.is_exact:
            return exact(share)
        n = self.source.count
        if self.source.kind == "draws":
            return of_counts(share * n, n)
        share = np.minimum(share, 1.0)  # a sum may pass 1 by its rounding
        low, high = clopper_pearson(share * n, n, (1 - CONFIDENCE) / 2 / math.e)
        return Estimate(share, np.minimum(low, share), np.maximum(high, share), self.source)


def word_law(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word: str,
    *,
    directions: int,
    draws: int,
    seed: int,
) -> Law:
    """`Mechanism.law`."""
    for name, count in (("directions", directions), ("draws", draws)):
        if count < 1:
            raise ValueError(f"Law: {name} must be at least 1; got {count}.")
    ids = vocabulary.ids([word])
    if isinstance(mechanism, LawMechanism):
        share = np.exp(mechanism.log_prob(vocabulary, ids)[0])
        found, source = np.arange(len(share)), EXACT
    elif isinstance(mechanism, RadialNoise):
        path = epsilon_path(mechanism.family(), vocabulary, ids, directions, seeded_rng(seed))
        found, share = path.word_law(0, mechanism.epsilon)
        source = Source("directions", directions)
    else:
        drawn = mechanism.sample(vocabulary, ids, draws, seeded_rng(seed))[0]
        found, counts = np.unique(drawn, return_counts=True)
        share, source = counts / draws, Source("draws", draws)
    order = np.lexsort((found, -share))[: np.count_nonzero(share)]
    return Law(mechanism, vocabulary, word, found[order], share[order], source)
