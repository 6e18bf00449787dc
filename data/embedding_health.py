"""The health of an embedding: what was read, what was left out and why, what its geometry is like.

A row is left out if its word is empty, cannot be decoded, has a control character or was there
before, and if its vector is not finite or too long to search with. Equal vectors of different words
are lawful (a mechanism cannot tell such words apart, and need not); they are counted and kept.

Vectors that lie together, far from the origin, have few digits left for what is between them: a
float32 near 1,000 is a multiple of 0.00006. If the mean of the first block is 32 times as long as
the vectors are from it on average (in squares, 1,000 times), it is subtracted from every vector
before float32 is taken. Distances between words do not change.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from data.embedding_source import Fault, Findings, Numbers, Rows, Vectors
from mechanisms import Vocabulary
from mechanisms.tokens import Kind, tokenise
from mechanisms.vocabulary import LONGEST_SQUARED

EMPTY = "empty word"
UNDECODABLE = "bytes that are no UTF-8"
NAN = "NaN"
INFINITE = "infinite or too large"
REPEATED = "repeated word"
CONTROL = "control character in the word"

SAME_VECTOR = "same vector as an earlier word"
WITH_SPACE = "word with a space inside"
ZERO = "vector of zeros"

# How other tools mark a word's place in a text, or its language.
CONVENTIONS = {
    "with a capital letter": regex.compile(r"(?!^Ġ)\p{Lu}"),
    "beginning with ## (inside a word, BERT)": regex.compile(r"^##."),
    "beginning with ▁ (a word begins, SentencePiece)": regex.compile(r"^▁."),
    "beginning with Ġ (a word begins, GPT)": regex.compile(r"^Ġ."),
    "beginning with /c/ (language first, ConceptNet)": regex.compile(r"^/c/\w+/"),
    "ending in </w> (a word ends)": regex.compile(r".</w>$"),
    "with _ inside (phrases, word2vec)": regex.compile(r"\w_\w"),
}
DECOMPOSED = "not in composed form (NFC): never found in a text"

LEVELS = (0.0, 0.05, 0.5, 0.95, 1.0)
"""Quantiles of the norms."""

# Control characters and line separators: never in a word of a text, and they break what is written.
_CONTROL = regex.compile(r"[\p{Cc}\p{Zl}\p{Zp}]")

# The square of a common offset over the mean square of what is left without it.
_OFFSET = 1_000.0

# Words whose closest pair is sought: exact, and a second or two in the worst case.
COMPARED = 10_000


@dataclass(frozen=True)
class Health:
    """The report. Line numbers count from 1; of a binary file and an array they are rows."""

    format: str
    header: str
    dimensions: int
    rows: int
    words: int
    dropped: Mapping[str, Fault]
    noticed: Mapping[str, Fault]
    """What is kept and worth knowing."""
    conventions: Mapping[str, int]
    """How many words are written how."""
    norms: tuple[float, ...]
    """At `LEVELS`."""
    closest: tuple[float, str, str] | None
    """The smallest distance between different vectors, among the first `compared` words."""
    compared: int
    offset: float
    """The length of the common offset that was subtracted from every vector; 0 if there is none."""

    def as_json(self) -> dict[str, Any]:
        """As `json` can write it."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Health:
        """What `as_json` gave, after a way through JSON."""
        faults = {
            key: {reason: Fault(**fault) for reason, fault in record[key].items()}
            for key in ("dropped", "noticed")
        }
        lists = {
            key: None if record[key] is None else tuple(record[key]) for key in ("norms", "closest")
        }
        return cls(**{**record, **faults, **lists})


@dataclass
class Examination:
    """Looks at blocks of rows, one after the other, and says which to keep."""

    findings: Findings
    words: list[str] = field(default_factory=list)
    dropped: dict[str, Fault] = field(default_factory=dict)
    """Rows that were read and cannot be used."""
    noticed: dict[str, Fault] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)
    _vectors: set[bytes] = field(default_factory=set)
    _norms: list[NDArray[np.float32]] = field(default_factory=list)
    _conventions: Counter[str] = field(default_factory=Counter)
    _origin: NDArray[np.float64] | None = None
    _offset: float = 0.0

    def sound(self, rows: Rows) -> Vectors:
        """The vectors of the rows that are kept; their words are added to `words`."""
        near = self._without_offset(rows.vectors)
        squares = _squares(near)
        kept = []
        for i, (line, raw) in enumerate(zip(rows.lines.tolist(), rows.words, strict=True)):
            word, fault = self._word(raw, float(squares[i]))
            if fault:
                self.dropped.setdefault(fault, Fault()).add(line)
                continue
            kept.append(i)
            self.words.append(word)
            self._known.add(word)
            if " " in word:
                self._notice(WITH_SPACE, line)
            for convention, pattern in CONVENTIONS.items():
                if pattern.search(word):
                    self._conventions[convention] += 1
            if not unicodedata.is_normalized("NFC", word):
                self._conventions[DECOMPOSED] += 1
        whole = len(kept) == len(rows.words)
        vectors = near if whole else near[np.array(kept, np.int64)]
        vectors = np.ascontiguousarray(vectors, np.float32) + np.float32(0)  # no -0.0
        for vector, i in zip(vectors, kept, strict=True):
            digest = blake2b(vector, digest_size=16).digest()
            if digest in self._vectors:
                self._notice(SAME_VECTOR, int(rows.lines[i]))
            self._vectors.add(digest)
            if squares[i] == 0:
                self._notice(ZERO, int(rows.lines[i]))
        self._norms.append(np.sqrt(squares[kept]).astype(np.float32))
        return vectors

    def health(self, vectors: Vectors) -> Health:
        """The report, once all rows were seen; `vectors` are all that were kept."""
        found = self.findings
        norms = np.quantile(np.concatenate(self._norms), LEVELS)
        compared = min(len(self.words), COMPARED)
        return Health(
            format=found.format,
            header=found.header,
            dimensions=found.dimensions,
            rows=found.rows,
            words=len(self.words),
            dropped=found.dropped | self.dropped,
            noticed=self.noticed,
            conventions=dict(self._conventions),
            norms=tuple(float(norm) for norm in norms),
            closest=_closest(self.words[:compared], vectors[:compared]),
            compared=compared,
            offset=self._offset,
        )

    def _without_offset(self, numbers: Numbers) -> Vectors:
        """The numbers in float32, without the common offset; the first block decides on it."""
        if self._origin is None:
            self._origin = _common_offset(numbers)
            self._offset = float(np.linalg.norm(self._origin))
        if self._offset:
            numbers = numbers.astype(np.float64) - self._origin
        return _float32(numbers)

    def _word(self, raw: bytes, square: float) -> tuple[str, str | None]:
        """The word, and why its row is left out; None if it is kept."""
        try:
            word = raw.decode("utf-8")
        except UnicodeDecodeError:
            return "", UNDECODABLE
        if not word:
            return word, EMPTY
        if _CONTROL.search(word):
            return word, CONTROL
        if not square < LONGEST_SQUARED:
            return word, NAN if np.isnan(square) else INFINITE
        return word, REPEATED if word in self._known else None

    def _notice(self, what: str, line: int) -> None:
        self.noticed.setdefault(what, Fault()).add(line)


def _float32(numbers: Numbers) -> Vectors:
    with np.errstate(over="ignore"):  # what passes the largest float32 becomes infinite
        return numbers.astype(np.float32, copy=False)


def _squares(vectors: Vectors) -> NDArray[np.float64]:
    squares: NDArray[np.float64] = np.einsum("nd,nd->n", vectors, vectors, dtype=np.float64)
    return squares


def _common_offset(numbers: Numbers) -> NDArray[np.float64]:
    """The mean (d,) of the vectors that can be used, if it is long beside their spread; else 0."""
    usable = numbers[_squares(_float32(numbers)) < LONGEST_SQUARED].astype(np.float64)
    if len(usable) < 2:
        return np.zeros(numbers.shape[1])
    mean = usable.mean(axis=0)
    spread = np.square(usable - mean).sum(axis=1).mean()
    far = 0 < spread * _OFFSET < mean @ mean
    return mean if far else np.zeros(numbers.shape[1])


def _closest(words: list[str], vectors: Vectors) -> tuple[float, str, str] | None:
    """The two closest words of different vectors; None if all are one point."""
    first = Vocabulary(words, vectors).representatives
    different = np.flatnonzero(first == np.arange(len(first)))
    if len(different) < 2:
        return None
    some = Vocabulary([words[i] for i in different], vectors[different])
    distance, a, b = some.closest_pair
    return distance, some.words[a], some.words[b]


class Coverage(NamedTuple):
    """How much of a text a vocabulary knows: words and numbers, counted as often as they occur."""

    tokens: int
    known: int
    unknown: tuple[str, ...]
    """The most frequent unknown ones, at most twenty."""


def coverage(text: str, vocabulary: Vocabulary) -> Coverage:
    """The share of a text's words and numbers that a vocabulary knows, as mechanisms look them up.

    The text stays with the caller: nothing of it is kept.
    """
    asked = [t for t in tokenise(text, vocabulary) if t.kind in (Kind.WORD, Kind.NUMBER)]
    unknown = Counter(token.text for token in asked if token.word_id is None)
    return Coverage(
        len(asked),
        len(asked) - unknown.total(),
        tuple(word for word, _ in unknown.most_common(20)),
    )
