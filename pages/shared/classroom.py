"""What a link of a teacher does to the screen, and the panel that makes one.

`lock` disables controls, `hide` keeps values off the screen. Hidden values stand in the link as
one `sealed` word, together with what is locked and hidden. All of it is for a lesson, not for
security: who wants to can unpack the seal.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

import segno
import streamlit as st

from mechanisms import Mechanism
from pages.shared import classroom_wording as wording
from pages.shared import page_end, prose
from pages.shared.live import guessing, student
from pages.shared.seal import seal, unseal

LOCKABLE = ("mechanism", "parameters", "eps", "vocabulary", "versions", "unknown", "case", "seed")

# The lock of a control, by its key; that of a parameter's control follows from the parameter.
LOCKS = {
    **{name: name for name in ("mechanism", "versions", "unknown", "case", "seed")},
    **dict.fromkeys(("embedding", "size", "tokens"), "vocabulary"),
}
HIDEABLE = ("eps", "mechanism")

# What a visitor types, by the name of its box: in the link only where the visitor ticks it.
TEXTS = ("text", "compare-text")
MOST_CHARACTERS = 2_000

# The panel's own switches.
OPTIONS = ("text-in-link", "projector-in-link", "share-lock", "share-hide")

# What stays in sight where the mechanism is hidden; all its parameters would tell it.
_OPEN = (
    "embedding",
    "size",
    "tokens",
    "projector",
    "versions",
    "unknown",
    "case",
    "seed",
    "lesson",
    "step",
    "class",
)


# The pages that keep what is hidden, by their addresses; all others are not shown.
_KEEPING = ("", "learn", "glossary", "perturb")


# ----------------------------------------------------------------------------------- the link


def take(query: dict[str, str]) -> list[str]:
    """Take out of a query what is sealed, locked, hidden or typed; what is wrong, in sentences.

    What was sealed is put into the query.
    """
    problems = []
    student.take_code(query.pop("class", ""))
    if sealed := query.pop("sealed", ""):
        try:
            query.update(unseal(sealed))
        except ValueError as error:
            problems.append(f"ignored sealed={_quoted(sealed)}: the seal {error}.")
    for name, offered in (("lock", LOCKABLE), ("hide", HIDEABLE)):
        text = query.pop(name, "")
        asked = offered if name == "lock" and text == "1" else tuple(filter(None, text.split(",")))
        if unknown := [each for each in asked if each not in offered]:
            names = f"names out of {', '.join(offered)}"
            allowed = f"1 or {names}" if name == "lock" else names
            problems.append(
                f"ignored {name}={_quoted(text)}: {name} must be {allowed}; "
                f"{_quoted(unknown[0])} is not one of them."
            )
        st.session_state[f"{name}.names"] = [each for each in offered if each in asked]
    st.session_state["text-in-link"] = False
    for name in TEXTS:
        if name in query:
            typed = query.pop(name)
            if len(typed) > MOST_CHARACTERS:
                problems.append(
                    f"ignored {name}: a text in a link has at most {MOST_CHARACTERS:,} characters; "
                    f"this one has {len(typed):,}."
                )
            else:
                st.session_state[name] = typed
                st.session_state["text-in-link"] = True
    return problems


def put(link: dict[str, str], text_box: str | None, restricts: bool = True) -> dict[str, str]:
    """The link as it is in the address: with the text where it is ticked, hidden values sealed.

    `text_box` names the box of the page's text, None if it has none; `restricts` says whether
    the page has controls that a link can lock and values that it can hide.
    """
    st.session_state["share-restricts"] = restricts
    st.session_state["text-box"] = text_box
    typed = st.session_state.get(text_box, "") if text_box else ""
    if typed and len(typed) <= MOST_CHARACTERS and st.session_state.get("text-in-link"):
        link = {**link, str(text_box): typed}
    if student.code():
        link = {**link, "class": student.code()}  # a reload comes back to the class
    return restricted(link, locked_names(), hidden())


def is_teachers(query: Mapping[str, str]) -> bool:
    """Whether a link locks or hides."""
    return bool(query.keys() & {"sealed", "lock", "hide"})


def restricted(link: dict[str, str], lock: Iterable[str], hide: Iterable[str]) -> dict[str, str]:
    """A link that locks and hides."""
    lock, hide = list(lock), list(hide)
    told = {"lock": "1" if len(lock) == len(LOCKABLE) else ",".join(lock)} if lock else {}
    if not hide:
        return {**link, **told}
    # Whose mechanism is hidden is not told by its parameters either, nor by what is unknown here.
    secret = {
        key: value
        for key, value in link.items()
        if (key == "eps" and "eps" in hide)
        or ("mechanism" in hide and key != "eps" and key not in (*_OPEN, *TEXTS))
    }
    rest = {key: value for key, value in link.items() if key not in secret}
    return {**rest, "sealed": seal({**secret, **told, "hide": ",".join(hide)})}


# ----------------------------------------------------------------------------- what it does here


def locked_names() -> list[str]:
    """What this visitor cannot change."""
    return st.session_state.get("lock.names", [])


def locked(*names: str) -> bool:
    """Whether this visitor cannot change one of these, by the names of their locks."""
    return any(name in locked_names() for name in names)


def lock_of(key: str) -> str:
    """The name of the lock of a control, by the control's key."""
    if "." in key:
        return "eps" if key.endswith(".epsilon") else "parameters"
    return LOCKS[key]


def hidden() -> list[str]:
    """What is not told on this visitor's screen."""
    return st.session_state.get("hide.names", [])


def reveal() -> None:
    """Tell everything again."""
    st.session_state["hide.names"] = []


def guess(mechanism: Mechanism) -> None:
    """In the place of what would tell: what is hidden, a place to guess it, and the way to it."""
    st.info(wording.guess(hidden()))
    guessing.ask(mechanism, hidden())
    st.button(wording.REVEAL, on_click=reveal)


def told(error: Exception) -> str:
    """The sentence of an error, as Markdown; one that tells nothing where something is hidden."""
    return wording.HIDDEN_ERROR if hidden() else prose.plain(str(error))


def end_where_it_would_tell(page: str) -> None:
    """End a page, by its address, that cannot be shown without telling what is hidden."""
    if hidden() and page not in _KEEPING:
        st.info(wording.elsewhere(hidden()))
        st.button(wording.REVEAL, on_click=reveal)
        page_end.stop()


# ------------------------------------------------------------------------------------ the panel


def share() -> None:
    """The button in the corner, and behind it the link of this screen, as text and as a QR code."""
    with st.container(key="share"):
        panel = st.popover(wording.SHARE, key="share-panel", on_change="rerun")
        if panel.open:  # closed it costs every run of every page a tenth of its time
            with panel:
                _panel()


def panel_is_open() -> bool:
    """Whether the link of this screen is shown as text and as a QR code."""
    return bool(st.session_state.get("share-panel"))


def _panel() -> None:
    """The link, its options, and its QR code."""
    code, options = st.columns([2, 3], gap="medium")
    with options:
        link = _link_with_options()
    address = f"{st.context.url or ''}?{urlencode(link)}"
    with code:
        if picture := qr_code(address):
            st.image(picture, width="stretch", alt=wording.QR_ALT)
        else:
            st.caption(wording.NO_QR)
    st.code(address, language=None, wrap_lines=True)


def _link_with_options() -> dict[str, str]:
    """The link of this screen, as the boxes in the panel ask for it."""
    link = st.query_params.to_dict()
    if st.toggle(wording.PROJECTOR, key="projector", persist_state="session") and not st.checkbox(
        wording.PROJECTOR_IN_LINK, key="projector-in-link", persist_state="session"
    ):
        link.pop("projector", None)  # of this screen alone
    if text_box := st.session_state.get("text-box"):
        ticked = st.checkbox(
            wording.TEXT_IN_LINK,
            key="text-in-link",
            help=wording.TEXT_IN_LINK_HELP,
            persist_state="session",
        )
        length = len(st.session_state.get(text_box, ""))
        if ticked and length > MOST_CHARACTERS:
            st.caption(wording.text_too_long(length, MOST_CHARACTERS))
    if hidden() or locked_names():
        st.caption(wording.as_given(hidden(), locked_names()))
        return link
    if not st.session_state.get("share-restricts", True):
        return link
    lock = st.toggle(wording.LOCK, key="share-lock", persist_state="session")
    hide = st.pills(
        wording.HIDE,
        HIDEABLE,
        selection_mode="multi",
        format_func=wording.NAMES.__getitem__,
        key="share-hide",
        persist_state="session",
    )
    if hide:
        st.caption(wording.HONEST)
    return restricted(link, LOCKABLE if lock else (), hide)


def qr_code(address: str) -> bytes | None:
    """A QR code as a PNG, black on white with its quiet zone; None if it would not fit."""
    try:
        code = segno.make_qr(address, error="l", boost_error=True)
    except segno.DataOverflowError:
        return None
    picture = io.BytesIO()
    code.save(picture, kind="png", scale=8, border=4, dark="black", light="white")
    return picture.getvalue()


def _quoted(text: str) -> str:
    return prose.plain(text[:40] + ("…" if len(text) > 40 else ""))
