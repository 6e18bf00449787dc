r"""The adversary that guesses the word: Bayes' rule with the mechanism's own law.

Who knows the mechanism (no secret, in differential privacy) and how frequent words are, and sees
the released v, believes

    Pr[w | v] = π(w) Pr[M(w) = v] / Σ_u π(u) Pr[M(u) = v],

and names the likeliest w. No other rule names more words: for each v it gains max_w π(w) Pr[M(w) =
v], the most that any guess can. Several releases of the same word multiply their likelihoods.

Its hypotheses are all inputs of the mechanism: the V words of the vocabulary and, last, the unknown
word, which every word outside of the vocabulary is. To name the unknown word is to know that a word
was unknown, not which word it was. Words that the mechanism has no law for are the unknown word to
it: their share of π is added to that of the unknown word.

exact         laws of the distance, such as TEM and SanText (with their normalising constants), and
              sparse laws, such as SynTF
lower bound   laws of the distance that look at the words released before (`by_place`)
              any other law, such as Truncated Gumbel: for the words nearest to what was released
              mechanisms that add noise: the likelihood of the words nearest to what was released,
              and of the most frequent ones, estimated over the cell of the output (`voronoi`)
              Such an adversary follows some rule, so it names at most as many as the best does
              Both always look at the unknown word too

By how much a promise bounds its success: `success_bound`. By how much it bounds the odds of two
inputs: from Pr[M(w) = v] <= e^{b(w, r)} Pr[M(r) = v] they move by at most a factor e^{b(w, r)},
posterior odds over prior odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from measures import store
from measures.attacks import normalisers, voronoi
from measures.attacks.bayes import Adversary
from measures.attacks.by_place import ByPlace
from measures.attacks.prior import of_inputs
from mechanisms import Guarantee, LawMechanism, Mechanism, NoiseMechanism, Vocabulary
from mechanisms.answers import Progress
from mechanisms.exact_law import SparseLaw
from mechanisms.in_order import WordByWord
from mechanisms.selection import DistanceLaw
from mechanisms.vocabulary import Floats, WordIds

EXACTLY = DistanceLaw, SparseLaw
"""The kinds of mechanisms whose laws an adversary computes for all words."""

# The words that an approximation looks at: those nearest to what was released, all releases of a
# word together, and the most probable ones.
_NEAREST = 150
_PROBABLE = 50
_NEAREST_BY_LAW = 30


@dataclass(frozen=True, eq=False)
class ByDistance(Adversary):
    """A law of the distance: one row of distances from v, and what normalises each word."""

    mechanism: DistanceLaw
    log_normalisers: Floats

    def log_likelihood(self, released: WordIds) -> Floats:
        """log q(v) - ε/2 · min(d(w, v), γ) - log Z(w), and the law of the unknown word."""
        scores = self.mechanism.scores(self.vocabulary, self.vocabulary.distances(released))
        scores -= self.log_normalisers
        base = self.mechanism.base_measure(self.vocabulary)
        if base is not None:
            scores += np.log(base[released])[:, None]
        return _with_unknown(self.mechanism, self.vocabulary, scores, released)


@dataclass(frozen=True, eq=False)
class BySynonyms(Adversary):
    """A sparse law: a table of the words that are rated, and one number a word for all others."""

    mechanism: SparseLaw
    rated: Any
    """Sparse (V, V): log Pr[M(w) = v], a row an output v, a column an input w that rates it."""
    log_other: Floats
    """log Pr[M(w) = v] of a word v that w does not rate (V,)."""

    def log_likelihood(self, released: WordIds) -> Floats:
        """The table's columns, and the uniform law of the unknown word."""
        likelihood = np.tile(self.log_other, (len(released), 1))
        for row, output in zip(likelihood, released.tolist(), strict=True):
            part = slice(self.rated.indptr[output], self.rated.indptr[output + 1])
            row[self.rated.indices[part]] = self.rated.data[part]
        return _with_unknown(self.mechanism, self.vocabulary, likelihood, released)


@dataclass(frozen=True, eq=False)
class ByNearest(Adversary):
    """Any law: the whole law of the unknown word and of the words nearest to what was released."""

    exact = quick = False
    mechanism: LawMechanism

    def log_likelihood(self, released: WordIds) -> Floats:
        """The law's columns, for the candidates."""
        inputs = _candidates(self.vocabulary, self.log_prior, released, _NEAREST_BY_LAW, 0)
        likelihood = np.full((len(released), len(self.vocabulary) + 1), -np.inf)
        likelihood[:, inputs] = self.mechanism.log_prob(self.vocabulary, inputs)[:, released].T
        return likelihood


@dataclass(frozen=True, eq=False)
class ByCell(Adversary):
    """Noise, then a nearby word: an integral over the cell of what was released."""

    exact = quick = False
    mechanism: NoiseMechanism
    seed: int = 0

    def log_likelihood(self, released: WordIds) -> Floats:
        """Estimated; equal outputs get equal estimates."""
        inputs = _candidates(self.vocabulary, self.log_prior, released, _NEAREST, _PROBABLE)
        likelihood = np.full((len(released), len(self.vocabulary) + 1), -np.inf)
        for output in np.unique(released).tolist():
            rng = np.random.default_rng([self.seed, output])
            likelihood[np.ix_(released == output, inputs)] = voronoi.log_likelihood(
                self.mechanism, self.vocabulary, output, inputs, rng
            )
        return likelihood


def _candidates(
    vocabulary: Vocabulary, log_prior: Floats, released: WordIds, nearest: int, probable: int
) -> WordIds:
    """The words nearest to the releases, together about `nearest`, the most probable, the unknown.

    Of these the inputs that the prior leaves possible.
    """
    distinct = np.unique(released)
    each = min(len(vocabulary), max(10, nearest // len(distinct)))
    near = vocabulary.neighbours(distinct, each)[1].ravel()
    probable = min(probable, len(vocabulary))
    frequent = np.argsort(-log_prior[:-1], kind="stable")[:probable]
    inputs = np.unique(np.concatenate([near, frequent, [vocabulary.unknown_id]]))
    return np.asarray(inputs[np.isfinite(log_prior[inputs])], dtype=np.int64)


def _with_unknown(
    mechanism: LawMechanism, vocabulary: Vocabulary, of_words: Floats, released: WordIds
) -> Floats:
    """log Pr[M(w) = v] of every word, and then of the unknown word: (m, V) -> (m, V + 1)."""
    unknown = mechanism.log_prob(vocabulary, np.array([vocabulary.unknown_id]))[0]
    return np.concatenate([of_words, unknown[released, None]], axis=1)


def adversary(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    log_prior: Floats,
    progress: Progress | None = None,
) -> Adversary:
    """The best adversary that is known here for a mechanism, with a prior (V + 1,).

    What it needs to know of all words is computed once, with progress, and kept on disk.

    Raises
    ------
    ValueError
        If the prior has another length.

    """
    log_prior = of_inputs(mechanism, vocabulary, log_prior)
    if isinstance(mechanism, DistanceLaw):
        constants = normalisers.kept_log_normalisers(mechanism, vocabulary, progress)
        if isinstance(mechanism, WordByWord):
            return ByPlace(mechanism, vocabulary, log_prior, constants)
        return ByDistance(mechanism, vocabulary, log_prior, constants)
    if isinstance(mechanism, SparseLaw):
        return BySynonyms(
            mechanism, vocabulary, log_prior, *_kept_synonyms(mechanism, vocabulary, progress)
        )
    if isinstance(mechanism, LawMechanism):
        return ByNearest(mechanism, vocabulary, log_prior)
    if isinstance(mechanism, NoiseMechanism):
        return ByCell(mechanism, vocabulary, log_prior)
    raise TypeError(f"Adversary: {mechanism.name} has neither a law nor noise.")


def _kept_synonyms(
    mechanism: SparseLaw, vocabulary: Vocabulary, progress: Progress | None
) -> tuple[Any, Floats]:
    """The law as a sparse matrix, a row an output, and what every other word has (V,)."""
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
    kept = store.cached("synonym-law-1", mechanism, vocabulary, settings, compute)
    shape = (len(vocabulary), len(vocabulary))
    places = (np.asarray(kept["output"]), np.asarray(kept["word"]))
    return csr_matrix((np.asarray(kept["log_probability"]), places), shape), kept["log_other"]


# ------------------------------------------------------------------------------------- one sentence


@dataclass(frozen=True)
class Guess:
    """What the adversary makes of one word, from its first release.

    `typed`, `input_ids` and `rival` are inputs: words or the unknown word.
    """

    typed: int
    released: int
    input_ids: WordIds
    """The likeliest inputs (k,), likeliest first."""
    probability: Floats
    """What it believes of each (k,)."""
    typed_prior: float
    typed_probability: float
    place: int
    """Of the typed word in its ranking, from 1."""
    rival: int
    """The likeliest of all other inputs; the typed one if no other is possible."""
    log_moved: float
    """The log of how many times the release moved the odds of the typed word against the rival."""
    log_allowed: float | None
    """By how much a promise of differential privacy allows; None if none is made or kept."""

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
    looks_back: bool = False
    """Whether the adversary uses how words follow each other."""


def attack(
    adversary: Adversary,
    typed: ArrayLike,
    released: WordIds,
    most: int = 8,
    progress: Progress | None = None,
) -> Attack:
    """Every word of a text attacked, each on its own: inputs (n,) and their releases (n, m).

    They are the first drawn words of a text, in order, with no drawn word left out between them.
    A word that the mechanism has no law for is attacked as the unknown word.
    """
    ids = adversary.mechanism.inputs(adversary.vocabulary, np.asarray(typed))
    guarantee = adversary.mechanism.guarantee(adversary.vocabulary)
    guesses = []
    named = np.zeros(released.shape, dtype=bool)
    for number, (word, outputs) in enumerate(zip(ids.tolist(), released, strict=True)):
        if progress:
            progress(number / len(ids))
        before = released[:number]
        log_posterior = adversary.log_posterior(outputs, before)
        named[number] = log_posterior.argmax(axis=1) == word
        alone = log_posterior[0]
        if len(outputs) > 1:
            alone = adversary.log_posterior(outputs[:1], before[:, :1])[0]
        if not adversary.exact:  # the candidates of one release are others than those of all
            named[number, 0] = alone.argmax() == word
        guesses.append(_guess(adversary, guarantee, word, int(outputs[0]), alone, most))
    if progress:
        progress(1.0)
    return Attack(adversary.exact, tuple(guesses), named, adversary.looks_back)


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
    prior = adversary.log_prior
    rival = _rival(prior, log_posterior, typed)
    log_moved = 0.0  # also if the prior rules out what was typed: nothing can move its odds
    if rival != typed and np.isfinite(prior[typed]):
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
        None if bound is None or np.isinf(bound[0]) else float(bound[0]),
    )


def _rival(log_prior: Floats, log_posterior: Floats, typed: int) -> int:
    """The likeliest input but the typed one, before the release if no other is possible after."""
    for belief in (log_posterior, log_prior):
        others = np.array(belief)
        others[typed] = -np.inf
        if np.isfinite(others.max()):
            return int(others.argmax())
    return typed
