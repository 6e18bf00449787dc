"""Numbers with their nouns, and names in a row: `1 word`, `2,000 words`, `A, B and C`."""

from __future__ import annotations

from collections.abc import Sequence

_VOWELS = "aeiou"


def counted(count: int, noun: str) -> str:
    """A number and its noun."""
    return f"{count:,} {nouns(count, noun)}"


def all_of(count: int, noun: str) -> str:
    """All of a few things: `All 2 words`, `The 1 word`."""
    return f"{'The' if count == 1 else 'All'} {counted(count, noun)}"


def between(low: int, high: int, noun: str) -> str:
    """A range and its noun: `2 to 30 words`, `1 word` if both ends are one."""
    return counted(high, noun) if low == high else f"{low:,} to {counted(high, noun)}"


def nouns(count: int, noun: str) -> str:
    """The noun as its number asks for."""
    if count == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def verb(count: int, one: str, more: str) -> str:
    """The verb as its number asks for: `is` or `are`."""
    return one if count == 1 else more


def enumerated(names: Sequence[str], last: str = "and") -> str:
    """Names as a sentence lists them: `A`, `A and B`, `A, B and C`; `last` may be `or`."""
    *before, end = names
    return f"{', '.join(before)} {last} {end}" if before else end
