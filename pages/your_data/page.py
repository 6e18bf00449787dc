"""A file in, a private file out."""

from dataclasses import replace

import streamlit as st

from mechanisms.base_measure import source_of_q
from mechanisms.cleaning import INVISIBLE
from pages.shared import (
    cached,
    corpus_upload,
    ledger,
    link,
    material,
    mechanism_picker,
    page_end,
    prose,
    terms,
    text_controls,
    vocabulary_picker,
)
from pages.your_data import checking, choosing, controls, evidence, files, record, widgets, wording
from pages.your_data import evidence_wording as evidence_words
from release.demands import MEANINGS
from release.layout import SUFFIXES
from release.settings import Settings

st.header("A file in, a private file out")
st.markdown(wording.INTRODUCTION)
terms.words_here("token", "vocabulary", "mechanism", "epsilon", "pp", "privacy_budget")
panel, stage = st.columns([2, 5], gap="large")  # on a phone the controls come first

# --------------------------------------------------------------------------------------- controls
with panel:
    mechanism_box = st.container()
    with st.expander("Vocabulary, unknown words, seed"):
        choice = vocabulary_picker.vocabulary_controls(stage)
        unknown, case = text_controls.text_controls()
        html = controls.html_control()
        seed = text_controls.seed_control()
    with mechanism_box:
        mechanism = mechanism_picker.mechanism_controls(choice, stage)
link.write(mechanism, "unknown", "case", "html", "seed", *MEANINGS)
vocabulary = cached.vocabulary(choice)
settings = Settings(
    mechanism=mechanism,
    embedding=choice.name,
    size=choice.size,
    words_only=choice.words_only,
    unknown=unknown,
    case=case,
    html=html,
    seed=seed,
    q_corpus=controls.q_corpus(mechanism),
)

# --------------------------------------------------------------------------------------- the file
with stage:
    st.file_uploader(
        "Your file",
        [suffix.removeprefix(".") for suffix in SUFFIXES],
        key=widgets.upload_key(),
        on_change=widgets.take_upload,
        help=wording.UPLOAD_HELP,
    )
    file = files.chosen()
    if file is None:
        st.button(
            f"🎬 Try it with {files.SAMPLE_ROWS} film reviews",
            on_click=files.choose_sample,
            type="primary",
        )
        page_end.stop()
    try:
        guarantee = mechanism.guarantee(vocabulary)
        mechanism_box.caption(prose.derived(mechanism.derived(vocabulary)))
        reading = widgets.reading(file)
        if not reading.columns:
            st.info(wording.NO_TEXT_COLUMN)
            page_end.stop()
        with st.spinner("Reading the file to its end …"):
            planning = checking.planning(file, reading, mechanism, vocabulary, html)
            texts = files.first_texts(file, reading, material.MOST_CHARACTERS)
    except ValueError as error:
        st.error(prose.plain(str(error)) + wording.choices_for(str(error)))
        page_end.stop()

    # Other pages answer for the file from now on, also for a visitor who does not wait here.
    how = material.Table(reading.layout, reading.ragged, reading.columns)
    material.describe(file.token, how, planning.survey.rows, texts)

    # ---------------------------------------------------------------------------- 1 check
    st.subheader(wording.CHECK)
    widgets.wait_for(planning)
    plan = planning.plan
    widgets.survey(planning, reading.layout.columns)
    reading = reading._replace(left_out=evidence.left_out(file, reading, planning))
    kept = len(reading.layout.columns) - len(reading.columns) - len(reading.left_out)
    corpus_upload.say_if_it_holds_texts(source_of_q(mechanism))
    st.markdown(wording.headline(plan, list(reading.columns), kept))
    evidence.check(planning, vocabulary, unknown, html)
    with st.expander(wording.EVERY_TOKEN):
        widgets.plan_table(wording.rows(plan, mechanism, unknown, case, html))
    if plan.noticed[INVISIBLE]:
        st.markdown(f":red[**{prose.invisible(plan.noticed[INVISIBLE], 'will be removed')}**]")
    st.markdown(wording.total_epsilon(plan, guarantee, unknown))
    st.warning(wording.NOT_HIDDEN_HERE)
    if seed is not None:
        st.warning(wording.SEEDED)

    # --------------------------------------------------------------------------- the choice
    chosen = choosing.part(file, reading, choice, vocabulary, html)
    settings = replace(settings, chosen_among=choosing.among(chosen, mechanism))

    # ----------------------------------------------------------------------------- 2 test
    st.subheader(wording.TEST)
    st.markdown(evidence_words.BEFORE_TEST)
    evidence.expectation(file, planning, mechanism, vocabulary)
    st.button(
        wording.TEST_BUTTON,
        on_click=checking.draw_trial,
        args=(file, reading, settings, vocabulary, planning),
        help=evidence_words.TRIAL_HELP,
    )
    if (trial := checking.trial(file, reading)) is not None:
        evidence.trial(trial, trial.settings != settings)

    # -------------------------------------------------------------------------- 3 release
    st.subheader(wording.RELEASE)
    with st.expander(wording.EARLIER):
        record.take(file)
    record.note(files.released())
    if before := record.earlier(file):
        st.warning(wording.again(before))
    st.button(
        "🎭 Make the file private",
        on_click=files.release,
        args=(file, reading, settings, vocabulary),
        kwargs={
            "count": planning.pieces,
            "emptied": planning.survey.emptied,
            "names": planning.names,
        },
        type="primary",
    )
    release = files.released()
    if release is None:
        evidence.spent(prose.spent(ledger.spent(file.ledger)))
        page_end.stop()
    widgets.wait_for(release)
    if (release.reading, release.settings) != (reading, settings):
        st.info(wording.CHANGED_SINCE)
    widgets.result(release)
    evidence.survivors(release.survived, release.texts_of, "release")
    widgets.pairs(release)
    evidence.spent(prose.spent(ledger.spent(file.ledger)))

    # --------------------------------------------------------------------------- 4 record
    st.subheader(wording.RECORD)
    record.offer(release, planning, chosen)
