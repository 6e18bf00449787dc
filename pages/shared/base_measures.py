"""Beside the control of a base measure: what q is, where it is from, and that it must be public."""

from __future__ import annotations

from typing import Any

import streamlit as st

from data.embeddings import VocabularyChoice
from mechanisms import Mechanism
from mechanisms.base_measure import RANKS, counts_of
from pages.shared import base_measures_wording as wording
from pages.shared import cached, prose


def panel(mechanism: Mechanism, choice: VocabularyChoice, key: str) -> None:
    """One line that q must be public, and one click to what it is; nothing if there is no q.

    The ε of the mechanism plays no part.
    """
    if "q" not in (symbols := _values(mechanism)):
        return
    with st.container(key=f"{key}-row", gap=None):
        st.caption(wording.MUST_BE_PUBLIC)
        about = st.popover(wording.ABOUT, key=key, on_change="rerun")
    if about.open:
        with about:
            try:
                st.markdown(_told(mechanism, symbols, choice))
            except (OSError, ValueError) as error:
                st.error(prose.plain(str(error)))


def _values(mechanism: Mechanism) -> dict[str, Any]:
    """The values of the parameters by their symbols."""
    declared = mechanism.parameters()
    return {each.symbol: getattr(mechanism, field) for field, each in declared.items()}


def _told(mechanism: Mechanism, values: dict[str, Any], choice: VocabularyChoice) -> str:
    """What q is, with these parameters, on this vocabulary."""
    vocabulary, counts = cached.vocabulary(choice), None
    if values["q"] != RANKS:
        with st.spinner(wording.COUNTING):
            counts = counts_of(vocabulary, values["q"])
    smallest = mechanism.derived(vocabulary)["smallest q"]
    return "\n\n".join(
        [
            wording.MEANING,
            wording.ranks() if counts is None else wording.counted_in(counts, len(vocabulary)),
            *wording.looks_back(values.get("n"), counts),
            wording.weighed(values["κ"], smallest, len(vocabulary)),
            wording.PUBLIC,
        ]
    )
