r"""TEM: the exponential mechanism with distances truncated at γ.

Word y is released with probability proportional to exp(-ε/2 · min(d(w, y), γ)): words in the ball
of radius γ by their distance, all others alike. The paper draws from the ball L_w and one element ⊥
that stands for all words outside, of weight |W \ L_w| · exp(-ε γ / 2), then a uniform word for ⊥:
the same law.

Law        closed form; exact draws
Guarantee  metric DP, ε · d for any metric d (Theorem 4.1)
Unknown    the unknown word has a uniform law, that of the same score for every word; ε · γ/2, since
           scores lie in [-γ, 0] and so within γ/2 of the score -γ/2
γ          free, or by Theorem 4.2 so that the ball is left with probability at most β
Cost       one row of distances a word for the law; a draw needs less (`selection`)
Reference  Carvalho et al., "TEM: High Utility Metric Differential Privacy on Text", SDM 2023
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mechanisms.base import Guarantee, ToUnknown, parameter
from mechanisms.calibration import gamma_for
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


@dataclass(frozen=True, kw_only=True)
class TEM(DistanceLaw):
    """Words by their distance up to γ, all farther ones alike.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> [(word, round(p, 3)) for word, p in wv.TEM(epsilon=4, gamma=5).law(v, "film").top(2)]
    [('film', 0.881), ('movie', 0.119)]
    """

    name = "TEM"

    gamma: float | None = parameter(
        "γ",
        "the distance beyond which all words weigh the same; if left open, computed from β by "
        "Theorem 4.2",
        above=0,
        default=None,
    )
    beta: float = parameter(
        "β", "the largest probability of leaving the ball", above=0, below=1, default=1e-3
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP: truncating a metric leaves the score's sensitivity at d(w, w')."""
        gamma = self.threshold(vocabulary)
        return Guarantee(
            "metric DP",
            self.epsilon,
            theorem="Carvalho et al. 2023, Theorem 4.1",
            to_unknown=ToUnknown(f"γ/2 (γ = {gamma:.4g})", self._half_threshold),
        )

    def _half_threshold(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        return np.full(len(word_ids), self.threshold(vocabulary) / 2)

    def derived(self, vocabulary: Vocabulary) -> dict[str, float]:
        """The γ in force."""
        return {"γ in force": self.threshold(vocabulary)}

    def threshold_terms(self, vocabulary: Vocabulary) -> tuple[float, float]:
        """γ itself; by Theorem 4.2 it falls as 1/ε. If any γ keeps β (its value is negative), 0."""
        if self.gamma is not None:
            return self.gamma, 0.0
        return 0.0, max(0.0, gamma_for(1.0, self.beta, len(vocabulary)))
