"""The guess of a hidden mechanism, or of a hidden ε on a slider, and how close it was.

In a live class the guesses are questions of the class, with the coin in the browser; the board has
their histogram. Otherwise they are not counted.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import streamlit as st

from mechanisms import MECHANISMS, Mechanism
from pages.shared.live import questions, student, wording
from pages.shared.live.questions import Asked
from pages.shared.live.student import Option
from pages.shared.prose import plain

STEPS = (0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 75, 100, 200, 500, 1000)


def ask(mechanism: Mechanism, hidden: Sequence[str]) -> None:
    """Ask for what is hidden of this mechanism."""
    if student.live() is not None:
        _ask_the_class(mechanism, hidden)
        return
    with st.form("guess-form"):
        name = None
        if "mechanism" in hidden:
            names = [cls.name for cls in MECHANISMS]
            name = st.selectbox(wording.GUESS_MECHANISM, names, index=None, key="guess-mechanism")
        epsilon = None
        if "eps" in hidden:
            epsilon = st.select_slider(wording.GUESS_EPSILON, STEPS, 5, key="guess-epsilon")
        sent = st.form_submit_button(wording.GUESS, type="primary")
    if not sent:
        return
    if "mechanism" in hidden and name is None:
        st.warning(wording.GUESS_MISSING)
        return
    if name is not None:
        _say(name == mechanism.name, wording.guessed_mechanism(name == mechanism.name))
    if epsilon is not None:
        close = questions.closeness(float(epsilon), mechanism.epsilon)
        _say(close == "close", wording.guessed_epsilon(close))


def _say(right: bool, sentence: str) -> None:
    (st.success if right else st.error)(sentence)


def _ask_the_class(mechanism: Mechanism, hidden: Sequence[str]) -> None:
    """The same as questions of the class; two links with one secret are one question."""
    about = f"{mechanism!r}{sorted(hidden)}{student.code()}"
    game = f"guess.{zlib.crc32(about.encode()):08x}"
    if "mechanism" in hidden:
        options = [
            Option(
                place,
                plain(name),
                wording.guessed_mechanism(name == mechanism.name),
                name == mechanism.name,
            )
            for place, name in enumerate(questions.OF_MECHANISM.options)
        ]
        _asked(f"{game}.mechanism", questions.OF_MECHANISM, wording.GUESS_MECHANISM, options)
    if "eps" in hidden:
        options = []
        for step in STEPS:
            close = questions.closeness(float(step), mechanism.epsilon)
            place = questions.OF_EPSILON.place(close)
            said = wording.guessed_epsilon(close)
            options.append(Option(place, f"{step:g}", said, close == "close"))
        _asked(f"{game}.epsilon", questions.OF_EPSILON, wording.GUESS_EPSILON, options)


def _asked(key: str, asked: Asked, legend: str, options: Sequence[Option]) -> None:
    st.markdown(f"**{legend}**")
    student.ask(key, asked, legend, options)
