"""SanText: the exponential mechanism on the distance itself.

Word y is released with probability proportional to exp(-ε/2 · d(w, y)). It is TEM without a
threshold: every word of the vocabulary, however far, keeps a weight of its own, and together the
many far words may outweigh the few near ones.

Law        closed form; exact draws
Guarantee  metric DP, ε · d for any metric d: a weight changes by at most e^(ε d / 2) between two
           inputs, and so does the sum of all weights
Unknown    the unknown word has a uniform law, that of the same score for every word; ε · far(w)/2
           with far(w) the distance from w to its farthest word, since scores lie in [-far(w), 0]
Cost       one row of distances a word for the law; a draw needs less (`selection`)
Reference  Yue et al., "Differential Privacy for Text Analytics via Natural Text Sanitization",
           Findings of ACL-IJCNLP 2021
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mechanisms.base import Guarantee, ToUnknown
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


def _half_the_farthest(vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
    return vocabulary.farthest_distances(word_ids) / 2


_HALF_THE_FARTHEST = ToUnknown(
    "half the distance from the word to its farthest word", _half_the_farthest
)


@dataclass(frozen=True, kw_only=True)
class SanText(DistanceLaw):
    """All words by their distance.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> [(word, round(p, 3)) for word, p in wv.SanText(epsilon=4).law(v, "film").top(2)]
    [('film', 0.881), ('movie', 0.119)]
    """

    name = "SanText"

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP: the score is the distance, whose sensitivity is d(w, w')."""
        return Guarantee(
            "metric DP",
            self.epsilon,
            theorem="Yue et al. 2021, SanText is ε · d",
            to_unknown=_HALF_THE_FARTHEST,
        )

    def threshold_terms(self, vocabulary: Vocabulary) -> tuple[float, float]:
        """No distance is truncated."""
        return math.inf, 0.0
