"""What leaves: files in, private files out; the command line; the scikit-learn transformer.

layout.py       what a file is: format, encoding, separator, header
tables.py       rows of a file in, rows out to a file
spreadsheet.py  cells that a spreadsheet would run
settings.py     which mechanism, on which words
pieces.py       some rows' texts made private, and counts of what happened
plan.py         the counts before the run
run.py          the whole file, in pieces that outlive a kill
report.py       what may be said about a release
transformer.py  `PrivateText`, for pipelines of scikit-learn
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """`release.PrivateText`, loaded with scikit-learn on first use."""
    if name == "PrivateText":
        from release.transformer import PrivateText

        return PrivateText
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
