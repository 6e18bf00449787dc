"""What the lessons ask, computed from what a student has set: the answer, and the usual slips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from measures import intervals
from measures.audits import audit
from measures.audits.findings import titled
from measures.question import Question, by_size, named
from mechanisms import Guarantee, LawMechanism, Mechanism, Vocabulary
from mechanisms.answers import Answers
from mechanisms.estimate import Estimate
from mechanisms.vocabulary import Floats, WordIds

# Words that everybody knows, for the lessons that compare places in the space.
EVERYDAY = (
    *("monday", "tuesday", "happy", "sad", "love", "cat", "dog", "blue", "red", "movie", "actor"),
    *("doctor", "nurse", "london", "paris", "hockey", "coffee", "pizza", "water", "fire", "river"),
    *("moon", "winter", "king", "queen", "money", "war", "school", "teacher", "music", "guitar"),
    *("church", "army", "computer", "physics", "cancer", "car"),
)

# ----------------------------------------------------------------- 1. deniability: a coin, a word


def coin(truth: float) -> tuple[float, float]:
    """Chance of a "yes" from someone whose truth is yes, and from one whose truth is no.

    With probability `truth` in (0, 1) the answer is the truth, otherwise a fair coin decides
    (Warner 1965): t + (1 - t) / 2 and (1 - t) / 2. The first is also the share of true answers.
    """
    if not 0 < truth < 1:
        raise ValueError(
            f"Coin: the chance to be asked for the truth must lie in (0, 1); got {truth:g}."
        )
    return (1 + truth) / 2, (1 - truth) / 2


def certainty(one: float, other: float) -> float:
    """Probability of the first of two causes, equally likely before, from the chances of both."""
    return one / (one + other)


def coin_question(truth: float) -> Question:
    """The question how many times likelier a "yes" is from a truth of yes than from one of no."""
    yes, no = coin(truth)
    return by_size(yes / no, no_luck=truth / no, nothing=1.0, certain=math.inf)


def stays_and_comes(
    mechanism: LawMechanism, vocabulary: Vocabulary, word_id: int, other_id: int
) -> tuple[float, float]:
    """Pr[M(w) = w] and Pr[M(w') = w], exact: how often w comes out for one who typed w, or w'."""
    law = mechanism.log_prob(vocabulary, np.array([word_id, other_id]))[:, word_id]
    return float(np.exp(law[0])), float(np.exp(law[1]))


def word_question(stays: float, comes: float) -> Question:
    """The question how likely the word that came out was typed, and not the other, from 50:50."""
    return by_size(certainty(stays, comes), forgot_the_other=stays, nothing=0.5, certain=1.0)


# ------------------------------------------------------------------------------------ 2. distance


def cap_question(epsilon: float, distance: float) -> Question:
    """The question how much an output can move the odds of two words at a distance: e^(ε d)."""
    return by_size(
        math.exp(epsilon * distance),
        no_distance=math.exp(epsilon),
        no_exponent=epsilon * distance,
        nothing=1.0,
    )


def certainty_question(epsilon: float, distance: float) -> Question:
    """The question how sure one can become of a word, from 50:50: K / (1 + K), K = e^(ε d)."""
    cap = math.exp(epsilon * distance)
    return by_size(cap / (1 + cap), one_less=1 - 1 / cap, nothing=0.5, certain=1.0)


def hidden_question(vocabulary: Vocabulary, word_id: int, others: ArrayLike) -> Question:
    """The question among which of these words the first is hidden best: the nearest."""
    ids = vocabulary.checked(others)
    distances = vocabulary.distance_between(np.full(len(ids), word_id), ids)
    words = [vocabulary.words[i] for i in ids]
    return Question(dict(zip(words, words, strict=True)), words[int(np.argmin(distances))])


def spread(vocabulary: Vocabulary, word_id: int, count: int = 7) -> WordIds:
    """The nearest neighbour and everyday words, near ones first, evenly over the distance."""
    everyday = [i for i in map(vocabulary.get, EVERYDAY) if i is not None and i != word_id]
    nearest = [i for i in vocabulary.neighbours([word_id], 2)[1][0].tolist() if i != word_id]
    ids = np.unique(np.array([*nearest[:1], *everyday], dtype=np.int64))
    distances = vocabulary.distance_between(np.full(len(ids), word_id), ids)
    wanted = np.linspace(distances.min(), distances.max(), count)
    places = np.unique(np.abs(distances[:, None] - wanted).argmin(axis=0))
    return np.asarray(ids[places[np.argsort(distances[places])]], dtype=np.int64)


def largest_log_ratios(
    mechanism: LawMechanism, vocabulary: Vocabulary, word_id: int, others: ArrayLike
) -> Floats:
    """max over outputs y of log Pr[M(w) = y] / Pr[M(w') = y] for each w' (n,), exact."""
    ids = vocabulary.checked(others)
    law = mechanism.log_prob(vocabulary, np.array([word_id, *ids]))
    largest: Floats = (law[0] - law[1:]).max(axis=1)
    return largest


class RatioParts(NamedTuple):
    """How a law softmax(score) moves the odds of w against w' when w comes out, as logarithms."""

    weights: float
    """Of the weights of w: score(w, w) - score(w', w), for TEM ε/2 · min(d, γ)."""
    sums: float
    """Of the sums of all weights, which differ between the two inputs."""

    @property
    def log_ratio(self) -> float:
        """log Pr[M(w) = w] / Pr[M(w') = w]."""
        return self.weights + self.sums


def ratio_parts(
    mechanism: LawMechanism, vocabulary: Vocabulary, word_id: int, other_id: int
) -> RatioParts:
    """The parts of the odds, for a law whose word itself has weight 1 at every input: exact.

    Then the sum of all weights is one over the probability that the word stays.
    """
    law = mechanism.log_prob(vocabulary, np.array([word_id, other_id]))
    sums = float(law[0, word_id] - law[1, other_id])
    return RatioParts(float(law[0, word_id] - law[1, word_id]) - sums, sums)


# ---------------------------------------------------------------------- 3. noise against selection


def crowded_and_lonely(vocabulary: Vocabulary, count: int = 6) -> tuple[WordIds, WordIds]:
    """Everyday words in the densest and in the sparsest places, by their tenth neighbour."""
    ids = np.array([i for i in map(vocabulary.get, EVERYDAY) if i is not None], dtype=np.int64)
    tenth = vocabulary.neighbours(ids, min(11, len(vocabulary)))[0][:, -1]
    order = ids[np.argsort(tenth, kind="stable")]
    return order[:count], order[::-1][:count]


def length_question(epsilon: float, dimensions: int) -> Question:
    """The question how long CMP's noise is on average once ε is halved: 2 d / ε."""
    mean = dimensions / epsilon
    return by_size(2 * mean, same=mean, half=mean / 2, no_dimensions=2 / epsilon)


def replaced_question(unchanged: tuple[float, float]) -> Question:
    """The question which of two words is replaced more often: the one that stays less.

    `unchanged` are N_w of the word in a crowd and of the lonely one.
    """
    gap = unchanged[1] - unchanged[0]
    right = "same" if abs(gap) < 0.01 else "crowded" if gap > 0 else "lonely"
    return named("crowded", "lonely", "same", right=right)


def preference_question(
    mechanism: LawMechanism, vocabulary: Vocabulary, word_id: int, other_id: int
) -> Question:
    """The question how many times likelier a word itself comes out than another: from the law."""
    law = mechanism.log_prob(vocabulary, np.array([word_id]))[0]
    ratio = float(law[word_id] - law[other_id])
    return by_size(math.exp(ratio), no_half=math.exp(2 * ratio), no_exponent=ratio, nothing=1.0)


def weight_of_nearest(mechanism: LawMechanism, vocabulary: Vocabulary, word_id: int) -> float:
    """How often the nearest other word comes out, for each time that the word itself does."""
    nearest = [i for i in vocabulary.neighbours([word_id], 2)[1][0].tolist() if i != word_id][0]
    law = mechanism.log_prob(vocabulary, np.array([word_id]))[0]
    return float(np.exp(law[nearest] - law[word_id]))


# ----------------------------------------------------------------------------- 4. the worst word


@dataclass(frozen=True)
class Hundred:
    """Words (n,), values of ε (k,), and the chance N_w of each to stay, (n, k), of CMP."""

    word_ids: WordIds
    epsilons: Floats
    unchanged: Estimate

    @property
    def error(self) -> float:
        """The largest half of their intervals: they come from sampled directions."""
        return float(self.unchanged.half_width.max())

    def at(self, epsilon: float) -> Floats:
        """N_w of all words (n,) at the nearest of the values of ε."""
        return np.asarray(self.unchanged.value[:, int(np.abs(self.epsilons - epsilon).argmin())])

    def mean(self, epsilon: float) -> float:
        """Mean N_w over the words."""
        return float(self.at(epsilon).mean())

    def worst(self, epsilon: float) -> tuple[int, float]:
        """The word that stays most, and its N_w."""
        values = self.at(epsilon)
        return int(self.word_ids[values.argmax()]), float(values.max())

    def most_for_all(self, limit: float) -> float | None:
        """The largest ε at which, and below which, no word stays more than `limit`."""
        return self._most(self.unchanged.value.max(axis=0), limit)

    def most_on_average(self, limit: float) -> float | None:
        """The same for the mean over the words."""
        return self._most(self.unchanged.value.mean(axis=0), limit)

    def breaking(self, epsilon: float, limit: float) -> int:
        """How many words stay more than `limit`."""
        return int((self.at(epsilon) > limit).sum())

    def where_mean_is(self, target: float) -> tuple[float, Estimate] | None:
        """The ε at which the mean is the target, and N_w of all words there (n,).

        Interpolated between two steps, linearly in log ε; the intervals hold both steps, between
        which N_w rises. None if the mean never passes the target.
        """
        values = self.unchanged.value
        means = values.mean(axis=0)
        passing = np.flatnonzero((means[:-1] <= target) & (target < means[1:]))
        if not len(passing):
            return None
        at = int(passing[0])
        share = float((target - means[at]) / (means[at + 1] - means[at]))
        left, right = np.log(self.epsilons[at : at + 2])
        between = (1 - share) * values[:, at] + share * values[:, at + 1]
        low = np.minimum(self.unchanged.low[:, at], between)
        high = np.maximum(self.unchanged.high[:, at + 1], between)
        source = replace(self.unchanged.source, interpolated=True)
        epsilon = float(np.exp((1 - share) * left + share * right))
        return epsilon, Estimate(between, low, high, source)

    def _most(self, values: Floats, limit: float) -> float | None:
        broken = np.flatnonzero(values > limit)
        fits = len(values) if not len(broken) else int(broken[0])
        return float(self.epsilons[fits - 1]) if fits else None


def hundred(answers: Answers, epsilons: Sequence[float]) -> Hundred:
    """Words whose law is known at every ε, at these values."""
    grid = np.asarray(epsilons, dtype=np.float64)
    found = answers.unchanged_probability(grid)
    return Hundred(np.asarray(answers.word_ids), grid, found)


def breaking_question(words: Hundred, limit: float) -> Question | None:
    """The question how many words break a demand at the ε where their mean meets it."""
    epsilon = words.most_on_average(limit)
    if epsilon is None:
        return None
    count = words.breaking(epsilon, limit)
    slips = {
        "none": 0.0,
        "below": float(len(words.word_ids) - count),
        "surely": float(words.breaking(epsilon, (1 + limit) / 2)),
        "everywhere": float(words.breaking(float(words.epsilons[-1]), limit)),
    }
    return by_size(float(count), **{n: v for n, v in slips.items() if abs(v - count) >= 4})


# ---------------------------------------------------------------------------------- 5. promises


@dataclass(frozen=True)
class Trial:
    """How often one output came out for two words typed, of `draws` each, against the promise."""

    word_id: int
    other_id: int
    draws: int
    from_word: int
    from_other: int
    promised: float
    """The largest ratio that is promised, e^(ε d)."""
    guarantee: Guarantee

    @property
    def at_least(self) -> float:
        """The ratio Pr[M(w') = w] / Pr[M(w) = w] is at least this, with 95 % confidence.

        The lower end of the one over the upper end of the other, each wrong in 2.5 %.
        """
        high = intervals.of_share(self.from_word, self.draws).high
        return float(intervals.of_share(self.from_other, self.draws).low / high)


def variant_at(cls: type[Mechanism], variant: str | None, epsilon: float) -> Mechanism:
    """A mechanism in one of its variants, at an ε."""
    named: dict[str, Any] = {} if variant is None else {"variant": variant}
    return cls(epsilon=epsilon, **named)


def keepers(vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """Mechanisms and variants whose promise holds, and those whose promise does not."""
    kept: list[str] = []
    broken: list[str] = []
    for cls, variant in audit.variants():
        row = variant_at(cls, variant, 1.0)
        usable = replace(row, epsilon=2 * row.smallest_epsilon(vocabulary) + 1)
        promise = usable.guarantee(vocabulary)
        sound = promise.holds and promise.notion != "none proven"
        (kept if sound else broken).append(titled(usable))
    return kept, broken


def trial(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    word_id: int,
    other_id: int,
    draws: int,
    rng: np.random.Generator,
) -> Trial:
    """Draw for two words typed, and count the first one among what comes out."""
    ids = np.array([word_id, other_id])
    released = mechanism.sample(vocabulary, ids, draws, rng) == word_id
    guarantee = mechanism.guarantee(vocabulary)
    bound = guarantee.log_ratio_bound(vocabulary, ids[:1], ids[1:])
    if bound is None:
        raise ValueError(f"Trial: {mechanism.name} promises no ratio; choose metric or pure DP.")
    counts = released.sum(axis=1)
    promised = float(np.exp(np.minimum(bound[0], 700.0)))
    return Trial(word_id, other_id, draws, int(counts[0]), int(counts[1]), promised, guarantee)


def impossible_question(found: Trial) -> Question:
    """The question which of two words cannot have been typed, when the first came out."""
    never = not found.guarantee.holds and found.from_word == 0
    return named("word", "other", "neither", right="word" if never else "neither")


def needed_question(found: Trial) -> Question:
    """The question which ε would make the promise true."""
    return named("own", "twice", "none", right="own" if found.guarantee.holds else "none")


def proof_question(found: Trial) -> Question:
    """The question what draws show: a broken promise at most, never a kept one."""
    broken = found.at_least > found.promised
    return named("broken", "kept", "nothing", right="broken" if broken else "nothing")
