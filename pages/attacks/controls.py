"""Settings and controls of the page Attacks."""

from __future__ import annotations

import secrets

import streamlit as st

from pages.attacks import wording as attacks_wording
from pages.shared import (
    text_controls,
)
from pages.shared.adversaries import Knowledge
from pages.shared.settings import KEPT, Setting, choice, whole_number

SETTINGS: dict[str, Setting] = {
    "prior": choice("frequency", {prior: prior for prior in attacks_wording.PRIORS}),
    "game": choice(False, {"0": False, "1": True}),
    "round": whole_number(1, 1, 1000),
}


def prior_control(of_file: bool) -> Knowledge:
    """What the adversary knows; the frequencies of a file only if there is one."""
    known = [prior for prior in attacks_wording.PRIORS if of_file or prior != "file"]
    if st.session_state["prior"] not in known:
        st.session_state["prior"] = "frequency"
    return st.selectbox(
        "The adversary knows",
        known,
        format_func=attacks_wording.PRIORS.__getitem__,
        key="prior",
        help=attacks_wording.PRIOR_HELP,
        **KEPT,
    )


def game_seed() -> int:
    """The seed of a game: that of the link, or a new one."""
    if st.session_state.seed is None:
        st.session_state.seed = secrets.randbelow(10_000)
    return text_controls.seed_control() or 0
