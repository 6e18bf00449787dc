"""Errors that nobody expected: an id on screen, and in the log the trace without its words.

The message of an exception may quote what a visitor typed, and so may the values of variables. The
log gets neither: the kind of each exception in the chain, and the lines of code that it came
through. The id is a hash of these, so the same fault has the same id for every visitor.

Messages that are meant for visitors (`ValueError` from a mechanism or a file) are shown by the
pages, where they are caught.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.errors import FragmentHandledException
from streamlit.logger import get_logger

from pages.shared import page_end
from release.faults import identity, trace

_log = get_logger("wordveil")


class Fault(Exception):
    """What a visitor is told of an error that nobody expected."""

    def __init__(self, identity: str) -> None:
        """Take the id under which the log has it."""
        super().__init__(
            "Change a setting, or reload the page. The server's operator can find this id in the "
            "log, which contains none of your text."
        )
        self.alternate_name = f"Something went wrong here (id {identity})"  # Streamlit's title


@contextmanager
def told() -> Iterator[None]:
    """Tell of whatever goes wrong in this block, and end it there; or where a page ends itself."""
    try:
        yield
    except FragmentHandledException:  # was told of by `_of_callbacks_and_fragments`
        raise
    except page_end.PageEnd:
        st.stop()
    except Exception as error:
        _tell(error)
        st.stop()  # as after any error: what the page did not come to keeps its settings


def _tell(error: BaseException) -> None:
    lines = trace(error)
    fault = identity(lines)
    _log.error("Fault %s\n%s", fault, lines)
    st.exception(Fault(fault))


def _of_callbacks_and_fragments(record: logging.LogRecord) -> bool:
    """Streamlit's own report of an error, outside of `told`: ours in its place."""
    if record.exc_info and record.exc_info[1] is not None:
        _tell(record.exc_info[1])
        return False
    return True


def keep_texts_out_of_the_log() -> None:
    """Errors that Streamlit catches itself are logged without their words, too."""
    logging.getLogger("streamlit.error_util").addFilter(_of_callbacks_and_fragments)
