"""The law of one word, kept for the session where it is estimated."""

from __future__ import annotations

import numpy as np
import streamlit as st

from measures.words import outputs as word_outputs
from mechanisms import LawMechanism, Mechanism, Vocabulary
from mechanisms.law import Law
from mechanisms.randomness import release_rng
from pages.shared.session import once


def outputs(mechanism: Mechanism, vocabulary: Vocabulary, word_id: int) -> Law:
    """What one word becomes. Every ε is answered from the first one, where that is possible."""
    family = mechanism.family()
    about = (vocabulary.fingerprint, word_id)
    rng = _generator()
    if isinstance(mechanism, LawMechanism):  # quick, and as long as the vocabulary: not kept
        answer = word_outputs.answers(family, vocabulary, word_id, rng)
        return word_outputs.outputs(answer, mechanism, vocabulary, word_id, rng)
    answer = once(
        ("answers", family, *about),
        lambda: word_outputs.answers(family, vocabulary, word_id, rng),
    )
    return once(
        ("outputs", mechanism, *about),
        lambda: word_outputs.outputs(answer, mechanism, vocabulary, word_id, rng),
    )


def _generator() -> np.random.Generator:
    """The session's generator for laws that are estimated: nothing is released by it."""
    if "laws_rng" not in st.session_state:
        st.session_state["laws_rng"] = release_rng()
    generator: np.random.Generator = st.session_state["laws_rng"]
    return generator
