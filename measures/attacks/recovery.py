"""How much adversaries recover over a corpus, and the table of it that is shipped.

guess      each word of a text from its private version, by Bayes' rule (`adversary`)
averaging  the same from several private versions of the text
masked     each word from its two neighbours, typed or private, without its own release (`context`)

Words are counted in one corpus (the prior, the pairs of neighbours) and attacked in another:
sentences of Rotten Tomatoes. Every word is attacked; all words that the vocabulary lacks, or that
the mechanism has no law for, are one input, the unknown word. A success is the share of words
named, with an interval that treats sentences as independent and words of one sentence as not.

    python -m measures.attacks.recovery

computes the table over the 30,000 most frequent entries of GloVe and writes
`data/attack_curves.csv` and, with what it was made by, `data/attack_curves.json`. Mechanisms
without an exact adversary are tried on fewer sentences: a quarter of an hour on two idle cores.
With names of mechanisms (`… recovery unigram-tem n-gram-tem`) only their rows are computed, and put
into the table that is there.

The table is about known words only: unknown words of these sentences are left out of the counts,
of the prior and of the attack, so its adversaries never ask whether a word was unknown.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import math
import platform
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np

from data import corpora, embeddings
from measures import machine
from measures.attacks import ngrams, normalisers
from measures.attacks.adversary import EXACTLY, ByDistance, adversary
from measures.attacks.bayes import Adversary
from measures.attacks.prior import known_only
from measures.attacks.success_bound import success_bound
from measures.intervals import ENDS, from_columns, of_share
from measures.words import targets
from mechanisms import CMP, MECHANISMS, SLUGS, TEM, Family, Mechanism, SanText, Vocabulary, by_name
from mechanisms.base import has_law
from mechanisms.estimate import Estimate, Source
from mechanisms.in_order import draw_texts
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import Floats, WordIds

FILE = Path(__file__).parents[2] / "data" / "attack_curves.csv"

# The corpus that is attacked.
ATTACKED = "rotten-tomatoes"

_AVERAGED: tuple[Family[Mechanism], ...] = (TEM.family(), SanText.family(), CMP.family())
_RELEASES = (1, 2, 4, 8)

# Sentences, and values of ε a mechanism: with an exact adversary, and without.
_SENTENCES, _FEWER = 60, 8
_POINTS, _FEWER_POINTS = 11, 5


@dataclass(frozen=True)
class Row:
    """One attack on one corpus. Success and N_w are shares of the words, with 95 % intervals."""

    attack: str
    mechanism: str
    """Its name; empty if no word of the text is released."""
    epsilon: float
    releases: int
    words: int
    n_w: Estimate | None
    """None if no word is released, or an adversary names words by their neighbours only."""
    success: Estimate
    lower_bound: bool
    """Whether a better adversary may name more."""
    best_over_prior: float | None
    """Bayes-optimal success over words drawn from the prior, exact; None if not computed."""
    allowed: float | None
    """The success that the promise allows any adversary; None without a promise that holds."""


Texts = Sequence[Sequence[int]]
"""Texts as inputs, words or the unknown word; `context.NONE` for what is not attacked."""


def attacked_texts(vocabulary: Vocabulary, count: int, seed: int = 0) -> list[list[int]]:
    """Some sentences of the corpus that is attacked, as inputs."""
    sample = corpora.sampled(corpora.load(ATTACKED), count, seed)
    return ngrams.sentences(sample.texts, vocabulary)


def release(
    mechanism: Mechanism, vocabulary: Vocabulary, texts: Texts, releases: int, seed: int
) -> tuple[list[WordIds], list[WordIds]]:
    """Of each text the inputs of the mechanism (n,), and their releases (n, releases)."""
    typed = []
    for text in texts:
        ids = np.array([word for word in text if word != ngrams.NONE], dtype=np.int64)
        typed.append(mechanism.inputs(vocabulary, ids))
    return typed, draw_texts(mechanism, vocabulary, typed, releases, seeded_rng(seed))


def success(typed: Sequence[WordIds], named: Sequence[WordIds]) -> Estimate:
    """The share of words named, words of one text not independent: (n,) a text, twice."""
    hits = [int((words == guesses).sum()) for words, guesses in zip(typed, named, strict=True)]
    found = of_share(hits, [len(words) for words in typed])
    return dataclasses.replace(found, source=Source("words", sum(map(len, typed))))


def guess(knows: Adversary, typed: Sequence[WordIds], released: Sequence[WordIds]) -> Estimate:
    """Success of naming each word from its releases (n, m) a text."""
    return success(typed, knows.names_of_texts(released))


def masked(
    pairs: ngrams.WordPairs,
    vocabulary: Vocabulary,
    texts: Texts,
    mechanism: Mechanism | None,
    seed: int = 0,
) -> Estimate:
    """Success of naming each word from its neighbours: typed, or released by a mechanism."""
    typed, named = [], []
    for number, text in enumerate(texts):
        ids = np.array(text, dtype=np.int64)
        at = np.flatnonzero(ids != ngrams.NONE)
        around = ids.copy()
        if mechanism is not None:
            inputs = mechanism.inputs(vocabulary, ids[at])
            rng = np.random.default_rng([seed, number])
            around[at] = draw_texts(mechanism, vocabulary, [inputs], 1, rng)[0][:, 0]
        typed.append(ids[at])
        named.append(ngrams.masked_guesses(pairs, around.tolist(), at.tolist()))
    return success(typed, named)


# ------------------------------------------------------------------------------- the shipped table


@cache
def rows(file: Path = FILE) -> tuple[Row, ...]:
    """The shipped table, read once."""
    with file.open(newline="", encoding="utf-8") as lines:
        return tuple(map(_read, csv.DictReader(lines)))


# The columns of the table: of an estimate, three.
_ESTIMATES = ("n_w", "success")
_COLUMNS = [
    f"{field.name}{end}"
    for field in dataclasses.fields(Row)
    for end in (ENDS if field.name in _ESTIMATES else ("",))
]


def _read(line: Mapping[str, str]) -> Row:
    """A row from a line of the table, in which nan is a number that was not computed."""
    words = int(line["words"])
    source = Source("words", words)

    def number(name: str) -> float | None:
        value = float(line[name])
        return None if math.isnan(value) else value

    return Row(
        line["attack"],
        line["mechanism"],
        float(line["epsilon"]),
        int(line["releases"]),
        words,
        None if number("n_w") is None else from_columns(line, "n_w", source),
        from_columns(line, "success", source),
        line["lower_bound"] == "True",
        number("best_over_prior"),
        number("allowed"),
    )


def _written(row: Row) -> Iterator[str]:
    """The cells of a row."""
    for field in dataclasses.fields(Row):
        value = getattr(row, field.name)
        if field.name in _ESTIMATES:
            numbers = (math.nan,) * 3 if value is None else value.numbers
            yield from (f"{number:.6g}" for number in numbers)
        elif value is None:
            yield "nan"
        else:
            yield f"{value:.6g}" if isinstance(value, float) else str(value)


def main(names: Sequence[str] = ()) -> None:
    """Compute and write the table, or the rows of some mechanisms of it, by their short names.

    Raises
    ------
    ValueError
        If there is no such mechanism, or the table is about another vocabulary.

    """
    begin = time.perf_counter()
    kinds = [by_name(name) for name in names] or list(MECHANISMS)
    vocabulary = embeddings.load(embeddings.GLOVE, embeddings.DEFAULT_SIZE)
    made = {} if not names else json.loads(FILE.with_suffix(".json").read_text(encoding="utf-8"))
    if made and made["vocabulary"] != vocabulary.fingerprint:
        raise ValueError(f"{FILE.name}: was computed with another vocabulary; compute all of it.")
    table = [row for row in (rows() if names else ()) if row.mechanism not in _named(kinds)]
    last = [row for row in table if row.attack == "averaging"]
    table = [row for row in table if row.attack != "averaging"]
    for row in _computed(vocabulary, kinds, whole=not names):
        table.append(row)
        seconds = time.perf_counter() - begin
        sys.stderr.write(
            f"{seconds:6.0f} s  {row.attack} {row.mechanism} ε = {row.epsilon:g} "
            f"× {row.releases}: {row.success.value:.1%}\n"
        )
    unfinished = FILE.with_suffix(".unfinished")
    with unfinished.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        writer.writerows(map(_written, [*table, *last]))
    here = {
        "command": " ".join(["python -m measures.attacks.recovery", *names]),
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(time.perf_counter() - begin),
        "machine": f"{machine.described()}, Python {platform.python_version()}",
        "versions": {name: version(name) for name in ("numpy", "scipy", "faiss-cpu")},
    }
    provenance = {
        **(made or here),
        "embedding": embeddings.GLOVE,
        "words": len(vocabulary),
        "vocabulary": vocabulary.fingerprint,
        "prior and pairs": ngrams.COUNTED,
        "attacked": ATTACKED,
        "words attacked": "known words only",
        "sentences": {"exact": _SENTENCES, "lower bound": _FEWER},
    }
    if made:
        later = {**here, "sentences": {"exact": _SENTENCES, "lower bound, by place": _SENTENCES}}
        provenance["computed later"] = [*made.get("computed later", []), later]
    FILE.with_suffix(".json").write_text(
        json.dumps(provenance, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    unfinished.replace(FILE)


def _named(kinds: Sequence[type[Mechanism]]) -> set[str]:
    return {kind.name for kind in kinds}


def _computed(
    vocabulary: Vocabulary, kinds: Sequence[type[Mechanism]], whole: bool
) -> Iterator[Row]:
    """The rows of mechanisms, about known words only; of the whole table, all others too."""
    pairs = ngrams.word_pairs(vocabulary).known_only
    prior = known_only(pairs.log_prior)
    texts = [
        [ngrams.NONE if word == vocabulary.unknown_id else word for word in text]
        for text in attacked_texts(vocabulary, _SENTENCES)
    ]
    words = sum(word != ngrams.NONE for text in texts for word in text)
    if whole:
        alone = masked(pairs, vocabulary, texts, None)
        yield Row("masked", "", math.nan, 0, words, None, alone, True, None, None)
    for family in (cls.family() for cls in kinds):
        exact = issubclass(family.kind, EXACTLY)
        these = texts if exact else texts[:_FEWER]
        for epsilon in _epsilons(family, vocabulary, _POINTS if exact else _FEWER_POINTS):
            mechanism = family.at(epsilon)
            yield _guessed(mechanism, vocabulary, prior, these, 1)
            found = masked(pairs, vocabulary, texts, mechanism)
            yield Row("masked", mechanism.name, epsilon, 1, words, None, found, True, None, None)
    for family in _AVERAGED:
        if family.kind not in kinds:
            continue
        middle = float(f"{targets.epsilon_range(family, vocabulary).middle:.3g}")
        mechanism = family.at(middle)
        these = texts if has_law(family) else texts[:_FEWER]
        for releases in _RELEASES:
            row = _guessed(mechanism, vocabulary, prior, these, releases)
            yield dataclasses.replace(row, attack="averaging")


def _epsilons(family: Family[Mechanism], vocabulary: Vocabulary, count: int) -> list[float]:
    """From where nearly all words are replaced to where nearly none is, three digits each."""
    around = targets.epsilon_range(family, vocabulary)
    grid = np.geomspace(around.low / 1.5, around.high * 1.2, count)
    answered = [e for e in grid.tolist() if e > family.smallest_epsilon(vocabulary)]
    return [float(f"{epsilon:.3g}") for epsilon in answered]


def _guessed(
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    prior: Floats,
    texts: Texts,
    releases: int,
) -> Row:
    typed, released = release(mechanism, vocabulary, texts, releases, seed=1)
    knows = adversary(mechanism, vocabulary, prior)
    best = None
    if isinstance(knows, ByDistance) and releases == 1:
        best = normalisers.best_success(knows.mechanism, vocabulary, prior, knows.log_normalisers)
    allowed = success_bound(mechanism, vocabulary, prior, releases)
    return Row(
        "guess",
        mechanism.name,
        mechanism.epsilon,
        releases,
        sum(map(len, typed)),
        success(typed, [outputs[:, 0] for outputs in released]),
        guess(knows, typed, released),
        not knows.exact,
        best,
        allowed,
    )


if __name__ == "__main__":
    ask = argparse.ArgumentParser(
        description="Compute the table of attacks, and write it to data/."
    )
    about = "Compute only the rows of these mechanisms: {}. Without a name, all rows."
    ask.add_argument("names", nargs="*", metavar="NAME", help=about.format(", ".join(SLUGS)))
    asked = ask.parse_args()
    try:
        main(asked.names)
    except ValueError as error:
        ask.error(str(error))
