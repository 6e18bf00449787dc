"""Audits as tables: rows, checks, and what was printed beside what is so."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from measures.audits.audit import Audit
from measures.audits.findings import Pairs, titled
from measures.papers import published_against_exact
from mechanisms import Vocabulary
from pages.shared.prose import escaped


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
            "draws": [result.mechanism.draws.kind for result in results],
            "conditions": ["; ".join(result.guarantee.conditions) for result in results],
            "witness": [result.witness for result in results],
        }
    )


def audit_columns() -> dict[str, object]:
    """How the columns of `audits` are shown."""
    return {
        "mechanism": st.column_config.TextColumn(width=240, pinned=True),
        "found": st.column_config.TextColumn(width=110),
        "promise": st.column_config.TextColumn(width=110),
        "tested at ε": st.column_config.NumberColumn(format="%g", width=90),
        "witness": st.column_config.TextColumn(width="large"),
    }


def checks(result: Audit) -> pd.DataFrame:
    """What an audit looked at, and what it found, one row a check."""
    return pd.DataFrame(
        {
            "check": [check.name for check in result.checks],
            "found": [check.fault or "no fault" for check in result.checks],
            "extent": [check.extent for check in result.checks],
        }
    )


def check_columns() -> dict[str, object]:
    """How the columns of `checks` are shown."""
    return {
        "check": st.column_config.TextColumn(width=220, pinned=True),
        "found": st.column_config.TextColumn(width="medium"),
        "extent": st.column_config.TextColumn(width="large"),
    }


def pair_labels(pairs: Pairs, vocabulary: Vocabulary) -> list[str]:
    """The two words of each pair, as text that a figure shows as it is."""
    words = [*map(escaped, vocabulary.words), "(the unknown word)"]
    return [f"{words[a]} / {words[b]}" for a, b in zip(pairs.a, pairs.b, strict=True)]


def recomputed() -> pd.DataFrame:
    """The benchmark's N_w and S_w as printed and as computed, one row a mechanism and ε."""
    _, rows = published_against_exact.shipped()
    numbers = pd.DataFrame(rows).replace("", None)

    def of_25_words(statistic: str) -> list[str]:
        low, high = numbers[f"{statistic}_25_low"], numbers[f"{statistic}_25_high"]
        return [f"{float(a):.1f} to {float(b):.1f}" for a, b in zip(low, high, strict=True)]

    return pd.DataFrame(
        {
            "mechanism": numbers["mechanism"],
            "variant": numbers["variant"],
            "ε": numbers["epsilon"].astype(float),
            "N_w printed": numbers["printed_n_w"].astype(float),
            "N_w computed": numbers["n_w"].astype(float),
            "N_w of 25 words": of_25_words("n_w"),
            "S_w printed": numbers["printed_s_w"].astype(float),
            "S_w computed": numbers["s_w"].astype(float),
            "S_w of 25 words": of_25_words("s_w"),
            "what explains it": numbers["explanation"],
        }
    )


def recomputed_columns() -> dict[str, object]:
    """How the columns of `recomputed` are shown."""
    number = st.column_config.NumberColumn(format="%.1f")
    columns: dict[str, object] = {
        f"{statistic} {which}": number
        for statistic in ("N_w", "S_w")
        for which in ("printed", "computed")
    }
    return {
        **columns,
        "mechanism": st.column_config.TextColumn(pinned=True),
        "ε": st.column_config.NumberColumn(format="%g"),
        "what explains it": st.column_config.TextColumn(width="large"),
    }
