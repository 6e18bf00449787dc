"""The Compare page as a short Python script that draws the same sentences again, with the seed.

The script is text that the visitor takes along: it holds their sentence, written as Python writes
a string, so that nothing in it can become code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data.own_embeddings import is_upload
from mechanisms.base_measure import OWN, source_of_q
from mechanisms.text import Case, Unknown
from pages.compare.column_draws import ColumnDraw
from pages.compare.columns import Stand

_SCRIPT = '''"""A comparison made with WordVeil, drawn again. Run it in the folder of WordVeil:

    PYTHONPATH=. python compare.py > compare.csv

PRIVATE: it contains the sentence as typed, and the seed. Never publish it.
"""

import csv
import sys

import numpy as np

from data import embeddings
from measures.sweeps.similarity import distance_moved, words_kept
from mechanisms import {names}
from mechanisms.text import private_versions

TEXT = {text}
SEED, ROLL, VERSIONS = {seed}, {roll}, {versions}

# Column number, stream of randomness, embedding, its size, words only, mechanism.
COLUMNS = [
{columns}
]

sys.stdout.reconfigure(encoding="utf-8", newline="")
rows = csv.writer(sys.stdout)
rows.writerow(["column", "version", "mechanism", "private text", "words kept", "distance moved"])
for number, stream, name, size, words_only, mechanism in COLUMNS:
    vocabulary = embeddings.load(name, size, words_only=words_only)
    rng = np.random.default_rng([SEED, ROLL, 2, stream])
    private = private_versions(TEXT, mechanism, vocabulary, rng, VERSIONS, {unknown!r}, {case!r})
    kept, moved = words_kept(private), distance_moved(private)
    for version, text in enumerate(private.texts):
        rows.writerow([number, version + 1, mechanism, text, kept[version], moved[version]])
'''


def compare(
    text: str,
    seed: int | None,
    roll: int,
    versions: int,
    unknown: Unknown,
    case: Case,
    stands: Sequence[Stand],
    draws: Mapping[int, ColumnDraw],
) -> str:
    """The script for these columns; empty without a seed, or with an upload of the visitor's."""
    if seed is None or any(
        source_of_q(each.column.mechanism) == OWN or is_upload(each.choice.name) for each in stands
    ):
        return ""
    lines = [
        f"    ({each.number}, {draws[each.number].stream}, {each.choice.name!r}, "
        f"{each.choice.size}, {each.choice.words_only}, {each.mechanism!r}),"
        for each in stands
    ]
    return _SCRIPT.format(
        names=", ".join(sorted({type(each.mechanism).__name__ for each in stands})),
        text=ascii(text),
        seed=seed,
        roll=roll,
        versions=versions,
        columns="\n".join(lines),
        unknown=unknown,
        case=case,
    )
