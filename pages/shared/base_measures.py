"""Beside the control of a base measure: what q is, its source, and that it must be public.

If q is counted on a corpus of the visitor's, the corpus is uploaded here.
"""

from __future__ import annotations

import hashlib
from typing import Any

import streamlit as st

from data.embeddings import VocabularyChoice
from mechanisms import Mechanism, Vocabulary
from mechanisms.base_measure import OWN, RANKS, counts_of, source_of_q
from pages.shared import base_measures_wording as wording
from pages.shared import cached, classroom, own_corpus, prose
from pages.shared.own_corpus import OwnCorpus
from release import q_corpus


def panel(mechanism: Mechanism, choice: VocabularyChoice, key: str) -> None:
    """One line that q must be public, and one click to what it is; nothing if there is no q.

    The ε of the mechanism plays no part. ValueError if q is to be counted on a corpus of the
    visitor's, and none is there that can be.
    """
    source = source_of_q(mechanism)
    if source is None:
        return
    with st.container(key=f"{key}-row", gap=None if source != OWN else "small"):
        st.caption(wording.MUST_BE_PUBLIC if source != OWN else wording.OWN_MUST_BE_PUBLIC)
        if source == OWN:
            _upload(choice, f"{key}-file")
        row = st.container(horizontal=True)
        about = row.popover(wording.ABOUT, key=key, on_change="rerun")
        if source == OWN and own_corpus.held() is not None:
            row.button(wording.FORGET, key=f"{key}-forget", on_click=_forget)
        if about.open:
            with about:
                try:
                    st.markdown(_told(mechanism, source, choice))
                except (OSError, ValueError) as error:
                    st.error(prose.plain(str(error)))
    check(mechanism, choice)


def check(mechanism: Mechanism, choice: VocabularyChoice) -> None:
    """Raise ValueError if q is to be counted on a corpus of the visitor's that is not there."""
    if source_of_q(mechanism) == OWN:
        counts_of(cached.vocabulary(choice), OWN)


def say_if_q_outweighs(mechanism: Mechanism, vocabulary: Vocabulary, place: Any) -> None:
    """Warn if q changes a weight by more than all distances can."""
    if source_of_q(mechanism) is None:
        return
    if caveat := mechanism.guarantee(vocabulary).caveat:
        place.warning(prose.plain(caveat))


# ------------------------------------------------------------------------------ the visitor's own


# The name, the hash, the columns and the rows of the file that was uploaded last; and what is wrong
# with it, in a sentence.
_READ, _PROBLEM, _FORGOTTEN = "own_corpus_read", "own_corpus_problem", "own_corpora_forgotten"


def _upload(choice: VocabularyChoice, key: str) -> None:
    """The box for a corpus of q, and what is counted of it, or why nothing is."""
    key = f"{key}.{st.session_state.get(_FORGOTTEN, 0)}"
    st.file_uploader(
        wording.UPLOAD,
        [suffix.removeprefix(".") for suffix in q_corpus.SUFFIXES],
        key=key,
        on_change=_take,
        args=(key,),
        help=wording.UPLOAD_HELP,
        max_upload_size=own_corpus.MOST_MEGABYTES,
        disabled=classroom.locked("parameters"),
    )
    corpus, read = own_corpus.held(), st.session_state.get(_READ)
    if problem := st.session_state.get(_PROBLEM):
        st.error(prose.plain(problem))
    if read is not None and len(read[2]) > 1:
        columns = list(read[2])
        st.selectbox(
            wording.COLUMN,
            columns,
            columns.index(corpus.column) if corpus is not None else None,
            key=f"{key}.column",
            on_change=_choose,
            args=(f"{key}.column",),
            disabled=classroom.locked("parameters"),
        )
    if corpus is not None:
        _say(corpus, choice)


def _say(corpus: OwnCorpus, choice: VocabularyChoice) -> None:
    """What was counted of a corpus, or why nothing was."""
    if own_corpus.is_material(corpus):
        st.error(wording.IS_MATERIAL)
        return
    found = own_corpus.counts(corpus, choice)
    if isinstance(found, str):
        st.error(prose.plain(found))
        return
    st.caption(wording.counted_of(corpus.name, corpus.column, found))
    if found.known < wording.FEW * found.tokens:
        st.warning(wording.few_known(found))


def _take(key: str) -> None:
    """Read the file that was just uploaded, and hold its only column; or forget the last one."""
    file = st.session_state[key]
    _forget(empty_box=False)
    if file is None:
        return
    data = file.getvalue()
    try:
        if len(data) > own_corpus.MOST_MEGABYTES * 1_000_000:
            raise ValueError(wording.too_large(len(data)))
        columns, rows = q_corpus.read(file.name, data)
        st.session_state[_READ] = (file.name, hashlib.sha256(data).hexdigest(), columns, rows)
        if len(columns) == 1:
            _hold(columns[0])
    except ValueError as error:
        st.session_state[_PROBLEM] = str(error)


def _choose(key: str) -> None:
    """Hold the column that was just chosen."""
    try:
        st.session_state[_PROBLEM] = None
        _hold(st.session_state[key])
    except ValueError as error:
        own_corpus.keep(None)
        st.session_state[_PROBLEM] = str(error)


def _hold(column: str) -> None:
    name, sha256, columns, rows = st.session_state[_READ]
    _, texts = q_corpus.texts_of(columns, rows, column)
    own_corpus.keep(OwnCorpus(name, column, sha256, texts))


def _forget(empty_box: bool = True) -> None:
    """Drop the corpus, also from the box."""
    own_corpus.keep(None)
    st.session_state[_READ] = st.session_state[_PROBLEM] = None
    st.session_state[_FORGOTTEN] = st.session_state.get(_FORGOTTEN, 0) + empty_box


# ------------------------------------------------------------------------------------- what q is


def _told(mechanism: Mechanism, source: str, choice: VocabularyChoice) -> str:
    """What q is, with these parameters, on this vocabulary."""
    declared = mechanism.parameters()
    values = {each.symbol: getattr(mechanism, field) for field, each in declared.items()}
    vocabulary, counts = cached.vocabulary(choice), None
    if source != RANKS:
        with st.spinner(wording.COUNTING):
            counts = counts_of(vocabulary, source)
    smallest = mechanism.derived(vocabulary)["smallest q"]
    return "\n\n".join(
        [
            wording.MEANING,
            wording.ranks() if counts is None else wording.counted_in(counts, len(vocabulary)),
            *wording.looks_back(values.get("n"), counts),
            wording.weighed(values["κ"], smallest, len(vocabulary)),
            wording.PUBLIC,
        ]
    )
