"""The sentences of the trade-off page about who leads, and whether the texts can tell."""

from __future__ import annotations

import math
from collections.abc import Mapping

from measures.sweeps.contest import Contest
from measures.sweeps.scores import Points, Ranked, promises
from mechanisms.estimate import CONFIDENCE
from pages.shared.prose import plain, whole_percent
from release.grammar import counted, enumerated

# More names than a heading can hold, and more changes of the lead.
_LISTED = 4

# What one decimal does not show as 0.
_SHOWN = 0.05


def at_epsilon(found: Points, point: int) -> str:
    """A point by its curve and ε, as plain text."""
    return f"{found.curve[point]} at ε = {found.epsilon[point]:.4g}"


def leading(found: Points, order: Ranked, result: Contest, alpha: float) -> str:
    """Who leads, or who cannot be told apart: the first sentence that is read."""
    name = plain(at_epsilon(found, result.chosen[0]))
    case, values = "leads", {"alpha": f"{alpha:g}", "name": name}
    if not result.leads:
        equals, every = result.equals, len(result.curves)
        case = "all shared" if len(equals) == every > _LISTED else "shared"
        values["names"] = (
            f"{len(equals)} of {every} mechanisms"
            if len(equals) > _LISTED
            else enumerated([plain(curve) for curve in equals])
        )
    elif len(result.curves) == 1:
        case = "alone"
    elif (changes := len(order.leads) - 1) >= _LISTED:
        case, values["changes"] = "often", f"{changes}"
    elif changes:
        at = [f"{segment.low:.2f}" for segment in order.leads[1:]]
        case, values["changes"] = "changes", enumerated(at)
    return _LEADING[case].format(**values)


# One template for each case: another language may order the parts in another way.
_LEADING = {
    "all shared": (
        "With α = {alpha}, the first place is shared: these texts cannot tell the mechanisms apart"
    ),
    "shared": "With α = {alpha}, the first place is shared: these texts cannot tell {names} apart",
    "alone": "With α = {alpha}, {name} is the only setting here",
    "leads": "With α = {alpha}, {name} leads",
    "often": "With α = {alpha}, {name} leads; the first place changes {changes} times over α",
    "changes": "With α = {alpha}, {name} leads; the first place changes at α = {changes}",
}


def lead(found: Points, result: Contest) -> str:
    """The score of the first, by how much it is ahead, and how the ε was chosen."""
    first = f"**{plain(at_epsilon(found, result.chosen[0]))}**"
    value, low, high = result.score[0].numbers
    score = f"{value:.1f}" if math.isinf(low) else f"{value:.1f} ({low:.1f} to {high:.1f})"
    if len(result.curves) == 1:
        said = [f"{first} has a PUC of {score}.", "There is nothing to compare it with yet."]
    else:
        ahead, least, most = result.lead[1].numbers
        other = plain(at_epsilon(found, result.chosen[1]))
        if math.isinf(least):
            said = [
                f"{first} has a PUC of {score}, {ahead:.1f} more than {other}.",
                "The rows have no intervals, so this may be chance.",
            ]
        else:
            said = [
                f"{first} has a PUC of {score}. That is {ahead:.1f} more than {other} "
                f"({least:+.1f} to {most:+.1f})."
            ]
    return " ".join([*said, _choice(result)])


def _choice(result: Contest) -> str:
    """On which texts the ε was chosen."""
    if result.crossed:
        return "Each ε was chosen on one sample of texts and scored on the others."
    if math.isnan(result.optimism):
        return "Each ε was chosen on the same texts that score it, so the scores are too high."
    if result.optimism < _SHOWN:
        return "Each ε was chosen on the same texts that score it, so the first score is too high."
    return (
        "Each ε was chosen on the same texts that score it, so the first score is too high, by an "
        f"estimated {result.optimism:.1f} points or more."
    )


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
        "These rows do not have a result for each text. So settings cannot be compared text by "
        "text, and the intervals of differences are wider than necessary."
    )


def notions(found: Points) -> str:
    """Which promises are ranked against each other; empty if it is one notion, or none is known."""
    by_notion: dict[str, list[str]] = {}
    for curve, promise in promises(found).items():
        if promise is not None:
            by_notion.setdefault(promise, []).append(plain(curve))
    if len(by_notion) < 2:
        return ""
    parts = [f"**{notion}** ({enumerated(names)})" for notion, names in by_notion.items() if notion]
    said = ["⚠️"]
    if len(parts) > 1:
        said.append(f"These mechanisms make different promises: {enumerated(parts)}.")
    if broken := by_notion.get("", []):
        said.append(f"**✗ These mechanisms keep no promise**: {enumerated(broken)}.")
    said.append(
        "A higher PUC is not a stronger promise, and ε means something different for each "
        "mechanism."
    )
    return " ".join(said)


_REIGN = {
    "at": "**{name}** at α = {low}",  # a range shorter than what two decimals show
    "from": "**{name}** for α from {low} to {high}",
}


def changes(order: Ranked, shares: Mapping[str, float] | None = None) -> str:
    """Who is first from which α to which, in how many resamples, and how often the rest changes."""
    leads = order.leads
    inner = len(order.segments) - len(leads)
    said = []
    if len(leads) == 1:
        curve = order.curves[leads[0].order[0]]
        said.append(f"{plain(curve)} is first at every α.")
    else:
        reigns = [
            _REIGN["at" if f"{low:.2f}" == f"{high:.2f}" else "from"].format(
                name=plain(order.curves[first]), low=f"{low:.2f}", high=f"{high:.2f}"
            )
            for low, high, (first,) in leads
        ]
        said.append(f"First places: {enumerated(reigns)}.")
    known = {
        plain(curve): share
        for curve in dict.fromkeys(order.curves[segment.order[0]] for segment in leads)
        if not math.isnan(share := (shares or {}).get(curve, math.nan))
    }
    if known:
        each = [f"{name} {whole_percent(share)}" for name, share in known.items()]
        said.append(
            f"In this share of resamples, the same mechanism leads there: {enumerated(each)}."
        )
    if inner:
        values = counted(inner, "more value")
        said.append(f"Further down, the order changes at {values} of α.")
    return " ".join(said)
