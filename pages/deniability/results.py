"""The deniability page's long computation, and what is built from its results.

Words are computed ten at a time, so that the histogram fills while the rest is at work.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import streamlit as st

from data.embeddings import VocabularyChoice
from measures.words import deniability, targets
from measures.words.deniability import Support
from mechanisms import Mechanism, Vocabulary
from mechanisms.answers import Curves, Statistics
from mechanisms.estimate import Estimate
from mechanisms.vocabulary import WordIds
from pages.deniability import charts, controls
from pages.deniability import wording as deniability_wording
from pages.shared import (
    cached,
    classroom,
    downloads,
    jobs,
    material,
    mechanism_picker,
    prose,
    session,
    shared_work,
)
from pages.shared.jobs import Job

# The number of words in a piece of public words, and in one of words of the visitor's own text. All
# visitors share the pool: between small pieces the students of a class take turns. Only pieces of
# public words are kept on disk.
_PIECE, _PIECE_OF_OWN = 10, 3


@dataclass(frozen=True, eq=False)
class Computed:
    """The words computed so far, their curves, and what the controls ask of them."""

    curves: Curves
    """Of the words, at every ε of the grid."""
    vocabulary: Vocabulary
    word_ids: WordIds
    """Of these words and any that are still at work, in the order of the curves (n,)."""
    mechanism: Mechanism
    """At the ε of the slider."""
    support: Support

    @cached_property
    def words(self) -> list[str]:
        """The words, one a curve."""
        return [self.vocabulary.words[i] for i in self.word_ids[: len(self.curves.unchanged)]]

    @property
    def epsilon(self) -> float:
        """The ε of the slider, or the nearest end of the grid if that lies outside of it."""
        low, high = float(self.curves.epsilons[0]), float(self.curves.epsilons[-1])
        return min(max(self.mechanism.epsilon, low), high)

    @cached_property
    def now(self) -> Statistics:
        """What the curves say at that ε."""
        return deniability.at_epsilon(self.curves, self.epsilon)

    def support_size(self, measured: Statistics) -> Estimate:
        """S_w of each word, in the form that the controls ask for."""
        return deniability.support_size(measured, self.support, self.curves.draws)

    def statistics(self, measured: Statistics) -> list[tuple[str, str, Estimate]]:
        """N_w and S_w, each with its axis' title and its values."""
        axis = deniability_wording.support_axis(self.support, self.curves.draws)
        return [
            ("N_w", "N_w: probability that the word stays", measured.unchanged),
            ("S_w", axis, self.support_size(measured)),
        ]


def computation(
    mechanism: Mechanism, choice: VocabularyChoice, word_ids: WordIds, draws: int, shared: bool
) -> Job:
    """The curves of these words at every ε, begun now or before.

    `shared` computations are about public words: all sessions share them, and the disk keeps them.
    The others belong to this session, and end with it.
    """
    vocabulary = cached.vocabulary(choice)
    family = mechanism.family()
    grid = cached.epsilon_grid(family, choice)
    compute = deniability.kept_curves if shared else deniability.curves
    size = _PIECE if shared else _PIECE_OF_OWN
    pieces = [
        partial(compute, family, vocabulary, word_ids[i : i + size], grid, draws=draws)
        for i in range(0, len(word_ids), size)
    ]
    key = (family, vocabulary.fingerprint, tuple(word_ids.tolist()), draws)
    asked, job = st.session_state.get("own_curves") or (None, None)
    if job is not None and asked == key and not job.error:
        return job
    if job is not None and not job.finished:  # all visitors share the pool, and nobody sees it now
        job.leave(session.visitor())
        st.session_state.own_curves = None
    if shared:
        return shared_work.shared_job(pieces, key, vocabulary)
    job = jobs.start(pieces, session.visitor())
    st.session_state.own_curves = (key, job)
    return job


def histograms(computed: Computed) -> None:
    """N_w and S_w of the words at the ε of the slider; a click on a bar names its words."""
    words, mechanism = computed.words, computed.mechanism
    if elsewhere := deniability_wording.grid_end(mechanism.epsilon, computed.epsilon):
        st.warning(elsewhere)
    for column, (statistic, title, values) in zip(
        st.columns(2), computed.statistics(computed.now), strict=True
    ):
        here = values.value
        summary = deniability.summary(here, larger_is_worse=statistic == "N_w")
        worst = float(here[summary.worst]), words[summary.worst]
        finding = deniability_wording.summary(
            statistic, summary, *worst, computed.support, computed.curves.draws
        )
        figure, edges = charts.histogram(
            here,
            mechanism.name,
            title,
            (worst[0], prose.escaped(worst[1])),
            summary.low,
            summary.high,
            (0.0, 1.0) if statistic == "N_w" else None,
        )
        with column:
            st.markdown(finding)
            clicked = downloads.figure(
                st,
                figure,
                key=f"bars.{statistic}",
                on_select="rerun",
                selection_mode="points",
                alt=prose.without_marks(finding),
            )
            for point in clicked.selection.points[:1]:
                bar = deniability.words_in_bar(here, edges, point["point_index"])
                st.markdown(deniability_wording.bar_words([words[i] for i in bar]))
    st.caption(deniability_wording.how_to_read_deniability(computed.now, computed.support))


def over_epsilon(computed: Computed) -> None:
    """The spread of N_w and S_w over words, over all ε."""
    known, mechanism = computed.curves, computed.mechanism
    st.subheader("Over all ε")
    for column, (statistic, title, values) in zip(
        st.columns(2), computed.statistics(known), strict=True
    ):
        bands = deniability.bands(values.value, larger_is_worse=statistic == "N_w")
        downloads.figure(
            column,
            charts.over_epsilon(known.epsilons, bands, mechanism.name, title, mechanism.epsilon),
            key=f"curve.{statistic}",
            alt=deniability_wording.median_finding(statistic, known.epsilons, bands.middle),
        )
    st.caption(deniability_wording.HOW_TO_READ_CURVES)


def choose_epsilon(computed: Computed) -> None:
    """Demands in, an ε out, and a button that sets it."""
    known, mechanism = computed.curves, computed.mechanism
    st.subheader("Find ε by your demands")
    demands = controls.demand_controls(computed.support)
    if not demands:
        st.info("Tick a demand to see which ε meets it.")
        return
    shown = tuple(computed.word_ids.tolist())
    about = (mechanism.family(), computed.vocabulary.fingerprint, shown, known.draws)
    chosen = session.once(("chosen", *about, *demands), lambda: targets.epsilon_for(known, demands))
    st.markdown(deniability_wording.chosen(chosen, demands, computed.words))
    if chosen.epsilon is not None:
        st.button(
            f"Use ε = {chosen.epsilon:.4g} everywhere",
            on_click=mechanism_picker.use_epsilon,
            args=(type(mechanism), float(f"{chosen.epsilon:.4g}")),
            type="primary",
            disabled=classroom.locked("eps"),
        )
    material.offer_these_settings()


def one_word(computed: Computed) -> None:
    """The two curves of one word."""
    st.subheader("One word")
    known, mechanism = computed.curves, computed.mechanism
    word = st.selectbox("Word", computed.words, key="sample_word")
    position = computed.words.index(word)
    for column, (statistic, title, values) in zip(
        st.columns(2), computed.statistics(known), strict=True
    ):
        line = values.value[position]
        downloads.figure(
            column,
            charts.one_over_epsilon(known.epsilons, line, mechanism.name, title, mechanism.epsilon),
            key=f"word.{statistic}",
            alt=deniability_wording.curve_finding(statistic, word, known.epsilons, line),
        )
    st.caption(deniability_wording.HOW_TO_READ_ONE_WORD)
