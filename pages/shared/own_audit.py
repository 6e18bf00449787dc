"""A visitor's own mechanism on the Guarantees page: a table of counts in, a bound out."""

from __future__ import annotations

import io
import json

import streamlit as st

from measures import black_box
from measures.audit_command import facts
from measures.black_box import Bound, Promise
from mechanisms.randomness import release_rng
from pages.shared import cached, controls, prose
from pages.shared.number_box import number_box
from pages.shared.wording import own_audit as wording

# Words of a table: all pairs of them are compared, output by output.
MOST_WORDS = 60

_AT_FIRST = {"own-audit.eps": 1.0, "own-audit.delta": 0.0, "own-audit.alpha": black_box.ALPHA}


def show() -> None:
    """The controls, and the result when there is a table."""
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
    st.download_button(
        "⬇️ Result (JSON)",
        json.dumps(facts(bound), ensure_ascii=False, indent=1),
        "audit.json",
        "application/json",
        on_click="ignore",
    )


def _bound(data: bytes, promise: Promise, metric: str, alpha: float) -> Bound:
    try:
        text = io.StringIO(data.decode("utf-8-sig"), newline="")
    except UnicodeDecodeError as error:
        raise ValueError(f"Table: it must be UTF-8; byte {error.start} is not.") from None
    first, second = black_box.split(black_box.rows(text), release_rng())
    if len(first) > MOST_WORDS:
        raise ValueError(
            f"Table: at most {MOST_WORDS} words are compared here; there are {len(first):,}. The "
            "command takes more."
        )
    between = None
    if metric == "euclidean":
        vocabulary = cached.vocabulary(controls.vocabulary_of(st.session_state["audit-words"]))
        between = black_box.euclidean(vocabulary, first)
    return black_box.audit(first, second, promise, between, alpha)
