"""The sentences of the trade-off page about who leads, and whether the texts can tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from measures.sweeps.contest import Contest
from measures.sweeps.scores import Points, Ranked, promises
from mechanisms.estimate import CONFIDENCE
from pages.shared.prose import plain
from release.grammar import counted, verb

# More names than a heading can hold, and more changes of the lead.
_LISTED = 4

# What one decimal does not show as 0.
_SHOWN = 0.05


def listed(items: Sequence[str]) -> str:
    """Items with commas, the last one with *and*."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def at_epsilon(found: Points, point: int) -> str:
    """A point by its curve and ε, as plain text."""
    return f"{found.curve[point]} at ε = {found.epsilon[point]:.4g}"


def leading(found: Points, order: Ranked, result: Contest, alpha: float) -> str:
    """Who leads, or who cannot be told apart: the first sentence that is read."""
    name = plain(at_epsilon(found, result.chosen[0]))
    start = f"With α = {alpha:g}"
    if not result.leads:
        equals, all_of_them = result.equals, len(result.curves)
        if len(equals) > _LISTED:
            who = f"{len(equals)} of {all_of_them}" if len(equals) < all_of_them else "the"
            return (
                f"{start}, the first place is shared: these texts cannot tell {who} mechanisms "
                "apart"
            )
        named = listed([f"{plain(curve)}" for curve in equals])
        return f"{start}, the first place is shared: these texts cannot tell {named} apart"
    leads = order.leads
    if len(result.curves) == 1:
        return f"{start}, {name} is the only setting to look at"
    if len(leads) == 1:
        return f"{start}, {name} leads"
    if len(leads) > _LISTED:
        return f"{start}, {name} leads; the first place changes {len(leads) - 1} times over α"
    at = listed([f"{segment.low:.2f}" for segment in leads[1:]])
    return f"{start}, {name} leads; the first place changes at α = {at}"


def lead(found: Points, result: Contest) -> str:
    """The score of the first, by how much it is ahead, and how the ε was chosen."""
    value, low, high = result.score[:, 0]
    text = f"**{plain(at_epsilon(found, result.chosen[0]))}** has a PUC of {value:.1f}"
    text += "" if math.isnan(low) else f" ({low:.1f} to {high:.1f})"
    if len(result.curves) == 1:
        return f"{text}. There is nothing to compare it with yet. {_choice(result)}".strip()
    ahead, least, most = result.lead[:, 1]
    other = plain(at_epsilon(found, result.chosen[1]))
    text += f", {ahead:.1f} more than {other}"
    if math.isnan(least):
        text += ". The rows hold no intervals, so nobody can say whether that is chance."
    else:
        text += f" ({least:+.1f} to {most:+.1f})."
    return f"{text} {_choice(result)}".strip()


def _choice(result: Contest) -> str:
    """On which texts the ε was chosen."""
    if result.crossed:
        return "Each ε was chosen on one sample of texts and scored on the others."
    if math.isnan(result.optimism):
        return "Each ε was chosen on the texts that score it, so scores are too high."
    how_much = f", by {result.optimism:.1f} points or more" if result.optimism >= _SHOWN else ""
    return f"Each ε was chosen on the texts that score it: the first score is too high{how_much}."


def comparisons(result: Contest) -> str:
    """How intervals of differences were made, and what they cannot use."""
    text = (
        f"Intervals of differences hold for all {counted(result.comparisons, 'pair')} together "
        f"with {100 * CONFIDENCE:.0f} % confidence (by the largest standardised difference of each "
        "resample)."
        if result.comparisons > 1
        else f"The interval of the difference holds with {100 * CONFIDENCE:.0f} % confidence."
    )
    return f"{text} {unpaired(result)}".strip()


def unpaired(result: Contest) -> str:
    """What rows lack that would decide more; empty if they have it."""
    if result.paired:
        return ""
    return (
        "These rows hold no result for each single text, so settings cannot be compared text by "
        "text, and intervals of differences are wider than necessary."
    )


def notions(found: Points) -> str:
    """Which promises are ranked against each other; empty if it is one notion, or none is known."""
    by_notion: dict[str, list[str]] = {}
    for curve, promise in promises(found).items():
        if promise is not None:
            by_notion.setdefault(promise, []).append(plain(curve))
    if len(by_notion) < 2:
        return ""
    parts = [f"**{notion}** ({listed(curves)})" for notion, curves in by_notion.items() if notion]
    broken = by_notion.get("", [])
    text = ""
    if len(parts) > 1:
        text = f"These mechanisms promise different things: {listed(parts)}. "
    if broken:
        text += f"**✗ No promise is kept** by {listed(broken)}. "
    return (
        f"⚠️ {text}A higher PUC is not a stronger promise, and ε means something different in each."
    )


def changes(order: Ranked, shares: Mapping[str, float] | None = None) -> str:
    """Who is first from which α to which, in how many resamples, and how often the rest changes."""
    leads = order.leads
    inner = len(order.segments) - len(leads)
    others = (
        f" Further down, the order changes at {inner} more {verb(inner, 'value', 'values')} of α."
        if inner
        else ""
    )
    if len(leads) == 1:
        curve = order.curves[leads[0].order[0]]
        return f"{plain(curve)} is first at every α{_share(shares, curve)}.{others}"
    reigns = [
        f"**{plain(order.curves[first])}** from {low:.2f} to {high:.2f}"
        + _share(shares, order.curves[first])
        for low, high, (first,) in leads
    ]
    return f"As α grows, the first place is with {listed(reigns)}.{others}"


def _share(shares: Mapping[str, float] | None, curve: str) -> str:
    share = (shares or {}).get(curve, math.nan)
    return "" if math.isnan(share) else f" (in {100 * share:.0f} % of resamples)"
