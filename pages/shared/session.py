"""A visitor: a name, the Streamlit session, and the results that end with it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def visitor() -> str:
    """A name for this session that tells nothing about the visitor."""
    return st.session_state.setdefault("visitor", secrets.token_hex(8))


_addresses: dict[str, str] = {}
_MOST_ADDRESSES = 10_000


def address(viewer: str) -> str:
    """The Streamlit session that a visitor is at; after a reload it is another one."""
    return _addresses.get(viewer, "")


def be_here() -> None:
    """Note which Streamlit session this visitor is at."""
    context = get_script_run_ctx()
    if context is not None:
        _addresses.pop(visitor(), None)
        _addresses[visitor()] = context.session_id
        while len(_addresses) > _MOST_ADDRESSES:
            del _addresses[next(iter(_addresses))]


Result = TypeVar("Result")


def once(key: Hashable, compute: Callable[[], Result], most: int = 20) -> Result:
    """A result of this session: the one already there, or computed; the last few asked for stay."""
    kept = st.session_state.setdefault("once", {})
    result = kept.pop(key) if key in kept else compute()
    while len(kept) >= most:
        kept.pop(next(iter(kept)))
    kept[key] = result
    return result


def replace_once(key: Hashable, result: object) -> None:
    """Put another result of this session in the place of one that `once` keeps."""
    st.session_state.setdefault("once", {})[key] = result
