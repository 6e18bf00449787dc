"""Texts made private at several ε, to measure with: never a release.

Every ε draws from the same stream of random numbers, so that noise which only grows and shrinks
with ε is the same noise: differences between two ε are less noisy than independent draws make them,
and one search finds the words at all ε (`mechanisms.ray_draws`).
"""

from __future__ import annotations

import numpy as np

from mechanisms import Family, Mechanism, Vocabulary
from mechanisms.base import ScaledNoise
from mechanisms.randomness import seeded_rng
from mechanisms.ray_draws import on_rays
from mechanisms.vocabulary import Floats, WordIds


def private_inputs(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    inputs: WordIds,
    epsilons: Floats,
    seed: int,
) -> WordIds:
    """One draw of every input at every ε: (T,) -> (E, T)."""
    given = family.without_epsilon.inputs(vocabulary, inputs)
    several = [family.at(epsilon) for epsilon in epsilons.tolist()]
    scaled = [each for each in several if isinstance(each, ScaledNoise)]
    if scaled:
        return on_rays(scaled, vocabulary, given, seeded_rng(seed)).T
    return np.stack([each.sample(vocabulary, given, 1, seeded_rng(seed))[:, 0] for each in several])
