"""A visitor's file as tables on screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from release.survived import Word
from release.tables import ABSENT, Row

# A browser shows some columns of a wide table well, and none of ten thousand.
MOST_COLUMNS = 30
_LONGEST = 300


def first_rows(columns: Sequence[str], rows: Sequence[Row]) -> pd.DataFrame:
    """The first rows, cells cut short."""
    cells = [[_short(cell) for cell in row[:MOST_COLUMNS]] for row in rows]
    return pd.DataFrame(cells, columns=list(columns[:MOST_COLUMNS]))


def survey(columns: Sequence[str], shown: Mapping[str, tuple[int, Sequence[str]]]) -> pd.DataFrame:
    """The first, the last and the longest row, each with its number."""
    cells = [
        [f"{which}, {number:,}", *row[:MOST_COLUMNS]] for which, (number, row) in shown.items()
    ]
    return pd.DataFrame(cells, columns=["Row", *(f"{name} " for name in columns[:MOST_COLUMNS])])


def plan(rows: Sequence[tuple[str, int, str]]) -> pd.DataFrame:
    """Kinds of tokens, their number, and what will happen to them."""
    table = pd.DataFrame(rows, columns=["what", "how many", "what will happen"])
    table["how many"] = [f"{count:,}" for _, count, _ in rows]
    return table.set_index("what")


def survived(words: Sequence[Word]) -> pd.DataFrame:
    """Unchanged words, with how often and in how many texts."""
    return pd.DataFrame(
        {
            "word": [one.word for one in words],
            "name-like": ["yes" if one.name_like else "" for one in words],
            "unchanged": [one.times for one in words],
            "of": [one.of for one in words],
            "texts": [one.texts for one in words],
            "first row": [one.rows[0] for one in words],
        }
    )


def _short(cell: object) -> str:
    if cell is None or cell is ABSENT:
        return ""
    text = str(cell)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
