"""A file in, a private file out."""

import streamlit as st

from mechanisms.cleaning import INVISIBLE
from pages.shared import (
    cached,
    link,
    mechanism_picker,
    prose,
    session,
    terms,
    text_controls,
    vocabulary_picker,
)
from pages.your_data import choosing, controls, files, widgets, wording
from release.layout import SUFFIXES
from release.settings import Settings

st.html(prose.STYLE)
for problem in link.read():
    st.warning(f"This link: {problem}")

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
link.write(mechanism, "unknown", "case", "html", "seed")
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
        st.button("🎬 Try it with 200 film reviews", on_click=files.choose_sample, type="primary")
        st.stop()
    try:
        guarantee = mechanism.guarantee(vocabulary)
        mechanism_box.caption(prose.derived(mechanism.derived(vocabulary)))
        reading = widgets.reading(file)
        if not reading.columns:
            st.info(wording.NO_TEXT_COLUMN)
            st.stop()
        with st.spinner("Reading the file to its end …"):
            planning = files.planning(file, reading, mechanism, vocabulary, html)
    except ValueError as error:
        st.error(prose.plain(str(error)) + wording.choices_for(str(error)))
        st.stop()

    # ----------------------------------------------------------------------------- the plan
    st.subheader(wording.BEFORE)
    widgets.wait_for(planning)
    plan = planning.plan
    widgets.survey(planning, reading.layout.columns)
    kept = len(reading.layout.columns) - len(reading.columns)
    st.markdown(wording.headline(plan, list(reading.columns), kept))
    widgets.plan_table(wording.rows(plan, mechanism, unknown, case, html))
    if plan.noticed[INVISIBLE]:
        st.markdown(f":red[**{prose.invisible(plan.noticed[INVISIBLE], 'will be removed')}**]")
    st.markdown(wording.total_epsilon(plan, guarantee, unknown))
    st.warning(wording.NOT_HIDDEN_HERE)
    if seed is not None:
        st.warning(wording.SEEDED)

    # --------------------------------------------------------------------------- the choice
    choosing.part(file, reading, choice, vocabulary, html)

    # -------------------------------------------------------------------------- the release
    st.button(
        "🎭 Make the file private",
        on_click=files.release,
        args=(file, reading, settings, vocabulary, planning),
        type="primary",
    )

    # --------------------------------------------------------------------------- the result
    release = files.released()
    if release is None:
        st.stop()
    widgets.wait_for(release)
    st.subheader("The private file")
    if (release.reading, release.settings) != (reading, settings):
        st.info(wording.CHANGED_SINCE)
    widgets.result(release)
    widgets.pairs(release)
    st.markdown(prose.spent(session.spent()), help=prose.SPENT_HELP)
