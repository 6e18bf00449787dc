"""What a browser's tab does for the lessons: it finds its notebook again, and moves the focus.

A tab holds a random 128-bit token in its own storage. Under it the server keeps the notebook of the
lessons in memory, so that a reload, which is a new session to Streamlit, goes on with it. After
fifteen minutes without a visit it is wiped. Nothing else is kept, and nothing is written to disk.

When a button has opened a step, the focus is on its heading: the button is gone, and the keyboard
and a screen reader would begin at the top of the page.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

SECONDS = 15 * 60
_MOST = 1_000

_JS = """
export default function ({ data, setStateValue }) {
  try {
    let token = sessionStorage.getItem("wordveil");
    if (!token) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      token = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
      sessionStorage.setItem("wordveil", token);
    }
    if (data.token !== token) setStateValue("token", token);
  } catch (error) {}  // a browser that keeps nothing: the notebook ends with the session
  if (data.opened && data.opened !== window.wordveilOpened) {
    window.wordveilOpened = data.opened;
    setTimeout(() => {
      const heading = document.querySelector("[data-testid=stMain] h2");
      if (heading) { heading.tabIndex = -1; heading.focus(); }
    }, 100);
  }
}
"""

Kept = TypeVar("Kept")

_notebooks: dict[str, tuple[float, Any]] = {}
_lock = Lock()


@cache
def _component() -> Any:
    return st.components.v2.component("wordveil_tab", js=_JS)


def opened() -> None:
    """Note that a button has opened a step: the focus goes to its heading."""
    st.session_state["steps-opened"] = st.session_state.get("steps-opened", 0) + 1


def attend() -> None:
    """Be in the page: tell the server the tab's token, and the browser where the focus goes."""
    told = st.session_state.get("tab-token")
    found = _component()(
        key="tab",
        data={"token": told, "opened": st.session_state.get("steps-opened", 0)},
        default={"token": None},
        on_token_change=lambda: None,
        height=1,
    )
    token = found.token
    if isinstance(token, str) and re.fullmatch("[0-9a-f]{32}", token) and token != told:
        st.session_state["tab-token"] = token


def notebook(begin: Callable[[], Kept]) -> Kept:
    """The notebook of this tab, or of this session as long as the tab has not told its token."""
    if "notebook" not in st.session_state:
        st.session_state["notebook"] = begin()
    mine: Kept = st.session_state["notebook"]
    token = st.session_state.get("tab-token")
    if token is None:
        return mine
    if not st.session_state.get("notebook-found"):
        st.session_state["notebook-found"] = True
        mine = st.session_state["notebook"] = _found(token) or mine
    _keep(token, mine)
    return mine


def _found(token: str) -> Any:
    with _lock:
        _wipe()
        return _notebooks.get(token, (0.0, None))[1]


def _keep(token: str, mine: Any) -> None:
    with _lock:
        _wipe()
        _notebooks.pop(token, None)  # the last one that was visited is the last in the order
        _notebooks[token] = (time.monotonic(), mine)


def _wipe() -> None:
    """Forget notebooks that nobody has visited for a while, and the oldest of too many."""
    late = time.monotonic() - SECONDS
    for token in [token for token, (at, _) in _notebooks.items() if at < late]:
        del _notebooks[token]
    while len(_notebooks) >= _MOST:
        del _notebooks[next(iter(_notebooks))]
