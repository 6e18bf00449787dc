"""The private versions of a text, what they are promised, and the text over all ε."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.embeddings import VocabularyChoice
from mechanisms import Mechanism
from mechanisms.text import Case, PrivateText
from pages.perturb import beside, dissolving, tables, wording
from pages.shared import (
    classroom_wording,
    dissolve_charts,
    downloads,
    draws,
    ledger,
    prose,
    text_controls,
)
from pages.shared import tables as shared_tables
from pages.shared.settings import KEPT


def show(asked: draws.Asked, shown: Mechanism | None, case: Case, choice: VocabularyChoice) -> None:
    """Show the versions that are asked for, fresh ones or those of before.

    `shown` is their mechanism, None if a teacher's link hides it or its ε.
    """
    private = draws.draw(asked, case)
    plain = beside.control(shown)
    if plain is None:
        st.html(prose.headline(private))
        st.html(prose.versions_markup(private))
    else:
        other = draws.draw(asked._replace(mechanism=plain), case)
        beside.show((asked.mechanism, private), (plain, other))
    st.html(prose.legend(private))
    if shown is not None:
        st.markdown(prose.promise_in_words(shown.guarantee(asked.vocabulary)))
    account = _buttons(asked, shown, private)
    if asked.seed is not None:
        st.warning(text_controls.SEEDED)
    if shown is not None and shared_tables.known_words(private):
        _over_all_epsilon(asked, private, choice, account)


def _buttons(asked: draws.Asked, shown: Mechanism | None, private: PrivateText) -> DeltaGenerator:
    """Draw again, the table, a new count, and below them the account, whose place is returned."""
    with st.container(horizontal=True):
        st.button("🎲 Draw again", on_click=draws.draw_again)
        downloads.download(
            "⬇️ Table (CSV)",
            partial(tables.versions, private, shown),
            "private-versions.csv",
            of_texts=True,
        )
        st.button(
            "↺ New count",
            on_click=ledger.start_over,
            args=(asked.text,),
            help=prose.NEW_COUNT_HELP,
        )
    account = st.empty()
    spent_so_far = prose.spent(ledger.spent(asked.text))
    account.markdown(
        classroom_wording.HIDDEN_SPENT if shown is None else spent_so_far, help=prose.SPENT_HELP
    )
    return account


def _over_all_epsilon(
    asked: draws.Asked, private: PrivateText, choice: VocabularyChoice, account: DeltaGenerator
) -> None:
    """The sentence over all ε, if it is asked for; its draws join the account."""
    if not st.toggle(
        "Show the sentence over all ε", key="dissolve", help=wording.DISSOLVE_HELP, **KEPT
    ):
        return
    mechanism: Mechanism = asked.mechanism
    try:
        with st.spinner("Drawing the sentence over all ε …"):
            dissolved = dissolving.dissolve(
                private, mechanism.family(), choice, asked.seed, asked.text
            )
    except ValueError as error:
        st.error(prose.plain(str(error)))
        return
    account.markdown(prose.spent(ledger.spent(asked.text)), help=prose.SPENT_HELP)
    finding = wording.dissolve_finding(dissolved, mechanism.epsilon)
    drawn = dissolving.drawn_tokens(private)
    st.warning(wording.dissolve_warning(dissolved))
    st.markdown(f"**{finding}**")
    st.markdown(wording.dissolve_sentence(dissolved, asked.vocabulary, mechanism.epsilon))
    downloads.figure(
        st,
        dissolve_charts.dissolve(
            dissolved,
            *tables.dissolve_labels(dissolved, drawn, asked.vocabulary),
            mechanism.epsilon,
        ),
        key="dissolve_figure",
        alt=finding,
    )
    st.caption(prose.HOW_TO_READ_DISSOLVE)
    st.caption(wording.dissolve_scope(mechanism, dissolved, len(drawn)))
    st.button("🎲 Another draw over all ε", on_click=dissolving.other_dissolution)
