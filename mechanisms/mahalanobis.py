"""Mahalanobis: CMP with noise stretched along the directions in which the words spread.

Noise z of density proportional to exp(-ε ‖z‖_RM) is added to the word's vector, and the word
nearest to the noisy point, in the Euclidean distance, is released. The regularised Mahalanobis norm

    ‖z‖_RM = sqrt(zᵀ (λ Σ + (1 - λ) I)⁻¹ z)

mixes the words' sample covariance Σ, scaled to mean variance one, with the identity: λ = 0 is CMP,
λ = 1 the plain Mahalanobis norm. Round noise in a flat cloud of words mostly leaves the cloud and
comes back to where it started; noise of the cloud's own shape meets other words.

With A Aᵀ = λ Σ + (1 - λ) I, u uniform on the sphere and r ~ Gamma(d, 1/ε), the noise is r A u.

Law        no closed form; every ε at once by the ε path, with A u in place of u
Guarantee  metric DP, ε · d with d(w, w') = ‖φ(w) - φ(w')‖_RM, not the Euclidean distance
Unknown    the unknown word starts from the mean vector: ε · ‖φ(w) - mean‖_RM
Singular   at λ = 1 a covariance without full rank (fewer words than dimensions, a constant column)
           has no norm and is refused; any λ visibly below 1 works
Cost       as CMP; one decomposition a vocabulary, whatever λ: d × d, or V × d if V < d
Reference  Xu et al., "A Differentially Private Text Perturbation Method Using Regularized
           Mahalanobis Metric", PrivateNLP 2020
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mechanisms.base import Distance, Guarantee, ToUnknown, parameter
from mechanisms.cmp import ExponentialNoise
from mechanisms.vocabulary import Floats, Vocabulary, WordIds


@dataclass(frozen=True, kw_only=True)
class Mahalanobis(ExponentialNoise):
    """Noise of density ∝ exp(-ε ‖z‖_RM), then the nearest word.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> round(wv.Mahalanobis(epsilon=4).law(v, "movie").unchanged, 1)
    0.9
    """

    name = "Mahalanobis"

    lam: float = parameter(
        "λ", "the share of the words' covariance in the noise", at_least=0, at_most=1, default=0.2
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP in the regularised Mahalanobis distance of this vocabulary and λ."""
        return Guarantee(
            "metric DP",
            self.epsilon,
            theorem="Xu et al. 2020, Theorem 1",
            distance=Distance(
                f"regularised Mahalanobis distance (λ = {self.lam:g})", self.distance_between
            ),
            to_unknown=ToUnknown(
                "the distance from the word to the mean vector, in the same norm",
                self.distance_to_mean,
            ),
            caveat="The promise is stated in this distance, not in the Euclidean one. Words that "
            "differ along the directions of largest spread are closer in it, others are farther "
            "apart.",
        )

    def distance_between(self, vocabulary: Vocabulary, a: WordIds, b: WordIds) -> Floats:
        """‖φ(a) - φ(b)‖_RM pair by pair: ids (n,), ids (n,) -> (n,)."""
        difference = vocabulary.vectors[a].astype(np.float64) - vocabulary.vectors[b]
        distances: Floats = self._norm(vocabulary, difference)
        return distances

    def distance_to_mean(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """‖φ(w) - mean‖_RM: ids (n,) -> (n,)."""
        distances: Floats = self._norm(vocabulary, vocabulary.vectors[word_ids] - vocabulary.mean)
        return distances

    def log_density(self, vocabulary: Vocabulary, noise: Floats) -> Floats:
        """-ε ‖z‖_RM."""
        return super().log_density(vocabulary, self._norm(vocabulary, noise)[..., None])

    def directions(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """A u, u uniform on the unit sphere: not of length one."""
        directions = super().directions(vocabulary, size, rng)
        lengths, axes, rest = self._stretch(vocabulary)
        if axes.shape[1] == len(axes):
            directions *= lengths
            return directions @ axes.T
        stretched: Floats = ((directions @ axes) * (lengths - rest)) @ axes.T
        stretched += rest * directions
        return stretched

    def _norm(self, vocabulary: Vocabulary, vectors: Floats) -> Floats:
        """‖z‖_RM of vectors (…, d): (…)."""
        lengths, axes, rest = self._stretch(vocabulary)
        within = vectors @ axes
        norm: Floats = np.linalg.norm(within / lengths, axis=-1)
        if axes.shape[1] < len(axes):
            outside = np.linalg.norm(vectors - within @ axes.T, axis=-1)
            norm = np.hypot(norm, outside / rest)
        return norm

    def _stretch(self, vocabulary: Vocabulary) -> tuple[Floats, Floats, float]:
        """The image of the unit sphere under A: its lengths (r,) along orthonormal axes (d, r).

        And its length in every other direction.
        """
        found = vocabulary.principal_axes
        mixed = self.lam * np.append(found.variances, found.rest) + (1 - self.lam)
        if found.axes.shape[1] == len(found.axes):
            mixed = mixed[:-1]
        dimensions = len(found.axes)
        if mixed.min() <= dimensions * np.finfo(float).eps * mixed.max():
            raise ValueError(
                f"Mahalanobis: at λ = {self.lam:g} the covariance of these {len(vocabulary)} words "
                f"in {dimensions} dimensions is singular (too few words, or vectors that do not "
                "spread in every direction); choose a smaller λ."
            )
        lengths = np.sqrt(mixed)
        rank = len(found.variances)
        return lengths[:rank], found.axes, float(lengths[-1])
