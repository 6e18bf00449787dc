"""Hand-outs to print: a student's page and an answer page a lesson, as one HTML file each.

The questions are those of the lessons at their first settings. Nothing on a student's page is an
answer, and a place to write is left for every guess.
"""

from __future__ import annotations

import html
import re

from pages.shared.lessons import LESSONS
from pages.shared.live.questions import Asked, every
from pages.teach.summary import document


def student(lesson: int) -> str:
    """A student's page: name, date, the questions with room, and what to discuss."""
    parts = [
        '<p>Name <span class="line"></span> &nbsp; Date <span class="line"></span></p>',
        f"<p>The story is on the page Learn, lesson {lesson}. First write down your guess, then "
        "try it on the screen, then check.</p>",
    ]
    for number, asked in enumerate(_of(lesson)):
        what = "Guess" if not number else f"Check {number}"
        boxes = "".join(f"<li>☐ {html.escape(label)}</li>" for label in _options(asked))
        listed = f'<ul style="list-style: none">{boxes}</ul>' if boxes else ""
        parts.append(
            f"<section><h2>{what}: {html.escape(asked.title)}</h2>{listed}"
            '<p>My figures, and why:</p><div class="room"></div><div class="room"></div></section>'
        )
    parts.append(
        f"<section><h2>To discuss</h2><p>{_plain(LESSONS[lesson].discuss)}</p>"
        '<div class="room"></div><div class="room"></div></section>'
    )
    return document(f"WordVeil, lesson {lesson}: {LESSONS[lesson].title}", "".join(parts))


def answers(lesson: int) -> str:
    """The answer page: the right option, each mistake with what to say, and the teacher's note."""
    parts = [f"<p>{_plain(LESSONS[lesson].note)}</p>"]
    for number, asked in enumerate(_of(lesson)):
        what = "Guess" if not number else f"Check {number}"
        right = asked.options[asked.right]
        if asked.right == "right":
            right = "depends on the student's settings; the page explains it with their numbers"
        rows = "".join(
            f"<tr><td>{html.escape(asked.options[name])}</td>"
            f"<td style='text-align: left'>{html.escape(said)}</td></tr>"
            for name, said in asked.mistakes.items()
        )
        parts.append(
            f"<section><h2>{what}: {html.escape(asked.title)}</h2><p><b>Right:</b> "
            f"{html.escape(right)}.</p><table><tr><th>mistake</th><th style='text-align: left'>"
            f"what to say</th></tr>{rows}</table></section>"
        )
    parts.append(f"<p><b>Learned:</b> {_plain(LESSONS[lesson].recap)}</p>")
    return document(f"WordVeil, lesson {lesson}: answers", "".join(parts))


def _of(lesson: int) -> list[Asked]:
    return [asked for asked in every().values() if asked.lesson == lesson]


def _options(asked: Asked) -> list[str]:
    """Options that can be printed: those of a check are named by the way that leads to them."""
    return [] if "right" in asked.options else list(asked.options.values())


def _plain(markdown: str) -> str:
    """A note as HTML: bold and italic kept, all else as text."""
    text = html.escape(markdown)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)
