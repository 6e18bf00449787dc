"""The one control of the start page."""

from __future__ import annotations

import streamlit as st

from measures.words.dissolution import Dissolution
from pages.shared import (
    mechanism_picker,
    terms,
)
from pages.shared.settings import KEPT


def example_epsilon(example: Dissolution) -> float:
    """The slider of the example's ε, which is not a setting."""
    steps = mechanism_picker.logarithmic_steps(example.low, example.high)
    return st.select_slider(
        "ε",
        steps[1:-1],  # rounding may have carried the ends beyond the axis
        value=steps[len(steps) // 2],
        key="example-eps",
        format_func=lambda step: f"{step:g}",
        help=terms.explained("epsilon"),
        **KEPT,
    )
