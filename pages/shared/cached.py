"""What is computed once for all sessions: the only `st.cache_*` of the project.

`data` and `resource` keep the results of a page's own functions, in the page's folder; here are
those that several pages ask for.

Keys are small and public: a mechanism or its family, the name of a vocabulary. Text that a visitor
types, and word ids that come from it, never enter here. What is about a visitor's own embedding is
kept in that visitor's session, by the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import streamlit as st
from threadpoolctl import threadpool_limits

from data.embeddings import VocabularyChoice
from measures.words import deniability, targets
from mechanisms import Family, Mechanism, Vocabulary
from mechanisms.vocabulary import Floats

# Every session has a thread of its own. Matrix products that each want all cores make each other
# wait many times longer than they compute; one core each does not.
threadpool_limits(1, user_api="blas")

# A vocabulary is a small key: the identity of its embedding, its size, whether words only.
_KEY = {VocabularyChoice: lambda choice: choice.identity}

# In the session: what is about its own embedding or corpus, by function and arguments.
_OWN = "own_answers"

Ask = TypeVar("Ask", bound=Callable[..., Any])


def data(max_entries: int, show_spinner: str | bool = False) -> Callable[[Ask], Ask]:
    """Keep results for all sessions, a copy each; those about an own embedding, in the session."""
    return _kept(st.cache_data, max_entries, show_spinner)


def resource(max_entries: int, show_spinner: str | bool = False) -> Callable[[Ask], Ask]:
    """As `data`, for results that nobody changes: all sessions share one."""
    return _kept(st.cache_resource, max_entries, show_spinner)


def forget() -> None:
    """Let go of what this session keeps about its own embedding or corpus."""
    st.session_state.pop(_OWN, None)


def _kept(cache: Any, max_entries: int, show_spinner: str | bool) -> Callable[[Ask], Ask]:
    def keep(compute: Ask) -> Ask:
        for_all = cache(max_entries=max_entries, show_spinner=show_spinner, hash_funcs=_KEY)(
            compute
        )

        @wraps(compute)
        def ask(*arguments: Any) -> Any:
            choices = [each for each in arguments if isinstance(each, VocabularyChoice)]
            if all(choice.public for choice in choices):
                return for_all(*arguments)
            name = f"{compute.__module__}.{compute.__name__}"
            kept = st.session_state.setdefault(_OWN, {}).setdefault(name, {})
            if arguments not in kept:
                result = compute(*arguments)
                while len(kept) >= max_entries:
                    kept.pop(next(iter(kept)))
                kept[arguments] = result
            return kept[arguments]

        return ask

    return keep


@resource(max_entries=3, show_spinner="Reading the vocabulary …")
def vocabulary(choice: VocabularyChoice) -> Vocabulary:
    """The vocabulary, shared and read-only."""
    return choice.load()


@data(max_entries=20)
def vocabulary_notes(choice: VocabularyChoice) -> str:
    """What a reader should know of this vocabulary: a sentence, or none."""
    return choice.notes()


@resource(max_entries=200, show_spinner="Finding the range of ε for this mechanism …")
def epsilon_range(family: Family[Mechanism], choice: VocabularyChoice) -> targets.EpsilonRange:
    """From where to where ε makes a difference for this family on this vocabulary."""
    return targets.epsilon_range(family, vocabulary(choice))


@data(max_entries=200)
def epsilon_grid(family: Family[Mechanism], choice: VocabularyChoice, points: int = 49) -> Floats:
    """The ε of that range at which a family's curves are computed."""
    ends = epsilon_range(family, choice)
    return deniability.epsilon_grid(family, vocabulary(choice), ends.low, ends.high, points)
