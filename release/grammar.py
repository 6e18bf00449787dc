"""Numbers with their nouns: `1 word`, `2,000 words`, `3 entities`."""

from __future__ import annotations

_VOWELS = "aeiou"


def counted(count: int, noun: str) -> str:
    """A number and its noun."""
    return f"{count:,} {nouns(count, noun)}"


def all_of(count: int, noun: str) -> str:
    """All of a few things: `All 2 words`, `The 1 word`."""
    return f"{'The' if count == 1 else 'All'} {counted(count, noun)}"


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
