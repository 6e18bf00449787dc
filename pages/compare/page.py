"""One sentence under several mechanisms, side by side."""

import streamlit as st

from pages.compare import buttons, column_draws, columns, controls, figures, script, wording
from pages.compare import tables as compare_tables
from pages.shared import (
    downloads,
    ledger,
    link,
    material,
    page_end,
    prose,
    settings,
    subject,
    tables,
    terms,
    text_controls,
    vocabulary_picker,
)
from pages.shared.fragments import fragment

SAMPLE = "My doctor in London said the movie was a wonderful surprise."
MOST_CHARACTERS = 2_000

if column_draws.asked_for_perturb_page():
    st.switch_page("pages/perturb/page.py")

st.header("Which mechanism is better? Compare them")
st.markdown(wording.COMPARE_INTRODUCTION)
terms.words_here("mechanism", "epsilon", "n_w", "metric_dp", "embedding")

# --------------------------------------------------------------------------------------- controls
controls.follow_the_material(SAMPLE)
controls.own_settings_first()
typed, panel = st.columns([5, 3], gap="large")
with typed:
    of_this_page = subject.control("compare-text", SAMPLE, MOST_CHARACTERS)
    text = of_this_page.text
with panel:
    count, mode, value = controls.compare_controls()
place = st.container()
with st.expander("Versions, vocabulary, unknown words, seed"):
    left, right = st.columns(2, gap="large")
    with left:
        versions = text_controls.versions_control()
        same_noise = controls.same_noise_control()
        seed = text_controls.seed_control()
    with right:
        choice = vocabulary_picker.vocabulary_controls(place)
        unknown, case = text_controls.text_controls()
if len(text) > MOST_CHARACTERS or not text.strip():
    st.info(wording.compare_text(len(text), MOST_CHARACTERS))
    page_end.stop()
about_epsilon = st.container()
if same_noise:
    st.warning(wording.SAME_NOISE_WARNING)

# ------------------------------------------------------------------------ the columns, and their ε
progress = st.container()
boxes = st.columns(count, gap="medium")
stands = []
for number, (column, box) in enumerate(zip(columns.shown(count), boxes, strict=True), 1):
    with box:
        stands.append(columns.stand(number, column, choice, mode, value))
if mode == "epsilon" and columns.same_promise(stands):
    about_epsilon.info(wording.SAME_PROMISE)
elif mode == "epsilon":
    about_epsilon.warning(wording.UNEQUAL_EPSILON)
link.write(
    None,
    *("columns", "compare-by", *controls.SLIDERS, "common-eps", "same-noise"),
    *("versions", "unknown", "case", "seed", "compare-text"),
    *(f"column-{number}" for number in range(1, count + 1)),
)
if controls.has_own_settings():
    about_epsilon.caption(wording.own_settings(material.name()))
controls.match_column_1(stands[0], mode)
waiting = columns.waited_for(stands)


@fragment(run_every=0.7)
def filling() -> None:
    if columns.show_progress(waiting):
        st.rerun()  # the whole page once more, now with one column more


if waiting:
    with progress:
        filling()

# ------------------------------------------------------------------------------------ the sentences
draws = {}
for one, box in zip(stands, boxes, strict=True):
    with box:
        if one.mechanism is not None:
            try:
                settings = (versions, unknown, case, seed)
                drawing = columns.draw(one, stands, of_this_page, settings, same_noise)
            except ValueError as error:
                st.error(prose.plain(str(error)))
            else:
                if drawing is None:
                    st.info(wording.NOT_DRAWN)
                else:
                    draws[one.number] = drawing
                    st.markdown(wording.column_title(one.label, one.mechanism.epsilon))
                    private = drawing.private
                    st.html(prose.headline(private) + prose.versions_markup(private))
        elif one.problem:
            st.warning(one.problem)
        else:
            st.info(wording.LOOKING_FOR_EPSILON)
        buttons.buttons(one, count)
drawn = [one for one in stands if one.number in draws]
if of_this_page.waits and any(one.mechanism and one.number not in draws for one in stands):
    of_this_page.ask(versions, count)
if not drawn:
    page_end.stop()
if not any(tables.known_words(draws[one.number].private) for one in drawn):
    st.info("None of these words is in the vocabulary, so there is nothing to measure.")
    page_end.stop()

st.html(prose.legend(draws[drawn[0].number].private))
again, closer, spent, anew = st.columns([3, 3, 6, 3], vertical_alignment="center")
again.button("🎲 Draw again", on_click=column_draws.draw_columns_again, width="stretch")
ask = closer.button("🧠 Semantic closeness", help=wording.CLOSENESS_HELP, width="stretch")
spent.markdown(prose.spent(ledger.spent(of_this_page.ledger)), help=wording.COLUMN_SPENT_HELP)
anew.button(
    "↺ New count",
    on_click=ledger.start_over,
    args=(of_this_page.ledger,),
    width="stretch",
    help=prose.NEW_COUNT_HELP,
)
if seed is not None:
    st.warning(text_controls.SEEDED)

# ------------------------------------------------------------------------------ what was measured
closeness = {}
try:
    with st.spinner("The sentence encoder reads the sentences …", show_time=True):
        for one in drawn:
            closeness[one.number] = column_draws.closeness(text, draws[one.number].private, ask)
except ChildProcessError as error:
    st.error(prose.plain(str(error)))
st.subheader("What is left, and what is promised")
st.table(compare_tables.compared(drawn, draws, closeness))
st.caption(wording.HOW_MEASURED)

rows = compare_tables.compared_versions(drawn, draws, closeness)
source = script.compare(
    text, seed, column_draws.column_roll(), *(versions, unknown, case), drawn, draws
)
table, python = st.columns(2)
downloads.download("⬇️ All of this (CSV)", rows, "comparison.csv", table, of_texts=True)
downloads.document(
    python,
    "⬇️ As a Python script",
    source,
    "compare.py",
    "text/x-python",
    disabled=not source,
    help=wording.script_help(seed is not None, source),
    width="stretch",
)
st.caption(wording.TABLE_IS_PRIVATE)

# ----------------------------------------------------------------------------------- sampled words
st.subheader("Words of the vocabulary at these ε")
figures.histograms(stands, st.columns(count, gap="medium"))
st.caption(wording.HOW_TO_READ_SPREAD)

st.subheader("Privacy against usefulness, over all ε")
figures.over_all_epsilon(stands, 1 - value if mode == "privacy" else None)
