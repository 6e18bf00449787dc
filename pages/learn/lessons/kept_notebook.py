"""The notebook of the lessons, which a tab finds again after a reload (`pages.shared.vault`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.shared import tab
from pages.shared.vault import Vault

Kept = TypeVar("Kept")

NOTEBOOKS: Vault[Any] = Vault()

_FOUND = "notebook-found"


def notebook(begin: Callable[[], Kept]) -> Kept:
    """The notebook of this tab, or of this session until the tab has sent its token."""
    if "notebook" not in st.session_state:
        st.session_state["notebook"] = begin()
    token = tab.token()
    if token is not None and not st.session_state.get(_FOUND):
        st.session_state[_FOUND] = True
        if found := NOTEBOOKS.find(token):
            st.session_state["notebook"] = found
    _keep()
    mine: Kept = st.session_state["notebook"]
    return mine


def _keep() -> None:
    """Keep the notebook for its tab; one of before that is still to be taken up stays there."""
    token, mine = tab.token(), st.session_state.get("notebook")
    if token is None or mine is None:
        return
    if st.session_state.get(_FOUND) or NOTEBOOKS.find(token) is None:
        NOTEBOOKS.keep(token, mine)


tab.finds(NOTEBOOKS)
tab.tell(_keep)
