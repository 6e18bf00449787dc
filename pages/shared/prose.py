"""Text to safe markup: private sentences with their marks, and numbers as people read them.

Whatever comes from a visitor or an embedding is escaped here, once, and nowhere else. Control
characters are shown as their pictures, and the direction of a text cannot leak out of its box.
"""

from __future__ import annotations

import html
import math
from typing import NamedTuple

from measures import cmp_claim
from measures.audit import Audit, titled
from measures.ball import Balls, Theorem
from measures.cmp_claim import Finding
from measures.deniability import (
    CONFIDENCE,
    DRAWN,
    Estimate,
    Replacements,
    Summary,
    Support,
)
from measures.density import (
    Adaptation,
    Landmarks,
    NeighbourDistances,
    Neighbourhood,
    Outputs,
    Reach,
)
from measures.dissolution import Dissolution
from measures.odds import Swap
from measures.targets import Choice, Demand, Match
from measures.tradeoff import Tradeoff
from mechanisms import Guarantee, LawMechanism, Mechanism, RadialNoise, Vocabulary
from mechanisms.answers import Curves
from mechanisms.base import DISCRETE, EUCLIDEAN
from mechanisms.text import Piece, PrivateText, Status
from mechanisms.vocabulary import Floats
from pages.shared.session import Spent


class Mark(NamedTuple):
    """How a token with a status looks: its class, and what it means."""

    css: str
    sample: str
    meaning: str


# Told apart by weight, line and frame; colour only helps.
MARKS = {
    Status.CHANGED: Mark("wv-changed", "word", "replaced by the mechanism"),
    Status.UNCHANGED: Mark("wv-unchanged", "word", "drawn, and came out the same"),
    Status.REPLACED: Mark("wv-replaced", "word", "unknown word, replaced at random"),
    Status.MASKED: Mark("wv-masked", "[…]", "unknown word, masked"),
    Status.UNPROTECTED: Mark("wv-unprotected", "word", "not protected: released as typed"),
}

STYLE = """<style>
.wv-version { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1.2rem; line-height: 1.75;
  padding: .55rem .8rem; margin: 0 0 .5rem 0; border-left: 4px solid #5b7a99;
  background: rgba(110, 140, 170, .10); border-radius: 0 .4rem .4rem 0; }
.wv-first { font-size: 1.45rem; }
.wv-changed { font-weight: 700; border-bottom: 3px solid #1f78b4; }
.wv-replaced { font-style: italic; font-weight: 600; border-bottom: 3px dashed #b3561b; }
.wv-masked { font-weight: 600; border-bottom: 3px dashed #b3561b; }
.wv-unprotected { outline: 1.5px dotted #d1478c; outline-offset: 1px; border-radius: 2px; }
.wv-legend { font-size: .9rem; line-height: 2; }
.wv-legend > span { margin-right: 1.4em; white-space: nowrap; }
.wv-ends { display: flex; justify-content: space-between; font-size: .85rem; line-height: 1.3;
  margin-top: -.6rem; }
.wv-ends > span:last-child { text-align: right; }
.wv-headline { font-size: 1.05rem; margin: 0 0 .4rem 0; }
</style>"""

# The pictures that Unicode has for control characters; tab and line break keep their function.
_PICTURES = {i: 0x2400 + i for i in range(32) if chr(i) not in "\t\n"} | {0x7F: 0x2421}


def escaped(text: str) -> str:
    """Text as markup that shows it as typed: no tags, no control characters."""
    return html.escape(text.translate(_PICTURES), quote=True)


def plain(text: str) -> str:
    """Text as Markdown that shows it as typed."""
    text = "".join(f"\\{c}" if c in r"\`*_{}[]<>()#+-.!|~$:&^=" else c for c in text)
    return text.translate(_PICTURES).replace("\n", " ").replace("\t", " ")


def versions_markup(private: PrivateText) -> str:
    """The private versions, their tokens marked by what happened to them."""
    return "".join(
        f'<div class="wv-version{" wv-first" if number == 0 else ""}" dir="auto">'
        f"<bdi>{''.join(map(_token, pieces))}</bdi></div>"
        for number, pieces in enumerate(private.versions)
    )


def headline(private: PrivateText) -> str:
    """The number of unprotected tokens, first of all."""
    count, total = private.unprotected_count, private.token_count
    if count == 0:
        what = f"All {total} tokens are protected or removed."
    else:
        are = "is" if count == 1 else "are"
        what = (
            f"<strong>{count} of {total} tokens {are} not protected</strong>: "
            "released as typed, and framed with dots."
        )
    return f'<p class="wv-headline">{what}</p>'


def legend(private: PrivateText) -> str:
    """What the marks of these versions mean."""
    seen = {piece.status for version in private.versions for piece in version}
    entries = "".join(
        f'<span><span class="{mark.css}">{mark.sample}</span> {mark.meaning}</span> '
        for status, mark in MARKS.items()
        if status in seen
    )
    return f'<div class="wv-legend">{entries}</div>'


SPENT_HELP = (
    "Every fresh draw of the same words tells more about them, also one that moving a control "
    "causes: the ε of all versions add up. To release one version, draw one version, once."
)
NEW_COUNT_HELP = "For a new secret. What was released about the old one stays released."


def epsilon_ends(low: float, high: float) -> str:
    """The labels under the ends of an ε slider."""
    return (
        '<div class="wv-ends"><span>'
        f"{low:g}<br>more private</span><span>{high:g}<br>more faithful</span></div>"
    )


def spent(account: Spent) -> str:
    """The ε spent so far."""
    draws = "1 version" if account.draws == 1 else f"{account.draws:,} versions"
    parts = [number(total) + _per(unit) for unit, total in account.epsilon.items()]
    if account.unbounded:
        parts.append(f"{account.unbounded} without any proven bound")
    if times_shown := account.over_all_epsilon:
        sentences = "1 sentence" if times_shown == 1 else f"{times_shown} sentences"
        parts.append(f"{sentences} over all ε without any bound")
    return f"**ε spent so far: {' and '.join(parts) or 0}** ({draws} of your words are out)"


def stays(word: str, estimate: Estimate) -> str:
    """The chance that a word stays."""
    chance = percent(estimate.value[0])
    if estimate.draws is None:
        return f"**{plain(word)}** stays with probability **{chance}** (exact)."
    return (
        f"**{plain(word)}** stays with probability **{chance}** "
        f"({CONFIDENCE:.0%} interval {percent(estimate.low[0])} to {percent(estimate.high[0])}, "
        f"from {estimate.draws:,} draws)."
    )


def how_to_read_replacements(result: Replacements) -> str:
    """One line on the table of replacements."""
    where = (
        "exact, from the mechanism's law"
        if result.probability.draws is None
        else f"from {result.probability.draws:,} draws, each with its own {CONFIDENCE:.0%} interval"
    )
    return (
        "How to read this: each row is a word that can come out, the likeliest first, and how far "
        f"it lies from the word you typed. Probabilities are {where}."
    )


DISSOLVE_HELP = (
    "The whole range of the slider in one picture, with one draw of the randomness a word. "
    "Opening it draws your words once more, and that counts."
)


def dissolve_finding(result: Dissolution, epsilon: float) -> str:
    """What the figure of a sentence over all ε shows, in one sentence."""
    total = len(result.word_ids)
    left, right = (result.unchanged_at(end) for end in (result.low, result.high))
    low, high = (number(float(f"{result.drawn_near(e):.3g}")) for e in (result.low, result.high))
    ends = f"{left} at the left end (ε = {low}), {right} at the right end (ε = {high})"
    if not result.low <= epsilon <= result.high:
        return f"Of {total} words, as typed stand {ends}. Your ε = {number(epsilon)} lies beyond."
    here = number(result.drawn_near(epsilon))
    if result.drawn_at is not None:
        here += f", the column nearest to {number(epsilon)}"
    return f"{result.unchanged_at(epsilon)} of {total} words stand as typed at ε = {here}; {ends}."


def dissolve_sentence(result: Dissolution, vocabulary: Vocabulary, epsilon: float) -> str:
    """The words along one ε, those that are not as typed in bold; empty outside of the axis."""
    if not result.low <= epsilon <= result.high:
        return ""
    words = (
        plain(vocabulary.words[word]) if word == typed else f"**{plain(vocabulary.words[word])}**"
        for word, typed in zip(result.released_at(epsilon), result.word_ids, strict=True)
    )
    return f"The draw at ε = {number(result.drawn_near(epsilon))}: {' '.join(words)}"


def dissolve_scope(mechanism: Mechanism, result: Dissolution, known: int) -> str:
    """Which words are shown, and whether one draw is followed or many stand side by side."""
    scope = "A draw of its own, not one of the versions above. "
    scope += "Words that the mechanism does not draw (unknown ones, signs) have no row. "
    if known > len(result.word_ids):
        scope += f"Shown are the first {len(result.word_ids)} of {known} words. "
    if result.drawn_at is None:
        return scope + (
            "One draw of the randomness a word is held fixed, and only its size changes with ε."
        )
    return scope + (
        f"The randomness of {mechanism.name} changes shape with ε, so no draw can be followed: "
        f"each of the {len(result.drawn_at)} columns is an independent draw at its own ε, and "
        "neighbours differ by chance too."
    )


HOW_TO_READ_DISSOLVE = (
    "How to read this: each row is a word you typed, and each bar the word that comes out instead "
    "over that stretch of ε (grey with dots: the word itself). Follow a row from right to left to "
    "see its word give way; the darker the bar, the farther the new word. The words along the "
    "vertical line are the sentence at the ε of the slider. Point at a bar (tap it on a phone) to "
    "read its word, its distance, and where it flips."
)


def dissolve_warning(result: Dissolution) -> str:
    """Why such a view is never published."""
    if result.drawn_at is None:
        return (
            "**For teaching only.** The same noise at two ε gives two equations for one unknown, "
            "and the word is found: publish the output at one ε at most. No finite ε covers this "
            "picture, and the count above says so."
        )
    total = number(sum(result.drawn_at))
    return (
        f"**For teaching only.** Each column tells more about the same words: their ε add up, to "
        f"{total}, and are in the count above. Publish one of them at most."
    )


def guarantee(mechanism: Mechanism, promise: Guarantee) -> str:
    """The card of a guarantee: what it says, in which distance, by which theorem."""
    unit = _per(promise.distance.name)
    lines = [f"**{mechanism.name}: {promise.notion}**"]
    if promise.notion == "none proven":
        lines.append("No bound is proven for these settings.")
    elif promise.notion == "(ε, δ)-DP":
        lines.append(
            f"For any two words, any event is at most {times(promise.epsilon)} likelier under one "
            f"than under the other, plus δ = {number(promise.delta)}."
        )
    else:
        lines.append(
            f"ε = {number(promise.epsilon)}{unit}: no output is more than e^(ε · distance) times "
            "likelier under one word than under another. Close words are hard to tell apart, "
            "distant ones need not be."
        )
    if not promise.holds:
        lines.append("**This promise does not hold.**")
    lines += [plain(condition) for condition in promise.conditions]
    if promise.caveat:
        lines.append(plain(promise.caveat))
    lines.append(f"*{plain(promise.theorem)}*")
    return "\n\n".join(lines)


GUARANTEES_INTRODUCTION = (
    "A promise of differential privacy is a statement about every pair of words and every output: "
    "no output may be much likelier for one word than for another. Here each mechanism is held "
    "against its own promise, exactly where that is possible. One pair of words above the line is "
    "enough to break it; no pair above it is not yet a proof."
)
HOW_TO_READ_DELTAS = (
    "How to read this: δ is the chance with which the promise may fail. The second bar is what the "
    "mechanism needs at least; where it is longer than the first, the claim is false."
)
HOW_TO_READ_AUDITS = (
    "How to read this: *holds* means that there is a proof and that no test contradicts it; "
    "*broken*, that the witness contradicts the claim; *not proven*, that nothing is claimed for "
    "these settings, or nothing was found either way. Each is tested at an ε at which about half "
    "of the words stay."
)


def variant_title(cls: type[Mechanism], variant: str | None) -> str:
    """A mechanism and its variant."""
    return f"{cls.name} ({variant})" if variant else cls.name


def verdict(result: Audit) -> str:
    """What was found, as a heading."""
    title = plain(titled(result.mechanism))
    return {
        "holds": f"✅ {title} keeps its promise",
        "broken": f"❌ {title} breaks its promise",
        "not proven": f"❔ {title}: nothing is proven",
        "refused": f"🚫 {title} refuses these settings",
    }[result.verdict]


def distance_axis(promise: Guarantee) -> str:
    """The distance on the axis: the promise's own for metric DP, else the Euclidean one."""
    return promise.distance.name if promise.notion == "metric DP" else EUCLIDEAN.name


def how_to_read_log_ratios(result: Audit) -> str:
    """One line on the figure of log-ratios."""
    what = (
        "the logarithm of how many times likelier an output can be for one of them than for the "
        "other, the worst output of all"
        if result.pairs is not None and result.pairs.exact
        else "how far their outputs were told apart by draws, at least: a lower bound that holds "
        "for all points at once but for one chance in a million"
    )
    line = "no bound is promised, so there is no line"
    if result.pairs is not None and result.pairs.bound is not None:
        line = "the dashed line is the promise, and no point may lie above it"
    return f"How to read this: each point is a pair of words, and its height {what}; {line}."


def odds(swap: Swap, vocabulary: Vocabulary) -> str:
    """The bound on what an output can do to the odds of one word against another."""
    first, second = (f"**{plain(vocabulary.words[i])}**" for i in (swap.word_id, swap.other_id))
    if swap.word_id == swap.other_id:
        return "Pick two different words to compare them."
    if swap.log_ratio is None:
        return f"No bound on single outputs is proven for {first} against {second}."
    return (
        f"Whatever is released, it can raise the odds of {first} against {second} by at most "
        f"**{times(swap.log_ratio)}** (they are {swap.distance:.2f} apart). "
        f"{_verdict(swap.log_ratio)}"
    )


def sentence_odds(swaps: list[Swap], vocabulary: Vocabulary) -> str:
    """What the guarantee says of a sentence against a neighbouring one of the same length."""
    bounds = [swap.log_ratio for swap in swaps if swap.log_ratio is not None]
    if not bounds:
        return ""
    changes = " and ".join(
        f"**{plain(vocabulary.words[swap.word_id])}** → "
        f"**{plain(vocabulary.words[swap.other_id])}** ({swap.distance:.2f})"
        for swap in swaps
    )
    total = sum(swap.distance for swap in swaps)
    return (
        f"For a whole sentence against another of the same length, the distances add up word by "
        f"word. Yours against the one with {changes}: {total:.2f} in all, so a release can raise "
        f"the odds by at most **{times(sum(bounds))}**; again for every further version."
    )


def derived(quantities: dict[str, float]) -> str:
    """Quantities that follow from the parameters, rounded up."""
    return " · ".join(f"{plain(name)}: {number_up(value)}" for name, value in quantities.items())


def number_up(value: float) -> str:
    """A number with four digits that matter, rounded up: safe as a threshold or a bound."""
    if value == 0 or not math.isfinite(value):
        return number(value)
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - 3)
    return number(math.ceil(value / unit - 1e-9) * unit)


def number(value: float) -> str:
    """A number with four digits that matter."""
    return f"{value:,.4g}" if 1e-4 <= abs(value) < 1e6 or value == 0 else f"{value:.3g}"


def _per(unit: str) -> str:
    return " for " + unit if unit == DISCRETE.name else f" per unit of {unit}"


def _verdict(log_ratio: float) -> str:
    if log_ratio < math.log(3):
        return "That is a strong promise."
    if log_ratio < math.log(100):
        return "That still leaves doubt."
    return "So large a factor hides little: for this pair the promise is weak."


def times(log_factor: float) -> str:
    """e^log_factor in words, rounded up: `3.1 times`, `5 × 10⁷ times`."""
    if log_factor < math.log(10_000):
        factor = math.exp(log_factor)
        digits = 2 if factor < 10 else 1 if factor < 100 else 0
        return f"{math.ceil(factor * 10**digits - 1e-9) / 10**digits:,.{digits}f} times"
    if math.isinf(log_factor):
        return "any number of times"
    exponent, rest = divmod(log_factor / math.log(10), 1)
    return f"{math.ceil(10**rest * 10) / 10:g} × 10{superscript(int(exponent))} times"


def superscript(number: int) -> str:
    """A whole number in raised digits."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def percent(probability: float) -> str:
    """A probability in percent: two digits that matter, never a false 0 or 100."""
    if probability == 0 or probability == 1:
        return f"{probability:.0%}"
    if probability < 1e-4:
        return "< 0.01 %"
    if probability > 1 - 1e-4:
        return "> 99.99 %"
    digits = 2 if min(probability, 1 - probability) < 0.01 else 1
    return f"{100 * probability:.{digits}f} %"


def _token(piece: Piece) -> str:
    mark = MARKS.get(piece.status)
    text = escaped(piece.text)
    if mark is None or not text:
        return text
    lead = text[: len(text) - len(text.lstrip(" "))]  # the gap before a split contraction
    return f'{lead}<span class="{mark.css}" title="{mark.meaning}">{text[len(lead) :]}</span>'


# ----------------------------------------------------------------------------------- deniability

DENIABILITY_INTRODUCTION = (
    "A word is deniable if its private version could have come from other words: it should seldom "
    "stay as it is (**N_w** small), and many words should be able to come out (**S_w** large). "
    "Whoever chooses ε looks at the *worst* word, not the average one. All ε are computed at once: "
    "move the slider, and nothing is computed again."
)
NO_WORDS = (
    "None of these words can be drawn by this mechanism. Choose another sample, or type a text on "
    "the Private sentences page."
)
SUPPORT_HELP = (
    "S_w has three meanings in the papers. *Different words in m draws*: how many different words "
    "are expected among m private versions (m = 1,000 in Feyisetan et al. 2020). *Words that make "
    "up 99 %*: the smallest set of words that holds 99 % of the probability (their η = 0.01). "
    "*Different replacements*: as the first, the unchanged word not counted, as a percentage of m "
    "(m = 100 in the benchmark of Meisenbacher et al. 2024)."
)
HOW_TO_READ_CURVES = (
    "How to read this: the line is the median word, the shade holds nine words of ten, the dots "
    "follow the worst one. The upright line is the ε of the slider."
)
HOW_TO_READ_ONE_WORD = (
    "How to read this: the two statistics of one word for every ε; the upright line is the ε of "
    "the slider."
)


def support_axis(support: Support, draws: int) -> str:
    """S_w in one of its three meanings, as the title of an axis."""
    return {
        "distinct": f"S_w: different words in {draws:,} draws",
        "effective": "S_w: words that make up 99 %",
        "percentage": f"S_w: different replacements, % of {draws:,} draws",
    }[support]


def statistic_value(statistic: str, value: float) -> str:
    """N_w in percent, S_w as a number."""
    return percent(value) if statistic == "N_w" else number(float(f"{value:.4g}"))


def summary(statistic: str, found: Summary, worst: float, word: str) -> str:
    """The finding of a histogram, the worst word first."""
    at_worst, mean, low, high = (
        statistic_value(statistic, value) for value in (worst, found.mean, found.low, found.high)
    )
    what = {
        "N_w": f"**{plain(word)}** stays with {at_worst}",
        "S_w": f"**{plain(word)}** has only {at_worst} outputs",
    }[statistic]
    return f"Worst: {what}. Mean {mean}; 9 of 10 words lie between {low} and {high}."


def without_marks(markdown: str) -> str:
    """Markdown as plain text, for a screen reader."""
    return markdown.replace("**", "").replace("\\", "")


def bar_words(words: list[str], most: int = 60) -> str:
    """The words of one bar of a histogram."""
    shown = ", ".join(plain(word) for word in words[:most])
    more = f", and {len(words) - most} more" if len(words) > most else ""
    return f"In this bar: {shown}{more}." if words else "No word lies in this bar."


def how_to_read_deniability(mechanism: Mechanism, known: Curves, support: Support) -> str:
    """One line on the histograms, and where their numbers come from."""
    words = len(known.unchanged)
    if isinstance(mechanism, LawMechanism):
        source = "Exact, from the mechanism's law"
    elif isinstance(mechanism, RadialNoise):
        error = float(known.unchanged_error.max())
        source = (
            "From 1,000 directions of the noise, its length integrated out; N_w has a standard "
            f"error of {percent(error)} at most, and errors of different words go together, since "
            "they share the directions"
        )
        if support == "effective":
            source += "; S_w is a lower bound, since words that no direction met are missing"
    else:
        source = f"From {DRAWN} draws a word at every ε of a grid"
    return (
        f"How to read this: {words} words, sorted into bars by N_w (left) and S_w (right); the "
        f"dashed lines enclose nine of ten. Click a bar to see its words. {source}."
    )


def curve_finding(statistic: str, epsilons: Floats, middle: Floats) -> str:
    """The finding of a curve over ε, for those who cannot see it."""
    first, last = (statistic_value(statistic, float(middle[i])) for i in (0, -1))
    return (
        f"{statistic} goes from {first} at ε = {epsilons[0]:.3g} to {last} at {epsilons[-1]:.3g}."
    )


def progress(share: float, jobs: int) -> str:
    """What the bar says."""
    queue = f"; {jobs} computations share this machine" if jobs > 1 else ""
    return f"Computing all ε at once: {share:.0%} of the words{queue}"


def stopped(share: float) -> str:
    """What stands where a computation was stopped."""
    return f"Stopped at {share:.0%} of the words. What is there stays, and can be used."


def demand(wish: Demand, words: int) -> str:
    """A demand in words."""
    scope = "on average" if wish.over == "mean" else f"for every one of the {words} words"
    return {
        "stays at most": f"N_w at most {percent(wish.value)} {scope}",
        "stays at least": f"N_w at least {percent(wish.value)} {scope}",
        "stays about": f"about {percent(wish.value)} of the words kept",
        "outputs at least": f"S_w at least {wish.value:g} {scope}",
    }[wish.kind]


def chosen(choice: Choice, demands: list[Demand], words: list[str]) -> str:
    """The ε found, its interval and the words that decide it; or what fails, and by how much."""
    wishes = "; ".join(demand(wish, len(words)) for wish in demands)
    if choice.epsilon is None:
        missed = demands[choice.failing or 0]
        unit = (
            percent(choice.missed_by)
            if missed.kind.startswith("stays")
            else (f"{choice.missed_by:.3g} outputs")
        )
        return (
            f"**No ε does that.** Asked for: {wishes}. Where the others are met best, "
            f"*{demand(missed, len(words))}* is missed by {unit}."
        )
    stretches = " and ".join(f"{a:.3g} to {b:.3g}" for a, b in choice.intervals)
    decided = ", ".join(dict.fromkeys(f"**{plain(words[i])}**" for i in choice.deciding))
    interval = (
        "exact"
        if choice.low == choice.high
        else f"{choice.low:.4g} to {choice.high:.4g} within two standard errors"
    )
    return (
        f"### ε = {choice.epsilon:.4g}\n\nThe largest ε with {wishes} ({interval}). Decided by "
        f"{decided}. All ε that meet it: {stretches}."
    )


# ---------------------------------------------------------------------------------------- γ page

GAMMA_INTRODUCTION = (
    "TEM looks at the words within a distance γ of yours, its *ball*, and treats all words farther "
    "away alike. Theorem 4.2 says how γ, ε and the chance β of leaving the ball go together: any "
    "two of them give the third. Privacy is the same at every γ. So take the γ of the theorem: a "
    "smaller one lets far words out more often, a larger one changes little."
)
GAMMA_TERMS = (
    "- **ε** is the privacy budget per unit of distance. Smaller: more private, more random.\n"
    "- **γ** is the radius of the ball, in the units of the embedding.\n"
    "- **β** is the largest chance, over all words, that what comes out lies outside the ball.\n"
    "- **|W|** is the number of words in the vocabulary.\n"
    "- **L_w** are the words in the ball of a word w, itself included.\n\n"
    "Privacy comes from ε alone: TEM is ε-metric-DP at **every** γ. What γ decides is how far the "
    "words that come out may lie."
)
FIND = {"gamma": "γ", "beta": "β", "epsilon": "ε"}


def theorem(found: Theorem, sought: str) -> str:
    """The answer, as a heading."""
    if found.words == 1:
        return "With a single word there is nothing to leave: any γ will do"
    if sought == "gamma" and found.gamma <= 0:
        return f"Any γ will do (the theorem gives {number_up(found.gamma)}, not above 0)"
    symbol, value = {
        "gamma": ("γ", found.gamma),
        "beta": ("β", found.beta),
        "epsilon": ("ε", found.epsilon),
    }[sought]
    return f"{symbol} = {number_up(value)}"


def theorem_meaning(found: Theorem, sought: str) -> str:
    """What the answer promises, in a sentence, with the edge cases explained."""
    if found.words == 1:
        return "The only word always comes out. Type a larger |W|, or leave it empty."
    if sought != "gamma" and found.gamma == 0:
        return (
            f"With γ = 0 the ball holds the word alone, and all {found.words:,} words are equally "
            f"likely, whatever ε is. So the word is left {found.others:,} times out of "
            f"{found.words:,}: β = {number_up(found.beta)}."
        )
    if found.gamma <= 0:
        return (
            f"A draw that takes all {found.words:,} words for alike leaves the word with "
            f"probability {found.others:,}/{found.words:,}, and that is within β = "
            f"{number(found.beta)} already. TEM then takes γ = 0, and every word is equally likely."
        )
    return (
        f"Rounded up. With ε = {number_up(found.epsilon)}, TEM leaves the ball of radius "
        f"γ = {number_up(found.gamma)} with probability at most β = {number_up(found.beta)}, "
        f"whatever the word, in any vocabulary of {found.words:,} words."
    )


def gamma_among_distances(gamma: float, marks: Landmarks | None) -> str:
    """What a ball of this radius holds, judged by typical distances."""
    if marks is None:
        return ""
    if gamma < marks.nearest:
        holds = (
            "The ball of a typical word holds that word alone, so it mostly comes out unchanged: "
            "for deniability take a smaller ε, which makes γ larger."
        )
    elif gamma < marks.tenth:
        holds = "The ball of a typical word holds a few close words."
    elif gamma < marks.any_two:
        holds = "The ball of a typical word holds tens to thousands of words."
    else:
        holds = (
            "The ball of a typical word holds more than half of the vocabulary: at this ε hardly "
            "any word is cut off, and TEM does what SanText does."
        )
    return (
        f"{holds} (In the loaded vocabulary, typically: nearest word {marks.nearest:.2f} away, "
        f"10th nearest {marks.tenth:.2f}, two words at random {marks.any_two:.2f}.)"
    )


def distance_marks(marks: Landmarks | None) -> dict[str, float]:
    """Typical distances by the names that a figure shows."""
    if marks is None:
        return {}
    return {"nearest word, typically": marks.nearest, "two words at random": marks.any_two}


def gamma_curves_finding(found: Theorem) -> str:
    """The figure of γ against ε in a sentence."""
    return (
        f"γ falls as 1/ε: twice the ε halves it. β matters little: for {found.words:,} words, a β "
        "ten times smaller raises γ by 4.6/ε only. "
        f"Chosen: ε = {number_up(found.epsilon)}, γ = {number_up(found.gamma)}."
    )


HOW_TO_READ_GAMMA_CURVES = (
    "How to read this: pick ε on the horizontal axis, go up to the curve of your β, and read γ at "
    "the left; both axes are logarithmic. The dotted lines are distances in the loaded vocabulary: "
    "a γ below the lower one leaves most words alone in their ball."
)


def derivation(found: Theorem, sought: str) -> str:
    """Theorem 4.2 step by step, with the numbers of the moment."""
    if found.words == 1 or not math.isfinite(found.gamma):
        return "With a single word there is nothing outside the ball, and nothing to derive."
    e, g, b, k = (_tex(v) for v in (found.epsilon, found.gamma, found.beta, found.others))
    weight, outside = _tex(found.outside_weight), _tex(found.all_outside)
    chance = rf"\dfrac{{{outside}}}{{1 + {outside}}} = {b}"
    steps = [
        "**1. Weights.** TEM draws each word by a weight: 1 for the word itself, "
        r"$e^{-\varepsilon d/2}$ for a word at distance $d$ inside the ball, and for every word "
        "outside, however far,"
        f"\n\n$$e^{{-\\varepsilon\\gamma/2}} = e^{{-{e} \\cdot {g} / 2}} = {weight}.$$",
        "**2. The worst case.** The word is alone in its ball, and all others, "
        f"$K = |W| - 1 = {k}$, are outside. Any further word inside would take weight from "
        "outside and give more of it to the inside, so the ball would be left less often.",
        "**3. The chance to leave** is the weight outside over all weight:"
        "\n\n$$\\dfrac{K e^{-\\varepsilon\\gamma/2}}{1 + K e^{-\\varepsilon\\gamma/2}} = "
        f"{chance}.$$",
    ]
    if sought == "beta":
        steps.append("That is β, and nothing is left to solve.")
        return "\n\n".join(steps)
    logarithm = _tex(found.epsilon * found.gamma / 2)
    solved, by, value = (
        (r"\gamma", r"\varepsilon", g) if sought == "gamma" else (r"\varepsilon", r"\gamma", e)
    )
    other = e if sought == "gamma" else g
    steps += [
        "**4. It shall be at most β.** Multiply by the denominator and sort:"
        "\n\n$$e^{\\varepsilon\\gamma/2} \\ge \\dfrac{(1 - \\beta) K}{\\beta} = "
        f"\\dfrac{{(1 - {b}) \\cdot {k}}}{{{b}}} = {_tex(found.odds)}.$$",
        f"**5. Take logarithms and solve for ${solved}$:**"
        f"\n\n$${solved} \\ge \\dfrac{{2}}{{{by}}} \\ln \\dfrac{{(1 - \\beta) K}}{{\\beta}} = "
        f"\\dfrac{{2}}{{{other}}} \\cdot {logarithm} = {value}.$$",
        "**6. Check.** Step 3 already has these numbers in it and gives β again. On screen the "
        "answer is rounded up, so that the promise holds with what you copy; the mechanism itself "
        "computes with all digits.",
    ]
    return "\n\n".join(steps)


def balls_finding(found: Balls, bound: float, vocabulary: Vocabulary) -> str:
    """Sampled words against the bound: the worst, the typical, and those that are alone."""
    size, total = len(vocabulary), len(found.word_ids)
    worst = found.worst
    name = plain(vocabulary.words[found.word_ids[worst]])
    alone = int((found.inside == 1).sum())
    whole = int((found.inside == size).sum())
    if found.leaving[worst] == 0:
        return (
            f"None of {total} words can leave its ball: γ is so large that each ball holds all "
            f"{size:,} words. γ then cuts nothing off."
        )
    parts = [
        f"The worst of {total} words is **{name}**: it leaves its ball of "
        f"{found.inside[worst]:,} {_words(found.inside[worst])} with probability "
        f"**{number_up(float(found.leaving[worst]))}**; the bound is {number_up(bound)}."
    ]
    if bound > 0 and not whole:
        share = sorted(found.leaving / bound)[total // 2]
        parts.append(f"The word in the middle reaches {percent(min(1.0, float(share)))} of it.")
    if alone:
        parts.append(
            f"Alone in the ball: {alone} of {total}; such a word comes out unchanged unless the "
            "ball is left, and meets the bound exactly."
        )
    if whole:
        parts.append(
            f"For {whole} of {total} the ball holds the whole vocabulary: it cannot be left, and γ "
            "cuts nothing off."
        )
    return " ".join(parts)


def unknown_words(words: list[str]) -> str:
    """Words that a visitor named and the vocabulary lacks."""
    return f"Not in this vocabulary: {', '.join(plain(word[:40]) for word in words)}."


def theorems_gamma(gamma: float) -> str:
    """The theorem's γ in a legend."""
    return f"theorem, γ = {number_up(gamma)}"


def own_gamma(gamma: float) -> str:
    """A γ of one's own in a legend."""
    return f"own, γ = {number(gamma)}"


def gamma_marks(gamma: float, own: float | None) -> dict[str, float]:
    """The γ that a figure over γ marks."""
    marks = {theorems_gamma(gamma): gamma}
    return marks if own is None else marks | {own_gamma(own): own}


def own_gamma_finding(own: Balls, gamma: float, bound: float, theorem_gamma: float) -> str:
    """What a γ of one's own changes, in words."""
    side = "below" if gamma < theorem_gamma else "above" if gamma > theorem_gamma else "equal to"
    return (
        f"Your γ = {number(gamma)} is {side} the theorem's {number_up(theorem_gamma)}: it bounds "
        f"the chance to leave by β = {number_up(bound)}, and the worst of these words leaves with "
        f"probability {number_up(float(own.leaving[own.worst]))}. On average they stay as they are "
        f"with probability {percent(float(own.unchanged.mean()))}."
    )


HOW_TO_READ_LEAVING = (
    "How to read this: each point is a word. The farther right, the more words its ball holds; the "
    "height is the exact probability that what comes out lies outside. No point of the theorem's γ "
    "can lie above the dashed line; a word lies below it by the weight of its close neighbours."
)
HOW_TO_READ_BY_GAMMA = (
    "How to read this: every γ for one word at the ε above. At γ = 0 all words are alike. As γ "
    "grows the ball is left less often, never more often than the dashed bound, and the word stays "
    "more often; beyond its farthest word a larger γ changes nothing."
)


def by_gamma_finding(word: str, gamma: float, own: float | None) -> str:
    """The figure of one word at every γ, in a sentence."""
    line = f"{plain(word)}: the chance to leave the ball falls with γ, always under the bound"
    more = "" if own is None else f", and your own γ at {number(own)}"
    return f"{line}. The theorem's γ is {number_up(gamma)}{more}."


# --------------------------------------------------------------------------------- neighbours page

NEIGHBOURS_INTRODUCTION = (
    "Noise is measured in the same distances that separate words. Where words lie close together a "
    "little noise is enough to replace one; where they lie far apart the same noise does nothing."
)


def no_such_word(typed: str, offered: list[str]) -> str:
    """What to do where a word is not in the vocabulary."""
    names = ", ".join(f"**{plain(word)}**" for word in offered)
    if not typed.strip():
        return f"Type a word above to see its neighbourhood, such as {names}."
    return (
        f"**{plain(typed[:40])}** is not in this vocabulary. Type another word, such as {names}, "
        "or load a larger vocabulary."
    )


def reach_finding(result: Reach, mechanism: Mechanism, word: str) -> str:
    """How far a word is moved, and how many words lie there."""
    name = plain(word)
    if result.moved == "noise":
        what = (
            f"{mechanism.name}'s noise at ε = {number(mechanism.epsilon)} is typically "
            f"**{number(result.median)}** long (nine times in ten between {number(result.low)} and "
            f"{number(result.high)}). It can reach words within twice its length: "
            f"**{result.within_reach:,}** {_words(result.within_reach)} for {name}."
        )
    else:
        what = (
            f"{mechanism.name} adds no noise: it chooses by distance. At ε = "
            f"{number(mechanism.epsilon)}, **{name}** stays with probability "
            f"{percent(result.stays)}; in nine draws of ten the word that comes out is no farther "
            f"than {number(result.high)}."
        )
    how = "Exact." if result.draws is None else f"From {result.draws:,} draws."
    return f"{what} {how}"


def moved(result: Reach) -> str:
    """What the lower half of the figure shows."""
    return "length of the noise" if result.moved == "noise" else "distance of what comes out"


def how_to_read_reach(result: Reach, gamma: float | None) -> str:
    """One line on the figure of reach."""
    if result.moved == "noise":
        shaded = "the shaded band is where nine of ten noises end"
        why = (
            " In many dimensions noise flies past almost every word, so a word can survive noise "
            "longer than the way to its neighbours; far to the right of them it does not."
        )
    else:
        why = ""
        shaded = "the curve below leaves out the draws that give the word itself"
    if gamma is None:
        line = "TEM's γ is not drawn, since this ε is not one per unit of Euclidean distance"
    elif gamma > 0:
        line = f"the dashed line is TEM's γ at this ε, {number_up(gamma)}"
    else:
        line = "at this ε any γ will do, so TEM has no line"
    return (
        "How to read this: above, the number of words within a distance ρ of the word; below, how "
        f"far the mechanism moves it, on the same axis; {shaded}; {line}.{why}"
    )


def map_note(near: Neighbourhood, out: Outputs, word: str) -> str:
    """How the map was made, and how much of the law it shows."""
    shares = out.of(near.word_ids)
    source = {
        "law": "exact, from the mechanism's law",
        "path": f"averaged over {out.count:,} directions of the noise",
        "draws": f"the share of {out.count:,} draws; a hollow point was never drawn",
    }[out.source]
    return (
        f"The {len(near.word_ids) - 1} words nearest to **{plain(word)}**, found in all "
        f"dimensions. The plane keeps {percent(near.spread)} of their spread, so distances on it "
        f"mislead: hover for the true ones. **{plain(word)}** itself comes out with probability "
        f"**{percent(float(shares[0]))}**, the words shown together with "
        f"{percent(min(1.0, float(shares.sum())))}. Probabilities are {source}."
    )


HOW_TO_READ_MAP = (
    "How to read this: each circle is a word, and its area the probability that it comes out; the "
    "word you chose has the thick ring. Click any other word to walk there."
)


def percentiles_finding(name: str, found: NeighbourDistances) -> str:
    """The percentiles of one embedding, in a sentence."""
    count, size = len(found.word_ids), found.vocabulary_size
    words = f"all {size:,} words" if count == size else f"{count:,} of {size:,} words"
    low, middle, high = found.percentiles[[0, 2, 4], 0]
    last = found.percentiles[2, -1]
    return (
        f"**{plain(name)}**, {words}: the nearest neighbour is {middle:.2f} away in the middle "
        f"(5 % of words have it within {low:.2f}, 5 % farther than {high:.2f}); neighbour number "
        f"{found.percentiles.shape[1]:,} is {last:.2f} away."
    )


HOW_TO_READ_PERCENTILES = (
    "How to read this: at k = 10 the solid line is the distance that half of the words need to "
    "reach their tenth neighbour; the dotted lines are the 5 % in the densest and the 5 % in the "
    "sparsest places. A flat curve means that the first neighbour is about as far as the "
    "thousandth: little noise changes nothing, a little more gives almost any word. (Figure 1 of "
    "Feyisetan et al. 2020, for this embedding; exact distances.)"
)
HOW_TO_READ_DENSITY = (
    "How to read this: the distance to the 1st, 10th and 100th neighbour; ordered by the 10th, "
    "among the words of the figure above."
)


def adaptation_finding(found: Adaptation) -> str:
    """Which of the two follows density more, in a sentence with the numbers."""
    mean = percent(float(found.unchanged[0].mean()))
    first, second = found.correlation
    (a, b), (c, d) = found.range
    wide, narrow = ("CMP", "TEM") if b - a >= d - c else ("TEM", "CMP")
    return (
        f"Both at the same mean N_w of {mean} (CMP at ε = {found.epsilon[0]:.3g}, TEM at ε = "
        f"{found.epsilon[1]:.3g}). Under both, words in sparse places stay more often (rank "
        f"correlation {first:.2f} for CMP, {second:.2f} for TEM). Eight words of ten stay with "
        f"{percent(a)} to {percent(b)} under CMP and with {percent(c)} to {percent(d)} under TEM: "
        f"{wide} spreads wider than {narrow}."
    )


def how_to_read_adaptation(found: Adaptation) -> str:
    """One line on the scatter of N_w against density."""
    return (
        f"How to read this: each of {len(found.word_ids)} sampled words is one circle (CMP) and "
        "one diamond (TEM). CMP's noise is equally long everywhere, so its N_w follows the "
        "distance to the neighbours; TEM weighs every word by its own distance. Where "
        "one kind of point climbs less steeply to the right, that mechanism makes up for density. "
        "TEM's N_w is exact, CMP's averaged over directions."
    )


def _words(count: int) -> str:
    return "word" if count == 1 else "words"


def _tex(value: float) -> str:
    """A number in a formula."""
    if value == 0 or not math.isfinite(value):
        return r"\infty" if value > 0 else "0" if value == 0 else r"-\infty"
    exponent = math.floor(math.log10(abs(value)))
    if -4 <= exponent < 6:
        text = f"{value:,.5g}" if exponent < 5 else f"{value:,.0f}"
        return text.replace(",", r"{,}")
    return rf"{value / 10.0**exponent:.3f} \times 10^{{{exponent}}}"


# ------------------------------------------------------------------ the printed numbers, recomputed

RECOMPUTED_INTRODUCTION = (
    "The benchmark of Meisenbacher et al. (2024) prints N_w and S_w of 25 random words with 100 "
    "draws each, over the words of IMDb reviews. Here are the same two statistics over 500 words "
    "of that vocabulary, for every variant: exact where a law is known. Rows named *slip* try a "
    "mistake that may explain a printed number."
)
HOW_TO_READ_RECOMPUTED = (
    "How to read this: all values in percent, in 50 dimensions; S_w is the number of different "
    "replacements among 100 draws. *Of 25 words* is where 99 of 100 samples of 25 words would lie: "
    "a printed number outside it needs an explanation. Where none can be proven, it says so."
)


# ------------------------------------------------------------------------- the CMP paper's claim

CLAIM = (
    "Feyisetan et al. (2020, Section 4.1) write of GloVe in 50 dimensions at ε = 5: no word gives "
    f"fewer than {cmp_claim.FEWEST} different words in {cmp_claim.RUNS:,} runs, and none is "
    f"returned more than {cmp_claim.MOST} times. Tested on all 400,000 entries, by the ε path:"
)


def claim_finding(found: Finding) -> str:
    """What one sample of words says of the claim."""
    who = {"frequent": "most frequent entries", "random": "random entries"}[found.sample]
    numbers = f"at least {found.fewest:.0f} different words and at most {found.most:.0f} returns"
    close = ""
    if found.undecided:
        words = ", ".join(plain(word) for word, *_ in found.undecided)
        close = f" Beyond a limit by less than two standard errors, so undecided: {words}."
    if not found.breaking:
        return (
            f"✅ **The {found.words} {who}: none breaks it for certain.** Every one has {numbers}."
            + close
        )
    word, distinct, returned = found.breaking[0]
    return (
        f"❌ **The {found.words} {who}: {len(found.breaking)} of them break it.** The plainest is "
        f"**{plain(word)}**: {distinct:.0f} different words expected, {returned:.0f} returns."
        + close
    )


# ------------------------------------------------------------------------------- the compare page

COMPARE_INTRODUCTION = (
    "One sentence, several mechanisms. The same ε means something else for each of them, so they "
    "are put at the ε where words stay equally often; then look at what is left of the sentence."
)
MODES_HELP = (
    "**Equal privacy**: each column at the ε where words stay equally often on average (mean N_w, "
    "over sampled words). **Equal ε**: one ε for all. **Each its own ε**: set it under Parameters."
)
UNEQUAL_EPSILON = (
    "**ε is not comparable between these columns.** It is a budget *per unit of distance*, and the "
    "mechanisms measure distance differently: along the vectors, in a transformed space, between "
    "clipped points, or not at all. Even for one mechanism it changes with the embedding: CMP's "
    "noise is about d/ε long in d dimensions. Compare at equal privacy instead."
)
SAME_NOISE_HELP = (
    "For teaching: columns with the same mechanism and embedding get the same random numbers, so "
    "that only ε and the parameters differ."
)
SAME_NOISE_WARNING = (
    "**For teaching only.** Columns of the same mechanism share their noise. The same noise at two "
    "ε gives two equations for one unknown, and the word is found: publish one column at most. No "
    "finite ε covers them together, and the count says so."
)
HOW_TO_READ_TRADEOFF = (
    "How to read this: every point of a curve is an ε. To the right, words are replaced more often "
    "(more private); upwards, released words lie nearer to the typed ones (more useful): 1 is the "
    "word itself, 0 as far as a word picked blindly. **At the same place of the lower axis, "
    "the upper curve is better.** The distance moved is used because it is defined for every "
    "mechanism and needs no model; it is divided by the distance to a blind pick, so that "
    "embeddings can be compared. N_w is one side of privacy only: the guarantee is another."
)
CLOSENESS_HELP = (
    "The cosine between the sentence and its versions under a small sentence encoder, computed on "
    "this machine: 1 for the same meaning, near 0 for none in common. One model's opinion. The "
    "first time takes some seconds."
)
SCRIPT_HELP = "Set a seed first (under Vocabulary): without one, no draw can be repeated."
SCRIPT_HOLDS = "It holds your sentence and the seed, and draws the same versions on any machine."
LOOKING_FOR_EPSILON = "The ε of this column is being looked for; see the bar above."
COLUMN_SPENT_HELP = (
    "Every fresh draw counts: each column and version of the same words, and each move of a "
    "control that causes another draw. Pinned and unchanged columns are not drawn again."
)


def comparing(name: str, share: float) -> str:
    """What is being computed, and how far it is."""
    return f"{plain(name)}: following sampled words over all ε, {share:.0%}; next time from disk."


def column_title(label: str, epsilon: float) -> str:
    """What stands over a column once its ε is known."""
    return f"**{plain(label)}** at ε = **{number(float(f'{epsilon:.4g}'))}**"


def compare_text(length: int, most: int) -> str:
    """Why a text cannot be compared."""
    if length > most:
        return f"This text has {length:,} characters; this page takes up to {most:,}. Shorten it."
    return "Type a sentence above, and its private versions appear here side by side."


def spread(statistic: str, found: Summary) -> str:
    """A statistic over the sampled words: mean and 9 of 10 words."""
    mean, low, high = (statistic_value(statistic, v) for v in (found.mean, found.low, found.high))
    return f"{statistic}: mean {mean}; 9 of 10 words {low} to {high}."


def with_half(value: tuple[float, float] | None) -> str:
    """A probability with half of its interval."""
    if value is None:
        return "ε lies beyond the computed range"
    return f"{100 * value[0]:.1f} % ± {max(100 * value[1], 0.1):.1f}"


def no_words_here(label: str) -> str:
    """Why a column has no histogram."""
    return f"{plain(label)}: nothing to show without an ε in the computed range."


HOW_TO_READ_SPREAD = (
    "How to read this: N_w is the chance that a word stays, S_w the number of different words in "
    "100 draws; each bar counts sampled words of the vocabulary, and the dashed line is their "
    "mean. Equal means can hide unequal words: look at the words on the right of N_w."
)
HOW_MEASURED = (
    "**Mean N_w** over the same random words of the vocabulary; its ± is two standard errors, as "
    "if all words shared one error, and what reading between the curve's points adds. **Words "
    "kept** "
    "and **distance moved**: the sentences on screen, averaged over their versions. **Of the way "
    "to a random word**: the distance divided by that to a word picked blindly, so that "
    "embeddings can be compared. **Milliseconds**: the wall-clock time of the draw on screen, all "
    "versions together, divided by their number; on this server, after one draw to warm up. It "
    "varies with the server's load."
)


def out_of_reach(match: Match, mechanism: Mechanism, target: float, epsilons: Floats) -> str:
    """Why a mechanism has no ε at this mean N_w, and what it reaches over the ε (E,) tried."""
    name = plain(titled(mechanism))
    tried = f"from {number(float(epsilons[0]))} to {number(float(epsilons[-1]))}"
    if match.high - match.low < 5e-4:
        reach = f"its mean N_w is about {percent(match.high)} at every ε {tried}"
    else:
        ends = f"{percent(match.low)} to {percent(match.high)}"
        reach = f"over ε {tried} its mean N_w reaches {ends}"
    return f"**{name}** cannot keep {percent(target)} of words on average: {reach}."


def promise(found: Guarantee) -> str:
    """A guarantee in a line: what, how much, and whether it holds."""
    if found.notion == "none proven":
        return "❔ nothing is proven"
    size = f"ε = {number(found.epsilon)}{_per(found.distance.name)}"
    if found.notion == "(ε, δ)-DP":
        size += f", δ = {number(found.delta)}"
    return f"{'✅ holds' if found.holds else '❌ does not hold'}: {found.notion}, {size}"


def tradeoff_finding(curves: dict[str, Tradeoff], privacy: float) -> str:
    """Which curve is the upper one at a privacy, in a sentence."""
    found = []
    for name, curve in curves.items():
        if (at := curve.at_privacy(privacy)) is not None:
            found.append((*at, name))
    where = f"Where {percent(privacy)} of words are replaced on average"
    if not found:
        return f"{where}, none of these mechanisms has a point."
    found.sort(reverse=True)
    values = ", ".join(
        f"{plain(name)} {value:.3f}{f' ± {error:.3f}' if error else ' (from its law)'}"
        for value, error, name in found
    )
    if len(curves) == 1:
        return f"{where}, closeness is {values}. Columns that differ in ε only are one curve."
    if len(found) == 1:
        return f"{where}, closeness is {values}; the others cannot get there."
    (_, _, best), (_, _, second) = found[:2]
    lead = curves[best].lead(curves[second], privacy)
    assert lead is not None
    by = f"{max(lead[0], 0):.3f} ± {lead[1]:.3f}"
    pair = plain(best), plain(second)
    if lead[0] > max(lead[1], 5e-4):
        return (
            f"{where}, **{pair[0]} keeps words closest**, by {by} before {pair[1]}. "
            f"Closeness there: {values}."
        )
    return (
        f"{where}, **{pair[0]} and {pair[1]} cannot be told apart** (they differ by {by}). "
        f"Closeness there: {values}."
    )


def tradeoff_scope(words: dict[str, int]) -> str:
    """Over which words the curves were taken."""
    counts = ", ".join(f"{plain(name)} {count}" for name, count in words.items())
    text = f"Over random words of the vocabulary, always the same ones ({counts})."
    if len(set(words.values())) > 1:
        text += " Where there are fewer, the mechanism treats the others as unknown words."
    return text
