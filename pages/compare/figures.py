"""The figures under the columns."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from measures.words import deniability, tradeoff
from pages.compare import charts, columns
from pages.compare import wording as compare_wording
from pages.shared import downloads, prose
from pages.shared.jobs import Job


def histograms(stands: list[columns.Stand], boxes: list[DeltaGenerator]) -> None:
    """N_w and S_w of the sampled words at each column's ε, on axes that all share."""
    here = {}
    for each in stands:
        if each.mechanism is not None and each.found is not None:
            curves, epsilon = each.found.curves, each.mechanism.epsilon
            if each.found.at_epsilon(epsilon) is None:
                continue
            measured = deniability.at_epsilon(curves, epsilon)
            here[each.number] = [measured.unchanged.value, measured.distinct.value]
    if not here:
        return
    for each, box in zip(stands, boxes, strict=True):
        if each.number not in here:
            box.caption(compare_wording.no_words_here(each.label))
            continue
        name = each.column.mechanism.name
        for values, statistic, title, top in zip(
            here[each.number],
            ("N_w", "S_w"),
            ("N_w", f"S_w, {tradeoff.DRAWS} draws"),
            (1.0, float(tradeoff.DRAWS)),
            strict=True,
        ):
            found = deniability.summary(values, larger_is_worse=statistic == "N_w")
            finding = compare_wording.spread(statistic, found)
            box.caption(f"{prose.plain(each.label)}: {finding}")
            downloads.figure(
                box,
                charts.small_histogram(values, name, title, (0.0, top)),
                key=f"compare.{statistic}.{each.number}",
                alt=f"{each.label}. {finding}",
            )


def over_all_epsilon(stands: list[columns.Stand], privacy: float | None) -> None:
    """The curves of usefulness against privacy, and which one is the upper one."""
    # Columns that differ in ε only are one curve.
    groups: dict[Job, list[columns.Stand]] = {}
    for each in stands:
        if each.work is not None and each.found is not None:
            groups.setdefault(each.work, []).append(each)
    if not groups:
        return
    names, curves = {}, {}
    for group in groups.values():
        numbers = ", ".join(str(each.number) for each in group)
        label = f"{numbers} · {group[0].label.split(' · ', 1)[1]}"
        names[label], curves[label] = group[0].column.mechanism.name, group[0].found
    points = {}
    for each in stands:
        if each.found is not None and each.mechanism is not None:
            at = each.found.at_epsilon(each.mechanism.epsilon)
            if at is not None:
                privacy_there, useful = (float(side.value) for side in at)
                points[each.label] = (each.column.mechanism.name, privacy_there, useful)
    if privacy is None:
        privacy = next((point[1] for point in points.values()), 0.5)
    finding = compare_wording.tradeoff_finding(curves, privacy)
    st.markdown(finding)
    downloads.figure(
        st,
        charts.tradeoff(
            {
                label: (
                    names[label],
                    curve.curves.epsilons,
                    curve.privacy,
                    curve.usefulness.value,
                    curve.error,
                )
                for label, curve in curves.items()
            },
            points,
        ),
        key="tradeoff",
        alt=prose.without_marks(finding),
    )
    st.caption(compare_wording.HOW_TO_READ_TRADEOFF)
    st.caption(compare_wording.tradeoff_scope({n: len(c.word_ids) for n, c in curves.items()}))
