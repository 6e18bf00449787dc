"""What is said about a release: facts that may be published beside it.

Nothing in a report lets anyone undo the release: neither the seed nor a hash of what came in, and
no word of it.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import platform
from collections.abc import Sequence
from typing import Any

from mechanisms import Guarantee, Vocabulary
from mechanisms.composition import document_promise
from mechanisms.text import Status
from release.layout import Layout
from release.pieces import Counts
from release.settings import Settings

# Formula cells that are listed one by one; beyond that only counted.
MOST_LISTED = 1_000
_SHOWN = 10

NOT_HIDDEN = (
    "Word by word, a mechanism hides which word stood at a place. It does not hide how many words, "
    "sentences and lines a text has, its punctuation, the style that follows from these, or that "
    "two texts have the same structure. Columns that were not chosen, their names, and the order "
    "of the rows are released as they came."
)

_PACKAGES = ("numpy", "scipy", "faiss-cpu", "pyarrow", "randomgen")
_SAID = {
    Status.CHANGED: "drawn by the mechanism, another word came out",
    Status.UNCHANGED: "drawn by the mechanism, the same word came out",
    Status.REPLACED: "unknown, replaced by a random word",
    Status.MASKED: "unknown, masked",
    Status.DROPPED: "unknown, left out",
    Status.UNPROTECTED: "released as typed: not protected",
}


def report(
    settings: Settings,
    vocabulary: Vocabulary,
    layout: Layout,
    columns: Sequence[str],
    counts: Counts,
    formulas: int = 0,
    cells: Sequence[tuple[int, str]] = (),
    emptied: int = 0,
) -> dict[str, Any]:
    """The facts of a release, as JSON can hold them.

    Parameters
    ----------
    columns
        Those that were made private.
    formulas, cells
        How many cells got an apostrophe in front so that no spreadsheet runs them, and the first
        of them by row and column.
    emptied
        Rows out of step that were released empty.

    """
    guarantee = settings.mechanism.guarantee(vocabulary)
    mean = counts.drawn / max(1, counts.rows)
    kept = [name for name in layout.columns if name not in set(columns)]
    return {
        "made with": "WordVeil",
        "finished": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "settings": settings.shown(),
        "vocabulary": {"words": len(vocabulary), "fingerprint": vocabulary.fingerprint},
        "guarantee": {
            "notion": guarantee.notion,
            "ε of a word": guarantee.epsilon,
            "δ of a word": guarantee.delta,
            "distance": guarantee.distance.name,
            "theorem": guarantee.theorem,
            "conditions": list(guarantee.conditions),
            "caveat": guarantee.caveat,
            "holds": guarantee.holds,
            "drawn words of the longest row": counts.longest,
            "longest row": _document(guarantee, counts.longest),
            "drawn words of a row, mean": mean,
            "mean row": _document(guarantee, mean),
        },
        "file": layout.found,
        "columns made private": list(columns),
        "columns as they came": kept,
        "rows": counts.rows,
        "texts": counts.texts,
        "empty cells": counts.empty,
        "rows out of step, released empty": emptied,
        "tokens": {
            "all": counts.tokens,
            **{said: counts.statuses[status] for status, said in _SAID.items()},
        },
        "not protected": counts.unprotected,
        "PP": counts.perturbed,
        "formula cells with an apostrophe in front": formulas,
        "formula cells": [{"row": row, "column": column} for row, column in cells[:MOST_LISTED]],
        "not hidden": NOT_HIDDEN,
        "versions": {
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in _PACKAGES},
        },
    }


def readable(facts: dict[str, Any]) -> str:
    """The report as text for people."""
    promise, tokens = facts["guarantee"], facts["tokens"]
    lines = [
        "WordVeil: report of a release",
        "",
        f"{facts['rows']:,} rows; made private: {_listed(facts['columns made private'])}; "
        f"as they came: {_listed(facts['columns as they came'])}.",
        f"{facts['not protected']:,} of {tokens['all']:,} tokens are not protected.",
    ]
    if facts["PP"] is not None:
        lines.append(f"PP, share of drawn words that changed: {facts['PP']:.1f} %.")
    if facts["settings"]["seeded"]:
        lines.append("Drawn with a seed, for demonstration: NOT FOR PUBLICATION.")
    lines += ["", "Guarantee", *_guarantee(promise), "", "Settings"]
    lines += [f"  {name}: {value}" for name, value in facts["settings"].items()]
    lines.append(f"  vocabulary: {facts['vocabulary']['words']:,} words")
    lines += ["", "Tokens", *(f"  {name}: {count:,}" for name, count in tokens.items() if count)]
    lines += ["", "File", *(f"  {name}: {value}" for name, value in facts["file"].items())]
    lines.append(f"  texts: {facts['texts']:,}; empty cells, left empty: {facts['empty cells']:,}")
    if emptied := facts["rows out of step, released empty"]:
        lines.append(f"  rows out of step, released empty: {emptied:,}")
    formulas = facts["formula cells with an apostrophe in front"]
    lines.append(f"  cells with an apostrophe, so that no spreadsheet runs them: {formulas:,}")
    shown = facts["formula cells"][:_SHOWN]
    lines += [f"    row {cell['row']}, {cell['column']}" for cell in shown]
    if formulas > len(shown):
        lines.append("    …")
    lines += ["", "Not hidden", f"  {facts['not hidden']}", "", "Versions"]
    lines += [f"  {name}: {version}" for name, version in facts["versions"].items()]
    lines += [f"Finished {facts['finished']}."]
    return "\n".join(lines) + "\n"


def _document(guarantee: Guarantee, words: float) -> dict[str, Any] | None:
    """What so many words are promised together."""
    found = document_promise(guarantee, words)
    if found is None:
        return None
    tight = {} if found.gaussian is None else found.gaussian._asdict()
    return {
        "total ε": found.total_epsilon,
        "total δ": found.delta,
        "tight for Gaussian noise": {"ε": tight["epsilon"], "δ": tight["delta"]} if tight else None,
        "warning": found.warning,
    }


def _together(found: dict[str, Any]) -> str:
    said = f"ε = {found['total ε']:,.6g}"
    if found["total δ"]:
        said += f", δ = {found['total δ']:.4g}"
    if tight := found["tight for Gaussian noise"]:
        said += f" (for Gaussian noise at most ε = {tight['ε']:,.6g} at δ = {tight['δ']:.4g})"
    return said


def _guarantee(promise: dict[str, Any]) -> list[str]:
    if promise["notion"] == "none proven" or not promise["holds"]:
        said = ["  No bound is proven for these settings."]
    else:
        unit = promise["distance"]
        delta = f", δ = {promise['δ of a word']:.4g}" if promise["δ of a word"] else ""
        per = f" per unit of {unit}" if promise["notion"] == "metric DP" else ""
        said = [
            f"  {promise['notion']}: ε = {promise['ε of a word']:.6g}{per}{delta}, for each word.",
            "  The words of a row add up"
            + (" (ε times the mean distance by which words are exchanged)" if per else "")
            + f": {_together(promise['mean row'])} for a row of "
            f"{promise['drawn words of a row, mean']:.1f} drawn words (the mean), "
            f"{_together(promise['longest row'])} for the longest one, of "
            f"{promise['drawn words of the longest row']:,}.",
        ]
        if warning := promise["longest row"]["warning"]:
            said.append(f"  WARNING, for the longest row. {warning}")
    said += [f"  {condition}" for condition in promise["conditions"]]
    if promise["caveat"]:
        said.append(f"  {promise['caveat']}")
    return [*said, f"  {promise['theorem']}"]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:20])
    return (shown + (f" … ({len(names):,} in all)" if len(names) > 20 else "")) or "none"
