"""How deniable each word is, at every ε; and choosing ε."""

import streamlit as st

from measures.papers import cmp_claim
from measures.words import deniability
from pages.deniability import controls, in_text, results, sampled, tables, wording
from pages.shared import (
    cached,
    downloads,
    link,
    material,
    mechanism_picker,
    page_end,
    panels,
    parts,
    progress,
    prose,
    terms,
    vocabulary_picker,
)
from pages.shared.fragments import fragment
from pages.shared.settings import at_epsilon, parameter_key

st.header("How deniable is each word?")
st.markdown(wording.DENIABILITY_INTRODUCTION)
terms.words_here("deniability", "n_w", "s_w", "epsilon", "law")
terms.cite("feyisetan2020", "meisenbacher2024")
panel, stage = st.columns([2, 5], gap="large")  # on a phone the controls come first

# --------------------------------------------------------------------------------------- controls
with panel:
    mechanism_box = st.container()
    how, count = controls.sample_controls()
    support, draws = controls.support_controls()
    choice = vocabulary_picker.vocabulary_panel(stage)
    with mechanism_box:
        mechanism = mechanism_picker.mechanism_controls(choice, stage)
family = mechanism.family()
link.write(mechanism, "sample", "count", "support", "draws")
vocabulary = cached.vocabulary(choice)
word_ids = sampled.sampled_words(mechanism, vocabulary, how, count)
if not len(word_ids):
    stage.info(wording.NO_WORDS)
    page_end.stop()
if how == "text":
    _, total = deniability.words_of_text(material.text(), mechanism.family(), vocabulary)
    if total > len(word_ids):
        stage.info(wording.rarest_of_text(len(word_ids), total, material.name()))
try:
    job = results.computation(mechanism, choice, word_ids, draws, shared=how != "text")
except ValueError as error:
    stage.error(prose.plain(str(error)))
    page_end.stop()


# ------------------------------------------------------------------------------- what is known yet
def computed_so_far() -> results.Computed:
    curves = job.joined(deniability.joined_curves)
    now = at_epsilon(family)
    return results.Computed(curves, vocabulary, word_ids, now, support)


def histograms() -> None:
    progress.show_progress(job)
    if job.results:
        results.histograms(computed_so_far())


def drawn_at_epsilon() -> None:
    computed = computed_so_far()
    results.histograms(computed)
    in_text.show(computed.mechanism, vocabulary)
    results.over_epsilon(computed)
    tables.show_words(computed)


@fragment(run_every=0.7)
def filling() -> None:
    histograms()
    if not progress.running(job):
        st.rerun()  # the whole page once more, now without the clock


with stage:
    if progress.running(job):
        filling()
        page_end.stop()
    progress.show_progress(job)
    if not job.results:
        page_end.stop()
    parts.part(drawn_at_epsilon)
    results.choose_epsilon(computed_so_far())
    parts.part(lambda: results.one_word(computed_so_far()))


# ---------------------------------------------------------------------------- a claim of the paper
def claim_of_the_paper() -> None:
    findings = cmp_claim.findings()
    st.markdown(wording.CLAIM)
    for finding in findings:
        st.markdown(wording.claim_finding(finding))
    st.dataframe(tables.claim(findings), hide_index=True, width="stretch")
    downloads.download(
        "⬇️ Breaking words (CSV)", tables.claim(findings), "cmp-claim.csv", settings=False
    )


panels.panel("A claim of the CMP paper, tested", "claim-panel", claim_of_the_paper, stage)
parts.complete(parameter_key(family.kind, "epsilon"))
