"""The tables of the trade-off page: rankings, Table 9 cell by cell, fits, standings."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from data import published
from measures.papers import base_measure_claim, tem_claim
from measures.papers.benchmark_tables import Cell
from measures.papers.gumbel_claim import Standing
from measures.sweeps import regression
from measures.sweeps.contest import Contest
from measures.sweeps.labels import name_of
from measures.sweeps.regression import Fit
from measures.sweeps.scores import Points, Ranked, Row, promises
from mechanisms.estimate import Estimate
from mechanisms.vocabulary import Floats
from pages.shared.prose import whole_percent
from pages.tradeoff.wording import REFIT, TERMS
from release.grammar import enumerated


def ranking(
    found: Points, order: Ranked, result: Contest, shares: Mapping[str, float]
) -> pd.DataFrame:
    """One row a curve at its best ε, best first; `shares` are those of resamples for *leads*."""
    leads: dict[str, list[str]] = {}
    for low, high, (first,) in order.leads:
        leads.setdefault(order.curves[first], []).append(f"{low:.3g} to {high:.3g}")
    said = {
        curve: _in_resamples(enumerated(where), shares.get(curve, math.nan))
        for curve, where in leads.items()
    }
    kept, best = promises(found), list(result.chosen)
    equals = result.equals
    return pd.DataFrame(
        {
            "rank": range(1, len(best) + 1),
            "mechanism": list(result.curves),
            "keeps": [
                {None: "not known", "": "✗ nothing"}.get(kept[c], f"✓ {kept[c]}")
                for c in result.curves
            ],
            "at ε": found.epsilon[best],
            "PUC": result.score.value,
            **_ends(result.score, "from", "to"),
            "behind by": result.lead.value,
            **_ends(result.lead, "at least", "at most"),
            "clearly behind the first": [
                "" if i == 0 else "no" if curve in equals else "yes"
                for i, curve in enumerate(result.curves)
            ],
            "first in": 100 * result.first,
            "ranks": [
                "" if math.isnan(low) else f"{low:.0f} to {high:.0f}"
                for low, high in result.ranks.T.tolist()
            ],
            "utility": found.utility.value[best],
            "privacy": found.privacy.value[best],
            "N_w": found.n_w[best],
            "leads for α": [said.get(curve, "") for curve in result.curves],
            "repetitions": [found.repetitions[i] for i in best],
        }
    )


def _ends(found: Estimate, low: str, high: str) -> dict[str, Floats]:
    """The ends of intervals as columns; empty cells where nothing tells them."""
    return {
        name: np.where(np.isinf(end), np.nan, end)
        for name, end in ((low, found.low), (high, found.high))
    }


def _in_resamples(alphas: str, share: float) -> str:
    return alphas if math.isnan(share) else f"{alphas} ({whole_percent(share)} of resamples)"


def scales(every: Mapping[str, tuple[Contest, float]], named: Mapping[str, str]) -> pd.DataFrame:
    """The same rows on each scale, side by side."""
    return pd.DataFrame(
        {
            "measures as": [named[scale] for scale in every],
            "utility of guessing": [toss for _, toss in every.values()],
            "first": [one.curves[0] for one, _ in every.values()],
            "PUC": [float(one.score.value[0]) for one, _ in every.values()],
            "not clearly behind the first": [
                ", ".join(one.equals[1:]) for one, _ in every.values()
            ],
            "order": [" > ".join(one.curves) for one, _ in every.values()],
        }
    )


def ranking_columns() -> dict[str, object]:
    """How the columns of `ranking` are shown."""
    number = st.column_config.NumberColumn(format="%.1f", width="small")
    return {
        "rank": st.column_config.NumberColumn(width=50),
        "mechanism": st.column_config.TextColumn(width="medium"),
        "at ε": st.column_config.NumberColumn(format="%.4g", width="small"),
        **dict.fromkeys(("PUC", "from", "to", "behind by", "at least", "at most"), number),
        **dict.fromkeys(("utility", "privacy", "N_w"), number),
        "first in": st.column_config.NumberColumn(format="%.0f %%", width="small"),
        "repetitions": st.column_config.NumberColumn(width="small"),
    }


def changes(order: Ranked) -> pd.DataFrame:
    """Every α at which the order changes, with what stands in which order behind it."""
    names = [" > ".join(order.curves[i] for i in segment.order) for segment in order.segments]
    return pd.DataFrame(
        {
            "from α": [segment.low for segment in order.segments],
            "to α": [segment.high for segment in order.segments],
            "order": names,
        }
    )


def rows(found: Sequence[Row]) -> pd.DataFrame:
    """Rows of sweeps as a table; lists as text."""
    table = pd.DataFrame([dict(row) for row in found])
    if "measures" in table:
        table["measures"] = [
            names if isinstance(names, str) or names is None else " ".join(names)
            for names in table["measures"]
        ]
    return table.drop(columns=["source"], errors="ignore")


def without_lists(found: Sequence[Row]) -> pd.DataFrame:
    """As `rows`, without the columns of single values, which only Parquet can hold."""
    table = rows(found)
    return table.drop(columns=[name for name in table if str(name).endswith("_each")])


def parquet(found: Sequence[Row]) -> bytes:
    """Rows of sweeps as a Parquet file."""
    file = io.BytesIO()
    rows(found).to_parquet(file, index=False)
    return file.getvalue()


def two_orders(
    printed: Sequence[tuple[str, float]],
    computed: Sequence[tuple[str, float]],
    cells: Sequence[Cell],
) -> pd.DataFrame:
    """Both orders side by side, and how many printed cells of each mechanism are wrong."""
    by_name: dict[str, list[Cell]] = {}
    for cell in cells:
        by_name.setdefault(name_of({"mechanism": cell.mechanism}), []).append(cell)
    marks = []
    for name, _ in printed:
        mine = by_name[name]
        wrong = sum(cell.differs for cell in mine)
        marks.append(f"⚠️ {wrong} of {len(mine)} cells" if wrong else "✅")
    return pd.DataFrame(
        {
            "rank": range(1, len(printed) + 1),
            "as printed": [name for name, _ in printed],
            "printed PUC": [score for _, score in printed],
            "misprinted": marks,
            "recomputed": [name for name, _ in computed],
            "recomputed PUC": [score for _, score in computed],
        }
    )


def cells(found: Sequence[Cell]) -> pd.DataFrame:
    """Table 9 cell by cell beside Equation 4, with what is wrong."""
    return pd.DataFrame(
        {
            "corpus": [cell.corpus for cell in found],
            "dimensions": [cell.dimensions for cell in found],
            "ε": [cell.epsilon for cell in found],
            "α": [cell.alpha for cell in found],
            "mechanism": [name_of({"mechanism": cell.mechanism}) for cell in found],
            "printed": [cell.printed for cell in found],
            "recomputed": [cell.computed for cell in found],
            "misprint": [cell.problem.finding if cell.problem else "" for cell in found],
        }
    )


def one_decimal(*names: str) -> dict[str, object]:
    """Columns with one decimal."""
    return dict.fromkeys(names, st.column_config.NumberColumn(format="%.1f"))


def two_decimals(*names: str) -> dict[str, object]:
    """Columns with two decimals, as the benchmark prints them."""
    return dict.fromkeys(names, st.column_config.NumberColumn(format="%.2f"))


def problems() -> list[tuple[str, str, pd.DataFrame]]:
    """What is wrong in the benchmark's tables: the finding, its evidence, and the rows."""
    signs = {"misprint": "⚠️", "doubtful": "❔", "inconsistent": "❗"}
    return [
        (f"{signs[each.kind]} {each.finding}", each.evidence, each.rows())
        for each in published.problems()
        if each.table.startswith("meisenbacher2024")
    ]


def coefficients(printed: pd.DataFrame, others: Mapping[str, Fit]) -> dict[str, Estimate]:
    """Coefficients of the predictors, by fit.

    The paper's own fit is to as many settings as the one made again from its tables.
    """
    settings = others[REFIT].count
    as_printed = regression.with_intervals(printed["coef"], printed["std_err"], settings)
    found = {"printed": as_printed} | {label: fit.estimates for label, fit in others.items()}
    return {label: estimates[1:] for label, estimates in found.items()}


def fits(printed: pd.DataFrame, others: Mapping[str, Fit]) -> pd.DataFrame:
    """Coefficients, standard errors and R², one row a term, a few columns a fit."""
    table = pd.DataFrame(
        {
            "term": [TERMS[term] for term in printed["term"]],
            "printed": printed["coef"],
            "printed, s.e.": printed["std_err"],
        }
    )
    for label, fit in others.items():
        table[label], table[f"{label}, s.e."] = fit.coefficients, fit.errors
    squares = {"term": "R²", "printed": printed["r_squared"].iloc[0]}
    squares |= {label: fit.r_squared for label, fit in others.items()}
    return pd.concat([table, pd.DataFrame([squares])], ignore_index=True)


def fit_columns(labels: Sequence[str]) -> dict[str, object]:
    """How the columns of `fits` are shown."""
    four, three = (st.column_config.NumberColumn(format=f"%.{n}f") for n in (4, 3))
    return {
        **{label: four for label in ("printed", *labels)},
        **{f"{label}, s.e.": three for label in ("printed", *labels)},
    }


def standings(found: Sequence[Standing]) -> pd.DataFrame:
    """Where Gumbel stands, one comparison a row."""
    return pd.DataFrame(
        {
            "source": [one.source for one in found],
            "corpus": [one.corpus for one in found],
            "made equal": [one.made_equal for one in found],
            "Gumbel at α = 0.75": [f"{one.ranks[0]} of {one.ranked}" for one in found],
            "first at α = 0.75": [one.leaders[0] for one in found],
            "Gumbel at α = 0.25": [f"{one.ranks[1]} of {one.ranked}" for one in found],
            "first at α = 0.25": [one.leaders[1] for one in found],
        }
    )


def tem_answers(found: Sequence[tem_claim.Finding]) -> pd.DataFrame:
    """TEM against CMP, one comparison a row."""

    def interval(value: float, low: float, high: float) -> str:
        return f"{value:.1f} ({low:.1f} to {high:.1f})"

    return pd.DataFrame(
        {
            "embedding": [one.embedding for one in found],
            "classifier": [one.classifier for one in found],
            "made equal": [one.made_equal for one in found],
            **{
                f"{name}": [
                    f"{interval(*one.accuracy[name].numbers)} at ε = {one.epsilon[name]:.3g}, "
                    f"N_w {one.n_w[name]:.1f} %"
                    for one in found
                ]
                for name in tem_claim.CLAIMED
            },
            "original text": [interval(*one.original.numbers) for one in found],
            "TEM ahead by": [interval(*one.lead.numbers) for one in found],
            "wins": [one.winner or "not clear" for one in found],
        }
    )


def base_measure_answers(found: Sequence[base_measure_claim.Row]) -> pd.DataFrame:
    """TEM and the mechanisms with a base measure, one comparison a row; shares in percent."""

    def interval(row: base_measure_claim.Row, name: str) -> str:
        value, low, high = (getattr(row, f"{name}{end}") for end in ("", "_from", "_to"))
        return f"{value:.1f} ({low:.1f} to {high:.1f})"

    def both(row: base_measure_claim.Row, end: str) -> str:
        return "; ".join(interval(row, f"{name}{end}") for name in base_measure_claim.CLASSIFIERS)

    return pd.DataFrame(
        {
            "texts": [row.judged for row in found],
            "made equal": [row.made_equal for row in found],
            "mechanism": [row.mechanism or "none" for row in found],
            "ε": [f"{row.epsilon:.3g}" for row in found],
            "N_w, tokens": [f"{row.kept:.1f}" for row in found],
            "N_w, distinct words": [f"{row.kept_of_words:.1f}" for row in found],
            "N_w, rare words": [f"{row.kept_of_rare:.1f}" for row in found],
            "guessed": [interval(row, "guessed") for row in found],
            "guessed with neighbours": [interval(row, "guessed_in_context") for row in found],
            "closeness": [interval(row, "closeness") for row in found],
            "accuracy, tested as typed": [both(row, "") for row in found],
            "accuracy, tested on private text": [both(row, "_private") for row in found],
            "perplexity": [f"{row.perplexity:,.0f}" for row in found],
        }
    )
