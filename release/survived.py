"""The words that a draw left unchanged, names first, then the rarest.

    found = survived(private texts, names)        of one piece of a file
    found.ranking(names)                          words, with how often and in which texts

A word survives at a place if the mechanism drew the same word, or if it was released as typed. A
reader of the private file cannot see this; the person who has the source sees what a release of
this draw would still show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from mechanisms.file_texts import PrivateTexts
from mechanisms.text import PrivateText, Status
from mechanisms.tokens import Kind
from release.names import Names

_AS_TYPED = (Status.UNCHANGED, Status.UNPROTECTED)

# Texts that are remembered for each word.
MOST_TEXTS = 200


class Word(NamedTuple):
    """An unchanged word."""

    word: str
    name_like: bool
    times: int
    """How often it is unchanged."""
    of: int
    """How often it occurs in the texts."""
    texts: int
    """In how many texts it is unchanged."""
    rows: tuple[int, ...]
    """The first of them, by their rows; from 1."""


@dataclass
class Survived:
    """Counts of some rows; those of two pieces can be added."""

    drawn: int = 0
    """Known words, each drawn."""
    unchanged: int = 0
    kept: int = 0
    """Unknown words and numbers that are in the private texts, released as typed."""
    with_name: int = 0
    """Texts with a name-like word."""
    still_with_name: int = 0
    """Texts of which a name-like word is unchanged."""
    texts: int = 0
    times: Counter[str] = field(default_factory=Counter)
    """How often each word is unchanged."""
    occurrences: Counter[str] = field(default_factory=Counter)
    """How often each word occurs in the texts."""
    texts_of: Counter[str] = field(default_factory=Counter)
    rows_of: dict[str, list[int]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    """The name-like words that are unchanged at least once."""

    def __iadd__(self, other: Survived) -> Survived:
        """Both together."""
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("times", "occurrences", "texts_of"):
            getattr(self, name).update(getattr(other, name))
        for word, rows in other.rows_of.items():
            mine = self.rows_of.setdefault(word, [])
            mine += rows[: MOST_TEXTS - len(mine)]
        self.names |= other.names
        return self

    def add(self, private: PrivateText, names: Names, row: int) -> None:
        """Count one text, first version, of this row."""
        named = still = False
        here = set()
        self.texts += 1
        for token, piece in zip(private.tokens, private.versions[0], strict=True):
            if token.kind not in (Kind.WORD, Kind.NUMBER):
                continue
            word = token.text.lower()
            self.occurrences[word] += 1
            is_name = token.text in names
            named |= is_name
            self.drawn += piece.status in (Status.CHANGED, Status.UNCHANGED)
            self.unchanged += piece.status is Status.UNCHANGED
            # A word without a law is drawn as the unknown word, and can come out unchanged.
            if piece.status not in _AS_TYPED and piece.text.strip().lower() != word:
                continue
            self.kept += piece.status is not Status.UNCHANGED
            self.times[word] += 1
            here.add(word)
            if is_name:
                still = True
                self.names.add(word)
        self.with_name += named
        self.still_with_name += still
        for word in here:
            self.texts_of[word] += 1
            rows = self.rows_of.setdefault(word, [])
            if len(rows) < MOST_TEXTS:
                rows.append(row)

    def ranking(self, most: int | None = None) -> list[Word]:
        """The unchanged words: names first, then by how rare they are in the texts."""
        order = sorted(
            self.times, key=lambda w: (w not in self.names, self.occurrences[w], -self.times[w], w)
        )
        return [
            Word(
                word,
                word in self.names,
                self.times[word],
                self.occurrences[word],
                self.texts_of[word],
                tuple(self.rows_of[word]),
            )
            for word in order[:most]
        ]

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it; as private as the texts."""
        return {
            **{name: getattr(self, name) for name in _NUMBERS},
            "times": dict(self.times),
            "occurrences": dict(self.occurrences),
            "texts_of": dict(self.texts_of),
            "rows_of": self.rows_of,
            "names": sorted(self.names),
        }

    @classmethod
    def from_json(cls, facts: dict[str, Any]) -> Survived:
        """The counts that `as_json` wrote."""
        return cls(
            **{name: facts[name] for name in _NUMBERS},
            times=Counter(facts["times"]),
            occurrences=Counter(facts["occurrences"]),
            texts_of=Counter(facts["texts_of"]),
            rows_of={word: list(rows) for word, rows in facts["rows_of"].items()},
            names=set(facts["names"]),
        )


def of_piece(done: PrivateTexts, names: Names, rows: Sequence[int]) -> Survived:
    """The unchanged words of a piece; `rows` has the row of each text."""
    typed, unchanged, text = done.words.typed, done.words.unchanged, done.words.text
    if not len(typed):
        return Survived(texts=len(rows))
    spelled, spelling = np.unique(typed.astype(str), return_inverse=True)
    words, of_spelling = np.unique([word.lower() for word in spelled], return_inverse=True)
    word = of_spelling[spelling]
    is_name = np.array([str(each) in names for each in spelled])[spelling]
    pairs = np.unique(text[unchanged] * len(words) + word[unchanged])
    in_text, of_word = np.divmod(pairs, len(words))
    rows_of: dict[str, list[int]] = {}
    for one, number in zip(of_word.tolist(), in_text.tolist(), strict=True):
        numbers = rows_of.setdefault(str(words[one]), [])
        if len(numbers) < MOST_TEXTS:
            numbers.append(rows[number])
    return Survived(
        drawn=done.statuses[Status.CHANGED] + done.statuses[Status.UNCHANGED],
        unchanged=done.statuses[Status.UNCHANGED],
        kept=int(unchanged.sum()) - done.statuses[Status.UNCHANGED],
        with_name=len(np.unique(text[is_name])),
        still_with_name=len(np.unique(text[is_name & unchanged])),
        texts=len(rows),
        times=_counted(words, word[unchanged]),
        occurrences=_counted(words, word),
        texts_of=_counted(words, of_word),
        rows_of=rows_of,
        names={str(words[one]) for one in np.unique(word[is_name & unchanged])},
    )


def _counted(words: Any, places: Any) -> Counter[str]:
    counts = np.bincount(places, minlength=len(words))
    return Counter({str(words[i]): int(counts[i]) for i in np.flatnonzero(counts)})


_NUMBERS = ("drawn", "unchanged", "kept", "with_name", "still_with_name", "texts")


def survived(
    private: Iterable[PrivateText], names: Names, rows: Sequence[int] | None = None
) -> Survived:
    """The unchanged words of some texts; `rows` has the row of each, by default its number."""
    out = Survived()
    for number, one in enumerate(private):
        out.add(one, names, number + 1 if rows is None else rows[number])
    return out
