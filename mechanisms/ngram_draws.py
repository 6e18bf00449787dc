"""Draws place by place with a base measure that looks at the released prefix: exact.

The argument is in `ngram_tem`; the claims are those of `exact_draws`. A stretch of words shares one
matrix product, whose rows are bounds of distances (`word_blocks`), and one throw of second points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mechanisms.answers import Progress
from mechanisms.exact_draws import (
    SPACE,
    Integers,
    Layout,
    points,
    refined,
    scale_for,
    slack,
)
from mechanisms.in_order import Continuation
from mechanisms.kept_laws import kept
from mechanisms.one_thread import one_thread
from mechanisms.selection import DistanceLaw, check_machine, one_round
from mechanisms.vocabulary import Floats, Vocabulary, WordIds
from mechanisms.weight import Weight, squared_distance
from mechanisms.word_blocks import OWN_MARGIN, Rows, pair_weights

if TYPE_CHECKING:
    from mechanisms.base_measure import BaseMeasure

# Words of a stretch: their rows of products take 29 MB with 28,000 words.
_STRETCH = 256

# A rational weight is estimated to far more bits than this.
_RATIONAL = 2.0**-45


def continuation(
    measure: BaseMeasure, histories: Sequence[int], prefix: Sequence[int]
) -> Continuation:
    """What q adds for the followers of the words released last, the newest last."""
    alpha, ids, shares = 1.0, list[WordIds](), list[Floats]()
    for words in histories if measure.counts is not None else ():
        if len(prefix) < words:
            break
        lists = measure.counts.after(words)  # type: ignore[union-attr]
        key = prefix[-1] if words == 1 else prefix[-2] * len(measure.weights) + prefix[-1]
        at = lists.places.get(key)
        if at is None:
            break
        rest = measure.rests(words)[at]
        of_history = slice(lists.first[at], lists.first[at + 1])
        alpha *= rest
        shares = [part * rest for part in shares]
        ids.append(lists.ids[of_history])
        shares.append(measure.follower_shares(words)[of_history])
    if not ids:
        return Continuation(alpha, np.empty(0, dtype=np.int64), np.empty(0))
    if len(ids) == 1:
        return Continuation(alpha, ids[0], shares[0])
    return Continuation(alpha, np.concatenate(ids), np.concatenate(shares))


class Drawer:
    """Versions of texts under one mechanism."""

    def __init__(
        self,
        law: DistanceLaw,
        measure: BaseMeasure,
        histories: Sequence[int],
        vocabulary: Vocabulary,
        rng: np.random.Generator,
    ) -> None:
        """Check the machine; keep what all texts share."""
        check_machine(law)
        self.law, self.vocabulary, self.rng = law, vocabulary, rng
        self.measure, self.histories = measure, histories
        self.gamma = law.threshold(vocabulary)
        self.unit = law.unit(vocabulary)
        self.margin = math.exp(OWN_MARGIN) * (1 + slack(self.unit))
        rows = kept((Rows, law, vocabulary), lambda: Rows(law, vocabulary))
        self.rows = Rows(law, vocabulary) if rows is None else rows
        base = law.base_measure(vocabulary)
        self.q = np.ones(len(vocabulary)) if base is None else base
        self.of_q = Layout(self.q[None], self.unit)
        self._points: Iterator[int] = iter(())

    def texts(self, texts: Sequence[WordIds], progress: Progress | None = None) -> list[WordIds]:
        """One version of each text, word after word: ids (n,) each -> ids (n,) each."""
        ends = np.cumsum([0, *map(len, texts)])
        ids = np.concatenate([*texts, np.empty(0, dtype=np.int64)]).astype(np.int64)
        begins = set(ends.tolist())
        released = np.empty(len(ids), dtype=np.int64)
        prefix: list[int] = []
        with one_thread():
            for first in range(0, len(ids), _STRETCH):
                part = ids[first : first + _STRETCH]
                stretch = _Stretch(self, part)
                for i in range(len(part)):
                    if first + i in begins:
                        prefix = []
                    word = self._place(stretch, i, prefix)
                    released[first + i] = word
                    prefix = [*prefix[-1:], word]
                if progress:
                    progress((first + len(part)) / len(ids))
        return [released[a:b] for a, b in pairwise(ends.tolist())]

    def _place(self, stretch: _Stretch, i: int, prefix: Sequence[int]) -> int:
        """One draw: a round after the other, until one is accepted."""
        alpha, ids, shares = continuation(self.measure, self.histories, prefix)
        near = stretch.near(i, ids)
        upper = shares * near
        total = float(upper.sum()) * self.margin
        while True:
            second, scale_of_row = stretch.second(i)
            own = alpha * (SPACE / scale_of_row)
            scale = float(scale_for(total + own * (1 + 2 * _RATIONAL), len(ids) + 1))
            ends = np.cumsum((upper * (scale * self.margin)).astype(np.int64) + 1)
            before = int(ends[-1]) if len(ids) else 0
            last = before + int(own * scale * (1 + _RATIONAL)) + 1
            if last > SPACE:
                raise RuntimeError(f"{self.law.name}: the cells of a place do not fit into 2^62.")
            point = self._point()
            if point < before:
                entry = int(np.searchsorted(ends, point, side="right"))
                rest = point - (int(ends[entry - 1]) if entry else 0)
                output = int(ids[entry])
                share = float(shares[entry])
                if self._accepted(stretch.words[i], output, share, rest, scale):
                    return output
            elif (
                point < last
                and second >= 0
                and self._own(point - before, scale, own, alpha, scale_of_row)
            ):
                return second

    def _own(self, rest: int, scale: float, own: float, alpha: float, of_row: float) -> bool:
        """Whether T lies in the own part of A, whose weight is rational."""
        estimate = scale * own
        if rest + 1 <= estimate * (1 - _RATIONAL):
            return True
        if rest >= 1 and rest >= estimate * (1 + _RATIONAL):
            return False
        weight = Weight(factor=Fraction(alpha) * SPACE / Fraction(of_row))
        return refined(rest, scale, weight, self.rng)

    def _accepted(self, word: int, output: int, share: float, rest: int, scale: float) -> bool:
        """Whether T lies in the own part of a follower: claims 5 and 6."""
        score, weight = 0.0, 1.0
        if word != self.vocabulary.unknown_id:
            pair = np.array([word]), np.array([output])
            weight = float(pair_weights(self.vocabulary, *pair, self.law.epsilon, self.gamma)[0])
            score = -math.log(weight) if weight > 0 else math.inf
        estimate = scale * share * weight
        error = (score + 2) * self.unit
        if rest + 1 <= estimate * (1 - error):
            return True
        if rest >= 1 and rest >= estimate * (1 + error):
            return False
        return refined(rest, scale, self.exact_weight(word, output, share), self.rng)

    def exact_weight(self, word: int, output: int, share: float) -> Weight:
        """The weight of a follower's entry, exactly."""
        if word == self.vocabulary.unknown_id:
            return Weight(factor=Fraction(share))
        vectors = self.vocabulary.vectors
        return Weight(
            rate=Fraction(self.law.epsilon) / 2,
            square=squared_distance(vectors[word], vectors[output]),
            ceiling=Fraction(self.gamma),
            factor=Fraction(share),
        )

    def _point(self) -> int:
        """The whole part of a uniform point of [0, 2^62)."""
        for point in self._points:
            return point
        self._points = iter(points(self.rng, _STRETCH).tolist())
        return next(self._points)


class _Stretch:
    """What some words in a row share: products with all words, and second points."""

    def __init__(self, drawer: Drawer, words: WordIds) -> None:
        self.drawer, vocabulary = drawer, drawer.vocabulary
        self.words: list[int] = words.tolist()
        known = words != vocabulary.unknown_id
        distinct, inverse = np.unique(words[known], return_inverse=True)
        self._near = drawer.rows.near
        queries, own = self._near.queries(distinct)
        self._products = queries @ vocabulary.vectors.T
        self._own = own[:, 0]
        self._row = np.full(len(words), -1, dtype=np.int64)
        self._row[known] = inverse
        self._second, self._scale = self._thrown(words)
        self._fresh = np.ones(len(words), dtype=np.bool_)

    def near(self, i: int, ids: WordIds) -> NDArray[np.float32] | float:
        """f of some outputs, without q: the margin covers what it is too small by; (k,)."""
        row = self._row[i]
        if row < 0:
            return 1.0
        return self._near.among(self._products[row], self._own[row], ids)

    def second(self, i: int) -> tuple[int, float]:
        """A second point's word for a place, -1 if rejected, and the scale R of its row."""
        if not self._fresh[i]:
            word, scale = self._thrown(np.array([self.words[i]]))
            return int(word[0]), float(scale[0])
        self._fresh[i] = False
        return int(self._second[i]), float(self._scale[i])

    def _thrown(self, words: WordIds) -> tuple[WordIds, Floats]:
        """One second point for each word or unknown word: (n,) -> ids or -1 (n,), R (n,)."""
        drawer = self.drawer
        found, scale = np.full(len(words), -1, dtype=np.int64), np.empty(len(words))
        unknown = words == drawer.vocabulary.unknown_id
        if unknown.any():
            found[unknown], scale[unknown] = self._thrown_at_q(int(unknown.sum()))
        distinct, inverse = np.unique(words[~unknown], return_inverse=True)
        known = np.flatnonzero(~unknown)
        for few, slots in drawer.rows.batches(distinct):
            here = (inverse >= few.start) & (inverse < few.stop)
            row = slots[inverse[here] - few.start]
            found[known[here]] = one_round(drawer.rows, row, drawer.rng)
            scale[known[here]] = drawer.rows.scale[row]
        return found, scale

    def _thrown_at_q(self, count: int) -> tuple[Integers, float]:
        """The same at the row of the unknown word, whose weights are q."""
        drawer = self.drawer
        thrown = drawer.of_q.one_round(
            np.zeros(count, dtype=np.int64),
            drawer.rng,
            lambda _, output: Weight(factor=Fraction(float(drawer.q[output]))),
        )
        return thrown, float(drawer.of_q.scale[0])
