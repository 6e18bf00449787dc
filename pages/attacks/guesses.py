"""Words as small stacks: what was released, what an adversary reads in it, what was typed.

Markup, escaped like all markup in `prose`. A word that is found out is told by its frame, its sign
and its weight; colour only helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mechanisms.text import PrivateText, Status
from mechanisms.tokens import Kind
from pages.shared.prose import escaped, percent

STYLE = """<style>
.wv-stacks { line-height: 1.35; margin: .2rem 0 .6rem 0; }
.wv-stack { display: inline-block; vertical-align: top; text-align: center; margin: 0 .3rem .7rem 0;
  padding: .25rem .55rem; border-radius: .4rem;
  border: 3px solid rgba(128, 128, 128, .2); }
.wv-stack > div { white-space: nowrap; }
.wv-out { font-size: 1.25rem; font-weight: 600; }
.wv-read { font-size: 1rem; }
.wv-in { font-size: .85rem; opacity: .85; }
.wv-named { border-color: #c0392b; background: rgba(192, 57, 43, .14); }
.wv-named .wv-read { font-weight: 700; }
.wv-right { border-color: #2e9484; border-width: 4px; background: rgba(46, 148, 132, .14); }
.wv-same { border-color: #b3561b; border-style: double; }
.wv-open { border-style: dotted; }
.wv-asked { font-weight: 700; border-bottom: 3px solid #1f78b4; }
</style>"""


def attacked(private: PrivateText, guesses: Mapping[int, tuple[str, float, bool]]) -> str:
    """A text under attack: for each attacked token, by position, guess, probability and success.

    Tokens that are released as typed need no adversary.
    """
    released = private.versions[0]
    stacks = []
    for piece in released:
        token = private.tokens[piece.token]
        if token.kind in (Kind.SPACE, Kind.SIGN):
            continue
        if piece.token in guesses:
            word, probability, named = guesses[piece.token]
            same = piece.status is Status.UNCHANGED
            sign = "✔" if named else "=" if same else "✘"
            read = f"{sign} {escaped(word)} {percent(probability)}"
            css = f"wv-stack {'wv-named' if named else 'wv-same' if same else ''}".strip()
        elif piece.status is Status.UNPROTECTED:
            read, css = "= as typed", "wv-stack wv-same"
        else:
            read, css = "–", "wv-stack wv-open"
        stacks.append(_stack(css, piece.text.strip() or "–", read, token.text))
    return f'<div class="wv-stacks" dir="auto">{"".join(stacks)}</div>'


def attacked_legend(most: int) -> str:
    """The marks of `attacked`, at most so many words attacked."""
    return (
        '<div class="wv-legend">Each box shows <b>the word that came out</b>, the guess of the '
        "adversary with the probability that it believes in, and the word that you typed. "
        '<span class="wv-stack wv-named">✔ right guess</span> '
        '<span class="wv-stack wv-same">= came out unchanged, but the adversary guesses another '
        "word</span> "
        '<span class="wv-stack">✘ wrong guess</span> '
        f'<span class="wv-stack wv-open">– not attacked (only the first {most} words are)</span>'
        "</div>"
    )


def asked(private: PrivateText, positions: Sequence[int]) -> str:
    """A private sentence with the words that are asked for, numbered."""
    numbers = {position: number for number, position in enumerate(positions, 1)}
    pieces = []
    for piece in private.versions[0]:
        text = escaped(piece.text)
        if piece.token in numbers:
            text = f'<span class="wv-asked">{text}</span><sup>{numbers[piece.token]}</sup>'
        pieces.append(text)
    return f'<div class="wv-version wv-first" dir="auto"><bdi>{"".join(pieces)}</bdi></div>'


def answered(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """Words of a round, solved: released, typed, the player's and the adversary's choice.

    The player's right guess has a frame of its own; that of the adversary alone is one of a loss.
    """
    stacks = []
    for released, typed, player, adversary in rows:
        css = "wv-stack"
        if player == typed:
            css = "wv-stack wv-right"
        elif adversary == typed:
            css = "wv-stack wv-named"
        read = "<br>".join(
            f"{sign} {'✔' if choice == typed else '✘'} {escaped(choice)}"
            for sign, choice in (("🧑", player), ("🕵️", adversary))
        )
        stacks.append(
            f'<div class="{css}"><div class="wv-out">{escaped(released)}</div>'
            f'<div class="wv-read">{read}</div>'
            f'<div class="wv-in">it was: <b>{escaped(typed)}</b></div></div>'
        )
    return f'<div class="wv-stacks" dir="auto">{"".join(stacks)}</div>'


def _stack(css: str, out: str, read: str, typed: str) -> str:
    return (
        f'<div class="{css}"><div class="wv-out"><bdi>{escaped(out)}</bdi></div>'
        f'<div class="wv-read">{read}</div>'
        f'<div class="wv-in"><bdi>{escaped(typed)}</bdi></div></div>'
    )
