r"""An adversary of a law of the distance that looks at the words released before: place by place.

With the released prefix p, the law of a place is q(v | p) f(w, v) / Z(w, p), f(w, v) =
e^(-ε/2 · min(d(w, v), γ)) and q(v | p) = α q(v) + Σ_j s_j [v_j = v], so that

    Z(w, p) = α Z(w) + Σ_j s_j f(w, v_j),   Z(w) = Σ_v q(v) f(w, v).

Words of a text follow each other, and q says how, so that the adversary believes of a place

    Pr[w | release] ∝ π(w) (1 - ρ + ρ q(w | p) / q(w)) f(w, v) / Z(w, p),
    ρ = Σ_w π(w) q(w) / Z(w).

With probability ρ, the mean N_w of first words, the prefix is as it was typed, and makes its
followers likelier; of several versions the mean over their prefixes. Without that factor it would
take a likely follower for the doing of q alone, and name fewer words of real text than are
unchanged. **A lower bound**: who knows more of language may name more.

Z(w) of all words is known (`normalisers`). The followers v_j of a prefix may be thousands: a few of
them make a lower bound of Z(w, p), and so an upper bound of the likelihood of every word. All are
summed for the words with the largest bounds, until

names      no other bound is above the likeliest word that was computed
posterior  all other bounds add up to at most `LEFT` of what was computed. They are then taken for
           the likelihoods, and a probability errs by about that much

Sums are in float32: log Z is right to about 1e-4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from measures.attacks.bayes import Adversary
from mechanisms.base import blocks
from mechanisms.in_order import Continuation, WordByWord
from mechanisms.score import distance_scores
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, WordIds

LEFT = 1e-4

# Followers that bounds are made of, and words that are computed first; then as many again.
_LIKELIEST, _FIRST = 48, 128

# Weights of pairs at once.
_PAIRS = 2_000_000


@dataclass(frozen=True, eq=False)
class ByPlace(Adversary):
    """It knows the public counts too, and so q after every released prefix."""

    exact = quick = False
    looks_back = True
    mechanism: DistanceLaw
    log_normalisers: Floats
    """log Z(w) (V,)."""

    def log_likelihood(self, released: WordIds) -> Floats:
        """Of words with nothing released before them."""
        nothing = [self._after(())] * len(released)
        return self._bounds(self._scores(released), nothing)

    def log_joint(self, released: WordIds, before: WordIds) -> Floats:
        """All versions of one place, each after a prefix of its own."""
        return self._joint(released, before, LEFT)

    def names_of_texts(self, released: Sequence[WordIds]) -> list[WordIds]:
        """Place by place, each after the words before it."""
        return [
            np.array(
                [
                    self._joint(outputs, text[:place], None)[-1].argmax()
                    for place, outputs in enumerate(text)
                ],
                dtype=np.int64,
            )
            for text in released
        ]

    def _joint(self, released: WordIds, before: WordIds, left: float | None) -> Floats:
        """Log priors and likelihoods, less log q(v | p): (m,), (k, m) -> (m, V + 1).

        Of the words that matter least with bounds, as the module says; without `left` so few are
        computed that the likeliest input after all releases is the right one.
        """
        after = [self._after(prefix) for prefix in before.T.tolist()]
        scores = self._scores(released)
        seen = self._bounds(scores, after)
        prior = self._log_prior_after(after)
        computed = np.zeros(seen.shape[1], dtype=np.bool_)
        computed[-1] = True
        while max(len(q.ids) for q in after) > _LIKELIEST:
            joint = prior + np.cumsum(seen, axis=0)
            behind = np.where(computed, -np.inf, joint - joint.max(axis=1, keepdims=True))
            best = behind.max(axis=0) if left is not None else behind[-1]
            count = max(_FIRST, int(computed.sum()))
            words = np.argpartition(-best, min(count, len(best) - 1))[:count]
            words = words[np.isfinite(best[words])]
            for row, of_words, q in zip(seen, scores, after, strict=True):
                row[words] = of_words[words] - np.log(self._normaliser(words, q))
            computed[words] = True
            joint = prior + np.cumsum(seen, axis=0)
            if not len(words) or _is_enough(joint, computed, left):
                break
        return prior + np.cumsum(seen, axis=0)

    def _after(self, prefix: Sequence[int]) -> Continuation:
        assert isinstance(self.mechanism, WordByWord)
        return self.mechanism.continuation(self.vocabulary, prefix)

    def _scores(self, released: WordIds) -> Floats:
        return self.mechanism.scores(self.vocabulary, self.vocabulary.distances(released))

    def _log_prior_after(self, after: Sequence[Continuation]) -> Floats:
        """log π and the factor of the first i prefixes: (m, V + 1)."""
        raised = np.ones((len(after), len(self.log_prior)))
        base = self.mechanism.base_measure(self.vocabulary)
        for row, q in zip(raised, after, strict=True):
            row[:-1] += self._typed_share * (q.alpha - 1)
            if base is not None:
                np.add.at(row, q.ids, self._typed_share * q.shares / base[q.ids])
        number = np.arange(1, len(after) + 1)[:, None]
        return np.asarray(self.log_prior + np.log(np.cumsum(raised, axis=0) / number))

    @cached_property
    def _typed_share(self) -> float:
        """ρ."""
        base = self.mechanism.base_measure(self.vocabulary)
        stays = np.exp(-self.log_normalisers) * (1 if base is None else base)
        return float(np.minimum(np.exp(self.log_prior[:-1]) @ stays, 1.0))

    def _bounds(self, scores: Floats, after: Sequence[Continuation]) -> Floats:
        """Log likelihoods from above (m, V + 1); exact with few followers, and of the unknown."""
        every = np.arange(len(self.vocabulary))
        found = np.empty((len(after), len(self.log_prior)))
        for row, of_words, q in zip(found, scores, after, strict=True):
            few = np.argsort(-q.shares, kind="stable")[:_LIKELIEST]
            some = Continuation(q.alpha, q.ids[few], q.shares[few])
            row[:-1] = of_words - np.log(self._normaliser(every, some))
            row[-1] = -math.log(self._sum_of_q(q))
        return found

    def _sum_of_q(self, q: Continuation) -> float:
        """Σ_v q(v | p), in the units of q."""
        base = self.mechanism.base_measure(self.vocabulary)
        total = len(self.vocabulary) if base is None else math.fsum(base.tolist())
        return q.alpha * total + math.fsum(q.shares.tolist())

    def _normaliser(self, words: WordIds, q: Continuation) -> Floats:
        """Z(w, p) of some words (n,)."""
        found: Floats = q.alpha * np.exp(self.log_normalisers[words])
        vectors, norms = self.vocabulary.vectors, self.vocabulary.squared_norms
        shares, gamma = q.shares.astype(np.float32), self.mechanism.threshold(self.vocabulary)
        for part in blocks(len(words), max(1, _PAIRS // max(1, len(q.ids)))):
            these = words[part]
            near = vectors[these] @ (-2 * vectors[q.ids].T)
            near += norms[these, None].astype(np.float32)
            near += norms[q.ids].astype(np.float32)
            near[these[:, None] == q.ids] = 0
            np.sqrt(np.maximum(near, 0, out=near), out=near)
            np.exp(distance_scores(near, self.mechanism.epsilon, gamma), out=near)
            found[part] += near @ shares
        return found


def _is_enough(joint: Floats, computed: NDArray[np.bool_], left: float | None) -> bool:
    """Whether the bounds of the words that were not computed are small enough: (m, V + 1)."""
    known, bounds = joint[:, computed], joint[:, ~computed]
    if left is None or not bounds.size:
        return not bounds.size or bool(bounds[-1].max() < known[-1].max())
    small = np.logaddexp.reduce(bounds, axis=1) - np.logaddexp.reduce(known, axis=1)
    return bool((small <= math.log(left)).all())
