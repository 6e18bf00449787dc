"""Expected PP: the share of words that the mechanism would replace, for the words that came out.

PP itself, the share of a text's words that came out as another word, reveals something about the
text: for a file of one word it says whether that word stayed. In its place a public report has

    expected PP = mean over the words v that came out of 1 - N_v,    N_v = Pr[M(v) = v],

which follows from the private file, the vocabulary and the settings alone, so it reveals no more
than they do. It is exact if the law is known and few different words came out. Otherwise words
are picked from the private file, and each is drawn once: picks and draws are independent, so the
share of replaced ones has an exact interval. Their generator is seeded with the file's own hash.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from measures.intervals import of_share
from measures.words.deniability import unchanged_probability
from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.estimate import CONFIDENCE, Estimate, exact
from mechanisms.in_order import WordByWord
from release.grammar import counted

# Different words whose laws are computed one by one: up to 0.05 s each (Truncated Gumbel).
MOST_WORDS = 100

# Draws beyond that: the interval is ± 1.6 points at most, in less than a second.
DRAWS = 4_000


def expected_pp(
    mechanism: Mechanism, vocabulary: Vocabulary, released: Mapping[int, int], digest: str
) -> Estimate | None:
    """Expected PP of the words that came out, in percent; None if no word did.

    None too for a mechanism whose draws look at the words before: counts do not say which.

    A word that the mechanism has no law for would be drawn as an unknown word is, uniformly.

    Parameters
    ----------
    released
        How often each word came out, by its id, whatever it was drawn for.
    digest
        Hash of the private file in hexadecimal digits: the seed of what is picked from it.

    """
    if not released or isinstance(mechanism, WordByWord):
        return None
    ids = np.array(sorted(released), dtype=np.int64)
    share = np.array([released[word] for word in ids.tolist()], dtype=np.float64)
    share /= share.sum()
    rng = np.random.default_rng(int(digest, 16))
    if isinstance(mechanism, LawMechanism) and len(ids) <= MOST_WORDS:
        stays = np.full(len(ids), 1 / len(vocabulary))
        covered = mechanism.covers(vocabulary, ids)
        stays[covered] = unchanged_probability(mechanism, vocabulary, ids[covered], rng).value
        return exact(100 * float(share @ (1 - stays)))
    picked = rng.choice(ids, DRAWS, p=share)
    drawn = rng.integers(len(vocabulary), size=DRAWS)
    covered = mechanism.covers(vocabulary, picked)
    drawn[covered] = mechanism.sample(vocabulary, picked[covered], 1, rng)[:, 0]
    return of_share(int((drawn != picked).sum()), DRAWS, of="words").percent


def as_facts(found: Estimate) -> dict[str, float | str]:
    """Expected PP as it is in the report, with its source in words."""
    value, low, high = found.numbers
    source = "exact, by the law of each word"
    if not found.source.is_exact:
        words = f"{counted(found.source.count, 'word')} of the private file"
        source = f"{100 * CONFIDENCE:.0f} % interval, from {words}, each drawn once"
    return {"percent": value, "low": low, "high": high, "source": source}
