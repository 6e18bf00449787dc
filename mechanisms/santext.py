"""SanText: the exponential mechanism on the distance itself.

Word y is released with probability proportional to exp(-ε/2 · d(w, y)). It is TEM without a
threshold: every word of the vocabulary, however far, keeps a weight of its own, and together the
many far words may outweigh the few near ones.

Law        closed form
Guarantee  metric DP, ε · d for any metric d: a weight changes by at most e^(ε d / 2) between two
           inputs, and so does the sum of all weights
Cost       one row of distances a word for the law; a draw needs less (`selection`)
Reference  Yue et al., "Differential Privacy for Text Analytics via Natural Text Sanitization",
           Findings of ACL-IJCNLP 2021
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mechanisms.base import Guarantee, LawMechanism
from mechanisms.selection import select
from mechanisms.tem import exponential_law
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


@dataclass(frozen=True, kw_only=True)
class SanText(LawMechanism):
    """All words by their distance."""

    name = "SanText"

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP: the score is the distance, whose sensitivity is d(w, w')."""
        return Guarantee("metric DP", self.epsilon, theorem="Yue et al. 2021, SanText is ε · d")

    def log_prob(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """The log of the softmax of -ε/2 · d."""
        return exponential_law(vocabulary.distances(word_ids), self.epsilon)

    def sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Independent draws of M(w), by rejection where a word has few: ids (n,) -> (n, size)."""
        by_law = super().sample
        return select(
            vocabulary, word_ids, size, rng, epsilon=self.epsilon, gamma=math.inf, by_law=by_law
        )
