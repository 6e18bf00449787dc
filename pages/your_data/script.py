"""A release as a Python script that does the same to a file on the visitor's disk.

Column names come from the file: the script has them as Python writes strings, so that nothing in
them can become code. The separator and the header of a CSV file are as the page found and showed
them. Other reading options are in the script only if the visitor set them; what was detected (an
encoding says something about the letters of the file) is detected again.
"""

from __future__ import annotations

from pages.your_data.files import Release
from release.driver import Reading
from release.q_corpus import QCorpus

_SCRIPT = '''"""A file made private with WordVeil, as on the page. Run it in the folder of WordVeil:

    PYTHONPATH=. python make_private.py --verify private.csv private.report.json
        says whether a private file and its report belong together; nothing is drawn
    PYTHONPATH=. python make_private.py --again reviews.csv private.csv
        draws the texts anew. That is a second release of the same texts: both together reveal
        more about them, and their ε add up. The same command continues a run that was
        stopped.{seeded}
"""

import argparse
import sys
from pathlib import Path

from mechanisms import {name}
from release.layout import layout
{imported}from release.report import readable
from release.run import run
from release.settings import Settings
from release.source import Source
from release.verify import verify

READ_AS = {said}  # everything else is detected from the file
COLUMNS = {columns}
HOW = {{"left_out": {left_out}, "ragged": {ragged!r}, "guard": {guard}}}
SETTINGS = Settings(
    mechanism={mechanism},
    embedding={embedding},
    size={size},
    words_only={words_only},
    unknown={unknown!r},
    case={case!r},
    html={html!r},
    seed={seed},
    chosen_among={chosen_among},{corpus}
)

if __name__ == "__main__":  # worker processes import this file
    ask = argparse.ArgumentParser(description=__doc__.split(" Run it")[0])
    what = ask.add_mutually_exclusive_group(required=True)
    what.add_argument("--verify", nargs=2, type=Path, metavar=("PRIVATE", "REPORT"))
    what.add_argument("--again", nargs=2, type=Path, metavar=("SOURCE", "PRIVATE"))
    asked = ask.parse_args()
    if asked.verify:
        verdict = verify(*asked.verify)
        print(verdict.said)
        sys.exit(0 if verdict.belongs else 1)
    print("This is a second release of the same texts: its ε adds to that of the first.")
    source, target = asked.again
    with Source(source) as file:
        how = layout(file.name, file, named=COLUMNS, **READ_AS)
        done = run(file, target, how, COLUMNS, SETTINGS, **HOW)
    print(readable(done.report))
'''

_SEEDED = (
    "\nThe seed is for demonstrations: anyone who knows it can undo these draws.\nRemove it before "
    "you release a file that you want to publish."
)


def _read_as(reading: Reading) -> dict[str, object]:
    """How the file is read: by parameters of `release.layout.layout`."""
    shown: dict[str, object] = {}
    if reading.layout.format == "csv":
        shown = {"delimiter": reading.layout.delimiter, "header": reading.layout.header is not None}
    return shown | dict(reading.said)


def release(work: Release) -> str:
    """The script of a release."""
    how = work.settings
    return _SCRIPT.format(
        seeded=_SEEDED if how.seed is not None else "",
        name=type(how.mechanism).__name__,
        said=ascii(_read_as(work.reading)),
        columns=ascii(work.reading.columns),
        left_out=ascii(work.reading.left_out),
        mechanism=repr(how.mechanism),
        embedding=ascii(how.embedding),
        size=how.size,
        words_only=how.words_only,
        unknown=how.unknown,
        case=how.case,
        html=how.html,
        seed=how.seed,
        chosen_among=how.chosen_among,
        imported="from release.q_corpus import of_file\n" if how.q_corpus else "",
        corpus=_corpus(how.q_corpus),
        ragged=work.reading.ragged,
        guard=work.reading.guard,
    )


def _corpus(corpus: QCorpus | None) -> str:
    """The line of the corpus of q, a file in the folder of the script."""
    if corpus is None:
        return ""
    return f"\n    q_corpus=of_file({ascii(corpus.name)}, {ascii(corpus.column)}),"
