r"""The laws of a file's words at every ε in one pass: N_w, the best adversary, and a draw.

A law's weights are computed once for a word and an ε, in float32, a few rows at a time so that they
stay in the processor's cache, and answer everything that is asked of them:

N_w         Pr[M(w) = w]
success     Σ_v max_w π(w) Pr[M(w) = v]: the share of words that the best adversary names who knows
            how frequent they are
normaliser  log Z(w), of a law by distance
draws       by inversion, one uniform number an input, the same at every ε: the stretch of 256 words
            from the sums of stretches, the word from the running sum of one stretch. They serve to
            measure and are no release; a release is drawn exactly (`mechanisms.exact_draws`)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.answers import Progress
from mechanisms.base import blocks
from mechanisms.randomness import seeded_rng
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, WordIds

Singles = NDArray[np.float32]

# Weights at once (1 MB, so that they stay in the cache), and distances at once (16 MB in float64).
_WEIGHTS, _DISTANCES = 250_000, 2_000_000

# Neighbouring words whose weights are first looked at by their sum.
_STRETCH = 256

# e^-87 is the smallest normal float32: arithmetic with smaller numbers is slow, and their sum over
# a vocabulary is far below a float32's precision of 1.
_SMALLEST_LOG = -87.0


@dataclass(frozen=True, eq=False)
class AllLaws:
    """What n words do at E ε."""

    n_w: Floats
    """(n, E)."""
    best_success: Floats
    """(E,)."""
    log_normalisers: Floats | None
    """log Z(w) (n, E) of a law by distance; otherwise None."""
    drawn: WordIds
    """(E, T)."""


def all_laws(
    laws: Sequence[Mechanism],
    vocabulary: Vocabulary,
    words: WordIds,
    inputs: WordIds,
    prior: Floats,
    *,
    progress: Progress | None = None,
    to_draw: WordIds | None = None,
    seed: int = 0,
) -> AllLaws:
    """One mechanism at every ε, on distinct words.

    Parameters
    ----------
    laws
        The mechanism at each of E ε.
    vocabulary, words
        Ids (n,), ascending.
    inputs
        The inputs of these words (n,): the unknown word in place of a word without a law.
    prior
        The share of each word (n,).
    progress
        Told the share that is done.
    to_draw
        Inputs (T,), each among `words` or the unknown word.
    seed
        Of the draws.

    """
    by_distance = isinstance(laws[0], DistanceLaw) and bool((inputs == words).all())
    size = -(-len(vocabulary) // _STRETCH) * _STRETCH
    room = np.zeros((max(1, _WEIGHTS // size), size), dtype=np.float32)
    best = np.zeros((len(laws), len(vocabulary)), dtype=np.float32)
    totals = np.empty((len(words), len(laws)))
    n_w = np.empty_like(totals)
    draws = _Draws(laws, vocabulary, words, to_draw, seed)
    for part in blocks(len(words), max(len(room), _DISTANCES // len(vocabulary))):
        if progress:
            progress(part.start / len(words))
        ids = words[part]
        distances = vocabulary.distances(ids).astype(np.float32) if by_distance else None
        for some in blocks(len(ids), len(room)):
            here = slice(part.start + some.start, part.start + some.stop)
            share = prior[here, None]
            weights = room[: some.stop - some.start]
            for column, law in enumerate(laws):
                inside = weights[:, : len(vocabulary)]
                if distances is not None and isinstance(law, DistanceLaw):
                    _weigh(law, vocabulary, distances[some], inside)
                else:
                    assert isinstance(law, LawMechanism)
                    np.exp(law.log_prob(vocabulary, inputs[here]), out=inside, casting="same_kind")
                stretches = weights.reshape(len(weights), -1, _STRETCH)
                running = stretches.sum(axis=2, dtype=np.float64).cumsum(axis=1)
                total = running[:, -1]
                totals[here, column] = total
                n_w[here, column] = weights[np.arange(len(weights)), ids[some]] / total
                draws.take(column, here, weights, running)
                inside *= (share / total[:, None]).astype(np.float32)
                np.maximum(best[column], inside.max(axis=0), out=best[column])
    return AllLaws(
        np.minimum(n_w, 1.0),
        np.minimum(best.sum(axis=1, dtype=np.float64), 1.0),
        np.log(totals) if by_distance else None,
        draws.drawn,
    )


def _weigh(law: DistanceLaw, vocabulary: Vocabulary, distances: Singles, out: Singles) -> None:
    """q(v) exp(-ε/2 · min(d, γ)) in float32: (k, V), into `out`."""
    floor = max(-law.epsilon / 2 * min(law.threshold(vocabulary), 1e30), _SMALLEST_LOG)
    np.multiply(distances, np.float32(-law.epsilon / 2), out=out)
    np.maximum(out, np.float32(floor), out=out)
    np.exp(out, out=out)
    base = law.base_measure(vocabulary)
    if base is not None:
        out *= base.astype(np.float32)


class _Draws:
    """Draws of inputs at every ε, word by word as their weights are there."""

    def __init__(
        self,
        laws: Sequence[Mechanism],
        vocabulary: Vocabulary,
        words: WordIds,
        to_draw: WordIds | None,
        seed: int,
    ) -> None:
        inputs = np.empty(0, dtype=np.int64) if to_draw is None else to_draw
        self.drawn: WordIds = np.empty((len(laws), len(inputs)), dtype=np.int64)
        self._last = len(vocabulary) - 1
        rng = seeded_rng(seed)
        self._uniform: Floats = rng.random(len(inputs))
        unknown = np.flatnonzero(inputs == vocabulary.unknown_id)
        for column, law in enumerate(laws if len(unknown) else ()):
            assert isinstance(law, LawMechanism)
            own = law.unknown_sample(vocabulary, len(unknown), 1, seeded_rng(seed))
            self.drawn[column, unknown] = own[:, 0]
        place = np.searchsorted(words, inputs)
        place[unknown] = len(words)
        self._order = np.argsort(place, kind="stable")
        self._sorted = place[self._order]

    def take(self, column: int, words: slice, weights: Singles, running: Floats) -> None:
        """Draw the inputs of some words from weights (k, S), with the sums of stretches."""
        first, last = np.searchsorted(self._sorted, [words.start, words.stop])
        if first == last:
            return
        at = self._order[first:last]
        row = self._sorted[first:last] - words.start
        target = self._uniform[at] * running[row, -1]
        stretch = (running[row, :-1] <= target[:, None]).sum(axis=1)
        before = np.where(stretch > 0, running[row, stretch - 1], 0.0)
        within = weights.reshape(len(weights), -1, _STRETCH)[row, stretch]
        sums = within.cumsum(axis=1, dtype=np.float64)
        offset = (sums[:, :-1] <= (target - before)[:, None]).sum(axis=1)
        # Sums in another order differ in their last bits: the last word with a weight at most.
        offset = np.minimum(offset, (sums < sums[:, -1:]).sum(axis=1))
        self.drawn[column, at] = np.minimum(stretch * _STRETCH + offset, self._last)
