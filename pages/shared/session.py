"""What belongs to one visitor and ends with the session: the draw on screen, and the ε spent.

A draw is made anew only where something changed that it depends on. Every fresh draw costs: the
same words released again tell more about them, whatever caused the draw.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data.embeddings import VocabularyChoice
from measures.words import deniability, dissolution
from measures.words import outputs as word_outputs
from mechanisms import Family, LawMechanism, Mechanism, Vocabulary, answers
from mechanisms.law import Law
from mechanisms.randomness import release_rng, seeded_rng
from mechanisms.text import Case, PrivateText, Unknown, privatise_all
from mechanisms.tokens import Token
from mechanisms.vocabulary import WordIds
from pages.shared import cached, jobs, material
from pages.shared.ledger import charge, spent


def visitor() -> str:
    """A name for this session that tells nothing about the visitor."""
    return st.session_state.setdefault("visitor", secrets.token_hex(8))


_addresses: dict[str, str] = {}
_MOST_ADDRESSES = 10_000


def address(viewer: str) -> str:
    """The Streamlit session that a visitor is at; after a reload it is another one."""
    return _addresses.get(viewer, "")


def be_here() -> None:
    """Note which Streamlit session this visitor is at."""
    context = get_script_run_ctx()
    if context is not None:
        _addresses.pop(visitor(), None)
        _addresses[visitor()] = context.session_id
        while len(_addresses) > _MOST_ADDRESSES:
            del _addresses[next(iter(_addresses))]


def sampled_words(
    mechanism: Mechanism, vocabulary: Vocabulary, how: str, count: int, seed: int = 0
) -> WordIds:
    """A sample of the vocabulary's words, or the words of the visitor's text, all but too many."""
    if how == "text":
        return deniability.words_of_text(material.text(), mechanism.family(), vocabulary)[0]
    ids = deniability.sample_words(vocabulary, how, count, seed)
    return ids[mechanism.covers(vocabulary, ids)]


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
    about: str | None = None,
    progress: answers.Progress | None = None,
) -> PrivateText:
    """Private versions of a text: those of the same settings before, or fresh ones.

    So the way back in the browser, and the way forth, show what was there and charge nothing. Fresh
    ones count in the ledger `about`, that of the text itself if none is named; if `progress` raises
    while they are drawn, nothing is kept, shown or counted.
    """
    key = draw_key(text, mechanism, vocabulary, versions, unknown, seed)
    kept = st.session_state.setdefault("sentence_draws", {})
    if key not in kept:
        roll = st.session_state.get("roll", 0)
        rng = release_rng() if seed is None else seeded(seed, roll)
        (private,) = privatise_all(
            [text], mechanism, vocabulary, rng, versions, unknown, case, progress
        )
        keep(kept, key, private)
        charge(text if about is None else about, mechanism, vocabulary, versions)
    return replace(kept[key], case=case)


def is_drawn(
    text: str,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    versions: int,
    unknown: Unknown,
    seed: int | None,
) -> bool:
    """Whether `draw` has the versions of these settings, so that showing them costs nothing."""
    kept = st.session_state.get("sentence_draws", {})
    return draw_key(text, mechanism, vocabulary, versions, unknown, seed) in kept


def draw_key(
    text: str,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    versions: int,
    unknown: Unknown,
    seed: int | None,
) -> tuple[Hashable, ...]:
    """What `draw` keeps versions by."""
    roll = st.session_state.get("roll", 0)
    return (text, mechanism, vocabulary.fingerprint, versions, unknown, seed, roll)


# Draws that are kept for the way back: of so many settings, of one kind each.
MOST_DRAWS = 24


def keep(kept: dict[Hashable, Any], key: Hashable, draw: object) -> None:
    """Keep a draw for the way back, in place of the oldest where there are too many."""
    while len(kept) >= MOST_DRAWS:
        kept.pop(next(iter(kept)))
    kept[key] = draw


def replacements(
    mechanism: Mechanism, vocabulary: Vocabulary, word_id: int
) -> word_outputs.Replacements:
    """What one word becomes, likeliest first."""
    found = outputs(mechanism, vocabulary, word_id)
    return word_outputs.replacements(found)


def spread(mechanism: Mechanism, vocabulary: Vocabulary, word_id: int) -> word_outputs.Spread:
    """Where the probability of one word goes."""
    found = outputs(mechanism, vocabulary, word_id)
    gamma = word_outputs.threshold(mechanism, vocabulary)
    near = once(
        ("near", vocabulary.fingerprint, word_id), lambda: word_outputs.nearest(vocabulary, word_id)
    )
    return word_outputs.spread(found, gamma, near)


# Words of a text that are shown over all ε.
MOST_WORDS_OVER_ALL_EPSILON = 40


def other_dissolution() -> None:
    """Make the next `dissolve` a fresh one."""
    st.session_state.dissolve_roll = st.session_state.get("dissolve_roll", 0) + 1


def dissolve(
    private: PrivateText,
    family: Family[Mechanism],
    choice: VocabularyChoice,
    seed: int | None,
    about: str,
) -> dissolution.Dissolution:
    """The first words of a text over all ε: those of the same settings before, or fresh ones.

    A fresh draw is counted in the ledger of the text that it is `about`.
    """
    vocabulary = private.vocabulary
    roll = st.session_state.get("dissolve_roll", 0)
    ids = tuple(token.word_id for token in drawn_tokens(private)[:MOST_WORDS_OVER_ALL_EPSILON])
    key = (ids, family, vocabulary.fingerprint, seed, roll)
    kept = st.session_state.setdefault("dissolved", {})
    if key in kept:
        return kept[key]
    slider = cached.epsilon_range(family, choice)
    ends = dissolution.axis(family, vocabulary, slider.low, slider.high)
    rng = release_rng() if seed is None else np.random.default_rng([seed, roll, 1])
    result = dissolution.dissolution(family, vocabulary, list(ids), *ends, rng)
    keep(kept, key, result)
    if result.drawn_at is None:
        spent(about).over_all_epsilon += 1
    for epsilon in result.drawn_at or ():
        charge(about, family.at(epsilon), vocabulary, 1)
    return result


def drawn_tokens(private: PrivateText) -> list[Token]:
    """The tokens that the mechanism draws, in order."""
    return [token for token in private.tokens if token.word_id is not None]


def drawn_count(private: PrivateText) -> int:
    """The number of words that are drawn in each version, unknown ones too where they are."""
    return int((private.drawn[:, 0] >= 0).sum())


def seeded(seed: int, roll: int) -> np.random.Generator:
    """The generator of a seed; another one for each time that is rolled again."""
    return seeded_rng(seed) if roll == 0 else np.random.default_rng([seed, roll])


"""What an upload is called on screen and in links."""


Result = TypeVar("Result")


def once(key: Hashable, compute: Callable[[], Result], most: int = 20) -> Result:
    """A result of this session: the one already there, or computed; the last few asked for stay."""
    kept = st.session_state.setdefault("once", {})
    result = kept.pop(key) if key in kept else compute()
    while len(kept) >= most:
        kept.pop(next(iter(kept)))
    kept[key] = result
    return result


def replace_once(key: Hashable, result: object) -> None:
    """Put another result of this session in the place of one that `once` keeps."""
    st.session_state.setdefault("once", {})[key] = result


def shared_job(
    pieces: Sequence[Callable[[], object]], key: Hashable, vocabulary: Vocabulary
) -> jobs.Job:
    """A job about public words of a vocabulary, one for all sessions.

    About a visitor's own embedding it is the session's own.
    """
    if vocabulary.public:
        return jobs.start(pieces, visitor(), key)
    return once(("job", key), lambda: jobs.start(pieces, visitor()))


def outputs(mechanism: Mechanism, vocabulary: Vocabulary, word_id: int) -> Law:
    """What one word becomes. Every ε is answered from the first one, where that is possible."""
    family = mechanism.family()
    about = (vocabulary.fingerprint, word_id)
    rng = _generator()
    if isinstance(mechanism, LawMechanism):  # quick, and as long as the vocabulary: not kept
        answer = word_outputs.answers(family, vocabulary, word_id, rng)
        return word_outputs.outputs(answer, mechanism, vocabulary, word_id, rng)
    answer = once(
        ("answers", family, *about),
        lambda: word_outputs.answers(family, vocabulary, word_id, rng),
    )
    return once(
        ("outputs", mechanism, *about),
        lambda: word_outputs.outputs(answer, mechanism, vocabulary, word_id, rng),
    )


def _generator() -> np.random.Generator:
    """The session's generator for laws that are estimated: nothing is released by it."""
    if "laws_rng" not in st.session_state:
        st.session_state["laws_rng"] = release_rng()
    generator: np.random.Generator = st.session_state["laws_rng"]
    return generator


class _NotOnDisk(Exception):
    """Progress was told: there is something to compute."""


_line = jobs.Line()


class Progress(Protocol):
    """Told the share that is done, and how many computations come before this one."""

    def __call__(self, share: float, ahead: int = 0, /) -> object:
        """Show it."""


def one_at_a_time(ask: Callable[[Callable[[float], object]], Result], progress: Progress) -> Result:
    """A result that is kept on disk: read, or computed while no other visitor's is.

    `ask` takes a progress that it calls before it computes anything. Who comes second waits, and
    mostly finds the result on disk; a visitor who leaves stops waiting, as progress then raises.
    """

    def nothing_is_computed(share: float) -> None:
        raise _NotOnDisk

    try:
        return ask(nothing_is_computed)
    except _NotOnDisk:
        progress(0.0)
    with _line.turn(lambda ahead: progress(0.0, ahead)):
        result = ask(progress)
    progress(1.0)
    return result
