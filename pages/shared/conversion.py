"""The bar of an embedding that is brought, once, into the form that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from data.embedding_base import Embedding
from data.embedding_source import Progress
from pages.shared import progress_wording


@contextmanager
def bar(embedding: Embedding, place: Any) -> Iterator[Progress]:
    """A progress to call. It is drawn at the first call, so mostly never, and taken away."""
    drawn: list[DeltaGenerator] = []

    def show(done: int, of: int) -> None:
        text = progress_wording.converting(embedding.name, done, of)
        if drawn:
            drawn[0].progress(done / of, text)
        else:
            drawn.append(place.progress(done / of, text))

    try:
        yield show
    finally:
        for each in drawn:
            each.empty()


def offered_sizes(embedding: Embedding, place: Any) -> tuple[int, ...]:
    """Sizes of an embedding; a file is converted first, with a bar."""
    with bar(embedding, place) as show:
        return embedding.sizes(show)
