"""A file in pieces: the texts of some rows, their private texts, and counts of their tokens.

A piece is large enough that equal words are worth drawing together, and small enough that many fit
into memory. A worker receives the texts of a piece, and nothing else of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mechanisms import Vocabulary
from mechanisms.file_texts import FileTexts
from mechanisms.text import Status
from release.names import Names
from release.settings import Settings
from release.survived import Survived, of_piece
from release.tables import Row, texts

MOST_ROWS = 5_000
MOST_CHARACTERS = 500_000

Texts = list[list[str]]
"""The texts of each row, one a text column."""


@dataclass(frozen=True)
class Counts:
    """Counts of the tokens of some rows, by what happened to them."""

    rows: int = 0
    texts: int = 0
    """Cells that are not empty."""
    empty: int = 0
    statuses: Counter[Status] = field(default_factory=Counter)
    longest: int = 0
    """Words that were drawn, known or unknown, in the row with most of them."""
    released: Counter[int] = field(default_factory=Counter)
    """How often each word of the vocabulary came out, by its id."""
    noticed: Counter[str] = field(default_factory=Counter)
    """Other finds in the texts, by kind: removed signs, bytes that are not text."""
    survived: Survived = field(default_factory=Survived)
    """Words that came out unchanged, if they were asked for."""

    @property
    def tokens(self) -> int:
        """Words, numbers and signs."""
        return sum(self.statuses.values())

    @property
    def drawn(self) -> int:
        """Number of words that were drawn, for known and for unknown words."""
        return self.released.total()

    @property
    def unprotected(self) -> int:
        """Tokens that were released as typed."""
        return self.statuses[Status.UNPROTECTED]

    @property
    def perturbed(self) -> float | None:
        """PP, in percent: the share of known words that were replaced by another word."""
        changed = self.statuses[Status.CHANGED]
        known = changed + self.statuses[Status.UNCHANGED]
        return 100 * changed / known if known else None


def summed(parts: Iterable[Counts]) -> Counts:
    """The counts of all pieces together."""
    numbers = Counter[str]()
    longest = 0
    statuses, released, noticed = Counter[Status](), Counter[int](), Counter[str]()
    unchanged = Survived()
    for part in parts:
        numbers.update(rows=part.rows, texts=part.texts, empty=part.empty)
        longest = max(longest, part.longest)
        statuses.update(part.statuses)
        released.update(part.released)
        noticed.update(part.noticed)
        unchanged += part.survived
    rows, texts, empty = (numbers[name] for name in ("rows", "texts", "empty"))
    return Counts(rows, texts, empty, statuses, longest, released, noticed, unchanged)


class Piece(NamedTuple):
    """Some rows of a file, and their texts."""

    number: int
    first: int
    """The number of its first row."""
    rows: list[Row]
    texts: Texts


def cut(rows: Iterable[Row], positions: Sequence[int]) -> Iterator[Piece]:
    """The rows, some together: so many that their texts make up `MOST_CHARACTERS`."""
    piece = Piece(0, 1, [], [])
    characters = 0
    for number, row in enumerate(rows, 1):
        found = texts(row, positions, number)
        piece.rows.append(row)
        piece.texts.append(found)
        characters += sum(map(len, found))
        if characters >= MOST_CHARACTERS or len(piece.rows) >= MOST_ROWS:
            yield piece
            piece, characters = Piece(piece.number + 1, number + 1, [], []), 0
    if piece.rows:
        yield piece


def private(
    piece: Texts,
    settings: Settings,
    number: int,
    vocabulary: Vocabulary | None = None,
    file: FileTexts | None = None,
    names: Names | None = None,
    first: int = 1,
) -> tuple[Texts, Counts]:
    """The private texts of a piece, and their counts.

    Without a vocabulary, that of the settings is loaded. `file` has the work that the pieces of one
    file share (`of_file`); without it nothing is kept from one piece to the next. With the
    name-like words of the file, the counts have the words that came out unchanged; `first` is the
    number of the first row.
    """
    file = of_file(settings, vocabulary) if file is None else file
    filled = [text for row in piece for text in row if text]
    done = file.private(filled, settings.rng(number))
    released, of_texts = iter(done.texts), iter(done.drawn_counts.tolist())
    longest = max((sum(next(of_texts) for text in row if text) for row in piece), default=0)
    out = [[next(released) if text else text for text in row] for row in piece]
    ids, counts = np.unique(done.drawn, return_counts=True)
    came_out = Counter(dict(zip(ids.tolist(), counts.tolist(), strict=True)))
    empty = sum(map(len, piece)) - len(filled)
    unchanged = Survived()
    if names is not None:
        rows = [number for number, row in enumerate(piece, first) for text in row if text]
        unchanged = of_piece(done, names, rows)
    return out, Counts(
        *(len(piece), len(filled), empty),
        *(done.statuses, longest, came_out, done.noticed, unchanged),
    )


def of_file(settings: Settings, vocabulary: Vocabulary | None = None) -> FileTexts:
    """The work that the pieces of one file share: how it is cut, and the laws of its words.

    With a seed no laws are kept: draws then depend on the seed and the piece alone.
    """
    return FileTexts(
        settings.mechanism,
        settings.vocabulary() if vocabulary is None else vocabulary,
        settings.unknown,
        settings.case,
        settings.html,
        keep_laws=settings.seed is None,
    )


class LastFile:
    """The file that this process works on: pieces of one run share it, and no two runs do."""

    _run: str | None = None
    _file: FileTexts | None = None

    @classmethod
    def of(cls, run: str, settings: Settings) -> FileTexts:
        """The work that the pieces of this run share."""
        if cls._file is None or cls._run != run:
            cls._run, cls._file = run, of_file(settings)
        return cls._file

    @classmethod
    def forget(cls) -> None:
        """Let go of it, and of the words of its texts."""
        cls._run = cls._file = None
