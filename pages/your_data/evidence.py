"""The check, the trial and the words that survived, on screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from mechanisms import Mechanism, Vocabulary
from mechanisms.text import Unknown
from pages.shared import adversaries, prose
from pages.shared.settings import KEPT
from pages.your_data import checking, tables, wording
from pages.your_data import evidence_wording as words
from pages.your_data.files import File
from release import check as checks
from release.driver import Reading
from release.names import HOW_FOUND
from release.survived import Survived

SHOWN_WORDS = 200
SHOWN_TEXTS = 10
LONGEST_EXCERPT = 600

TextsOf = Callable[[Sequence[int]], list[tuple[int, str, str]]]


def check(planning: checking.Planning, vocabulary: Vocabulary, unknown: Unknown, html: str) -> None:
    """What the texts hold, and what will happen to it."""
    found = planning.check
    for sentence in checks.warnings(found, vocabulary):
        st.warning(sentence)
    st.markdown(words.size(found, vocabulary))
    st.table(tables.plan(words.kinds(planning, unknown, html)))
    if len(planning.names):
        with st.expander(words.names_title(planning.names)):
            st.text(", ".join(planning.names.list[:SHOWN_WORDS]))
    st.caption(HOW_FOUND)


def left_out(file: File, reading: Reading, planning: checking.Planning) -> tuple[str, ...]:
    """The passing columns that the visitor leaves out; those that identify are named."""
    others = [name for name in reading.layout.columns if name not in reading.columns]
    if not others:
        return ()
    found = planning.check.identifying()
    if found:
        st.warning(words.identifying(found))
    chosen = st.multiselect(
        "Columns to leave out",
        others,
        key=f"left-out.{file.token}.{hash(reading.layout)}",
        help=words.LEFT_OUT_HELP,
        placeholder="none: all other columns are released unchanged",
        **KEPT,
    )
    return tuple(chosen)


def trial(found: checking.Trial, stale: bool) -> None:
    """What survived the draw of a sample."""
    if stale:
        st.info(words.TRIAL_IS_STALE)
    st.markdown(words.trial(found.survived, found.texts))
    survivors(found.survived, found.texts_of, "trial")


def expectation(
    file: File, planning: checking.Planning, mechanism: Mechanism, vocabulary: Vocabulary
) -> None:
    """What a release of the whole file is expected to leave unchanged; nothing without a word."""
    counts, names = planning.plan.words, planning.names.list
    if counts:
        with st.spinner(words.EXPECTING, show_time=True):
            found = adversaries.expected(mechanism, vocabulary, counts, names)
        st.markdown(adversaries.expected_of_file(file.name, mechanism, found, whole=True))


def survivors(found: Survived, texts_of: TextsOf, key: str) -> None:
    """The words that stand unchanged, names first; and the texts of one that is clicked."""
    ranking = found.ranking(SHOWN_WORDS)
    if not ranking:
        st.markdown(words.NOTHING_SURVIVED)
        return
    table = st.dataframe(
        tables.survived(ranking),
        hide_index=True,
        width="stretch",
        height=min(320, 40 + 35 * len(ranking)),
        on_select="rerun",
        selection_mode="single-row",
        key=f"survived.{key}",
    )
    st.caption(words.how_to_read(len(found.times), len(ranking)))
    picked = table.selection.rows
    if not picked or picked[0] >= len(ranking):
        return
    word = ranking[picked[0]]
    st.markdown(words.in_texts(word, min(SHOWN_TEXTS, len(word.rows))))
    for row, typed, private in texts_of(word.rows[:SHOWN_TEXTS]):
        for place, title, text in zip(
            st.columns(2), (f"Row {row:,}, original", "Private"), (typed, private), strict=True
        ):
            place.caption(title)
            place.html(words.marked(text, word.word, LONGEST_EXCERPT))
    st.markdown(wording.SAMPLE_WARNING)


def spent(sentence: str) -> None:
    """The ε of all draws of this file."""
    st.markdown(sentence, help=prose.SPENT_HELP)
