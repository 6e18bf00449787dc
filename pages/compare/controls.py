"""Settings and controls of the page Mechanisms side by side."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.compare import columns
from pages.compare import wording as compare_wording
from pages.shared import material, settings, terms
from pages.shared.number_box import number_box
from pages.shared.settings import KEPT, Setting, choice, real, whole_number

SETTINGS: dict[str, Setting] = {
    "columns": whole_number(2, 2, columns.MOST),
    "compare-by": choice("privacy", {mode: mode for mode in columns.MODES}),
    "kept-words": whole_number(50, 1, 99),
    "worst-kept": whole_number(50, 1, 99),
    "outputs": whole_number(30, 2, 100),
    "words-named": whole_number(50, 2, 99),
    "common-eps": real(10.0, settings.EPSILON),
    "same-noise": choice(False, {"no": False, "yes": True}),
    **{
        f"column-{number}": Setting(
            columns.DEFAULTS[number - 1],
            partial(columns.read, stream=number),
            partial(columns.write, stream=number),
        )
        for number in range(1, columns.MOST + 1)
    },
}

SLIDERS = {
    "kept-words": ("privacy", compare_wording.MEAN_KEPT, 1, 99, 100, "n_w"),
    "worst-kept": ("worst", compare_wording.WORST_KEPT, 1, 99, 100, "n_w"),
    "outputs": ("outputs", compare_wording.OUTPUTS, 2, 100, 1, "s_w"),
    "words-named": ("named", compare_wording.NAMED, 2, 99, 100, "adversary"),
}
"""By key: the mode, the label, least, largest, the unit that divides the value, the term."""


def follow_the_material(example: str) -> None:
    """Put the text that was typed elsewhere into the box, as long as the box has the example."""
    state = st.session_state
    put = state.get("compare-followed", example)
    if state.setdefault("compare-text", example) == put and material.typed() not in ("", put):
        state["compare-text"] = state["compare-followed"] = material.typed()


def compare_controls() -> tuple[int, str, float]:
    """How many columns, what is made equal, and the value: a share, a number of outputs, or ε."""
    count = st.segmented_control("Columns", [2, 3, 4], key="columns", required=True, **KEPT)
    mode = st.segmented_control(
        "Made equal",
        list(columns.MODES),
        format_func=columns.MODES.__getitem__,
        key="compare-by",
        required=True,
        help=compare_wording.MODES_HELP,
        **KEPT,
    )
    # The value that plays no part is kept all the same.
    for key in (*SLIDERS, "common-eps"):
        st.session_state[key] = st.session_state[key]
    value = 0.0
    for key, (of_mode, label, low, high, unit, term) in SLIDERS.items():
        if mode == of_mode:
            help_here = terms.explained(term)
            value = st.slider(label, low, high, key=key, help=help_here, **KEPT) / unit
    if mode == "named":
        st.caption(compare_wording.ADVERSARY)
    if mode == "epsilon":
        help_here = terms.explained("epsilon")
        value = number_box("ε of all columns", "common-eps", help=help_here, **KEPT)
    return count, mode, value


def same_noise_control() -> bool:
    """Whether columns with the same mechanism share their noise."""
    return st.toggle(
        "Same noise for columns of the same mechanism",
        key="same-noise",
        help=compare_wording.SAME_NOISE_HELP,
        **KEPT,
    )
