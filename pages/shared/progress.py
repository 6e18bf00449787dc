"""Progress as a bar, with a button that stops the work."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import jobs, progress_wording, prose, session, shared_work
from pages.shared.jobs import Job


def bar(
    place: DeltaGenerator, text: str, stop: Callable[[], None] | None = None
) -> shared_work.Progress:
    """Progress as a bar in an empty place: drawn at the first share, gone at the last.

    With `stop` a button stands beside it. A press ends the run of the page at the next share, and
    `stop` takes back what asked for the work before the page is run again.
    """
    beside: list[DeltaGenerator] = []

    def show(share: float, ahead: int = 0) -> None:
        if share >= 1:
            place.empty()
            return
        if not beside and stop is None:
            beside.append(place)
        elif not beside:
            left, right = place.container().columns([5, 1], vertical_alignment="center")
            beside.append(left.empty())
            right.button("⏹ Stop", on_click=stop, width="stretch")
        beside[0].progress(
            share,
            f"{text} {progress_wording.ahead(ahead) if ahead else prose.whole_percent(share)}",
        )

    return show


def running(job: Job) -> bool:
    """Whether results still come in for this visitor."""
    return not job.finished and job.watched_by(session.visitor())


def show_progress(job: Job) -> None:
    """A bar with a stop button while the job runs; what went wrong, if it did."""
    if job.error is not None:
        st.error(prose.plain(str(job.error)))
    elif job.finished:
        return
    elif running(job):
        under_way(job, job.share, progress_wording.computing(job.share, jobs.running()))
    else:
        stopped(job, progress_wording.stopped(job.share))


def under_way(
    job: Job, share: float, said: str, key: str | None = None, help: str | None = None
) -> None:
    """How far work is, and the button by which this visitor stops it."""
    bar, stop = st.columns([5, 1], vertical_alignment="center")
    bar.progress(share, said)
    leave, visitor = job.leave, session.visitor()
    stop.button("⏹ Stop", key=key, help=help, on_click=leave, args=(visitor,), width="stretch")


def stopped(job: Job, said: str, key: str | None = None) -> None:
    """What is left of work that this visitor stopped, and the button that goes on with it."""
    st.info(said)
    st.button("▶ Resume", key=key, on_click=job.join, args=(session.visitor(),))
