"""What a notebook shows of an object: a table here, a chart by the module that registers one.

The core draws nothing. `charts` registers its charts with `plot`, and `import wordveil` loads it.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Any


@singledispatch
def plot(shown: object, **options: Any) -> Any:
    """A chart of an object, by its class."""
    raise TypeError(
        f"Plot: no chart of {type(shown).__name__} is registered; `import wordveil` registers them."
    )


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as markup, every cell escaped."""

    def line(cells: Iterable[object], tag: str) -> str:
        inside = "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)
        return f"<tr>{inside}</tr>"

    body = "".join(line(row, "td") for row in rows)
    head = f"<caption>{html.escape(caption)}</caption><thead>{line(columns, 'th')}</thead>"
    return f"<table>{head}<tbody>{body}</tbody></table>"
