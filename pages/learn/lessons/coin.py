"""Lesson 1: plausible deniability, of a coin and then of a word."""

from __future__ import annotations

from typing import Any

import streamlit as st

from measures import lessons
from mechanisms import TEM
from pages.learn import charts, wording
from pages.learn.lessons import coin_wording, frame
from pages.shared import downloads
from pages.shared.settings import KEPT

LESSON = 1
SETTINGS = ("coin", "word-eps")
_WORD, _OTHER = ("lesson-word", "doctor"), ("lesson-other", "nurse")


def predict() -> None:
    """Guess what a yes reveals."""
    st.markdown(coin_wording.COIN_STORY)
    frame.guess_percent(LESSON, coin_wording.COIN_GUESS, "coin-guess")


def explore() -> None:
    """Turn the coin's chance, and a word's ε."""
    left, right = st.columns(2, gap="large")
    with left:
        truth = st.slider(coin_wording.COIN_SLIDER, 5, 95, key="coin", **KEPT)
        yes, no = lessons.coin(truth / 100)
        coin = coin_wording.coin_groups(truth / 100, yes, no, frame.guessed(LESSON))
        downloads.figure(
            st,
            charts.two_groups(
                ("copied", "did not"), (1000 * yes, 1000 * no), 1000, "say yes, of 1,000 each"
            ),
            alt=coin,
            key="coin_figure",
        )
        st.markdown(coin)
    with right:
        one, two, three = st.columns([2, 2, 3])
        with one:
            word = frame.word_box("Word typed", *_WORD)
        with two:
            other = frame.word_box("Another word", *_OTHER)
        with three:
            epsilon = st.slider("ε", 1.0, 8.0, step=0.1, key="word-eps", **frame.EPSILON)
        if word is None or other is None:
            return
        if word == other:
            st.info(wording.SAME_WORDS)
            return
        words = frame.vocabulary().words
        stays, comes = lessons.stays_and_comes(
            TEM(epsilon=epsilon), frame.vocabulary(), word, other
        )
        finding = coin_wording.word_groups(words[word], words[other], stays, comes)
        downloads.figure(
            st,
            charts.two_groups(
                (words[word], words[other]),
                (1000 * stays, 1000 * comes),
                1000,
                f"see “{words[word]}” come out, of 1,000 each",
            ),
            alt=finding,
            key="word_figure",
        )
        st.markdown(finding)
    frame.found(LESSON, coin, finding)


def check() -> None:
    """Ask what a yes reveals with the student's coin, and a word with the student's ε."""
    truth = st.session_state["coin"] / 100
    frame.ask(
        LESSON,
        "coin",
        coin_wording.coin_question(truth),
        question := lessons.coin_question(truth),
        lambda name: wording.ratio(question.options[name]),
        lambda name: coin_wording.coin_answer(name, truth),
    )
    vocabulary, word, other = frame.vocabulary(), frame.word_of(*_WORD), frame.word_of(*_OTHER)
    if word == other:
        st.info(wording.SAME_WORDS)
        return
    mechanism = TEM(epsilon=st.session_state["word-eps"])
    stays, comes = lessons.stays_and_comes(mechanism, vocabulary, word, other)
    about = lessons.word_question(stays, comes)
    frame.ask(
        LESSON,
        "word",
        coin_wording.word_question(vocabulary.words[word], vocabulary.words[other], stays, comes),
        about,
        lambda name: wording.chance(about.options[name]),
        lambda name: coin_wording.word_answer(name, stays, comes),
    )


def take_along() -> dict[str, Any]:
    """TEM at the ε of the lesson, and a sentence with the word."""
    word = frame.vocabulary().words[frame.word_of(*_WORD)]
    return {
        "mechanism": TEM,
        "tem.epsilon": st.session_state["word-eps"],
        "text": coin_wording.sentence_with(word, st.session_state.get("text", "")),
        "word": word,
        "closer": True,  # the panel that looks at it
    }
