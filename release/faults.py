"""Errors that nobody expected, without their words: a trace and an id.

The message of an exception may quote a text, and so may the values of variables. The trace has
neither: the kind of each exception in the chain, and the lines of code that it came through. The id
is a hash of these, so the same fault has the same id wherever it happens.
"""

from __future__ import annotations

import hashlib
import traceback


def trace(error: BaseException) -> str:
    """The kinds and the code lines of an error and of those that led to it, oldest first."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.insert(0, cause)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n".join(
        line
        for each in chain
        for line in (
            *map(str.rstrip, traceback.format_tb(each.__traceback__)),
            f"{type(each).__module__}.{type(each).__qualname__}",
        )
    )


def identity(lines: str) -> str:
    """The id of a trace."""
    return hashlib.blake2b(lines.encode(), digest_size=4).hexdigest()
