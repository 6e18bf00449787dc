"""The teacher's side of a class: start it, find it again after a reload, lead it, end it.

The teacher's key is kept by the browser, so that a reload, a lost network or a restarted server
does not lose the class; it is in no link.
"""

from __future__ import annotations

import re
import sqlite3
import time
from functools import cache
from typing import Any

import streamlit as st

from pages.shared import cached, classroom, downloads, look
from pages.shared.fragments import fragment
from pages.shared.lessons import CHOICE
from pages.shared.live import questions, rounds, store
from pages.shared.live.store import Board, NoSuchClass
from pages.teach import address, board, charts, summary, wording

POLL = 0.7  # seconds until an answer is on the board
_PACES = ["", *(f"{n}.{s}" for n in range(6) for s in ("predict", "try", "check")), rounds.PACE]

_JS = """
export default function ({ data, setStateValue }) {
  const name = "wordveil-teacher";
  try {
    if (data.forget) { localStorage.removeItem(name); return; }
    if (data.code) { localStorage.setItem(name, JSON.stringify([data.code, data.key])); return; }
    const held = JSON.parse(localStorage.getItem(name));
    if (held) setStateValue("held", held);
  } catch (error) {}  // a browser that keeps nothing: the class is led from this session alone
}
"""


@cache
def _component() -> Any:
    return st.components.v2.component("wordveil_teacher", js=_JS)


def led() -> tuple[str, str] | None:
    """The code and the key of the class that this browser leads."""
    mine = st.session_state.get("teaching")
    found = _component()(
        key="teacher",
        data={
            "code": mine[0] if mine else "",
            "key": mine[1] if mine else "",
            "forget": not mine and st.session_state.get("taught", False),
        },
        default={"held": None},
        on_held_change=lambda: None,
        height=1,
    )
    if mine or st.session_state.get("taught"):
        return mine
    held = found.held
    if not (isinstance(held, list) and len(held) == 2 and all(isinstance(h, str) for h in held)):
        return None
    code, key = held
    if re.fullmatch("[A-Z]{4}", code) and store.here().is_teacher(code, key):
        st.session_state["teaching"] = (code, key)
    else:
        st.session_state["taught"] = True  # of another day: the browser forgets it
    return st.session_state.get("teaching")


def start(private: bool, epsilon: float) -> None:
    """Begin a class."""
    try:
        st.session_state["teaching"] = store.here().start(epsilon if private else None)
    except (ValueError, sqlite3.Error, OSError) as error:
        said = str(error) if isinstance(error, ValueError) else wording.UNREACHABLE
        st.session_state["class-said"] = said
        return
    st.session_state["taught"] = False
    st.session_state.pop("class-summary", None)


def _end(code: str, key: str) -> None:
    here = store.here()
    try:
        last = here.board(code, key)
        st.session_state["class-summary"] = summary.summary(last, questions.every(), today())
        here.end(code, key)
    except NoSuchClass:
        pass
    st.session_state.pop("teaching", None)
    st.session_state["taught"] = True


def today() -> str:
    """The date on a paper."""
    return time.strftime("%Y-%m-%d")


def entrance(code: str) -> None:
    """Show the code in large type, the link and its QR code, at an address that others reach."""
    machine = address.of_this_machine()
    bound = st.get_option("server.address")
    found = address.reachable(st.context.url or "", bound, machine)
    if not found:
        st.warning(wording.NO_DEVICE if machine else wording.NO_NETWORK)
        found = address.reachable(st.context.url or "", None, ["127.0.0.1"])
    chosen = found[0]
    if len(found) > 1:
        chosen = st.selectbox(wording.WHICH_ADDRESS, found, key="class-address")
    link = f"{chosen}/learn?class={code}"
    picture, text = st.columns([1, 2], vertical_alignment="center")
    if found and (code_of := classroom.qr_code(link)):
        picture.image(code_of, width="stretch", alt=f"QR code of {link}")
    text.html(f'<p style="font-size: 5rem; letter-spacing: .3em; margin: 0">{code}</p>')
    text.code(link, language=None, wrap_lines=True)
    text.caption(wording.LINK_HELP)


def lead(code: str, key: str) -> str:
    """Show the teacher's controls; returns the question on the board."""

    def set_pace() -> None:
        pace = st.session_state["class-pace"]
        try:
            if pace == rounds.PACE and not rounds.played(store.here().find(code)):
                _draw(code, key)
            store.here().set_pace(code, key, pace)
        except NoSuchClass:
            return
        st.session_state["class-question"] = _offered(code, key, pace)[0]

    def play() -> None:
        try:
            _draw(code, key)
        except NoSuchClass:
            return
        st.session_state["class-pace"] = rounds.PACE
        set_pace()

    def turn(by: int) -> None:
        at = _PACES.index(st.session_state["class-pace"])
        st.session_state["class-pace"] = _PACES[(at + by) % len(_PACES)]
        set_pace()

    if "class-pace" not in st.session_state:
        st.session_state["class-pace"] = store.here().find(code).pace
    pace, back, on, what = st.columns([4, 1, 1, 5], vertical_alignment="bottom")
    pace.selectbox(
        wording.PACE, _PACES, format_func=wording.pace, key="class-pace", on_change=set_pace
    )
    back.button("←", on_click=turn, args=(-1,), help="Previous step", width="stretch")
    on.button("→", on_click=turn, args=(1,), help="Next step", width="stretch")
    live = store.here().find(code)
    offered = _offered(code, key, st.session_state["class-pace"])
    if st.session_state.get("class-question") not in offered:
        st.session_state["class-question"] = offered[0]
    chosen = what.selectbox(
        wording.QUESTION,
        offered,
        format_func=lambda each: wording.question(
            rounds.asked(each, live) or questions.asked(each)
        ),
        key="class-question",
    )
    st.button(
        wording.another_round(len(rounds.played(live))), on_click=play, help=wording.ROUND_HELP
    )
    return chosen


def _draw(code: str, key: str) -> None:
    """Begin a round of the guessing game, with a mechanism and an ε drawn at random."""
    live = store.here().find(code)
    secret = rounds.with_another(live, lambda family: cached.epsilon_range(family, CHOICE))
    store.here().set_secret(code, key, secret)


def _offered(code: str, key: str, pace: str) -> list[str]:
    """The questions that can be on the board at a step: those of the step first."""
    now = store.here().board(code, key)
    latest_first = [k for each in reversed(rounds.played(now.live)) for k in each.keys]
    if pace == rounds.PACE and latest_first:
        return latest_first
    guessed = sorted(k for k in now.counts if k.startswith("guess."))
    return [*board.questions_of(pace, questions.every()), *guessed, *latest_first]


def show(code: str, key: str, question: str) -> None:
    """Show the board, live, in a fragment, so that nothing else runs again."""

    def shown() -> None:
        try:
            now = store.here().board(code, key)
        except NoSuchClass:
            st.session_state.pop("teaching", None)
            st.session_state["taught"] = True
            st.rerun()
        except (sqlite3.Error, OSError):
            st.caption(wording.UNREACHABLE)
            return
        _question(now, question, code, key)

    fragment(run_every=POLL)(shown)()


def _question(now: Board, key: str, code: str, teacher: str) -> None:
    look.enlarge_figures()  # a fragment runs without the page
    asked = rounds.asked(key, now.live) or questions.asked(key)
    if asked is None:
        return
    about = board.found(now, key, asked)
    stage = now.revealed.get(key, 0)

    def reveal(to: int) -> None:
        store.here().reveal(code, teacher, key, to)

    there, buttons = st.columns([3, 2], vertical_alignment="center")
    there.markdown(f"{wording.there(now)} · {wording.received(about, now.joined)}")
    with buttons.container(horizontal=True):
        if stage < 1:
            st.button(wording.SHOW, on_click=reveal, args=(1,), type="primary")
        elif stage < 2 and asked.right:
            st.button(wording.SHOW_RIGHT, on_click=reveal, args=(2,), type="primary")
        if stage:
            st.button(wording.HIDE, on_click=reveal, args=(0,))
    st.subheader(asked.title)
    if not stage:
        return
    if not about.count:
        st.info(wording.NOT_YET)
        return
    right = asked.place(asked.right) if stage == 2 and asked.right else None
    labels = list(asked.options.values())
    downloads.figure(
        st,
        charts.answers(labels, about.received, about.estimated, right),
        key=f"board.{key}",
        alt=wording.estimates(asked, about),
    )
    if about.estimated:
        st.caption(wording.HOW_TO_READ)
    if right is not None:
        st.markdown(wording.right_answer(asked, asked.right))
        common = board.commonest_mistake(about, asked, asked.right)
        st.markdown(wording.mistake(asked, common))
    st.caption(wording.rule(about))
    st.caption(wording.class_private(now))


def finish(code: str, key: str) -> None:
    """Offer the summary so far, and the end."""
    paper, end = st.columns(2)
    downloads.document(
        paper,
        wording.SUMMARY,
        lambda: summary.summary(store.here().board(code, key), questions.every(), today()),
        "wordveil-class.html",
        "text/html",
    )
    with end.popover(wording.END):
        st.markdown(wording.END_SURE)
        st.button(wording.END_NOW, on_click=_end, args=(code, key), type="primary")


def after_the_end() -> None:
    """Offer the summary of a class that has ended, as long as the page holds it."""
    if kept := st.session_state.get("class-summary"):
        st.success(wording.ENDED)
        downloads.document(
            st,
            wording.SUMMARY,
            kept,
            "wordveil-class.html",
            "text/html",
        )
