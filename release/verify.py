"""Whether a private file and its public report belong together.

    python -m release.verify private.csv private.csv.report.json

It ends with 0 if the report names a file of this size and hash, with 1 if it does not, and with 2
if one of them cannot be read. That they belong together says that the file is the one that the
report was written with. It does not say who wrote both: they are not signed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from release.parts import sha256

BELONGS = "They belong together: this file has the size and the SHA-256 that the report names."


class Verdict(NamedTuple):
    """Whether file and report belong together, and a sentence on it."""

    belongs: bool
    said: str


def verify(private: Path, report: Path) -> Verdict:
    """Compare a private file with its public report.

    Raises
    ------
    ValueError
        If the report is not the public report of a release.
    OSError
        If one of the two cannot be read.

    """
    files = _files(report)
    size, digest = private.stat().st_size, sha256(private)
    if any(file == (size, digest) for file in files):
        return Verdict(True, BELONGS)
    listed = " or ".join(f"{size:,} bytes, SHA-256 {digest}" for size, digest in files)
    return Verdict(
        False,
        f"They do not belong together. The report is about a file of {listed}; {private.name} has "
        f"{size:,} bytes, SHA-256 {digest}. The file was changed, or the report belongs to another "
        "release.",
    )


def _files(report: Path) -> list[tuple[int, str]]:
    """Size and hash of each file that a report names."""
    wrong = (
        f"Report: {report.name} is not the public report of a release. Choose the file that ends "
        "in .report.json."
    )
    try:
        facts: Any = json.loads(report.read_bytes())
        files = [(int(file["bytes"]), str(file["sha256"])) for file in facts["private file"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ValueError(wrong) from None
    if not files:
        raise ValueError(wrong)
    return files


_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@_app.command(
    help="Check whether a private file and its public report belong together. Exit codes: 0 they "
    "do, 1 they do not, 2 one of them cannot be read."
)
def main(
    private: Annotated[Path, typer.Argument(help="The private file.", exists=True, dir_okay=False)],
    report: Annotated[
        Path, typer.Argument(help="Its report (.report.json).", exists=True, dir_okay=False)
    ],
) -> None:
    """Compare the two, and end with 0, 1 or 2."""
    try:
        verdict = verify(private, report)
    except (ValueError, OSError) as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(verdict.said, err=not verdict.belongs)
    raise typer.Exit(0 if verdict.belongs else 1)


if __name__ == "__main__":
    from release import terminal

    terminal.forgive()
    sys.exit(_app())
