"""A sentence, made private, live."""

from functools import partial

import streamlit as st

from measures.words import odds
from mechanisms.composition import document_promise
from pages.perturb import beside, controls, dissolving, drawing, one_word, spread_bar, wording
from pages.perturb import tables as perturb_tables
from pages.shared import (
    cached,
    classroom,
    dissolve_charts,
    downloads,
    draws,
    ledger,
    link,
    material,
    mechanism_picker,
    prose,
    tables,
    terms,
    text_controls,
    vocabulary_picker,
)
from pages.shared.settings import KEPT, kept

MOST_CHARACTERS = 20_000

st.html(prose.STYLE + spread_bar.STYLE)
for problem in link.read(may_hide=True):
    st.warning(f"This link: {problem}")

st.header("Private sentences")
st.session_state.setdefault("text", material.EXAMPLE)
text = st.text_area("Your text", key="text", height=96, help=material.KEPT_FOR, **KEPT)

# ---------------------------------------------- the four choices, and behind a panel all others
choices = st.container(key="choices", horizontal=True, vertical_alignment="top")
result = st.container()  # on a phone the notes come last, so that ε is beside the sentences
notes, stage = result.container(key="notes", gap="small"), result.container()
rest = st.container()
with rest.expander("Embedding, versions, unknown words, letter case, seed"):
    left, right = st.columns(2, gap="large")
    with left:
        choice = vocabulary_picker.vocabulary_controls(stage)
    with right:
        versions = st.slider("Private versions", 1, 20, key="versions", **kept("versions"))
        unknown, case = text_controls.text_controls()
        seed = text_controls.seed_control()
with choices:
    mechanism = mechanism_picker.mechanism_controls(choice, stage, notes)
link.write(mechanism, "versions", "beside", "unknown", "case", "seed", "text")
vocabulary = cached.vocabulary(choice)

# -------------------------------------------------------------------------------- private versions
with stage:
    if len(text) > MOST_CHARACTERS:
        st.warning(
            f"This text has {len(text):,} characters; this page takes at most "
            f"{MOST_CHARACTERS:,}. Shorten it to see private versions of it."
        )
        st.stop()
    if not text.strip():
        st.info("Type a sentence above, and its private versions appear here.")
        st.stop()
    try:
        private = drawing.versions(text, mechanism, vocabulary, versions, unknown, case, seed)
        with notes:
            controls.in_force(mechanism, choice)
    except ValueError as error:
        st.error(classroom.told(error))
        st.stop()

    plain = beside.control(mechanism)
    if plain is None:
        st.html(prose.headline(private))
        st.html(prose.versions_markup(private))
    else:
        other = drawing.versions(text, plain, vocabulary, versions, unknown, case, seed)
        beside.show((mechanism, private), (plain, other))
    st.html(prose.legend(private))
    if not classroom.hidden():
        st.markdown(prose.promise_in_words(mechanism.guarantee(vocabulary)))

    again, table, spent, anew = st.columns([3, 3, 6, 3], vertical_alignment="center")
    again.button("🎲 Draw again", on_click=draws.draw_again, width="stretch")
    downloads.download(
        "⬇️ Table (CSV)",
        partial(perturb_tables.versions, private, None if classroom.hidden() else mechanism),
        "private-versions.csv",
        table,
        of_texts=True,
    )
    account = spent.empty()
    account.markdown(
        classroom.unless_hidden(prose.spent(ledger.spent(text))), help=prose.SPENT_HELP
    )
    anew.button(
        "↺ New count",
        on_click=ledger.start_over,
        args=(text,),
        width="stretch",
        help=prose.NEW_COUNT_HELP,
    )
    if seed is not None:
        st.warning(
            "These versions were drawn with a seed, for demonstration only: anyone who knows the "
            "seed can undo them."
        )
    if classroom.hidden():
        classroom.guess(mechanism)
        st.stop()

# ------------------------------------------------------------------------------------ word by word
known = tables.known_words(private)
if not known:
    st.info(wording.NOTHING_KNOWN)
    st.stop()

# -------------------------------------------------------------------------- the sentence over all ε
with stage:
    if st.toggle(
        "Show the sentence over all ε", key="dissolve", help=wording.DISSOLVE_HELP, **KEPT
    ):
        try:
            with st.spinner("Drawing the sentence over all ε …"):
                dissolved = dissolving.dissolve(private, mechanism.family(), choice, seed, text)
        except ValueError as error:
            st.error(prose.plain(str(error)))
        else:
            account.markdown(prose.spent(ledger.spent(text)), help=prose.SPENT_HELP)
            finding = wording.dissolve_finding(dissolved, mechanism.epsilon)
            drawn = dissolving.drawn_tokens(private)
            st.warning(wording.dissolve_warning(dissolved))
            st.markdown(f"**{finding}**")
            st.markdown(wording.dissolve_sentence(dissolved, vocabulary, mechanism.epsilon))
            downloads.figure(
                st,
                dissolve_charts.dissolve(
                    dissolved,
                    *perturb_tables.dissolve_labels(dissolved, drawn, vocabulary),
                    mechanism.epsilon,
                ),
                key="dissolve_figure",
                alt=finding,
            )
            st.caption(prose.HOW_TO_READ_DISSOLVE)
            st.caption(wording.dissolve_scope(mechanism, dissolved, len(drawn)))
            st.button("🎲 Another draw over all ε", on_click=dissolving.other_dissolution)

terms.words_here("token", "mechanism", "epsilon", "gamma", "embedding", "vocabulary", "metric_dp")
rarest = max(known.values())
guarantee = mechanism.guarantee(vocabulary)

closer, promise = st.columns(2, gap="large")
with closer:
    st.subheader("Word by word")
    if st.session_state.get("word") not in known:
        st.session_state["word"] = vocabulary.words[rarest]
    word = st.selectbox("Look closer at", list(known), key="word")
    result = one_word.replacements(mechanism, vocabulary, known[word])
    spread = one_word.spread(mechanism, vocabulary, known[word])
    st.markdown(wording.stays(word, result))
    st.html(spread_bar.markup(wording.parts(spread), wording.spread_source(spread)))
    st.dataframe(
        perturb_tables.replacements(result, vocabulary),
        column_config=perturb_tables.replacement_columns(result),
        hide_index=True,
        width="stretch",
    )
    st.caption(wording.how_to_read_replacements(result))

with promise:
    st.subheader("What is promised")
    st.markdown(prose.guarantee(mechanism, guarantee))
    word_ids = [token.word_id for token in dissolving.drawn_tokens(private)]
    drawn_count = dissolving.drawn_count(private)
    st.markdown(wording.sentence_promise(document_promise(guarantee, drawn_count)))
    if len(known) > 1:
        pair = odds.closest_pair(vocabulary, list(known.values()))
        names = {word_id: name for name, word_id in known.items()}
        one, two = st.columns(2)
        first = one.selectbox(
            "Odds of this word",
            list(known),
            index=list(known).index(names[pair[0]]),
            key="odds_word",
        )
        second = two.selectbox(
            "against this word",
            list(known),
            index=list(known).index(names[pair[1]]),
            key="odds_other",
        )
        places = word_ids.count(known[first])
        swap = odds.swap(guarantee, vocabulary, known[first], known[second], places)
        st.markdown(wording.odds(swap, vocabulary))
        swap = odds.swap(guarantee, vocabulary, known[first], vocabulary.unknown_id, places)
        st.markdown(wording.known_or_unknown(swap, vocabulary))
    swaps = odds.neighbouring_sentence(guarantee, vocabulary, word_ids)
    st.markdown(wording.sentence_odds(swaps, vocabulary))
