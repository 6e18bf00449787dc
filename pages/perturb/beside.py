"""Private sentences of a mechanism with a base measure, and beside them those without it."""

from __future__ import annotations

import streamlit as st

from mechanisms import Mechanism
from mechanisms.text import PrivateText
from pages.perturb import wording
from pages.shared import prose
from pages.shared.settings import KEPT


def control(mechanism: Mechanism | None) -> Mechanism | None:
    """The mechanism to show beside this one; None if it has no base measure, or none is asked for.

    The switch is drawn only if there is such a mechanism. A hidden mechanism is None.
    """
    plain = mechanism and mechanism.without_base_measure()
    if plain is None:
        st.session_state["beside"] = st.session_state["beside"]  # its value is kept
        return None
    asked = st.toggle(wording.beside(plain), key="beside", help=wording.BESIDE_HELP, **KEPT)
    return plain if asked else None


def asked_for(mechanism: Mechanism) -> Mechanism | None:
    """The mechanism that the switch asks for beside this one, as the session has it."""
    return mechanism.without_base_measure() if st.session_state["beside"] else None


def show(*columns: tuple[Mechanism, PrivateText]) -> None:
    """The versions of each mechanism in a column of its own, below its name and its ε."""
    for place, (mechanism, private) in zip(st.columns(len(columns)), columns, strict=True):
        with place:
            st.markdown(wording.column(mechanism, private.vocabulary))
            st.html(prose.headline(private) + prose.versions_markup(private))
