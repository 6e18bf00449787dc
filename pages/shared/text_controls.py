"""How many versions of a text are drawn, what is done to it before, and the seed."""

from __future__ import annotations

import streamlit as st

from mechanisms.text import Case, Unknown
from pages.shared.number_box import number_box
from pages.shared.settings import Setting, choice, kept, whole_number

SETTINGS: dict[str, Setting] = {
    "versions": whole_number(3, 1, 20),
    "unknown": choice("random", {u: u for u in ("random", "mask", "drop", "keep")}),
    "case": choice("lower", {"lower": "lower", "as-typed": "as typed"}),
    "seed": whole_number(None, 0, 2**31 - 1),
}


SEEDED = (
    "These versions were drawn with a seed, for demonstration only: anyone who knows the seed can "
    "undo them."
)


def versions_control() -> int:
    """Choose how many private versions are drawn."""
    return st.slider("Private versions", 1, 20, **kept("versions"))


def text_controls() -> tuple[Unknown, Case]:
    """Choose what happens to unknown words, and the letter case."""
    explained = {
        "random": "draw them as the unknown word",
        "mask": "mask them: shows that they were unknown",
        "drop": "leave them out: may show that they were unknown",
        "keep": "keep them: not protected",
    }
    unknown = st.selectbox(
        "Words and numbers that the vocabulary lacks",
        list(explained),
        format_func=lambda option: explained[option],
        help="If they are drawn, all of them count as one word, the unknown word; *What is "
        "promised* says what holds for it. No promise covers the other three choices.",
        **kept("unknown"),
    )
    case = st.selectbox(
        "Letter case",
        ["lower", "as typed"],
        format_func=lambda option: {
            "lower": "lower case",
            "as typed": "as typed: reveals the case",
        }[option],
        **kept("case"),
    )
    return unknown, case


def seed_control() -> int | None:
    """A seed for demonstrations, or None for draws that nobody can repeat."""
    return number_box(
        "Seed, for demonstrations",
        low=0,
        high=2**31 - 1,
        whole=True,
        optional=True,
        placeholder="none: cannot be repeated",
        help="Without a seed, draws come from a cryptographic generator. With one, the same text "
        "and settings repeat the same draws, and anyone who knows the seed can undo them.",
        **kept("seed"),
    )
