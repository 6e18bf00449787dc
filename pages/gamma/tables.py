"""TEM's balls as tables."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from measures.words.ball import Balls
from mechanisms import Vocabulary


def balls(found: Balls, bound: float, vocabulary: Vocabulary) -> pd.DataFrame:
    """One row a word: its ball, how often it is left, and how much of the bound that is."""
    table = pd.DataFrame(
        {
            "word": [vocabulary.words[i] for i in found.word_ids],
            "words in the ball": found.inside,
            "leaves the ball": found.leaving,
            "share of the bound": found.leaving / bound if bound else found.leaving,
            "unchanged": found.unchanged,
        }
    )
    return table.sort_values("leaves the ball", ascending=False, kind="stable")


def ball_columns() -> dict[str, object]:
    """How the columns of `balls` are shown."""
    return {
        "word": st.column_config.TextColumn(pinned=True, width=110),
        "words in the ball": st.column_config.NumberColumn("in ball", format="localized"),
        "leaves the ball": st.column_config.NumberColumn("leaves", format="%.4g"),
        "share of the bound": st.column_config.NumberColumn("of bound", format="percent"),
        "unchanged": st.column_config.NumberColumn("unchanged", format="percent"),
    }
