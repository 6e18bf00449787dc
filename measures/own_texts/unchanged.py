r"""How often each word of a file comes out unchanged, and how often the best adversary names it.

LawMechanism   exact, one pass over the laws of the words (`laws`)
RadialNoise    a mean over directions, the radius integrated out (`epsilon_path`)
any other      counted among draws

The adversary knows how frequent the words of this file are, π, and that a word is one of them. The
share of words that it names is at most Σ_v max_w π(w) Pr[M(w) = v], and Bayes' rule reaches it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures.own_texts.laws import all_laws
from measures.own_texts.texts import Positions
from mechanisms import Family, LawMechanism, Mechanism, RadialNoise, Vocabulary
from mechanisms.answers import Progress
from mechanisms.base import NoiseMechanism, blocks
from mechanisms.epsilon_path import epsilon_path, has_path, sampled_path
from mechanisms.estimate import Estimate, exact, of_counts
from mechanisms.randomness import seeded_rng
from mechanisms.rays import places
from mechanisms.vocabulary import CANCELLATION_FLOAT32, Floats, WordIds

# Draws at once, and words beside a start point that a noisy point is compared with first.
_DRAWS, _NEAR = 20_000, 64


@dataclass(frozen=True, eq=False)
class Unchanged:
    """N_w of words (n, E), and of a law also what the best adversary names."""

    n_w: Estimate
    best_success: Floats | None = None
    """Σ_v max_w π(w) Pr[M(w) = v] (E,), exact; None without a law."""
    log_normalisers: Floats | None = None
    """log Z(w) (n, E) of a law by distance; otherwise None."""
    drawn: WordIds | None = None
    """A draw of each of the inputs that were asked for (E, T), of a law; otherwise None."""


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
    to_draw: WordIds | None = None,
) -> Unchanged:
    """N_w of distinct words (n,), ascending, at every ε (E,); their shares π (n,) add up to one.

    Words that the mechanism has no law for are drawn as the unknown word is. Of a law, inputs
    `to_draw` (T,), which are among the words or the unknown word, are drawn in the same pass.
    """
    inputs = family.without_epsilon.inputs(vocabulary, words)
    if issubclass(family.kind, LawMechanism):
        laws = [family.at(float(epsilon)) for epsilon in epsilons]
        found = all_laws(
            laws,
            vocabulary,
            words,
            inputs,
            prior,
            progress=progress,
            to_draw=to_draw,
            seed=seed + 1,
        )
        drawn = None if to_draw is None else found.drawn
        return Unchanged(exact(found.n_w), found.best_success, found.log_normalisers, drawn)
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
            for part in blocks(len(words), max(1, _DRAWS // directions)):
                same[part, column] = times_unchanged(
                    at, vocabulary, words[part], inputs[part], directions, rng
                )
    return Unchanged(of_counts(same, directions))


def times_unchanged(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    words: WordIds,
    inputs: WordIds,
    draws: int,
    rng: np.random.Generator,
) -> Positions:
    """Of so many draws of each input (n,), how many release the word (n,) itself: (n,).

    If the nearest word is released, a noisy point that is nearer to a word beside its start than
    to the word itself needs no search: only the others do.
    """
    if not isinstance(mechanism, NoiseMechanism) or places(mechanism) > 1:
        drawn = mechanism.sample(vocabulary, inputs, draws, rng)
        return np.asarray((drawn == words[:, None]).sum(axis=1))
    starts = mechanism.start(vocabulary, inputs)
    points = mechanism.noise(vocabulary, len(words) * draws, rng).reshape(len(words), draws, -1)
    points += starts[:, None]
    near = vocabulary.nearest_k(starts, min(_NEAR, vocabulary.different_vectors))[1]
    # ‖p - v‖² less ‖p‖²; the rounding of the search, in float32, may decide what is closer by less.
    beside = vocabulary.squared_norms[near][:, None] - 2 * (
        points @ vocabulary.vectors[near].astype(np.float64).transpose(0, 2, 1)
    )
    norms = vocabulary.squared_norms[words, None]
    own = norms - 2 * np.einsum("nmd,nd->nm", points, vocabulary.vectors[words].astype(np.float64))
    slack = CANCELLATION_FLOAT32 * (norms + np.einsum("nmd,nmd->nm", points, points))
    row, draw = np.nonzero(~(own > beside.min(axis=2) + slack))
    released = mechanism.choose(vocabulary, inputs[row], points[row, draw], rng)
    return np.bincount(row[released == words[row]], minlength=len(words))
