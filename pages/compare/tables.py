"""Columns side by side as tables."""

from __future__ import annotations

import pandas as pd

from measures.sweeps import similarity
from mechanisms.vocabulary import Floats
from pages.compare.column_draws import ColumnDraw
from pages.compare.columns import Stand
from pages.compare.wording import mean_unchanged, promise
from pages.shared.own_embedding import embedding_label
from pages.shared.prose import percent, plain, whole_percent


def compared_versions(
    stands: list[Stand], draws: dict[int, ColumnDraw], closeness: dict[int, Floats | None]
) -> pd.DataFrame:
    """One row a version of every column, with all that is known of it and of its column."""
    rows = []
    for each in stands:
        if each.mechanism is None:
            continue
        drawn, close = draws[each.number], closeness.get(each.number)
        kept = similarity.words_kept(drawn.private)
        moved = similarity.distance_moved(drawn.private)
        mean = each.found.unchanged_at(each.mechanism.epsilon) if each.found else None
        for version, text in enumerate(drawn.private.texts):
            rows.append(
                {
                    "column": each.number,
                    "version": version + 1,
                    "mechanism": repr(each.mechanism),
                    "embedding": embedding_label(each.choice.name),
                    "private text": text,
                    "words kept": kept[version],
                    "distance moved": moved[version],
                    "semantic closeness": None if close is None else close[version],
                    "mean N_w": None if mean is None else float(mean.value),
                    "mean N_w, at least": None if mean is None else float(mean.low),
                    "mean N_w, at most": None if mean is None else float(mean.high),
                    "guarantee": promise(each.mechanism.guarantee(each.vocabulary)),
                    "milliseconds a sentence": drawn.milliseconds,
                }
            )
    return pd.DataFrame(rows)


def compared(
    stands: list[Stand], draws: dict[int, ColumnDraw], closeness: dict[int, Floats | None]
) -> pd.DataFrame:
    """One column a column of the page, one row a measure; cells as text for the screen."""
    table = {}
    for each in stands:
        if each.mechanism is None or each.number not in draws:
            continue
        private = draws[each.number].private
        kept, moved = similarity.words_kept(private), similarity.distance_moved(private)
        close = closeness.get(each.number)
        found = each.found
        way = "…" if found is None else percent(float(moved.mean() / found.blind.mean()))
        table[plain(each.label)] = {
            "ε": f"{each.mechanism.epsilon:.4g}",
            "mean N_w": (
                "…" if found is None else mean_unchanged(found.unchanged_at(each.mechanism.epsilon))
            ),
            "words kept": whole_percent(kept.mean()),
            "distance moved": f"{moved.mean():.2f}",
            "of the way to a random word": way,
            "semantic closeness": "not computed" if close is None else f"{close.mean():.2f}",
            "guarantee": promise(each.mechanism.guarantee(each.vocabulary)),
            "milliseconds a sentence": f"{draws[each.number].milliseconds:.3g}",
        }
    return pd.DataFrame(table)
