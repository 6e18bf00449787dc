"""The public report of a release, which may be published beside it.

Every fact in it is a function of the settings, the vocabulary and the private file, and of what a
release does not hide: how many words the rows have. Inputs that could have led to the same
private file have the same report, byte for byte. So it holds no count of what came in, neither of
words that stayed nor of unknown ones, no hash or size of the source, and no time; those are in the
private account (`release.account`).
"""

from __future__ import annotations

import importlib.metadata
import math
import platform
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mechanisms import Guarantee, Vocabulary
from mechanisms.composition import document_promise
from mechanisms.text import Unknown
from release.expected import as_facts, expected_pp
from release.grammar import counted, verb
from release.layout import Layout
from release.pieces import Counts
from release.settings import Settings
from release.spreadsheet import UNDO

# Formula cells that are listed one by one; beyond that only counted.
MOST_LISTED = 1_000
_SHOWN = 10


def of_the_choice(settings: int | None) -> str:
    """The sentence on what the choice of mechanism and ε reveals; None if the number is unknown."""
    if settings is None:
        return (
            "If mechanism and ε were chosen by looking at the file, the choice itself reveals "
            "something about the file that no promise covers: at most the logarithm of the number "
            "of settings that could have been chosen."
        )
    return (
        f"Mechanism and ε were chosen by looking at the file. {counted(settings, 'setting')} could "
        f"have been chosen, so the choice itself reveals at most ln {settings:,} = "
        f"{math.log(settings):.3g} nats of information about the file. No promise covers this."
    )


NOT_HIDDEN = (
    "A mechanism can only hide which word was typed at each place. It does not hide how many "
    "words, sentences and lines a text has, its punctuation, which tokens have no space between "
    "them, whether a compound was unknown and therefore split, the style that follows from these, "
    "or that two texts have the same structure. Columns that are neither made private nor left "
    "out, the names of all columns, and the order of the rows are released unchanged."
)

_UNKNOWN: dict[Unknown, str] = {
    "random": "Words that the vocabulary lacks are drawn as the unknown word, and count as drawn.",
    "mask": (
        "Words that the vocabulary lacks are masked. The mask shows that a word was unknown, and "
        "no promise covers that."
    ),
    "drop": (
        "Words that the vocabulary lacks are left out. The text can show that a word is missing, "
        "and no promise covers that."
    ),
    "keep": "Words that the vocabulary lacks are RELEASED AS TYPED: they are not protected.",
}

_PACKAGES = ("numpy", "scipy", "faiss-cpu", "pyarrow", "python-flint", "randomgen")


class PrivateFile(NamedTuple):
    """A file that was released, by its ending, its size and its hash."""

    ending: str
    bytes: int
    sha256: str


def report(
    settings: Settings,
    vocabulary: Vocabulary,
    layout: Layout,
    columns: Sequence[str],
    counts: Counts,
    files: Sequence[PrivateFile],
    formulas: int = 0,
    cells: Sequence[tuple[int, str]] = (),
    left_out: Sequence[str] = (),
) -> dict[str, Any]:
    """The facts of a release that may be published, as JSON can hold them.

    Parameters
    ----------
    layout
        Only the names of its columns are used.
    columns
        Columns that were made private.
    counts
        Only rows, the words that came out, and the longest row are used.
    files
        The private file, in each of the formats in which it is offered.
    formulas, cells
        How many cells got an apostrophe in front so that no spreadsheet runs them, and the first
        of them by row and column.
    left_out
        Columns whose cells are empty in the private file.

    """
    guarantee = settings.mechanism.guarantee(vocabulary)
    mean = counts.drawn / max(1, counts.rows)
    kept = [name for name in layout.columns if name not in {*columns, *left_out}]
    expected = expected_pp(settings.mechanism, vocabulary, counts.released, files[0].sha256)
    return {
        "made with": "WordVeil",
        "public": "This report follows from the settings and the private file alone.",
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
            "unknown word": guarantee.unknown_promise,
            "draws": _draws(settings),
            "drawn words of the longest row": counts.longest,
            "longest row": _document(guarantee, counts.longest),
            "drawn words of a row, mean": mean,
            "mean row": _document(guarantee, mean),
        },
        "private file": [file._asdict() for file in files],
        "columns made private": list(columns),
        "columns as they came": kept,
        "columns left out": list(left_out),
        "rows": counts.rows,
        "drawn words, known and unknown": counts.drawn,
        "expected PP": None if expected is None else as_facts(expected),
        "formula cells with an apostrophe in front": formulas,
        "to undo the apostrophes": UNDO,
        "formula cells": [{"row": row, "column": column} for row, column in cells[:MOST_LISTED]],
        "unknown words": _UNKNOWN[settings.unknown],
        "not hidden": NOT_HIDDEN,
        "settings that could have been chosen": settings.chosen_among,
        "choice of the settings": of_the_choice(settings.chosen_among),
        "versions": {
            "python": platform.python_version(),
            **{name: _version(name) for name in _PACKAGES},
        },
    }


def readable(facts: dict[str, Any]) -> str:
    """The report as text for people."""
    drawn = facts["drawn words, known and unknown"]
    lines = [
        "WordVeil: public report of a release",
        "",
        facts["public"],
        "",
        f"{counted(facts['rows'], 'row')}; made private: {listed(facts['columns made private'])}; "
        f"unchanged: {listed(facts['columns as they came'])}; left out: "
        f"{listed(facts['columns left out'])}.",
        f"{counted(drawn, 'word')} {verb(drawn, 'was', 'were')} drawn. Punctuation and symbols "
        "are released as typed: they are not protected.",
        facts["unknown words"],
    ]
    if (expected := facts["expected PP"]) is not None:
        value = f"{expected['percent']:.1f} %"
        if expected["low"] < expected["high"]:
            value = f"{value}, {expected['low']:.1f} to {expected['high']:.1f} %"
        lines.append(
            "Expected PP, the mean probability that the mechanism replaces a word, over the words "
            f"that came out: {value} ({expected['source']})."
        )
    if facts["settings"]["seeded"]:
        lines.append("Drawn with a seed, for demonstration: NOT FOR PUBLICATION.")
    lines += ["", "Guarantee", *promise_lines(facts["guarantee"]), "", "Settings"]
    lines += [f"  {name}: {value}" for name, value in facts["settings"].items()]
    lines.append(f"  vocabulary: {counted(facts['vocabulary']['words'], 'word')}")
    lines += ["", "Private file"]
    for file in facts["private file"]:
        lines.append(f"  {file['ending']}: {file['bytes']:,} bytes, SHA-256 {file['sha256']}")
    formulas = facts["formula cells with an apostrophe in front"]
    lines.append(f"  cells with an apostrophe, so that no spreadsheet runs them: {formulas:,}")
    if formulas:
        lines.append(f"  {facts['to undo the apostrophes']}")
    shown = facts["formula cells"][:_SHOWN]
    lines += [f"    row {cell['row']}, {cell['column']}" for cell in shown]
    if formulas > len(shown):
        lines.append("    …")
    lines += ["", "Not hidden", f"  {facts['not hidden']}"]
    lines.append(f"  {facts['choice of the settings']}")
    lines += ["", "Versions"]
    lines += [f"  {name}: {version}" for name, version in facts["versions"].items()]
    return "\n".join(lines) + "\n"


def listed(names: Sequence[str]) -> str:
    """The first names, and how many there are."""
    shown = ", ".join(names[:20])
    return (shown + (f" … ({len(names):,} in all)" if len(names) > 20 else "")) or "none"


def _document(guarantee: Guarantee, words: float) -> dict[str, Any] | None:
    """The promise for so many words together."""
    found = document_promise(guarantee, words)
    if found is None:
        return None
    tight = found.gaussian
    return {
        "total ε": found.total_epsilon,
        "total δ": found.delta,
        "tight for Gaussian noise": tight and {"ε": tight.epsilon, "δ": tight.delta},
        "warning": found.warning,
    }


def _together(found: dict[str, Any], per: str) -> str:
    """Total ε and δ as a noun; `per` is the unit of distance, empty if there is none."""
    epsilon = f"ε = {found['total ε']:,.6g}"
    if per:
        epsilon = f"{epsilon} per unit of {per} (averaged over the words)"
    delta, tight = found["total δ"], found["tight for Gaussian noise"]
    if not delta:
        return epsilon
    both = f"{epsilon} and δ = {delta:.4g}"
    if not tight:
        return both
    return f"{both} (for Gaussian noise at most ε = {tight['ε']:,.6g} at δ = {tight['δ']:.4g})"


def promise_lines(promise: Mapping[str, Any]) -> list[str]:
    """The promise of a report in sentences, for a word and for rows."""
    if promise["notion"] == "none proven" or not promise["holds"]:
        said = ["  No bound is proven for these settings."]
    else:
        per = promise["distance"] if promise["notion"] == "metric DP" else ""
        word = f"ε = {promise['ε of a word']:.6g}"
        if per:
            word = f"{word} per unit of {per}"
        if promise["δ of a word"]:
            word = f"{word} and δ = {promise['δ of a word']:.4g}"
        said = [
            f"  {promise['notion']}: {word} for each word.",
            "  The promises for the words of a row add up: for the mean row "
            f"({promise['drawn words of a row, mean']:.1f} drawn words) to "
            f"{_together(promise['mean row'], per)}, and for the longest row "
            f"({counted(promise['drawn words of the longest row'], 'drawn word')}) to "
            f"{_together(promise['longest row'], per)}.",
        ]
        if warning := promise["longest row"]["warning"]:
            said.append(f"  WARNING, for the longest row. {warning}")
    said.append(f"  {promise['unknown word']}")
    said += [f"  {condition}" for condition in promise["conditions"]]
    if promise["caveat"]:
        said.append(f"  {promise['caveat']}")
    return [*said, f"  {promise['theorem']}", f"  {promise['draws']}"]


def _draws(settings: Settings) -> str:
    """How closely the released words follow the law; with a seed the bits are no secret."""
    said = str(settings.mechanism.draws)
    if settings.seed is not None:
        said = "Drawn with a seed: the random bits are known, and nothing is promised. " + said
    return said


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # python-flint can be missing
        return "not installed"
