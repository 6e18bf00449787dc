"""Boxes for numbers that read what was typed, or say why not.

A browser's own box for numbers swallows every sign that it does not know: `1,5` arrives as 15, ten
times the ε, without a word. These are boxes for text, which arrives as typed and is read here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mechanisms.typed_numbers import typed_real, typed_whole
from pages.shared.prose import plain
from pages.shared.showing import is_changed, show_in


def number_box(
    label: str,
    key: str,
    *,
    low: float | None = None,
    high: float | None = None,
    whole: bool = False,
    optional: bool = False,
    place: DeltaGenerator | None = None,
    width: int | Literal["stretch"] = "stretch",
    changed: Callable[[], None] | None = None,
    **look: Any,
) -> Any:
    """A number of the session, by its key, which must be there; an empty box is None if optional.

    What cannot be read, or lies outside of [low, high], changes nothing: the box keeps what was
    typed, and a sentence says the rule and the number that counts. `look` goes to
    `streamlit.text_input`.
    """
    state, typed, refused = st.session_state, _box(key), f"{key}.refused"
    value = state[key]
    kept = state.get(refused)
    if kept is None or kept[0] != value or typed not in state:
        kept = state[refused] = None
        show_in(typed, written(value))
    read = _reader(low, high, whole, optional)
    where = (place or st).container(gap="xsmall", width=width)
    look.pop("persist_state", None)
    where.text_input(label, key=typed, on_change=_take, args=(key, label, read, changed), **look)
    if kept is not None:
        where.error(kept[1])
    return value


def just_typed(key: str, value: Any) -> Any:
    """What was typed into this box since the last run, or else this value."""
    return st.session_state.pop(f"{key}.new", value)


def written(value: float | None) -> str:
    """A number as the box shows it: read again, it is the same number."""
    if value is None:
        return ""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _box(key: str) -> str:
    return f"{key}.typed"


def _take(
    key: str, label: str, read: Callable[[str], Any], changed: Callable[[], None] | None
) -> None:
    state = st.session_state
    text = state[_box(key)]
    if not is_changed(_box(key)):
        return
    try:
        value = read(text)
    except ValueError as error:
        stays = written(state[key]) or "empty"
        shown = plain(text[:40] + ("…" if len(text) > 40 else ""))
        state[f"{key}.refused"] = (
            state[key],
            f"{plain(label)}: “{shown}” {error}. It is still {stays}.",
        )
        return
    state[f"{key}.refused"] = None
    state[key] = state[f"{key}.new"] = value
    if changed is not None:
        changed()


def _reader(
    low: float | None, high: float | None, whole: bool, optional: bool
) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        if optional and not text.strip():
            return None
        value = typed_whole(text) if whole else typed_real(text)
        if (low is not None and value < low) or (high is not None and value > high):
            if high is None:
                raise ValueError(f"must be at least {low:,g}")
            raise ValueError(f"must be at least {low:,} and at most {high:,}")
        return value

    return read
