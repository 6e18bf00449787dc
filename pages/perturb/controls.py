"""Settings and controls of the page Private sentences, and the line of values in force."""

from __future__ import annotations

import streamlit as st

from data.embeddings import VocabularyChoice
from mechanisms import MECHANISMS, Mechanism
from pages.perturb import drawing
from pages.shared import cached, material, own_embedding, prose, terms
from pages.shared.settings import KEPT, Setting, switch

SETTINGS: dict[str, Setting] = {
    "beside": switch(),
}


def text() -> None:
    """Type a text; at first the example is there."""
    st.session_state.setdefault("text", material.EXAMPLE)
    st.text_area(
        "Your text",
        key="text",
        height=96,
        help=material.KEPT_FOR,
        on_change=drawing.draw_in_parts,
        **KEPT,
    )


def in_force(mechanism: Mechanism | None, choice: VocabularyChoice) -> None:
    """The embedding in force, and values that follow from a mechanism that is not hidden."""
    words, about = cached.vocabulary(choice), ["embedding"]
    line = [
        prose.embedding(own_embedding.embedding_label(choice.name), words.dimensions, len(words))
    ]
    if mechanism is not None:
        cls, having = type(mechanism), [c.name for c in MECHANISMS if _has_gamma(c)]
        line += [prose.no_gamma(having, cls.name)] if not _has_gamma(cls) else []
        line += [prose.derived(mechanism.derived(words))]
        about.append("gamma")
    st.caption(" ".join(line), help=terms.explained(*about))


def _has_gamma(cls: type[Mechanism]) -> bool:
    return any(declared.symbol == "γ" for declared in cls.parameters().values())
