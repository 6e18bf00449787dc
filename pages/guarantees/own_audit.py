"""A visitor's own mechanism on the Guarantees page: a table of counts in, a bound out."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from measures.audits import black_box, packages
from measures.audits.black_box import Bound, Promise
from measures.audits.command import facts
from measures.audits.packages import Row
from mechanisms.randomness import release_rng
from pages.guarantees import own_audit_wording as wording
from pages.shared import cached, downloads, prose, vocabulary_picker
from pages.shared.number_box import number_box

# Words of a table: all pairs of them are compared, output by output.
MOST_WORDS = 60

_AT_FIRST = {"own-audit.eps": 1.0, "own-audit.delta": 0.0, "own-audit.alpha": black_box.ALPHA}


def show() -> None:
    """A visitor's own table and its result, then the packages that were audited the same way."""
    _own()
    st.subheader(wording.PACKAGES)
    rows, provenance = packages.shipped()
    table = _packages(rows)
    st.dataframe(table, hide_index=True, width="stretch")
    st.caption(wording.how_to_read_packages(provenance))
    downloads.download("⬇️ Table (CSV)", table, "audited-packages.csv", settings=False)


def _own() -> None:
    st.markdown(wording.INTRODUCTION)
    st.code(wording.EXAMPLE, language=None)
    st.markdown(wording.BY_COMMAND)
    columns = st.columns(4, vertical_alignment="bottom")
    for key, value in _AT_FIRST.items():
        st.session_state.setdefault(key, value)
    epsilon = number_box(wording.EPSILON, "own-audit.eps", low=0, place=columns[0])
    delta = number_box(wording.DELTA, "own-audit.delta", low=0, high=0.999, place=columns[1])
    metric = columns[2].selectbox(wording.METRIC, wording.METRICS, format_func=wording.METRICS.get)
    alpha = number_box(wording.ALPHA, "own-audit.alpha", low=1e-9, high=0.5, place=columns[3])
    file = st.file_uploader(wording.FILE, type=["csv"])
    if file is None:
        st.info(wording.EMPTY)
        return
    try:
        with st.spinner(wording.SEARCHING):
            bound = _bound(file.getvalue(), Promise(epsilon, delta), metric, alpha)
    except ValueError as error:
        st.error(prose.plain(str(error)))
        return
    st.subheader(wording.heading(bound))
    st.markdown(prose.plain(bound.witness))
    st.caption(wording.untested(bound))
    downloads.document(
        st,
        "⬇️ Result (JSON)",
        json.dumps(
            facts(bound) | {"provenance": downloads.provenance(settings=False)},
            ensure_ascii=False,
            indent=1,
        ),
        "audit.json",
        "application/json",
    )


def _packages(rows: Sequence[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "package": [row.package for row in rows],
            "mechanism": [row.mechanism for row in rows],
            "ε as published": [row.promised for row in rows],
            "ε as audited, at least": [row.at_least for row in rows],
            "promise": ["broken" if row.broken else "not contradicted" for row in rows],
            "witness": [wording.package_witness(row) for row in rows],
            "draws per word": [row.draws or None for row in rows],
        }
    )


def _bound(data: bytes, promise: Promise, metric: str, alpha: float) -> Bound:
    try:
        text = io.StringIO(data.decode("utf-8-sig"), newline="")
    except UnicodeDecodeError as error:
        raise ValueError(f"Table: the file must be UTF-8; its byte {error.start} is not.") from None
    first, second = black_box.split(black_box.rows(text), release_rng())
    if len(first) > MOST_WORDS:
        raise ValueError(
            f"Table: this page compares at most {MOST_WORDS} words; got {len(first):,}. The "
            "command takes more."
        )
    between = None
    if metric == "euclidean":
        vocabulary = cached.vocabulary(
            vocabulary_picker.vocabulary_of(st.session_state["audit-words"])
        )
        between = black_box.euclidean(vocabulary, first)
    return black_box.audit(first, second, promise, between, alpha)
