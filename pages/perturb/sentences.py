"""The private versions of a text, what they are promised, and the text over all ε."""

from __future__ import annotations

from functools import partial

import streamlit as st

from data.embeddings import VocabularyChoice
from mechanisms import Mechanism
from mechanisms.text import Case
from pages.perturb import beside, dissolving, tables, wording
from pages.shared import (
    classroom_wording,
    dissolve_charts,
    downloads,
    draws,
    ledger,
    prose,
)
from pages.shared.settings import KEPT


def show(asked: draws.Asked, shown: Mechanism | None, case: Case) -> None:
    """Show the versions that are asked for, fresh ones or those of before, and their promise.

    `shown` is their mechanism, None if a teacher's link hides it or its ε.
    """
    private = draws.draw(asked, case)
    plain = beside.control(shown)
    if plain is None:
        markup = (prose.headline, prose.versions_markup, prose.legend)
        st.html("".join(show(private) for show in markup))
    else:
        other = draws.draw(asked._replace(mechanism=plain), case)
        beside.show((asked.mechanism, private), (plain, other))
        st.html(prose.legend(private))
    if shown is not None:
        st.markdown(prose.promise_in_words(shown.guarantee(asked.vocabulary)))


def buttons() -> None:
    """Draw again, and a new count."""
    with st.container(horizontal=True):
        st.button("🎲 Draw again", on_click=draws.draw_again)
        st.button("↺ New count", on_click=_new_count, help=prose.NEW_COUNT_HELP)


def _new_count() -> None:
    ledger.start_over(st.session_state["text"])


def account(asked: draws.Asked, shown: Mechanism | None, case: Case) -> None:
    """Show what all draws of this text have spent so far, and offer the versions as a table."""
    said = prose.spent(ledger.spent(asked.text)) if shown else classroom_wording.HIDDEN_SPENT
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(said, help=prose.SPENT_HELP)
        downloads.download(
            "⬇️ Table (CSV)",
            partial(tables.versions, draws.draw(asked, case), shown),
            "private-versions.csv",
            of_texts=True,
        )


def wanted_over_all_epsilon() -> bool:
    """Choose whether the sentence is shown over all ε."""
    return st.toggle(
        "Show the sentence over all ε", key="dissolve", help=wording.DISSOLVE_HELP, **KEPT
    )


def over_all_epsilon(asked: draws.Asked, case: Case, choice: VocabularyChoice) -> None:
    """Show the words of the text over all ε; their draws join the account."""
    private, mechanism = draws.draw(asked, case), asked.mechanism
    try:
        with st.spinner("Drawing the sentence over all ε …"):
            dissolved = dissolving.dissolve(
                private, mechanism.family(), choice, asked.seed, asked.text
            )
    except ValueError as error:
        st.error(prose.plain(str(error)))
        return
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
