"""Settings and controls of the page Your data."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from mechanisms.cleaning import Html
from pages.shared.settings import KEPT, Setting, choice

SETTINGS: dict[str, Setting] = {
    "html": choice("decode", {html: html for html in get_args(Html)}),
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
