"""The parts of the Your data page: how a file is read, bars, the result, the downloads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from data import own_embeddings
from pages.shared import downloads, jobs, page_end, progress, prose, session
from pages.shared.fragments import fragment
from pages.shared.settings import KEPT
from pages.your_data import checking, files, script, tables, wording
from release import account, report, workbook
from release.driver import Reading
from release.encoding import Unclear
from release.layout import DELIMITERS

ENCODINGS = ("utf-8", "cp1252", "latin-1", "cp1250", "cp1251", "shift_jis", "gb18030", "utf-16")
SHOWN_PAIRS = 3
# The value of a box that the visitor has not touched; None would show as "nothing chosen".
FOUND = "found"
LONGEST_EXCERPT = 400


def upload_key() -> str:
    """The key of the box for uploads, another one after every file that was forgotten."""
    return f"upload.{st.session_state.get('files_forgotten', 0)}"


def forget() -> None:
    """Drop the file, also from the box."""
    files.forget()
    st.session_state.files_forgotten = st.session_state.get("files_forgotten", 0) + 1


def take_upload() -> None:
    """Take what was just uploaded, or forget what was just removed."""
    upload = st.session_state[upload_key()]
    if upload is None:
        files.forget()
    else:
        files.choose(upload.name, upload.getvalue())


def reading(file: files.File) -> Reading:
    """Show how the file is read, as detected or as the visitor says, with its first rows.

    Raises ValueError with a sentence for the screen if it cannot be read.
    """
    title, drop = st.columns([5, 2], vertical_alignment="center")
    title.markdown(f"**{prose.plain(file.name)}** ({len(file.data):,} bytes)")
    drop.button("✖ Forget this file", on_click=forget, width="stretch")
    place = st.empty()
    with st.expander(wording.READ_OTHERWISE):
        given, ragged = _overrides(file)
    try:
        how = files.found(file, **given)
    except Unclear as unclear:
        _ask(file, unclear)
        page_end.stop()
    place.markdown(wording.found(how.found), help=wording.READING_HELP)
    rows = files.first_rows(file, Reading(how, (), "empty"))
    st.dataframe(tables.first_rows(how.columns, rows), hide_index=True, width="stretch")
    columns = st.multiselect(
        "Columns that hold text",
        how.columns,
        files.likely_text(file, how),
        key=f"text-columns.{file.token}.{hash(how)}",
        help=wording.COLUMNS_HELP,
        **KEPT,
    )
    guard = how.format == "csv" and st.checkbox(
        "An apostrophe before formulas in all columns",
        key=f"guard.{file.token}",
        help=wording.GUARD_HELP,
        **KEPT,
    )
    said = tuple(sorted(given.items()))
    return Reading(how, tuple(columns), ragged, said, guard)


def _ask(file: files.File, unclear: Unclear) -> None:
    """Show one line in several readings, to choose from."""
    st.warning(wording.UNCLEAR)
    for encoding, line in unclear.readings:
        text, choose = st.columns([4, 2], vertical_alignment="center")
        text.html(f'<div class="wv-version" dir="auto"><bdi>{prose.escaped(line)}</bdi></div>')
        choose.button(
            f"Read as {encoding}",
            key=f"read-as.{encoding}",
            on_click=_read_as,
            args=(file, encoding),
            width="stretch",
        )


def _read_as(file: files.File, encoding: str) -> None:
    st.session_state[f"encoding.{file.token}"] = encoding


def survey(planning: checking.Planning, columns: Sequence[str]) -> None:
    """Show how many rows were read, and the first, the last and the longest row."""
    st.markdown(wording.survey(planning.survey.rows))
    shown = tables.survey(columns, planning.survey.shown)
    st.dataframe(shown, hide_index=True, width="stretch")


def _overrides(file: files.File) -> tuple[dict[str, object], str]:
    """The visitor's choices on how the file is read, without the choices left to detection."""
    if Path(file.name).suffix.lower() == ".parquet":
        st.caption("A Parquet file needs no such settings.")
        return {}, "refuse"
    if Path(file.name).suffix.lower() == workbook.SUFFIX:
        return _of_workbook(file), "refuse"
    encoding, separator, header, ragged = st.columns(4)
    quotes, escape, bad_bytes, _ = st.columns(4)
    key = f"encoding.{file.token}"
    known = dict.fromkeys(("", *ENCODINGS, st.session_state.get(key, "")))
    given = {
        "encoding": encoding.selectbox(
            "Encoding", list(known), format_func=_or_found, key=key, **KEPT
        ),
        "quotes": quotes.selectbox(
            "Quotation marks",
            (FOUND, True, False),
            format_func={
                FOUND: "enclose cells; stop if in doubt",
                True: "enclose cells",
                False: "are plain characters",
            }.get,
            key=f"quotes.{file.token}",
            help=wording.QUOTES_HELP,
            **KEPT,
        ),
        "escape": escape.selectbox(
            "Sign before a quotation mark",
            (FOUND, "", "\\"),
            format_func={FOUND: "as detected", "": "none", "\\": "backslash"}.get,
            key=f"escape.{file.token}",
            **KEPT,
        ),
        "bad_bytes": bad_bytes.selectbox(
            "Bytes that are not in the encoding",
            list(wording.BAD_BYTES),
            format_func=wording.BAD_BYTES.__getitem__,
            key=f"bad-bytes.{file.token}",
            **KEPT,
        ),
        "delimiter": separator.selectbox(
            "Separator",
            ("", *DELIMITERS),
            format_func=lambda sign: DELIMITERS.get(sign) or "as detected",
            key=f"separator.{file.token}",
            **KEPT,
        ),
        "header": header.selectbox(
            "The first row",
            (FOUND, True, False),
            format_func={FOUND: "as detected", True: "names the columns", False: "is a row"}.get,
            key=f"header.{file.token}",
            help=wording.HEADER_HELP,
            **KEPT,
        ),
    }
    chosen = ragged.selectbox(
        wording.RAGGED_TITLE,
        list(wording.RAGGED),
        format_func=wording.RAGGED.__getitem__,
        key=f"ragged.{file.token}",
        help=wording.RAGGED_HELP,
        **KEPT,
    )
    unsaid = {"encoding": "", "delimiter": "", "bad_bytes": "refuse"}
    return {n: v for n, v in given.items() if v != unsaid.get(n, FOUND)}, chosen


def _of_workbook(file: files.File) -> dict[str, object]:
    """The visitor's choices for a workbook: its sheet and its first row."""
    sheet, header = st.columns(2)
    try:
        names = workbook.sheets(file.data)
    except ValueError:  # the page says so where it reads the file
        return {}
    chosen = sheet.selectbox("Sheet", names, key=f"sheet.{file.token}", **KEPT) if names else None
    first = header.selectbox(
        "The first row",
        (FOUND, True, False),
        format_func={FOUND: "as detected", True: "names the columns", False: "is a row"}.get,
        key=f"header.{file.token}",
        help=wording.HEADER_HELP,
        **KEPT,
    )
    given: dict[str, object] = {} if chosen in (None, *names[:1]) else {"sheet": chosen}
    return given if first == FOUND else given | {"header": first}


def _or_found(text: str) -> str:
    return text or "as detected"


def plan_table(rows: list[tuple[str, int, str]]) -> None:
    """Show the kinds of tokens, their number, and what will happen to them."""
    st.table(tables.plan(rows))


def wait_for(work: checking.Planning | files.Release) -> None:
    """Show a bar and end the page here, until the work is done."""
    if work.job.error is not None:
        st.error(prose.plain(str(work.job.error)))
        page_end.stop()
    if not work.job.finished:
        _bar(work)
        page_end.stop()


@fragment(run_every=0.7)
def _bar(work: checking.Planning | files.Release) -> None:
    job = work.job
    if job.finished:
        st.rerun()  # the whole page once more, now with what comes after
    elif not job.watched_by(session.visitor()):
        progress.stopped(job, wording.stopped(job.share))
    elif isinstance(work, checking.Planning):
        st.progress(job.share, wording.counting(job.share))
    else:
        said = wording.working(job.share, work.seconds_left, jobs.running())
        progress.under_way(job, job.share, said)


def result(release: files.Release) -> None:
    """Show the result of a release in a sentence, and in full."""
    settings = release.settings
    said = wording.result(
        release.counts.rows, release.counts.statuses, settings.unknown, settings.html
    )
    st.info(f"{said} **{wording.still_named(release.survived)}**")  # green would praise it
    st.caption(wording.TRUE_COUNTS)
    with st.spinner("Writing the report …"):
        facts = release.report
    _downloads(release)
    private = account.readable(release.account)
    with st.expander("The public report"):
        st.text(report.readable(facts))
    with st.expander("🔒 The private account"):
        st.text(private)
        downloads.document(
            st,
            "⬇️ Private account",
            private,
            "private-account.txt",
            help=wording.ACCOUNT_HELP,
        )


def pairs(release: files.Release) -> None:
    """Show the first texts beside their private versions."""
    st.markdown(wording.SAMPLE_WARNING)
    for typed, private in release.pairs(SHOWN_PAIRS):
        for place, title, text in zip(
            st.columns(2), ("Original", "Private"), (typed, private), strict=True
        ):
            place.caption(title)
            place.html(_excerpt(text))


def _excerpt(text: str) -> str:
    shown = text[:LONGEST_EXCERPT] + ("…" if len(text) > LONGEST_EXCERPT else "")
    return f'<div class="wv-version" dir="auto"><bdi>{prose.escaped(shown)}</bdi></div>'


def _downloads(release: files.Release) -> None:
    """Offer the private file, its report and the script; each is made on request.

    Their names are the same for every file, so they do not reveal the name of the source.
    """
    facts = release.report
    ends_here = own_embeddings.is_upload(release.settings.embedding)
    script_help = wording.NO_SCRIPT if ends_here else wording.SCRIPT_HELP
    offers = (
        *(
            (
                wording.DOWNLOADS[ending],
                partial(release.as_file, f"private{ending}"),
                f"private{ending}",
                wording.CSV_HELP if ending == ".csv" else None,
            )
            for ending in release.endings
        ),
        ("⬇️ Report", report.readable(facts), "private.report.txt", wording.REPORT_HELP),
        (
            "⬇️ JSON",
            json.dumps(facts, ensure_ascii=False, indent=1),
            "private.report.json",
            wording.JSON_HELP,
        ),
        ("⬇️ Script", script.release(release), "make_private.py", script_help),
    )
    places = st.columns(len(offers))
    for place, (label, data, name, help_) in zip(places, offers, strict=True):
        downloads.document(
            place,
            label,
            data,
            name,
            help=help_,
            width="stretch",
            type="primary" if place is places[0] else "secondary",
            disabled=help_ is wording.NO_SCRIPT,
        )
