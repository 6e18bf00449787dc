r"""Unigram TEM: TEM whose outputs are weighed by how common words are.

    Pr[v | w] = q(v) e^(-ε/2 · min(d(w, v), γ)) / Z(w),   Z(w) = Σ_u q(u) e^(-ε/2 · min(d(w, u), γ))

q is a base measure (`base_measure`): fixed and public before any text is seen, q(v) > 0 for every
word. It never looks at the input. Between equally near words the commoner comes out more often, so
that private text has a share of common and rare words more like that of ordinary text.

Law        closed form; exact draws, q as the floats it is stated in
Guarantee  metric DP, ε · d. For inputs w, w' and every word u,
           |min(d(w, u), γ) - min(d(w', u), γ)| <= min(d(w, w'), γ), so that the numerators for v
           differ by a factor of e^(ε d / 2) at most: q(v) is in both, and cancels. Every summand of
           Z(w) is at most e^(ε d / 2) times that of Z(w'), and so is the sum. Together e^(ε d).
           That needs one γ for all inputs: the γ below takes the smallest q, not the input's own
Unknown    the unknown word has the law q(v) / Σ q, that of the same score for every word. Scores
           -min(d, γ) lie within γ/2 of -γ/2, so that numerator and sum each differ by a factor of
           e^(ε γ / 4) at most: ε · γ/2
γ          free, or so that the ball L_w of radius γ is left with probability at most β. With q
           normalised and x = e^(-ε γ / 2), words outside weigh x (1 - q(L_w)), words inside q(w) at
           least, since d(w, w) = 0. So
               Pr[M(w) ∉ L_w] <= x (1 - q(w)) / (q(w) + x (1 - q(w))),
           with equality if w is alone in its ball. That falls in q(w), and is at most β for every
           w if γ >= (2/ε) ln((1 - β)(1 - q_min) / (β q_min)), q_min the smallest q of any word.
           With a uniform q, q_min = 1/|W|, this is Theorem 4.2 of TEM.
           A γ(w) from q(w) would be smaller for common words and break the promise: then the score
           of a far word changes by γ(w) - γ(w') between two inputs, however close they are.
Cost       one row of distances a word for the law; a draw needs less (`selection`). Counts of a
           corpus are made once
Limit      at a small γ, q outweighs the distance: distances change a weight by e^(ε γ / 2) at most
Reference  ours; McSherry and Talwar, "Mechanism Design via Differential Privacy", FOCS 2007, state
           the exponential mechanism with a base measure; TEM: Carvalho et al., SDM 2023
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mechanisms.base import Guarantee, ToUnknown, parameter
from mechanisms.base_measure import RANKS, SOURCES, BaseMeasure, base_measure
from mechanisms.calibration import gamma_for_share
from mechanisms.selection import DistanceLaw
from mechanisms.tem import TEM
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


@dataclass(frozen=True, kw_only=True)
class UnigramTEM(DistanceLaw):
    """Words by their distance up to γ and by how common they are.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> law = wv.UnigramTEM(epsilon=4, gamma=5).law(v, "movie")
    >>> [(word, round(p, 3)) for word, p in law.top(2)]
    [('movie', 0.853), ('film', 0.147)]
    """

    name = "Unigram TEM"

    gamma: float | None = parameter(
        "γ",
        "the distance beyond which words weigh by q alone; if left open, computed from β and the "
        "smallest q",
        above=0,
        default=None,
    )
    beta: float = parameter(
        "β", "the largest probability of leaving the ball", above=0, below=1, default=1e-3
    )
    corpus: str = parameter(
        "q",
        "the public source of q: ranks, that is the order of the embedding's words, or the counts "
        "of a corpus",
        choices=SOURCES,
        default=RANKS,
    )
    weight: float = parameter(
        "κ",
        "the weight of q against a uniform measure: 0 is TEM",
        at_least=0,
        at_most=1,
        default=1.0,
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP: q is the same for every input, and γ too."""
        gamma = self.threshold(vocabulary)
        return Guarantee(
            "metric DP",
            self.epsilon,
            theorem="the exponential mechanism with a base measure, McSherry and Talwar 2007",
            conditions=(
                "q must be public: the promise does not cover a q counted on private texts.",
            ),
            caveat=self._outweighed(vocabulary, gamma),
            to_unknown=ToUnknown(f"γ/2 (γ = {gamma:.4g})", self._half_threshold),
        )

    def _half_threshold(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        return np.full(len(word_ids), self.threshold(vocabulary) / 2)

    def _outweighed(self, vocabulary: Vocabulary, gamma: float) -> str:
        """A sentence if q changes a weight by more than all distances can."""
        widest, score = self.measure(vocabulary).widest, self.epsilon * gamma / 2
        if score >= math.log(widest):
            return ""
        return (
            "With these settings q outweighs the input: q changes the weight of a word by a "
            f"factor of up to {widest:.3g}, the distance by one of up to {math.exp(score):.3g}."
        )

    def measure(self, vocabulary: Vocabulary) -> BaseMeasure:
        """q on this vocabulary."""
        return base_measure(vocabulary, self.corpus, self.weight)

    @property
    def histories(self) -> tuple[int, ...]:
        """The numbers of released words that q looks at: none."""
        return ()

    def without_base_measure(self) -> TEM:
        """TEM with the same ε, and the same γ or the same β."""
        return TEM(epsilon=self.epsilon, gamma=self.gamma, beta=self.beta)

    def base_measure(self, vocabulary: Vocabulary) -> Floats | None:
        """q(v), scaled by a power of two; None for κ = 0, a uniform q."""
        return self.measure(vocabulary).weights if self.weight else None

    def derived(self, vocabulary: Vocabulary) -> dict[str, float]:
        """The γ in force, and the smallest q."""
        return {
            "γ in force": self.threshold(vocabulary),
            "smallest q": self.smallest_share(vocabulary),
        }

    def smallest_share(self, vocabulary: Vocabulary) -> float:
        """q_min of any word, q normalised."""
        return self.measure(vocabulary).smallest_share if self.weight else 1 / len(vocabulary)

    def threshold_terms(self, vocabulary: Vocabulary) -> tuple[float, float]:
        """γ itself; from β it falls as 1/ε. If any γ keeps β (the formula is negative), 0."""
        if self.gamma is not None:
            return self.gamma, 0.0
        least = self.smallest_share(vocabulary)
        return 0.0, max(0.0, gamma_for_share(1.0, self.beta, least))
