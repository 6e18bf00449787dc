"""WordVeil in short, a sentence that changes with ε, its limits, and links to other pages."""

import streamlit as st

from measures.attacks import recovery
from pages.shared import (
    attack_charts,
    cached,
    dissolve_charts,
    doors,
    downloads,
    history,
    prose,
    terms,
)
from pages.shared.fragments import fragment
from pages.start import controls, public_example, wording

history.follow_old_link()

st.title("WordVeil")
st.markdown(wording.PURPOSE)

# ----------------------------------------------------------------------------- a word gives way
sentence, ways_on = st.columns([5, 3], gap="large")
with sentence:
    st.subheader(wording.GIVING_WAY)
    example = public_example.example(wording.EXAMPLE)
    vocabulary = cached.vocabulary(public_example.EXAMPLE_WORDS)

    @fragment()
    def giving_way() -> None:
        epsilon = controls.example_epsilon(example)
        released = [vocabulary.words[word] for word in example.released_at(epsilon)]
        st.html(wording.sentence(wording.EXAMPLE, released))
        finding = wording.finding(example, epsilon)
        st.markdown(finding)
        downloads.figure(
            st,
            dissolve_charts.dissolve(
                example,
                wording.labels(wording.EXAMPLE),
                wording.labels(vocabulary.words[word] for word in example.released),
                epsilon,
            ),
            key="example_figure",
            alt=prose.without_marks(finding),
        )

    giving_way()
    st.caption(wording.how_the_example_was_made(vocabulary))
    st.caption(prose.HOW_TO_READ_DISSOLVE)

# ------------------------------------------------------------------ three doors, and the limits
with ways_on:
    for page, title, promise in doors.DOORS:
        with st.container(border=True):
            st.page_link(page, label=f"**{title}**")
            st.markdown(promise)
    st.subheader(wording.LIMITS_TITLE)
    st.markdown(wording.LIMITS)

# ------------------------------------------------------------------------ why a re-roll costs
st.subheader("Why a second draw costs")
averaged = [row for row in recovery.rows() if row.attack == "averaging"]
again = wording.second_draw(averaged)
text, figure = st.columns([3, 5], gap="large")
text.markdown(again)
text.page_link("pages/attacks/page.py", label="Attack a sentence yourself →")
downloads.figure(
    figure, attack_charts.averaged(averaged), key="averaged", alt=prose.without_marks(again)
)
terms.words_here("epsilon", "mechanism", "vocabulary", "metric_dp", "adversary", "privacy_budget")
