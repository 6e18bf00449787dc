"""Finished objects to tables: on screen, and to download.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, as spreadsheets
themselves do to keep text as text.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from measures.audits.audit import Audit
from measures.audits.findings import Pairs, titled
from measures.papers import published_against_exact
from measures.papers.cmp_claim import Finding
from measures.sweeps import similarity
from measures.words import deniability
from measures.words.ball import Balls
from measures.words.deniability import Support
from measures.words.density import KEPT_NEIGHBOURS, NeighbourDistances, Neighbourhood
from measures.words.dissolution import Dissolution
from measures.words.outputs import Replacements
from mechanisms import Mechanism, Vocabulary
from mechanisms.answers import Curves
from mechanisms.estimate import Estimate
from mechanisms.law import Law
from mechanisms.text import PrivateText
from mechanisms.tokens import Token
from mechanisms.vocabulary import Floats, WordIds
from pages.compare.columns import Stand
from pages.compare.wording import mean_unchanged, promise
from pages.shared.prose import escaped, percent, plain
from pages.shared.session import ColumnDraw, embedding_label
from release.grammar import all_of
from release.spreadsheet import as_text_cell


def versions(private: PrivateText, mechanism: Mechanism | None) -> pd.DataFrame:
    """The private versions, one a row, with the mechanism that drew them, unless it is hidden.

    They leave: no count of the text as typed is among them.
    """
    return pd.DataFrame(
        {
            "version": range(1, len(private.texts) + 1),
            "private text": private.texts,
            "mechanism": repr(mechanism) if mechanism else "hidden",
        }
    )


def known_words(private: PrivateText) -> dict[str, int]:
    """The words of a text that the mechanism draws, in order, with their ids."""
    words = private.vocabulary.words
    return {words[t.word_id]: t.word_id for t in private.tokens if t.word_id is not None}


def replacements(result: Replacements, vocabulary: Vocabulary) -> pd.DataFrame:
    """What a word becomes, likeliest first."""
    table = pd.DataFrame(
        {
            "comes out as": [vocabulary.words[i] for i in result.word_ids],
            "probability": result.probability.value,
            "distance": result.distances,
        }
    )
    if not result.probability.source.is_exact:
        table["at least"] = result.probability.low
        table["at most"] = result.probability.high
    return table


def replacement_columns(result: Replacements) -> dict[str, object]:
    """How the columns of `replacements` are shown."""
    largest = float(result.probability.value.max())
    probability = st.column_config.NumberColumn(format="percent")
    return {
        "probability": st.column_config.ProgressColumn(
            format="percent", min_value=0.0, max_value=largest
        ),
        "distance": st.column_config.NumberColumn(format="%.2f"),
        "at least": probability,
        "at most": probability,
    }


def csv(table: pd.DataFrame) -> bytes:
    """Any table for a spreadsheet: UTF-8 with a mark, no cell that runs as a formula."""

    def safe(cell: object) -> object:
        return as_text_cell(cell) if isinstance(cell, str) else cell

    # With both signs of a line end in it, a lone one in a cell is quoted, and begins no row.
    guarded = table.map(safe).rename(columns=safe)
    return guarded.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig")


def download(
    label: str,
    table: pd.DataFrame | Callable[[], pd.DataFrame],
    file: str,
    place: DeltaGenerator | None = None,
) -> None:
    """A button that downloads a table, or what makes one, as CSV; written when it is pressed.

    In a place of its own it fills that.
    """
    (place or st).download_button(
        label,
        lambda: csv(table() if callable(table) else table),
        file,
        "text/csv",
        on_click="ignore",
        width="stretch" if place else "content",
    )


def audits(results: list[Audit]) -> pd.DataFrame:
    """One row a mechanism and variant: what it promises, and what was found."""
    signs = {"holds": "✅ holds", "broken": "❌ broken", "not proven": "❔ not proven"}
    return pd.DataFrame(
        {
            "mechanism": [titled(result.mechanism) for result in results],
            "found": [signs.get(result.verdict, "🚫 refused") for result in results],
            "promise": [result.guarantee.notion for result in results],
            "tested at ε": [result.mechanism.epsilon for result in results],
            "distance": [result.guarantee.distance.name for result in results],
            "draws": [result.mechanism.draws.kind for result in results],
            "conditions": ["; ".join(result.guarantee.conditions) for result in results],
            "witness": [result.witness for result in results],
        }
    )


def audit_columns() -> dict[str, object]:
    """How the columns of `audits` are shown."""
    return {
        "mechanism": st.column_config.TextColumn(width=240, pinned=True),
        "found": st.column_config.TextColumn(width=110),
        "promise": st.column_config.TextColumn(width=110),
        "tested at ε": st.column_config.NumberColumn(format="%g", width=90),
        "witness": st.column_config.TextColumn(width="large"),
    }


def checks(result: Audit) -> pd.DataFrame:
    """What an audit looked at, and what it found, one row a check."""
    return pd.DataFrame(
        {
            "check": [check.name for check in result.checks],
            "found": [check.fault or "no fault" for check in result.checks],
            "extent": [check.extent for check in result.checks],
        }
    )


def check_columns() -> dict[str, object]:
    """How the columns of `checks` are shown."""
    return {
        "check": st.column_config.TextColumn(width=220, pinned=True),
        "found": st.column_config.TextColumn(width="medium"),
        "extent": st.column_config.TextColumn(width="large"),
    }


def pair_labels(pairs: Pairs, vocabulary: Vocabulary) -> list[str]:
    """The two words of each pair, as text that a figure shows as it stands."""
    words = [*map(escaped, vocabulary.words), "(the unknown word)"]
    return [f"{words[a]} / {words[b]}" for a, b in zip(pairs.a, pairs.b, strict=True)]


def dissolve_labels(
    result: Dissolution, drawn: list[Token], vocabulary: Vocabulary
) -> tuple[list[str], list[str]]:
    """The typed words (n,) and the released ones (s,), as text that a figure shows as it stands."""
    typed = [escaped(token.text) for token in drawn[: len(result.word_ids)]]
    return typed, [escaped(vocabulary.words[i]) for i in result.released]


# ------------------------------------------------------------------- neighbourhoods and TEM's ball


def labels(word_ids: object, vocabulary: Vocabulary) -> list[str]:
    """Words by their ids, as text that a figure shows as it stands."""
    return [escaped(vocabulary.words[i]) for i in word_ids]


def words(word_ids: object, vocabulary: Vocabulary) -> list[str]:
    """Words by their ids."""
    return [vocabulary.words[i] for i in word_ids]


def balls(found: Balls, bound: float, vocabulary: Vocabulary) -> pd.DataFrame:
    """One row a word: its ball, how often it is left, and how much of the bound that is."""
    table = pd.DataFrame(
        {
            "word": [vocabulary.words[i] for i in found.word_ids],
            "words in the ball": found.inside,
            "leaves the ball": found.leaving,
            "share of the bound": found.leaving / bound if bound else found.leaving,
            "stays the same": found.unchanged,
        }
    )
    return table.sort_values("leaves the ball", ascending=False, kind="stable")


def ball_columns() -> dict[str, object]:
    """How the columns of `balls` are shown."""
    return {
        "word": st.column_config.TextColumn(pinned=True, width=110),
        "words in the ball": st.column_config.NumberColumn("in ball", format="localized"),
        "leaves the ball": st.column_config.NumberColumn("leaves", format="%.4g"),
        "share of the bound": st.column_config.NumberColumn("of bound", format="percent"),
        "stays the same": st.column_config.NumberColumn("stays", format="percent"),
    }


def neighbourhood(near: Neighbourhood, law: Law, vocabulary: Vocabulary) -> pd.DataFrame:
    """One row a word of a map, nearest first."""
    return pd.DataFrame(
        {
            "rank": range(len(near.word_ids)),
            "word": [vocabulary.words[i] for i in near.word_ids],
            "distance": near.distances,
            "comes out": law.of(near.word_ids),
        }
    )


def neighbourhood_columns() -> dict[str, object]:
    """How the columns of `neighbourhood` are shown."""
    return {
        "rank": st.column_config.NumberColumn(width=50, help="0 is the word itself."),
        "distance": st.column_config.NumberColumn(format="%.3f", width="small"),
        "comes out": st.column_config.NumberColumn(format="percent", width="small"),
    }


def percentiles(series: dict[str, NeighbourDistances], levels: tuple[int, ...]) -> pd.DataFrame:
    """One row a neighbour number k, one column an embedding and percentile."""
    columns = {
        f"{name}, {level} %": pd.Series(row)
        for name, found in series.items()
        for level, row in zip(levels, found.percentiles, strict=True)
    }
    table = pd.DataFrame(columns)
    table.insert(0, "k", range(1, len(table) + 1))
    return table


def by_density(
    found: NeighbourDistances, vocabulary: Vocabulary, densest: bool, count: int | None = 10
) -> pd.DataFrame:
    """The words in the densest places, or in the sparsest, and how far their neighbours are."""
    order = found.order() if densest else found.order()[::-1]
    ids = order[:count]
    rows = found.kept[found.word_ids.searchsorted(ids)]
    table = pd.DataFrame({"word": [vocabulary.words[i] for i in ids]})
    for k, distance in zip(KEPT_NEIGHBOURS, rows.T, strict=True):
        table[f"k = {k}"] = distance
    return table


def density_columns() -> dict[str, object]:
    """How the columns of `by_density` are shown."""
    return {
        f"k = {k}": st.column_config.NumberColumn(
            format="%.3f", help=f"Distance to neighbour number {k}."
        )
        for k in KEPT_NEIGHBOURS
    }


def adaptation(
    word_ids: object, distance: object, unchanged: dict[str, Estimate], vocabulary: Vocabulary
) -> pd.DataFrame:
    """One row a word: how close its neighbours are, and N_w under each mechanism."""
    stays: dict[str, Floats] = {}
    for name, found in unchanged.items():
        stays |= _columns(f"N_w, {name}", found)
    words = [vocabulary.words[i] for i in word_ids]
    return pd.DataFrame({"word": words, "distance to the 10th neighbour": distance, **stays})


def _columns(name: str, found: Estimate) -> dict[str, Floats]:
    """An estimate (n,) as columns; the ends of its intervals only if it has any."""
    if found.source.is_exact:
        return {name: found.value}
    return {name: found.value, f"{name} at least": found.low, f"{name} at most": found.high}


def show_words(
    known: Curves,
    vocabulary: Vocabulary,
    word_ids: WordIds,
    mechanism: Mechanism,
    support: Support,
) -> None:
    """All words at the ε of the slider, the least deniable first, and a download."""
    found = deniability.at_epsilon(known, mechanism.epsilon)
    sizes = deniability.support_size(found, support, known.draws)
    table = pd.DataFrame(
        {
            "word": [vocabulary.words[i] for i in word_ids[: len(known.unchanged)]],
            **_columns("N_w", found.unchanged),
            **_columns("S_w", sizes),
        }
    ).sort_values("N_w", ascending=False)
    with st.expander(f"{all_of(len(table), 'word')} at ε = {mechanism.epsilon:g}"):
        st.dataframe(table, hide_index=True, width="stretch")
    download("⬇️ Words (CSV)", table, "deniability.csv")


def recomputed() -> pd.DataFrame:
    """The benchmark's N_w and S_w as printed and as computed, one row a mechanism and ε."""
    _, rows = published_against_exact.shipped()
    numbers = pd.DataFrame(rows).replace("", None)

    def of_25_words(statistic: str) -> list[str]:
        low, high = numbers[f"{statistic}_25_low"], numbers[f"{statistic}_25_high"]
        return [f"{float(a):.1f} to {float(b):.1f}" for a, b in zip(low, high, strict=True)]

    return pd.DataFrame(
        {
            "mechanism": numbers["mechanism"],
            "as": numbers["variant"],
            "ε": numbers["epsilon"].astype(float),
            "N_w printed": numbers["printed_n_w"].astype(float),
            "N_w computed": numbers["n_w"].astype(float),
            "N_w of 25 words": of_25_words("n_w"),
            "S_w printed": numbers["printed_s_w"].astype(float),
            "S_w computed": numbers["s_w"].astype(float),
            "S_w of 25 words": of_25_words("s_w"),
            "what explains it": numbers["explanation"],
        }
    )


def recomputed_columns() -> dict[str, object]:
    """How the columns of `recomputed` are shown."""
    number = st.column_config.NumberColumn(format="%.1f")
    columns: dict[str, object] = {
        f"{statistic} {which}": number
        for statistic in ("N_w", "S_w")
        for which in ("printed", "computed")
    }
    return {
        **columns,
        "mechanism": st.column_config.TextColumn(pinned=True),
        "ε": st.column_config.NumberColumn(format="%g"),
        "what explains it": st.column_config.TextColumn(width="large"),
    }


def claim(findings: list[Finding]) -> pd.DataFrame:
    """The words that break the CMP paper's claim."""
    return pd.DataFrame(
        [(f.sample, *row) for f in findings for row in f.breaking],
        columns=["sample", "word", "different words in 1,000 runs", "returns in 1,000 runs"],
    )


# ------------------------------------------------------------------------------- the compare page


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
            "words kept": f"{kept.mean():.0%}",
            "distance moved": f"{moved.mean():.2f}",
            "of the way to a random word": way,
            "semantic closeness": "on request" if close is None else f"{close.mean():.2f}",
            "guarantee": promise(each.mechanism.guarantee(each.vocabulary)),
            "milliseconds a sentence": f"{draws[each.number].milliseconds:.3g}",
        }
    return pd.DataFrame(table)
