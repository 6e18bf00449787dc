r"""How often the words of a text come out unchanged if a draw looks at the words released before.

    N_w(i) = E[Pr[v_i = w_i | w_i, v_<i]],   v_<i the words released before place i

The law of a place is exact, given the words released before: with q(v | prefix) = α q(v) + Σ_j s_j
[v_j = v] and f(w, v) = e^(-ε/2 · min(d(w, v), γ)),

    Pr[w | w, prefix] = q(w | prefix) / (α Σ_v q(v) f(w, v) + Σ_j s_j f(w, v_j)).

The mean over prefixes is taken over independent releases of the whole text. So N_w has an interval,
and a smaller one than a count of unchanged words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mechanisms import Vocabulary
from mechanisms.answers import Progress
from mechanisms.estimate import Estimate, Source, of_shares
from mechanisms.in_order import WordByWord
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, WordIds


def unchanged_in_text(
    mechanism: WordByWord,
    vocabulary: Vocabulary,
    inputs: WordIds,
    releases: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> Estimate:
    """N_w of each known word of a text, in order (k,), from so many releases of it.

    Inputs (n,) are all that is drawn of the text, in order: words, or the unknown word, which has
    no N_w and is in the prefix of the words after it. Raises ValueError for fewer than two
    releases.
    """
    if releases < 2:
        raise ValueError(f"Releases: at least 2 are needed for an interval; got {releases}.")
    ids = vocabulary.checked_inputs(inputs)
    (released,) = mechanism.sample_texts(vocabulary, [ids], releases, rng)
    known = np.flatnonzero(ids != vocabulary.unknown_id)
    stays, looks_back = np.empty((len(ids), releases)), max(mechanism.histories)
    words = np.unique(ids[known]).tolist()
    for number, word in enumerate(words):
        of_word = _Word(mechanism, vocabulary, word)
        for place in np.flatnonzero(ids == word).tolist():
            before = released[max(0, place - looks_back) : place].T
            stays[place] = of_word.unchanged(before)
        if progress:
            progress((number + 1) / len(words))
    mean, deviation = stays[known].mean(axis=1), stays[known].std(axis=1, ddof=1)
    return of_shares(mean, deviation, Source("draws", releases))


class _Word:
    """One word at any place: what all prefixes share."""

    def __init__(self, mechanism: WordByWord, vocabulary: Vocabulary, word: int) -> None:
        assert isinstance(mechanism, DistanceLaw)
        self.mechanism, self.vocabulary, self.word = mechanism, vocabulary, word
        distances = vocabulary.distances(np.array([word]))[0]
        self.f: Floats = np.exp(mechanism.scores(vocabulary, distances))
        base = mechanism.base_measure(vocabulary)
        self.q = 1.0 if base is None else float(base[word])
        self.normaliser = float(self.f.sum() if base is None else self.f @ base)

    def unchanged(self, before: WordIds) -> Floats:
        """Pr[w | w, prefix] for each release of the words before it: (m, k) -> (m,)."""
        if not before.shape[1]:
            return np.full(len(before), self.q / self.normaliser)
        prefixes, which = np.unique(before, axis=0, return_inverse=True)
        return np.array([self._after(prefix) for prefix in prefixes.tolist()])[which.ravel()]

    def _after(self, prefix: Sequence[int]) -> float:
        alpha, ids, shares = self.mechanism.continuation(self.vocabulary, prefix)
        own = alpha * self.q + float(shares[ids == self.word].sum())
        return own / (alpha * self.normaliser + float(shares @ self.f[ids]))
