"""A live class on a student's page: join, show the bar, ask, and pass answers on.

The browser makes the student's token, tosses the coin and keeps the answers. The server gets the
token and the report, which with private answers is the noisy one.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from pages.shared.fragments import fragment
from pages.shared.live import store, wording
from pages.shared.live.questions import Asked
from pages.shared.live.store import LiveClass

POLL = 2.0  # seconds until a student's page sees the teacher's next step

_HERE = Path(__file__).parent


class Option(NamedTuple):
    """One option of a question on a student's screen."""

    place: int
    """Its number for the whole class."""
    label: str
    feedback: str
    """The sentence in the browser after it is chosen; empty for a prediction."""
    right: bool


@cache
def _component() -> Any:
    return st.components.v2.component(
        "wordveil_class",
        html='<div class="question"></div>',
        css=(_HERE / "question.css").read_text(encoding="utf-8"),
        js=(_HERE / "question.js").read_text(encoding="utf-8"),
    )


def take_code(code: str) -> None:
    """Remember the class that a link names; it is looked up when the page attends."""
    if code and code != st.session_state.get("class-code"):
        _forget()
        st.session_state["class-code"] = code[:8]


def code() -> str:
    """The code of this visitor's class; empty without one."""
    return st.session_state.get("class-code", "")


def live() -> LiveClass | None:
    """The class of this visitor, once it is joined."""
    return st.session_state.get("class-live")


def leave() -> None:
    """Leave the class, on this page; its answers stay counted."""
    _forget()


def _forget() -> None:
    for name in ("class-code", "class-live", "class-answered", "class-student"):
        st.session_state.pop(name, None)


def attend() -> None:
    """Show the class's bar, and follow the teacher; without a class, nothing."""
    if said := st.session_state.pop("class-said", ""):
        st.warning(said)
    if code():
        fragment(run_every=POLL)(_bar)()


def way_in() -> None:
    """Show a box for the code, for students without a link."""
    if live() is not None:
        st.button(wording.LEAVE, on_click=leave)
        return
    st.text_input(
        wording.CODE,
        key="class-typed",
        max_chars=8,
        help=wording.JOIN_HELP,
        on_change=lambda: take_code(st.session_state["class-typed"].strip()),
    )


def _bar() -> None:
    found = _component()(
        key="class-member",
        data={"code": code().upper(), "student": st.session_state.get("class-student")},
        default={"student": None},
        on_student_change=lambda: None,
        height=1,
    )
    if _is_token(found.student):
        st.session_state["class-student"] = found.student
    token = st.session_state.get("class-student")
    if token is None:
        st.caption(wording.JOINING)
        return
    before = live()
    try:
        now = _joined(token) if before is None else store.here().seen(before.code, token)
    except ValueError as error:  # ended, unknown, full, or too many wrong codes
        _forget()
        st.session_state["class-said"] = str(error)
        st.rerun()
    except (sqlite3.Error, OSError):
        st.caption(wording.UNREACHABLE)
        return
    st.session_state["class-live"] = now
    if now != before:
        st.rerun()
    st.caption(wording.bar(now, len(_answered())))


def _joined(token: str) -> LiveClass:
    """The class of the code: looked up, unless this student is in it already."""
    here = store.here()
    wanted = "".join(code().split()).upper()
    if not here.has(wanted, token):
        here.look_up(wanted, _address())
    joined = here.join(wanted, token)
    st.session_state["class-code"] = joined.code
    st.session_state["class-answered"] = set(here.answered(joined.code, token))
    return joined


def _address() -> str:
    """The visitor's address; behind a proxy on this machine, the one that the proxy names."""
    return str(st.context.ip_address or st.context.headers.get("X-Real-IP", ""))


def _is_token(found: object) -> bool:
    return isinstance(found, str) and re.fullmatch("[0-9a-f]{32}", found) is not None


def _answered() -> set[str]:
    return st.session_state.setdefault("class-answered", set())


def ask(
    key: str, asked: Asked, legend: str, options: Sequence[Option], slider: bool = False
) -> None:
    """Ask a question of the class, in a separate fragment: an answer runs nothing else again.

    `key` names the question for the whole class; `legend` is its name for a screen reader. On a
    slider that was not touched, nothing is chosen.
    """
    here = live()
    if here is None:
        return
    count = len(asked.options)
    shown = f"{key}{here.code}{zlib.crc32(repr((legend, options)).encode())}"

    def question() -> None:
        found = _component()(
            key=f"class.{here.code}.{key}",
            data={
                "code": here.code,
                "question": key,
                "received": key in _answered(),
                "shown": shown,
                "legend": legend,
                "count": count,
                "keep": here.coin(count).keep,
                "commit": wording.COMMIT,
                "slider": slider,
                "untouched": wording.UNTOUCHED,
                "sent": wording.sent(here),
                "options": [option._asdict() for option in options],
            },
            default={"report": None},
            on_report_change=lambda: None,
        )
        receive(here, key, count, found.report)

    fragment()(question)()


def receive(here: LiveClass, key: str, count: int, found: object) -> None:
    """Put a report of the browser on the board; anything else is ignored."""
    if not isinstance(found, dict) or key in _answered():
        return
    student, report = found.get("student"), found.get("report")
    if found.get("question") != key or not _is_token(student):
        return
    if not isinstance(report, int | float) or report not in range(count):
        return
    try:
        store.here().answer(here.code, student, key, int(report))
    except (ValueError, sqlite3.Error, OSError):  # the browser has it, and sends it again
        st.caption(wording.UNREACHABLE)
        return
    _answered().add(key)
