"""How often any adversary can name the word, by the promise of a mechanism alone.

A promise Pr[M(w) = v] <= e^{b(w, r)} Pr[M(r) = v], b(w, r) = ε d(w, r), bounds the success of the
best guess, Σ_v max_w π(w) Pr[M(w) = v] (`adversary`), over a prior π of all inputs.
"""

from __future__ import annotations

import numpy as np

from measures.attacks.prior import of_inputs
from mechanisms import Mechanism, Vocabulary
from mechanisms.vocabulary import Floats, WordIds

# Reference words that the bound is tried with, of either kind.
_REFERENCES = 64


def success_bound(
    mechanism: Mechanism, vocabulary: Vocabulary, log_prior: Floats, releases: int = 1
) -> float | None:
    """The largest success that the mechanism's promise allows any adversary; None without one.

    min over reference inputs r of max_w π(w) e^{n b(w, r)}, at most 1, π of every input (V + 1,).
    Every r is proved alike: π(w) Pr[M(w) = v] <= π(w) e^{n b(w, r)} Pr[M(r) = v] for each w, so

        Σ_v max_w π(w) Pr[M(w) = v] <= max_w π(w) e^{n b(w, r)} · Σ_v Pr[M(r) = v],

    and the last sum is 1. References are the unknown word, some of the most probable words and some
    of the nearest to the middle. Laplace has b(w, r) = ε for any two words and ε/2 for a word and
    the unknown word: the latter as r gives max(e^{nε/2} max_w π(w), π(unknown)), while a word as r
    gives up to e^{nε} max_w π(w).

    The unknown word may also be left to any adversary, Σ_v π(unknown) Pr[M(unknown) = v] being
    π(unknown): no adversary names more than π(unknown) and the bound over all w but that one. It is
    the smaller bound if the promise about the unknown word is much weaker, or not made at all.
    """
    guarantee = mechanism.guarantee(vocabulary)
    if not guarantee.holds or guarantee.notion not in ("metric DP", "pure DP"):
        return None
    log_prior = of_inputs(mechanism, vocabulary, log_prior)
    possible = np.flatnonzero(np.isfinite(log_prior))
    probable = possible[np.argsort(-log_prior[possible], kind="stable")[:_REFERENCES]]
    count = min(_REFERENCES, vocabulary.different_vectors)
    middle = vocabulary.nearest_k(vocabulary.mean[None], count)[1][0]
    references = np.unique(np.concatenate([probable, middle, [vocabulary.unknown_id]]))

    def allowed(reference: int, inputs: WordIds) -> float:
        """The log of the bound with one r, if some inputs w are all there is."""
        bound = guarantee.log_ratio_bound(vocabulary, inputs, np.full(len(inputs), reference))
        assert bound is not None
        with np.errstate(over="ignore"):
            gained = log_prior[inputs] + releases * bound
        unknown = inputs == vocabulary.unknown_id
        over_words = np.max(gained[~unknown], initial=-np.inf)
        left_out = np.logaddexp.reduce([over_words, *log_prior[inputs[unknown]]])
        return float(min(gained.max(), left_out))

    best = 0.0
    for reference in references.tolist():
        if allowed(reference, probable) < best:  # a few w often show that this r is no better
            best = min(best, allowed(reference, possible))
    return float(np.exp(best))
