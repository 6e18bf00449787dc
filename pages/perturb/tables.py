"""What the page Private sentences shows as tables."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import streamlit as st

from measures.words.dissolution import Dissolution
from measures.words.outputs import Replacements
from mechanisms import Mechanism, Vocabulary
from mechanisms.text import PrivateText
from mechanisms.tokens import Token
from pages.shared.prose import escaped


def versions(private: PrivateText, mechanism: Mechanism | None) -> pd.DataFrame:
    """The private versions, one a row, with the mechanism that drew them, unless it is hidden.

    They leave: no count of the text as typed is among them.
    """
    return pd.DataFrame(
        {
            "version": range(1, len(private.texts) + 1),
            "private text": private.texts,
            "mechanism": repr(mechanism) if mechanism else "hidden",
        }
    )


def replacements(result: Replacements, vocabulary: Vocabulary) -> pa.Table:
    """What a word becomes, likeliest first: in the form that Streamlit sends it in."""
    columns = {
        "comes out as": [vocabulary.words[i] for i in result.word_ids],
        "probability": result.probability.value,
        "distance": result.distances,
    }
    if not result.probability.source.is_exact:
        columns |= {"at least": result.probability.low, "at most": result.probability.high}
    return pa.table(columns)


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


def dissolve_labels(
    result: Dissolution, drawn: list[Token], vocabulary: Vocabulary
) -> tuple[list[str], list[str]]:
    """The typed words (n,) and the released ones (s,), as text that a figure shows as it is."""
    typed = [escaped(token.text) for token in drawn[: len(result.word_ids)]]
    return typed, [escaped(vocabulary.words[i]) for i in result.released]
