"""Finished objects to tables: on screen, and to download.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, as spreadsheets
themselves do to keep text as text.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from measures.audit import Audit, Pairs, titled
from measures.deniability import Replacements
from mechanisms import Mechanism, Vocabulary
from mechanisms.text import PrivateText
from pages.shared.prose import escaped

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def versions_csv(private: PrivateText, mechanism: Mechanism) -> bytes:
    """The private versions, one a row, with the mechanism that drew them; UTF-8 with a mark."""
    table = pd.DataFrame(
        {
            "version": range(1, len(private.texts) + 1),
            "private text": [as_text_cell(text) for text in private.texts],
            "mechanism": repr(mechanism),
            "unprotected tokens": private.unprotected_count,
            "tokens": private.token_count,
        }
    )
    return table.to_csv(index=False).encode("utf-8-sig")


def as_text_cell(text: str) -> str:
    """A cell that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def known_words(private: PrivateText) -> dict[str, int]:
    """The words of a text that the mechanism draws, in order, with their ids."""
    words = private.vocabulary.words
    return {words[t.word_id]: t.word_id for t in private.tokens if t.word_id is not None}


def replacements(result: Replacements, vocabulary: Vocabulary) -> pd.DataFrame:
    """What a word becomes, likeliest first."""
    table = pd.DataFrame(
        {
            "comes out as": [vocabulary.words[i] for i in result.word_ids],
            "probability": result.probability.value,
            "distance": result.distances,
        }
    )
    if result.probability.draws is not None:
        table["at least"] = result.probability.low
        table["at most"] = result.probability.high
    return table


def replacement_columns(result: Replacements) -> dict[str, object]:
    """How the columns of `replacements` are shown."""
    largest = float(result.probability.value.max())
    probability = st.column_config.NumberColumn(format="percent")
    return {
        "probability": st.column_config.ProgressColumn(
            format="percent", min_value=0.0, max_value=largest
        ),
        "distance": st.column_config.NumberColumn(format="%.2f"),
        "at least": probability,
        "at most": probability,
    }


def csv(table: pd.DataFrame) -> bytes:
    """Any table for a spreadsheet: UTF-8 with a mark, no cell that runs as a formula."""
    safe = table.map(lambda cell: as_text_cell(cell) if isinstance(cell, str) else cell)
    return safe.to_csv(index=False).encode("utf-8-sig")


def audits(results: list[Audit]) -> pd.DataFrame:
    """One row a mechanism and variant: what it promises, and what was found."""
    signs = {"holds": "✅ holds", "broken": "❌ broken", "not proven": "❔ not proven"}
    return pd.DataFrame(
        {
            "mechanism": [titled(result.mechanism) for result in results],
            "found": [signs.get(result.verdict, "🚫 refused") for result in results],
            "promise": [result.guarantee.notion for result in results],
            "tested at ε": [result.mechanism.epsilon for result in results],
            "distance": [result.guarantee.distance.name for result in results],
            "conditions": ["; ".join(result.guarantee.conditions) for result in results],
            "witness": [result.witness for result in results],
        }
    )


def audit_columns() -> dict[str, object]:
    """How the columns of `audits` are shown."""
    return {
        "mechanism": st.column_config.TextColumn(width="medium", pinned=True),
        "tested at ε": st.column_config.NumberColumn(format="%g", width="small"),
        "witness": st.column_config.TextColumn(width="large"),
    }


def pair_labels(pairs: Pairs, vocabulary: Vocabulary) -> list[str]:
    """The two words of each pair, as text that a figure shows as it stands."""
    words = vocabulary.words
    return [
        f"{escaped(words[a])} / {escaped(words[b])}" for a, b in zip(pairs.a, pairs.b, strict=True)
    ]
