"""The draws of the columns, and what each costs."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from data.embeddings import VocabularyChoice
from data.encoder import Encoder, chosen_model
from measures.sweeps import similarity
from mechanisms import Mechanism, Vocabulary
from mechanisms.randomness import keyed_rng, release_rng, seeded_rng
from mechanisms.text import Case, PrivateText, Unknown, private_versions
from mechanisms.vocabulary import Floats
from pages.shared import cached, draws, ledger
from pages.shared.subject import Subject


@dataclass(frozen=True, eq=False)
class ColumnDraw:
    """One column's private versions, and how long a sentence took, in milliseconds."""

    private: PrivateText
    milliseconds: float
    stream: int
    """The stream of randomness under a seed; 0 if columns share it."""


def draw_columns_again() -> None:
    """Make the next draw of every column a fresh one."""
    st.session_state.column_roll = st.session_state.get("column_roll", 0) + 1


def column_roll() -> int:
    """How often the columns were drawn again on purpose."""
    return st.session_state.get("column_roll", 0)


def draw_column(
    subject: Subject,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    versions: int,
    unknown: Unknown,
    case: Case,
    seed: int | None,
    stream: int,
    shared: bool,
) -> ColumnDraw | None:
    """The private versions of one column: those on screen, or fresh ones where anything changed.

    A column whose stream is `shared` with another draws the same noise as that one. No finite ε
    bounds the two together, and the account says so. None if no draw was asked for yet.
    """
    text = subject.text
    roll = column_roll()
    stream = 0 if shared else stream
    key = (text, mechanism, vocabulary.fingerprint, versions, unknown, seed, roll, stream)
    kept = st.session_state.setdefault("column_draws", {})
    if key not in kept:
        if subject.waits:
            return None
        if seed is not None:
            rng = column_rng(seed, roll, stream)
        elif shared:
            rng = shared_rng(roll)
        else:
            rng = release_rng()
        word = np.flatnonzero(mechanism.covers(vocabulary, np.arange(min(100, len(vocabulary)))))
        if len(word):  # what is prepared once is no part of the time for a sentence
            mechanism.sample(vocabulary, word[:1], 1, seeded_rng(0))
        begin = time.perf_counter()
        private = private_versions(text, mechanism, vocabulary, rng, versions, unknown, case)
        took = 1000 * (time.perf_counter() - begin) / versions
        draws.keep(kept, key, ColumnDraw(private, took, stream))
        if shared:
            ledger.spent(subject.ledger).draws += versions
            ledger.spent(subject.ledger).unbounded += versions
        else:
            ledger.charge(subject.ledger, mechanism, vocabulary, versions)
    found = kept[key]
    return replace(found, private=replace(found.private, case=case))


def shared_rng(roll: int) -> np.random.Generator:
    """The noise that columns of one drawing share: from the beginning, under the session's key."""
    return keyed_rng(st.session_state.setdefault(f"shared_noise.{roll}", secrets.randbits(256)))


def column_rng(seed: int, roll: int, stream: int) -> np.random.Generator:
    """The randomness of a column under a seed."""
    return np.random.default_rng([seed, roll, 2, stream])


def show_on_perturb_page(mechanism: Mechanism, choice: VocabularyChoice, slug: str) -> None:
    """Hand a column's settings to the page of private sentences, and go there."""
    cls = type(mechanism)
    st.session_state["mechanism"] = cls
    st.session_state["embedding"], st.session_state["size"] = choice.name, choice.size
    for name in cls.parameters():
        st.session_state[f"{slug}.{name}"] = getattr(mechanism, name)
    st.session_state["text"] = st.session_state.get("compare-text", "")
    st.session_state["open_perturb"] = True


def asked_for_perturb_page() -> bool:
    """Whether a column's settings were just handed over."""
    return st.session_state.pop("open_perturb", False)


@cached.resource(max_entries=1)
def _encoder() -> Encoder:
    """The sentence encoder's process, shared; it starts at the first texts and keeps none."""
    return Encoder(chosen_model())


def closeness(typed: str, private: PrivateText, ask: bool) -> Floats | None:
    """Semantic closeness of the versions (v,): what is known in this session, or asked for."""
    kept = st.session_state.setdefault("closeness", {})
    key = (typed, tuple(private.texts))
    if ask and key not in kept:
        values = similarity.semantic_closeness(typed, private.texts, _encoder().encode)
        while len(kept) >= 16:
            kept.pop(next(iter(kept)))
        kept[key] = values
    return kept.get(key)
