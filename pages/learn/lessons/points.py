"""Lesson 0: words as points, a dart thrown at the map, and a choice by distance."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from measures import flat_map
from measures.flat_map import Darts
from mechanisms import CMP, TEM, Vocabulary
from mechanisms.randomness import release_rng, seeded_rng
from pages.learn import charts
from pages.learn.lessons import frame, public_words
from pages.learn.lessons import points_wording as wording
from pages.shared import downloads, session
from pages.shared.settings import KEPT

LESSON = 0
SETTINGS = ("point", "point-way", "point-eps")
_MOST = 1_000
_SHOWN = 200


def predict() -> None:
    """Look at the map, and guess which word comes out in another's place."""
    here, word = public_words.word_map(frame.CHOICE), _word()
    words = here.words
    left, right = st.columns([2, 3], gap="large")
    left.markdown(wording.story(here))
    downloads.figure(
        right, charts.word_map(words.vectors, _names(words), word), key="map", alt=wording.MAP_ALT
    )
    near = [words.words[i] for i in flat_map.nearest(words, word, 8)[0][[0, 3, 7]]]
    with left:
        st.markdown(wording.guess(words.words[word]))
        names = dict(zip(near, ("near", "fourth", "eighth"), strict=True))
        options = {names[label]: label for label in sorted(near)}
        frame.guess_one(LESSON, "point-guess", options)


def explore() -> None:
    """Throw darts, or choose by distance, and see which words come out."""
    words = public_words.word_map(frame.CHOICE).words
    left, right = st.columns([2, 4], gap="large")
    with left:
        st.selectbox("Word typed", words.words, key="point", **KEPT)
        way = st.segmented_control(
            "Way",
            list(wording.WAYS),
            format_func=wording.WAYS.__getitem__,
            key="point-way",
            required=True,
            **KEPT,
        )
        epsilon = st.slider("ε", 0.5, 8.0, step=0.1, key="point-eps", **frame.EPSILON)
        word = _word()
        name = words.words[word]
        one, many = st.columns(2)
        for place, label, count in ((one, wording.ONCE[way], 1), (many, wording.OFTEN, 100)):
            place.button(label, on_click=_more, args=(way, word, epsilon, count), width="stretch")
    drawn = _drawn(way, word, epsilon)
    law = flat_map.law_of(TEM(epsilon=epsilon), words, word)
    near = wording.nearest(name, words, *flat_map.nearest(words, word, 3))
    if way == "dart":
        finding = wording.darts(
            name, words, word, drawn, CMP(epsilon=epsilon), frame.guessed(LESSON)
        )
    else:
        finding = wording.choices(name, words, word, law, drawn)
    with right:
        shown = drawn.points[-_SHOWN:] if way == "dart" else np.empty((0, 2))
        last = int(drawn.released[-1]) if len(drawn.released) else None
        downloads.figure(
            st,
            charts.word_map(
                words.vectors,
                _names(words),
                word,
                shown,
                last,
                None if way == "dart" else law,
            ),
            key="map",
            alt=finding,
        )
        st.caption(wording.HOW_TO_READ[way])
    st.markdown(finding)  # below the map, so that on a phone the buttons are beside it
    st.markdown(near)
    everything = _in_all_dimensions(name)
    st.markdown(everything)
    frame.found(LESSON, near, finding, everything)


def check() -> None:
    """A neighbour, a dart, and a choice."""
    words, word = public_words.word_map(frame.CHOICE).words, _word()
    name, epsilon = words.words[word], st.session_state["point-eps"]
    dart = flat_map.missed(words, word, seeded_rng(word), CMP(epsilon=epsilon))
    figure, questions = st.columns(2, gap="large")
    downloads.figure(
        figure,
        charts.word_map(words.vectors, _names(words), word, dart.points),
        key="map",
        alt=wording.MAP_ALT,
    )
    figure.caption(wording.THE_DART)
    with questions:
        near = flat_map.nearest_question(words, word)
        frame.ask(
            LESSON,
            "nearest",
            wording.nearest_question(name),
            near,
            str,
            lambda chosen: wording.nearest_answer(name, words, near),
        )
        which = flat_map.dart_question(words, word, dart)
        frame.ask(
            LESSON,
            "dart",
            wording.dart_question(name),
            which,
            str,
            lambda chosen: wording.dart_answer(name, words, which, dart, chosen),
            typed=name,
        )
        law = flat_map.law_of(TEM(epsilon=epsilon), words, word)
        most = flat_map.choice_question(law, words, word)
        frame.ask(
            LESSON,
            "choice",
            wording.choice_question(name, epsilon),
            most,
            wording.choice_labels(name, words, word).__getitem__,
            lambda chosen: wording.choice_answer(name, words, word, law, chosen),
        )


def take_along() -> dict[str, Any]:
    """The word, and the mechanism of the way."""
    cls = CMP if st.session_state["point-way"] == "dart" else TEM
    return {"mechanism": cls, "map-word": st.session_state["point"]}


def _word() -> int:
    words = public_words.word_map(frame.CHOICE).words
    return int(words.ids([st.session_state["point"]])[0])


def _names(words: Vocabulary) -> list[str]:
    return [words.words[i] for i in range(len(words))]


def _key(way: str, word: int, epsilon: float) -> tuple[str, str, int, float]:
    return ("map-draws", way, word, epsilon)


def _drawn(way: str, word: int, epsilon: float) -> Darts:
    """The draws so far with these settings: none at first."""
    nothing = Darts(np.empty((0, 2)), np.empty(0, dtype=np.int64))
    return session.once(_key(way, word, epsilon), lambda: nothing)


def _more(way: str, word: int, epsilon: float, count: int) -> None:
    """Draw so many times more, up to a thousand in all."""
    words = public_words.word_map(frame.CHOICE).words
    before = _drawn(way, word, epsilon)
    count = min(count, _MOST - len(before.released))
    if count <= 0:
        return
    if way == "dart":
        new = flat_map.darts(CMP(epsilon=epsilon), words, word, count, release_rng())
    else:
        released = TEM(epsilon=epsilon).sample(words, np.array([word]), count, release_rng())[0]
        new = Darts(np.empty((0, 2)), released)
    together = Darts(
        np.concatenate([before.points, new.points]),
        np.concatenate([before.released, new.released]),
    )
    session.replace_once(_key(way, word, epsilon), together)


def _in_all_dimensions(name: str) -> str:
    """The nearest words of the whole vocabulary, in all dimensions."""
    vocabulary = frame.vocabulary()
    ids, distances = flat_map.nearest(vocabulary, int(vocabulary.ids([name])[0]), 5)
    return wording.in_all_dimensions(name, vocabulary, ids, distances)
