"""Settings and controls of the page of γ: Theorem 4.2, and words of one's own."""

from __future__ import annotations

import streamlit as st

from mechanisms import TEM, Vocabulary
from mechanisms.base import Parameter
from pages.shared import mechanism_picker, terms
from pages.shared.number_box import number_box
from pages.shared.settings import EPSILON, KEPT, Setting, choice, real, whole_number

BETA = Parameter("β", "the largest probability of leaving the ball", above=0, below=1)

GAMMA = Parameter("γ", "the radius of the ball, in units of distance", at_least=0)

SOUGHT = ("gamma", "beta", "epsilon")

MOST_OWN_WORDS = 20

SETTINGS: dict[str, Setting] = {
    "solve": choice("gamma", {sought: sought for sought in SOUGHT}),
    "theorem-eps": real(10.0, EPSILON),
    "theorem-beta": real(1e-3, BETA),
    "theorem-gamma": real(3.0, GAMMA),
    "theorem-words": whole_number(None, 1, 10**9),
    "own-gamma": real(None, GAMMA),
}


def theorem_controls(sought: str) -> dict[str, float]:
    """The two of ε, β and γ that are given, by field name; the third stands at its last value."""
    given = {"epsilon": "theorem-eps", "beta": "theorem-beta", "gamma": "theorem-gamma"}
    declared = {"epsilon": EPSILON, "beta": BETA, "gamma": GAMMA}
    for field, key in given.items():
        if field != sought:
            number_box(declared[field].symbol, key, help=terms.meaning(declared[field]), **KEPT)
    return {field: st.session_state[key] for field, key in given.items()}


def use_in_tem(epsilon: float, gamma: float) -> None:
    """Set TEM with this ε and this γ on every page, and go to Private sentences."""
    mechanism_picker.use_mechanism(TEM(epsilon=epsilon, gamma=gamma))
    st.session_state["open_tem"] = True


def asked_for_tem() -> bool:
    """Whether the values of this page were just handed to TEM."""
    return bool(st.session_state.pop("open_tem", False))


def words_control(loaded: int) -> int:
    """|W|: that of the loaded vocabulary, or any that is typed."""
    typed = number_box(
        "|W|, number of words",
        "theorem-words",
        low=1,
        high=10**9,
        whole=True,
        optional=True,
        placeholder=f"{loaded:,} (loaded)",
        help="Empty: the number of words in the loaded vocabulary. Any other number can be typed.",
        **KEPT,
    )
    return loaded if typed is None else typed


def own_gamma_control() -> float | None:
    """A γ to compare with that of the theorem, or None."""
    return number_box(
        "My own γ, to compare",
        "own-gamma",
        low=0,
        optional=True,
        placeholder="none",
        help="Any γ keeps TEM's promise about two words of the vocabulary. The promise about the "
        "unknown word weakens as γ grows.",
        **KEPT,
    )


def own_words_control(vocabulary: Vocabulary) -> tuple[list[int], list[str]]:
    """Ids of the first words that a visitor names, and those that are not in the vocabulary.

    They stay in the session.
    """
    typed = st.text_input(
        "My own words",
        key="gamma-words",
        placeholder="such as: movie, london, sad",
        help=f"At most {MOST_OWN_WORDS}, separated by commas or spaces; they are shown with the "
        "sampled words. They stay in this session.",
        **KEPT,
    )
    words = dict.fromkeys((typed or "").replace(",", " ").split())
    ids = {word: vocabulary.get(word) for word in list(words)[:MOST_OWN_WORDS]}
    known = [word_id for word_id in ids.values() if word_id is not None]
    return known, [word for word, word_id in ids.items() if word_id is None]
