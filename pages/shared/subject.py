"""The text that a page draws: one text of the visitor's file, or a typed one.

The file comes first, the typed text is one choice away. A draw of the visitor's own material waits
until it is asked for on the page; a draw of the example does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.shared import material, prose
from pages.shared.settings import KEPT
from release.grammar import counted

# Texts of a file that can be chosen from.
_MOST_TEXTS = 200
_SHOWN = 60
_FILE, _TYPED = "file", "typed"


@dataclass(frozen=True)
class Subject:
    """A text, and the ledger that its draws count in."""

    text: str
    ledger: str
    of_file: bool
    example: bool

    @property
    def waits(self) -> bool:
        """Whether nobody asked yet for a draw of this text."""
        return not self.example and not material.may_draw(self.text)

    def ask(self, versions: int, columns: int = 1) -> None:
        """A button that asks for the draw, with what it costs."""
        draws = counted(versions * columns, "version")
        st.info(
            f"Nothing is drawn until you ask for it. Each draw of {prose.plain(self.name)} adds to "
            "its ε, because you may pick the one to release."
        )
        st.button(
            f"🎲 Draw {draws} of this text",
            on_click=material.ask_for_draws,
            args=(self.text,),
            type="primary",
        )

    @property
    def name(self) -> str:
        """What a sentence calls the material that the text belongs to."""
        return str(st.session_state.file.name) if self.of_file else "your text"


def control(box: str, example: str, most: int) -> Subject:
    """Choose the text; `box` is the key of the box for a typed one, at first the example."""
    if material.has_file() and _source(box) == _FILE:
        return _of_file(box, most)

    def typed_here() -> None:
        material.ask_for_draws(st.session_state[box])

    text = st.text_area(
        "Your text",
        key=box,
        height=96,
        help=material.KEPT_FOR,
        on_change=typed_here,
        **KEPT,
    )
    is_example = text == example or bool(st.session_state.get("text-in-link"))
    return Subject(text, text, of_file=False, example=is_example)


def _source(box: str) -> str:
    names = {_FILE: prose.plain(st.session_state.file.name), _TYPED: "a typed text"}
    key = f"{box}.subject"
    st.session_state.setdefault(key, _FILE)
    return st.segmented_control(
        "Text for this page",
        list(names),
        format_func=names.__getitem__,
        key=key,
        required=True,
        **KEPT,
    )


def _of_file(box: str, most: int) -> Subject:
    file, texts = st.session_state.file, material.texts()[:_MOST_TEXTS]
    number = st.selectbox(
        f"One of the first {counted(len(texts), 'text')}",
        range(len(texts)),
        format_func=lambda i: f"{i + 1}: {prose.plain(_cut(texts[i], _SHOWN))}",
        key=f"{box}.text-of.{file.token}",
        **KEPT,
    )
    text = _cut(texts[number], most)
    if text != texts[number]:
        st.caption(f"The first {len(text):,} of its {len(texts[number]):,} characters.")
    st.text(text)
    return Subject(text, file.ledger, of_file=True, example=False)


def _cut(text: str, most: int) -> str:
    """The first characters of a text, without a part of a word where that is possible."""
    if len(text) <= most:
        return text
    return text[:most].rsplit(maxsplit=1)[0] if " " in text[:most].strip() else text[:most]
