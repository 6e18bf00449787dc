"""Settings and controls of the page Deniability: which words, which S_w, what is demanded."""

from __future__ import annotations

from typing import Any

import streamlit as st

from measures.words import targets
from measures.words.deniability import MOST_OF_TEXT, Support
from pages.deniability import wording as deniability_wording
from pages.shared import material, prose, terms
from pages.shared.number_box import number_box
from pages.shared.settings import KEPT, Setting, choice

# The deniability page: which words, how many, and which S_w.
SAMPLES = {
    "random": "random words",
    "frequent": "the most frequent words",
    "rare": "the rarest words",
    "text": "the words of your text",
}

COUNTS = (50, 100, 300)

DRAWS = (100, 200, 1000)

SUPPORTS = {
    "distinct": "different words in m draws",
    "effective": "words that make up 99 %",
    "percentage": "different replacements, in % of m draws",
}

SETTINGS: dict[str, Setting] = {
    "sample": choice("random", {how: how for how in SAMPLES}),
    "count": choice(100, {str(count): count for count in COUNTS}),
    "support": choice("distinct", {which: which for which in SUPPORTS}),
    "draws": choice(100, {str(draws): draws for draws in DRAWS}),
}


def words_of_material() -> str:
    """What the words of the material are called; the example has no owner."""
    name = material.name()
    return SAMPLES["text"] if name == "your text" else f"the words of {prose.plain(name)}"


def sample_controls() -> tuple[str, int]:
    """Choose words: how, and how many."""
    samples = {**SAMPLES, "text": words_of_material()}
    st.selectbox(
        "Words to look at",
        list(samples),
        format_func=samples.__getitem__,
        key="sample",
        help="Words of your file or text stay in this session. Of a large file, only the first "
        f"{material.MOST_CHARACTERS:,} characters are used.",
        **KEPT,
    )
    st.segmented_control(
        "How many",
        COUNTS,
        key="count",
        required=True,
        disabled=st.session_state["sample"] == "text",
        help=f"Of your text, all known words are used, or the {MOST_OF_TEXT} rarest.",
        **KEPT,
    )
    return st.session_state["sample"], st.session_state["count"]


def support_controls() -> tuple[Support, int]:
    """Choose what S_w means, and its m."""
    support = st.selectbox(
        "S_w means",
        list(SUPPORTS),
        format_func=lambda which: SUPPORTS[which],
        key="support",
        help=deniability_wording.SUPPORT_HELP,
        **KEPT,
    )
    draws = st.segmented_control(
        "m, draws of each word",
        DRAWS,
        key="draws",
        required=True,
        disabled=support == "effective",
        **KEPT,
    )
    return support, draws


def demand_controls(support: Support) -> list[targets.Demand]:
    """Tick what is wanted: words that may stay, outputs that must be possible, words to keep."""
    wanted: list[targets.Demand] = []
    which: Any = "support" if support == "effective" else "distinct"
    rows = (
        ("N_w: at most … %", "stays at most", 50, 1, 100),
        ("S_w: at least …", "outputs at least", 30, 1, 10**6),
        ("Mean N_w: about … %", "stays about", 70, 1, 99),
    )
    for column, (label, kind, default, low, high) in zip(st.columns(3), rows, strict=True):
        with column:
            ticked = st.checkbox(
                label,
                kind == "stays at most",
                key=f"demand.{kind}",
                help=terms.explained("s_w" if kind == "outputs at least" else "n_w"),
                **KEPT,
            )
            key = f"demand.{kind}.value"
            st.session_state.setdefault(key, default)
            value = number_box(
                label,
                key,
                low=low,
                high=high,
                whole=True,
                label_visibility="collapsed",
                disabled=not ticked,
                **KEPT,
            )
            over = "worst"
            if kind != "stays about":
                over = st.segmented_control(
                    "over the words",
                    ["worst", "mean"],
                    default="worst",
                    required=True,
                    format_func=lambda o: {"worst": "worst case", "mean": "on average"}[o],
                    key=f"demand.{kind}.over",
                    label_visibility="collapsed",
                    disabled=not ticked,
                    **KEPT,
                )
            if ticked:
                amount = value if kind == "outputs at least" else value / 100
                wanted.append(
                    targets.Demand(kind, amount, "mean" if kind == "stays about" else over, which)
                )
    return wanted
