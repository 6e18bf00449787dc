"""The success of an adversary that guesses one of some words, each equally likely, at every ε.

Of a law it is exact, (1/n) Σ_v max_w Pr[M(w) = v]. Of other mechanisms it is what a rule named that
was learned from other draws (`naming`): a lower bound of what the best adversary names.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from measures.own_texts.draws import private_inputs
from measures.own_texts.naming import Reader
from measures.own_texts.texts import OwnTexts
from measures.own_texts.unchanged import unchanged
from mechanisms import Family, Mechanism, Vocabulary
from mechanisms.answers import checked_epsilons
from mechanisms.base import has_law
from mechanisms.estimate import Estimate, exact, stacked
from mechanisms.vocabulary import WordIds

# Draws of each word.
_DRAWS = 20


def success_among(
    family: Family[Mechanism],
    vocabulary: Vocabulary,
    words: WordIds,
    epsilons: ArrayLike,
    seed: int = 0,
) -> Estimate:
    """The share of distinct words (n,) that is named, at every ε: (E,)."""
    grid = checked_epsilons(epsilons)
    if has_law(family):
        prior = np.full(len(words), 1 / len(words))
        best = unchanged(family, vocabulary, words, prior, grid).best_success
        assert best is not None
        return exact(best)
    offsets = np.arange(0, _DRAWS * len(words) + 1, len(words))
    own = OwnTexts(vocabulary, np.tile(words, _DRAWS), offsets)
    reader = Reader(own, own, np.arange(_DRAWS))
    drawn = private_inputs(family, vocabulary, own.inputs, grid, seed)
    return stacked(
        [
            reader.named(family.at(float(epsilon)), row).frequencies
            for epsilon, row in zip(grid, drawn, strict=True)
        ]
    )
