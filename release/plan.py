"""The counts before a run: the tokens of a file by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import reduce

import numpy as np

from mechanisms import Mechanism, Vocabulary
from mechanisms.cleaning import Html, cleaned, split_at_markup
from mechanisms.text import Unknown
from mechanisms.tokens import Kind, Token, tokenise
from release.pieces import Texts


@dataclass(frozen=True)
class Plan:
    """Numbers of tokens of each kind. Plans of two pieces can be added."""

    rows: int = 0
    texts: int = 0
    empty: int = 0
    known: int = 0
    """Words and numbers that the mechanism draws."""
    unknown_words: int = 0
    unknown_numbers: int = 0
    signs: int = 0
    capitals: int = 0
    """Words that begin with a capital letter: names, and the first words of sentences."""
    unknown_capitals: int = 0
    longest: int = 0
    """Known words in the row with most of them."""
    longest_with_unknown: int = 0
    """Known and unknown words in the row with most of them."""
    noticed: Counter[str] = field(default_factory=Counter)
    """Other finds: invisible characters, tags and entities of HTML."""
    words: Counter[int] = field(default_factory=Counter)
    """How often each word is drawn, by its id; unknown ones left out."""

    def __add__(self, other: Plan) -> Plan:
        """Both together."""
        sums = {f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        for name in ("longest", "longest_with_unknown"):
            sums[name] = max(getattr(self, name), getattr(other, name))
        return Plan(**sums)

    @property
    def tokens(self) -> int:
        """Words, numbers and signs."""
        return self.known + self.unknown + self.signs

    @property
    def unknown(self) -> int:
        """Words and numbers that the vocabulary, or the mechanism, lacks."""
        return self.unknown_words + self.unknown_numbers

    def drawn(self, unknown: Unknown) -> tuple[int, int]:
        """Words that are drawn in the file, and in its longest row: unknown ones at random too."""
        if unknown == "random":
            return self.known + self.unknown, self.longest_with_unknown
        return self.known, self.longest


def plan(piece: Texts, mechanism: Mechanism, vocabulary: Vocabulary, html: Html = "decode") -> Plan:
    """The counts of a piece's texts. A stretch between spaces is looked at once."""
    noticed = Counter[str]()
    rows: list[list[str]] = []
    for row in piece:
        found = [cleaned(text, html) for text in row]
        for one in found:
            noticed.update(one.noticed)
        rows.append([stretch for one in found for stretch in _stretches(one.text)])
    occurrences = Counter(stretch for row in rows for stretch in row)
    tokens = {stretch: list(tokenise(stretch, vocabulary)) for stretch in occurrences}
    ids = {t.word_id for found in tokens.values() for t in found if t.word_id is not None}
    known = np.array(sorted(ids), dtype=np.int64)
    covered = set(known[mechanism.covers(vocabulary, known)].tolist())
    total, drawn, words = [0] * 6, {}, Counter[int]()
    for stretch, times in occurrences.items():
        counts = _counted(tokens[stretch], covered)
        drawn[stretch] = counts[0], counts[0] + counts[1] + counts[2]
        for token in tokens[stretch]:
            if token.word_id in covered:
                words[token.word_id] += times
        total = [before + times * count for before, count in zip(total, counts, strict=True)]
    longest, with_unknown = (
        max(
            (sum(drawn[stretch][i] for stretch in row) for row in rows),
            default=0,
        )
        for i in range(2)
    )
    cells = sum(map(len, piece))
    texts = sum(bool(text) for row in piece for text in row)
    return Plan(len(piece), texts, cells - texts, *total, longest, with_unknown, noticed, words)


def together(plans: Iterable[Plan]) -> Plan:
    """The plan of a whole file."""
    return reduce(Plan.__add__, plans, Plan())


def _stretches(text: str) -> Iterator[str]:
    """A text between its spaces; a tag, which may hold spaces, in one piece."""
    for part, is_markup in split_at_markup(text):
        yield from [part] if is_markup else part.split()


def _counted(tokens: list[Token], covered: set[int]) -> list[int]:
    """known, unknown words, unknown numbers, signs, capitals, unknown capitals."""
    counts = [0] * 6
    for token in tokens:
        if token.kind is Kind.SPACE:  # one that ends no stretch
            continue
        drawn = token.word_id in covered
        capital = token.kind is Kind.WORD and token.text[:1].isupper()
        which = 3 if token.kind is Kind.SIGN else 0 if drawn else 2
        if which == 2 and token.kind is Kind.WORD:
            which = 1
        counts[which] += 1
        counts[4] += capital
        counts[5] += capital and not drawn
    return counts
