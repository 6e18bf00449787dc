"""Beside the control of a base measure: what q is, its source, and that it must be public.

If q is counted on a corpus of the visitor's, the corpus is uploaded here (`corpus_upload`).
"""

from __future__ import annotations

import streamlit as st

from data.embeddings import VocabularyChoice
from mechanisms import Family, Mechanism
from mechanisms.base_measure import OWN, RANKS, HasQ, counts_of, source_of_q
from pages.shared import base_measures_wording as wording
from pages.shared import cached, own_corpus, prose


def panel(family: Family[Mechanism], choice: VocabularyChoice, key: str) -> None:
    """One line that q must be public, and one click to what it is; nothing if there is no q.

    ValueError if q is to be counted on a corpus of the visitor's, and none is there that can be.
    """
    source = source_of_q(family.without_epsilon)
    if source is None:
        return
    with st.container(key=f"{key}-row", gap=None if source != OWN else "small"):
        st.caption(wording.MUST_BE_PUBLIC if source != OWN else wording.OWN_MUST_BE_PUBLIC)
        if source == OWN:
            from pages.shared import corpus_upload  # with all that reads files

            corpus_upload.box(choice, f"{key}-file")
        row = st.container(horizontal=True)
        about = row.popover(wording.ABOUT, key=key, on_change="rerun")
        if source == OWN and own_corpus.held() is not None:
            row.button(wording.FORGET, key=f"{key}-forget", on_click=corpus_upload.forget)
        if about.open:
            with about:
                try:
                    st.markdown(_told(family, source, choice))
                except (OSError, ValueError) as error:
                    st.error(prose.plain(str(error)))
    check(family, choice)


def check(family: Family[Mechanism], choice: VocabularyChoice) -> None:
    """Raise ValueError if q is to be counted on a corpus of the visitor's that is not there."""
    if source_of_q(family.without_epsilon) == OWN:
        counts_of(cached.vocabulary(choice), OWN)


def say_if_q_outweighs(mechanism: Mechanism, choice: VocabularyChoice) -> None:
    """Warn if q changes a weight by more than all distances can."""
    if caveat := mechanism.guarantee(cached.vocabulary(choice)).caveat:
        st.warning(prose.plain(caveat))


# ------------------------------------------------------------------------------------- what q is


def _told(family: Family[Mechanism], source: str, choice: VocabularyChoice) -> str:
    """What q is, with these parameters, on this vocabulary."""
    declared, given = family.kind.parameters(), dict(family.values)
    values = {declared[field].symbol: value for field, value in given.items()}
    vocabulary, counts = cached.vocabulary(choice), None
    if source != RANKS:
        with st.spinner(wording.COUNTING):
            counts = counts_of(vocabulary, source)
    measured = family.without_epsilon
    assert isinstance(measured, HasQ)
    smallest = measured.smallest_share(vocabulary)
    return "\n\n".join(
        [
            wording.MEANING,
            wording.ranks() if counts is None else wording.counted_in(counts, len(vocabulary)),
            *wording.looks_back(values.get("n"), counts),
            wording.weighed(values["κ"], smallest, len(vocabulary)),
            wording.PUBLIC,
        ]
    )
