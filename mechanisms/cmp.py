"""CMP: calibrated multivariate perturbations (also called Madlib).

Noise with density proportional to exp(-ε ‖z‖) is added to the word's vector, and the word nearest
to the noisy point is released. Such noise is a uniform direction times a radius that follows a
Gamma(d, 1/ε) law, so it is about d/ε long: the same ε means more noise in more dimensions.

Law        no closed form; every ε at once by the ε path
Guarantee  metric DP, ε · d with d the Euclidean distance (Theorem 1)
Unknown    the unknown word starts from the mean vector: ε · ‖φ(w) - mean‖
Cost       one nearest-word search a draw
Reference  Feyisetan et al., "Privacy- and Utility-Preserving Textual Analysis via Calibrated
           Multivariate Perturbations", WSDM 2020, Algorithm 1 and Section 2.6
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from mechanisms.base import TO_MEAN, Guarantee, RadialNoise, uniform_directions
from mechanisms.gamma_cdf import gamma_cdf
from mechanisms.vocabulary import Floats, Vocabulary


@dataclass(frozen=True, kw_only=True)
class ExponentialNoise(RadialNoise):
    """Noise of density ∝ exp(-ε ‖z‖): what CMP shares with Mahalanobis and Vickrey."""

    def directions(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Uniform on the unit sphere."""
        return uniform_directions(size, vocabulary.dimensions, rng)

    def fixed_radius(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Gamma with shape d."""
        return rng.standard_gamma(vocabulary.dimensions, size)

    def radius(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Gamma with shape d and scale 1/ε."""
        with np.errstate(over="ignore"):  # at ε near 0 the radius may pass the largest float
            return self.fixed_radius(vocabulary, size, rng) / self.epsilon

    def scale(self, vocabulary: Vocabulary) -> float:
        """1/ε."""
        return 1 / self.epsilon

    def epsilon_at(self, vocabulary: Vocabulary, scales: Floats) -> Floats:
        """1 over the scale."""
        with np.errstate(over="ignore"):
            return 1 / scales

    @staticmethod
    def fixed_quantile(dimensions: int, share: Floats) -> Floats:
        """The inverse of P(d, r)."""
        return np.asarray(gammaincinv(dimensions, share))

    def log_density(self, vocabulary: Vocabulary, noise: Floats) -> Floats:
        """-ε ‖z‖."""
        return np.asarray(-self.epsilon * np.linalg.norm(noise, axis=1))

    def radius_cdf(self, vocabulary: Vocabulary, radius: Floats) -> Floats:
        """P(d, ε r), the regularised incomplete gamma function."""
        with np.errstate(over="ignore"):  # at a huge ε: P(d, inf) = 1
            return gamma_cdf(vocabulary.dimensions, self.epsilon * np.asarray(radius))


@dataclass(frozen=True, kw_only=True)
class CMP(ExponentialNoise):
    """Noise of density ∝ exp(-ε ‖z‖), then the nearest word.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> round(wv.CMP(epsilon=4).law(v, "movie").unchanged, 1)
    0.9
    """

    name = "CMP"

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Metric DP in the Euclidean distance: the choice of a word only processes the noise."""
        return Guarantee(
            "metric DP",
            self.epsilon,
            theorem="Feyisetan et al. 2020, Theorem 1",
            to_unknown=TO_MEAN,
        )

    def derived(self, vocabulary: Vocabulary) -> dict[str, float]:
        """The mean of the radius, d/ε."""
        return {"mean length of the noise": vocabulary.dimensions / self.epsilon}
