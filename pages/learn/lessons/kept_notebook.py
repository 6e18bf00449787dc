"""The notebook of the lessons, which a tab finds again after a reload (`pages.shared.vault`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.shared import tab
from pages.shared.vault import Vault

Kept = TypeVar("Kept")

NOTEBOOKS: Vault[Any] = Vault()
_here = tab.OfTab(NOTEBOOKS, "notebook-found")


def notebook(begin: Callable[[], Kept]) -> Kept:
    """The notebook of this tab, or of this session until the tab has sent its token."""
    if "notebook" not in st.session_state:
        st.session_state["notebook"] = begin()
    if (found := _here.take_up()) is not None:
        st.session_state["notebook"] = found
    _keep()
    mine: Kept = st.session_state["notebook"]
    return mine


def _keep() -> None:
    """Keep the notebook for its tab, if there is one."""
    if (mine := st.session_state.get("notebook")) is not None:
        _here.keep(mine)


tab.tell(_keep)
