"""Sweeps on the trade-off page: what is read off their points, and the visitor's own runs.

A run from the page is a job of a few cells. What a visitor brings, a table of texts or a file of
rows, belongs to the session and ends with it; runs on corpora that everybody has are shared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from data import corpora, embeddings
from data.corpora import Corpus
from measures.papers import benchmark_tables, tem_claim
from measures.papers.benchmark_tables import Cell as PrintedCell
from measures.sweeps import experiment, plan, regression
from measures.sweeps import scores as points
from measures.sweeps.contest import shares_of_lead as contest_shares
from measures.sweeps.experiment import Cell
from measures.sweeps.labels import mechanism_of, name_of
from measures.sweeps.regression import Fit
from measures.sweeps.scores import COUNTED, Points, Ranked, Row
from measures.sweeps.task import Ground, Preprocessing
from mechanisms import Family, Mechanism
from mechanisms.vocabulary import Floats
from pages.shared import downloads, jobs, material, mechanism_picker, progress, prose, session
from pages.shared.jobs import Job
from pages.tradeoff import own_texts, tables, wording
from pages.tradeoff.charts import Curve
from pages.tradeoff.results import runs

Scores = list[tuple[str, float]]
"""Mechanisms by name, each with its score."""

# Where lines over α are drawn.
ALPHAS = np.linspace(0, 1, 201)

TEXTS = (200, 500, 1_000, 2_000)
SPREAD = 5

# Rows of our own that make a fit of five terms worth reading.
_FEWEST_FITTED = 30

# Runs of a session that stay in the figure.
_MOST_RUNS = 8


# ------------------------------------------------------------------------ from rows to the figures


def shares_of_lead(found: Points, order: Ranked) -> dict[str, float]:
    """By curve, the share of resamples in which it leads, over the α where it is said to."""
    every = contest_shares(found, ALPHAS)
    leads = np.zeros(every.shape, bool)
    for low, high, (first,) in order.leads:
        leads[first] |= (low <= ALPHAS) & (high >= ALPHAS)
    return {
        curve: float(share[there].mean())
        for curve, share, there in zip(order.curves, every, leads, strict=True)
        if there.any()
    }


def curves(found: Points) -> dict[str, Curve]:
    """Points by curve, as a figure takes them."""
    by_curve = {curve: found.of_curves([curve]) for curve in dict.fromkeys(found.curve)}
    kept = points.promises(found)
    return {
        curve: (mine.mechanism[0], mine.epsilon, mine.privacy, mine.utility, kept[curve])
        for curve, mine in by_curve.items()
    }


def lines(found: Points) -> dict[str, tuple[str, Floats]]:
    """PUC of each curve at `ALPHAS`, with its mechanism."""
    names = dict(zip(found.curve, found.mechanism, strict=True))
    return {curve: (names[curve], line) for curve, line in points.over_alpha(found, ALPHAS).items()}


def table_points(corpus: str, dimensions: Sequence[int], epsilons: Sequence[int]) -> Points:
    """The benchmark's mechanisms, averaged over these dimensions and ε: a point each."""
    return points.points(
        [
            {**row, "epsilon": 0.0}
            for row in benchmark_tables.rows()
            if row["corpus"] == corpus
            and row["dimensions"] in dimensions
            and row["epsilon"] in epsilons
        ]
    )


def table_9(
    corpus: str, dimensions: Sequence[int], epsilons: Sequence[int], alpha: float
) -> tuple[Scores, Scores, list[PrintedCell]]:
    """Mechanisms with their scores, best first: as printed, and recomputed; the cells behind it."""
    at = benchmark_tables.printed_at(corpus, epsilons, alpha, dimensions)
    printed = [(name_of({"mechanism": name}), score) for name, score in at.items()]
    found = table_points(corpus, dimensions, epsilons)
    computed = list(zip(found.mechanism, found.puc(alpha).value.tolist(), strict=True))
    cells = [
        one
        for one in benchmark_tables.cells()
        if one.corpus == corpus and one.dimensions in dimensions and one.epsilon in epsilons
    ]
    return _best_first(printed), _best_first(computed), cells


def printed_marks(
    corpus: str, dimensions: Sequence[int], epsilons: Sequence[int]
) -> dict[str, tuple[str, list[float], list[float]]]:
    """The printed scores at the three α of Table 9, by mechanism."""
    at = {
        alpha: benchmark_tables.printed_at(corpus, epsilons, alpha, dimensions)
        for alpha in benchmark_tables.ALPHAS
    }
    return {
        name_of({"mechanism": name}): (
            name_of({"mechanism": name}),
            list(at),
            [scores[name] for scores in at.values()],
        )
        for name in at[0.5]
    }


def tem_findings() -> list[tem_claim.Finding]:
    """What is known of the TEM paper's claim; nothing where it was not computed yet."""
    return tem_claim.findings() if tem_claim.FILE.exists() else []


def fits(found: Sequence[Row]) -> dict[str, Fit]:
    """Table 4's model on the benchmark's rows, and on rows of our own where there are enough."""
    fitted = {wording.REFIT: regression.table_4(benchmark_tables.rows())}
    try:
        own = regression.table_4(found)
    except ValueError:  # too few of them
        return fitted
    return fitted | ({wording.OWN_FIT: own} if own.count >= _FEWEST_FITTED else {})


def _best_first(scores: Scores) -> Scores:
    return sorted(scores, key=lambda pair: -pair[1])


def offer_rows(found: Sequence[Row], ranking: pd.DataFrame) -> None:
    """The ranking and the rows behind it, to take along."""
    first, second, third = st.columns(3)
    downloads.download("⬇️ Ranking (CSV)", ranking, "ranking.csv", first)
    downloads.download("⬇️ Rows (CSV)", partial(tables.without_lists, found), "sweep.csv", second)
    downloads.document(
        third,
        "⬇️ Rows (Parquet)",
        partial(tables.parquet, found),
        "sweep.parquet",
        "application/vnd.apache.parquet",
        width="stretch",
    )


def hand_over(found: Sequence[Row], curve: str, epsilon: float) -> None:
    """A button that sets the first place's mechanism and ε for the visitor's file, and goes there.

    Nothing for rows of a mechanism that is not one of ours.
    """
    mechanism = mechanism_of(found, curve, epsilon)
    if mechanism is None:
        return

    def use() -> None:
        mechanism_picker.use_mechanism(mechanism)
        st.session_state["open_your_data"] = True

    where = prose.plain(material.name()) if material.has_file() else "a file of mine"
    setting = prose.plain(prose.in_short(mechanism))
    locked = mechanism_picker.is_locked()
    st.button(f"📄 Use {setting} for {where}", key="hand-over", on_click=use, disabled=locked)


def asked_for_the_file() -> bool:
    """Whether a setting was just handed over to the visitor's file."""
    return bool(st.session_state.pop("open_your_data", False))


# ----------------------------------------------------------------------- the visitor's own results


def run_form() -> None:
    """Choose a mechanism and texts, and run."""
    left, right = st.columns(2, gap="large")
    with left:
        try:
            family = mechanism_picker.family_controls()
        except (TypeError, ValueError) as error:
            st.warning(prose.plain(str(error)))
            return
    with right:
        corpus = own_texts.chosen()
        texts = st.segmented_control(
            "How many",
            TEXTS,
            default=500,
            required=True,
            format_func=lambda n: f"{n:,}",
            key="run-texts",
        )
        benchmark = st.toggle(
            "The benchmark's preprocessing",
            True,
            help="Lower case, without stop words and numbers, words in their base form.",
        )
    st.button(
        "▶ Run",
        type="primary",
        disabled=corpus is None,
        on_click=run,
        args=(family, corpus, texts, benchmark),
    )
    if runs() or st.session_state.get("sweep_file_rows"):
        st.button("🗑️ Remove my results from the figure", on_click=forget)


def file_form() -> None:
    """Show rows of a sweep that the visitor has."""
    st.file_uploader(
        "Parquet or CSV",
        ["parquet", "csv"],
        key="sweep-file",
        on_change=_take_file,
        help=wording.SWEEP_FILE_HELP,
    )
    if problem := st.session_state.get("sweep_file_problem"):
        st.warning(prose.plain(problem))


def _take_file() -> None:
    """Read the rows of a file as soon as it is there, and look at its first corpus."""
    state = st.session_state
    state.sweep_file_problem = ""
    if (file := state["sweep-file"]) is None:
        return
    try:
        state.sweep_file_rows = points.from_file(file.getvalue())
    except ValueError as error:
        state.sweep_file_problem = str(error)
    else:
        state.corpus = state.sweep_file_rows[0]["corpus"]


def run(family: Family[Mechanism], corpus: str | Corpus, texts: int, benchmark: bool) -> None:
    """Begin a run of a mechanism over its range of ε, or find that it is there already.

    A corpus is one that everybody has, by its name, or a visitor's own.
    """
    own = isinstance(corpus, Corpus)
    preprocessing: Preprocessing = "benchmark" if benchmark else "none"
    own_file = own and corpus.name == own_texts.OWN_FILE
    cells = plan.planned(
        (corpus.name if own else corpus,),
        (family,),
        epsilons=own_texts.epsilon(family) if own_file else (),
        spread=SPREAD,
        **own_texts.vocabulary() if own_file else {},
        preprocessing=preprocessing,
        texts=min(texts, len(corpus)) if own else texts,
        measures=tuple(name for name in COUNTED if name in experiment.MEASURES),
    )
    st.session_state.corpus = cells[0].corpus
    key: Hashable = tuple(each.fingerprint for each in cells)
    pieces = [partial(experiment.run, each) for each in cells]
    if own:
        content = hashlib.sha256(repr((corpus.texts, corpus.labels)).encode()).hexdigest()
        key = (key, content)
        pieces = _on_own_ground(cells, corpus, benchmark)
    here = runs()
    if key in here and here[key].error is None:
        here[key].join(session.visitor())
        return
    here[key] = jobs.start(pieces, session.visitor(), None if own else ("sweep", key))
    while len(here) > _MOST_RUNS:
        here.pop(next(iter(here))).leave(session.visitor())


def _on_own_ground(cells: Sequence[Cell], corpus: Corpus, benchmark: bool) -> list[Any]:
    """The pieces of a run on a visitor's own texts: they share a ground that only they hold."""
    made: list[Ground] = []

    def piece(each: Cell) -> dict[str, Any]:
        if not made:
            sample = corpora.sampled(corpus, each.texts, each.seed)
            sample = corpora.prepared(sample) if benchmark else sample
            vocabulary = embeddings.load(each.embedding, each.vocabulary_size)
            made.append(Ground(sample, vocabulary, each.seed))
        return experiment.run(each, made[0])

    return [partial(piece, each) for each in cells]


def unfinished() -> Job | None:
    """The run that is still at work, or was stopped; the latest one."""
    left = [job for job in runs().values() if not job.finished]
    return left[-1] if left else None


def show_progress(job: Job) -> bool:
    """A bar with a stop button; whether there is more to show than before."""
    before = st.session_state.get("sweep_seen", 0)
    done = sum(len(each.results) for each in runs().values())
    st.session_state.sweep_seen = done
    if job.watched_by(session.visitor()):
        said = wording.running(job.share, _seconds_left(job), jobs.running())
        progress.under_way(job, job.share, said, help=wording.STOP_HELP)
    else:
        progress.stopped(job, wording.stopped(len(job.results)))
    return done != before or job.finished


def _seconds_left(job: Job) -> float | None:
    """By what the cells so far took; None before the first is there."""
    done = [row["seconds"] for row in job.results]
    return sum(done) * (1 - job.share) / job.share if done else None


def errors() -> list[str]:
    """What went wrong in the visitor's own runs, each sentence once."""
    found = [row["error"] for job in runs().values() for row in job.results if row["error"]]
    found += [str(job.error) for job in runs().values() if job.error is not None]
    return list(dict.fromkeys(found))


def forget() -> None:
    """Take the visitor's own results out of the figure."""
    for job in runs().values():
        job.leave(session.visitor())
    st.session_state.sweep_runs = {}
    st.session_state.sweep_file_rows = []
