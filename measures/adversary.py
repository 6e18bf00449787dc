r"""The adversary that guesses the word: Bayes' rule with the mechanism's own law.

Who knows the mechanism (no secret, in differential privacy) and how frequent words are, and sees
the released v, believes

    Pr[w | v] = π(w) Pr[M(w) = v] / Σ_u π(u) Pr[M(u) = v],

and names the likeliest w. No other rule names more words: for each v it gains max_w π(w) Pr[M(w) =
v], the most that any guess can. Several releases of the same word multiply their likelihoods.

exact         TEM and SanText (with their normalising constants), SynTF (its law is sparse)
lower bound   Truncated Gumbel: its law, for the words nearest to what was released
              mechanisms that add noise: the likelihood of the words nearest to what was released,
              and of the most frequent ones, estimated over the cell of the output (`voronoi`)
              Such an adversary follows some rule, so it names at most as many as the best does

What a promise allows. From Pr[M(w) = v] <= e^{b(w, r)} Pr[M(r) = v], b(w, r) = ε d(w, r), follows

    the odds of two words move by at most a factor e^{b(w, r)}: posterior odds over prior odds
    Σ_v max_w π(w) Pr[M(w) = v] <= max_w π(w) e^{b(w, r)}, for every reference word r

and with n releases the same with n b.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from measures import context, normalisers, store, voronoi
from measures.normalisers import DistanceLaw
from mechanisms import (
    TEM,
    Guarantee,
    LawMechanism,
    Mechanism,
    NoiseMechanism,
    SanText,
    SynTF,
    Vocabulary,
)
from mechanisms.answers import Progress
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

Prior = Literal["frequency", "uniform"]

# The words that an approximation looks at: those nearest to what was released, all releases of a
# word together, and the most probable ones.
_NEAREST = 150
_PROBABLE = 50
_NEAREST_BY_LAW = 30

# Reference words that the bound on success is tried with.
_REFERENCES = 64


@dataclass(frozen=True, eq=False)
class Adversary(ABC):
    """What it knows: the mechanism, the vocabulary and log π (V,)."""

    exact: ClassVar[bool] = True
    """Whether no other adversary names more words; otherwise its success is a lower bound."""

    mechanism: Mechanism
    vocabulary: Vocabulary
    log_prior: Floats

    @abstractmethod
    def log_likelihood(self, released: WordIds) -> Floats:
        """log Pr[M(w) = v] of every word w, for releases v of one word: (m,) -> (m, V).

        Up to a constant for each v; -inf for words that cannot give v or are not looked at.
        """

    def log_posterior(self, released: ArrayLike) -> Floats:
        """log Pr[w | the first i releases], for i = 1 … m: (m,) -> (m, V); rows add up to one.

        Where no word is left that could have given all of them, the prior stands.
        """
        seen = self.log_likelihood(self.vocabulary.checked(released))
        seen = self.log_prior + np.cumsum(seen, axis=0)
        largest = seen.max(axis=1, keepdims=True)
        seen = np.where(np.isfinite(largest), seen, self.log_prior)
        seen -= seen.max(axis=1, keepdims=True)
        seen -= np.log(np.exp(seen).sum(axis=1, keepdims=True))
        return seen

    def names(self, released: ArrayLike) -> WordIds:
        """The word that it names for each release, seen alone: (n,) -> (n,)."""
        distinct, inverse = np.unique(np.asarray(released), return_inverse=True)
        best = [int(self.log_posterior([v])[0].argmax()) for v in distinct.tolist()]
        return np.array(best, dtype=np.int64)[inverse]


@dataclass(frozen=True, eq=False)
class ByDistance(Adversary):
    """TEM and SanText: one row of distances from v, and what normalises each word."""

    mechanism: DistanceLaw
    log_normalisers: Floats

    def log_likelihood(self, released: WordIds) -> Floats:
        """-ε/2 · min(d(w, v), γ) - log Z(w)."""
        scores = self.vocabulary.distances(released)
        np.minimum(scores, normalisers.threshold(self.mechanism, self.vocabulary), out=scores)
        with np.errstate(over="ignore"):  # a score of -inf is a probability of 0
            scores *= -self.mechanism.epsilon / 2
        scores -= self.log_normalisers
        return scores


@dataclass(frozen=True, eq=False)
class BySynonyms(Adversary):
    """SynTF: a table of the words that are rated, and one number a word for all others."""

    mechanism: SynTF
    rated: Any
    """Sparse (V, V): log Pr[M(w) = v], a row an output v, a column an input w that rates it."""
    log_other: Floats
    """log Pr[M(w) = v] of a word v that w does not rate (V,)."""

    def log_likelihood(self, released: WordIds) -> Floats:
        """The table's columns."""
        likelihood = np.tile(self.log_other, (len(released), 1))
        for row, output in zip(likelihood, released.tolist(), strict=True):
            part = slice(self.rated.indptr[output], self.rated.indptr[output + 1])
            row[self.rated.indices[part]] = self.rated.data[part]
        return likelihood


@dataclass(frozen=True, eq=False)
class ByNearest(Adversary):
    """Any law: the whole law of each of the words nearest to what was released."""

    exact = False
    mechanism: LawMechanism

    def log_likelihood(self, released: WordIds) -> Floats:
        """The law's columns, for the candidates."""
        words = _candidates(self.vocabulary, self.log_prior, released, _NEAREST_BY_LAW, 0)
        likelihood = np.full((len(released), len(self.vocabulary)), -np.inf)
        likelihood[:, words] = self.mechanism.log_prob(self.vocabulary, words)[:, released].T
        return likelihood


@dataclass(frozen=True, eq=False)
class ByCell(Adversary):
    """Noise, then a nearby word: an integral over the cell of what was released."""

    exact = False
    mechanism: NoiseMechanism
    seed: int = 0

    def log_likelihood(self, released: WordIds) -> Floats:
        """Estimated; equal outputs get equal estimates."""
        words = _candidates(self.vocabulary, self.log_prior, released, _NEAREST, _PROBABLE)
        likelihood = np.full((len(released), len(self.vocabulary)), -np.inf)
        for output in np.unique(released).tolist():
            rng = np.random.default_rng([self.seed, output])
            likelihood[np.ix_(released == output, words)] = voronoi.log_likelihood(
                self.mechanism, self.vocabulary, output, words, rng
            )
        return likelihood


def _candidates(
    vocabulary: Vocabulary, log_prior: Floats, released: WordIds, nearest: int, probable: int
) -> WordIds:
    """The words nearest to the releases, together about `nearest`, and the most probable ones."""
    distinct = np.unique(released)
    each = min(len(vocabulary), max(10, nearest // len(distinct)))
    near = vocabulary.neighbours(distinct, each)[1].ravel()
    probable = min(probable, len(vocabulary))
    frequent = np.argsort(-log_prior, kind="stable")[:probable]
    return np.unique(np.concatenate([near, frequent]))


def log_prior(
    prior: Prior, vocabulary: Vocabulary, pairs: context.WordPairs | None = None
) -> Floats:
    """log π of every word (V,): as frequent as in film reviews (`pairs`), or all alike."""
    if prior == "uniform":
        return np.full(len(vocabulary), -np.log(len(vocabulary)))
    return (pairs or context.word_pairs(vocabulary)).log_prior


def adversary(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    log_prior: Floats,
    progress: Progress | None = None,
) -> Adversary:
    """The best adversary that is known here for a mechanism.

    What it needs to know of all words is computed once, with progress, and kept on disk.
    """
    if isinstance(mechanism, TEM | SanText):
        constants = normalisers.kept_log_normalisers(mechanism, vocabulary, progress)
        return ByDistance(mechanism, vocabulary, log_prior, constants)
    if isinstance(mechanism, SynTF):
        return BySynonyms(
            mechanism, vocabulary, log_prior, *_kept_synonyms(mechanism, vocabulary, progress)
        )
    if isinstance(mechanism, LawMechanism):
        return ByNearest(mechanism, vocabulary, log_prior)
    if isinstance(mechanism, NoiseMechanism):
        return ByCell(mechanism, vocabulary, log_prior)
    raise TypeError(f"Adversary: {mechanism.name} has neither a law nor a noise.")


def _kept_synonyms(
    mechanism: SynTF, vocabulary: Vocabulary, progress: Progress | None
) -> tuple[Any, Floats]:
    """SynTF's law as a sparse matrix, a row an output, and what every other word has (V,)."""
    from scipy.sparse import csr_matrix

    def compute() -> dict[str, Any]:
        covered = np.flatnonzero(mechanism.covers(vocabulary, np.arange(len(vocabulary))))
        log_other = np.full(len(vocabulary), -np.inf)
        outputs, inputs, values = [], [], []
        for number, word in enumerate(covered.tolist()):
            if progress and number % 512 == 0:
                progress(number / len(covered))
            rated, log_rated, log_other[word] = mechanism.sparse_log_prob(vocabulary, word)
            outputs.append(rated)
            inputs.append(np.full(len(rated), word))
            values.append(log_rated)
        if progress:
            progress(1.0)
        nothing = [np.empty(0, dtype=np.int64)]
        return {
            "output": np.concatenate(outputs or nothing),
            "word": np.concatenate(inputs or nothing),
            "log_probability": np.concatenate(values or [np.empty(0)]),
            "log_other": log_other,
        }

    settings = {"lexicon": vocabulary.synonyms is not None}
    kept = store.kept("synonym-law-1", mechanism, vocabulary, settings, compute)
    shape = (len(vocabulary), len(vocabulary))
    places = (np.asarray(kept["output"]), np.asarray(kept["word"]))
    return csr_matrix((np.asarray(kept["log_probability"]), places), shape), kept["log_other"]


# ------------------------------------------------------------------------------------- one sentence


@dataclass(frozen=True)
class Guess:
    """What the adversary makes of one word, from its first release."""

    typed: int
    released: int
    word_ids: WordIds
    """The likeliest words (k,), likeliest first."""
    probability: Floats
    """What it believes of each (k,)."""
    typed_prior: float
    typed_probability: float
    place: int
    """Of the typed word in its ranking, from 1."""
    rival: int
    """The likeliest of all other words."""
    log_moved: float
    """The log of how many times the release moved the odds of the typed word against the rival."""
    log_allowed: float | None
    """By how much a promise of differential privacy allows; None where none is made or kept."""

    @property
    def named(self) -> bool:
        """Whether it names the typed word."""
        return self.place == 1


@dataclass(frozen=True)
class Attack:
    """A text attacked: a guess for each word, and what more releases give away."""

    exact: bool
    guesses: tuple[Guess, ...]
    named_after: Any
    """(n, m) bool: whether word i is named from its first j + 1 releases."""


def attack(
    adversary: Adversary,
    typed: ArrayLike,
    released: WordIds,
    most: int = 8,
    progress: Progress | None = None,
) -> Attack:
    """Every word of a text attacked, each on its own: words (n,) and their releases (n, m)."""
    ids = adversary.vocabulary.checked(typed)
    guarantee = adversary.mechanism.guarantee(adversary.vocabulary)
    guesses = []
    named = np.zeros(released.shape, dtype=bool)
    for number, (word, outputs) in enumerate(zip(ids.tolist(), released, strict=True)):
        if progress:
            progress(number / len(ids))
        log_posterior = adversary.log_posterior(outputs)
        named[number] = log_posterior.argmax(axis=1) == word
        alone = log_posterior[0] if len(outputs) == 1 else adversary.log_posterior(outputs[:1])[0]
        if not adversary.exact:  # the candidates of one release are others than those of all
            named[number, 0] = alone.argmax() == word
        guesses.append(_guess(adversary, guarantee, word, int(outputs[0]), alone, most))
    if progress:
        progress(1.0)
    return Attack(adversary.exact, tuple(guesses), named)


def _guess(
    adversary: Adversary,
    guarantee: Guarantee,
    typed: int,
    released: int,
    log_posterior: Floats,
    most: int,
) -> Guess:
    top = np.argpartition(-log_posterior, min(most, len(log_posterior) - 1))[: most + 1]
    top = top[np.lexsort((top, -log_posterior[top]))]
    ahead = (log_posterior > log_posterior[typed]).sum()
    ahead += (log_posterior[:typed] == log_posterior[typed]).sum()
    rival = int(top[0] if top[0] != typed else top[1] if len(top) > 1 else typed)
    prior = adversary.log_prior
    log_moved = (log_posterior[typed] - log_posterior[rival]) - (prior[typed] - prior[rival])
    pair = np.array([typed]), np.array([rival])
    bound = guarantee.log_ratio_bound(adversary.vocabulary, *pair) if guarantee.holds else None
    return Guess(
        typed,
        released,
        top[:most],
        np.exp(log_posterior[top[:most]]),
        float(np.exp(prior[typed])),
        float(np.exp(log_posterior[typed])),
        int(ahead) + 1,
        rival,
        float(log_moved),
        None if bound is None else float(bound[0]),
    )


# ----------------------------------------------------------------------------------------- success


def success_bound(
    mechanism: Mechanism, vocabulary: Vocabulary, log_prior: Floats, releases: int = 1
) -> float | None:
    """The largest success that the mechanism's promise allows any adversary; None without one.

    min over references r of max_w π(w) e^{n b(w, r)}, at most 1. References are some of the most
    probable words and some of the nearest to the middle: each gives a bound that holds.
    """
    guarantee = mechanism.guarantee(vocabulary)
    if not guarantee.holds or guarantee.notion not in ("metric DP", "pure DP"):
        return None
    everyone = np.arange(len(vocabulary))
    middle = vocabulary.vectors.mean(axis=0, dtype=np.float64)[None]
    count = min(_REFERENCES, vocabulary.different_vectors)
    references = {*np.argsort(-log_prior, kind="stable")[:_REFERENCES].tolist()}
    references |= {*vocabulary.nearest_k(middle, count)[1][0].tolist()}
    best = 0.0
    for reference in references:
        same = np.full(len(vocabulary), reference)
        bound = guarantee.log_ratio_bound(vocabulary, everyone, same)
        assert bound is not None
        with np.errstate(over="ignore"):
            best = min(best, float((log_prior + releases * bound).max()))
    return float(np.exp(best))


def draw_words(log_prior: Floats, count: int, seed: int = 0) -> WordIds:
    """Words drawn from a prior: (count,)."""
    return seeded_rng(seed).choice(len(log_prior), count, p=np.exp(log_prior)).astype(np.int64)
