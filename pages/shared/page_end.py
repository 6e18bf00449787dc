"""The end of a page before its last line.

After Streamlit's own `st.stop` nothing more can be drawn. A page that ends by an exception of ours
still shows what belongs to it: the parts that wait to be drawn (`pages/shared/parts.py`).
"""

from __future__ import annotations

from typing import NoReturn


class PageEnd(Exception):
    """A page has said all that it has to say; `app.py` ends it."""


def stop() -> NoReturn:
    """End the page here, on purpose. Not for a fragment, which ends by a return."""
    raise PageEnd
