"""What a release is expected to leave unchanged of a file, before it is made.

by the law    Σ_w π(w) N_w over the file's words, exact; and what the best adversary names
by draws      words picked from the file by how often they occur, each drawn once: of mechanisms
              without a law by word
in order      texts picked from the file, each drawn once: of mechanisms that look back (`in_order`)

Draws are repeatable, serve to count and are no release.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from measures.intervals import of_share
from measures.own_texts.texts import OwnTexts, Positions
from measures.own_texts.unchanged import unchanged
from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.estimate import Estimate, exact
from mechanisms.in_order import WordByWord
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

# Words that are drawn: the interval of a share is ± 1.6 points at most.
DRAWS = 4_000


class Expected(NamedTuple):
    """Shares of a file's known words."""

    unchanged: Estimate
    """Of all of them."""
    names: Estimate | None
    """The same of the name-like ones alone; None without any."""
    named: float | None
    """What the best adversary names who knows the file's frequencies; None without a law."""


def of_words(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    words: WordIds,
    counts: Positions,
    is_name: NDArray[np.bool_],
    seed: int = 0,
) -> Expected:
    """What is expected of distinct words (n,), ascending, that occur so often (n,).

    Raises
    ------
    ValueError
        Without any word, or for a mechanism that looks back: the order of words decides then.

    """
    if not len(words):
        raise ValueError("Expected: the texts must have a word of the vocabulary; they have none.")
    if isinstance(mechanism, WordByWord):
        raise ValueError(
            f"Expected: {mechanism.name} uses the words released before; give it the texts."
        )
    shares: Floats = counts / counts.sum()
    if isinstance(mechanism, LawMechanism):
        epsilons = np.array([mechanism.epsilon])
        found = unchanged(mechanism.family(), vocabulary, words, shares, epsilons)
        assert found.best_success is not None
        n_w = found.n_w.value[:, 0]
        names = None
        if is_name.any():
            names = exact(float(shares[is_name] @ n_w[is_name] / shares[is_name].sum()))
        return Expected(exact(float(shares @ n_w)), names, float(found.best_success[0]))

    def drawn(of: NDArray[np.bool_], rng: np.random.Generator) -> Estimate:
        picked = rng.choice(words[of], DRAWS, p=shares[of] / shares[of].sum())
        inputs = mechanism.inputs(vocabulary, picked)
        released = mechanism.sample(vocabulary, inputs, 1, rng)[:, 0]
        return of_share(int((released == picked).sum()), DRAWS, of="words")

    every = np.ones(len(words), dtype=np.bool_)
    names = drawn(is_name, seeded_rng(seed + 1)) if is_name.any() else None
    return Expected(drawn(every, seeded_rng(seed)), names, None)


def of_texts(mechanism: WordByWord, own: OwnTexts, names: WordIds, seed: int = 0) -> Expected:
    """What is expected of texts whose words are drawn in order; `names` are name-like words."""
    vocabulary, rng = own.vocabulary, seeded_rng(seed)
    order = rng.permutation(len(own))
    size = np.cumsum(np.diff(own.offsets)[order])
    part = own.some(np.sort(order[: int(np.searchsorted(size, DRAWS)) + 1]))
    inputs = np.split(part.inputs, part.offsets[1:-1])
    released = np.concatenate(mechanism.sample_texts(vocabulary, inputs, 1, rng))[:, 0]

    def share(of: NDArray[np.bool_]) -> Estimate | None:
        hits = np.bincount(part.owner, of & (released == part.inputs), minlength=len(part))
        totals = np.bincount(part.owner, of, minlength=len(part))
        some = totals > 0
        if not some.any():
            return None
        return of_share(np.rint(hits).astype(int)[some], totals.astype(int)[some], of="texts")

    every = share(part.inputs != vocabulary.unknown_id)
    if every is None:
        raise ValueError("Expected: the texts must have a word of the vocabulary; they have none.")
    return Expected(every, share(np.isin(part.inputs, names)), None)
