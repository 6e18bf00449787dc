"""The summary of a class as a page to print: counts only."""

from __future__ import annotations

import html
from collections.abc import Mapping

from pages.shared.live import rounds
from pages.shared.live.questions import Asked
from pages.shared.live.store import Board
from pages.teach import board as boards
from release.grammar import counted

STYLE = """<style>
body { font: 11pt/1.4 system-ui, sans-serif; color: #16202c; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 1.4rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid #c9d2dd;
  padding: .25rem .5rem; text-align: left; } td + td, th + th { text-align: right; }
td:first-child { min-width: 8rem; }
.line { border-bottom: 1px solid #888; display: inline-block; min-width: 14rem; height: 1.2rem; }
.room { border-bottom: 1px solid #888; height: 1.8rem; }
section { break-inside: avoid; }
@page { margin: 14mm; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
  h1 { font-size: 14pt; } h2 { font-size: 11pt; } .new-page { break-before: page; } }
</style>"""


def document(title: str, body: str) -> str:
    """A complete HTML page without other files."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}'
        f"</title>{STYLE}</head><body><h1>{html.escape(title)}</h1>{body}</body></html>"
    )


def head_of(asked: Asked) -> str:
    """The lesson of a question; nothing for one of a game."""
    return "" if asked.lesson < 0 else f"Lesson {asked.lesson}: "


def summary(board: Board, every: Mapping[str, Asked], date: str) -> str:
    """The questions that were answered: counts received, estimates and intervals, right answers."""
    epsilon = board.live.epsilon
    how = (
        "Answers arrived as they were chosen."
        if epsilon is None
        else f"Private answers: k-ary randomised response, ε = {epsilon:g} for each answer. "
        "Intervals: 95 %, each computed separately."
    )
    joined = counted(board.joined, "student")
    parts = [f"<p>{html.escape(date)}. {joined} joined. {how}</p>"]
    of_rounds = {
        k: rounds.asked(k, board.live) for each in rounds.played(board.live) for k in each.keys
    }
    for key, asked in {**every, **of_rounds}.items():
        assert asked is not None
        about = boards.found(board, key, asked)
        if not about.count:
            continue
        head = "<tr><th>answer</th><th>received</th>"
        head += "<th>estimate</th><th>interval</th></tr>" if about.estimated else "</tr>"
        rows = []
        for place, (name, label) in enumerate(asked.options.items()):
            mark = "✓ " if name == asked.right else ""
            row = f"<td>{mark}{html.escape(label)}</td><td>{about.received[place]}</td>"
            if about.estimated:
                low, high = about.estimated.low[place], about.estimated.high[place]
                row += f"<td>{about.estimated.within[place]:.1f}</td><td>{low:.0f}–{high:.0f}</td>"
            rows.append(f"<tr>{row}</tr>")
        parts.append(
            f"<section><h2>{head_of(asked)}{html.escape(asked.title)}</h2>"
            f"<table>{head}{''.join(rows)}</table></section>"
        )
    if len(parts) == 1:
        parts.append("<p>Nothing was answered.</p>")
    return document("WordVeil: a class", "".join(parts))
