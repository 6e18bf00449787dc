"""A live class, for the teacher: start it, lead it, show its answers, end it; plans and papers."""

import streamlit as st

from pages.shared import classroom_wording, link, terms
from pages.teach import material, room, wording

link.write(None)
st.header("Teach")
if said := st.session_state.pop("class-said", ""):
    st.error(said)

led = room.led()
if led is None:
    room.after_the_end()
    st.markdown(wording.INTRODUCTION)
    private_box, epsilon_box, button = st.columns([2, 3, 2], vertical_alignment="bottom")
    private = private_box.toggle(
        wording.PRIVATE, value=True, key="class-private", help=wording.PRIVATE_HELP
    )
    epsilon = epsilon_box.slider(
        wording.EPSILON,
        0.5,
        5.0,
        2.0,
        0.1,
        key="class-epsilon",
        disabled=not private,
        help=wording.EPSILON_HELP,
    )
    button.button(wording.START, on_click=room.start, args=(private, epsilon), type="primary")
else:
    code, key = led
    with st.expander(wording.entrance(code), expanded=True, key="class-entrance"):
        room.entrance(code)
    question = room.lead(code, key)
    room.show(code, key, question)
    room.finish(code, key)
    st.toggle(classroom_wording.PROJECTOR, key="projector", persist_state="session")

material.plans()
material.papers()
material.games()
terms.words_here("randomised_response", "epsilon", "deniability", "privacy_budget")
