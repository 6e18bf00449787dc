"""The long check of the Guarantees page: every word of the vocabulary against one, as a job."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from data.embeddings import VocabularyChoice
from measures.audits import audit
from mechanisms import LawMechanism, Mechanism
from mechanisms.base import blocks
from pages.guarantees import wording
from pages.shared import cached, progress, shared_work
from pages.shared.fragments import fragment

# The word that all others are compared with: the most frequent one.
_CENTRE = 0

# Words of a piece: about half a second at 30,000 words.
_PIECE = 400


def offer(mechanism: Mechanism, choice: VocabularyChoice) -> None:
    """The check of a mechanism with a known law: begun by a button, with progress and a stop."""
    vocabulary = cached.vocabulary(choice)
    if not isinstance(mechanism, LawMechanism) or len(vocabulary) < 2:
        return
    key = ("every word", mechanism, vocabulary.fingerprint)
    with st.expander(wording.EVERY_WORD, expanded=key in st.session_state):
        st.markdown(wording.every_word_introduction(len(vocabulary), vocabulary.words[_CENTRE]))
        if key not in st.session_state:
            st.button("▶ Try every word", on_click=_begin, args=(mechanism, choice, key))
            return
        _watch(mechanism, choice, key)


def _begin(mechanism: LawMechanism, choice: VocabularyChoice, key: tuple[object, ...]) -> None:
    vocabulary = cached.vocabulary(choice)
    ids = audit.words_with_a_law(mechanism, vocabulary)
    pieces = [
        partial(audit.kept_centre_ratios, mechanism, vocabulary, ids[part], _CENTRE)
        for part in blocks(len(ids), _PIECE)
    ]
    st.session_state[key] = shared_work.shared_job(pieces, key, vocabulary)


@fragment(run_every=1.0)
def _watch(mechanism: LawMechanism, choice: VocabularyChoice, key: tuple[object, ...]) -> None:
    job = st.session_state[key]
    progress.show_progress(job)
    if job.finished and job.error is None:
        largest = np.concatenate(job.results)
        found = audit.every_word(mechanism, cached.vocabulary(choice), largest, _CENTRE)
        st.markdown(wording.every_word_found(found))
