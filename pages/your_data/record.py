"""The decision record on the page, and the releases that this session knows of."""

from __future__ import annotations

import hashlib

import streamlit as st

from pages.shared import downloads, prose
from pages.shared.settings import KEPT
from pages.your_data import checking, wording
from pages.your_data.files import File, Release
from release import record as records
from release.choice import Choice
from release.earlier import Earlier

_KNOWN = "releases_known"


def _of(file: File) -> list[Earlier]:
    """The releases of a file with these bytes that this session knows of."""
    digest = hashlib.sha256(file.data).hexdigest()
    return st.session_state.setdefault(_KNOWN, {}).setdefault(digest, [])


def earlier(file: File) -> list[Earlier]:
    """The releases of this file that are known."""
    return list(_of(file))


def note(release: Release | None) -> None:
    """Note a release if it is finished, once."""
    if release is None or release.job.error is not None or not release.job.finished:
        return
    known = _of(release.file)
    own = own_entry(release)
    if own not in known:
        known.append(own)


def own_entry(release: Release) -> Earlier:
    """A release as later ones know it."""
    return Earlier(
        release.account["finished"],
        release.report["settings"]["mechanism"],
        release.report["private file"][0]["sha256"],
    )


def take(file: File) -> None:
    """A box for records of earlier releases."""
    upload = st.file_uploader(
        "Decision records of earlier releases of this file",
        ["html"],
        key=f"earlier-record.{file.token}",
        help=wording.EARLIER_HELP,
    )
    if upload is None:
        return
    try:
        digest, found = records.read(upload.getvalue().decode("utf-8", "replace"))
    except ValueError as error:
        st.error(prose.plain(str(error)))
        return
    if digest != hashlib.sha256(file.data).hexdigest():
        st.info(wording.RECORD_OF_ANOTHER)
    elif found not in _of(file):
        _of(file).append(found)


def offer(release: Release, planning: checking.Planning, chosen: Choice | None) -> None:
    """The record of a release as a download, with the choice on screen if there is one."""
    st.markdown(wording.RECORD_INTRODUCTION)
    show = st.checkbox(wording.NAME_WORDS, key=f"record-words.{release.file.token}", **KEPT)
    own = own_entry(release)
    facts = records.Facts(
        file=release.file.name,
        report=release.report,
        account=release.account,
        check=planning.check,
        names=planning.names,
        survived=release.survived,
        known_share=planning.check.known_share(release.vocabulary),
        trials=[
            records.Trial(repr(one.settings.mechanism), one.survived)
            for one in checking.trials(release.file)
        ],
        earlier=[one for one in earlier(release.file) if one != own],
        show_words=show,
        choice=chosen,
    )
    downloads.document(
        st,
        "⬇️ Decision record",
        records.record(facts),
        "PRIVATE-decision-record.html",
        "text/html",
        help=wording.RECORD_HELP,
    )
    st.markdown(wording.VERIFY)
