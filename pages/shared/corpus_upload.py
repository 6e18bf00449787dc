"""The box for a visitor's corpus of q, and what is read from its file."""

from __future__ import annotations

import hashlib

import streamlit as st

from data.embeddings import VocabularyChoice
from mechanisms.base_measure import OWN
from pages.shared import base_measures_wording as wording
from pages.shared import classroom, own_corpus, page_end, prose
from pages.shared.own_corpus import OwnCorpus
from release import q_corpus

# The name, the hash, the columns and the rows of the file that was uploaded last; and what is wrong
# with it, in a sentence.
_READ, _PROBLEM, _FORGOTTEN = "own_corpus_read", "own_corpus_problem", "own_corpora_forgotten"


def box(choice: VocabularyChoice, key: str) -> None:
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
    _warn(corpus)
    if found.known < wording.FEW * found.tokens:
        st.warning(wording.few_known(found))


def say_if_it_holds_texts(source: str | None) -> None:
    """Warn if the visitor's corpus holds some private texts; end the page if it holds all."""
    corpus = own_corpus.held()
    if source != OWN or corpus is None:
        return
    if own_corpus.is_material(corpus):
        st.error(wording.IS_MATERIAL)
        page_end.stop()
    _warn(corpus)


def _warn(corpus: OwnCorpus) -> None:
    if warning := own_corpus.held_of_material(corpus):
        st.warning(prose.plain(warning))


def _take(key: str) -> None:
    """Read the file that was just uploaded, and hold its only column; or forget the last one."""
    file = st.session_state[key]
    forget(empty_box=False)
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


def forget(empty_box: bool = True) -> None:
    """Drop the corpus, also from the box."""
    own_corpus.keep(None)
    st.session_state[_READ] = st.session_state[_PROBLEM] = None
    st.session_state[_FORGOTTEN] = st.session_state.get(_FORGOTTEN, 0) + empty_box
