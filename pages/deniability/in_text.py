"""N_w of the words of a text, under a mechanism that looks at the words released before."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from measures.own_texts.in_text import unchanged_in_text
from measures.own_texts.texts import own_texts
from measures.words.deniability import unchanged_probability
from mechanisms import Mechanism, Vocabulary
from mechanisms.estimate import Estimate
from mechanisms.in_order import WordByWord
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import WordIds
from pages.deniability import wording
from pages.shared import downloads, material, prose, session, tables

# Words of a text that are looked at, and releases of it that are drawn to measure.
MOST_WORDS, RELEASES = 40, 100


def show(mechanism: Mechanism, vocabulary: Vocabulary) -> None:
    """Each word of the material's first text after the words released before it; else nothing."""
    if not isinstance(mechanism, WordByWord):
        return
    st.subheader(wording.IN_TEXT)
    text = next((text for text in material.texts() if text.strip()), material.EXAMPLE)
    try:
        inputs = own_texts([text], vocabulary).inputs[:MOST_WORDS]
    except ValueError:
        st.info(wording.NO_WORDS_IN_TEXT)
        return
    about = (mechanism, vocabulary.fingerprint, inputs.tobytes())
    with st.spinner(wording.RELEASING):
        words, stays, first = session.once(
            ("words of file", "in text", *about), lambda: _measured(mechanism, vocabulary, inputs)
        )
    names = tables.words(words, vocabulary)
    places = np.flatnonzero(inputs != vocabulary.unknown_id) + 1  # among all words of the text
    worst = int(stays.high.argmax())
    st.markdown(wording.worst_in_text(names[worst], int(places[worst]), stays[worst]))
    table = pd.DataFrame(
        {
            "place": places,
            "word": names,
            **tables.columns("N_w", stays),
            "N_w as first word": first,
        }
    )
    st.dataframe(table, hide_index=True, width="stretch", height=min(320, 40 + 35 * len(words)))
    name = prose.plain(material.name())
    name = f"the first text of {name}" if material.has_file() else name
    st.caption(wording.how_to_read_in_text(len(words), name, RELEASES))
    downloads.download("⬇️ Words of the text (CSV)", table, "deniability-in-text.csv", of_texts=True)


def _measured(
    mechanism: WordByWord, vocabulary: Vocabulary, inputs: WordIds
) -> tuple[WordIds, Estimate, np.ndarray]:
    """The known words (k,), their N_w in the text, and N_w of each as the first word (k,)."""
    words = inputs[inputs != vocabulary.unknown_id]
    stays = unchanged_in_text(mechanism, vocabulary, inputs, RELEASES, seeded_rng(0))
    first = unchanged_probability(mechanism, vocabulary, words, seeded_rng(0))
    return words, stays, first.value
