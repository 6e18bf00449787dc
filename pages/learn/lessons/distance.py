"""Lesson 2: what metric DP protects, and what it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from measures import lessons
from mechanisms import TEM
from pages.learn import charts, wording
from pages.learn.lessons import distance_wording, frame
from pages.shared import downloads, tables

LESSON = 2
SETTINGS = ("odds-eps",)
_WORD = ("lesson-word", "doctor")


def predict() -> None:
    """Guess which pair is hidden better."""
    st.markdown(distance_wording.PAIR_STORY)
    frame.guess_one(LESSON, "pair-guess", distance_wording.PAIR_GUESSES)


def explore() -> None:
    """Turn ε, and see the promise and the truth over the distance."""
    vocabulary = frame.vocabulary()
    left, right = st.columns([2, 5], gap="large")
    with left:
        word = frame.word_box("Word typed", *_WORD)
        epsilon = st.slider("ε", 0.1, 2.0, step=0.05, key="odds-eps", **frame.EPSILON)
        if word is None:
            return
        others = lessons.spread(vocabulary, word)
        distances = vocabulary.distance_between(np.full(len(others), word), others)
        names = tables.words(others, vocabulary)
        finding = distance_wording.odds_finding(
            vocabulary.words[word],
            (names[0], float(distances[0])),
            (names[-1], float(distances[-1])),
            epsilon,
            frame.guessed(LESSON),
        )
        st.markdown(finding)
    with right:
        mechanism = TEM(epsilon=epsilon)
        parts = lessons.ratio_parts(mechanism, vocabulary, word, int(others[-1]))
        why = distance_wording.below_the_line(
            vocabulary.words[word],
            (names[-1], float(distances[-1])),
            epsilon,
            parts,
            mechanism.threshold(vocabulary),
        )
        downloads.figure(
            st,
            charts.odds_by_distance(
                distances,
                lessons.largest_log_ratios(mechanism, vocabulary, word, others),
                names,
                epsilon,
                mechanism.name,
            ),
            alt=finding,
            key="odds_figure",
        )
        st.caption(distance_wording.HOW_TO_READ_ODDS)
    st.markdown(why)
    frame.found(LESSON, finding, why)


def check() -> None:
    """Ask about the promise for the student's own word and ε, in three ways."""
    vocabulary, epsilon = frame.vocabulary(), st.session_state["odds-eps"]
    word = frame.word_of(*_WORD)
    others = lessons.spread(vocabulary, word)
    near, middle, far = others[0], others[len(others) // 2], others[-1]
    names = {int(i): vocabulary.words[i] for i in (near, middle, far)}
    distances = dict(
        zip(
            names.values(),
            vocabulary.distance_between(np.full(3, word), np.array(list(names))).tolist(),
            strict=True,
        )
    )
    typed, other = vocabulary.words[word], names[int(near)]
    apart = round(distances[other], 2)  # as it is told
    cap = lessons.cap_question(epsilon, apart)
    frame.ask(
        LESSON,
        "cap",
        distance_wording.cap_question(typed, other, apart, epsilon),
        cap,
        lambda name: wording.ratio(cap.options[name]),
        lambda name: distance_wording.cap_answer(name, apart, epsilon),
    )
    sure = lessons.certainty_question(epsilon, apart)
    frame.ask(
        LESSON,
        "certainty",
        distance_wording.certainty_question(typed, other, apart, epsilon),
        sure,
        lambda name: wording.chance(sure.options[name]),
        lambda name: distance_wording.certainty_answer(name, apart, epsilon),
    )
    hidden = lessons.hidden_question(vocabulary, word, np.sort([near, middle, far]))
    frame.ask(
        LESSON,
        "hidden",
        distance_wording.hidden_question(typed),
        hidden,
        str,
        lambda name: distance_wording.hidden_answer(hidden.is_right(name), distances, epsilon),
    )


def take_along() -> dict[str, Any]:
    """The word, and TEM at the ε of the lesson."""
    return {
        "mechanism": TEM,
        "tem.epsilon": st.session_state["odds-eps"],
        "map-word": frame.vocabulary().words[frame.word_of(*_WORD)],
    }
