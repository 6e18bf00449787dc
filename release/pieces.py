"""A file in pieces: some rows' texts, what comes out for them, and what happened to their tokens.

A piece is so large that equal words are worth drawing together, and so small that many fit into
memory. Its texts are all that a worker needs to know of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mechanisms import Mechanism, Vocabulary
from mechanisms.text import Status, privatise_all
from release.settings import Settings
from release.tables import Row, texts

MOST_ROWS = 5_000
MOST_CHARACTERS = 500_000

Texts = list[list[str]]
"""The texts of each row, one a text column."""


@dataclass(frozen=True)
class Counts:
    """What happened to the tokens of some rows. Counts of two pieces can be added."""

    rows: int = 0
    texts: int = 0
    """Cells that are not empty."""
    empty: int = 0
    statuses: Counter[Status] = field(default_factory=Counter)
    longest: int = 0
    """Words that the mechanism drew in the row with most of them."""

    def __add__(self, other: Counts) -> Counts:
        """Both together."""
        return Counts(
            self.rows + other.rows,
            self.texts + other.texts,
            self.empty + other.empty,
            self.statuses + other.statuses,
            max(self.longest, other.longest),
        )

    @property
    def tokens(self) -> int:
        """Words, numbers and signs."""
        return sum(self.statuses.values())

    @property
    def drawn(self) -> int:
        """Words that the mechanism drew."""
        return self.statuses[Status.CHANGED] + self.statuses[Status.UNCHANGED]

    @property
    def unprotected(self) -> int:
        """Tokens that were released as typed."""
        return self.statuses[Status.UNPROTECTED]

    @property
    def perturbed(self) -> float | None:
        """PP, in percent: of the words drawn, those that another word came out for."""
        return 100 * self.statuses[Status.CHANGED] / self.drawn if self.drawn else None


def cut(rows: Iterable[Row], positions: Sequence[int]) -> Iterator[list[Row]]:
    """The rows, some together: so many that their texts make up `MOST_CHARACTERS`."""
    piece: list[Row] = []
    characters = 0
    for number, row in enumerate(rows, 1):
        piece.append(row)
        characters += sum(map(len, texts(row, positions, number)))
        if characters >= MOST_CHARACTERS or len(piece) >= MOST_ROWS:
            yield piece
            piece, characters = [], 0
    if piece:
        yield piece


def private(
    piece: Texts, settings: Settings, number: int, vocabulary: Vocabulary | None = None
) -> tuple[Texts, Counts]:
    """The texts of a piece made private, and what happened to them.

    The vocabulary of the settings is loaded where none is handed over.
    """
    vocabulary = settings.vocabulary() if vocabulary is None else vocabulary
    mechanism: Mechanism = settings.mechanism
    filled = [text for row in piece for text in row if text]
    released = iter(
        privatise_all(
            filled,
            mechanism,
            vocabulary,
            settings.rng(number),
            unknown=settings.unknown,
            case=settings.case,
        )
    )
    out: Texts = []
    statuses = Counter[Status]()
    longest = 0
    for row in piece:
        out_row, drawn = [], 0
        for text in row:
            if not text:
                out_row.append(text)
                continue
            one = next(released)
            found = Counter(p.status for p in one.versions[0])
            statuses += found
            drawn += found[Status.CHANGED] + found[Status.UNCHANGED]
            out_row.append(one.texts[0])
        longest = max(longest, drawn)
        out.append(out_row)
    del statuses[Status.SPACE]
    cells = sum(map(len, piece))
    return out, Counts(len(piece), len(filled), cells - len(filled), statuses, longest)
