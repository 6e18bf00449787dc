"""The corpus of q: a public file of the visitor, on which q of a base measure is counted.

    columns, rows = read("news.csv", data)
    column, texts = texts_of(columns, rows, "body")
    Settings(mechanism=UnigramTEM(epsilon=4, corpus="own"), q_corpus=of_file(path, "body"))

A line of a plain text is a document; of a table, the cells of one column are. Nothing of it is
released, so quotation marks are taken to enclose cells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from data import word_counts
from mechanisms import Vocabulary
from mechanisms.base_measure import with_counts
from release import labelled, tables
from release.cells import as_value
from release.layout import layout
from release.overlap import overlap, stretches
from release.source import Readable

SUFFIXES = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")

TITLE = "Corpus of q"


@dataclass(frozen=True)
class QCorpus:
    """A file and the column of its documents: a small key, which workers can be sent."""

    name: str
    column: str
    sha256: str
    """Of the bytes of the file."""
    path: str = ""
    """The path of the file; empty for an upload, whose counts are in its session."""

    def counted(self, vocabulary: Vocabulary) -> Vocabulary:
        """The vocabulary with the counts of this corpus, of which q is made.

        Raises
        ------
        ValueError
            If the file has changed, or the vocabulary has none of its words.
        OSError
            If it cannot be read.

        """
        return with_counts(vocabulary, word_counts.of_texts(self.texts(), vocabulary))

    def texts(self) -> tuple[str, ...]:
        """Its documents; errors as for `counted`."""
        if not self.path:
            raise ValueError(
                f"{TITLE}: {self.name} was uploaded; its counts exist only in that session."
            )
        data = Path(self.path).read_bytes()
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise ValueError(f"{TITLE}: {self.name} has changed since it was chosen. Run again.")
        return texts_of(*read(self.name, data), self.column)[1]

    def check_holds_none(self, private: Iterable[str]) -> str:
        """A warning if it holds private texts word for word; ValueError if it holds all of them.

        Nothing is known of an upload, which its page compares.
        """
        if not self.path:
            return ""
        return overlap(stretches(self.texts()), private).checked()

    def check_is_not(self, digest: str) -> None:
        """Raise ValueError if the file that is made private has this corpus's hash."""
        if digest == self.sha256:
            raise ValueError(
                f"{TITLE}: it is the private file itself. Counted on it, q would depend on the "
                "private texts, and no promise would hold. Use a public file, or another q."
            )

    def __str__(self) -> str:
        """The description that may be published."""
        return f"a public file, column {self.column}, SHA-256 {self.sha256}"


@dataclass(frozen=True)
class QTexts(QCorpus):
    """A corpus that is not a file: its documents."""

    documents: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def texts(self) -> tuple[str, ...]:
        """Its documents."""
        return self.documents

    def check_holds_none(self, private: Iterable[str]) -> str:
        """As for a file."""
        return overlap(stretches(self.documents), private).checked()


def of_texts(documents: Iterable[str]) -> QTexts:
    """The corpus of some documents.

    Raises
    ------
    ValueError
        Without a document.
    TypeError
        For anything but texts.

    """
    found = tuple(documents)
    if isinstance(documents, str) or not all(isinstance(text, str) for text in found):
        raise TypeError(f"{TITLE}: must be the path of a file, or a list of texts.")
    if not any(text.strip() for text in found):
        raise ValueError(f"{TITLE}: it holds no text. Use another corpus, or another q.")
    digest = hashlib.sha256("\0".join(found).encode("utf-8", "surrogatepass")).hexdigest()
    return QTexts("texts", "text", digest, documents=found)


def of_file(path: Path | str, column: str | None = None) -> QCorpus:
    """The corpus in a file; without a column, its only one.

    Raises
    ------
    ValueError
        For a file that cannot be read, or has no text in such a column.
    OSError
        For a file that is missing or that may not be read.

    """
    path = Path(path).resolve()
    data = path.read_bytes()
    column, _ = texts_of(*read(path.name, data), column)
    return QCorpus(path.name, column, hashlib.sha256(data).hexdigest(), str(path))


def read(name: str, source: Readable) -> tuple[Sequence[str], list[list[str]]]:
    """The names of the columns of a corpus, and its rows as texts.

    Raises
    ------
    ValueError
        For a file that cannot be read, or that can be read in several ways.

    """
    if not name.lower().endswith(SUFFIXES):
        raise ValueError(f"{TITLE}: its name must end in {', '.join(SUFFIXES)}; got {name}.")
    if not name.lower().endswith(".txt"):
        return labelled.read(name, source, TITLE)
    try:
        how = layout(name, source)
        return how.columns, [[as_value(cell) for cell in row] for row in tables.rows(source, how)]
    except ValueError as error:
        raise ValueError(f"{TITLE}: {error}") from None


def texts_of(
    columns: Sequence[str], rows: list[list[str]], column: str | None
) -> tuple[str, tuple[str, ...]]:
    """A column and its documents that are not empty; None is the only column.

    Raises
    ------
    ValueError
        If there is no such column, or no document.

    """
    if column is None and len(columns) == 1:
        column = columns[0]
    if column is None or column not in columns:
        shown = ", ".join(columns[:10]) + (" …" if len(columns) > 10 else "")
        if column is None:
            raise ValueError(f"{TITLE}: name the column that holds text. The file has: {shown}.")
        raise ValueError(f"{TITLE}: there is no column {column!r}. The file has: {shown}.")
    at = list(columns).index(column)
    texts = tuple(row[at] for row in rows if row[at].strip())
    if not texts:
        raise ValueError(f"{TITLE}: {column} holds no text. Choose another column or file.")
    return column, texts
