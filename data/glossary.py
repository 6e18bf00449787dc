"""The words of WordVeil and the papers behind them: one entry a term, one a paper.

`glossary.toml` explains each term in a sentence for a school student and in one for a researcher,
and names its papers by key; `bibliography.toml` holds the papers. A mechanism's entry has the name
of its class: its school sentence is the card of the mechanism on every page.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent

# An entry of this part explains a mechanism, under the name of its class.
MECHANISMS = "Mechanisms"


@dataclass(frozen=True)
class Term:
    """A term and its two explanations."""

    key: str
    name: str
    symbol: str
    """The sign or abbreviation on screen; empty if the name is all there is."""
    part: str
    """The part of the glossary it belongs to."""
    school: str
    researcher: str
    papers: tuple[str, ...]

    @property
    def title(self) -> str:
        """The symbol and the name: `N_w, chance to stay`."""
        return f"{self.symbol}, {self.name}" if self.symbol else self.name

    @property
    def short(self) -> str:
        """The symbol if there is one, otherwise the name."""
        return self.symbol or self.name


@dataclass(frozen=True)
class Paper:
    """A paper that WordVeil names."""

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    address: str
    """Of the DOI, or of the paper itself if it has none."""

    @property
    def cited(self) -> str:
        """The citation in a sentence: `Huang et al. 2024`, `Balle and Wang 2018`."""
        surnames = [author.split()[-1] for author in self.authors]
        if len(surnames) > 2:
            return f"{surnames[0]} et al. {self.year}"
        return f"{' and '.join(surnames)} {self.year}"


@cache
def terms() -> dict[str, Term]:
    """All terms by key, in the order of the glossary."""
    return {
        key: Term(
            key,
            entry["name"],
            entry.get("symbol", ""),
            entry["part"],
            entry["school"],
            entry["researcher"],
            tuple(entry["papers"]),
        )
        for key, entry in _read("glossary.toml").items()
    }


@cache
def papers() -> dict[str, Paper]:
    """All papers by key."""
    return {
        key: Paper(
            key,
            tuple(entry["authors"]),
            entry["title"],
            entry["venue"],
            entry["year"],
            f"https://doi.org/{entry['doi']}" if "doi" in entry else entry["url"],
        )
        for key, entry in _read("bibliography.toml").items()
    }


def mechanism(name: str) -> Term | None:
    """The entry of a mechanism by the name of its class; None if the glossary lacks it."""
    found = (t for t in terms().values() if t.part == MECHANISMS and t.name == name)
    return next(found, None)


def symbol(sign: str) -> Term | None:
    """The entry of a sign on screen, such as γ; None if the glossary lacks it."""
    found = (t for t in terms().values() if t.short == sign)
    return next(found, None)


def cited(keys: Iterable[str]) -> list[Paper]:
    """Papers by their keys, each once, by author and year; KeyError for an unknown key."""
    return [papers()[key] for key in sorted(set(keys))]


def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))
