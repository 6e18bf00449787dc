"""Texts made private at several ε, to measure with: never a release.

Noise that grows and shrinks with ε is drawn once and read at every ε (`sampled_path`), so that
differences between two ε are less noisy than independent draws would make them.
"""

from __future__ import annotations

import numpy as np

from mechanisms import Family, LawMechanism, Mechanism, Vocabulary
from mechanisms.epsilon_path import has_path, sampled_path
from mechanisms.randomness import seeded_rng
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
    released = np.empty((len(epsilons), len(given)), dtype=np.int64)
    if issubclass(family.kind, LawMechanism) or not has_path(family):
        for number, epsilon in enumerate(epsilons.tolist()):
            at = family.at(epsilon)
            rng = np.random.default_rng([seed, number])
            released[number] = at.sample(vocabulary, given, 1, rng)[:, 0]
        return released
    words, inverse, counts = np.unique(given, return_inverse=True, return_counts=True)
    # Words by how often they occur: each in a group that draws at most twice as often.
    group = np.ceil(np.log2(counts)).astype(np.int64)
    rank = np.empty(len(given), dtype=np.int64)
    order = np.argsort(inverse, kind="stable")
    rank[order] = np.arange(len(given)) - np.repeat(np.cumsum(counts) - counts, counts)
    rng = seeded_rng(seed)
    for power in np.unique(group).tolist():
        chosen = np.flatnonzero(group == power)
        steps = sampled_path(family, vocabulary, words[chosen], 2**power, rng, threads=1)
        where = np.flatnonzero(group[inverse] == power)
        row = np.searchsorted(chosen, inverse[where])
        for number, epsilon in enumerate(epsilons.tolist()):
            released[number, where] = steps.at(epsilon)[row, rank[where]]
    return released
