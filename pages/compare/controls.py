"""Settings and controls of the page Mechanisms side by side."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.compare import columns
from pages.compare import wording as compare_wording
from pages.shared import settings, terms
from pages.shared.number_box import number_box
from pages.shared.settings import KEPT, Setting, choice, real, whole_number

SETTINGS: dict[str, Setting] = {
    "columns": whole_number(2, 2, columns.MOST),
    "compare-by": choice("privacy", {mode: mode for mode in columns.MODES}),
    "kept-words": whole_number(50, 1, 99),
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


def compare_controls() -> tuple[int, str, float]:
    """How many columns, what is made equal, and at which mean N_w or ε."""
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
    for key in ("kept-words", "common-eps"):
        st.session_state[key] = st.session_state[key]
    value = 0.0
    if mode == "privacy":
        value = st.slider(
            "Mean N_w: words that stay, in %, on average",
            1,
            99,
            key="kept-words",
            help=terms.explained("n_w"),
            **KEPT,
        )
    elif mode == "epsilon":
        help_here = terms.explained("epsilon")
        value = number_box("ε of all columns", "common-eps", help=help_here, **KEPT)
    return count, mode, value


def same_noise_control() -> bool:
    """Whether columns with the same mechanism share their noise."""
    return st.toggle(
        "Same noise where the mechanism is the same",
        key="same-noise",
        help=compare_wording.SAME_NOISE_HELP,
        **KEPT,
    )
