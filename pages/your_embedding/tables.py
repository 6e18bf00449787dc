"""The health report of an embedding as a table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from data.embedding_health import Health
from pages.shared.prose import number, percent
from pages.your_embedding import wording


def health(report: Health) -> pd.DataFrame:
    """One row for everything that was found; all cells are text."""
    rows = [
        ("file", "format", report.format, "", ""),
        ("file", "header", report.header, "", ""),
        ("file", "dimensions", f"{report.dimensions:,}", "", ""),
        ("file", "rows read", f"{report.rows:,}", "", ""),
        ("file", "rows that can be used", f"{report.words:,}", "", ""),
    ]
    for reason, fault in report.dropped.items():
        rows.append(("left out", reason, f"{fault.count:,}", wording.first_lines(fault), ""))
    for what, fault in report.noticed.items():
        lines, meaning = wording.first_lines(fault), wording.MEANINGS[what]
        rows.append(("noticed", what, f"{fault.count:,}", lines, meaning))
    for convention, count in report.conventions.items():
        share = f"{percent(count / report.words)} of the words"
        rows.append(("spelling", convention, f"{count:,}", "", share))
    names = wording.norm_levels()
    for name, norm in zip(names, report.norms, strict=True):
        rows.append(("geometry", name, number(norm), "", ""))
    if report.offset:
        rows.append(("geometry", "common offset", number(report.offset), "", "subtracted"))
    if report.closest:
        distance, one, other = report.closest
        among = f"{one} and {other}, of the first {report.compared:,} words"
        rows.append(("geometry", "closest two vectors", number(distance), "", among))
    return pd.DataFrame(rows, columns=["about", "what", "found", "first lines", "note"])


def health_columns() -> dict[str, object]:
    """How the columns of `health` are shown."""
    return {
        "about": st.column_config.TextColumn(width="small"),
        "found": st.column_config.TextColumn(width="small"),
        "first lines": st.column_config.TextColumn(width="small"),
        "note": st.column_config.TextColumn(width="large"),
    }
