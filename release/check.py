"""The check of a file before its release: the contents of its texts and its passing columns.

    how = Reading of the file …
    found = Check()
    for row in rows: found.add(texts of the row, passing cells)
    facts = found.facts(settings, vocabulary, names)

Counted are texts and their lengths, different words, name-like words (`release.names`), numbers,
e-mail addresses, links, telephone and card-like numbers (`release.patterns`), invisible characters
and what remains of HTML; and, of the columns that pass, whether they identify a row: all values
different, dates, e-mail addresses, telephone numbers, names. Everything is a count, and counts of
two pieces can be added; nothing is drawn.

The fate of a stretch follows from its tokens: words and numbers of the vocabulary are drawn, other
ones have the fate that was chosen, signs are released as typed. So the `@` and the points of an
address stay, and show that there was one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import regex

from data.given_names import given_names
from mechanisms import Mechanism, Vocabulary
from mechanisms.cleaning import Html, cleaned
from mechanisms.tokens import Kind, tokenise
from release.cells import as_value, missing
from release.languages import language
from release.names import WORD, Names, Spellings, name_like
from release.patterns import EMAIL, KINDS, TELEPHONE, matches

__all__ = ["Check", "Column", "Found", "name_like"]

_DATE = regex.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[T ].*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?: .*)?"
    r"|\d{4}/\d{1,2}/\d{1,2}(?: .*)?"
)
# A column is one of dates (addresses, …) if so many of its values are.
_MOST = 0.9
# Of names, a smaller share: lists of names are incomplete.
_MOST_NAMES = 0.3
# A share of known words below this is said, whatever the language.
FEW_KNOWN = 0.6
# Different values of a column that are compared; beyond it, it identifies no worse.
_MOST_VALUES = 2_000_000


class Fate(NamedTuple):
    """Numbers of tokens of some stretches, by their fate."""

    drawn: int = 0
    unknown: int = 0
    signs: int = 0


@dataclass
class Found:
    """Stretches of one kind."""

    count: int = 0
    texts: int = 0
    fate: Fate = Fate()

    def __iadd__(self, other: Found) -> Found:
        """Both together."""
        self.count += other.count
        self.texts += other.texts
        self.fate = Fate(*(a + b for a, b in zip(self.fate, other.fate, strict=True)))
        return self


@dataclass
class Column:
    """Values of a passing column."""

    filled: int = 0
    values: set[int] = field(default_factory=set)
    """Hashes of the different values."""
    dates: int = 0
    emails: int = 0
    telephones: int = 0
    names: int = 0

    def add(self, cell: Any) -> None:
        """Count a cell; a missing one identifies nobody."""
        if missing(cell):
            return
        text = as_value(cell).strip()
        self.filled += 1
        if len(self.values) < _MOST_VALUES:
            self.values.add(hash(text))
        if _DATE.fullmatch(text):
            self.dates += 1
            return
        kinds = {match.kind for match in matches(text)} if len(text) < 100 else set()
        self.emails += EMAIL in kinds
        self.telephones += TELEPHONE in kinds
        words = WORD.findall(text)
        self.names += 0 < len(words) <= 4 and any(
            word[0].isupper() and word.lower() in given_names() for word in words
        )

    def __iadd__(self, other: Column) -> Column:
        """Both together."""
        self.values |= other.values
        for name in ("filled", "dates", "emails", "telephones", "names"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def why(self) -> list[str]:
        """The reasons why it identifies rows; none if there is no sign of it."""
        if self.filled < 2:
            return []
        reasons = []
        if len(self.values) == min(self.filled, _MOST_VALUES):
            reasons.append("all values different")
        for what, count, most in (
            ("dates", self.dates, _MOST),
            (EMAIL, self.emails, _MOST),
            (TELEPHONE, self.telephones, _MOST),
            ("names", self.names, _MOST_NAMES),
        ):
            if count >= most * self.filled:
                reasons.append(what)
        return reasons


@dataclass
class Check:
    """Counts of some rows."""

    rows: int = 0
    texts: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    """How many texts have how many words."""
    spellings: Spellings = field(default_factory=Spellings)
    found: dict[str, Found] = field(default_factory=lambda: {kind: Found() for kind in KINDS})
    noticed: Counter[str] = field(default_factory=Counter)
    """Invisible characters, tags and entities."""
    columns: dict[str, Column] = field(default_factory=dict)
    """Columns that pass, by their names."""

    def __iadd__(self, other: Check) -> Check:
        """Both together."""
        self.rows += other.rows
        self.texts += other.texts
        self.lengths.update(other.lengths)
        self.spellings += other.spellings
        self.noticed.update(other.noticed)
        for kind, found in other.found.items():
            self.found[kind] += found
        for name, column in other.columns.items():
            self.columns.setdefault(name, Column()).__iadd__(column)
        return self

    @property
    def distinct(self) -> int:
        """Number of different words, whatever their letter case; of two letters or more."""
        return len(self.spellings.words)

    @property
    def language(self) -> str | None:
        """The language by its commonest words; None if there are too few words to tell."""
        return language(self.spellings.words)

    def length(self) -> tuple[int, int, int]:
        """Words of the shortest, the median and the longest text."""
        if not self.lengths:
            return 0, 0, 0
        ordered = sorted(self.lengths)
        half, seen = self.texts / 2, 0
        for median in ordered:
            seen += self.lengths[median]
            if seen >= half:
                break
        return ordered[0], median, ordered[-1]

    def known_share(self, vocabulary: Vocabulary) -> float | None:
        """The share of words (of two letters or more) that the vocabulary has; None without any."""
        words = self.spellings.words
        total = words.total()
        known = sum(n for word, n in words.items() if vocabulary.get(word) is not None)
        return known / total if total else None

    def identifying(self) -> dict[str, list[str]]:
        """The passing columns that identify rows, each with its reasons."""
        why = {name: column.why() for name, column in self.columns.items()}
        return {name: reasons for name, reasons in why.items() if reasons}


def check(
    texts: Iterable[Sequence[str]],
    passing: Iterable[Mapping[str, Any]],
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    html: Html = "decode",
) -> Check:
    """The check of some rows.

    Parameters
    ----------
    texts
        The texts of each row, '' for missing ones.
    passing
        The other cells of each row, by the names of their columns.

    """
    out, fates = Check(), dict[str, Fate]()
    for row, others in zip(texts, passing, strict=True):
        out.rows += 1
        for name, cell in others.items():
            out.columns.setdefault(name, Column()).add(cell)
        for text in filter(None, row):
            out.texts += 1
            plain, noticed = cleaned(text, html)
            out.noticed.update(noticed)
            out.spellings.add(plain)
            out.lengths[len(WORD.findall(plain))] += 1
            here = dict[str, Found]()
            for kind, stretch in matches(plain):
                if stretch not in fates:
                    fates[stretch] = _fate(stretch, mechanism, vocabulary)
                here.setdefault(kind, Found(0, 1)).__iadd__(Found(1, 0, fates[stretch]))
            for kind, found in here.items():
                out.found[kind] += found
    return out


def warnings(found: Check, vocabulary: Vocabulary) -> list[str]:
    """Sentences on a file that this vocabulary does not fit; none if it does."""
    share, spoken = found.known_share(vocabulary), found.language
    if share is None:
        return ["The texts hold no words: a mechanism has nothing to draw."]
    percent = f"{100 * share:.0f} %"
    if spoken not in (None, "English") and share < _OTHER_LANGUAGE:
        return [
            f"The texts seem to be {spoken}, and the vocabulary has {percent} of their words. "
            "Choose an embedding of that language: with another one, unrelated words come out."
        ]
    if share < FEW_KNOWN:
        return [
            f"The vocabulary has only {percent} of the words; all others are unknown words. Use "
            "more entries of the embedding, or an embedding of this language and subject."
        ]
    return []


# Many words are spelled alike in several languages, so that an English vocabulary has more than
# half of a German text.
_OTHER_LANGUAGE = 0.9


def names_of(found: Check) -> Names:
    """The name-like words of the texts."""
    return found.spellings.names()


def _fate(stretch: str, mechanism: Mechanism, vocabulary: Vocabulary) -> Fate:
    import numpy as np

    tokens = list(tokenise(stretch, vocabulary))
    ids = np.array(sorted({t.word_id for t in tokens if t.word_id is not None}), dtype=np.int64)
    covered = set(ids[mechanism.covers(vocabulary, ids)].tolist()) if len(ids) else set()
    drawn = sum(token.word_id in covered for token in tokens)
    signs = sum(token.kind is Kind.SIGN for token in tokens)
    spaces = sum(token.kind is Kind.SPACE for token in tokens)
    return Fate(drawn, len(tokens) - drawn - signs - spaces, signs)
