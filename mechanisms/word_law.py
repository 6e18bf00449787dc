"""The law of a word in the best way that a mechanism allows.

LawMechanism   exact
RadialNoise    a mean over directions, the radius integrated out (`epsilon_path`)
any other      counted among draws
"""

from __future__ import annotations

import numpy as np

from mechanisms.answers import exact_answers
from mechanisms.base import LawMechanism, Mechanism, RadialNoise
from mechanisms.epsilon_path import epsilon_path
from mechanisms.estimate import Source
from mechanisms.law import Law
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Vocabulary


def word_law(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word: str,
    *,
    directions: int,
    draws: int,
    seed: int,
) -> Law:
    """`Mechanism.law`."""
    for name, count in (("directions", directions), ("draws", draws)):
        if count < 1:
            raise ValueError(f"Law: {name} must be at least 1; got {count}.")
    ids = vocabulary.ids([word])
    if isinstance(mechanism, LawMechanism):
        return exact_answers(mechanism.family(), vocabulary, ids).law(0, mechanism.epsilon)
    rng = seeded_rng(seed)
    if isinstance(mechanism, RadialNoise):
        path = epsilon_path(mechanism.family(), vocabulary, ids, directions, rng)
        return path.law(0, mechanism.epsilon)
    return drawn_law(mechanism, vocabulary, int(ids[0]), draws, rng)


def drawn_law(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_id: int,
    draws: int,
    rng: np.random.Generator,
) -> Law:
    """The law counted among draws, for a mechanism with neither a law nor a path."""
    released = mechanism.sample(vocabulary, np.array([word_id]), draws, rng)[0]
    words, counts = np.unique(released, return_counts=True)
    return Law(mechanism, vocabulary, word_id, words, counts / draws, Source("draws", draws))
