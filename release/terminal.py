"""A terminal that may go away, or lack letters, or send Ctrl-C before anything is begun."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, TextIO


class Forgiving:
    """A text stream that is silent once it is closed, and spells letters that it lacks."""

    def __init__(self, stream: TextIO | None) -> None:
        """Take a stream; None if the process began without one."""
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


def end_at_ctrl_c() -> None:
    """End with 130 at Ctrl-C, at once: nothing is begun, so nothing has to be put away.

    If Ctrl-C was turned off, as for a process in the background, it stays off.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_at_ctrl_c() -> None:
    """From here on Ctrl-C is an exception again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    os._exit(130)


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")
