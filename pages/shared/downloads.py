"""Tables to take along."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from release.spreadsheet import as_text_cell


def csv(table: pd.DataFrame) -> bytes:
    """Any table for a spreadsheet: UTF-8 with a mark, no cell that runs as a formula."""

    def safe(cell: object) -> object:
        return as_text_cell(cell) if isinstance(cell, str) else cell

    # With both signs of a line end in it, a lone one in a cell is quoted, and begins no row.
    guarded = table.map(safe).rename(columns=safe)
    return guarded.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig")


def download(
    label: str,
    table: pd.DataFrame | Callable[[], pd.DataFrame],
    file: str,
    place: DeltaGenerator | None = None,
) -> None:
    """A button that downloads a table, or what makes one, as CSV; written when it is pressed.

    In a place of its own it fills that.
    """
    (place or st).download_button(
        label,
        lambda: csv(table() if callable(table) else table),
        file,
        "text/csv",
        on_click="ignore",
        width="stretch" if place else "content",
    )
