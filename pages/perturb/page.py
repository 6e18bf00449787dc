"""A sentence, made private, live."""

import streamlit as st

from mechanisms import Mechanism
from pages.perturb import beside, closer, controls, drawing, sentences, wording
from pages.shared import (
    cached,
    classroom,
    draws,
    link,
    material,
    mechanism_picker,
    page_end,
    parts,
    tables,
    terms,
    text_controls,
    vocabulary_picker,
)
from pages.shared.panels import panel
from pages.shared.settings import at_epsilon, parameter_key

st.header("Private sentences")
st.session_state.setdefault("text", material.EXAMPLE)
parts.part(controls.text)

# ---------------------------------------------- the four choices, and behind a panel all others
choices = st.container(key="choices", horizontal=True, vertical_alignment="top")
result = st.container()  # on a phone the notes come last, so that ε is beside the sentences
notes, stage = result.container(key="notes", gap="small"), result.container()
rest = st.container()


def other_choices() -> None:
    left, right = st.columns(2, gap="large")
    with left:
        vocabulary_picker.vocabulary_controls(stage)
    with right:
        text_controls.versions_control()
        text_controls.text_controls()
        text_controls.seed_control()


panel(wording.OTHER_CHOICES, "other-choices", other_choices, rest)
choice = vocabulary_picker.vocabulary_of_session(stage)
chosen = st.session_state
versions, unknown, seed, case = chosen.versions, chosen.unknown, chosen.seed, chosen.case
if long := drawing.takes_long(chosen.text, versions):
    parts.at_once()
with choices:
    mechanism = mechanism_picker.mechanism_controls(choice, stage, notes)
family, told = mechanism.family(), not classroom.hidden()
link.write(mechanism, "versions", "beside", "unknown", "case", "seed", "text")
vocabulary = cached.vocabulary(choice)


def asked() -> draws.Asked:
    text, now = st.session_state["text"], at_epsilon(family)
    return draws.Asked(text, now, vocabulary, versions, unknown, seed)


def shown() -> Mechanism | None:
    return at_epsilon(family) if told else None


# -------------------------------------------------------------------------------- private versions
with stage:
    try:
        private = drawing.draw(asked(), case)
        if told and (plain := beside.asked_for(mechanism)):
            drawing.draw(asked()._replace(mechanism=plain), case)
    except ValueError as error:
        st.error(classroom.told(error))
        page_end.stop()
    words = tables.known_words(private)
    with notes:
        parts.part(lambda: controls.in_force(shown(), choice.name, vocabulary))
    parts.part(lambda: sentences.show(asked(), shown(), case))
    sentences.buttons()
    account = st.container()
    if seed is not None:
        st.warning(text_controls.SEEDED)
    if told and words and sentences.wanted_over_all_epsilon():
        parts.part(lambda: sentences.over_all_epsilon(asked(), case, choice))
    with account:  # drawn last, so that it has the draws over all ε
        parts.part(lambda: sentences.account(asked(), shown(), case))
if not told:
    with stage:
        classroom.guess(mechanism)
    page_end.stop()

# ------------------------------------------------------------------------------------ word by word
terms.words_here("token", "mechanism", "epsilon", "gamma", "embedding", "vocabulary", "metric_dp")
if not words:
    st.info(wording.NOTHING_KNOWN)
    page_end.stop()
panel(
    wording.CLOSER,
    "closer",
    lambda: parts.part(lambda: closer.show(draws.draw(asked(), case), at_epsilon(family))),
)
if not long:
    parts.complete(
        parameter_key(family.kind, "epsilon"),
        "text",
        still=lambda: drawing.is_shown_in_parts(asked(), case),
    )
