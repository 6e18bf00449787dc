"""The words of the audit of a visitor's own mechanism."""

from __future__ import annotations

from measures.black_box import COLUMNS, Bound
from pages.shared.prose import plain

INTRODUCTION = (
    "Draw from any mechanism as often as you like, count how often each output came out for each "
    "word, and bring the counts. Half of the draws are searched for the pair of words and the "
    "outputs that betray most; the other half then bounds the ε that the mechanism really uses "
    "from below. Nothing about the mechanism is assumed except that its draws are independent."
)
EXAMPLE = f"{','.join(COLUMNS)}\ncat,cat,9120\ncat,dog,880\ndog,cat,870\ndog,dog,9130"
BY_COMMAND = (
    "The same by command, for a program or a Python function as well: "
    "`python -m measures.audit_command --help`."
)
EPSILON = "Promised ε"
DELTA = "Promised δ"
METRIC = "The promise is about"
METRICS = {
    "any": "any two words",
    "euclidean": "a unit of Euclidean distance",
}
ALPHA = "Chance that the bound is wrong"
FILE = f"A CSV file with the columns {', '.join(COLUMNS)}"
EMPTY = "Bring a table to see a bound. It stays in this session."
SEARCHING = "Searching pairs of words and their outputs …"


def heading(bound: Bound) -> str:
    """What was found, as a heading."""
    if bound.broken:
        return f"❌ The promise is broken: ε is at least {bound.epsilon:.4g}"
    if bound.words is None:
        return "These draws show nothing"
    return f"ε is at least {bound.epsilon:.4g}; the promise is not contradicted"


def untested(bound: Bound) -> str:
    """What the result says nothing about."""
    missing = ""
    if bound.untested:
        missing = f" Too few draws for a test: {plain(', '.join(bound.untested))}."
    return f"Not tested: any other word, and whether draws depend on each other.{missing}"
