"""Tables, documents and figures to take along: the only place that offers downloads and figures.

A table carries its provenance in columns of its own: the settings of the page it was made on, the
version and the date. A figure is saved as SVG from its own menu, and the data of all figures of a
page are one file at its foot. A document says its settings itself.
"""

from __future__ import annotations

import base64
import json
import re
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import classroom, page_end
from release.spreadsheet import as_text_cell

_NAMES = {"eps": "ε", "size": "vocabulary size", "tokens": "vocabulary holds"}
_OF_THE_SCREEN = ("projector", "lesson", "step", "view")
# Signs that a cell has on screen, beside its word; without a word they have one here.
_SIGN = re.compile(r"^(?:✅|❌|❔|🚫|⚠️|❗|✓|✗)\s*")
_ALONE = {"✅": "yes", "✓": "yes", "❌": "no", "✗": "no", "–": ""}
_WITHOUT_DATA = ("", "learn", "teach", "glossary")
FIGURES = "⬇️ Data of the figures on this page (JSON)"


@cache
def version() -> str:
    """The version of the project."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def provenance(settings: bool = True) -> dict[str, str]:
    """Where a download is from: the version, the date, and the settings of the page's link.

    `settings` is False for results that come with the project: they do not depend on the page's.
    """
    found = {"WordVeil version": version(), "date": time.strftime("%Y-%m-%d", time.gmtime())}
    if not settings or classroom.hidden():
        return found
    link: dict[str, Any] = st.session_state.get("link_written", {})
    return found | {
        _NAMES.get(key, key): str(value) for key, value in link.items() if key not in _OF_THE_SCREEN
    }


def with_provenance(table: pd.DataFrame, about: dict[str, str]) -> pd.DataFrame:
    """A table with its provenance as further columns; a column of that name is the table's own."""
    named = {f"page: {key}" if key in table.columns else key: about[key] for key in about}
    return table.reset_index(drop=True).assign(**named)


def csv(table: pd.DataFrame) -> bytes:
    """Any table for a spreadsheet: UTF-8 with a mark, no cell that runs as a formula."""

    def safe(cell: object) -> object:
        return as_text_cell(cell) if isinstance(cell, str) else cell

    # With both signs of a line end in it, a lone one in a cell is quoted, and begins no row.
    guarded = table.map(safe).rename(columns=safe)
    return guarded.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig")


def coded(cell: object) -> object:
    """A cell without the sign that it has on screen: `✅ holds` is `holds`."""
    if not isinstance(cell, str):
        return cell
    return _ALONE.get(cell, _SIGN.sub("", cell))


def download(
    label: str,
    table: pd.DataFrame | Callable[[], pd.DataFrame],
    file: str,
    place: DeltaGenerator | None = None,
    *,
    settings: bool = True,
    of_texts: bool = False,
) -> None:
    """A button that downloads a table, or what makes one, as CSV; written when it is pressed.

    In a place of its own it fills that. `settings` is that of `provenance`; cells of a table
    `of_texts` are a visitor's, and stay as they are.
    """
    about = provenance(settings)

    def written() -> bytes:
        found = table() if callable(table) else table
        return csv(with_provenance(found if of_texts else found.map(coded), about))

    (place or st).download_button(
        label,
        written,
        file,
        "text/csv",
        on_click="ignore",
        width="stretch" if place else "content",
    )


def document(
    place: Any, label: str, data: Any, file: str, mime: str | None = None, **look: Any
) -> None:
    """A button that downloads a document which says its settings itself."""
    place.download_button(label, data, file, mime, on_click="ignore", **look)


# --------------------------------------------------------------------------------------- figures


@dataclass
class _Shown:
    """The figures of a run of a page, and the provenance of their data."""

    figures: dict[Any, dict[str, Any]] = field(default_factory=dict)
    """By their keys: a part of a page that runs again puts its own in the place of those before."""
    about: dict[str, str] = field(default_factory=dict)


_SHOWN = "figures-shown"


@contextmanager
def figures_at_the_foot(page: str) -> Iterator[None]:
    """Offer the data of the figures in this block below it.

    Pages of a class, and the start page, have no such offer.
    """
    here = st.session_state[_SHOWN] = None if page in _WITHOUT_DATA else _Shown()
    with page_end.then(partial(_offer_figures, here)):
        yield


def figure(place: Any, chart: go.Figure, *, alt: str = "", **look: Any) -> Any:
    """Show a figure, which its menu saves as SVG; its data join those at the foot of the page."""
    config = {
        "displaylogo": False,
        "toImageButtonOptions": {"format": "svg", "filename": look.get("key") or "figure"},
    }
    clicked = place.plotly_chart(chart, alt=alt, config=config, **look)
    here: _Shown | None = st.session_state.get(_SHOWN)
    if here is not None:
        here.figures[look.get("key") or len(here.figures)] = {"about": alt, "figure": chart}
        here.about = provenance()
    return clicked


def _offer_figures(here: _Shown | None) -> None:
    if here is not None and here.figures:
        st.download_button(
            FIGURES,
            lambda: figures_json(list(here.figures.values()), here.about),
            "figures.json",
            "application/json",
            on_click="ignore",
            key="figures-data",
        )


def figures_json(figures: list[dict[str, Any]], about: dict[str, str]) -> str:
    """Figures as plotly reads them, with their provenance."""
    found = [{**each, "figure": _listed(each["figure"].to_plotly_json())} for each in figures]
    return json.dumps({"provenance": about, "figures": found}, ensure_ascii=False)


def _listed(value: Any) -> Any:
    """The same with every array as a list of numbers, also those that plotly packs as bytes."""
    if isinstance(value, dict):
        if value.keys() >= {"dtype", "bdata"}:
            packed = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
            shape = str(value.get("shape", len(packed)))
            return packed.reshape([int(side) for side in shape.split(",")]).tolist()
        return {key: _listed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value if value is None or isinstance(value, str | int | float) else str(value)
