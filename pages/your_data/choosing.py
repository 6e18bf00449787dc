"""The part of Your data that chooses: demands, a job that refines its answer, what follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from data import corpora
from data.embeddings import VocabularyChoice
from mechanisms import Mechanism, Vocabulary
from mechanisms.cleaning import Html
from pages.shared import cached, downloads, jobs, mechanism_picker, progress, prose, session
from pages.shared.fragments import fragment
from pages.shared.number_box import number_box
from pages.shared.settings import KEPT
from pages.your_data import choosing_charts as charts
from pages.your_data import choosing_wording as wording
from pages.your_data import controls
from pages.your_data.files import File
from release import candidates
from release.candidates import Candidate, Refusal
from release.choice import Choice, with_demands
from release.choose import texts_of
from release.corpus_texts import corpus_texts
from release.demands import MEANINGS, Demands, Key
from release.driver import Reading
from release.refine import Step, choosing, step_count


@dataclass(eq=False)
class Choosing:
    """A choice that is being made, and what it was begun with."""

    key: tuple[Any, ...]
    job: jobs.Job

    @property
    def last(self) -> Step | None:
        """The last step that is finished."""
        return self.job.results[-1] if self.job.results else None

    @property
    def choice(self) -> Choice | None:
        """The last complete table; None before the first."""
        return None if self.last is None else self.last.choice


def part(
    file: File, reading: Reading, choice: VocabularyChoice, vocabulary: Vocabulary, html: Html
) -> Choice | None:
    """Show this part of the page; returns the choice on screen, None without one."""
    st.subheader(wording.TITLE)
    st.markdown(wording.INTRODUCTION)
    try:
        demands = _demands()
    except ValueError as error:
        st.error(prose.plain(str(error)))
        return None
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    others = [column for column in reading.layout.columns if column not in reading.columns]
    label = left.selectbox(
        "Label",
        [wording.NO_LABEL, *others],
        key=f"choice-label.{file.token}",
        help=wording.LABEL_HELP,
        **KEPT,
    )
    on = middle.selectbox(
        "Made on",
        [wording.THIS_FILE, *corpora.packaged()],
        key=f"choice-on.{file.token}",
        help=wording.ON_HELP,
        **KEPT,
    )
    if not demands.has_privacy_floor:
        st.info(wording.FLOOR_MISSING)
        return None
    label = None if label == wording.NO_LABEL else label
    key = (file.token, reading, label, on, vocabulary.fingerprint, html)
    if right.button(wording.BUTTON, key="choose", type="primary", width="stretch"):
        try:
            _begin(key, file, reading, label, on, choice, vocabulary, html)
        except ValueError as error:
            st.error(prose.plain(str(error)))
            return None
    work: Choosing | None = st.session_state.get("file_choice")
    if work is None or work.key != key:
        return None
    _progress(work)
    if work.choice is None:
        return None
    found = with_demands(work.choice, demands)
    _answer(found)
    return found


def among(chosen: Choice | None, mechanism: Mechanism) -> int | None:
    """The number of settings that could have been chosen, if the choice on screen tried this."""
    if chosen is None or all(setting.mechanism != mechanism for setting in chosen.settings):
        return None
    return chosen.among


def _demands() -> Demands:
    """A box for each demand, empty if it is left out; raises ValueError for values out of range."""
    values: dict[Key, float | None] = {}
    for title, privacy in ((wording.PRIVACY, True), (wording.USE, False)):
        st.markdown(title)
        keys = [key for key in MEANINGS if MEANINGS[key].privacy == privacy]
        for key, box in zip(keys, st.columns(3, vertical_alignment="bottom"), strict=False):
            values[key] = _demand(key, box)
    return Demands(**values)


def _demand(key: Key, place: Any) -> float | None:
    """The box of one demand."""
    low, high = wording.LIMITS[key]
    suggested = Demands().made().get(key, MEANINGS[key].suggested)
    typed = number_box(
        wording.demand_label(key),
        key,
        low=low,
        high=high,
        optional=True,
        place=place,
        placeholder=wording.NO_DEMAND,
        help=wording.demand_help(key, suggested),
    )
    return None if typed is None else typed / controls.unit(key)


@cached.resource(max_entries=10, show_spinner="Looking for the mechanisms to try …")
def candidates_here(choice: VocabularyChoice) -> tuple[list[Candidate], list[Refusal]]:
    """The settings that can be chosen on this vocabulary, and the mechanisms not tried."""
    return candidates.candidates(cached.vocabulary(choice))


def _begin(
    key: tuple[Any, ...],
    file: File,
    reading: Reading,
    label: str | None,
    on: str,
    choice: VocabularyChoice,
    vocabulary: Vocabulary,
    html: Html,
) -> None:
    """Read the texts and start the job; the one before is left."""
    before: Choosing | None = st.session_state.pop("file_choice", None)
    if before is not None:
        before.job.leave(session.visitor())
    tried = candidates_here(choice)
    with st.spinner("Reading the texts …"):
        if on == wording.THIS_FILE:
            own = texts_of(
                *(file.data, reading.layout, reading.columns, label, vocabulary, html),
                ragged=reading.ragged,
            )
            made_on = ""
        else:
            own, made_on = corpus_texts(on, vocabulary), on
    steps = choosing(own, Demands(), tried=tried, made_on=made_on)
    pieces: list[Callable[[], Step]] = [partial(_next, steps)] * step_count(own, len(tried[0]))
    st.session_state.file_choice = Choosing(key, jobs.start(pieces, session.visitor()))


def _next(steps: Iterator[Step]) -> Step:
    return next(steps)


def _progress(work: Choosing) -> None:
    if work.job.error is not None:
        st.error(prose.plain(str(work.job.error)))
    elif not work.job.finished:
        st.session_state["choice-shown"] = None if work.choice is None else work.choice.scope
        _bar(work)


@fragment(run_every=0.7)
def _bar(work: Choosing) -> None:
    job = work.job
    scope = None if work.choice is None else work.choice.scope
    if job.finished or scope != st.session_state.get("choice-shown"):
        st.rerun()  # the whole page once more, now with the better table
    elif not job.watched_by(session.visitor()):
        said = wording.STOPPED if work.choice else "Stopped before the first answer."
        progress.stopped(job, said, key="choice-on")
    else:
        share = 0.0 if work.last is None else work.last.share
        said = wording.working(share, work.choice is None)
        progress.under_way(job, min(share, 1.0), said, key="choice-stop")


def _answer(found: Choice) -> None:
    """Show the recommendation, figure, table, refused mechanisms and limits."""
    setting = found.recommended
    said = " ".join(prose.plain(reason) for reason in found.reasons)
    if setting is None:
        st.warning(said)
    else:
        title = prose.plain(setting.title)
        st.info(said.replace(title, f"**{title}**", 1))
        st.button(
            wording.USE_IT,
            key="use-choice",
            on_click=mechanism_picker.use_mechanism,
            args=(setting.mechanism,),
            disabled=mechanism_picker.is_locked(),
            type="primary",
            help="Sets mechanism, ε and parameters on every page.",
        )
    st.caption(wording.RULE)
    downloads.figure(st, charts.settings(found), key="choice-figure", alt=wording.alt(found))
    st.caption(wording.HOW_TO_READ)
    st.dataframe(table(found), hide_index=True, width="stretch")
    with st.expander("Why not another mechanism"):
        for each in found.refused:
            st.markdown(f"- {prose.plain(wording.refused(each))}")
    for note in found.notes:
        st.caption(prose.plain(note))
    left, right = st.columns(2)
    rows = pd.DataFrame(found.rows())
    downloads.download("⬇️ All settings (CSV)", rows, "choice.csv", left)
    downloads.document(
        right,
        "⬇️ The choice (JSON)",
        json.dumps(
            found.as_record() | {"provenance": downloads.provenance()}, ensure_ascii=False, indent=1
        ),
        "private-choice.json",
        width="stretch",
        help=wording.record_help(found),
    )


def table(found: Choice) -> pd.DataFrame:
    """Every mechanism at its best ε, those that meet the demands first, most use first."""
    names = dict.fromkeys(setting.name for setting in found.settings)
    nearest = [
        found.recommended
        if found.recommended is not None and found.recommended.name == name
        else found.nearest(name)
        for name in names
    ]
    nearest.sort(key=lambda s: (not found.meets(s), -found.use(s)))
    rows = []
    for setting in nearest:
        key = found.worst_key(setting)
        shown = {MEANINGS[k].title: wording.share(setting, k) for k in MEANINGS}
        if not found.has_labels:
            del shown[MEANINGS["keep_accuracy"].title]
        mark = "recommended" if setting is found.recommended else "meets all"
        rows.append(
            {
                "Mechanism": setting.name,
                "ε": setting.mechanism.epsilon,
                "Demands": mark if key is None else f"misses: {MEANINGS[key].title.lower()}",
                **shown,
            }
        )
    return pd.DataFrame(rows)
