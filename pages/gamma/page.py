"""Theorem 4.2 both ways, and what its bound means for real words."""

import streamlit as st

from measures.words import ball
from pages.gamma import charts, controls, geometry, wording
from pages.gamma import tables as gamma_tables
from pages.shared import (
    cached,
    downloads,
    link,
    mechanism_picker,
    page_end,
    prose,
    tables,
    terms,
    vocabulary_picker,
)
from pages.shared.settings import KEPT

st.header("How far does TEM look? γ, β and ε")
st.markdown(wording.GAMMA_INTRODUCTION)
terms.words_here("tem", "gamma", "beta", "epsilon", "vocabulary")
terms.cite("carvalho2023")
with st.expander("What ε, β and γ are"):
    st.markdown(wording.GAMMA_TERMS)

# ------------------------------------------------------------------- any two of ε, β, γ: the third
panel, stage = st.columns([2, 5], gap="large")
with panel:
    sought = st.segmented_control(
        "Find",
        controls.SOUGHT,
        format_func=wording.FIND.__getitem__,
        key="solve",
        required=True,
        **KEPT,
    )
    given = controls.theorem_controls(sought)
    size_box = st.container()
    choice = vocabulary_picker.vocabulary_panel(stage)
    vocabulary = cached.vocabulary(choice)
    with size_box:
        words = controls.words_control(len(vocabulary))
link.write(
    None, "solve", "theorem-eps", "theorem-beta", "theorem-gamma", "theorem-words", "own-gamma"
)

marks = geometry.landmarks(choice)
if controls.asked_for_tem():
    st.switch_page("pages/perturb/page.py")
with stage:
    try:
        theorem = ball.solve(sought, **given, words=words)
    except ValueError as error:
        st.error(prose.plain(str(error)))
        page_end.stop()
    st.subheader(wording.theorem(theorem, sought))
    st.markdown(wording.theorem_meaning(theorem, sought))
    st.markdown(wording.gamma_among_distances(theorem.in_force, marks))
    curves = ball.gamma_curves(theorem)
    downloads.figure(
        st,
        charts.gamma_curves(
            curves.epsilon,
            curves.gamma,
            curves.beta,
            (theorem.epsilon, theorem.beta, theorem.gamma),
            wording.distance_marks(marks),
        ),
        alt=wording.gamma_curves_finding(theorem),
    )
    st.caption(wording.HOW_TO_READ_GAMMA_CURVES)
    st.button(
        wording.use_in_tem(theorem),
        on_click=controls.use_in_tem,
        args=(theorem.epsilon, theorem.gamma),
        disabled=not theorem.gamma > 0 or mechanism_picker.is_locked(),
    )
    with st.expander("Why: step by step, with these numbers"):
        st.markdown(wording.derivation(theorem, sought))

# --------------------------------------------------------------------- what it means for real words
st.subheader("What the bound means for real words")
left, right = st.columns(2, gap="large")
with left:
    own_ids, unknown = controls.own_words_control(vocabulary)
with right:
    own_gamma = controls.own_gamma_control()
if unknown:
    st.info(wording.unknown_words(unknown))

here = ball.solve("beta", **theorem.given(), words=len(vocabulary))
sampled = geometry.balls(choice, here.epsilon, here.gamma)
found = sampled.and_(ball.balls(vocabulary, own_ids, here.epsilon, here.gamma))
series = {wording.theorems_gamma(here.gamma): found}
st.markdown(wording.balls_finding(found, here.beta, vocabulary))
if own_gamma is not None:
    own = ball.solve("beta", here.epsilon, here.beta, own_gamma, len(vocabulary))
    with_own = geometry.balls(choice, own.epsilon, own.gamma).and_(
        ball.balls(vocabulary, own_ids, own.epsilon, own.gamma)
    )
    series[wording.own_gamma(own_gamma)] = with_own
    st.markdown(wording.own_gamma_finding(with_own, own_gamma, own.beta, here.gamma))

figure, table = st.columns(2, gap="medium")
with figure:
    downloads.figure(
        st,
        charts.leaving(
            [each.inside for each in series.values()],
            {name: each.leaving for name, each in series.items()},
            here.beta,
            tables.labels(found.word_ids, vocabulary),
            found.worst,
        ),
        alt=wording.balls_finding(found, here.beta, vocabulary),
    )
    st.caption(wording.HOW_TO_READ_LEAVING)
with table:
    rows = gamma_tables.balls(found, here.beta, vocabulary)
    st.dataframe(rows, column_config=gamma_tables.ball_columns(), hide_index=True, height=400)
    downloads.download("⬇️ Table (CSV)", rows, "balls.csv")

# ---------------------------------------------------------------------------- one word at every γ
st.subheader("One word at every γ")
word_id = st.selectbox(
    "Word",
    found.word_ids.tolist(),
    index=found.worst if not own_ids else 0,
    format_func=vocabulary.words.__getitem__,
    help="One of the sampled words, or of your own words.",
)
curve = ball.by_gamma(vocabulary, word_id, here.epsilon)
downloads.figure(
    st,
    charts.one_word_by_gamma(
        curve.gamma,
        curve.leaving,
        curve.unchanged,
        curve.bound,
        wording.gamma_marks(here.gamma, own_gamma),
    ),
    alt=wording.by_gamma_finding(vocabulary.words[word_id], here.gamma, own_gamma),
)
st.caption(wording.HOW_TO_READ_BY_GAMMA)
