"""The law of one word at one ε: every output with its probability, and how well it is known.

Intervals of a sampled law hold for each output on its own, with 95 % confidence
(`estimate.of_probabilities`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.estimate import Estimate, Source, of_probabilities
from mechanisms.shown import html_table, plot
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

if TYPE_CHECKING:
    from mechanisms.base import Mechanism

# Outputs of a law that are shown.
_SHOWN = 10


class Outcome(NamedTuple):
    """An output and its probability."""

    word: str
    probability: float


@dataclass(frozen=True, eq=False)
class Law:
    """The outputs of one word with their probabilities.

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
    word_id: int
    word_ids: WordIds
    """(k,), ascending: all of the vocabulary, or those that were met."""
    probability: Floats
    """(k,); an output may have probability 0."""
    source: Source

    @property
    def word(self) -> str:
        """The word whose law it is."""
        return self.vocabulary.words[self.word_id]

    def __len__(self) -> int:
        """The number of outputs; in a sampled law only those that were met."""
        return int(np.count_nonzero(self.probability))

    def __getitem__(self, word: str) -> float:
        """The probability of one output; `UnknownWordError` for a word outside the vocabulary."""
        return float(self.of(self.vocabulary.ids([word]))[0])

    def of(self, word_ids: WordIds) -> Floats:
        """The probabilities of words (n,), 0 for those that are not among the outputs."""
        at = np.minimum(np.searchsorted(self.word_ids, word_ids), len(self.word_ids) - 1)
        return np.where(self.word_ids[at] == word_ids, self.probability[at], 0.0)

    def likeliest(self, k: int) -> NDArray[np.int64]:
        """Positions of the k likeliest outputs in `word_ids`, ties by word id."""
        k = min(k, len(self))
        if not k:
            return np.empty(0, dtype=np.int64)
        least = np.partition(self.probability, -k)[-k]
        above, equal = (
            np.flatnonzero(at(self.probability, least)) for at in (np.greater, np.equal)
        )
        top = np.sort(np.concatenate([above, equal[: k - len(above)]]))
        return np.asarray(top[np.argsort(-self.probability[top], kind="stable")], dtype=np.int64)

    @property
    def unchanged(self) -> float:
        """N_w, the probability that the word stays."""
        return self[self.word]

    @property
    def falling(self) -> Floats:
        """The probabilities above 0, likeliest first."""
        return self.probability[self.likeliest(len(self))]

    def dense(self) -> Floats:
        """The probabilities of the whole vocabulary (V,)."""
        return self.of(np.arange(len(self.vocabulary)))

    def estimate(self, *words: str) -> Estimate:
        """The probabilities of some outputs (n,), with their intervals."""
        return self.estimate_of(self.vocabulary.ids(words))

    def estimate_of(self, word_ids: WordIds) -> Estimate:
        """The same by their ids (n,)."""
        return of_probabilities(self.of(word_ids), self.source)

    def top(self, k: int = _SHOWN) -> list[Outcome]:
        """The k likeliest outputs."""
        if k < 0:
            raise ValueError(f"Law: k must be at least 0; got {k}.")
        top = self.likeliest(k)
        likeliest = zip(self.word_ids[top].tolist(), self.probability[top].tolist(), strict=True)
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
        found = of_probabilities([share for _, share in top], self.source)
        ends = [f"{a:.4f} to {b:.4f}" for a, b in zip(found.low, found.high, strict=True)]
        return [
            (word, f"{share:.4f}") if self.source.is_exact else (word, f"{share:.4f}", end)
            for (word, share), end in zip(top, ends, strict=True)
        ]
