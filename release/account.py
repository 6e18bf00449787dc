"""The private account of a release: true counts of the source, for people who have the source.

It is as private as the source. The numbers of words that stayed and of unknown words, and the size
and the hash of the source, reveal what the mechanism hides: for a file of one word, PP says whether
that word stayed. The account's first line says never to publish it.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from mechanisms.text import Status
from release.earlier import Earlier, described
from release.grammar import counted, verb
from release.layout import Layout
from release.pieces import Counts
from release.report import listed

WARNING = (
    "PRIVATE: keep this account with the source, and never publish it. Anyone who has both this "
    "account and the private file can undo part of the release."
)

_SAID = {
    Status.CHANGED: "drawn by the mechanism, another word came out",
    Status.UNCHANGED: "drawn by the mechanism, the same word came out",
    Status.REPLACED: "unknown, drawn as the unknown word",
    Status.MASKED: "unknown, masked",
    Status.DROPPED: "unknown, left out",
    Status.UNPROTECTED: "released as typed: not protected",
}


def account(
    layout: Layout,
    columns: Sequence[str],
    counts: Counts,
    source_bytes: int,
    source_sha256: str,
    emptied: int = 0,
    notes: Sequence[str] = (),
    earlier: Sequence[Earlier] = (),
) -> dict[str, Any]:
    """The true counts of a release, as JSON can hold them.

    Parameters
    ----------
    columns
        Columns that were made private.
    source_bytes, source_sha256
        Size and hash of the file that came in.
    emptied
        Rows out of step that were released empty.
    notes
        Sentences on other changes in the file (`release.tables.Output.notes`).
    earlier
        Releases of the same file that are known; their ε add up.

    """
    return {
        "private": WARNING,
        "made with": "WordVeil",
        "finished": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "source": {"bytes": source_bytes, "SHA-256": source_sha256, **layout.found},
        "columns made private": list(columns),
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
        "noticed": dict(counts.noticed),
        "also changed": list(notes),
        "earlier releases of this file": [one._asdict() for one in earlier],
    }


def readable(facts: dict[str, Any]) -> str:
    """The account as text for people."""
    tokens, left = facts["tokens"], facts["not protected"]
    lines = [
        facts["private"],
        "",
        "WordVeil: private account of a release",
        "",
        f"{counted(facts['rows'], 'row')}; made private: {listed(facts['columns made private'])}.",
        f"{left:,} of {counted(tokens['all'], 'token')} {verb(left, 'is', 'are')} not protected.",
    ]
    if facts["PP"] is not None:
        lines.append(f"PP, share of known words that changed: {facts['PP']:.1f} %.")
    lines += ["", "Tokens", *(f"  {name}: {count:,}" for name, count in tokens.items() if count)]
    if facts["noticed"]:
        lines += ["", "Noticed", *(f"  {what}: {n:,}" for what, n in facts["noticed"].items())]
    lines += ["", "Source", *(f"  {name}: {value}" for name, value in facts["source"].items())]
    lines.append(f"  texts: {facts['texts']:,}; empty cells, left empty: {facts['empty cells']:,}")
    if emptied := facts["rows out of step, released empty"]:
        lines.append(f"  rows with too many or too few cells, released empty: {emptied:,}")
    if facts["also changed"]:
        lines += ["", "Also changed", *(f"  {note}" for note in facts["also changed"])]
    if known := facts["earlier releases of this file"]:
        lines += ["", "Earlier releases of this file", *described(Earlier(**one) for one in known)]
    return "\n".join([*lines, f"Finished {facts['finished']}."]) + "\n"
