"""An embedding file as its readers see it: where it is, what it may hold, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

_FIRST_LINES = 5  # kept of each fault

MOST_DIMENSIONS = 16_384
"""Numbers of a vector, at most. The widest models in use have 12,288."""

WRONG_LENGTH = "wrong length"
NOT_A_NUMBER = "not a number"
EMPTY_LINE = "empty line"
CUT_OFF = "cut off by the end of the file"

Vectors = NDArray[np.float32]
Numbers = NDArray[np.float32] | NDArray[np.float64]


class Limits(NamedTuple):
    """What a file may hold at most: bytes, unpacked, and rows."""

    bytes: int
    rows: int


class Source(NamedTuple):
    """An embedding in a file: its name, how to open the file, and where in it to look."""

    name: str
    open: Callable[[], BinaryIO]
    """Opens the file as it lies there, packed or not; it can be rewound."""
    member: str | None = None
    """The file inside, where it is a zip with several."""
    words: Source | None = None
    """The words of an array."""


class Rows(NamedTuple):
    """Some rows: their line numbers (n,) from 1, words as bytes, and numbers (n, d)."""

    lines: NDArray[np.int64]
    words: Sequence[bytes]
    vectors: Numbers
    """As precise as the file: float64 from text and from wide arrays, otherwise float32."""


@dataclass
class Fault:
    """How often something was wrong, and the first lines where it was."""

    count: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, line: int) -> None:
        """One more."""
        self.count += 1
        if len(self.lines) < _FIRST_LINES:
            self.lines.append(line)


@dataclass
class Findings:
    """What a reader learns of a file beside its rows, complete once the rows are read."""

    format: str = ""
    dimensions: int = 0
    header: str = "none"
    rows: int = 0
    dropped: dict[str, Fault] = field(default_factory=dict)
    """Rows that no vector could be read from."""

    def drop(self, reason: str, line: int) -> None:
        """A row that is left out."""
        self.dropped.setdefault(reason, Fault()).add(line)


Progress = Callable[[int, int], None]
"""Called with the bytes of the file that were read, and of how many; an exception ends the work."""


def header_against_content(said: tuple[int, int], words: int, dimensions: int) -> str:
    """Whether a header's words and dimensions are those of the file."""
    if said == (words, dimensions):
        return "right"
    return (
        f"wrong: it says {said[0]:,} words of {said[1]:,} numbers, the file holds {words:,} of "
        f"{dimensions:,}"
    )


def checked_dimensions(dimensions: int, where: str) -> int:
    """d, if it is one that can be read; otherwise a ValueError that begins with `where`."""
    if not 1 <= dimensions <= MOST_DIMENSIONS:
        raise ValueError(
            f"{where} {dimensions:,} numbers a word; it must be 1 to {MOST_DIMENSIONS:,}."
        )
    return dimensions
