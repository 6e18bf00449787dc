"""Given names of the United States: the 1990 Census' lists of male and female first names.

`given_names()` is the set of all 5,163 in small letters. A name can be a word too (`mark`, `will`),
so membership says that a word can be a name, not that it is one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("given_names.txt")


@cache
def given_names() -> frozenset[str]:
    """The names, in small letters."""
    return frozenset(TABLE.read_text(encoding="utf-8").split())
