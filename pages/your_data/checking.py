"""The check of a visitor's file before its release, and a draw of a sample to test it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import streamlit as st

from mechanisms import Mechanism, Vocabulary
from mechanisms.cleaning import Html
from pages.shared import jobs, ledger, session
from pages.your_data.files import File, start, surveyed
from release import check as checks
from release import pieces, tables
from release.check import Check
from release.driver import Reading
from release.names import Names
from release.pieces import Piece
from release.plan import Plan, plan, together
from release.settings import Settings
from release.survey import Survey
from release.survived import Survived, of_piece

# Texts that a test draws: enough to see names stay, and seconds for the slowest mechanism.
SAMPLE_TEXTS = 200


@dataclass(eq=False)
class Planning:
    """A file that is being counted."""

    key: tuple[Any, ...]
    job: jobs.Job
    survey: Survey
    """First, last and longest row, and how many there are."""

    @cached_property
    def plan(self) -> Plan:
        """The counts of the whole file, once the job is finished."""
        return together(one for one, _ in self.job.results)

    @property
    def pieces(self) -> int:
        """Number of pieces that the file is cut into."""
        return len(self.job.results)

    @cached_property
    def check(self) -> Check:
        """The check of the whole file, once the job is finished."""
        whole = Check()
        for _, found in self.job.results:
            whole += found
        return whole

    @cached_property
    def names(self) -> Names:
        """The name-like words of the whole file."""
        return checks.names_of(self.check)


def planning(
    file: File,
    reading: Reading,
    mechanism: Mechanism,
    vocabulary: Vocabulary,
    html: Html = "decode",
) -> Planning:
    """The counts of a file under these settings: the existing job, or a new one."""
    key = (
        file.token,
        reading._replace(left_out=()),
        type(mechanism),
        getattr(mechanism, "variant", ""),
    )
    key += (vocabulary.fingerprint, html)
    last: Planning | None = st.session_state.get("file_plan")
    if last is not None and last.key == key:
        return last
    if last is not None:
        last.job.leave(session.visitor())
    found, count = surveyed(file, reading)
    others = [name for name in reading.layout.columns if name not in reading.columns]
    at = [reading.layout.position(name) for name in others]

    def look(piece: Piece) -> tuple[Plan, Check]:
        passing = ({n: row[i] for n, i in zip(others, at, strict=True)} for row in piece.rows)
        found = checks.check(piece.texts, passing, mechanism, vocabulary, html)
        return plan(piece.texts, mechanism, vocabulary, html), found

    job = start((look(piece) for piece in reading.pieces(file.data)), count)
    st.session_state.file_plan = Planning(key, job, found)
    return st.session_state.file_plan


# --------------------------------------------------------------------------------------- the trial


class Trial(NamedTuple):
    """A sample of a file, drawn once."""

    about: tuple[Any, ...]
    settings: Settings
    texts: int
    """How many texts the file has."""
    pairs: dict[int, list[tuple[str, str]]]
    """As typed and as drawn, by row."""
    survived: Survived

    def texts_of(self, rows: Sequence[int]) -> list[tuple[int, str, str]]:
        """The texts of some rows: the number of the row, as typed, and as drawn."""
        return [(row, *pair) for row in rows for pair in self.pairs.get(row, ())]


def draw_trial(
    file: File, reading: Reading, settings: Settings, vocabulary: Vocabulary, plan: Planning
) -> None:
    """Draw a sample of the texts, spread over the file. It is a fresh draw, and counted as one."""
    step = max(1, -(-plan.plan.texts // SAMPLE_TEXTS))
    rows: list[int] = []
    texts: list[str] = []
    seen = 0
    for number, row in enumerate(reading.rows(file.data), 1):
        for text in filter(None, tables.texts(row, reading.positions, number)):
            if seen % step == 0:
                rows.append(number)
                texts.append(text)
            seen += 1
    drawn = pieces.of_file(settings, vocabulary).private(texts, settings.rng(0))
    pairs: dict[int, list[tuple[str, str]]] = {}
    for number, text, private in zip(rows, texts, drawn.texts, strict=True):
        pairs.setdefault(number, []).append((text, private))
    found = of_piece(drawn, plan.names, rows)
    about = (file.token, reading._replace(left_out=()), settings)
    drawn_now = Trial(about, settings, plan.plan.texts, pairs, found)
    st.session_state.setdefault("file_test", []).append(drawn_now)
    ledger.charge(file.ledger, settings.mechanism, vocabulary, 1)


def trials(file: File) -> list[Trial]:
    """All trials of this file, oldest first."""
    return [one for one in st.session_state.get("file_test", []) if one.about[0] == file.token]


def trial(file: File, reading: Reading) -> Trial | None:
    """The last trial of the same columns, read in the same way; None if there is none."""
    same = [one for one in trials(file) if one.about[1] == reading._replace(left_out=())]
    return same[-1] if same else None
