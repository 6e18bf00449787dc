r"""How often the words of a text come out unchanged if a draw looks at the words released before.

    N_w(i) = E[Pr[v_i = w_i | w_i, v_<i]],   v_<i the words released before place i

The law of a place is exact, given the words released before; the mean over these is taken over
independent releases of the whole text. So N_w has an interval, and a smaller one than a count of
unchanged words.
"""

from __future__ import annotations

import numpy as np

from mechanisms import Vocabulary
from mechanisms.answers import Progress
from mechanisms.estimate import Estimate, Source, of_shares
from mechanisms.in_order import WordByWord
from mechanisms.vocabulary import WordIds


def unchanged_in_text(
    mechanism: WordByWord,
    vocabulary: Vocabulary,
    inputs: WordIds,
    releases: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> Estimate:
    """N_w of each place of a text (n,), from so many releases of it.

    Inputs (n,) are words of the vocabulary, in order. Raises ValueError for fewer than two
    releases.
    """
    if releases < 2:
        raise ValueError(f"Releases: at least 2 are needed for an interval; got {releases}.")
    ids = vocabulary.checked(inputs)
    (released,) = mechanism.sample_texts(vocabulary, [ids], releases, rng)
    chances, looks_back = np.empty((len(ids), releases)), max(mechanism.histories)
    for place, word in enumerate(ids.tolist()):
        before = released[max(0, place - looks_back) : place].T
        prefixes, which = np.unique(before, axis=0, return_inverse=True)
        of_prefix = [
            mechanism.log_prob_after(vocabulary, np.array([word]), prefix.tolist())[0, word]
            for prefix in (prefixes if place else prefixes[:1])
        ]
        chances[place] = np.exp(of_prefix)[which.ravel()] if place else np.exp(of_prefix[0])
        if progress:
            progress((place + 1) / len(ids))
    source = Source("draws", releases)
    return of_shares(chances.mean(axis=1), chances.std(axis=1, ddof=1), source)
