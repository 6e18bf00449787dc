"""Words and their statistics as tables."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from measures.papers.cmp_claim import RUNS, Finding
from pages.deniability.results import Computed
from pages.shared import downloads
from pages.shared import tables as shared_tables
from pages.shared.panels import panel
from release.grammar import all_of


def show_words(computed: Computed) -> None:
    """All words at the ε of the slider, the least deniable first, and a download."""

    def table() -> pd.DataFrame:
        found = computed.now
        return pd.DataFrame(
            {
                "word": computed.words,
                **shared_tables.columns("N_w", found.unchanged),
                **shared_tables.columns("S_w", computed.support_size(found)),
            }
        ).sort_values("N_w", ascending=False)

    panel(
        f"{all_of(len(computed.words), 'word')} at ε = {computed.epsilon:g}",
        "words-panel",
        lambda: st.dataframe(table(), hide_index=True, width="stretch"),
    )
    downloads.download("⬇️ Words (CSV)", table, "deniability.csv")


def claim(findings: list[Finding]) -> pd.DataFrame:
    """The words that break the CMP paper's claim."""
    return pd.DataFrame(
        [(f.sample, *row) for f in findings for row in f.breaking],
        columns=[
            "sample",
            "word",
            f"different words expected in {RUNS:,} runs",
            f"unchanged runs expected in {RUNS:,}",
        ],
    )
