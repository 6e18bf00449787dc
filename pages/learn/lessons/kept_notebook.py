"""The notebook of the lessons, which a tab finds again after a reload (`pages.shared.vault`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.shared import tab
from pages.shared.vault import Vault

Kept = TypeVar("Kept")

NOTEBOOKS: Vault[Any] = Vault()


def notebook(begin: Callable[[], Kept]) -> Kept:
    """The notebook of this tab, or of this session until the tab has sent its token."""
    if "notebook" not in st.session_state:
        st.session_state["notebook"] = begin()
    mine: Kept = st.session_state["notebook"]
    token = tab.token()
    if token is None:
        return mine
    if not st.session_state.get("notebook-found"):
        st.session_state["notebook-found"] = True
        mine = st.session_state["notebook"] = NOTEBOOKS.find(token) or mine
    NOTEBOOKS.keep(token, mine)
    return mine
