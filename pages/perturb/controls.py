"""Settings of the page Private sentences, the box of its text, and the line of values in force."""

from __future__ import annotations

import streamlit as st

from mechanisms import MECHANISMS, Mechanism, Vocabulary
from pages.shared import material, own_embedding, parts, prose, terms
from pages.shared.settings import KEPT, Setting, switch

SETTINGS: dict[str, Setting] = {
    "beside": switch(),
}


def text() -> None:
    """Type a text."""
    st.text_area(
        "Your text",
        key="text",
        height=96,
        help=material.KEPT_FOR,
        on_change=parts.run_again,
        **KEPT,
    )


def in_force(mechanism: Mechanism | None, embedding: str, words: Vocabulary) -> None:
    """The embedding in force, and values that follow from a mechanism that is not hidden."""
    about = ["embedding"]
    line = [prose.embedding(own_embedding.embedding_label(embedding), words.dimensions, len(words))]
    if mechanism is not None:
        cls, having = type(mechanism), [c.name for c in MECHANISMS if _has_gamma(c)]
        line += [prose.no_gamma(having, cls.name)] if not _has_gamma(cls) else []
        line += [prose.derived(mechanism.derived(words))]
        about.append("gamma")
    st.caption(" ".join(line), help=terms.explained(*about))


def _has_gamma(cls: type[Mechanism]) -> bool:
    return any(declared.symbol == "γ" for declared in cls.parameters().values())
