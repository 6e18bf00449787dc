"""What each setting does to a file, on a stated part of its words and texts.

A stage looks at so many texts, each up to so many words, and at so many words; every stage at four
times as many as the one before, until it is all of them. All settings of a stage share texts, words
and folds, so that they are compared text by text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from measures.intervals import of_mean
from measures.own_texts.draws import private_inputs
from measures.own_texts.naming import Reader
from measures.own_texts.texts import OwnTexts
from measures.own_texts.unchanged import Unchanged, unchanged
from measures.own_texts.usefulness import (
    Kept,
    accuracy_kept,
    folds_of,
    mean_vectors,
    right,
    similarity,
)
from mechanisms import Guarantee, LawMechanism, Mechanism, Vocabulary
from mechanisms.base import blocks
from mechanisms.estimate import Estimate, exact, single
from mechanisms.guarantee import DISCRETE, EUCLIDEAN
from mechanisms.vocabulary import Floats, WordIds
from release.candidates import Candidate, named
from release.demands import MEANINGS, Key
from release.grammar import counted

# Of the first stage; each later one has four times as many.
INPUTS, TEXTS, WORDS, ATTACKED = 3_000, 200, 60, 1_000
GROWTH = 4

FOLDS = 5

# Words that are compared pair by pair for the odds, and pairs at once.
_COMPARED, _PAIRS = 1_000, 50_000


@dataclass(frozen=True)
class Scope:
    """How much of a file was looked at."""

    texts: int
    of_texts: int
    longest: int | None
    """So many words of each text; None for all."""
    inputs: int
    of_inputs: int
    words: int
    """Distinct words whose N_w was computed for mechanisms without a law."""
    law_words: int
    """The same for mechanisms with a law."""
    of_words: int

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return self.inputs == self.of_inputs and self.words == self.of_words

    @property
    def sentence(self) -> str:
        """What was looked at, for people."""
        if self.whole:
            return (
                f"Every text was used ({self.of_texts:,}), and every distinct word that the "
                f"vocabulary knows ({self.of_words:,})."
            )
        said = [f"Used so far: {self.texts:,} of {counted(self.of_texts, 'text')}."]
        if self.longest is not None:
            said.append(f"Of each text, at most the first {self.longest:,} words are used.")
        said.append(
            f"For mechanisms with a known law, {self.law_words:,} of "
            f"{counted(self.of_words, 'distinct known word')} are used; for the others, "
            f"{self.words:,}. "
            "The rarest and the most isolated words come first."
        )
        return " ".join(said)


@dataclass(frozen=True, eq=False)
class Setting:
    """One mechanism at one ε, and what it does to the file."""

    mechanism: Mechanism
    unchanged: Estimate
    """N_w of the word that stays most often."""
    worst_word: int
    typical: float
    """The share of all words that stay, on average."""
    named: Estimate
    """The share of words that the more successful adversary names."""
    named_by_neighbours: Estimate
    named_exact: bool
    """Whether no adversary that knows frequencies alone names more; otherwise others may."""
    log_odds: float
    """By the promise, for any two words of the file; inf without such a promise."""
    similarity: Estimate
    accuracy: Kept | None = None
    """None without labels."""
    right: NDArray[np.bool_] | None = field(default=None, repr=False)
    similarities: Floats = field(default_factory=lambda: np.empty(0), repr=False)

    @property
    def name(self) -> str:
        """The mechanism's name with its variant."""
        return named(self.mechanism.family())

    @property
    def title(self) -> str:
        """Name and ε."""
        return f"{self.name} at ε = {self.mechanism.epsilon:g}"

    def value(self, key: Key) -> Estimate | None:
        """The number that a demand is about, with its interval; None if it was not measured."""
        if key == "unchanged_at_most":
            return self.unchanged
        if key == "named_at_most":
            return self.named
        if key == "odds_at_most":
            factor = math.exp(self.log_odds) if self.log_odds < 700 else math.inf
            return exact(factor)
        if key == "similarity_at_least":
            return self.similarity
        return None if self.accuracy is None else self.accuracy.share

    def margin(self, key: Key, demanded: float) -> float:
        """By how much a demand is met, as a share of it; negative if it is missed.

        A privacy demand is judged by the end of the interval that is worse for privacy, a demand
        of use by its value.
        """
        found = self.value(key)
        if found is None:
            return 0.0
        meaning = MEANINGS[key]
        judged = float(found.high if meaning.privacy else found.value)
        if not meaning.at_most:
            return (judged - demanded) / demanded
        if math.isinf(judged):
            return -math.inf
        return (demanded - judged) / demanded


class Stage:
    """A part of a file, and all that is the same for every setting."""

    def __init__(self, own: OwnTexts, number: int, seed: int = 0) -> None:
        """Choose texts and words; nothing is drawn yet."""
        growth = GROWTH**number
        self.number, self.seed = number, seed
        self.vocabulary: Vocabulary = own.vocabulary
        order = _stratified(own, seed)
        budget, count = INPUTS * growth, min(len(own), TEXTS * growth)
        texts = np.sort(order[:count])
        lengths = np.diff(own.offsets)[texts]
        longest = _longest(lengths, budget)
        self.texts = own.some(texts, longest)
        self.all_words = own.words
        self.noise_words = own.first_words(WORDS * growth)
        self.law_words = np.union1d(self.texts.words, own.first_words(WORDS * growth * 4))
        self.counts = own.counts
        attacked = np.sort(np.random.default_rng([seed, 1]).permutation(len(self.texts)))
        size = np.cumsum(np.diff(self.texts.offsets)[attacked])
        several = max(1, int(np.searchsorted(size, ATTACKED * growth, side="right")))
        self.attacked_texts = attacked[:several]
        self.attacked = self.texts.some(self.attacked_texts)
        start = self.texts.offsets[self.attacked_texts]
        lengths = np.diff(self.attacked.offsets)
        shift = np.repeat(start - self.attacked.offsets[:-1], lengths)
        self.attacked_at = np.arange(len(self.attacked.inputs)) + shift
        self.reader = Reader(self.texts, self.attacked, self.attacked_texts)
        self.original = mean_vectors(self.texts, self.texts.inputs)
        self._euclidean: float | None = None
        self.fold = self.right = None
        if self.texts.labels is not None:
            self.fold = folds_of(self.texts.labels, FOLDS, seed)
            self.right = right(self.original, self.texts.labels, self.fold)
        self.scope = Scope(
            len(self.texts),
            len(own),
            longest,
            len(self.texts.inputs),
            len(own.inputs),
            len(self.noise_words),
            len(self.law_words),
            len(own.words),
        )

    @property
    def constant_guess(self) -> float | None:
        """The share of the accuracy that naming the commonest label for every text keeps."""
        if self.right is None or self.texts.labels is None or not self.right.any():
            return None
        labels = self.texts.labels
        most = max(labels.count(label) for label in set(labels))
        return float(most / len(labels) / self.right.mean())

    def _diameter(self, guarantee: Guarantee) -> float:
        """The largest distance of two words of the file, computed once for each distance."""
        if guarantee.distance is not EUCLIDEAN or not is_bound(guarantee):
            return diameter(guarantee, self.vocabulary, self.all_words)
        if self._euclidean is None:
            self._euclidean = diameter(guarantee, self.vocabulary, self.all_words)
        return self._euclidean

    def settings(self, candidate: Candidate) -> list[Setting]:
        """A candidate at each of its ε, measured on this part of the file."""
        family, vocabulary = candidate.family, self.vocabulary
        epsilons = np.array(candidate.epsilons)
        by_law = issubclass(family.kind, LawMechanism)
        words = self.law_words if by_law else self.noise_words
        prior = np.zeros(len(words))
        mine = np.isin(words, self.texts.words)
        prior[mine] = self.texts.counts[np.isin(self.texts.words, words)]
        prior /= max(1.0, prior.sum())
        typed = self.texts.inputs
        found = unchanged(family, vocabulary, words, prior, epsilons, seed=self.seed, to_draw=typed)
        drawn = found.drawn
        if drawn is None:
            drawn = private_inputs(family, vocabulary, typed, epsilons, self.seed + 1)
        own_place = np.searchsorted(words, self.texts.words) if by_law else None
        guarantee = candidate.at(candidate.epsilons[0]).guarantee(vocabulary)
        widest = self._diameter(guarantee)
        settings = []
        for column, epsilon in enumerate(candidate.epsilons):
            at = candidate.at(epsilon)
            log_z = None
            if found.log_normalisers is not None:
                log_z = found.log_normalisers[own_place, column]
            named_here = self.reader.named(at, drawn[column][self.attacked_at], log_z)
            vectors = mean_vectors(self.texts, drawn[column])
            cosines = similarity(self.original, vectors)
            told, kept = None, None
            if self.right is not None and self.fold is not None and self.texts.labels is not None:
                told = right(vectors, self.texts.labels, self.fold)
                kept = accuracy_kept(told, self.right)
            worst, interval = _worst(found, words, column)
            most, exact = _most(found, named_here.most, column)
            settings.append(
                Setting(
                    at,
                    interval,
                    worst,
                    float((drawn[column] == typed).mean()),
                    most,
                    named_here.neighbours,
                    exact,
                    epsilon * widest,
                    of_mean(cosines, -1, 1, of="texts"),
                    kept,
                    told,
                    cosines,
                )
            )
        return settings


def stages(own: OwnTexts, seed: int = 0) -> Iterator[Stage]:
    """Parts of a file, each larger than the one before, until one is the whole file."""
    number = 0
    while True:
        stage = Stage(own, number, seed)
        yield stage
        if stage.scope.whole:
            return
        number += 1


def stage_count(own: OwnTexts) -> int:
    """How many stages there are."""
    needed = max(len(own) / TEXTS, len(own.inputs) / INPUTS, len(own.words) / WORDS, 1.0)
    return 1 + math.ceil(round(math.log(needed, GROWTH), 9))


def _longest(lengths: Sequence[int] | NDArray[np.int64], budget: int) -> int | None:
    """How many words of each text may be looked at, so that all together keep to the budget."""
    array = np.asarray(lengths)
    if array.sum() <= budget:
        return None
    low, high = 1, int(array.max())
    while low < high:
        middle = (low + high + 1) // 2
        if np.minimum(array, middle).sum() <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def _stratified(own: OwnTexts, seed: int) -> NDArray[np.int64]:
    """All texts in an order of which every beginning has the labels in about their shares."""
    order = np.random.default_rng([seed, 0]).permutation(len(own))
    if own.labels is None:
        return order
    names = np.array(own.labels)[order]
    by_label = np.argsort(names, kind="stable")
    sizes = np.unique(names, return_counts=True)[1]
    place = np.concatenate([(np.arange(size) + 0.5) / size for size in sizes])
    return np.asarray(order[by_label[np.argsort(place, kind="stable")]])


def _worst(found: Unchanged, words: WordIds, column: int) -> tuple[int, Estimate]:
    """The word that stays most often, by its upper end, and the largest value and ends.

    The largest upper end holds for all words together: it fails only if that of the truly worst
    word does.
    """
    here = found.n_w[:, column]
    ends = (float(part.max()) for part in (here.value, here.low, here.high))
    return int(words[int(here.high.argmax())]), single(*ends, here.source)


def _most(found: Unchanged, tried: Estimate, column: int) -> tuple[Estimate, bool]:
    """The share that the best of all adversaries names, as far as it is known."""
    if found.best_success is None:
        return tried, False
    best = float(found.best_success[column])
    if best >= tried.high:
        return exact(best), True
    value, low, high = (max(best, end) for end in tried.numbers)
    return single(value, low, high, tried.source), True


def is_bound(guarantee: Guarantee) -> bool:
    """Whether a promise bounds the odds between two words."""
    return guarantee.holds and guarantee.notion in ("metric DP", "pure DP")


def diameter(
    guarantee: Guarantee, vocabulary: Vocabulary, words: WordIds, most: int = _COMPARED
) -> float:
    """The largest distance of two of the words, in the distance of a promise; inf without one.

    Of more than `most` words it is a bound: a distance is at most the sum of both words' distances
    to a word in the middle, so that only the `most` words farthest from it are compared.
    """
    if not is_bound(guarantee):
        return math.inf
    if len(words) < 2:
        return 0.0
    if guarantee.distance is DISCRETE:
        return 1.0
    between = guarantee.distance.between
    vectors = vocabulary.vectors[words]
    spread = ((vectors - vectors.mean(axis=0)) ** 2).sum(axis=1)
    middle = np.full(len(words), words[int(spread.argmin())])
    far = between(vocabulary, words, middle)
    order = np.argsort(-far, kind="stable")
    first, second = np.triu_indices(min(most, len(words)), 1)
    a, b = words[order[first]], words[order[second]]
    parts = blocks(len(a), _PAIRS)
    largest = max(float(between(vocabulary, a[part], b[part]).max()) for part in parts)
    if len(words) > most:
        largest = max(largest, float(far[order[0]] + far[order[most]]))
    return largest
