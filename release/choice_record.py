"""The choice of mechanism and ε in a decision record: sentences, table and figure, as markup.

No word of the file is in it, and the figure is drawn in the page itself: the record needs no script
and fetches nothing.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from release.grammar import counted

if TYPE_CHECKING:
    from mechanisms.estimate import Estimate
    from release.choice import Choice
    from release.evidence import Setting

_ROWS = 40
_WIDTH, _HEIGHT, _MARGIN = 620, 300, 46


def choice_section(choice: Choice, mechanism: str) -> str:
    """The demands, the recommendation, the refused mechanisms, and the table, as markup.

    Parameters
    ----------
    choice
        The choice that was made before the release.
    mechanism
        The mechanism of the release, as its report writes it.

    """
    said = [*choice.sentences(), _followed(choice, mechanism), choice.file_sentence]
    return _paragraphs(dict.fromkeys(said)) + figure(choice) + _table(choice)


def _followed(choice: Choice, mechanism: str) -> str:
    if choice.recommended is None:
        return f"Nothing was recommended; the file was released with {mechanism}."
    if repr(choice.recommended.mechanism) == mechanism:
        return "The file was released with the recommended setting."
    return (
        f"The file was released with {mechanism}, which is not the recommended setting "
        f"({choice.recommended.mechanism!r})."
    )


def _table(choice: Choice) -> str:
    names = (
        "Setting",
        "Worst word unchanged",
        "Words named",
        choice.optimised.capitalize(),
        "Meets",
    )
    order = sorted(choice.settings, key=lambda s: (not choice.meets(s), -choice.use(s), s.title))
    shown = order[:_ROWS]
    rows = "".join(_row(choice, setting) for setting in shown)
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    note = (
        f"<p>These are {len(shown)} of {counted(len(order), 'setting')}: first the settings that "
        f"meet every demand, then the others, each by {choice.optimised}.</p>"
        if len(order) > len(shown)
        else ""
    )
    return f"<table><tr>{head}</tr>{rows}</table>{note}"


def _row(choice: Choice, setting: Setting) -> str:
    named = setting.named.percent
    cells = (
        f"{setting.title} (recommended)" if setting is choice.recommended else setting.title,
        _interval(setting.unchanged.percent),
        _interval(named) if setting.named_exact else f"at least {named.value:.1f} %",
        f"{100 * choice.use(setting):.1f} %",
        "all demands" if choice.meets(setting) else "not all",
    )
    return "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in cells) + "</tr>"


def _interval(found: Estimate) -> str:
    if found.source.is_exact:
        return f"{found.value:.1f} %"
    return f"{found.value:.1f} % [{found.low:.1f}, {found.high:.1f}]"


def figure(choice: Choice) -> str:
    """The figure: each setting as a point, the most frequently unchanged word against its use."""
    uses = [100 * choice.use(setting) for setting in choice.settings]
    low, high = min(0.0, *uses), max(100.0, *uses)

    def x(share: float) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * share / 100

    def y(use: float) -> float:
        return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * (use - low) / (high - low)

    demanded = 100 * choice.made.get("unchanged_at_most", 1.0)
    parts = [
        f'<rect x="{x(0):.1f}" y="{y(high):.1f}" width="{x(demanded) - x(0):.1f}" '
        f'height="{y(low) - y(high):.1f}" fill="#e4efe4"/>',
        f'<path d="M{x(0):.1f} {y(high):.1f}V{y(low):.1f}H{x(100):.1f}" '
        'fill="none" stroke="#555"/>',
    ]
    for mark in (0, 25, 50, 75, 100):
        parts.append(_label(x(mark), y(low) + 16, f"{mark} %", "middle"))
        parts.append(_label(x(0) - 5, y(mark) + 4, f"{mark} %", "end"))
    parts.append(_label(x(50), _HEIGHT - 8, "word that stays most often", "middle"))
    parts.append(_label(x(0), y(high) - 10, choice.optimised, "start"))
    for setting, use in zip(choice.settings, uses, strict=True):
        best = setting is choice.recommended
        parts.append(
            f'<circle cx="{x(float(setting.unchanged.percent.value)):.1f}" cy="{y(use):.1f}" '
            f'r="{7 if best else 3}" fill="{"#00549f" if choice.meets(setting) else "#888"}" '
            f'fill-opacity="0.7"><title>{_text(setting.title)}</title></circle>'
        )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" width="100%">'
        f"<title>{_text(f'{len(choice.settings)} settings')}</title>{''.join(parts)}</svg>"
        "<p><small>Each point is a mechanism at one ε. Shaded: the demand on the word that stays "
        "most often. Blue points meet every demand. A large point is recommended.</small></p>"
    )


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}">{_text(text)}</text>'
    )


def _paragraphs(said: Iterable[str]) -> str:
    return "".join(f"<p>{_text(each)}</p>" for each in said)


def _text(text: str) -> str:
    return html.escape(text.encode("utf-8", "replace").decode())
