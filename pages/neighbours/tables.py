"""Neighbourhoods and densities as tables."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from measures.words.density import KEPT_NEIGHBOURS, NeighbourDistances, Neighbourhood
from mechanisms import Vocabulary
from mechanisms.estimate import Estimate
from mechanisms.law import Law
from mechanisms.vocabulary import Floats
from pages.shared import tables as shared_tables


def neighbourhood(near: Neighbourhood, law: Law, vocabulary: Vocabulary) -> pd.DataFrame:
    """One row a word of a map, nearest first."""
    return pd.DataFrame(
        {
            "rank": range(len(near.word_ids)),
            "word": [vocabulary.words[i] for i in near.word_ids],
            "distance": near.distances,
            "comes out": law.of(near.word_ids),
        }
    )


def neighbourhood_columns() -> dict[str, object]:
    """How the columns of `neighbourhood` are shown."""
    return {
        "rank": st.column_config.NumberColumn(width=50, help="0 is the word itself."),
        "distance": st.column_config.NumberColumn(format="%.3f", width="small"),
        "comes out": st.column_config.NumberColumn(format="percent", width="small"),
    }


def percentiles(series: dict[str, NeighbourDistances], levels: tuple[int, ...]) -> pd.DataFrame:
    """One row a neighbour number k, one column an embedding and percentile."""
    columns = {
        f"{name}, {level} %": pd.Series(row)
        for name, found in series.items()
        for level, row in zip(levels, found.percentiles, strict=True)
    }
    table = pd.DataFrame(columns)
    table.insert(0, "k", range(1, len(table) + 1))
    return table


def by_density(
    found: NeighbourDistances, vocabulary: Vocabulary, densest: bool, count: int | None = 10
) -> pd.DataFrame:
    """The words in the densest places, or in the sparsest, and how far their neighbours are."""
    order = found.order() if densest else found.order()[::-1]
    ids = order[:count]
    rows = found.kept[found.word_ids.searchsorted(ids)]
    table = pd.DataFrame({"word": [vocabulary.words[i] for i in ids]})
    for k, distance in zip(KEPT_NEIGHBOURS, rows.T, strict=True):
        table[f"k = {k}"] = distance
    return table


def density_columns() -> dict[str, object]:
    """How the columns of `by_density` are shown."""
    return {
        f"k = {k}": st.column_config.NumberColumn(
            format="%.3f", help=f"Distance to neighbour number {k}."
        )
        for k in KEPT_NEIGHBOURS
    }


def adaptation(
    word_ids: object, distance: object, unchanged: dict[str, Estimate], vocabulary: Vocabulary
) -> pd.DataFrame:
    """One row a word: how close its neighbours are, and N_w under each mechanism."""
    stays: dict[str, Floats] = {}
    for name, found in unchanged.items():
        stays |= shared_tables.columns(f"N_w, {name}", found)
    words = [vocabulary.words[i] for i in word_ids]
    return pd.DataFrame({"word": words, "distance to the 10th neighbour": distance, **stays})
