"""What a browser's tab tells the server and is told: its token, and where the focus goes.

A tab holds a random 128-bit token in its own storage. Under it the server finds what the tab had
before a reload, which is a new session to Streamlit. The first run of a session comes before the
tab has told its token. The page runs again by itself only if something of this tab is found: a
second run would undo what is typed meanwhile.

When a button has opened a step of a lesson, the focus is on its heading: the button is gone, and
the keyboard and a screen reader would begin at the top of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import history
from pages.shared.fragments import fragment
from pages.shared.vault import Vault

_WITH_STEPS = "learn"
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
  } catch (error) {}  // a browser that keeps nothing: what is here ends with the session
  if (data.opened && data.opened !== window.wordveilOpened) {
    window.wordveilOpened = data.opened;
    setTimeout(() => {
      const heading = document.querySelector("[data-testid=stMain] h2");
      if (heading) { heading.tabIndex = -1; heading.focus(); }
    }, 100);
  }
}
"""


@cache
def _component() -> Any:
    return st.components.v2.component("wordveil_tab", js=_JS)


Kept = TypeVar("Kept")


class OfTab(Generic[Kept]):
    """The thing of this tab in a vault: taken up once, before another takes its place."""

    def __init__(self, vault: Vault[Kept], taken_up: str) -> None:
        """Take the vault, and the key under which a session notes that it has looked there."""
        self._vault, self._taken_up = vault, taken_up
        _kept.append(self)

    def take_up(self) -> Kept | None:
        """What the tab had before this session; None without a token, and after the first time."""
        mine = token()
        if mine is None or st.session_state.get(self._taken_up):
            return None
        st.session_state[self._taken_up] = True
        return self._vault.find(mine)

    def waits(self) -> bool:
        """Whether what the tab had before this session is still to be taken up."""
        mine = token()
        if mine is None or st.session_state.get(self._taken_up):
            return False
        return self._vault.find(mine) is not None

    def keep(self, thing: Kept | None) -> None:
        """Keep this for the tab from now on, or nothing; not in place of what waits."""
        mine = token()
        if mine is None or self.waits():
            return
        if thing is None:
            self._vault.drop(mine)
        else:
            self._vault.keep(mine, thing)


_kept: list[OfTab[Any]] = []
_to_tell: list[Callable[[], None]] = []


def tell(of_changes: Callable[[], None]) -> None:
    """Call this whenever a run of a page changes what the tab should find again."""
    _to_tell.append(of_changes)


def changed() -> None:
    """Note a change: a session that ends now is found with it. A page may stop at any time."""
    for each in _to_tell:
        each()


def opened() -> None:
    """Note that a button has opened a step: the focus goes to its heading."""
    st.session_state["steps-opened"] = st.session_state.get("steps-opened", 0) + 1


def attend(page: str) -> None:
    """Be in a page, by its address: learn the tab's token, and tell it where the focus goes.

    Once there is nothing to learn or to tell, the component is left out: Streamlit reads it anew
    for every box of a page.
    """
    told, place = token(), st.empty()
    if told and page != _WITH_STEPS:
        return
    if history.is_old_link(page):  # left at once: an answer of the tab would open it once more
        return
    with place:
        _ask()


@fragment()
def _ask() -> None:
    told = token()
    found = _component()(
        key="tab",
        data={"token": told, "opened": st.session_state.get("steps-opened", 0)},
        default={"token": None},
        on_token_change=lambda: None,
        height=1,
    )
    new = found.token
    if not isinstance(new, str) or not re.fullmatch("[0-9a-f]{32}", new) or new == told:
        return
    st.session_state["tab-token"] = new
    if get_script_run_ctx().fragment_ids_this_run:  # the page has run without it
        if any(each.waits() for each in _kept):
            st.rerun()
        changed()


def token() -> str | None:
    """The token of this tab; None as long as the tab has not told it."""
    return st.session_state.get("tab-token")
