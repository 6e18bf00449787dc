"""What a class will ask for at once, computed before it does.

Streamlit runs nothing before the first visit, so this begins with it: while the teacher opens the
app, and behind what the teacher looks at. What is computed is about public words, and is what the
pages would compute themselves (`cached`): a visitor who comes too early waits for the same result.
"""

from __future__ import annotations

import logging
from functools import cache
from threading import Thread, main_thread

from pages.learn.lessons import worst

_NO_SESSION = "streamlit.runtime.scriptrunner_utils.script_run_context"


@cache
def begin() -> Thread:
    """Begin, once in the life of the server."""
    thread = Thread(target=_warm, name="warming", daemon=True)
    # It belongs to no session, and says so in the log each time a spinner would be shown.
    logging.getLogger(_NO_SESSION).addFilter(lambda record: record.threadName != thread.name)
    thread.start()
    return thread


def _warm() -> None:
    try:
        worst.hundred()
    except RuntimeError:  # no more work is taken on while the server ends
        if main_thread().is_alive():
            raise
