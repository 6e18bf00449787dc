"""What the page Your embedding asks of a file before it shows its report."""

from __future__ import annotations

import streamlit as st

from data.embedding_health import Health
from data.own_embeddings import OwnEmbedding
from pages.shared import (
    conversion,
    vocabulary_picker,
)


def health(embedding: OwnEmbedding) -> Health:
    """The health report of an embedding from a file, which is converted before, with a bar."""
    with vocabulary_picker.or_end_with_the_reason(None), conversion.bar(embedding, st) as show:
        return embedding.converted(show).health
