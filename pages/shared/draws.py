"""Draws of a visitor's text: the draw on screen, those kept for the way back, and their count.

A draw is made anew only where something changed that it depends on. Every fresh draw costs: the
same words released again tell more about them, whatever caused the draw.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from mechanisms import Mechanism, Vocabulary, answers
from mechanisms.randomness import release_rng, seeded_rng
from mechanisms.text import Case, PrivateText, Unknown, privatise_all
from pages.shared.ledger import charge


def draw_again() -> None:
    """Make the next `draw` a fresh one."""
    st.session_state.roll = st.session_state.get("roll", 0) + 1


class Asked(NamedTuple):
    """Versions of a text that are asked for, with all that their words depend on."""

    text: str
    mechanism: Mechanism
    vocabulary: Vocabulary
    versions: int
    unknown: Unknown
    seed: int | None

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What `draw` keeps them by."""
        roll = st.session_state.get("roll", 0)
        text, mechanism, vocabulary, *others = self
        return (text, mechanism, vocabulary.fingerprint, *others, roll)

    @property
    def is_drawn(self) -> bool:
        """Whether `draw` has them, so that showing them costs nothing."""
        return self.key in st.session_state.get("sentence_draws", {})


def draw(
    asked: Asked,
    case: Case,
    about: str | None = None,
    progress: answers.Progress | None = None,
) -> PrivateText:
    """Private versions of a text: those of the same settings before, or fresh ones.

    So the way back in the browser, and the way forth, show what was there and charge nothing. Fresh
    ones count in the ledger `about`, that of the text itself if none is named; if `progress` raises
    while they are drawn, nothing is kept, shown or counted.
    """
    kept, key = st.session_state.setdefault("sentence_draws", {}), asked.key
    if key not in kept:
        text, mechanism, vocabulary, versions, unknown, seed = asked
        rng = release_rng() if seed is None else seeded(seed, st.session_state.get("roll", 0))
        (private,) = privatise_all(
            [text], mechanism, vocabulary, rng, versions, unknown, case, progress
        )
        keep(kept, key, private)
        charge(text if about is None else about, mechanism, vocabulary, versions)
    return replace(kept[key], case=case)


# Draws that are kept for the way back: of so many settings, of one kind each.
MOST_DRAWS = 24


def keep(kept: dict[Hashable, Any], key: Hashable, draw: object) -> None:
    """Keep a draw for the way back, in place of the oldest where there are too many."""
    while len(kept) >= MOST_DRAWS:
        kept.pop(next(iter(kept)))
    kept[key] = draw


def seeded(seed: int, roll: int) -> np.random.Generator:
    """The generator of a seed; another one for each time that is rolled again."""
    return seeded_rng(seed) if roll == 0 else np.random.default_rng([seed, roll])
