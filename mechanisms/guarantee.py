"""What a mechanism promises, as an object that tests and pages can hold it against.

A promise about two words is stated in a distance between them. The unknown word has no vector, so
its distance from a word is stated by each mechanism (`ToUnknown`); without one the promise does not
include it.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mechanisms.vocabulary import Floats, Vocabulary, WordIds

Notion = Literal["metric DP", "pure DP", "(ε, δ)-DP", "none proven"]


@dataclass(frozen=True)
class Distance:
    """A distance between words, with the name that people read."""

    name: str
    between: Callable[[Vocabulary, WordIds, WordIds], Floats]
    """(vocabulary, ids (n,), ids (n,)) -> distances (n,)."""


def _euclidean(vocabulary: Vocabulary, a: WordIds, b: WordIds) -> Floats:
    return vocabulary.distance_between(a, b)


def _discrete(vocabulary: Vocabulary, a: WordIds, b: WordIds) -> Floats:
    return np.asarray(np.not_equal(a, b), dtype=np.float64)


EUCLIDEAN = Distance("Euclidean distance", _euclidean)

# Two words are either the same word or one unit apart: under it metric DP is pure DP.
DISCRETE = Distance("any two words", _discrete)


@dataclass(frozen=True)
class ToUnknown:
    """How far each word is from the unknown word, in the unit of a guarantee's ε."""

    name: str
    """As it follows "ε · " in a sentence."""
    of: Callable[[Vocabulary, WordIds], Floats]
    """(vocabulary, ids of words (n,)) -> (n,)."""


def _to_mean(vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
    difference = vocabulary.vectors[word_ids] - vocabulary.mean
    return np.asarray(np.linalg.norm(difference, axis=1))


def _half(vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
    return np.full(len(word_ids), 0.5)


def _one(vocabulary: Vocabulary, word_ids: WordIds) -> Floats:
    return np.ones(len(word_ids))


# Of noise with ε per unit of Euclidean distance that is added to the words' own vectors, and to
# the mean vector for the unknown word.
TO_MEAN = ToUnknown("the distance from the word to the mean vector", _to_mean)

# Of what promises ε for any two words: the unknown word is as far, or half as far.
ONE_UNIT = ToUnknown("1", _one)
HALF_A_UNIT = ToUnknown("1/2", _half)


@dataclass(frozen=True)
class Guarantee:
    """What a mechanism promises about any two input words w, w' and any output.

    metric DP    Pr[M(w) = y] <= e^(ε d(w, w')) Pr[M(w') = y]
    pure DP      the same with d = 1 for different words
    (ε, δ)-DP    Pr[M(w) ∈ Y] <= e^ε Pr[M(w') ∈ Y] + δ for every set Y
    none proven  nothing; `caveat` says why

    If w or w' is the unknown word, d is that of `to_unknown`; all unknown words have one law.
    """

    notion: Notion
    epsilon: float
    theorem: str
    distance: Distance = EUCLIDEAN
    delta: float = 0.0
    conditions: tuple[str, ...] = ()
    caveat: str = ""
    holds: bool = True
    gaussian_mu: float | None = None
    """μ = Δ₂/σ where the noise is Gaussian: the noisy vector is μ-GDP (Dong et al. 2022)."""

    to_unknown: ToUnknown | None = None
    """The distance to the unknown word; None if the promise does not include it."""

    def __str__(self) -> str:
        """The promise as sentences, its limits among them.

        >>> import wordveil as wv
        >>> v = wv.Vocabulary(["film", "movie"], [[0, 0], [0, 1]])
        >>> print(wv.CMP(epsilon=2).guarantee(v))  # doctest: +NORMALIZE_WHITESPACE
        Metric DP with ε = 2 in the Euclidean distance: no output is more than e^(2 · d) times
        as likely under one word as under a word at distance d; the closer two words are, the
        harder they are to tell apart (Feyisetan et al. 2020, Theorem 1). No output is more than
        e^(ε · D) times as likely under a word as under the unknown word, or the other way round;
        D is the distance from the word to the mean vector. All unknown words count as one.
        """
        broken = [] if self.holds else ["This promise does not hold."]
        caveat = [self.caveat] if self.caveat else []
        return " ".join([*broken, self.sentence, *self.conditions, *caveat, self.unknown_promise])

    def _repr_html_(self) -> str:
        """The sentences, for a notebook."""
        return f"<p>{html.escape(str(self))}</p>"

    @property
    def sentence(self) -> str:
        """The promise about two words of the vocabulary, with its theorem."""
        epsilon = f"{self.epsilon:.6g}"
        if self.notion == "none proven":
            return f"No bound is proven for these settings ({self.theorem})."
        if self.notion == "(ε, δ)-DP":
            return (
                f"(ε, δ)-DP with ε = {epsilon} and δ = {self.delta:.3g}: for any two words, the "
                f"probability of a set of outputs under one is at most e^{epsilon} times that "
                f"under the other, plus {self.delta:.3g} ({self.theorem})."
            )
        if self.notion == "pure DP":
            return (
                f"Pure DP with ε = {epsilon}: no output is more than e^{epsilon} times as likely "
                f"under one word as under any other ({self.theorem})."
            )
        return (
            f"Metric DP with ε = {epsilon} in the {self.distance.name}: no output is more than "
            f"e^({epsilon} · d) times as likely under one word as under a word at distance d; "
            f"the closer two words are, the harder they are to tell apart ({self.theorem})."
        )

    @property
    def includes_unknown(self) -> bool:
        """Whether it promises anything about a word and the unknown word."""
        return self.notion != "none proven" and self.holds and self.to_unknown is not None

    @property
    def unknown_promise(self) -> str:
        """The promise about the unknown word, as a sentence."""
        if self.to_unknown is None or not self.includes_unknown:
            return "No promise covers the unknown word: an output may show that a word was unknown."
        if self.notion == "(ε, δ)-DP":
            return "The same ε and δ cover the unknown word. All unknown words count as one."
        return (
            "No output is more than e^(ε · D) times as likely under a word as under the unknown "
            f"word, or the other way round; D is {self.to_unknown.name}. All unknown words count "
            "as one."
        )

    def distance_between(self, vocabulary: Vocabulary, a: WordIds, b: WordIds) -> Floats:
        """The distance of inputs pair by pair, the unknown word among them: (n,), (n,) -> (n,).

        From a word to the unknown word it is inf if the promise does not include the latter.
        """
        a, b = vocabulary.checked_inputs(a), vocabulary.checked_inputs(b)
        unknown_a, unknown_b = a == vocabulary.unknown_id, b == vocabulary.unknown_id
        both_known, one_known = ~(unknown_a | unknown_b), unknown_a ^ unknown_b
        if both_known.all():
            return self.distance.between(vocabulary, a, b)
        distances = np.zeros(len(a))
        distances[both_known] = self.distance.between(vocabulary, a[both_known], b[both_known])
        word = np.minimum(a, b)[one_known]
        distances[one_known] = self.to_unknown.of(vocabulary, word) if self.to_unknown else np.inf
        return distances

    def log_ratio_bound(self, vocabulary: Vocabulary, a: WordIds, b: WordIds) -> Floats | None:
        """Largest promised log Pr[M(a) = y] / Pr[M(b) = y], shape (n,); None if there is none.

        Between a word and the unknown word inf, if the promise does not include the latter. An
        (ε, δ) promise bounds sets, not single outputs: it is audited by the hockey-stick
        divergence instead.
        """
        if self.notion not in ("metric DP", "pure DP"):
            return None
        with np.errstate(over="ignore"):  # a bound past the largest float is no bound: inf
            return self.epsilon * self.distance_between(vocabulary, a, b)
