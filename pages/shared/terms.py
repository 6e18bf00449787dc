"""The glossary on every page: help at controls, the words of a page, and its papers at the foot.

A page names its terms by key (`data.glossary`) before their first use. Whatever is explained or
cited during a run of the page has its papers listed once at the foot, by `at_the_foot`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial

import streamlit as st

from data import glossary
from data.glossary import Paper, Term
from mechanisms import MECHANISMS, Mechanism
from mechanisms.base import Parameter
from pages.shared import page_end
from pages.shared.panels import panel
from pages.shared.prose import plain

WORDS_HERE = "Words on this page"
PAPERS = "Papers"


# The papers that the page has cited so far, by their keys; None outside of a page.
_cited: ContextVar[set[str] | None] = ContextVar("cited", default=None)


def cite(*keys: str) -> None:
    """Have these papers listed at the foot of the page."""
    if (cited := _cited.get()) is not None:
        cited.update(keys)


def words_here(*keys: str) -> None:
    """A closed panel that explains these terms, for the place before their first use."""
    found = [glossary.terms()[key] for key in keys]
    cite(*(paper for term in found for paper in term.papers))
    title = f"{WORDS_HERE}: {', '.join(plain(term.short) for term in found)}"
    panel(title, "words-here", partial(_words, found))


def _words(found: Sequence[Term]) -> None:
    for term in found:
        st.markdown(f"**{plain(term.title)}.** {plain(term.school)}")
    st.page_link(
        "pages/glossary/page.py", label="All terms, each also as a researcher would define it →"
    )


def explained(*keys: str) -> str:
    """The school sentences of these terms, as help at a control."""
    return "\n\n".join(plain(glossary.terms()[key].school) for key in keys)


def of_symbol(sign: str) -> str:
    """The school sentence of a sign such as γ, as help at a control; empty if there is none."""
    term = glossary.symbol(sign)
    return plain(term.school) if term else ""


def meaning(declared: Parameter) -> str:
    """The help at a parameter's control: its term, what it is here, and its limits."""
    sentence = declared.meaning[0].upper() + declared.meaning[1:] + "."
    limits = f" It must be {declared.limits}." if declared.limits else ""
    return f"{of_symbol(declared.symbol)}\n\n{sentence}{limits}".strip()


def card(cls: type[Mechanism]) -> str:
    """The one-line card of a mechanism, and its papers to the foot; empty if it has no entry."""
    term = glossary.mechanism(cls.name)
    if term is None:
        return ""
    cite(*term.papers)
    return plain(term.school)


@cache
def all_cards() -> str:
    """The cards of all mechanisms, as help at the picker."""
    entries = (glossary.mechanism(cls.name) for cls in MECHANISMS)
    return "\n\n".join(f"**{plain(t.name)}.** {plain(t.school)}" for t in entries if t)


def entry(term: Term) -> str:
    """A term with both sentences and its papers, as it is in the glossary."""
    papers = ", ".join(_linked(paper, paper.cited) for paper in glossary.cited(term.papers))
    lines = [f"**{plain(term.title)}**", plain(term.school), f"*{plain(term.researcher)}*"]
    return "\n\n".join(lines) + (f" {papers}" if papers else "")


def reference(paper: Paper) -> str:
    """A paper as it is in the bibliography, its title a link to its DOI."""
    authors = ", ".join(paper.authors)
    return f"{plain(authors)}. {_linked(paper, paper.title)}. {plain(paper.venue)} {paper.year}."


@contextmanager
def at_the_foot() -> Iterator[None]:
    """List the papers that are cited in this block below it, also if it ends early or fails."""
    cited: set[str] = set()
    token = _cited.set(cited)
    try:
        with page_end.then(partial(_papers, cited)):
            yield
    finally:
        _cited.reset(token)


def _papers(cited: set[str]) -> None:
    if cited:
        listed = "\n".join(f"- {reference(paper)}" for paper in glossary.cited(cited))
        st.caption(f"**{PAPERS}**\n\n{listed}")


def _linked(paper: Paper, text: str) -> str:
    return f"[{plain(text)}]({paper.address})"
