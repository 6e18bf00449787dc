"""Lesson 3: noise against selection, in a dense and in a sparse neighbourhood."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from measures import lessons
from measures.words import deniability
from mechanisms import CMP, TEM
from mechanisms.randomness import release_rng
from mechanisms.vocabulary import WordIds
from pages.learn import charts, wording
from pages.learn.lessons import frame, noise_wording, public_words
from pages.shared import downloads
from pages.shared.settings import KEPT

LESSON = 3
SETTINGS = ("noise-eps", "choice-eps", "crowded", "lonely")


def predict() -> None:
    """Guess which word is replaced more often."""
    words = _pair()
    st.markdown(noise_wording.noise_story(*_named(words), *_distances(words, 1)))
    labels = (*_named(words), noise_wording.BOTH)
    options = dict(zip(("crowded", "lonely", "same"), labels, strict=True))
    frame.guess_one(LESSON, "noise-guess", options)


def explore() -> None:
    """Turn both ε, and change the words."""
    vocabulary = frame.vocabulary()
    crowded, lonely = lessons.crowded_and_lonely(vocabulary)
    left, right = st.columns([3, 5], gap="large")
    with left:
        one, two = st.columns(2)
        for place, label, key, ids in (
            (one, "In a crowd", "crowded", crowded),
            (two, "Alone", "lonely", lonely),
        ):
            offered = [vocabulary.words[i] for i in ids]
            if st.session_state[key] not in offered:
                st.session_state[key] = offered[0]
            place.selectbox(label, offered, key=key, **KEPT)
        one, two = st.columns(2)  # a row of its own: on a phone no word is between the two ε
        noise = one.slider("ε of CMP", 2.0, 20.0, step=0.5, key="noise-eps", **frame.EPSILON)
        choice = two.slider("ε of TEM", 1.0, 8.0, step=0.1, key="choice-eps", **frame.EPSILON)
        words = _pair()
        tem, nearest = TEM(epsilon=choice), _distances(words, 1)
        finding = noise_wording.noise_finding(
            _named(words),
            nearest,
            vocabulary.dimensions / noise,
            tuple(lessons.weight_of_nearest(tem, vocabulary, int(word)) for word in words),
            frame.guessed(LESSON),
        )
        st.markdown(finding)
    unchanged, margin = _unchanged(words, noise)
    chosen = deniability.unchanged_probability(tem, vocabulary, words, release_rng()).value
    with right:
        downloads.figure(
            st,
            charts.stays(_named(words), {"CMP": unchanged, "TEM": chosen}, margin),
            alt=finding,
            key="stays_figure",
        )
        st.caption(noise_wording.HOW_TO_READ_STAYS)
    frame.found(LESSON, finding, noise_wording.stays_finding(_named(words), unchanged, chosen))


def check() -> None:
    """The length of the noise, two words not seen yet, and TEM's preference."""
    vocabulary, epsilon = frame.vocabulary(), st.session_state["noise-eps"]
    about = lessons.length_question(epsilon, vocabulary.dimensions)
    frame.ask(
        LESSON,
        "length",
        noise_wording.length_question(epsilon),
        about,
        lambda name: wording.length(about.options[name]),
        lambda name: noise_wording.length_answer(name, epsilon),
    )
    others = _unseen()
    (stays_crowded, stays_lonely), _ = _unchanged(others, epsilon)
    unchanged = (float(stays_crowded), float(stays_lonely))
    replaced = lessons.replaced_question(unchanged)
    labels = dict(zip(("crowded", "lonely"), _named(others), strict=True))
    frame.ask(
        LESSON,
        "replaced",
        noise_wording.replaced_question(_named(others), _distances(others, 10), epsilon),
        replaced,
        lambda name: labels.get(name, noise_wording.BOTH),
        lambda name: noise_wording.replaced_answer(
            name, replaced.is_right(name), _named(others), unchanged
        ),
    )
    word = int(_pair()[0])
    near = int(vocabulary.neighbours(np.array([word]), 11)[1][0, -1])
    apart = float(vocabulary.distance_between([word], [near])[0])
    tem = TEM(epsilon=st.session_state["choice-eps"])
    preferred = lessons.preference_question(tem, vocabulary, word, near)
    frame.ask(
        LESSON,
        "preference",
        noise_wording.preference_question(
            vocabulary.words[word], vocabulary.words[near], apart, tem.epsilon
        ),
        preferred,
        lambda name: wording.ratio(preferred.options[name]),
        lambda name: noise_wording.preference_answer(name, apart, tem.epsilon),
    )


def _pair() -> WordIds:
    return frame.vocabulary().ids([st.session_state["crowded"], st.session_state["lonely"]])


def _unseen() -> WordIds:
    """The most crowded and the loneliest word that the student did not choose."""
    chosen = set(_pair().tolist())
    crowded, lonely = lessons.crowded_and_lonely(frame.vocabulary())
    return np.array([next(i for i in ids if i not in chosen) for ids in (crowded, lonely)])


def _named(words: WordIds) -> tuple[str, str]:
    first, second = (frame.vocabulary().words[i] for i in words)
    return first, second


def _distances(words: WordIds, k: int) -> tuple[float, float]:
    """Distances to the k-th neighbour."""
    first, second = frame.vocabulary().neighbours(words, k + 1)[0][:, k].tolist()
    return first, second


def _unchanged(words: WordIds, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """N_w of CMP, and the half width of its 95 % interval."""
    path = public_words.followed(CMP.family(), frame.CHOICE, tuple(words.tolist()))
    answer = path.unchanged_probability([epsilon])[:, 0]
    return answer.value, answer.half_width


def take_along() -> dict[str, Any]:
    """TEM's ε for the theorem, and the two words."""
    return {
        "solve": "gamma",
        "theorem-eps": st.session_state["choice-eps"],
        "gamma-words": ", ".join(_named(_pair())),
    }
