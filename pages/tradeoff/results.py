"""The rows behind the trade-off page, as points: the project's, and those that the visitor adds.

Points do not depend on α, and making them is most of a page's work: those of the project's rows are
made once for all sessions, those with rows of the visitor's once a session.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any

import streamlit as st

from measures.sweeps import scores
from measures.sweeps.contest import Contest, contest
from measures.sweeps.labels import name_of
from measures.sweeps.scores import Points, Row
from measures.sweeps.sides import NORMALISERS
from pages.shared import cached, prose, session
from pages.shared.jobs import Job
from pages.tradeoff.controls import Counting

# Choices of what counts whose points stay, for all sessions.
_MOST_COUNTED = 12


class Shipped:
    """The rows that come with the project, and their points."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._points: OrderedDict[Hashable, Points] = OrderedDict()

    def points(self, corpus: str, counting: Counting) -> Points:
        """The points of a corpus; ValueError as `measures.sweeps.scores.points`."""
        key = corpus, counting.key
        found = self._points.get(key)
        if found is None:
            found = scores.points([r for r in self.rows if r["corpus"] == corpus], *counting)
            self._points[key] = found
            while len(self._points) > _MOST_COUNTED:
                self._points.popitem(last=False)
        return found


@cached.resource(max_entries=1)
def _shipped_at(changed: float) -> Shipped:
    return Shipped(scores.shipped())


def shipped() -> Shipped:
    """The standard sweep, read once for each time its file changes; no rows where there is none."""
    return _shipped_at(scores.SHIPPED.stat().st_mtime) if scores.SHIPPED.exists() else Shipped([])


def runs() -> dict[Hashable, Job]:
    """The visitor's runs by what they measure."""
    return st.session_state.setdefault("sweep_runs", {})


def _own() -> tuple[Hashable, list[Row]]:
    """The rows that the visitor adds, and what tells them from others in this session."""
    file: list[dict[str, Any]] = st.session_state.get("sweep_file_rows", [])
    rows = [row | {"source": "your run"} for job in runs().values() for row in job.results]
    key = tuple((name, len(job.results)) for name, job in runs().items()), id(file) if file else 0
    return key, [*rows, *(row | {"source": "your file"} for row in file)]


def rows() -> list[Row]:
    """All rows that this session can show."""
    return [*shipped().rows, *_own()[1]]


def points_of(corpus: str, counting: Counting) -> tuple[Points, str]:
    """A corpus' rows as points, and what is wrong with the choice of measures, if anything is."""
    ours, (key, own) = shipped(), _own()
    try:
        if not any(row["corpus"] == corpus for row in own):
            return ours.points(corpus, counting), ""
        found = session.once(
            ("sweep points", id(ours), key, corpus, counting.key),
            lambda: scores.points([r for r in rows() if r["corpus"] == corpus], *counting),
        )
    except ValueError as error:
        return scores.points([]), prose.plain(str(error))
    return found, ""


def contests(
    corpus: str, counting: Counting, chosen: Sequence[str], alpha: float
) -> dict[str, tuple[Contest, float]]:
    """The chosen curves on every scale that the rows allow, with the score of a coin toss."""
    every = {}
    for scale in NORMALISERS:
        on_scale = points_of(corpus, counting._replace(scale=scale))[0].of_curves(chosen)
        if len(on_scale):
            every[scale] = contest(on_scale, alpha), on_scale.sides.coin_toss
    return every


def not_measured(here: Sequence[Row]) -> str:
    """The mechanisms that the shipped sweep has no row of, as a sentence; of other rows nothing."""
    if any(row.get("source") in ("your run", "your file") for row in here):
        return ""
    return prose.not_measured(name_of(row) for row in here)


def corpora_of(found: Sequence[Row]) -> list[str]:
    """The corpora that rows are about."""
    return list(dict.fromkeys(str(row["corpus"]) for row in found))
