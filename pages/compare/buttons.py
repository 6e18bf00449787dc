"""The buttons of a column: pin, swap, TEM beside it, and open on the page Private sentences."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from mechanisms import Mechanism
from pages.compare import column_draws, wording
from pages.compare.columns import SLUGS, Stand, renew
from pages.shared import classroom


def buttons(one: Stand, count: int) -> None:
    """Pin, swap with the next, TEM beside, and show on the page of private sentences."""
    row = st.container(horizontal=True)
    row.button(
        "📌 Unpin" if one.column.pinned else "📌 Pin",
        key=f"pin.{one.number}",
        on_click=_pin,
        args=(one.number, one.mechanism, one.choice.name),
        disabled=one.mechanism is None,
        help="A pinned column keeps its mechanism and ε while the others change.",
        width="stretch",
    )
    other = one.number % count + 1
    row.button(
        f"⇄ with {other}",
        key=f"swap.{one.number}",
        on_click=_swap,
        args=(one.number, other),
        help="Swap this column with the other. Nothing is drawn again.",
        width="stretch",
    )
    if one.mechanism is not None and (plain := one.mechanism.without_base_measure()):
        row.button(
            wording.beside(plain),
            key=f"beside.{one.number}",
            on_click=_beside,
            args=(other, plain, one.column.embedding),
            help=wording.BESIDE_HELP,
            width="stretch",
        )
    row.button(
        "✍️ Open",
        key=f"copy.{one.number}",
        on_click=column_draws.show_on_perturb_page,
        args=(one.mechanism, one.choice, SLUGS[type(one.column.mechanism)]),
        disabled=one.mechanism is None or bool(classroom.locked_names()),
        help="Open the page Private sentences with these settings and this sentence.",
        width="stretch",
    )


def _swap(number: int, other: int) -> None:
    """Exchange two columns, with all that belongs to them."""
    one, two = st.session_state[f"column-{number}"], st.session_state[f"column-{other}"]
    st.session_state[f"column-{number}"], st.session_state[f"column-{other}"] = two, one
    renew()


def _beside(number: int, mechanism: Mechanism, embedding: str) -> None:
    """Put a mechanism into a column, and all columns at its ε."""
    column = st.session_state[f"column-{number}"]
    st.session_state[f"column-{number}"] = replace(
        column, mechanism=mechanism, embedding=embedding, pinned=False
    )
    st.session_state["compare-by"] = "epsilon"
    st.session_state["common-eps"] = mechanism.epsilon
    renew()


def _pin(number: int, mechanism: Mechanism, embedding: str) -> None:
    """Hold a column as it is on screen, or let it go."""
    column = st.session_state[f"column-{number}"]
    if column.pinned:
        held = replace(column, pinned=False)
    else:
        held = replace(column, mechanism=mechanism, embedding=embedding, pinned=True)
    st.session_state[f"column-{number}"] = held
    renew()
