"""A terminal that may go away, or lack letters: a finished run does not fail for it."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO


class Forgiving:
    """A text stream that goes on in silence once it is closed, and spells letters it lacks."""

    def __init__(self, stream: TextIO | None) -> None:
        """Take a stream; None where the process began without one."""
        self._stream: Any = stream or _nowhere()
        if hasattr(self._stream, "reconfigure"):
            self._stream.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write, or drop the text if nobody reads any more."""
        try:
            return int(self._stream.write(text))
        except (OSError, ValueError):
            self._stream = _nowhere()
            return len(text)

    def flush(self) -> None:
        """Flush, or stop writing if nobody reads any more."""
        try:
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = _nowhere()

    def __getattr__(self, name: str) -> Any:
        """Everything else is the stream's."""
        return getattr(self._stream, name)


def forgive() -> None:
    """Make standard output and standard error forgiving."""
    sys.stdout, sys.stderr = Forgiving(sys.stdout), Forgiving(sys.stderr)  # type: ignore[assignment]


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")
