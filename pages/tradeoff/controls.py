"""Settings and controls of the page Trade-off."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import streamlit as st

from data import corpora
from measures.sweeps.scores import COUNTED, EQUATION_4, PROTOCOLS
from measures.sweeps.sides import NORMALISERS
from mechanisms.base import Parameter
from pages.shared import prose, terms
from pages.shared.number_box import number_box
from pages.shared.settings import KEPT, Setting, choice, corpus_name, real, several
from pages.tradeoff import wording as tradeoff_wording

# The trade-off page: what is looked at, α, how much a measure weighs, part of a printed table.
VIEWS = tuple(tradeoff_wording.VIEWS)

ALPHA = Parameter("α", "weight of utility", at_least=0, at_most=1)

WEIGHT = Parameter("weight", "weight of a measure", at_least=0, at_most=100)

# In the labels of rows that the visitor brought.
_YOURS = re.compile(r"\byour (?:run|file)\b")

TABLE_CORPORA = {"imdb": "IMDb", "ag-news": "AG News"}

TABLE_DIMENSIONS = (0, 50, 100, 300)

TABLE_EPSILONS = (0, 1, 5, 10)

SETTINGS: dict[str, Setting] = {
    "view": choice("measured", {view: view for view in VIEWS}),
    "alpha": real(0.5, ALPHA),
    "corpus": Setting("imdb", corpus_name, lambda n: n if n in corpora.names() else ""),
    "counts": several(EQUATION_4, COUNTED),
    "scale": choice("baseline", {scale: scale for scale in NORMALISERS}),
    "tested-on": choice("private", {protocol: protocol for protocol in PROTOCOLS}),
    "table-corpus": choice("ag-news", {name: name for name in TABLE_CORPORA}),
    "table-dimensions": choice(0, {str(d) if d else "mean": d for d in TABLE_DIMENSIONS}),
    "table-eps": choice(0, {str(e) if e else "mean": e for e in TABLE_EPSILONS}),
    **{f"weight-{name}": real(1.0, WEIGHT) for name in COUNTED},
}


def view_control() -> str:
    """Which part of the trade-off page."""
    return st.segmented_control(
        "Look at",
        VIEWS,
        format_func=tradeoff_wording.VIEWS.__getitem__,
        key="view",
        required=True,
        label_visibility="collapsed",
        **KEPT,
    )


def alpha_control() -> float:
    """α, the weight of utility."""
    return st.slider(
        "α, the weight of utility (0: privacy alone, 1: utility alone)",
        0.0,
        1.0,
        step=0.01,
        key="alpha",
        help=f"{terms.explained('alpha', 'puc')}\n\n{tradeoff_wording.ALPHA_HELP}",
        **KEPT,
    )


def corpus_control(offered: Sequence[str]) -> str:
    """Which corpus's rows are looked at; that of the link where there are none."""
    if not offered:
        return st.session_state.corpus
    if st.session_state.corpus not in offered:
        st.session_state.corpus = offered[0]
    return st.selectbox("Corpus", offered, key="corpus", **KEPT)


def curves_control(offered: Sequence[str], first: Sequence[str]) -> list[str]:
    """Which curves are compared: a few at first, and those that join later; or all.

    `first` are those to look at before anything was chosen.
    """
    labels, state = list(dict.fromkeys(offered)), st.session_state
    known = state.setdefault("mechanisms-offered", [])
    new = [label for label in labels if label not in known]
    chosen = state.get("mechanisms-compared") or []
    state["mechanisms-compared"] = [label for label in labels if label in chosen] + [
        label for label in new if label in first or (known and _YOURS.search(label))
    ] or list(first)
    state["mechanisms-offered"] = [*known, *new]
    box, switch = st.columns([4, 1], vertical_alignment="bottom")
    every = switch.toggle(f"All {len(labels)}", key="all-mechanisms", **KEPT)
    picked: list[str] = box.multiselect(
        "Mechanisms to compare", labels, key="mechanisms-compared", disabled=every, **KEPT
    )
    return labels if every or not picked else picked


def changed_weights() -> list[str]:
    """The settings of weights that belong in the link: those that are not 1."""
    return [f"weight-{name}" for name in COUNTED if st.session_state[f"weight-{name}"] != 1]


class Counting(NamedTuple):
    """What counts in a score: measures, weights if they differ from 1, protocol and scale."""

    measures: list[str]
    weights: dict[str, float]
    protocol: str
    scale: str

    @property
    def key(self) -> Hashable:
        """What tells it from others."""
        return (*self.measures,), (*sorted(self.weights.items()),), self.protocol, self.scale


def counted_controls() -> Counting:
    """Which measures count, their weights if they differ from 1, the protocol and the scale."""
    counted = st.pills(
        "Measures that count",
        list(COUNTED),
        format_func=lambda name: prose.plain(COUNTED[name]),
        key="counts",
        selection_mode="multi",
        help=f"{tradeoff_wording.COUNTED_HELP}\n\n"
        + terms.explained("n_w", "s_w", "pp", "cs", "low"),
        **KEPT,
    )
    protocol = st.segmented_control(
        "Classifier trained on private text, tested on",
        list(PROTOCOLS),
        format_func=tradeoff_wording.PROTOCOLS.__getitem__,
        key="tested-on",
        required=True,
        help=tradeoff_wording.PROTOCOLS_HELP,
        **KEPT,
    )
    scale = st.segmented_control(
        "Scale of the measures",
        list(NORMALISERS),
        format_func=tradeoff_wording.SCALES.__getitem__,
        key="scale",
        required=True,
        help=tradeoff_wording.SCALES_HELP,
        **KEPT,
    )
    for name in COUNTED:  # the weight of a measure that does not count is kept all the same
        st.session_state[f"weight-{name}"] = st.session_state[f"weight-{name}"]
    st.markdown("Weights", help=tradeoff_wording.WEIGHTS_HELP)
    for name, column in zip(counted, st.columns(max(len(counted), 1)), strict=False):
        label, key = prose.plain(COUNTED[name]), f"weight-{name}"
        number_box(label, key, low=0, high=100, place=column, **KEPT)
    weights = {name: st.session_state[f"weight-{name}"] for name in counted}
    return Counting(counted, {name: w for name, w in weights.items() if w != 1}, protocol, scale)


def table_controls() -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Which part of the benchmark's table: a corpus, and dimensions and ε, one each or all."""
    boxes = st.columns(3)
    corpus = boxes[0].segmented_control(
        "Corpus",
        list(TABLE_CORPORA),
        format_func=TABLE_CORPORA.__getitem__,
        key="table-corpus",
        required=True,
        **KEPT,
    )
    dimensions, epsilon = (
        box.segmented_control(
            label,
            offered,
            format_func=lambda n: str(n) if n else "mean",
            key=key,
            required=True,
            **KEPT,
        )
        for box, label, key, offered in (
            (boxes[1], "Dimensions", "table-dimensions", TABLE_DIMENSIONS),
            (boxes[2], "ε", "table-eps", TABLE_EPSILONS),
        )
    )
    return (
        corpus,
        (dimensions,) if dimensions else TABLE_DIMENSIONS[1:],
        (epsilon,) if epsilon else TABLE_EPSILONS[1:],
    )
