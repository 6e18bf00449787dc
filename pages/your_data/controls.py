"""Settings and controls of the page Your data."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from mechanisms import Mechanism, typed_numbers
from mechanisms.base_measure import OWN, source_of_q
from mechanisms.cleaning import Html
from pages.shared import own_corpus
from pages.shared.settings import KEPT, Setting, choice
from release.demands import MEANINGS, Demands, Key, rule
from release.q_corpus import QCorpus

_NONE = "none"


def unit(key: Key) -> float:
    """The value as typed of a demand of 1: shares are typed in percent."""
    return 100.0 if MEANINGS[key].share else 1.0


def _demand(key: Key) -> Setting:
    """A demand, as typed in the session, in the link as by command; none if it is left out."""
    first = Demands().made().get(key)
    default = None if first is None else first * unit(key)

    def read(text: str) -> float | None:
        if text == _NONE:
            return None
        value = typed_numbers.real(text)
        try:
            Demands(**{key: value})
        except ValueError:
            raise ValueError(f"{rule(key)}, or {_NONE}") from None
        return round(value * unit(key), 9)

    def write(value: float | None) -> str:
        if value == default:
            return ""
        return _NONE if value is None else f"{value / unit(key):.9g}"

    return Setting(default, read, write)


SETTINGS: dict[str, Setting] = {
    "html": choice("decode", {html: html for html in get_args(Html)}),
    **{key: _demand(key) for key in MEANINGS},
}


def html_control() -> Html:
    """Choose what happens to tags and entities of HTML."""
    explained = {
        "decode": "decode entities, leave tags out",
        "drop": "leave both out",
        "keep": "keep them: not protected",
    }
    return st.selectbox(
        "HTML in the texts",
        list(explained),
        format_func=lambda option: explained[option],
        key="html",
        help="Such as `<br />` and `&amp;`. If they are kept, they are released as typed, with "
        "their attributes.",
        **KEPT,
    )


def q_corpus(mechanism: Mechanism) -> QCorpus | None:
    """The corpus of q of a release; None if q is not counted on one."""
    corpus = own_corpus.held()
    if corpus is None or source_of_q(mechanism) != OWN:
        return None
    return QCorpus(corpus.name, corpus.column, corpus.sha256)
