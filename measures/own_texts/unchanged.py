r"""How often each word of a file comes out unchanged, and how often the best adversary names it.

LawMechanism   exact, one pass over the laws of the words
RadialNoise    a mean over directions, the radius integrated out (`epsilon_path`)
any other      counted among draws

The adversary knows how frequent the words of this file are, π, and that a word is one of them. The
share of words that it names is at most Σ_v max_w π(w) Pr[M(w) = v], and Bayes' rule reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mechanisms import Family, LawMechanism, Mechanism, RadialNoise, Vocabulary
from mechanisms.answers import Progress
from mechanisms.base import blocks
from mechanisms.epsilon_path import epsilon_path, has_path, sampled_path
from mechanisms.estimate import Estimate, exact, of_counts
from mechanisms.randomness import seeded_rng
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, WordIds

Singles = NDArray[np.float32]

# Laws computed at once: in float32 a block of 30,000 words stays near 8 MB.
_FLOATS = 2_000_000

# e^-87 is the smallest normal float32: arithmetic with smaller numbers is slow, and their sum over
# a vocabulary is far below a float32's precision of 1.
_SMALLEST_LOG = np.float32(-87.0)


@dataclass(frozen=True, eq=False)
class Unchanged:
    """N_w of words (n, E), and of a law also what the best adversary names."""

    n_w: Estimate
    best_success: Floats | None = None
    """Σ_v max_w π(w) Pr[M(w) = v] (E,), exact; None without a law."""
    log_normalisers: Floats | None = None
    """log Z(w) (n, E) of a law by distance; otherwise None."""


def unchanged(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    words: WordIds,
    prior: Floats,
    epsilons: Floats,
    *,
    directions: int = 128,
    seed: int = 0,
    progress: Progress | None = None,
) -> Unchanged:
    """N_w of distinct words (n,) at every ε (E,); their shares π (n,) add up to one.

    Words that the mechanism has no law for are drawn as the unknown word is.
    """
    inputs = family.without_epsilon.inputs(vocabulary, words)
    if issubclass(family.kind, LawMechanism):
        laws = [family.at(float(epsilon)) for epsilon in epsilons]
        return _by_law(laws, vocabulary, words, inputs, prior, progress)
    rng = seeded_rng(seed)
    if issubclass(family.kind, RadialNoise):
        path = epsilon_path(
            family, vocabulary, inputs, directions, rng, threads=1, progress=progress
        )
        return Unchanged(path.unchanged_probability(epsilons))
    same = np.empty((len(words), len(epsilons)))
    if has_path(family):
        steps = sampled_path(family, vocabulary, inputs, directions, rng, threads=1)
        for column, epsilon in enumerate(epsilons.tolist()):
            same[:, column] = (steps.at(epsilon) == words[:, None]).sum(axis=1)
    else:
        for column, epsilon in enumerate(epsilons.tolist()):
            at = family.at(epsilon)
            for part in blocks(len(words), max(1, 20_000 // directions)):
                drawn = at.sample(vocabulary, inputs[part], directions, rng)
                same[part, column] = (drawn == words[part, None]).sum(axis=1)
    return Unchanged(of_counts(same, directions))


def _by_law(
    laws: Sequence[Mechanism],
    vocabulary: Vocabulary,
    words: WordIds,
    inputs: WordIds,
    prior: Floats,
    progress: Progress | None,
) -> Unchanged:
    best = np.zeros((len(laws), len(vocabulary)), dtype=np.float32)
    n_w = np.empty((len(words), len(laws)))
    by_distance = isinstance(laws[0], DistanceLaw) and bool((inputs == words).all())
    log_z = np.empty_like(n_w) if by_distance else None
    for part in blocks(len(words), _FLOATS // len(vocabulary)):
        if progress:
            progress(part.start / len(words))
        ids = words[part]
        row = np.arange(len(ids))
        distances = vocabulary.distances(ids).astype(np.float32) if by_distance else None
        for column, law in enumerate(laws):
            if isinstance(law, DistanceLaw) and distances is not None:
                weights = _weights(law, vocabulary, distances)
                total = weights.sum(axis=1, dtype=np.float64)
                assert log_z is not None
                log_z[part, column] = np.log(total)
                weights /= total[:, None].astype(np.float32)
            else:
                assert isinstance(law, LawMechanism)
                weights = np.exp(law.log_prob(vocabulary, inputs[part])).astype(np.float32)
            n_w[part, column] = weights[row, ids]
            weights *= prior[part, None].astype(np.float32)
            np.maximum(best[column], weights.max(axis=0), out=best[column])
    success = np.minimum(best.sum(axis=1, dtype=np.float64), 1.0)
    return Unchanged(exact(np.minimum(n_w, 1.0)), success, log_z)


def _weights(law: DistanceLaw, vocabulary: Vocabulary, distances: Singles) -> Singles:
    """q(v) exp(-ε/2 · min(d, γ)) in float32: (n, V)."""
    gamma = min(law.threshold(vocabulary), 1e30)
    weights = np.minimum(distances, np.float32(gamma))
    weights *= np.float32(-law.epsilon / 2)
    np.maximum(weights, _SMALLEST_LOG, out=weights)
    np.exp(weights, out=weights)
    base = law.base_measure(vocabulary)
    if base is not None:
        weights *= base.astype(np.float32)
    return weights
