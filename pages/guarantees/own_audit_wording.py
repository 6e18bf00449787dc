"""The words of the audit of a visitor's own mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from measures.audits.black_box import COLUMNS, Bound
from measures.audits.packages import Row
from pages.shared.prose import plain

INTRODUCTION = (
    "Draw from any mechanism as often as you like, count how often each output came out for each "
    "word, and upload the counts. About half of the draws are searched for the pair of words and "
    "the outputs that reveal most. The other half then yields a lower bound on the true ε of the "
    "mechanism. Nothing about the mechanism is assumed except that its draws are independent."
)
EXAMPLE = f"{','.join(COLUMNS)}\ncat,cat,9120\ncat,dog,880\ndog,cat,870\ndog,dog,9130"
BY_COMMAND = (
    "A command does the same, also for a program or a Python function: "
    "`python -m measures.audits.command --help`."
)
EPSILON = "Promised ε"
DELTA = "Promised δ"
METRIC = "ε is promised for"
METRICS = {
    "any": "any two words",
    "euclidean": "a unit of Euclidean distance",
}
ALPHA = "Largest chance that the bound is wrong"
FILE = f"A CSV file with the columns {', '.join(COLUMNS)}"
EMPTY = (
    "Upload a table to see a bound. The server keeps it in memory, not on disk, does not log it, "
    "and deletes it soon after you remove it or close the page."
)
SEARCHING = "Searching pairs of words and their outputs …"


PACKAGES = "Published packages, as published and as audited"


def how_to_read_packages(provenance: Mapping[str, Any]) -> str:
    """What the table of packages is, and what it is not."""
    versions = ", ".join(f"{name} {version}" for name, version in provenance["versions"].items())
    return (
        f"Each package drew in its own environment ({versions}; {provenance['date']}; "
        f"{provenance['vocabulary']}). For mldp-text, ε is per unit of Euclidean distance, and for "
        "its Mahalanobis mechanism per unit of that mechanism's own norm. For dp-diffractor, ε is "
        f"per place in a list. Each row's bound holds with confidence {1 - provenance['alpha']:g}. "
        "A small bound does not prove that ε is small: more draws may show more."
    )


def package_witness(row: Row) -> str:
    """The pair and the output that show the bound."""
    if not row.word:
        return "none"
    outputs = f"{row.output} and {row.outputs - 1:,} more" if row.outputs > 1 else row.output
    return (
        f"{outputs}: for {row.word} with probability {row.low:.3g} or more, for {row.other} with "
        f"{row.high:.3g} or less"
    )


def heading(bound: Bound) -> str:
    """What was found, as a heading."""
    if bound.broken:
        return f"❌ The promise is broken: ε is at least {bound.epsilon:.4g}"
    if bound.words is None:
        return "These draws show no ε above 0"
    return f"ε is at least {bound.epsilon:.4g}; the promise is not contradicted"


def untested(bound: Bound) -> str:
    """What the result says nothing about."""
    said = "Not tested: other words, and whether the draws are independent."
    if not bound.untested:
        return said
    return f"{said} Too few draws for a test: {plain(', '.join(bound.untested))}."
