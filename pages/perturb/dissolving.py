"""The words of a text over all ε: kept for the way back, and counted in the ledger."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.embeddings import VocabularyChoice
from measures.words import dissolution
from mechanisms import Family, Mechanism
from mechanisms.randomness import release_rng
from mechanisms.text import PrivateText
from mechanisms.tokens import Token
from pages.shared import cached
from pages.shared.draws import keep
from pages.shared.ledger import charge, spent

# Words of a text that are shown over all ε.
MOST_WORDS_OVER_ALL_EPSILON = 40


def other_dissolution() -> None:
    """Make the next `dissolve` a fresh one."""
    st.session_state.dissolve_roll = st.session_state.get("dissolve_roll", 0) + 1


def dissolve(
    private: PrivateText,
    family: Family[Mechanism],
    choice: VocabularyChoice,
    seed: int | None,
    about: str,
) -> dissolution.Dissolution:
    """The first words of a text over all ε: those of the same settings before, or fresh ones.

    A fresh draw is counted in the ledger of the text that it is `about`.
    """
    vocabulary = private.vocabulary
    roll = st.session_state.get("dissolve_roll", 0)
    ids = tuple(token.word_id for token in drawn_tokens(private)[:MOST_WORDS_OVER_ALL_EPSILON])
    key = (ids, family, vocabulary.fingerprint, seed, roll)
    kept = st.session_state.setdefault("dissolved", {})
    if key in kept:
        return kept[key]
    slider = cached.epsilon_range(family, choice)
    ends = dissolution.axis(family, vocabulary, slider.low, slider.high)
    rng = release_rng() if seed is None else np.random.default_rng([seed, roll, 1])
    result = dissolution.dissolution(family, vocabulary, list(ids), *ends, rng)
    keep(kept, key, result)
    if result.drawn_at is None:
        spent(about).over_all_epsilon += 1
    for epsilon in result.drawn_at or ():
        charge(about, family.at(epsilon), vocabulary, 1)
    return result


def drawn_tokens(private: PrivateText) -> list[Token]:
    """The tokens that the mechanism draws, in order."""
    return [token for token in private.tokens if token.word_id is not None]


def drawn_count(private: PrivateText) -> int:
    """The number of words that are drawn in each version, unknown ones too where they are."""
    return int((private.drawn[:, 0] >= 0).sum())
