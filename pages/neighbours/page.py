"""How close words lie, and how far noise reaches among them."""

from functools import partial

import streamlit as st

from measures.words import density
from pages.neighbours import charts, controls, results, word_walk, wording
from pages.neighbours import tables as neighbours_tables
from pages.shared import (
    cached,
    downloads,
    link,
    mechanism_picker,
    own_embedding,
    page_end,
    progress,
    prose,
    tables,
    terms,
    vocabulary_picker,
    word_law,
)
from pages.shared.settings import KEPT

st.header("How far does the noise reach?")
st.markdown(wording.NEIGHBOURS_INTRODUCTION)
terms.words_here("embedding", "distance", "vocabulary", "n_w", "gamma")
panel, stage = st.columns([2, 5], gap="large")  # on a phone the controls come first

# --------------------------------------------------------------------------------------- controls
with panel:
    mechanism_box = st.container()
    choice = vocabulary_picker.vocabulary_panel(stage)
    with mechanism_box:
        mechanism = mechanism_picker.mechanism_controls(choice, stage)
vocabulary = cached.vocabulary(choice)

# --------------------------------------------------------------------------------------- one word
with stage:
    typed, back, in_link = st.columns([5, 2, 3], vertical_alignment="bottom")
    with typed:
        word_id = controls.word_control(vocabulary)
    back.button(
        "↩ Back",
        on_click=word_walk.walk_back,
        disabled=not word_walk.trail(),
        help="Goes back to the word before your last click on the map.",
        width="stretch",
    )
    with in_link:
        word_shared = controls.word_in_link_control()
    if word_id is None:
        typed_word = st.session_state["map-word"]
        st.info(wording.no_such_word(typed_word, density.suggestions(vocabulary, typed_word)))
    else:
        word = vocabulary.words[word_id]
        try:
            reach = results.reach(mechanism, vocabulary, word_id)
            out = word_law.outputs(mechanism, vocabulary, word_id)
        except ValueError as error:
            st.error(prose.plain(str(error)))
            word_id = None
if word_id is not None:
    with stage:
        gamma = density.gamma_at(mechanism, vocabulary)
        finding = wording.reach_finding(reach, mechanism, word, len(vocabulary))
        st.subheader(f"What is around {prose.plain(word)}, and what reaches it")
        st.markdown(finding)
        downloads.figure(
            st,
            charts.reach(
                mechanism.name,
                reach.radius,
                reach.words,
                reach.density,
                (reach.low, reach.median, reach.high),
                wording.moved(reach),
                gamma,
            ),
            alt=finding,
        )
        st.caption(wording.how_to_read_reach(reach, gamma))

    st.subheader(f"A map of the neighbourhood of {prose.plain(word)}")
    count = st.segmented_control(
        "Neighbours shown",
        controls.MAP_SIZES,
        key="map-words",
        required=True,
        **KEPT,
    )
    near = density.neighbourhood(vocabulary, word_id, count)
    note = wording.map_note(near, out, word)
    st.markdown(note)
    figure, table = st.columns([3, 2], gap="medium")
    with figure:
        downloads.figure(
            st,
            charts.neighbourhood(
                mechanism.name,
                near.places,
                near.distances,
                out.of(near.word_ids),
                tables.words(near.word_ids, vocabulary),
                tables.labels(near.word_ids, vocabulary),
            ),
            key=word_walk.map_key(),
            on_select=word_walk.walk,
            selection_mode="points",
            alt=note,
        )
        st.caption(wording.HOW_TO_READ_MAP)
    with table:
        rows = neighbours_tables.neighbourhood(near, out, vocabulary)
        st.dataframe(
            rows,
            column_config=neighbours_tables.neighbourhood_columns(),
            hide_index=True,
            height=520,
        )
        downloads.download("⬇️ Map (CSV)", rows, "neighbourhood.csv")

# ---------------------------------------------------------------------------------------- all words
st.subheader("All words: the distance to the k-th neighbour")
if len(vocabulary) < 2:
    link.write(mechanism, "map-words", *(("map-word",) if word_shared else ()))
    st.info(wording.one_word(own_embedding.embedding_label(choice.name)))
    page_end.stop()
first, second = st.columns([2, 2], vertical_alignment="bottom")
place = st.empty()
with first:
    sample = controls.compared_control(vocabulary)
with second:
    other = controls.overlay_control(choice, place)
settings = ("map-words", "compared", "overlay", *(("map-word",) if word_shared else ()))
link.write(mechanism, *settings)

label = own_embedding.embedding_label(choice.name)
distances = results.neighbour_distances(
    vocabulary, sample, progress.bar(place, f"{label}: comparing words …")
)
series = {label: distances}
if other is not None and len(cached.vocabulary(other)) < 2:
    place.info(wording.one_word(own_embedding.embedding_label(other.name)))
elif other is not None:
    label = own_embedding.embedding_label(other.name)
    series[label] = results.neighbour_distances(
        cached.vocabulary(other), sample, progress.bar(place, f"{label}: comparing words …")
    )
findings = [wording.percentiles_finding(name, found) for name, found in series.items()]
for finding in findings:
    st.markdown(finding)
downloads.figure(
    st,
    charts.percentiles(
        {name: found.percentiles for name, found in series.items()}, density.PERCENTILES
    ),
    alt=" ".join(findings),
)
st.caption(wording.HOW_TO_READ_PERCENTILES)
downloads.download(
    "⬇️ Percentiles (CSV)",
    neighbours_tables.percentiles(series, density.PERCENTILES),
    "neighbour-distances.csv",
)

# -------------------------------------------------------------------------------- dense and sparse
st.subheader("The densest and the sparsest places")
left, right = st.columns(2, gap="large")
for column, title, densest in ((left, "Densest", True), (right, "Sparsest", False)):
    column.markdown(f"**{title}**")
    column.dataframe(
        neighbours_tables.by_density(distances, vocabulary, densest),
        column_config=neighbours_tables.density_columns(),
        hide_index=True,
    )
st.caption(wording.HOW_TO_READ_DENSITY)
downloads.download(
    "⬇️ All of these words (CSV)",
    partial(neighbours_tables.by_density, distances, vocabulary, True, None),
    "density.csv",
)

st.subheader("Which words stay: N_w and density")
place = st.empty()
found = results.adaptation(vocabulary, progress.bar(place, wording.FOLLOWING))
unchanged = dict(zip(("CMP", "TEM"), found.unchanged, strict=True))
st.markdown(wording.adaptation_finding(found))
downloads.figure(
    st,
    charts.unchanged_by_density(
        found.tenth,
        {name: n_w.value for name, n_w in unchanged.items()},
        tables.labels(found.word_ids, vocabulary),
    ),
    alt=wording.adaptation_finding(found),
)
st.caption(wording.how_to_read_adaptation(found))
downloads.download(
    "⬇️ N_w by density (CSV)",
    neighbours_tables.adaptation(found.word_ids, found.tenth, unchanged, vocabulary),
    "unchanged-by-density.csv",
)
