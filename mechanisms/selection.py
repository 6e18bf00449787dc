r"""Draws from a law ∝ q(v) exp(-ε/2 · min(d(w, v), γ)) without computing it: exact, by rejection.

The vocabulary is cut into blocks of 256 words. For every block a quick upper bound S̃ of the sum of
its weights is computed in float32 (`word_blocks`). With the scale S of the row (`exact_draws`), the
block gets B = ⌊S S̃ e^η (1 + 4 slack)⌋ + 257 cells of [0, 2^62). A draw is one uniform point T. Its
whole part names a block; the 256 weights of this one block are computed in float32 once more and
get their own cells each, W_v = ⌊S f_v e^η' (1 + slack)⌋ + 1, at the beginning of the block's; T
names a word, whose weight is computed in float64, and is accepted in the word's own part. By claims
1, 2 and 7 of `exact_draws` the law is exact, whatever was lost to float32, if W_v >= S w_v and
Σ W_v <= B in the block. The first is w <= e^η' f. The second, Σ W_v <= S e^η' (1 + slack) Σ f + 256
< B, follows if both times the same f came out; a product may be rounded otherwise among other
words, so that each block that is visited is compared with its bound. If it exceeds it, which it has
never done on real words, its weights are computed in float64: Σ W_v <= S (1 + 2 slack) Σ w + 256 <
B by Σ w <= e^η S̃. If these exceed it, nothing is released.

On GloVe about one point in 10,000 is rejected. A rejected draw takes the first of a few spare
points that is accepted. How many there are depends on the number of draws alone, and they are
worked out whether they are needed or not, so that time says nothing of it. If all are rejected, the
draw is made from the whole row of weights. Points are independent, so the law is the same.

Only the first step, one matrix product and seven passes over a block that stays in the cache, looks
at all words; random numbers are drawn after it, so that they do not depend on how it is done. Its
cells may be kept for all texts of a file (`Rows`).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from mechanisms.base import blocks
from mechanisms.exact_draws import UNIT, Integers, Layout, accepted, points, search
from mechanisms.exact_law import ExactLaw, by_rows
from mechanisms.kept_laws import kept
from mechanisms.number_cache import number_cache
from mechanisms.one_thread import one_thread
from mechanisms.score import distance_scores
from mechanisms.vocabulary import Floats, Vocabulary, WordIds
from mechanisms.weight import Weight, check_arithmetic, denormals_survive, squared_distance
from mechanisms.word_blocks import Rows, pair_weights

# Pairs of word and block whose weights are kept at once: 1 MB.
_PAIRS = 512

# A draw costs as much as this many words of a whole row: with more draws of each word the row pays.
_LAW_PAYS = 512

# The probability of a rejection for which spare points are provided, 2^-12: twice that of GloVe.
_REJECTED_BITS = 12

# From this ε on, coordinates below the smallest normal float32 would matter.
_DENORMALS_MATTER = 2.0**80


@dataclass(frozen=True, kw_only=True)
class DistanceLaw(ExactLaw):
    """A mechanism with Pr[M(w) = v] ∝ q(v) exp(-ε/2 · min(d(w, v), γ)).

    It states `threshold_terms`, and `base_measure` if q is not 1. From these follow exact and fast
    draws, answers at every ε, fixed draws over all ε, and the exact adversary.
    """

    @abstractmethod
    def threshold_terms(self, vocabulary: Vocabulary) -> tuple[float, float]:
        """(a, b) of γ = a + b/ε, which holds at every ε; (∞, 0) to truncate no distance."""

    def threshold(self, vocabulary: Vocabulary) -> float:
        """γ at this ε, from 0 to infinity."""
        constant, over_epsilon = self.threshold_terms(vocabulary)
        return constant + over_epsilon / self.epsilon

    def base_measure(self, vocabulary: Vocabulary) -> Floats | None:
        """q(v) of every word (V,), in [2^-100, 1], the largest above ½; None: 1 for all."""
        return None

    def scores(self, vocabulary: Vocabulary, distances: Floats) -> Floats:
        """-ε/2 · min(d, γ) of distances, in place."""
        return distance_scores(distances, self.epsilon, self.threshold(vocabulary))

    def unit(self, vocabulary: Vocabulary) -> float:
        """2^-30, and more for vectors of more than 1,596 dimensions.

        `Vocabulary.distances` keeps a d² whose expansion is at least a thousandth part of
        A + B = ‖x‖² + ‖v‖². The expansion errs by at most (2 d + 4) 2^-53 (A + B), so d² by a
        relative 2020 (d + 4) 2^-53, which is 0.4 units; smaller ones are sums of squares, and more
        exact. The root halves the error and adds half a unit at most: three quarters in all.
        """
        return UNIT * max(1.0, (vocabulary.dimensions + 4) / 1600)

    def log_weights(self, vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
        """ln q - ε/2 · min(d, γ): (n,) -> (n, V)."""
        log_weights = self.scores(vocabulary, vocabulary.distances(word_ids))
        base = self.base_measure(vocabulary)
        if base is not None:
            log_weights += np.log(base)
        return log_weights

    def unknown_log_prob(self, vocabulary: Vocabulary) -> Floats:
        """ln q(v) (V,), normalised: the law of a score that is the same for every word."""
        base = self.base_measure(vocabulary)
        if base is None:
            return super().unknown_log_prob(vocabulary)
        return np.asarray(np.log(base / math.fsum(base.tolist())))

    def unknown_sample(
        self, vocabulary: Vocabulary, count: int, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Exact draws from q: (count, size)."""
        base = self.base_measure(vocabulary)
        if base is None:
            return super().unknown_sample(vocabulary, count, size, rng)
        check_arithmetic()
        layout = Layout(base[None], self.unit(vocabulary))
        row = np.zeros(count * size, dtype=np.int64)
        drawn, _ = layout.draw(row, rng, lambda _, output: self.unknown_weight(vocabulary, output))
        return drawn.reshape(count, size)

    def unknown_weight(self, vocabulary: Vocabulary, output: int) -> Weight:
        """The weight of an output of the unknown word, exactly."""
        base = self.base_measure(vocabulary)
        return Weight() if base is None else Weight(factor=Fraction(float(base[output])))

    def exact_weight(self, vocabulary: Vocabulary, word: int, output: int) -> Weight:
        """The weight as a function of rationals: float32 vectors, ε, γ and q as the floats."""
        gamma, base = self.threshold(vocabulary), self.base_measure(vocabulary)
        return Weight(
            rate=Fraction(self.epsilon) / 2,
            square=squared_distance(vocabulary.vectors[word], vocabulary.vectors[output]),
            ceiling=None if math.isinf(gamma) else Fraction(gamma),
            factor=Fraction(1) if base is None else Fraction(float(base[output])),
        )

    def word_sample(
        self, vocabulary: Vocabulary, word_ids: WordIds, size: int, rng: np.random.Generator
    ) -> WordIds:
        """Independent draws of M(w), exact: by blocks for few draws of a word, else by its row."""
        check_machine(self)
        return select(self, vocabulary, word_ids, size, rng)


def check_machine(law: DistanceLaw) -> None:
    """Raise a RuntimeError, before anything is drawn, if this machine cannot draw exactly."""
    check_arithmetic()
    if law.epsilon > _DENORMALS_MATTER and not denormals_survive():
        raise RuntimeError(
            f"{law.name}: this process flushes small numbers to 0, so that ε = {law.epsilon:g} "
            f"cannot be drawn exactly; take an ε below {_DENORMALS_MATTER:g}."
        )


def select(
    law: DistanceLaw,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    size: int,
    rng: np.random.Generator,
) -> WordIds:
    """Independent exact draws of the law: ids (n,) -> ids (n, size)."""
    word_ids = vocabulary.checked(word_ids)
    with one_thread():
        # By size alone, which is public: how often words repeat must not choose the way.
        if size * _LAW_PAYS > len(vocabulary):
            return by_rows(law, vocabulary, word_ids, size, rng)
        rows = kept((Rows, law, vocabulary), lambda: Rows(law, vocabulary))
        rows = Rows(law, vocabulary) if rows is None else rows
        released = np.empty((len(word_ids), size), dtype=np.int64)
        distinct, inverse = np.unique(word_ids, return_inverse=True)
        for few, slots in rows.batches(distinct):
            # The positions of the words of this batch, and the place of each among the rows.
            where = np.arange(len(word_ids))
            if len(slots) < len(distinct):
                where = np.flatnonzero((inverse >= few.start) & (inverse < few.stop))
            row = np.repeat(slots[inverse[where] - few.start], size)
            released[where] = _draw(rows, row, rng).reshape(len(where), size)
    return released


def _draw(rows: Rows, row: Integers, rng: np.random.Generator) -> WordIds:
    """One draw of the word of each row: (m,) -> ids (m,)."""
    released = one_round(rows, row, rng)
    # Spare points for a fixed number of draws: the rejected ones, and others that need none.
    places, tries = spare_points(len(row))
    drawn_again = np.argsort(released >= 0, kind="stable")[:places]
    spare = one_round(rows, np.repeat(row[drawn_again], tries), rng).reshape(-1, tries)
    first = (spare >= 0).argmax(axis=1)
    rejected = released[drawn_again] < 0
    released[drawn_again[rejected]] = spare[rejected, first[rejected]]
    pending = np.flatnonzero(released < 0)
    if len(pending):
        left = rows.words[row[pending]]
        released[pending] = by_rows(rows.law, rows.vocabulary, left, 1, rng)[:, 0]
    return released


@number_cache(maxsize=256)
def spare_points(draws: int) -> tuple[int, int]:
    """How many of some draws get spare points, and how many each, so that hardly any needs more.

    With a probability of rejection of 2^-12 at most, more draws than `places` are rejected, or all
    `tries` of one, with a probability below 2^-40.
    """
    tries = math.ceil((41 + math.log2(max(draws, 1))) / _REJECTED_BITS) - 1
    places, mean = 0, draws * 2.0**-_REJECTED_BITS
    # Pr[more than k of n are rejected] <= mean^(k + 1) / (k + 1)!, for k + 1 above the mean.
    while places < draws and (
        places < mean
        or (places + 1) * math.log2(mean) - math.lgamma(places + 2) / math.log(2) > -41
    ):
        places += 1
    return places, tries


def one_round(rows: Rows, row: Integers, rng: np.random.Generator) -> WordIds:
    """One point for each row: the id of the word whose own part it hits, or -1: (m,) -> (m,)."""
    block, offset, inside = search(rows.cumulative, row, points(rng, len(row)))
    # Draws of one word and block stand together, block after block.
    key = block * len(rows.words) + row
    order = np.argsort(key, kind="stable")
    key = key[order]
    new = np.flatnonzero(np.diff(key, prepend=-1))
    of_block, of_row = np.divmod(key[new], len(rows.words))
    output, rest, own = np.empty((3, len(row)), dtype=np.int64)
    ends = np.append(new, len(row))
    for pairs in blocks(len(new), _PAIRS):
        sums = rows.running_cells(of_row[pairs], of_block[pairs])
        draws = order[ends[pairs.start] : ends[pairs.stop]]
        of_pair = np.repeat(np.arange(len(sums)), np.diff(ends[pairs.start : pairs.stop + 1]))
        word, before, in_word = search(sums, of_pair, offset[draws])
        output[draws], rest[draws] = block[draws] * rows.near.width + word, before
        own[draws] = sums[of_pair, word] - offset[draws] + before
        inside[draws] &= in_word
    output = np.minimum(output, len(rows.vocabulary) - 1)  # behind the last word none is inside
    words, scale = rows.words[row], rows.scale[row]
    weights = pair_weights(rows.vocabulary, words, output, *rows.settings)
    if (own < scale * weights)[inside].any():
        raise RuntimeError(
            f"{rows.law.name}: a word has fewer cells than its weight. Nothing is released."
        )
    taken = accepted(
        rest,
        scale,
        weights,
        rows.unit,
        partial(_weight_of, rows.law, rows.vocabulary, words, output),
        rng,
        among=inside,
    )
    return np.where(taken, output, -1)


def _weight_of(
    law: DistanceLaw, vocabulary: Vocabulary, words: WordIds, outputs: WordIds, i: int
) -> Weight:
    return law.exact_weight(vocabulary, int(words[i]), int(outputs[i]))
