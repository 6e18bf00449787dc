"""Words and their statistics as tables."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from measures.papers.cmp_claim import Finding
from measures.words import deniability
from measures.words.deniability import Support
from mechanisms import Mechanism, Vocabulary
from mechanisms.answers import Curves
from mechanisms.vocabulary import WordIds
from pages.shared import downloads
from pages.shared import tables as shared_tables
from release.grammar import all_of


def show_words(
    known: Curves,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    mechanism: Mechanism,
    support: Support,
) -> None:
    """All words at the ε of the slider, the least deniable first, and a download."""

    def table() -> pd.DataFrame:
        found = deniability.at_epsilon(known, mechanism.epsilon)
        sizes = deniability.support_size(found, support, known.draws)
        return pd.DataFrame(
            {
                "word": [vocabulary.words[i] for i in word_ids[: len(known.unchanged)]],
                **shared_tables.columns("N_w", found.unchanged),
                **shared_tables.columns("S_w", sizes),
            }
        ).sort_values("N_w", ascending=False)

    panel = st.expander(
        f"{all_of(len(known.unchanged), 'word')} at ε = {mechanism.epsilon:g}",
        key="words-panel",
        on_change="rerun",
    )
    if panel.open:  # closed, it is not made
        panel.dataframe(table(), hide_index=True, width="stretch")
    downloads.download("⬇️ Words (CSV)", table, "deniability.csv")


def claim(findings: list[Finding]) -> pd.DataFrame:
    """The words that break the CMP paper's claim."""
    return pd.DataFrame(
        [(f.sample, *row) for f in findings for row in f.breaking],
        columns=["sample", "word", "different words in 1,000 runs", "returns in 1,000 runs"],
    )
