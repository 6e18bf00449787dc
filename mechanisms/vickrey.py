"""Vickrey: noise as in CMP, then the nearest word or the second nearest.

Named after the second-price auction. From the noisy point p̂ the two nearest words w₁ and w₂ are the
candidates, and w₁ is released with probability

    p(t, p̂) = (1 - t) ‖φ(w₂) - p̂‖ / (t ‖φ(w₁) - p̂‖ + (1 - t) ‖φ(w₂) - p̂‖),

otherwise w₂. At t = 0 that is CMP; far from all words, where both distances are alike, it is 1 - t.
Words that share a vector count as one candidate, released under its lowest id.

published  the input word is never a candidate. It is removed after the noise was added, so the
           choice looks at the input a second time and the guarantee of the noise is lost:
           Pr[M(w) = w] = 0, while other words give w. Needs three different words.
repaired   the input word stays a candidate. The choice then depends on the noisy point alone.
           Needs two different words.

Law        no closed form; every ε at once by the ε path and a quadrature over the radius
Guarantee  repaired: metric DP, ε · d with d the Euclidean distance, as CMP; published: broken
Unknown    the unknown word starts from the mean vector, and no candidate is removed for it.
           repaired: ε · ‖φ(w) - mean‖; published: none
Cost       as CMP, with two or three words to find instead of one
Reference  Xu et al., "On a Utilitarian Approach to Privacy Preserving Text Generation",
           PrivateNLP 2021, for two candidates
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mechanisms.base import TO_MEAN, Guarantee, NearestTwo, parameter
from mechanisms.cmp import ExponentialNoise
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


@dataclass(frozen=True, kw_only=True)
class Vickrey(ExponentialNoise, NearestTwo):
    """Noise of density ∝ exp(-ε ‖z‖), then one of the two nearest words.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> wv.Vickrey(epsilon=4, variant="published").law(v, "movie")["movie"]
    0.0
    """

    name = "Vickrey"

    t: float = parameter(
        "t", "the weight of the second nearest word", at_least=0, below=1, default=0.5
    )
    variant: str = parameter(
        "variant",
        "published: the input word never comes out; repaired: it can, like any other word",
        choices=("published", "repaired"),
        default="repaired",
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP as CMP where the choice sees the noisy point only; otherwise broken."""
        if self.variant == "repaired":
            return Guarantee(
                "metric DP",
                self.epsilon,
                theorem="Feyisetan et al. 2020, Theorem 1, and post-processing",
                to_unknown=TO_MEAN,
            )
        return Guarantee(
            "metric DP",
            self.epsilon,
            theorem="claimed by Xu et al. 2021",
            caveat="The input word w is removed from the candidates after the noise is added, so "
            "Pr[M(w) = w] = 0, while other words lead to w with positive probability. No finite ε "
            "allows that.",
            holds=False,
        )

    @property
    def excludes_input(self) -> bool:
        """As published."""
        return self.variant == "published"

    @property
    def _needed(self) -> int:
        return 3 if self.excludes_input else 2

    def check(self, vocabulary: Vocabulary) -> None:
        """Two candidates are needed, as published besides the input word."""
        if vocabulary.different_vectors < self._needed:
            raise ValueError(
                f"Vickrey ({self.variant}): the vocabulary needs {self._needed} words with "
                f"different vectors to have two candidates; got {vocabulary.different_vectors}."
            )

    def choose(
        self,
        vocabulary: Vocabulary,
        input_ids: WordIds,
        points: Floats,
        rng: np.random.Generator,
    ) -> WordIds:
        """The first candidate with probability p(t, p̂), otherwise the second."""
        candidates, first = self.candidates(vocabulary, input_ids, points)
        return np.where(rng.random(len(points)) < first, candidates[:, 0], candidates[:, 1])

    def candidates(
        self, vocabulary: Vocabulary, input_ids: WordIds, points: Floats
    ) -> tuple[WordIds, Floats]:
        """The two candidates of each noisy point (n, 2), nearest first, and p(t, p̂) (n,).

        Raises
        ------
        ValueError
            If the vocabulary has too few different words to choose from.

        """
        self.check(vocabulary)
        return self.among(vocabulary, input_ids, *vocabulary.nearest_k(points, self._needed))

    def among(
        self, vocabulary: Vocabulary, input_ids: WordIds, distances: Floats, ids: WordIds
    ) -> tuple[WordIds, Floats]:
        """The candidates among the nearest vectors of each point: (n, 2 or 3) each."""
        if self.excludes_input:
            # The input word, or the farthest of the three, goes last and is left out.
            known = np.flatnonzero(input_ids != vocabulary.unknown_id)
            removed = np.zeros(ids.shape, dtype=bool)
            removed[known] = ids[known] == vocabulary.representatives[input_ids[known], None]
            kept = np.argsort(removed, axis=1, kind="stable")[:, :2]
            distances = np.take_along_axis(distances, kept, 1)
            ids = np.take_along_axis(ids, kept, 1)
        nearer, farther = self.t * distances[:, 0], (1 - self.t) * distances[:, 1]
        return ids, farther / (nearer + farther)
