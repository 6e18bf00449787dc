"""Lesson 4: choosing ε, where the worst word decides."""

from __future__ import annotations

from typing import Any

import streamlit as st

from measures import lessons
from mechanisms import CMP
from pages.learn import charts, controls, wording
from pages.learn.lessons import frame, public_words, worst_wording
from pages.shared import downloads
from pages.shared.settings import KEPT

LESSON = 4
SETTINGS = ("worst-eps", "worst-limit")


def predict() -> None:
    """Guess the worst of a hundred."""
    st.markdown(worst_wording.WORST_STORY)
    frame.guess_percent(LESSON, worst_wording.WORST_GUESS, "worst-guess")


def explore() -> None:
    """Turn ε and the limit, and see which words stay above it."""
    words = hundred()
    limit_box, epsilon_box = st.columns(2, gap="large")
    limit = limit_box.slider("My limit: stays at most … %", 10, 90, key="worst-limit", **KEPT)
    with epsilon_box:
        epsilon = _epsilon_slider()
    finding = _figure(words, epsilon, limit / 100)
    st.caption(worst_wording.how_to_read_worst(words))
    asked = _at_half(words)
    st.markdown(asked)
    frame.found(LESSON, finding, asked)


def check() -> None:
    """Find ε for the worst word, and see what the average hides."""
    words, limit = hundred(), st.session_state["worst-limit"] / 100
    figure, answers = st.columns([3, 2], gap="large")
    with figure:
        question = worst_wording.find_question(limit)
        st.markdown(question)
        slider, button = st.columns([3, 1], vertical_alignment="bottom")
        with slider:
            epsilon = _epsilon_slider()
        if button.button("This one", type="primary", width="stretch"):
            st.session_state["worst-answer"] = (epsilon, limit)
        _figure(words, epsilon, limit)
    with answers:
        if st.session_state.get("worst-answer") == (epsilon, limit):
            right = words.most_for_all(limit)
            why = worst_wording.find_answer(words, epsilon, right, limit, _worst(words, epsilon))
            frame.answered(LESSON, "find", question, f"ε = {epsilon:g}", epsilon == right, why)
        about = lessons.breaking_question(words, limit)
        if about is not None:
            frame.ask(
                LESSON,
                "breaking",
                worst_wording.breaking_question(words, limit),
                about,
                lambda name: wording.whole(about.options[name]),
                lambda name: worst_wording.breaking_answer(name, words, limit),
            )


def hundred() -> lessons.Hundred:
    """The hundred words of this lesson at every ε of its slider: two seconds, the first time."""
    return public_words.hundred(CMP.family(), frame.CHOICE, controls.WORST_STEPS)


def _epsilon_slider() -> float:
    return st.select_slider(
        "ε of CMP",
        controls.WORST_STEPS,
        key="worst-eps",
        format_func=lambda step: f"{step:g}",
        **frame.EPSILON,
    )


def _worst(words: lessons.Hundred, epsilon: float) -> str:
    return frame.vocabulary().words[words.worst(epsilon)[0]]


def _at_half(words: lessons.Hundred) -> str:
    """The answer to the question of the first step, and the guess."""
    found = words.where_mean_is(0.5)
    if found is None:
        return ""
    epsilon, stays = found
    at = int(stays.value.argmax())
    worst = frame.vocabulary().words[words.word_ids[at]]
    return worst_wording.half_finding(epsilon, stays[at], worst, frame.guessed(LESSON))


def _figure(words: lessons.Hundred, epsilon: float, limit: float) -> str:
    """The histogram at one ε, and what it shows."""
    worst = _worst(words, epsilon)
    finding = worst_wording.worst_finding(words, epsilon, limit, worst)
    st.markdown(finding)
    downloads.figure(
        st, charts.worst_word(words.at(epsilon), limit, worst), alt=finding, key="worst_figure"
    )
    return finding


def take_along() -> dict[str, Any]:
    """CMP at the ε of the lesson."""
    return {"mechanism": CMP, "cmp.epsilon": st.session_state["worst-eps"]}
