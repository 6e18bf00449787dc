"""One word of the text looked at closer, and what the text is promised."""

from __future__ import annotations

import streamlit as st

from measures.words import odds
from mechanisms import Guarantee, Mechanism, Vocabulary
from mechanisms.composition import document_promise
from mechanisms.text import PrivateText
from pages.perturb import dissolving, one_word, spread_bar, tables, wording
from pages.shared import prose
from pages.shared import tables as shared_tables


def show(private: PrivateText, mechanism: Mechanism) -> None:
    """Show both side by side."""
    known = shared_tables.known_words(private)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Word by word")
        _one_word(known, mechanism, private.vocabulary)
    with right:
        st.subheader("What is promised")
        _promise(known, mechanism, private)


def _one_word(known: dict[str, int], mechanism: Mechanism, vocabulary: Vocabulary) -> None:
    """What a word becomes, and where its probability goes; at first the rarest word."""
    if st.session_state.get("word") not in known:
        st.session_state["word"] = vocabulary.words[max(known.values())]
    word = st.selectbox("Look closer at", list(known), key="word")
    result = one_word.replacements(mechanism, vocabulary, known[word])
    spread = one_word.spread(mechanism, vocabulary, known[word])
    st.markdown(wording.stays(word, result))
    st.html(
        spread_bar.STYLE + spread_bar.markup(wording.parts(spread), wording.spread_source(spread))
    )
    st.dataframe(
        tables.replacements(result, vocabulary),
        column_config=tables.replacement_columns(result),
        hide_index=True,
        width="stretch",
    )
    st.caption(wording.how_to_read_replacements(result))


def _promise(known: dict[str, int], mechanism: Mechanism, private: PrivateText) -> None:
    """What a word and the whole text are promised."""
    vocabulary = private.vocabulary
    guarantee = mechanism.guarantee(vocabulary)
    st.markdown(prose.guarantee(mechanism, guarantee))
    word_ids = [token.word_id for token in dissolving.drawn_tokens(private)]
    st.markdown(
        wording.sentence_promise(document_promise(guarantee, dissolving.drawn_count(private)))
    )
    if len(known) > 1:
        _odds(known, guarantee, vocabulary, word_ids)
    swaps = odds.neighbouring_sentence(guarantee, vocabulary, word_ids)
    st.markdown(wording.sentence_odds(swaps, vocabulary))


def _odds(
    known: dict[str, int], guarantee: Guarantee, vocabulary: Vocabulary, word_ids: list[int | None]
) -> None:
    """What the outcome says of one word against another; at first the two closest."""
    pair = odds.closest_pair(vocabulary, list(known.values()))
    names = {word_id: name for name, word_id in known.items()}
    one, two = st.columns(2)
    first = one.selectbox(
        "Odds of this word", list(known), index=list(known).index(names[pair[0]]), key="odds_word"
    )
    second = two.selectbox(
        "against this word", list(known), index=list(known).index(names[pair[1]]), key="odds_other"
    )
    places = word_ids.count(known[first])
    swap = odds.swap(guarantee, vocabulary, known[first], known[second], places)
    st.markdown(wording.odds(swap, vocabulary))
    swap = odds.swap(guarantee, vocabulary, known[first], vocabulary.unknown_id, places)
    st.markdown(wording.known_or_unknown(swap, vocabulary))
