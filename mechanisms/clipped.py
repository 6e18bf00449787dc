"""Laplace, Gaussian and truncated Laplace: noise on clipped vectors, private for any two words.

CMP protects words by their distance. Here every word is as well protected as every other: vectors
longer than C are shortened to length C,

    CLIP(φ) = φ · min(1, C / ‖φ‖),

so any two start points differ by s with ‖s‖₂ ≤ 2C and ‖s‖₁ ≤ 2 √d C, and noise of a fixed size
hides the difference. The released word is the nearest to CLIP(φ(w)) + noise among the vectors as
they are, not clipped. Where C is short the input word may not even win without noise: of GloVe's
words in 50 dimensions 0.2 % do at C = 1, 26 % at C = 2, 90 % at C = 3 and 99.8 % at C = 5.

The papers leave C and δ open. The defaults are ours: C = 5, just above the median length of those
words (4.8), and δ = 1e-5, below one over the 30,000 words. Both go with the embedding.

Law        no closed form; Gaussian has an ε path, Laplace one in its scale
Guarantee  the same for any two words: pure DP (Laplace), (ε, δ)-DP (the others), by variant
Unknown    the unknown word starts from 0: ‖s‖₂ ≤ C and ‖s‖₁ ≤ √d C, so ε/2 (Laplace), and the same
           ε and δ (the others), where the variant keeps its promise
Cost       one nearest-word search a draw
Reference  Huang et al., "Private Language Models via Truncated Laplacian Mechanism", EMNLP 2024,
           Theorems 1 to 3
           Balle and Wang, "Improving the Gaussian Mechanism for Differential Privacy", ICML 2018
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mechanisms.base import (
    DISCRETE,
    HALF_A_UNIT,
    ONE_UNIT,
    Guarantee,
    NoiseMechanism,
    RadialNoise,
    ScaledNoise,
    parameter,
    uniform_directions,
)
from mechanisms.gamma_cdf import gamma_cdf
from mechanisms.gaussian_delta import analytic_epsilon, analytic_sigma, log_gaussian_delta
from mechanisms.truncated_laplace_law import extended_dimensions, published_law, repaired_law
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

# Noise of this size has lost its start point in float64 many times over, and its square is finite.
_LARGEST_NOISE = 1e100

# Below this ε the truncated law is the same in float64 as at ε = 0.
_SMALLEST_EPSILON = 1e-60


@dataclass(frozen=True, kw_only=True)
class ClippedNoise(NoiseMechanism):
    """Start points of length at most C; the unknown word starts from 0.

    Between a word and the unknown word ‖s‖₂ ≤ C and ‖s‖₁ ≤ √d C, half of what the noise hides.
    """

    epsilon: float = parameter("ε", "the privacy budget for any two words", above=0)
    clipping_norm: float = parameter(
        "C", "the length to which longer vectors are shortened", above=0, default=5.0
    )

    def word_start(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """CLIP(φ(w)): (n,) -> (n, d)."""
        vectors = vocabulary.vectors[word_ids].astype(np.float64)
        length = np.sqrt(vocabulary.squared_norms[word_ids])
        vectors *= (self.clipping_norm / np.maximum(length, self.clipping_norm))[:, None]
        return vectors

    def longest_start(self, vocabulary: Vocabulary) -> float:
        """C."""
        return self.clipping_norm

    def unknown_start(self, vocabulary: Vocabulary) -> Floats:
        """The point 0, whatever the words (d,)."""
        return np.zeros(vocabulary.dimensions)


# ---------------------------------------------------------------------------------------- Laplace


@dataclass(frozen=True, kw_only=True)
class Laplace(ClippedNoise, ScaledNoise):
    """Coordinates of density ∝ exp(-|x| / b) with b = Δ₁/ε and Δ₁ = 2 √d C.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> round(wv.Laplace(epsilon=100).law(v, "movie").unchanged, 1)
    1.0
    """

    name = "Laplace"

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Pure DP: ‖s‖₁ ≤ Δ₁ for any two words."""
        return Guarantee(
            "pure DP",
            self.epsilon,
            theorem="Huang et al. 2024, Theorem 1",
            distance=DISCRETE,
            to_unknown=HALF_A_UNIT,
        )

    def scale(self, vocabulary: Vocabulary) -> float:
        """The scale b = 2 √d C / ε, in units of the embedding."""
        return 2 * math.sqrt(vocabulary.dimensions) * (self.clipping_norm / self.epsilon)

    def epsilon_at(self, vocabulary: Vocabulary, scales: Floats) -> Floats:
        """2 √d C over the scale."""
        with np.errstate(over="ignore"):
            return 2 * math.sqrt(vocabulary.dimensions) * self.clipping_norm / scales

    def fixed_noise(
        self, vocabulary: Vocabulary, size: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Independent Laplace coordinates (size, d) of scale one."""
        return rng.laplace(size=(size, vocabulary.dimensions)), np.ones(size)

    def noise(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Independent Laplace coordinates (size, d)."""
        noise = rng.laplace(size=(size, vocabulary.dimensions))
        noise *= min(self.scale(vocabulary), _LARGEST_NOISE)
        return noise

    def log_density(self, vocabulary: Vocabulary, noise: Floats) -> Floats:
        """-‖z‖₁ / b."""
        return np.asarray(-np.abs(noise).sum(axis=1) / self.scale(vocabulary))


# --------------------------------------------------------------------------------------- Gaussian


@dataclass(frozen=True, kw_only=True)
class Gaussian(ClippedNoise, RadialNoise):
    """Normal noise: a uniform direction times σ χ(d).

    published  σ = 2C sqrt(2 ln(1.25/δ)) / ε, the classical one. Proven for ε ≤ 1 (Theorem 2); for
               large ε it is too small.
    repaired   the smallest σ that keeps (ε, δ)-DP, at every ε (Balle and Wang 2018, Theorem 8).

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> wv.Gaussian(epsilon=4).guarantee(v).delta
    1e-05
    """

    name = "Gaussian"

    delta: float = parameter(
        "δ", "the probability that the promise leaves out", above=0, below=1, default=1e-5
    )
    variant: str = parameter(
        "variant",
        "published: the classical σ; repaired: the analytic σ",
        choices=("published", "repaired"),
        default="repaired",
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """(ε, δ)-DP; of the classical σ above ε = 1 the exact δ is stated, and nothing proven."""
        analytic = "Balle and Wang 2018, Theorem 8"
        mu = 1 / self._relative_sigma()
        if self.variant == "repaired":
            return Guarantee(
                "(ε, δ)-DP",
                self.epsilon,
                analytic,
                DISCRETE,
                self.delta,
                gaussian_mu=mu,
                to_unknown=ONE_UNIT,
            )
        true_delta = math.exp(log_gaussian_delta(self.epsilon, self._relative_sigma()))
        holds = true_delta <= self.delta
        exact = f"With this σ the noisy vector has exactly δ = {true_delta:.3g} ({analytic})"
        broken = "" if holds else f"{exact}, more than the {self.delta:.3g} claimed."
        if self.epsilon <= 1:
            return Guarantee(
                "(ε, δ)-DP",
                self.epsilon,
                "Huang et al. 2024, Theorem 2",
                DISCRETE,
                self.delta,
                conditions=("The theorem needs ε ≤ 1.",),
                caveat=broken,
                holds=holds,
                gaussian_mu=mu,
                to_unknown=ONE_UNIT,
            )
        return Guarantee(
            "none proven",
            self.epsilon,
            "none: Huang et al. 2024, Theorem 2, ends at ε = 1",
            DISCRETE,
            self.delta,
            conditions=("The theorem needs ε ≤ 1.",),
            caveat=broken
            or f"Theorem 2 says nothing above ε = 1. {exact}, no more than the "
            f"{self.delta:.3g} claimed.",
            holds=holds,
        )

    def sigma(self, vocabulary: Vocabulary) -> float:
        """Standard deviation of every coordinate, in units of the embedding."""
        return 2 * self.clipping_norm * self._relative_sigma()

    def _relative_sigma(self) -> float:
        """σ / Δ₂ with Δ₂ = 2C."""
        if self.variant == "repaired":
            return analytic_sigma(self.epsilon, self.delta)
        return min(math.sqrt(2 * (math.log(1.25) - math.log(self.delta))) / self.epsilon, 1e300)

    def directions(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Uniform on the unit sphere."""
        return uniform_directions(size, vocabulary.dimensions, rng)

    def fixed_radius(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Chi with d degrees of freedom."""
        chi: Floats = np.sqrt(2 * rng.standard_gamma(vocabulary.dimensions / 2, size))
        return chi

    def scale(self, vocabulary: Vocabulary) -> float:
        """σ, within the floats that have a finite square."""
        return min(self.sigma(vocabulary), _LARGEST_NOISE)

    def epsilon_at(self, vocabulary: Vocabulary, scales: Floats) -> Floats:
        """The ε of each σ; for the analytic one the smallest that it suffices for."""
        relative = scales / (2 * self.clipping_norm)
        if self.variant == "published":
            with np.errstate(over="ignore"):
                return math.sqrt(2 * (math.log(1.25) - math.log(self.delta))) / relative
        return np.array([analytic_epsilon(float(each), self.delta) for each in relative])

    def log_density(self, vocabulary: Vocabulary, noise: Floats) -> Floats:
        """-‖z‖² / (2σ²)."""
        return np.asarray(-0.5 * np.square(noise / self.sigma(vocabulary)).sum(axis=1))

    def true_delta_lower_bound(self, vocabulary: Vocabulary) -> float:
        """The exact δ of two clipped vectors 2C apart: Balle and Wang 2018, Theorem 8."""
        return math.exp(log_gaussian_delta(self.epsilon, self._relative_sigma()))

    def radius_cdf(self, vocabulary: Vocabulary, radius: Floats) -> Floats:
        """P(d/2, r² / (2σ²)), the regularised incomplete gamma function."""
        sigma = self.scale(vocabulary)
        with np.errstate(over="ignore"):  # inf lies in the tail where the function is 1
            half_square = (np.asarray(radius, dtype=np.float64) / sigma) ** 2 / 2
        return gamma_cdf(vocabulary.dimensions / 2, half_square)


# ------------------------------------------------------------------------------ truncated Laplace


@dataclass(frozen=True, kw_only=True)
class TruncatedLaplace(ClippedNoise):
    """Coordinates of density ∝ exp(-α |x|) on [-A, A].

    Two words' noisy vectors, s apart, have densities within e^(α ‖s‖₁) where both are possible; so
    with α ‖s‖₁ ≤ ε their exact δ is the mass of one that the other cannot reach,

        1 - Π_i (1 - p(|s_i|)),    p(x) the mass of the last x of a coordinate's support.

    published  Theorem 3 bounds the unreachable volume by Δ∞^d with Δ∞ = 2C and takes
               α = ε/Δ₁, A = -(1/α) ln(1 - ε / (2 δ^(1/d) √d)). In more than one dimension the
               unreachable part is no such cube, and the true δ is far larger. Where
               ε > 2 δ^(1/d) √d, dummy dimensions are added until it no longer is, and projected
               away after the noise; d is their number in both formulas then.
               A law so extended never becomes quieter than α = 1/C, whatever ε.
    repaired   α = ε/Δ₁, A = (1/α) ln(1 + √d (e^(ε/√d) - 1) / (2δ)), at least 2C. Then
               p(2C) ≤ δ/√d, and p is convex on [0, 2C] with p(0) = 0, so
               Σ p(|s_i|) ≤ Σ |s_i| p(2C) / (2C) ≤ √d p(2C) ≤ δ. A Laplace law with its tail cut
               off at 8 to 15 scales (ε from 0.1 to 20, δ = 1e-5, 50 dimensions): as noisy as
               Laplace itself.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> wv.TruncatedLaplace(epsilon=4).guarantee(v).delta
    1e-05
    """

    name = "Truncated Laplace"

    delta: float = parameter(
        "δ", "the probability that the promise leaves out", above=0, below=1, default=1e-5
    )
    variant: str = parameter(
        "variant",
        "published: Theorem 3 of the paper; repaired: a support wide enough for its δ",
        choices=("published", "repaired"),
        default="repaired",
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """(ε, δ)-DP; as published wherever the true δ is not shown to be above the claimed one."""
        if self.variant == "repaired":
            return Guarantee(
                "(ε, δ)-DP",
                self.epsilon,
                "unreachable mass Σ p(|s_i|) ≤ √d p(2C) = δ, and ‖s‖₁ ≤ Δ₁",
                DISCRETE,
                self.delta,
                caveat="The noise is cut off only at "
                f"{self._shape(vocabulary)[1]:.3g} scales, so it is nearly that of Laplace.",
                to_unknown=ONE_UNIT,
            )
        theorem = "Huang et al. 2024, Theorem 3"
        dimensions = vocabulary.dimensions
        extended = extended_dimensions(self.epsilon, self.delta, dimensions)
        conditions: tuple[str, ...] = ("The theorem needs ε ≤ 2 δ^(1/d) √d.",)
        if extended > dimensions:
            added = extended - dimensions
            count = f"{added:,}" if added < 10**9 else f"some 10^{len(str(added)) - 1}"
            conditions = (
                f"The theorem needs ε ≤ 2 δ^(1/d) √d; {count} dummy dimensions make this true.",
            )
        true_delta = self.true_delta_lower_bound(vocabulary)
        if true_delta > self.delta:
            return Guarantee(
                "(ε, δ)-DP",
                self.epsilon,
                f"claimed by {theorem}",
                DISCRETE,
                self.delta,
                conditions,
                caveat=f"Theorem 3 claims δ = {self.delta:.3g}, but two clipped vectors 2C apart "
                f"can be told apart for certain with probability {true_delta:.3g}: that is "
                "how often the noise of one ends at a point that the noise of the other cannot "
                "reach.",
                holds=False,
            )
        _, reach, excess = self._shape(vocabulary)
        if (
            excess >= 0
            and math.sqrt(dimensions) * self._end_mass(vocabulary, np.ones(1))[0] <= self.delta
        ):
            return Guarantee(
                "(ε, δ)-DP",
                self.epsilon,
                "unreachable mass Σ p(|s_i|) ≤ √d p(2C) ≤ δ, and ‖s‖₁ ≤ Δ₁",
                DISCRETE,
                self.delta,
                conditions,
                caveat="The proof of Theorem 3 is wrong, but its claim is true here, since the "
                f"noise is cut off only at {reach:.3g} scales.",
                to_unknown=ONE_UNIT,
            )
        return Guarantee(
            "none proven",
            self.epsilon,
            f"claimed by {theorem}",
            DISCRETE,
            self.delta,
            conditions,
            caveat="The proof of Theorem 3 is wrong. Here its claim is neither proven nor "
            f"refuted; δ is at least {true_delta:.3g}.",
        )

    def noise(self, vocabulary: Vocabulary, size: int, rng: np.random.Generator) -> Floats:
        """Independent truncated Laplace coordinates (size, d), by inversion."""
        reach = self._shape(vocabulary)[1]
        shape = (size, vocabulary.dimensions)
        noise = -np.log1p(rng.random(shape) * np.expm1(-reach))
        # The widest noise stays below the largest size that has a finite square.
        noise *= min(self.scale(vocabulary), _LARGEST_NOISE / min(reach, 40.0))
        signed: Floats = np.copysign(noise, rng.random(shape) - 0.5)
        return signed

    def log_density(self, vocabulary: Vocabulary, noise: Floats) -> Floats:
        """-α ‖z‖₁ inside [-A, A]^d."""
        inside = np.abs(noise).max(axis=1) <= self.support(vocabulary)
        size = np.abs(noise).sum(axis=1) / self.scale(vocabulary)
        return np.where(inside, -size, -np.inf)

    def virial(self, vocabulary: Vocabulary) -> float:
        """-d (1 - 2 A f₁(A)), f₁(A) = α / (2 (e^(αA) - 1)) the density of a coordinate at A."""
        reach = self._shape(vocabulary)[1]
        at_end = reach / math.expm1(reach) if 0 < reach < 700 else float(reach == 0)
        return -vocabulary.dimensions * (1 - at_end)

    def support(self, vocabulary: Vocabulary) -> float:
        """A, the largest size of a coordinate of the noise; inf if nothing is cut off."""
        return self.scale(vocabulary) * self._shape(vocabulary)[1]

    def scale(self, vocabulary: Vocabulary) -> float:
        """1/α, in units of the embedding."""
        return 2 * self.clipping_norm / self._shape(vocabulary)[0]

    def unreachable_mass(self, vocabulary: Vocabulary, a: WordIds, b: WordIds) -> Floats:
        """The exact δ of two words' noisy vectors at this ε: ids (n,), ids (n,) -> (n,).

        The probability that the noisy vector of a lies where that of b cannot.
        """
        shift = np.abs(self.start(vocabulary, a) - self.start(vocabulary, b))
        shares = self._end_mass(vocabulary, shift / (2 * self.clipping_norm))
        with np.errstate(divide="ignore"):  # log 0: nothing is reachable
            unreachable: Floats = -np.expm1(np.log1p(-shares).sum(axis=-1))
        return unreachable

    def true_delta_lower_bound(self, vocabulary: Vocabulary) -> float:
        """The largest exact δ of two clipped vectors that differ alike in k coordinates.

        They lie 2C apart, and k runs from 1 to d. Few coordinates are worst where the density
        falls steeply, many where the support is short and nearly flat.
        """
        k = np.arange(1, vocabulary.dimensions + 1)
        shares = self._end_mass(vocabulary, 1 / np.sqrt(k))
        with np.errstate(divide="ignore"):  # log 0: nothing is reachable
            return float(np.max(-np.expm1(k * np.log1p(-shares))))

    def _end_mass(self, vocabulary: Vocabulary, shift: Floats) -> Floats:
        """p(x), elementwise, of shifts x in units of 2C."""
        rate, reach, excess = self._shape(vocabulary)
        shift = np.minimum(shift, 1.0)  # but for rounding it always is
        width = 2 * reach / rate  # of the support, in the same units
        past = shift > width / 2  # over the centre: all but the mass of the other end
        x = np.where(past, np.maximum(width - shift, 0), shift)
        # (e^(αx) - 1) / (2 (e^(αA) - 1)), written so that nothing overflows or cancels.
        mass: Floats = np.exp(rate * (x - 1) - excess) * np.expm1(-rate * x) / np.expm1(-reach) / 2
        return np.where(past, 1 - mass, mass)

    def _shape(self, vocabulary: Vocabulary) -> tuple[float, float, float]:
        """The rate 2Cα, the reach αA and the excess α(A - 2C): they do not depend on C."""
        law = published_law if self.variant == "published" else repaired_law
        return law(max(self.epsilon, _SMALLEST_EPSILON), self.delta, vocabulary.dimensions)
