"""The end of a page, at its last line or before.

After Streamlit's own `st.stop` nothing more can be drawn. A page that ends by an exception of ours
still shows what belongs to it: its parts that wait to be drawn (`pages/shared/parts.py`), and what
is at its foot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn


class PageEnd(Exception):
    """A page has said all that it has to say; `app.py` ends it."""


def stop() -> NoReturn:
    """End the page here, on purpose. Not for a fragment, which ends by a return."""
    raise PageEnd


@contextmanager
def then(draw: Callable[[], None]) -> Iterator[None]:
    """Draw this below the block, also if the page ends or fails in it; not if it runs again."""
    try:
        yield
    except Exception:
        draw()
        raise
    draw()
