"""Panels whose content is made only while they are open.

Streamlit makes what a closed panel holds as well, at every run of the page and for nobody: on
Private sentences half of a run went into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def panel(
    title: str, key: str, draw: Callable[[], Any], place: DeltaGenerator | None = None
) -> None:
    """A panel, closed at first, that draws its content while it is open.

    Controls in it keep their values in the session, where a page reads them.
    """
    expander = (place or st).expander(title, key=key, on_change="rerun")
    if expander.open:
        with expander:
            draw()
