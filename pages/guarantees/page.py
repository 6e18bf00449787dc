"""Every mechanism held against its promise, with the witness where it breaks."""

import time

import streamlit as st

from pages.guarantees import charts, controls, every_word, kept_audits, own_audit, tables, wording
from pages.shared import (
    cached,
    downloads,
    link,
    material,
    mechanism_picker,
    page_end,
    prose,
    terms,
    vocabulary_picker,
)
from pages.shared.settings import KEPT

st.header("Which promises are kept?")
subject = st.segmented_control(
    "Audit",
    controls.AUDIT_SUBJECTS,
    key="audit-of",
    required=True,
    format_func=controls.AUDIT_SUBJECTS.get,
    label_visibility="collapsed",
    **KEPT,
)
if subject == "any":
    link.write(None, "audit-of")
    own_audit.show()
    page_end.stop()
st.markdown(wording.GUARANTEES_INTRODUCTION)
terms.words_here("metric_dp", "pure_dp", "delta", "epsilon", "law", "variant")
terms.cite("meisenbacher2024", "balle2018")

# --------------------------------------------------------------------------------------- controls
left, right = st.columns([2, 3], vertical_alignment="bottom")
size = left.segmented_control(
    "Most frequent words to test on",
    controls.AUDIT_SIZES,
    key="audit-words",
    required=True,
    format_func=lambda words: f"{words:,}",
    help="Some mechanisms break their promise only if the vocabulary is large.",
    **KEPT,
)
choice = vocabulary_picker.vocabulary_of(size)
yours = mechanism_picker.session_mechanism(choice)
if material.has_file():
    st.info(wording.answers_for(material.name(), yours, len(cached.vocabulary(choice))))
row = right.selectbox(
    "Shown in the figure",
    [controls.YOURS, *controls.AUDITED],
    key="audited",
    format_func=lambda row: (
        wording.your_setting(yours) if row == controls.YOURS else prose.variant_title(*row)
    ),
    **KEPT,
)
link.write(None, "audit-of", "audited", "audit-words")
vocabulary = cached.vocabulary(choice)
if len(vocabulary) < 2:
    st.info(wording.ONE_WORD)
    page_end.stop()

# ------------------------------------------------------------------------------- the chosen promise
own = row == controls.YOURS
tested = wording.your_setting(yours) if own else prose.variant_title(*row)
with st.spinner(wording.testing(tested), show_time=True):
    try:
        chosen = (
            kept_audits.audit_at(yours, choice) if own else kept_audits.audit(*row, choice.of_words)
        )
    except ValueError as error:
        st.error(prose.plain(str(error)))
        page_end.stop()
st.subheader(wording.verdict(chosen))
if worth := wording.worth(chosen):
    st.markdown(worth)
figure, words = st.columns([3, 2], gap="large")
with figure:
    if chosen.true_delta is not None:
        downloads.figure(
            st,
            charts.deltas(chosen.mechanism.name, chosen.guarantee.delta, chosen.true_delta),
            alt=prose.plain(chosen.witness),
        )
        st.caption(wording.HOW_TO_READ_DELTAS)
    elif chosen.pairs is not None:
        downloads.figure(
            st,
            charts.log_ratios(
                chosen.mechanism.name,
                chosen.pairs.distance,
                chosen.pairs.log_ratio,
                chosen.pairs.bound,
                tables.pair_labels(chosen.pairs, vocabulary),
                wording.distance_axis(chosen.guarantee),
                chosen.pairs.exact,
            ),
            alt=prose.plain(chosen.witness),
        )
        st.caption(wording.how_to_read_log_ratios(chosen))
with words:
    st.markdown(wording.witness(chosen))
    st.markdown(prose.guarantee(chosen.mechanism, chosen.guarantee))

if chosen.checks:
    st.markdown("**What was checked**")
    checks = tables.checks(chosen)
    st.dataframe(checks, column_config=tables.check_columns(), hide_index=True, width="stretch")
    st.caption(wording.unseen())
    downloads.download("⬇️ Checks (CSV)", checks, "checks.csv")
every_word.offer(chosen.mechanism, choice)

# -------------------------------------------------------------------------------- all the promises
st.subheader("All mechanisms")
progress = st.progress(0.0, "Testing …")
table = st.empty()
audits, began = [], time.monotonic()
for position, each in enumerate(controls.AUDITED):
    progress.progress(
        position / len(controls.AUDITED),
        wording.testing_all(
            prose.variant_title(*each),
            position,
            len(controls.AUDITED),
            time.monotonic() - began,
        ),
    )
    audits.append(kept_audits.audit(*each, choice.of_words))
    table.dataframe(
        tables.audits(audits),
        column_config=tables.audit_columns(),
        hide_index=True,
        width="stretch",
        height="content",
    )
progress.empty()
st.caption(wording.HOW_TO_READ_AUDITS)
downloads.download("⬇️ Table (CSV)", tables.audits(audits), "guarantees.csv")

# ------------------------------------------------------------------ the printed numbers, recomputed
st.subheader("The benchmark's printed numbers, recomputed")
st.markdown(wording.RECOMPUTED_INTRODUCTION)
recomputed = tables.recomputed()
st.dataframe(
    recomputed,
    column_config=tables.recomputed_columns(),
    hide_index=True,
    width="stretch",
)
st.caption(wording.HOW_TO_READ_RECOMPUTED)
downloads.download("⬇️ Recomputed (CSV)", recomputed, "published-against-exact.csv", settings=False)
