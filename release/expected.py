"""Expected PP: the share of words that the mechanism would replace, for the words that came out.

PP itself, the share of a text's words that came out as another word, tells of the text: of a file
of one word it says whether that word stayed. In its place a public report has

    expected PP = mean over the words v that came out of 1 - N_v,    N_v = Pr[M(v) = v],

which follows from the private file, the vocabulary and the settings alone, so it tells nothing that
they do not tell. It is exact where a law is known and few different words came out; otherwise it
comes from words or draws that are picked from the private file, by a generator that is seeded with
the file's own hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from measures.deniability import unchanged_probability
from measures.intervals import CONFIDENCE, of_share
from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.vocabulary import Floats, WordIds

# Different words whose laws are computed: a row of the vocabulary each.
MOST_WORDS = 1_000

# Draws of a mechanism without a law: the interval is ± 1.6 points at most.
DRAWS = 4_000


class ExpectedPP(NamedTuple):
    """Percent, with its interval, and what it was computed from."""

    percent: float
    low: float
    high: float
    source: str


def expected_pp(
    mechanism: Mechanism, vocabulary: Vocabulary, released: Mapping[int, int], digest: str
) -> ExpectedPP | None:
    """Expected PP of the words that came out; None where there are none.

    Parameters
    ----------
    released
        How often each word came out, by its id, whatever it was drawn for.
    digest
        Hash of the private file in hexadecimal digits: the seed of what is picked from it.

    """
    if not released:
        return None
    ids = np.array(sorted(released), dtype=np.int64)
    counts = np.array([released[word] for word in ids.tolist()], dtype=np.float64)
    rng = np.random.default_rng(int(digest, 16))
    if isinstance(mechanism, LawMechanism):
        if len(ids) <= MOST_WORDS:
            mean = float(_replaced(mechanism, vocabulary, ids, rng) @ counts / counts.sum())
            return ExpectedPP(100 * mean, 100 * mean, 100 * mean, "exact, by the law of each word")
        size, of = MOST_WORDS, "words of the private file, each exact by its law"
    else:
        size, of = DRAWS, "draws, each from a word of the private file"
    picked = rng.choice(ids, size, p=counts / counts.sum())
    # A mean of values in [0, 1] spreads no more than a share with this mean does.
    replaced = float(_replaced(mechanism, vocabulary, picked, rng).sum())
    found = of_share(min(replaced, size), size).percent
    return ExpectedPP(*found, f"{CONFIDENCE:.0%} interval, from {size:,} {of}, picked at random")


def _replaced(
    mechanism: Mechanism, vocabulary: Vocabulary, word_ids: WordIds, rng: np.random.Generator
) -> Floats:
    """1 - N_v of each word by its law, else whether one draw replaces it: (n,) -> (n,).

    A word that the mechanism has no law for would be drawn as an unknown word is, uniformly.
    """
    replaced = np.full(len(word_ids), 1 - 1 / len(vocabulary))
    covered = mechanism.covers(vocabulary, word_ids)
    ids = word_ids[covered]
    if isinstance(mechanism, LawMechanism):
        distinct, inverse = np.unique(ids, return_inverse=True)
        law = unchanged_probability(mechanism, vocabulary, distinct, rng)
        replaced[covered] = 1 - np.asarray(law.value)[inverse]
    else:
        replaced[covered] = mechanism.sample(vocabulary, ids, 1, rng)[:, 0] != ids
    return replaced
