"""What an adversary believes of a word before it sees anything.

A prior has an entry for each input of a mechanism: the V words of the vocabulary and, last, the
unknown word, which every word outside of the vocabulary is. Its share is that of the tokens of a
corpus that the vocabulary lacks.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from measures.attacks import ngrams
from mechanisms import Mechanism, Vocabulary
from mechanisms.vocabulary import Floats

Prior = Literal["frequency", "uniform"]


def log_prior(
    prior: Prior, vocabulary: Vocabulary, pairs: ngrams.WordPairs | None = None
) -> Floats:
    """log π of every input (V + 1,), the unknown word last: by frequency (`pairs`), or all alike.

    The unknown word is as frequent as words outside of the vocabulary are in film reviews.
    """
    if prior == "uniform":
        return np.full(len(vocabulary) + 1, -np.log(len(vocabulary) + 1))
    return (pairs or ngrams.word_pairs(vocabulary)).log_prior


def of_inputs_seen(inputs: ArrayLike, vocabulary: Vocabulary) -> Floats:
    """log π of every input (V + 1,): its share among inputs that were seen (n,), n > 0."""
    counts = np.bincount(np.asarray(inputs), minlength=len(vocabulary) + 1)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(counts / counts.sum()), dtype=np.float64)


def known_only(log_prior: ArrayLike) -> Floats:
    """log π of every input (V + 1,), if no word is unknown: from log π of the words (V,)."""
    return np.append(np.asarray(log_prior, dtype=np.float64), -np.inf)


def of_inputs(mechanism: Mechanism, vocabulary: Vocabulary, log_prior: Floats) -> Floats:
    """The prior of the mechanism's inputs: words that it has no law for are the unknown word."""
    if log_prior.shape != (len(vocabulary) + 1,):
        raise ValueError(
            f"Adversary: the prior must have {len(vocabulary) + 1:,} entries, one for each word "
            f"and one for the unknown word; got an array of shape {log_prior.shape}."
        )
    bare = np.flatnonzero(~mechanism.covers(vocabulary, np.arange(len(vocabulary))))
    if not len(bare):
        return log_prior
    moved = np.array(log_prior)
    moved[-1] = np.logaddexp.reduce(log_prior[[*bare, -1]])
    moved[bare] = -np.inf
    return moved
