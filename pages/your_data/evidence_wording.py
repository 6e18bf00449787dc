"""The words of the check, the trial and the words that survived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import regex

from mechanisms import Vocabulary
from mechanisms.cleaning import ENTITIES, INVISIBLE, TAGS
from mechanisms.text import Unknown
from pages.shared import prose
from pages.your_data import wording
from pages.your_data.checking import Planning
from release.check import Check, Found
from release.grammar import between, counted, verb
from release.names import Names
from release.survived import Survived, Word

LEFT_OUT_HELP = "The cells of these columns are emptied. The column names and their order stay."
TRIAL_HELP = (
    "Draws a sample of the texts with the settings above, and shows which words stay unchanged. "
    "This is a draw of your texts, and counts as one."
)
EXPECTING = "Computing what is expected to stay …"
TRIAL_IS_STALE = "The settings have changed since this test. Test again to apply them."
NOTHING_SURVIVED = "No word is unchanged in this draw. Another draw can leave some unchanged."
BEFORE_TEST = (
    "Before you release anything, see which words would stay unchanged: names first, then the "
    "rarest words."
)


def size(found: Check, vocabulary: Vocabulary) -> str:
    """Texts, their lengths, and the share of known words."""
    shortest, median, longest = found.length()
    share = found.known_share(vocabulary)
    known = "" if share is None else f" The vocabulary knows **{100 * share:.1f} %** of the words."
    return (
        f"**{counted(found.texts, 'text')}** of {between(shortest, longest, 'word')} (median "
        f"{median:,}), with {counted(found.distinct, 'different word')}.{known}"
    )


def kinds(planning: Planning, unknown: Unknown, html: str) -> list[tuple[str, int, str]]:
    """What else the texts hold, how often, and what will happen to it."""
    found = planning.check
    times = sum(found.spellings.words[name] for name in planning.names.list)
    rows = [
        (
            f"name-like words ({counted(len(planning.names), 'different one')})",
            times,
            f"treated as any other word: drawn if known, otherwise {_fate(unknown)}",
        )
    ]
    rows += [
        (f"{kind} (in {counted(one.texts, 'text')})", one.count, _parts(one, unknown))
        for kind, one in found.found.items()
        if one.count
    ]
    fates = {INVISIBLE: "removed", **dict(zip((TAGS, ENTITIES), wording.HTML[html], strict=True))}
    rows += [(kind, n, fates.get(kind, "removed")) for kind, n in found.noticed.items()]
    return rows


def _parts(found: Found, unknown: Unknown) -> str:
    fate = found.fate
    parts = []
    if fate.drawn:
        parts.append(f"{counted(fate.drawn, 'part')} drawn")
    if fate.unknown:
        parts.append(f"{counted(fate.unknown, 'part')} {_fate(unknown)}")
    if fate.signs:
        parts.append(f"{counted(fate.signs, 'sign')} released as typed")
    return "; ".join(parts)


def _fate(unknown: Unknown) -> str:
    return wording.UNKNOWN[unknown].replace("**", "")


def names_title(names: Names) -> str:
    """The title of the list of name-like words."""
    return f"The {counted(len(names), 'name-like word')}"


def identifying(found: Mapping[str, Sequence[str]]) -> str:
    """The passing columns that identify rows."""
    listed = "; ".join(
        f"**{prose.plain(name)}** ({', '.join(reasons)})" for name, reasons in found.items()
    )
    return (
        f"These columns are released unchanged and can identify a row: {listed}. Anyone who knows "
        "such a value can find the row, whatever happens to its words. Leave these columns out if "
        "nobody needs them."
    )


def trial(found: Survived, texts: int) -> str:
    """What a draw of a sample kept."""
    sample = (
        f"every text ({found.texts:,})"
        if found.texts == texts
        else f"a sample of {found.texts:,} of {counted(texts, 'text')}"
    )
    return (
        f"One draw of {sample}: **{found.unchanged:,} of {counted(found.drawn, 'known word')} "
        f"{verb(found.unchanged, 'is', 'are')} unchanged. {wording.still_named(found)}** Another "
        "draw leaves other words unchanged."
    )


def how_to_read(words: int, shown: int) -> str:
    """The caption of the table."""
    some = "" if words == shown else f" The table has the first {shown:,} of {words:,} words."
    return (
        "These words are unchanged: name-like ones first, then the rarest in the file. Select a "
        f"row to see its texts.{some}"
    )


def in_texts(word: Word, shown: int) -> str:
    """The heading of the texts of a word."""
    some = f" These are the first {shown}:" if shown < word.texts else ""
    return (
        f"**{prose.plain(word.word)}** is unchanged in {word.times:,} of "
        f"{counted(word.of, 'occurrence')}, in {counted(word.texts, 'text')}.{some}"
    )


def marked(text: str, word: str, longest: int) -> str:
    """A text with every occurrence of a word marked, escaped."""
    shown = text[:longest] + ("…" if len(text) > longest else "")
    alone = rf"(?<![\p{{L}}\p{{N}}])({regex.escape(word)})(?![\p{{L}}\p{{N}}])"
    pattern = regex.compile(alone, regex.IGNORECASE)
    parts = pattern.split(shown)
    inside = "".join(
        f"<mark>{prose.escaped(part)}</mark>" if i % 2 else prose.escaped(part)
        for i, part in enumerate(parts)
    )
    return f'<div class="wv-version" dir="auto"><bdi>{inside}</bdi></div>'
