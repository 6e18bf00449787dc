"""What people read, collected from the source, and the bans on how it is written.

    texts()               every text on screen, in reports, on the command line and in the READMEs
    offenders(texts)      the sentences among them that break a ban
    pieces(source)        the strings of a source that are a piece of a sentence

The bans are grammar that a pattern can see: a headless relative clause, *where* as a condition, and
words that say nothing. A pattern knows no meaning, so each has the uses that are right English.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

HOUSE = Path(__file__).parent.parent
ROOMS = ("mechanisms", "measures", "release", "data", "pages", "benchmarks")
READMES = ("README.md", "SECURITY.md", "*/README.md")
GLOSSARY = ("data/glossary.toml",)

# What is read by machines: SQL, style sheets, scripts.
_MACHINES = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN)\b"
    r"|</?(style|script)\b|[:;] ?[^;{}]+; *\}"
)
_WORD = re.compile(r"[A-Za-z]{2,}")


class Text(NamedTuple):
    """A text that people read, and its place."""

    file: str
    line: int
    text: str


class Ban(NamedTuple):
    """A pattern that no sentence may match, its right uses, and what to write instead."""

    pattern: re.Pattern[str]
    right: re.Pattern[str]
    instead: str


def _ban(pattern: str, instead: str, right: str = r"(?!)") -> Ban:
    return Ban(re.compile(pattern, re.IGNORECASE), re.compile(right, re.IGNORECASE), instead)


_OPENS = (
    r"(?:^|[.;:,(] |\b(?:of|in|for|by|to|from|with|than|as|and|or|at|on|but|all|since|because) )"
)

# A question may begin with each of these words, and so may the name of a thing that is shown.
_QUESTION = r"\?\W*$"

BANS = {
    "headless who": _ban(
        rf"\bwho(?:ever|mever)\b|{_OPENS}who\b",
        "name the person: the reader, anyone who",
        _QUESTION,
    ),
    "headless what": _ban(
        r"(?:^|[.;:(] |\b(?:of|in|for|by|to|from|with|than|as|at|on|but|and|or) )"
        r"what (?:is|are|was|were|has|have|can|comes?|came|stays?|leaves?|left|follows?|you|it|"
        r"they|a|the)\b.*\.\W*$",
        "name the thing",
        # An embedded question: the verb that asks it is in front.
        r"\?\W*$|\b(?:says?|see|shows?|knows?|depends? on|asks?)\b.*\bwhat\b",
    ),
    "headless those": _ban(
        r"\bthose (?:of|that|who|which|in|with|from|by|for|at|on|beyond|left|not)\b"
        r"|\bthe ones? (?:that|which|who|of|with|by|from|in|you)\b",
        "name the thing again",
    ),
    "where as a condition": _ban(
        r"\bwhere(?:ver)?\b",
        "if or when; where is for places",
        # An embedded question, or a place that the word refers to.
        r"\b(?:say|says|see|show|shows|know|knows|from|of|name|names|found|finds?|to|in the \w+|"
        r"place|places|folder|region|line|row|point|points|band|is|and|[\w-]*map|went) where\b"
        r"|where (?:to|you read|it (?:lands|was))\b|^\W*where\W*$",
    ),
    "stands": _ban(r"\b(?:stands?|stood|standing)\b", "is, has, appears, are unchanged"),
    "gives": _ban(
        r"\b(?:gives|gave)\b",
        "name the act: has, prints, yields",
        r"\bgives (?:way|\S+ (\w+ )?away|away)",
    ),
    "tells": _ban(
        r"\b(?:tells?|told|telling)\b",
        "name the act: reveals, says, shows",
        r"\b(?:tells?|told)\b.*\b(?:apart|from)\b|told my|cannot (?:be told|tell)$",
    ),
    "alike": _ban(r"\balike\b", "equal, equally likely, similar"),
    "for itself": _ban(r"\bfor (?:itself|themselves|himself|oneself)\b", "separately"),
    "of its own": _ban(
        r"\bof (?:its|their|your|one's|his|her|my|our) own\b(?! \w{4})",
        "its own thing, separate, another",
    ),
}

_SENTENCE = re.compile(r"(?<=[.!?;:])[\s*\"”)]+(?=[\W_]*[A-Z{])|\n\s*\n|\n(?=[-#|*\d])|(?<=\|) ")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, and the cells of its tables."""
    for sentence in _SENTENCE.split(text):
        yield " ".join(sentence.split())


def offenders(texts: Iterable[Text]) -> list[str]:
    """`file:line: ban: sentence` of every sentence that breaks a ban."""
    return [
        f"{file}:{line}: {name} ({ban.instead}): {sentence}"
        for file, line, text in texts
        for sentence in sentences(text)
        for name, ban in BANS.items()
        if ban.pattern.search(sentence) and not ban.right.search(sentence)
    ]


def texts() -> Iterator[Text]:
    """Everything that people read."""
    files = [
        *HOUSE.glob("*.py"),
        *(file for room in ROOMS for file in (HOUSE / room).rglob("*.py")),
    ]
    for file in sorted(files):
        source = file.read_text(encoding="utf-8")
        yield from (Text(_shown(file), line, text) for line, text in literals(source))
    for pattern in READMES:
        for file in sorted(HOUSE.glob(pattern)):
            yield from (
                Text(_shown(file), line, text) for line, text in markdown(file.read_text("utf-8"))
            )
    for name in GLOSSARY:
        yield from (
            Text(name, 0, text)
            for text in _leaves(tomllib.loads((HOUSE / name).read_text("utf-8")))
        )


def literals(source: str) -> Iterator[tuple[int, str]]:
    """Strings of three words or more that are no docstrings; `{}` in place of values."""
    tree = ast.parse(source)
    ignored = set()
    for node in ast.walk(tree):
        # A string that is a statement is a docstring; the strings of an f-string are part of it.
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            ignored.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            ignored |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in ignored:
            continue
        text = _string(node, "{}")
        if text and len(_WORD.findall(text)) >= 3 and not _MACHINES.search(text):
            yield node.lineno, text


def _string(node: ast.AST, value: str) -> str | None:
    """The text of a string, an f-string's with something in place of its values; None if none."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(p.value) if isinstance(p, ast.Constant) else value for p in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


# A piece of a sentence: it begins or ends in the middle of one. A list may begin with its indent.
_BEGINS_INSIDE = re.compile(r"^(?: ?[,;)] | \(| [a-z])")
_ENDS_INSIDE = re.compile(r"[^\s.!?:|>\n#-][*)\"”’]* +$")
_NOT_PROSE = re.compile(r"^\\s| [a-z]+=|</?[a-z]+[ >]|^ -|\r|[{}]")
_PLACE = re.compile(r"\{\w*\}")
_WORDS_OF_METHODS = frozenset(
    {"join", "split", "removesuffix", "removeprefix", "replace", "strip", "startswith", "endswith"}
)


def pieces(source: str) -> Iterator[tuple[int, str]]:
    """Strings that are a piece of a sentence, which another language would put elsewhere.

    A sentence is one template with named places, or a name in such a place; sentences may be
    joined. A string that begins with a comma or a small letter after a space, or that ends with a
    space inside a sentence, can only be glued to another.
    """
    tree = ast.parse(source)
    ignored = {
        id(part)
        for node in ast.walk(tree)
        for part in (
            node.values
            if isinstance(node, ast.JoinedStr)
            else [node.func.value, *node.args]
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _WORDS_OF_METHODS
            else [node.value]
            if isinstance(node, ast.Expr)
            else []
        )
    }
    for node in ast.walk(tree):
        if id(node) in ignored:
            continue
        if (text := _string(node, "0")) is None:
            continue
        if isinstance(node, ast.Constant):
            text = _PLACE.sub("0", text)
        if len(_WORD.findall(text)) == 0 or _NOT_PROSE.search(text) or _MACHINES.search(text):
            continue
        if _BEGINS_INSIDE.search(text) or _ENDS_INSIDE.search(text):
            yield node.lineno, text


def markdown(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs and rows of a Markdown file, without its code."""
    line, kept, fenced = 1, [], False
    for number, row in enumerate([*text.splitlines(), ""], 1):
        if row.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and row.strip():
            line = line if kept else number
            kept.append(row)
            continue
        if kept:
            yield line, "\n".join(kept)
            kept = []


def _leaves(tree: object) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for branch in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(branch)


def _shown(file: Path) -> str:
    return str(file.relative_to(HOUSE))
