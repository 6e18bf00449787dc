"""A walk from word to word on the map of neighbours, remembered for the session."""

from __future__ import annotations

import streamlit as st


def map_key() -> str:
    """The key of the map, another one after every step: a browser sends old clicks again."""
    return f"map-{st.session_state.get('steps', 0)}"


def walk() -> None:
    """Go to the word that was clicked on the map, and remember where it was left."""
    points = st.session_state[map_key()].selection.points
    if points:
        trail().append(st.session_state["map-word"])
        _step(points[0]["customdata"][0])


def _step(word: str) -> None:
    st.session_state["map-word"] = word
    st.session_state.steps = st.session_state.get("steps", 0) + 1


def trail() -> list[str]:
    """The words walked through, the last one at the end."""
    return st.session_state.setdefault("trail", [])


def walk_back() -> None:
    """Go back to where the last step was made from."""
    if trail():
        _step(trail().pop())
