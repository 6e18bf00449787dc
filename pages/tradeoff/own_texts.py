"""The visitor's own texts with labels, for a run: the file of this session, or another table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from data import corpora, embeddings
from data.corpora import Corpus
from mechanisms import Family, Mechanism
from pages.shared import material, prose, session
from pages.shared.settings import KEPT, parameter_key
from pages.tradeoff import wording
from release import labelled

OWN_TABLE = "your table"
OWN_FILE = "your file"


def chosen() -> Corpus | str | None:
    """A box for the texts, the file of this session first: a corpus, or the name of a public one.

    None if the own texts are not complete yet.
    """
    offered = [*[OWN_FILE] * material.has_file(), *corpora.names(), OWN_TABLE]
    if st.session_state.get("run-corpus") not in offered or _new_file():
        st.session_state["run-corpus"] = offered[0]
    names = {name: name for name in offered} | {OWN_FILE: material.name()}
    name = st.selectbox("Texts", offered, format_func=names.get, key="run-corpus", **KEPT)
    own = {OWN_FILE: _own_file, OWN_TABLE: _own_table}
    return own[name]() if name in own else name


def _new_file() -> bool:
    """Whether the file is another one than when this was last asked."""
    token = st.session_state.file.token if material.has_file() else None
    before = st.session_state.get("run-file")
    st.session_state["run-file"] = token
    return token not in (None, before)


def _own_file() -> Corpus | None:
    """The texts of the visitor's file and a column of labels; None if there are no labels."""
    how = material.table()
    assert how is not None
    others = [column for column in how.layout.columns if column not in how.columns]
    if not how.columns or not others:
        st.warning(wording.NO_LABELS)
        return None
    text = how.columns[0]
    if len(how.columns) > 1:
        text = st.selectbox("Column of texts", how.columns)
    token = st.session_state.file.token
    rows = session.once(("rows", token, how), how.rows)
    likely = _likely_labels(list(how.layout.columns), rows, others)
    if (chosen := st.session_state.get(f"choice-label.{token}")) in others:
        likely = str(chosen)
    label = st.selectbox("Column of labels", others, index=others.index(likely))
    at = [how.layout.position(column) for column in (text, label)]
    whole = [row for row in rows if all(row[place].strip() for place in at)]
    try:
        return corpora.from_table(list(how.layout.columns), whole, text, label, OWN_FILE)
    except ValueError as error:
        st.warning(prose.plain(str(error)))
        return None


def _likely_labels(
    columns: Sequence[str], rows: Sequence[Sequence[str]], others: Sequence[str]
) -> str:
    """The column with the fewest values, at least two: an id or a date has one a row."""
    counts = {name: len({row[columns.index(name)] for row in rows}) for name in others}
    return min(others, key=lambda name: (counts[name] < 2, counts[name]))


def _own_table() -> Corpus | None:
    """A visitor's texts and labels, or None if they are not there yet."""
    file = st.file_uploader("CSV", ["csv", "tsv", "txt"], help=wording.OWN_TABLE_HELP)
    if file is None:
        return None
    data = file.getvalue()
    try:
        names, rows = labelled.read(file.name, data)
        text = st.selectbox("Column of texts", names)
        label = st.selectbox("Column of labels", names, index=min(1, len(names) - 1))
        return corpora.from_table(names, rows, text, label)
    except ValueError as error:
        st.warning(prose.plain(str(error)))
        return None


def epsilon(family: Family[Mechanism]) -> tuple[float, ...]:
    """The ε of the other pages, to be in the figure beside the ε that are spread."""
    value = st.session_state.get(parameter_key(family.kind, "epsilon"))
    return (float(value),) if value else ()


def vocabulary() -> dict[str, Any]:
    """The embedding of the other pages; without it if only this session has it."""
    name = st.session_state.embedding
    if name not in {each.name for each in embeddings.for_everyone()}:
        return {}
    return {"embedding_names": (name,), "vocabulary_size": st.session_state.size}
