"""A round of the guessing game on a student's page: sentences of an unnamed mechanism."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.embeddings import VocabularyChoice
from mechanisms import MECHANISMS, Mechanism
from mechanisms.text import PrivateText, private_versions
from pages.learn import wording
from pages.learn.lessons import frame
from pages.shared import cached, prose
from pages.shared.fragments import fragment
from pages.shared.live import questions, student
from pages.shared.live import wording as live_wording
from pages.shared.live.rounds import STEPS, Round
from pages.shared.live.student import Option

SENTENCES = "my doctor said on monday that the movie about the river was a wonderful surprise"
VERSIONS = 4
_MOST_DRAWS = 10


@cached.resource(max_entries=200)
def public_sentences(
    mechanism: Mechanism, choice: VocabularyChoice, text: str, versions: int, seed: tuple[int, int]
) -> PrivateText:
    """Private versions of a public text by a seed, the same for every visitor."""
    rng = np.random.default_rng(seed)
    return private_versions(text, mechanism, cached.vocabulary(choice), rng, versions)


def show(here: Round) -> None:
    """Show the sentences and ask for the two guesses, without saying whether they are right."""
    st.header(wording.ROUND)
    st.markdown(wording.round_story(SENTENCES))

    def sentences() -> None:
        draw = st.session_state.get(f"draws.{here.name}", 0)
        seed = (int(here.name, 16), draw)
        private = public_sentences(here.mechanism, frame.CHOICE, SENTENCES, VERSIONS, seed)
        st.html(prose.versions_markup(private))
        st.button(wording.OTHER_DRAW, on_click=again, disabled=draw + 1 >= _MOST_DRAWS)

    def again() -> None:
        name = f"draws.{here.name}"
        st.session_state[name] = min(st.session_state.get(name, 0) + 1, _MOST_DRAWS - 1)

    fragment()(sentences)()
    of_mechanism, of_epsilon = here.keys
    names = [Option(place, prose.plain(c.name), "", False) for place, c in enumerate(MECHANISMS)]
    steps = [Option(place, f"{step:g}", "", False) for place, step in enumerate(STEPS)]
    mechanisms, epsilons = st.columns(2, gap="large")
    with mechanisms:
        st.markdown(f"**{live_wording.GUESS_MECHANISM}**")
        student.ask(of_mechanism, questions.OF_MECHANISM, live_wording.GUESS_MECHANISM, names)
    with epsilons:
        st.markdown(f"**{live_wording.GUESS_EPSILON}**")
        student.ask(of_epsilon, questions.OF_STEPS, live_wording.GUESS_EPSILON, steps, slider=True)
