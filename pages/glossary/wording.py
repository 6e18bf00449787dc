"""The words of the Glossary page."""

from __future__ import annotations

from collections.abc import Iterable

from data.glossary import Term
from pages.shared.prose import plain

INTRODUCTION = (
    "Each term is explained twice: first as a school student would say it, then, *in italics*, as "
    "a researcher would. The link of a paper opens its publisher's site."
)

SEARCH_HELP = "A word, part of a word, or a sign, such as noise, N_w or ε."


def matching(terms: Iterable[Term], wanted: str) -> list[Term]:
    """Terms that contain a text in their title or sentences; all of them for an empty text."""
    sought = wanted.strip().casefold()
    return [
        term
        for term in terms
        if sought in f"{term.title} {term.school} {term.researcher}".casefold()
    ]


def by_part(terms: Iterable[Term]) -> dict[str, list[Term]]:
    """Terms by the part of the glossary they belong to, in order."""
    parts: dict[str, list[Term]] = {}
    for term in terms:
        parts.setdefault(term.part, []).append(term)
    return parts


def nothing(wanted: str) -> str:
    """A search without a result."""
    return f"No entry contains **{plain(wanted[:40])}**. Empty the box to see all entries."
