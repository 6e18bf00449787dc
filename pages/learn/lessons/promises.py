"""Lesson 5: which mechanisms keep their promises, and how to find out."""

from __future__ import annotations

from typing import Any

import streamlit as st

from measures import lessons
from measures.audits.findings import titled
from mechanisms.randomness import release_rng
from pages.learn import charts, controls, wording
from pages.learn.lessons import frame, promises_wording
from pages.shared import downloads, session
from pages.shared.settings import KEPT

LESSON = 5
SETTINGS = ("promised", "promise-eps")
DRAWS = 2_000
_WORD, _OTHER = ("promise-word", "monday"), ("promise-other", "tuesday")


def predict() -> None:
    """Guess whether never returning the word is more private."""
    st.markdown(promises_wording.promise_story("monday"))
    frame.guess_one(LESSON, "promise-guess", promises_wording.PROMISE_GUESSES)


def explore() -> None:
    """Draw for two words, and compare the counts with the promise."""
    left, right = st.columns([2, 4], gap="large")
    with left:
        st.selectbox(
            "Mechanism",
            controls.PROMISED,
            format_func=lambda row: titled(lessons.variant_at(*row, 1.0)),
            key="promised",
            **KEPT,
        )
        one, two = st.columns(2)
        with one:
            word = frame.word_box("Word", *_WORD)
        with two:
            other = frame.word_box("Against", *_OTHER)
        st.slider("ε", 2.0, 20.0, step=0.5, key="promise-eps", **frame.EPSILON)
        st.button("🎲 Draw again", on_click=_again, width="stretch")
    if word is None or other is None:
        return
    if word == other:
        right.info(wording.SAME_WORDS)
        return
    trial, name = _trial()
    typed, against = _words(trial)
    finding = promises_wording.promise_finding(trial, typed, against, name, frame.guessed(LESSON))
    with right:
        downloads.figure(
            st,
            charts.two_groups(
                (f"typed “{typed}”", f"typed “{against}”"),
                (trial.from_word, trial.from_other),
                max(trial.from_word, trial.from_other, 1),
                f"see “{typed}” come out, of {trial.draws:,} each",
            ),
            alt=finding,
            key="promise_figure",
        )
        st.markdown(finding)
        with st.expander(promises_wording.KEEPERS):
            st.markdown(promises_wording.keepers(*lessons.keepers(frame.vocabulary())))
    frame.found(LESSON, finding)


def check() -> None:
    """Ask what one output rules out, which ε would be true, and what draws prove."""
    if frame.word_of(*_WORD) == frame.word_of(*_OTHER):
        st.info(wording.SAME_WORDS)
        return
    trial, name = _trial()
    typed, against = _words(trial)
    labels = {"word": typed, "other": against, **promises_wording.IMPOSSIBLE_OPTIONS}
    ruled_out = lessons.impossible_question(trial)
    frame.ask(
        LESSON,
        "impossible",
        promises_wording.impossible_question(typed, against, name),
        ruled_out,
        labels.__getitem__,
        lambda chosen: promises_wording.impossible_answer(chosen, trial, typed, against),
    )
    frame.ask(
        LESSON,
        "needed",
        promises_wording.needed_question(name, st.session_state["promise-eps"]),
        lessons.needed_question(trial),
        promises_wording.NEEDED_OPTIONS.__getitem__,
        lambda chosen: promises_wording.needed_answer(chosen, trial),
    )
    frame.ask(
        LESSON,
        "proof",
        promises_wording.proof_question(trial, typed),
        lessons.proof_question(trial),
        promises_wording.PROOF_OPTIONS.__getitem__,
        lambda chosen: promises_wording.proof_answer(chosen, trial),
    )


def _again() -> None:
    st.session_state["promise-roll"] = st.session_state.get("promise-roll", 0) + 1


def _trial() -> tuple[lessons.Trial, str]:
    """The draws of this session for these settings, and the name of what was drawn."""
    mechanism = lessons.variant_at(*st.session_state["promised"], st.session_state["promise-eps"])
    word, other = frame.word_of(*_WORD), frame.word_of(*_OTHER)
    key = ("trial", mechanism, word, other, st.session_state.get("promise-roll", 0))
    trial = session.once(
        key,
        lambda: lessons.trial(mechanism, frame.vocabulary(), word, other, DRAWS, release_rng()),
    )
    return trial, titled(mechanism)


def _words(trial: lessons.Trial) -> tuple[str, str]:
    words = frame.vocabulary().words
    return words[trial.word_id], words[trial.other_id]


def take_along() -> dict[str, Any]:
    """The mechanism on trial, in its variant."""
    cls, variant = st.session_state["promised"]
    return {"audited": (cls, variant)}
