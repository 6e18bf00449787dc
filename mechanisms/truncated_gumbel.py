"""Truncated Gumbel: the nearest of a few neighbours, after their distances were perturbed.

A number k is drawn from a Poisson law of mean ln |W|, conditioned on 1 <= k <= |W|. Of the word's k
nearest words u_1, …, u_k (u_1 the word itself) at distances d_1 <= … <= d_k, the one with the least
d_j + g_j is released. The g_j are independent, Gumbel of location 0 and scale b, conditioned on
[-Δ, Δ], and

    b = 2Δ / min{W(2αΔ), ln(αΔ₀)},   α = (ε - 2 (1 + ln |W|) / Δ₀) / 3

with Δ and Δ₀ the largest and the smallest distance between two words, W Lambert's function.

The variants differ in b:

published  as above. It needs αΔ₀ > 1, that is ε > (3 + 2 (1 + ln |W|)) / Δ₀: usually far above any
           ε in use.
benchmark  what the benchmark's code did at every ε: where α <= 0 the logarithm is left out and
           b = 2Δ / Re W(2αΔ), the real part of a complex number; otherwise as above. There is no
           theorem, and b hardly depends on ε. It is refused where b is not positive (its code
           failed there). The rest is as published: true distances (its code took their
           squares), k from 1 on, Δ and Δ₀ over all pairs.

Law        with the noise's density f and S(x) the probability of more than x,
           Pr[u_j] = Σ_{k >= j} Pr[k] ∫ f(x - d_j) Π_{l <= k, l != j} S(x - d_l) dx
Precision  the nearest 96 words by quadrature, to a relative error below 1e-7. All farther ones
           together have probability below 1e-40 (|W| up to 10^7). Theirs is known by its logarithm,
           to 1 in 1,000: log Pr[k >= j] plus the logarithm of the integral for k = j, which is
           computed at some sixty ranks and interpolated between them
Guarantee  claimed: metric DP, ε · d. Broken on real vocabularies: Pr[u_j] <= Pr[k >= j] falls
           faster than e^(-j), whatever the distance. On the first 5,000 words of GloVe, where ε
           must exceed 63, all of 150 random pairs break it at ε = 63 and at 1,000, none at
           10,000. A dozen words do not show it
Unknown    the unknown word has a uniform law: equal distances to all words, ties in random order.
           No promise: a far word is rarer from w than any bound in ε times a distance allows, and
           has probability 1/|W| from the unknown word
Cost       a sort of one row of distances a word; a draw only needs the k nearest words
Reference  Xu et al., "Density-Aware Differentially Private Textual Perturbations Using Truncated
           Gumbel Noise", FLAIRS 2021
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, logsumexp, wrightomega

from mechanisms.base import Guarantee, LawMechanism, blocks, parameter
from mechanisms.kept_laws import kept
from mechanisms.near_words import NearWords
from mechanisms.vocabulary import Floats, Vocabulary, WordIds

# Words whose law is integrated exactly; the Poisson weight of later ones is below 1e-40.
_NEAR = 96

# Quadrature: points of a panel, panels a scale b.
_POINTS = 8
_PANELS = 8

# Far words: ranks at which the law is computed, and the zooms that locate the integral's mass.
_ANCHORS = 32
_ZOOMS = 5
_ZOOM_POINTS = 13

# Noise values drawn at once.
_DRAWS = 4_000_000


@dataclass(frozen=True, kw_only=True)
class TruncatedGumbel(LawMechanism):
    """The least of k noisy distances, k about ln |W|.

    >>> import wordveil as wv
    >>> v = wv.Vocabulary(["film", "movie", "cat"], [[0, 0], [0, 1], [6, 8]])
    >>> wv.TruncatedGumbel(epsilon=20).law(v, "movie").top(1)[0].word
    'movie'
    """

    name = "Truncated Gumbel"

    variant: str = parameter(
        "variant",
        "published: needs a large ε; benchmark: nearly any ε, without a proof",
        choices=("published", "benchmark"),
        default="published",
    )

    def guarantee(self, vocabulary: Vocabulary) -> Guarantee:
        """Claimed above the ε that its proof needs, and broken there too; below it, nothing."""
        if self.variant == "benchmark":
            return Guarantee(
                "none proven",
                self.epsilon,
                theorem="none for this variant",
                caveat="The benchmark also runs at an ε that is too small for the theorem: it then "
                "takes the real part of a complex scale.",
            )
        condition = "The theorem needs at least two words, no two with the same vector."
        if _has_distinct_pair(vocabulary):
            condition = f"The theorem needs ε > {required_epsilon(vocabulary):.6g} here."
        return Guarantee(
            "metric DP",
            self.epsilon,
            theorem="Xu et al. 2021, the privacy theorem of the truncated Gumbel mechanism",
            conditions=(condition,),
            caveat="Only the k nearest words can come out, and k is drawn from a Poisson law with "
            "mean ln |W|. So far words are rarer than e^(-ε · distance) allows.",
            holds=False,
        )

    def smallest_epsilon(self, vocabulary: Vocabulary) -> float:
        """As published, the ε that the proof needs."""
        if self.variant == "benchmark" or not _has_distinct_pair(vocabulary):
            return 0.0
        return required_epsilon(vocabulary)

    def scale(self, vocabulary: Vocabulary) -> float:
        """b, in units of distance. ValueError if the vocabulary and ε have none."""
        if len(vocabulary) < 2:
            raise ValueError("Truncated Gumbel: at least two words are needed; got one.")
        smallest, a, b = vocabulary.closest_pair
        if smallest == 0:
            raise ValueError(
                f"Truncated Gumbel: {vocabulary.words[a]!r} and {vocabulary.words[b]!r} have the "
                "same vector, so no ε is enough (Δ₀ = 0); merge such words."
            )
        largest = vocabulary.farthest_pair[0]
        # In logarithms, since α Δ may pass the largest float: wrightomega(ln z) = W(z).
        alpha = (self.epsilon - 2 * (1 + math.log(len(vocabulary))) / smallest) / 3
        log_alpha = math.log(abs(alpha)) if alpha else -math.inf
        ratio = -math.inf
        if alpha > 0:
            lambert = float(wrightomega(math.log(2) + log_alpha + math.log(largest)))
            ratio = min(lambert, log_alpha + math.log(smallest))
        elif alpha < 0 and self.variant == "benchmark":
            log_z = math.log(2) + log_alpha + math.log(largest)
            ratio = float(wrightomega(complex(log_z, math.pi)).real)
        if ratio > 0:
            return 2 * largest / ratio
        if self.variant == "published":
            raise ValueError(
                "Truncated Gumbel: on this vocabulary ε must exceed "
                f"{_rounded_up(required_epsilon(vocabulary))} (its two closest words are "
                f"{smallest:.3g} apart); got {self.epsilon:g}."
            )
        raise ValueError(
            f"Truncated Gumbel (benchmark): on this vocabulary the scale b is not positive at "
            f"ε = {self.epsilon:g}; take a smaller ε, or one above "
            f"{_rounded_up(required_epsilon(vocabulary))}."
        )

    def word_log_prob(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """By rank: quadrature for the near words, interpolated logarithms for the others."""
        ids = vocabulary.checked(word_ids)
        noise = _Noise(self.scale(vocabulary), vocabulary.farthest_pair[0])
        log_k = _log_poisson(len(vocabulary))
        law = np.empty((len(ids), len(vocabulary)))
        distances, near = vocabulary.neighbours(ids, _NEAR)
        for row, word in enumerate(ids):
            law[row, near[row]] = _near_law(distances[row], log_k, noise)
            if len(vocabulary) > _NEAR:
                to_all = vocabulary.distances([word])[0]
                to_all[near[row]] = -1.0  # first, whatever rounding did to them
                ranked = np.argsort(to_all, kind="stable")
                ordered = np.concatenate([distances[row], to_all[ranked[_NEAR:]]])
                law[row, ranked[_NEAR:]] = _far_law(ordered, log_k, noise)
        return law

    def word_sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Draw k, then k noises, and take the least: exact, and without a row of distances."""
        ids = vocabulary.checked(word_ids)
        noise = _Noise(self.scale(vocabulary), vocabulary.farthest_pair[0])
        cumulative = np.cumsum(np.exp(_log_poisson(len(vocabulary))))
        uniform = 1.0 - rng.random((len(ids), size))
        k = 1 + np.searchsorted(cumulative, uniform * cumulative[-1])
        distinct, inverse = np.unique(ids, return_inverse=True)
        most = int(k.max(initial=1))
        words = kept((NearWords, vocabulary), lambda: NearWords(vocabulary))
        distances, near = (words.of if words else vocabulary.neighbours)(distinct, most)
        released = np.empty(ids.size * size, dtype=np.int64)
        rows = np.repeat(inverse, size)
        wanted = k.ravel()
        for block in blocks(len(released), _DRAWS // most):
            # One draw a row: most columns, those beyond its own k out of reach.
            scores = distances[rows[block]]
            scores += noise.sample(rng.random(scores.shape))
            scores[np.arange(most) >= wanted[block, None]] = np.inf
            released[block] = near[rows[block], scores.argmin(axis=1)]
        return released.reshape(ids.size, size)


def required_epsilon(vocabulary: Vocabulary) -> float:
    """The ε that `published` must exceed: (3 + 2 (1 + ln |W|)) / Δ₀."""
    return (3 + 2 * (1 + math.log(len(vocabulary)))) / vocabulary.closest_pair[0]


class _Noise:
    """Gumbel noise of location 0 and scale b, conditioned on [-Δ, Δ].

    With G the Gumbel distribution function and a(x) = e^(-x/b) - e^(-Δ/b),
    G(Δ) - G(x) = G(Δ) (1 - e^(-a(x))): no cancellation, whatever Δ / b.
    """

    def __init__(self, b: float, largest: float) -> None:
        self.b, self.largest = b, largest
        self.log_range = float(_log1mexp(self._a(np.array(-largest))))

    def _a(self, x: Floats) -> Floats:
        a: Floats = np.exp(-x / self.b) * -np.expm1(-(self.largest - x) / self.b)
        return a

    def log_survival(self, x: Floats) -> Floats:
        """The log of Pr[g > x]; 0 for x <= -Δ. Needs x < Δ."""
        return _log1mexp(self._a(np.maximum(x, -self.largest))) - self.log_range

    def log_density(self, x: Floats) -> Floats:
        """Log density; -inf for x < -Δ. Needs x <= Δ."""
        inside = np.maximum(x, -self.largest)
        edge = math.exp(-self.largest / self.b)
        density = -inside / self.b - np.exp(-inside / self.b) + edge
        density -= math.log(self.b) + self.log_range
        return np.where(x < -self.largest, -np.inf, density)

    def sample(self, uniform: Floats) -> Floats:
        """Noise by inversion of S: uniform in [0, 1) -> [-Δ, Δ]."""
        # S(x) = 1 - u: 1 - e^(-a) = (1 - u) (1 - e^(-a(-Δ))), then x from a.
        a = -np.log1p(-(1 - uniform) * math.exp(self.log_range))
        x = -self.b * np.log(a + math.exp(-self.largest / self.b))
        return np.clip(x, -self.largest, self.largest)


def _log1mexp(a: Floats) -> Floats:
    """log(1 - e^(-a)) for a > 0."""
    small, large = np.minimum(a, 0.7), np.maximum(a, 0.7)
    result: Floats = np.where(a < 0.7, np.log(-np.expm1(-small)), np.log1p(-np.exp(-large)))
    return result


def _log_poisson(vocabulary_size: int) -> Floats:
    """The log of Pr[k] for k = 1 … |W| (V,): Poisson of mean ln |W|, conditioned on that range."""
    k = np.arange(1, vocabulary_size + 1)
    log_k = k * math.log(math.log(vocabulary_size)) - gammaln(k + 1)
    normalised: Floats = log_k - logsumexp(log_k)
    return normalised


def _near_law(distances: Floats, log_k: Floats, noise: _Noise) -> Floats:
    """Log probabilities (m,) of the m nearest words, from their distances (m,), ascending.

    With x the winning score, Pr[u_j] = Pr[k = j] ∫ f(x - d_j) T_j(x) A_j(x) dx, where
    T_j = Π_{l < j} S(x - d_l), and A_j = 1 + (Pr[k = j + 1] / Pr[k = j]) S(x - d_{j+1}) A_{j+1}
    adds the larger k.
    """
    count = len(distances)
    x, log_weights = _nodes(distances, noise)
    offsets = x - distances[:, None]  # (m, nodes)
    log_survival = noise.log_survival(offsets)
    before = np.cumsum(log_survival, axis=0) - log_survival
    survival = np.exp(log_survival)
    growth = np.exp(np.diff(log_k[:count]))
    later = np.ones_like(survival)
    if len(log_k) > count:
        later[-1] = _later_ratio(count, len(log_k))
    for j in range(count - 2, -1, -1):
        later[j] += growth[j] * survival[j + 1] * later[j + 1]
    log_integrand = noise.log_density(offsets) + before + np.log(later) + log_weights
    integrals: Floats = logsumexp(log_integrand, axis=1)
    return log_k[:count] + integrals


def _nodes(distances: Floats, noise: _Noise) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes on [-Δ, Δ] and the logs of their weights.

    No panel is wider than a fraction of b, and none crosses a point where some word's noise
    begins to reach, since the integrand has a kink there.
    """
    largest = noise.largest
    even = math.ceil(_PANELS * max(1.0, 2 * largest / noise.b))
    edges = np.concatenate([np.linspace(-largest, largest, even + 1), distances - largest])
    edges = np.unique(np.clip(edges, -largest, largest))
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    half = np.diff(edges)[:, None] / 2
    x = (edges[:-1, None] + half) + half * points
    # A node may be rounded onto Δ, where nothing survives.
    x = np.minimum(x, np.nextafter(largest, 0))
    return x.ravel(), np.log(half * weights).ravel()


def _far_law(distances: Floats, log_k: Floats, noise: _Noise) -> Floats:
    """Log probabilities (V - 96,) of the far words, from all distances (V,), ascending."""
    count = len(distances)
    j = np.arange(_NEAR + 1, count + 1)
    log_tail = log_k[_NEAR:] + np.log(_later_ratio(j, count))
    anchors = _anchors(distances)
    return log_tail + np.interp(
        np.arange(_NEAR, count), anchors, _log_win(distances, anchors, noise)
    )


def _later_ratio(j: ArrayLike, vocabulary_size: int) -> Floats:
    """Pr[k >= j] / Pr[k = j] for j far above the mean: a geometric series, nearly."""
    ratio: Floats = 1 / (1 - math.log(vocabulary_size) / (np.asarray(j) + 1.0))
    return ratio


def _anchors(distances: Floats) -> NDArray[np.int64]:
    """Positions in the ranking, ascending: some by rank, some by distance, the first and last."""
    count = len(distances)
    by_rank = np.geomspace(_NEAR, count - 1, _ANCHORS).astype(np.int64)
    by_distance = np.searchsorted(distances, np.linspace(distances[_NEAR], distances[-1], _ANCHORS))
    return np.unique(np.clip(np.concatenate([by_rank, by_distance, [count - 1]]), _NEAR, count - 1))


def _log_win(distances: Floats, anchors: NDArray[np.int64], noise: _Noise) -> Floats:
    """Log probability (A,) that the word at each anchor beats all nearer words.

    The nearer words stand in groups, each at its mean distance. The integrand is log-concave in x,
    so a few zooms on its largest value find its mass; between nodes it is taken as exponential.
    """
    steps = np.array([0, 1, 2, 4, 8, 16, 32, 64])
    starts = np.concatenate([steps, anchors])
    sizes = np.diff(np.append(starts, len(distances)))
    means = np.add.reduceat(distances, starts) / sizes
    nearer = np.where(starts < anchors[:, None], sizes, 0)  # (A, groups)
    own = distances[anchors][:, None]

    def log_integrand(x: Floats) -> Floats:
        survival = noise.log_survival(x[:, :, None] - means)
        # Rounding must not put the first node outside the support.
        density = noise.log_density(np.maximum(x - own, -noise.largest))
        logs: Floats = density + np.einsum("axg,ag->ax", survival, nearer)
        return logs

    low = own - noise.largest
    high = np.full_like(low, np.nextafter(noise.largest, 0))
    share = np.linspace(0, 1, _ZOOM_POINTS)
    all_x, all_logs = [], []
    for _ in range(_ZOOMS):
        x = np.minimum(low + (high - low) * share, high)
        logs = log_integrand(x)
        all_x.append(x)
        all_logs.append(logs)
        best = logs.argmax(axis=1)[:, None]
        low = np.take_along_axis(x, np.maximum(best - 1, 0), 1)
        high = np.take_along_axis(x, np.minimum(best + 1, _ZOOM_POINTS - 1), 1)
    x, logs = np.concatenate(all_x, axis=1), np.concatenate(all_logs, axis=1)
    order = np.argsort(x, axis=1)
    return _log_area(np.take_along_axis(x, order, 1), np.take_along_axis(logs, order, 1))


def _log_area(x: Floats, logs: Floats) -> Floats:
    """Log of ∫ e^φ over each row, φ linear between the nodes: (A, N), (A, N) -> (A,)."""
    upper = np.maximum(logs[:, :-1], logs[:, 1:])
    drop = np.maximum(np.abs(np.diff(logs, axis=1)), 1e-12)
    width = np.maximum(np.diff(x, axis=1), np.finfo(np.float64).tiny)
    area: Floats = logsumexp(upper + np.log(-np.expm1(-drop) / drop) + np.log(width), axis=1)
    return area


def _has_distinct_pair(vocabulary: Vocabulary) -> bool:
    return len(vocabulary) > 1 and vocabulary.closest_pair[0] > 0


def _rounded_up(value: float) -> str:
    """Two significant digits, rounded up: what is printed suffices."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return f"{math.ceil(value / unit) * unit:.6g}"
