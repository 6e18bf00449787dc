"""Settings and controls of the page Mechanisms side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.compare import columns
from pages.compare import wording as compare_wording
from pages.shared import material, mechanism_picker, settings, terms
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


_PUT, _TO_MATCH, _NEXT = "compare-put", "compare-to-match", "compare-kept-words-next"


def own_settings_first() -> None:
    """Pin the settings of the visitor's material in column 1, as long as nobody changed it.

    The other columns get the ε at which as many words stay: see `match_column_1`.
    """
    own = mechanism_picker.of_session()
    if own is None or not (material.has_file() or material.typed()):
        return
    state = st.session_state
    now, put = state["column-1"], state.get(_PUT, columns.DEFAULTS[0])
    same = now.mechanism.family() == put.mechanism.family() and now.pinned == put.pinned
    if not same or now.embedding or (now.pinned and now.mechanism == own):
        return
    state["column-1"] = state[_PUT] = replace(now, mechanism=own, pinned=True)
    second, usual = state["column-2"], columns.DEFAULTS[0].mechanism
    untouched = second.mechanism.family() == columns.DEFAULTS[1].mechanism.family()
    if untouched and not second.pinned and type(second.mechanism) is type(own):
        state["column-2"] = replace(second, mechanism=usual)
    columns.renew()
    state[_TO_MATCH] = True


def has_own_settings() -> bool:
    """Whether column 1 has the settings of the visitor's material."""
    return bool(st.session_state.get(_PUT) == st.session_state["column-1"])


def match_column_1(first: columns.Stand, mode: str) -> None:
    """Make the other columns equal to column 1, once its curves are there."""
    state = st.session_state
    if mode != "privacy" or first.found is None or not state.get(_TO_MATCH):
        return
    del state[_TO_MATCH]
    stays = first.found.curves.at(first.column.mechanism.epsilon).unchanged.value.mean()
    least, most = SLIDERS["kept-words"][2:4]
    state[_NEXT] = min(most, max(least, round(100 * float(stays))))
    st.rerun()


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
    if _NEXT in st.session_state:
        st.session_state["kept-words"] = st.session_state.pop(_NEXT)
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
