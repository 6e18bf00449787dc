"""Earlier releases of the same file, as far as they are known.

They are known from private accounts beside an output, and from decision records. A release without
a record is not known, so an empty list proves nothing. Each further release of a file is a
fresh draw: an attacker who has both combines them, and their ε add up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from release.grammar import counted, verb

_ENDING = ".private-account.json"
# Accounts are small; a larger file is not one.
_LARGEST = 10_000_000


class Earlier(NamedTuple):
    """A release: when it was finished, with which mechanism, and the hash of its private file."""

    finished: str
    mechanism: str
    private_sha256: str


def beside(folder: Path, source_sha256: str, but: Path | None = None) -> list[Earlier]:
    """The releases of a file whose private accounts are in a folder, oldest first.

    `but` names a private file whose account is not read: it will be replaced.
    """
    found = []
    for place in sorted(folder.glob(f"*{_ENDING}")):
        if but is not None and place.name == but.name + _ENDING:
            continue
        facts = _read(place)
        if _field(facts, "source", "SHA-256") == source_sha256:
            private = place.with_name(place.name.removesuffix(_ENDING))
            report = _read(place.with_name(f"{private.name}.report.json"))
            files = _field(report, "private file")
            digest = _field(files[0], "sha256") if isinstance(files, list) and files else ""
            found.append(
                Earlier(
                    str(_field(facts, "finished") or "at an unknown time"),
                    str(_field(report, "settings", "mechanism") or "unknown settings"),
                    str(digest or ""),
                )
            )
    return sorted(found)


def warning(earlier: Sequence[Earlier]) -> str:
    """The warning before a file is released again; empty if no release is known."""
    if not earlier:
        return ""
    times = counted(len(earlier), "earlier release")
    said = "; ".join(described(earlier))
    return (
        f"{times} of this file {verb(len(earlier), 'is', 'are')} known ({said}). Another release "
        "is a fresh draw: anyone who has more than one of them learns more about every word, and "
        "their ε add up."
    )


def described(earlier: Iterable[Earlier]) -> list[str]:
    """Each release in a line."""
    return [f"{one.finished}, {one.mechanism}" for one in earlier]


def _read(place: Path) -> Any:
    try:
        if place.stat().st_size > _LARGEST:
            return None
        return json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _field(facts: Any, *names: str) -> Any:
    for name in names:
        facts = facts.get(name) if isinstance(facts, dict) else None
    return facts
