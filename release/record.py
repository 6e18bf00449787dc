"""The decision record of a release: one HTML file that a data protection officer reads.

    html = record(Facts(…))
    known = read(html)          the release that a record is of, for the list of earlier ones

It is kept with the source: it has true counts of the source and its hash, from which a short file
can be guessed, and its first line says so. It holds no script and no outside address, prints to
clean pages, and can be read without WordVeil. Words of the texts are in it only on request;
otherwise unchanged words are counted and ranked, not named.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from release.check import Check
from release.choice_record import choice_section
from release.earlier import Earlier, described
from release.grammar import between, counted, verb
from release.names import HOW_FOUND, Names
from release.report import listed, promise_lines
from release.survived import Survived
from release.unprotected import released_as_typed

if TYPE_CHECKING:
    from release.choice import Choice

PRIVATE = (
    "PRIVATE: this record holds true counts and a hash of the source. Keep it with the source; do "
    "not pass it on with the private file."
)
HASH_WARNING = "A short file can be guessed from its hash: never pass it on."
_SHOWN_WORDS = 40
_MARK = re.compile(r"<!-- wordveil-release (\{.*?\}) -->")

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #111; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.15rem; margin-top: 1.8rem; break-after: avoid }
.private { border: 2px solid #a00; color: #a00; padding: .6rem .8rem; font-weight: 600 }
table { border-collapse: collapse; width: 100% } tr { break-inside: avoid }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; overflow-wrap: anywhere;
  border-bottom: 1px solid #ccc }
th { width: 40%; font-weight: 600 }
.blank { border-bottom: 1px solid #555; height: 2.2rem } small { color: #444 }
@media print { body { margin: 0; max-width: none; font-size: 11pt } }
"""


@dataclass(frozen=True)
class Trial:
    """A draw of a sample before the release: with which mechanism, and what it kept."""

    mechanism: str
    survived: Survived


@dataclass(frozen=True)
class Facts:
    """The contents of a record."""

    file: str
    report: Mapping[str, Any]
    """The public report (`release.report`)."""
    account: Mapping[str, Any]
    """The private account (`release.account`)."""
    check: Check
    names: Names
    survived: Survived
    known_share: float | None = None
    trials: Sequence[Trial] = ()
    earlier: Sequence[Earlier] = ()
    show_words: bool = False
    """Whether unchanged words are named."""
    choice: Choice | None = None
    """The choice of mechanism and ε before the release, if there was one."""


def record(facts: Facts) -> str:
    """The record as one HTML file."""
    own = Earlier(
        str(facts.account["finished"]),
        str(facts.report["settings"]["mechanism"]),
        str(facts.report["private file"][0]["sha256"]),
    )
    mark = {"source": facts.account["source"]["SHA-256"], **own._asdict()}
    sections = (
        ("The file", _file(facts)),
        ("What was done, and what is promised", _promise(facts)),
        ("What the texts held before", _check(facts)),
        ("Tests before the release", _trials(facts)),
        ("Unchanged words in the private file", _survived(facts)),
        ("Reasons for these settings, and the alternatives that were refused", _choice(facts)),
        ("What is not protected", _not_protected(facts)),
        ("Earlier releases of this file", _earlier(facts)),
        ("Settings, versions, hashes", _technical(facts)),
        ("To be completed", _blanks()),
    )
    body = "".join(f"<h2>{_text(title)}</h2>{content}" for title, content in sections)
    return (
        f"<!doctype html><!-- {PRIVATE} -->\n"
        f"<!-- wordveil-release {_comment(mark)} -->\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>Decision record: {_text(facts.file)}</title><style>{_STYLE}</style></head><body>"
        f'<p class="private">{_text(PRIVATE)}</p>'
        f"<h1>Decision record: {_text(facts.file)}</h1>"
        f"<p>Made with WordVeil; the release was finished {_text(own.finished)}.</p>"
        f"{body}</body></html>\n"
    )


def read(text: str) -> tuple[str, Earlier]:
    """The hash of the source and the release that a record is of.

    Raises
    ------
    ValueError
        If the text is not a decision record.

    """
    found = _MARK.search(text[:20_000])
    try:
        facts = json.loads(found[1]) if found else None
        return str(facts["source"]), Earlier(*(str(facts[name])[:200] for name in Earlier._fields))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ValueError(
            "Record: this is not a decision record of WordVeil. Choose the .html file that was "
            "saved with a release."
        ) from None


# ------------------------------------------------------------------------------------ the sections


def _file(facts: Facts) -> str:
    report, why = facts.report, facts.check.identifying()
    shortest, median, longest = facts.check.length()
    kept = [
        f"{name} (can identify a row: {', '.join(why[name])})" if name in why else name
        for name in report["columns as they came"]
    ]
    lengths = between(shortest, longest, "word")
    texts = f"{facts.check.texts:,}, of {lengths}, median {median:,}"
    return _table(
        {
            "Name": facts.file,
            "Rows": f"{report['rows']:,}",
            "Columns made private": listed(report["columns made private"]),
            "Columns left out (their cells are empty)": listed(report["columns left out"]),
            "Columns released unchanged": listed(kept),
            "Texts": texts,
        }
    )


def _promise(facts: Facts) -> str:
    promise, report = facts.report["guarantee"], facts.report
    drawn = report["drawn words, known and unknown"]
    said = [
        "Each known word of the columns made private was replaced by a randomly drawn word, which "
        f"can be the same word. {counted(drawn, 'word')} {verb(drawn, 'was', 'were')} drawn in "
        "all, counting draws for unknown words.",
        *_odds(promise),
    ]
    return _paragraphs(said) + "<p><small>In symbols:</small></p>" + _list(promise_lines(promise))


def _odds(promise: Mapping[str, Any]) -> list[str]:
    """Sentences on ε as a factor of odds, for one word and for the longest row."""
    if promise["notion"] == "none proven" or not promise["holds"]:
        return ["No limit is proven under these settings on how much a reader can learn."]
    epsilon, longest = promise["ε of a word"], promise["drawn words of the longest row"]
    if not epsilon:
        return []
    one, all_words = _factor(epsilon), _factor(epsilon * longest)
    words = counted(longest, "drawn word")
    if promise["notion"] == "metric DP":
        said = [
            "The drawn word can make one original word seem likelier, compared with another. For "
            f"two words at distance 1 ({promise['distance']}), it changes their odds by a factor "
            f"of at most {one}; at distance 2, by at most the square of this factor.",
            f"The factors of the words in a row multiply. For the longest row ({words}), if each "
            f"word is compared with a word at distance 1, the factor is at most {all_words}.",
        ]
    else:
        said = [
            "The drawn word can make one original word seem likelier, compared with another. For "
            f"any two words, it changes their odds by a factor of at most {one}.",
            f"The factors of the words in a row multiply. For the longest row ({words}), if each "
            f"word is compared with another word, the factor is at most {all_words}.",
        ]
    if delta := promise["δ of a word"]:
        said.append(f"This limit can fail with a small probability (δ = {delta:.3g} for a word).")
    return [
        *said,
        "A factor above 1,000 is hardly a limit. In that case, judge by the evidence below rather "
        "than by the promise.",
    ]


def _factor(epsilon: float) -> str:
    """The number e to the ε, for people."""
    if epsilon < math.log(10_000):
        return f"{math.exp(epsilon):,.3g}"
    digits = epsilon / math.log(10)
    return f"10 to the power of {digits:,.1f}"


def _check(facts: Facts) -> str:
    found = facts.check
    times = sum(found.spellings.words[name] for name in facts.names.list)
    rows = {"Different words": f"{found.distinct:,}"}
    if facts.known_share is not None:
        rows["Words that the vocabulary knows"] = f"{100 * facts.known_share:.1f} %"
    rows["Name-like words"] = f"{len(facts.names):,} different, {times:,} times"
    for kind, one in found.found.items():
        rows[kind.capitalize()] = f"{one.count:,}, in {counted(one.texts, 'text')}"
    rows |= {kind.capitalize(): f"{count:,}" for kind, count in found.noticed.items()}
    return _table(rows) + f"<p><small>{_text(HOW_FOUND)}</small></p>"


def _trials(facts: Facts) -> str:
    if not facts.trials:
        return "<p>No test was made in this session.</p>"
    return _list(f"{one.mechanism}: {_kept(one.survived)}" for one in facts.trials)


def _kept(found: Survived) -> str:
    return (
        f"{found.unchanged:,} of {counted(found.drawn, 'known word')} "
        f"{verb(found.unchanged, 'was', 'were')} unchanged; {found.still_with_name:,} of "
        f"{counted(found.with_name, 'text')} with a name-like word still "
        f"{verb(found.still_with_name, 'shows', 'show')} one."
    )


def _survived(facts: Facts) -> str:
    found = facts.survived
    said = [_kept(found)]
    if found.kept:
        were = verb(found.kept, "was", "were")
        said.append(f"{counted(found.kept, 'unknown word')} {were} released as typed.")
    ranking = found.ranking()
    if not ranking:
        return _paragraphs(said)
    rare = sum(word.of == 1 for word in ranking)
    said.append(
        f"{counted(len(ranking), 'different word')} {verb(len(ranking), 'is', 'are')} unchanged in "
        f"at least one place. Of these, {len(found.names):,} {verb(len(found.names), 'is', 'are')} "
        f"name-like, and {rare:,} {verb(rare, 'occurs', 'occur')} only once in the file."
    )
    head = "<tr><th>Rank</th><td>Word</td><td>Name-like</td><td>Unchanged</td><td>Texts</td></tr>"
    rows = "".join(
        f"<tr><th>{rank}</th><td>{_text(word.word) if facts.show_words else 'not named'}</td>"
        f"<td>{'yes' if word.name_like else ''}</td><td>{word.times:,} of {word.of:,}</td>"
        f"<td>{word.texts:,}</td></tr>"
        for rank, word in enumerate(ranking[:_SHOWN_WORDS], 1)
    )
    return _paragraphs(said) + f"<table>{head}{rows}</table>"


def _choice(facts: Facts) -> str:
    if facts.choice is not None:
        mechanism = str(facts.report["settings"]["mechanism"])
        return choice_section(facts.choice, mechanism) + '<div class="blank"></div>'
    note = "WordVeil recorded no reasons for these settings. Write them here."
    return f"<p>{note}</p>" + '<div class="blank"></div>' * 3


def _not_protected(facts: Facts) -> str:
    left = facts.account["not protected"]
    tokens, settings = facts.account["tokens"]["all"], facts.report["settings"]
    said = [
        released_as_typed(left, tokens, settings["unknown words"], settings["HTML"]),
        str(facts.report["unknown words"]),
        str(facts.report["not hidden"]),
    ]
    if settings["seeded"]:
        said.insert(0, "Drawn with a seed, for demonstration: NOT FOR PUBLICATION.")
    return _paragraphs(said)


def _earlier(facts: Facts) -> str:
    if not facts.earlier:
        return (
            "<p>No earlier release is known. WordVeil cannot know of a release without a "
            "record.</p>"
        )
    said = "Together with this one they reveal more about every word, and their ε add up."
    return _list(described(facts.earlier)) + f"<p>{_text(said)}</p>"


def _technical(facts: Facts) -> str:
    source = facts.account["source"]
    rows = {name: str(value) for name, value in facts.report["settings"].items()}
    rows["vocabulary"] = (
        f"{facts.report['vocabulary']['words']:,} words, "
        f"fingerprint {facts.report['vocabulary']['fingerprint']}"
    )
    rows["SHA-256 of the source file"] = f"{source['SHA-256']}. {HASH_WARNING}"
    for file in facts.report["private file"]:
        rows[f"SHA-256 of the private file ({file['ending']})"] = file["sha256"]
    rows |= {f"version of {name}": str(v) for name, v in facts.report["versions"].items()}
    return _table(rows)


def _blanks() -> str:
    names = ("Purpose", "Recipients", "Retention", "Decided by, date")
    return "".join(f'<p>{name}</p><div class="blank"></div>' for name in names)


# ------------------------------------------------------------------------------------------ markup


def _text(text: str) -> str:
    return html.escape(text.encode("utf-8", "replace").decode())


def _paragraphs(said: Iterable[str]) -> str:
    return "".join(f"<p>{_text(each)}</p>" for each in said)


def _list(said: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{_text(each.strip())}</li>" for each in said) + "</ul>"


def _table(rows: Mapping[str, str]) -> str:
    cells = (f"<tr><th>{_text(n)}</th><td>{_text(value)}</td></tr>" for n, value in rows.items())
    return f"<table>{''.join(cells)}</table>"


def _comment(facts: Mapping[str, Any]) -> str:
    """JSON that cannot end a comment."""
    return json.dumps(facts).replace("-", "\\u002d").replace(">", "\\u003e").replace("<", "\\u003c")
