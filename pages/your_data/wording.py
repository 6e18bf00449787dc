"""The words of the Your data page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mechanisms import Mechanism
from mechanisms.base import Guarantee
from mechanisms.cleaning import ENTITIES, TAGS, Html
from mechanisms.composition import document_promise
from mechanisms.text import Case, Status, Unknown
from pages.shared import vault
from pages.shared.progress_wording import beside_others
from pages.shared.prose import document, number, plain, whole_percent
from release.earlier import Earlier, warning
from release.grammar import counted, enumerated, nouns, verb
from release.plan import Plan
from release.report import NOT_HIDDEN
from release.survived import Survived
from release.unprotected import released_as_typed

INTRODUCTION = (
    "A mechanism replaces the words of the columns that you choose, at random. The private file "
    "has the same rows in the same order. All other columns are unchanged, except columns that you "
    "leave out. **Your file stays in the server's memory**: it is not written to disk, not logged, "
    "and not shown to anyone else. It is deleted when you press *Forget this file*, and at the "
    f"latest {vault.SECONDS // 60} minutes after you close the page."
)

UPLOAD_HELP = (
    "CSV, TSV, Excel (.xlsx), JSON Lines, Parquet, or plain text with one document on each line. "
    "The command line (`python -m release`) takes files of any size."
)

READING_HELP = "Detected from the file. Correct it below if it is wrong."

READ_OTHERWISE = "Read the file in another way"

RAGGED_TITLE = "Rows with too many or too few cells"

RAGGED = {
    "refuse": "stop, and say where",
    "empty": "become empty rows",
}

RAGGED_HELP = (
    "In a row with too many or too few cells, text may be in a column that is not made private. "
    "Such a row is never released as it is."
)

HEADER_HELP = (
    "Column names are released unchanged. Check that the first row holds names, and not a text."
)

NO_TEXT_COLUMN = "Choose at least one column that holds text."

COLUMNS_HELP = (
    "The words of these columns are replaced at random. All other columns are released unchanged, "
    "names and numbers included, unless you leave them out below."
)

EARLIER = "Was this file released before?"
EARLIER_HELP = (
    "WordVeil recognises a release that you made in another session by its decision record. The "
    "record itself is not kept."
)
RECORD_OF_ANOTHER = (
    "This record belongs to another file: the hash in the record is not the hash of this file."
)
RECORD_INTRODUCTION = (
    "A record for a data protection officer: the settings, the promise, and the results of the "
    "check and the tests. **This record is as confidential as your file**: keep it with your file, "
    "and do not pass it on with the private file."
)
NAME_WORDS = "Name the unchanged words (otherwise they are only counted and ranked)"
RECORD_HELP = "One HTML file without scripts. It opens in any browser, and prints to a PDF."
VERIFY = (
    "Anyone who has the private file and its report (JSON) can compare them: `python -m "
    "release.verify private.csv private.report.json`."
)

CHECK, TEST, RELEASE, RECORD = "1 Check", "2 Test", "3 Release", "4 Record"
TEST_BUTTON = "🔎 Test: which words would stay?"
EVERY_TOKEN = "Every token, and what will happen to it"

SAMPLE_WARNING = (
    "**For checking only: never publish a text beside its private version.** Anyone who sees both "
    "needs no attack."
)

SEEDED = (
    "A seed is set. Seeds are for demonstrations: anyone who knows the seed can undo the release. "
    "Remove the seed before you release a file that you want to publish."
)

SCRIPT_HELP = (
    "A Python script to run with WordVeil on your own machine. It compares a private file with its "
    "report, or draws again from your file, which is a second release. It contains the names of "
    "your columns and the settings, but nothing from the cells of your file."
)

NO_SCRIPT = (
    "An uploaded embedding is deleted at the end of this session, so a script could not load it. "
    "Put it into the folder of WORDVEIL_EMBEDDINGS to get a script."
)

CSV_HELP = (
    "Encoded as UTF-8. If your file is CSV, its separator, byte order mark and line ends stay. So "
    "do the cells of all columns that you neither make private nor leave out. If your file has "
    "another format, a byte order mark is added, so that spreadsheets show the right letters. A "
    "private text that a spreadsheet would run as a formula gets an apostrophe in front."
)

GUARD_HELP = (
    "A spreadsheet may run a cell that begins with =, +, - or @. A private text that begins so "
    "always gets an apostrophe in front. With this choice, so does every other cell, which then "
    "differs from your file."
)

QUOTES_HELP = (
    "A plain quotation mark at the beginning of a cell can look like the start of a cell with "
    "several lines. If both readings are possible, WordVeil stops and asks."
)

BAD_BYTES = {
    "refuse": "stop, and say where",
    "cp1252": "are letters of cp1252",
    "replace": "become �",
}

UNCLEAR = (
    "The characters of this file can be read in several ways. **Which line is right?** If none is, "
    "choose the encoding above."
)

DOWNLOADS = {
    ".csv": "⬇️ CSV",
    ".tsv": "⬇️ TSV",
    ".tab": "⬇️ TAB",
    ".jsonl": "⬇️ JSON Lines",
    ".ndjson": "⬇️ JSON Lines",
    ".parquet": "⬇️ Parquet",
    ".txt": "⬇️ Text",
}

JSON_HELP = "The public report for programs."

REPORT_HELP = (
    "The public report contains the settings, the promise, and facts that follow from the private "
    "file. You may publish it with the private file."
)

TRUE_COUNTS = (
    "These counts are for you alone: the number of unchanged words reveals something about your "
    "text. The public report leaves the counts out; the private account contains all of them."
)

ACCOUNT_HELP = (
    "Keep it with your file. Anyone who has both this account and the private file can undo part "
    "of the release."
)

CHANGED_SINCE = (
    "The settings have changed since this file was made. Its report lists the settings it was made "
    "with. Make the file private again to apply the new settings."
)


def choices_for(error: str) -> str:
    """The sentence on the page's choices, for an error that names options of the command line."""
    named = "--" in error
    return f" On this page, make this choice under **{READ_OTHERWISE}**." if named else ""


def again(known: Sequence[Earlier]) -> str:
    """The warning before a second release of a file."""
    return plain(warning(known))


def survey(rows: int) -> str:
    """The heading of the first, last and longest row."""
    return (
        f"**{counted(rows, 'row')} {verb(rows, 'was', 'were')} read.** Is that the number of rows "
        "in your file? Is every text in the right column? These are the first, the last and the "
        "longest row:"
    )


UNKNOWN: Mapping[Unknown, str] = {
    "random": "drawn as the unknown word",
    "mask": "masked: shows that they were unknown",
    "drop": "left out: may show that they were unknown",
    "keep": "released as typed: **not protected**",
}


def found(what: Mapping[str, str]) -> str:
    """The layout of a file, in one line."""
    return " · ".join(f"{plain(name)}: **{plain(value)}**" for name, value in what.items())


def counting(share: float) -> str:
    """The caption of the bar while words are counted."""
    return f"Counting words: {whole_percent(share)}"


def working(share: float, seconds: float | None, others: int) -> str:
    """The caption of a release's bar: the finished share, and the time left."""
    text = f"{whole_percent(share)} made private."
    if seconds is not None:
        text = f"{whole_percent(share)} made private, about {_duration(seconds)} left."
    return beside_others(text, others)


def stopped(share: float) -> str:
    """The sentence on a job that was stopped."""
    return f"Stopped at {whole_percent(share)}. Nothing was released."


def headline(plan: Plan, columns: list[str], kept: int) -> str:
    """The size of the file, and the columns that are made private."""
    named = enumerated([f"**{plain(name)}**" for name in columns])
    said = [
        f"**{counted(plan.rows, 'row')}** with {counted(plan.texts, 'text')} in the "
        f"{nouns(len(columns), 'column')} {named}.",
    ]
    if plan.empty:
        said.append(
            f"{counted(plan.empty, 'empty cell')} {verb(plan.empty, 'stays', 'stay')} empty."
        )
    if kept:
        said.append(f"{counted(kept, 'other column')} {verb(kept, 'is', 'are')} unchanged.")
    return " ".join(said)


HTML: Mapping[Html, tuple[str, str]] = {
    "decode": ("left out", "decoded"),
    "drop": ("left out", "left out"),
    "keep": ("released as typed: not protected", "released as typed: not protected"),
}


def rows(
    plan: Plan, mechanism: Mechanism, unknown: Unknown, case: Case, html: Html
) -> list[tuple[str, int, str]]:
    """Kinds of tokens, how many there are, and what will happen to them."""
    capitals = (
        "their capital is lost"
        if case == "lower"
        else "their capital is restored, so it is not protected"
    )
    lacking = UNKNOWN[unknown].replace("**", "")
    markup = zip((TAGS, ENTITIES), HTML[html], strict=True)
    found = [(what, plan.noticed[what], fate) for what, fate in markup if plan.noticed[what]]
    return [
        ("known words and numbers", plan.known, f"drawn by {mechanism.name}, each separately"),
        ("unknown words", plan.unknown_words, lacking),
        ("unknown numbers", plan.unknown_numbers, lacking),
        ("punctuation and symbols", plan.signs, "released as typed: not protected"),
        (
            "of all words, with a capital (names, first words)",
            plan.capitals,
            f"treated like other words; {capitals}",
        ),
        ("of these, unknown", plan.unknown_capitals, lacking),
        *found,
    ]


# Above it, the promise allows an output to be 100 times likelier under one row than under another
# whose words are a unit away.
WEAK = math.log(100)


def total_epsilon(plan: Plan, guarantee: Guarantee, unknown: Unknown) -> str:
    """The promise of a document, for the mean and the longest row."""
    drawn, most = plan.drawn(unknown)
    longest = document_promise(guarantee, most)
    mean = drawn / plan.rows if plan.rows else 0.0
    if longest is None:
        return "**No ε is proven for a row**, since none is proven for a word at these settings."
    said = [
        f"**ε = {number(guarantee.epsilon)} is for one word. Over the words of a row, it adds "
        "up.**",
        f"The promise for an average row ({mean:,.1f} drawn words) adds up to "
        f"{document(document_promise(guarantee, mean))}.",
        f"The promise for your longest row ({counted(most, 'drawn word')}) adds up to "
        f"{document(longest)}.",
    ]
    tightest = longest.gaussian.epsilon if longest.gaussian else longest.total_epsilon
    if longest.warning:
        said.append(f"**{plain(longest.warning)}**")
    elif tightest > WEAK:
        said.append("**That is a very weak promise for the row as a whole.**")
    return " ".join(said)


NOT_HIDDEN_HERE = f"**What stays visible.** {NOT_HIDDEN}"


def result(rows: int, counts: Mapping[Status, int], unknown: Unknown, html: Html) -> str:
    """The result of a finished release, and the unchanged share of the file."""
    changed, same = counts[Status.CHANGED], counts[Status.UNCHANGED]
    were = verb(rows, "was", "were")
    if known := changed + same:
        said = [
            f"**{counted(rows, 'row')} {were} drawn anew.**",
            f"**{same:,} of {counted(known, 'known word')} {verb(same, 'is', 'are')} unchanged** "
            f"(PP {100 * changed / known:.1f} %). They are listed below.",
        ]
    else:
        said = [f"**{counted(rows, 'row')} {were} written, but no known word was drawn.**"]
    for status, fate in _FATES.items():
        if count := counts[status]:
            said.append(f"{counted(count, 'unknown word')} {verb(count, 'was', 'were')} {fate}.")
    unprotected, tokens = counts[Status.UNPROTECTED], sum(counts.values())
    return " ".join([*said, released_as_typed(unprotected, tokens, unknown, html)])


def still_named(unchanged: Survived) -> str:
    """How many texts with a name-like word still show one."""
    if not unchanged.with_name:
        return (
            "No name-like word was found. Names are found by their capitals and by a list, so some "
            "can be missed."
        )
    named, still = unchanged.with_name, unchanged.still_with_name
    return (
        f"{still:,} of {counted(named, 'text')} with a name-like word still "
        f"{verb(still, 'shows', 'show')} one."
    )


_FATES: Mapping[Status, str] = {
    Status.REPLACED: "drawn as the unknown word",
    Status.MASKED: "masked",
    Status.DROPPED: "left out",
}


def _duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{seconds / 60:.0f} min"
