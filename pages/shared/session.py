"""What belongs to one visitor and ends with the session: the draw on screen, and the ε spent.

A draw is made anew only where something changed that it depends on. Every fresh draw costs: the
same words released again tell more about them, whatever caused the draw.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st

from measures import deniability
from mechanisms import Mechanism, Vocabulary
from mechanisms.randomness import release_rng, seeded_rng
from mechanisms.text import Case, PrivateText, Unknown, privatise


@dataclass
class Spent:
    """ε by the distance it is stated in, and draws that no finite ε bounds."""

    draws: int = 0
    epsilon: dict[str, float] = field(default_factory=dict)
    unbounded: int = 0


def spent() -> Spent:
    """The account of this session."""
    return st.session_state.setdefault("spent", Spent())


def start_over() -> None:
    """Begin a new account."""
    st.session_state.spent = Spent()


def draw_again() -> None:
    """Make the next `draw` a fresh one."""
    st.session_state.roll = st.session_state.get("roll", 0) + 1


def draw(
    text: str,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    versions: int,
    unknown: Unknown,
    case: Case,
    seed: int | None,
) -> PrivateText:
    """Private versions of a text: those on screen, or fresh ones where anything has changed."""
    roll = st.session_state.get("roll", 0)
    key = (text, mechanism, vocabulary.fingerprint, versions, unknown, seed, roll)
    last = st.session_state.get("draw")
    if last and last[0] == key:
        return replace(last[1], case=case)
    rng = release_rng() if seed is None else _seeded(seed, roll)
    private = privatise(text, mechanism, vocabulary, rng, versions, unknown, case)
    st.session_state.draw = (key, private)
    _charge(mechanism, vocabulary, versions)
    return private


def replacements(
    mechanism: Mechanism, vocabulary: Vocabulary, word_id: int
) -> deniability.Replacements:
    """What one word becomes, kept for this session only, the last few words asked for."""
    kept = st.session_state.setdefault("replacements", {})
    key = (mechanism, vocabulary.fingerprint, word_id)
    if key not in kept:
        while len(kept) >= 20:
            kept.pop(next(iter(kept)))
        kept[key] = deniability.replacements(mechanism, vocabulary, word_id, release_rng())
    return kept[key]


def _charge(mechanism: Mechanism, vocabulary: Vocabulary, versions: int) -> None:
    account, guarantee = spent(), mechanism.guarantee(vocabulary)
    account.draws += versions
    if guarantee.notion == "none proven" or not guarantee.holds:
        account.unbounded += versions
    else:
        unit = guarantee.distance.name
        account.epsilon[unit] = account.epsilon.get(unit, 0.0) + versions * guarantee.epsilon


def _seeded(seed: int, roll: int) -> np.random.Generator:
    return seeded_rng(seed) if roll == 0 else np.random.default_rng([seed, roll])
