"""Text to safe markup: private sentences with their marks, and numbers as people read them.

Whatever comes from a visitor or an embedding is escaped here, once, and nowhere else. Control
characters are shown as their pictures, and the direction of a text cannot leak out of its box.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mechanisms import MECHANISMS, Guarantee, Mechanism
from mechanisms.base import DISCRETE
from mechanisms.cleaning import ENTITIES, INVISIBLE, TAGS
from mechanisms.composition import Bound, DocumentPromise
from mechanisms.text import Piece, PrivateText, Status
from pages.shared.ledger import Spent
from release.grammar import counted, enumerated, verb
from release.unprotected import released_as_typed


class Mark(NamedTuple):
    """How a token with a status looks: its class, and what it means."""

    css: str
    sample: str
    meaning: str


# Told apart by weight, line and frame; colour only helps.
MARKS = {
    Status.CHANGED: Mark("wv-changed", "word", "replaced by the mechanism"),
    Status.UNCHANGED: Mark("wv-unchanged", "word", "drawn, and came out the same"),
    Status.REPLACED: Mark("wv-replaced", "word", "drawn in place of an unknown word"),
    Status.MASKED: Mark("wv-masked", "[…]", "mask of an unknown word"),
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
.wv-legend > span { margin-right: 1.4em; }
.wv-ends { display: flex; justify-content: space-between; font-size: .85rem; line-height: 1.3;
  margin-top: -.6rem; }
.wv-ends > span:last-child { text-align: right; }
.wv-headline { font-size: 1.05rem; margin: 0 0 1.2rem 0; }
.wv-version + .wv-legend { margin-top: 1rem; }
.wv-invisible { color: #c4262e; }
</style>"""


# The pictures that Unicode has for control characters; tab and line break keep their function.
_PICTURES = {i: 0x2400 + i for i in range(32) if chr(i) not in "\t\n"} | {0x7F: 0x2421}


def escaped(text: str) -> str:
    """Text as markup that shows it as typed: no tags, no control characters."""
    return html.escape(text.translate(_PICTURES), quote=True)


# Markdown makes links of addresses on its own, whatever is escaped. A word joiner, which nobody
# sees, keeps it from that.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)


_AS_TYPED = {
    **{ord(sign): f"\\{sign}" for sign in r"\`*_{}[]<>()#+-.!|~$:&^="},
    **_PICTURES,
    ord("\n"): " ",
    ord("\t"): " ",
}


def plain(text: str) -> str:
    """Text as Markdown that shows it as typed."""
    return _ADDRESS.sub("\u2060", text).translate(_AS_TYPED)


def versions_markup(private: PrivateText) -> str:
    """The private versions, their tokens marked by what happened to them."""
    return "".join(
        f'<div class="{"wv-version wv-first" if number == 0 else "wv-version"}" dir="auto">'
        f"<bdi>{''.join(map(_token, pieces))}</bdi></div>"
        for number, pieces in enumerate(private.versions)
    )


def headline(private: PrivateText) -> str:
    """The number of unprotected tokens, first of all, and what was removed or decoded."""
    count, total = private.unprotected_count, private.token_count
    said = []
    if count:
        kept = released_as_typed(count, total, private.unknown, mark="dotted frame")
        said.append(f"<strong>{kept}</strong>")
    said += ["No token is left."] if total == 0 else _fates(private)
    if hidden := private.noticed[INVISIBLE]:
        said.append(f'<strong class="wv-invisible">{invisible(hidden)}</strong>')
    for what, name, fate in ((TAGS, "HTML tag", "left out"), (ENTITIES, "HTML entity", "decoded")):
        if n := private.noticed[what]:
            said.append(f"{counted(n, name)} {verb(n, 'was', 'were')} {fate}.")
    return f'<p class="wv-headline">{" ".join(said)}</p>'


def _fates(private: PrivateText) -> list[str]:
    """How many known words were drawn, how many of them came out as typed, and the unknown ones."""
    statuses = [[piece.status for piece in version] for version in private.versions]
    first = statuses[0]
    drawn = sum(status in (Status.CHANGED, Status.UNCHANGED) for status in first)
    same = [each.count(Status.UNCHANGED) for each in statuses]
    if not drawn:
        said = ["No known word was drawn."]
    else:
        span = f"{min(same):,}" if min(same) == max(same) else f"{min(same):,} to {max(same):,}"
        were = verb(drawn, "was", "were")
        said = [f"{counted(drawn, 'known word')} {were} drawn; {span} came out unchanged."]
    fates = (
        (Status.REPLACED, "replaced"),
        (Status.MASKED, "masked"),
        (Status.DROPPED, "left out"),
    )
    for status, fate in fates:
        if unknown := first.count(status):
            were = verb(unknown, "was", "were")
            said.append(f"{counted(unknown, 'unknown word')} {were} {fate}.")
    return said


def invisible(count: int, fate: str = "removed") -> str:
    """What was or will be removed of a text that no reader sees."""
    they = "it" if count == 1 else "they"
    return f"{counted(count, 'invisible character')} {fate}: {they} can identify the author."


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
    "If you choose one version after seeing several, all of them count, and their ε add up. A draw "
    "caused by moving a control counts too. Showing the same draw again costs nothing. This ε is "
    "for one word in one place. Over a whole text, the ε of all its words add up, and every "
    "occurrence of a word counts. To keep ε low, draw only the version that you release."
)
NEW_COUNT_HELP = "Starts a new count, for a new secret. It does not take back earlier releases."
SLIDER_ENDS = (
    "From left to right, words stay unchanged more and more often: about 1 % to about 99 % of the "
    "time, if the mechanism can reach that. The ends are estimated for this mechanism from a small "
    "sample of the vocabulary."
)
EMPTY_PARAMETER = "If the box is empty, WordVeil uses the computed value that it shows in grey."
COMPUTED = "computed"


def computed(value: float) -> str:
    """The value of a parameter whose box is empty."""
    return number_up(value)


def embedding(name: str, dimensions: int, words: int) -> str:
    """The embedding in force."""
    return f"Embedding: **{plain(name)}**, {words:,} words as points in {dimensions} dimensions."


def not_measured(measured: Iterable[str]) -> str:
    """The mechanisms that a shipped table has no row of; empty if there is none."""
    there = set(measured)
    absent = [cls.name for cls in MECHANISMS if cls.name not in there]
    if not absent:
        return ""
    return f"Not measured in this table: {', '.join(absent)}."


def no_gamma(having: Sequence[str], mechanism: str) -> str:
    """Which mechanisms have a γ, for one that has none."""
    has = verb(len(having), "has", "have")
    return f"Only {enumerated(having)} {has} a γ; {mechanism} has none."


def epsilon_ends(low: float, high: float) -> str:
    """The labels under the ends of an ε slider."""
    return (
        '<div class="wv-ends"><span>'
        f"{low:g}<br>more random</span><span>{high:g}<br>more faithful</span></div>"
    )


def in_short(mechanism: Mechanism) -> str:
    """A mechanism and its ε: `TEM, ε = 3.1`."""
    return f"{mechanism.name}, ε = {number(mechanism.epsilon)}"


def spent(account: Spent) -> str:
    """The ε of every version that was shown so far: one of them may be picked."""
    promise = account.promise
    total = enumerated([amount(*each) for each in promise.epsilon.items()]) if promise else "0"
    open_ended = account.unbounded or account.over_all_epsilon
    shown, were = counted(account.draws, "version"), verb(account.draws, "was", "were")
    said = [
        f"**ε of all versions so far: {'no bound' if open_ended else total}** ({shown} of your "
        f"words {were} shown)."
    ]
    if versions := account.unbounded:
        said.append(f"No bound is proven for {counted(versions, 'version')}.")
    if pictures := account.over_all_epsilon:
        said.append(f"No ε bounds {counted(pictures, 'sentence')} shown over all ε.")
    if promise is None:
        return " ".join(said)
    if open_ended:
        said.append(f"The other versions add up to ε = {total}.")
    if promise.delta:
        said.append(f"The total δ is {number(promise.delta)}.")
    if promise.gaussian and account.draws > 1:
        said.append(f"For Gaussian noise the total is at most {bound(promise.gaussian)}.")
    return " ".join([*said, *([f"**{plain(promise.warning)}**"] if promise.warning else [])])


def amount(unit: str, epsilon: float) -> str:
    """An ε and the unit that it is stated in."""
    if unit == DISCRETE.name:
        return f"{number(epsilon)} for {unit}"
    return f"{number(epsilon)} per unit of {unit}"


def bound(found: Bound) -> str:
    """ε and δ of one promise."""
    return f"ε = {number(found.epsilon)} at δ = {number(found.delta)}"


def document(promise: DocumentPromise | None) -> str:
    """The promise of some words together, as a noun: total ε and δ, and the bound by μ-GDP."""
    if promise is None:
        return "no promise is proven"
    epsilon = enumerated([_mean_amount(*each) for each in promise.epsilon.items()])
    values = {"epsilon": epsilon, "delta": number(promise.delta)}
    if promise.gaussian:
        values["tight"] = bound(promise.gaussian)
    return _DOCUMENT[promise.delta > 0, promise.gaussian is not None].format(**values)


# One template for each promise of a document: by whether it has a δ, and a bound by μ-GDP.
_DOCUMENT = {
    (False, False): "{epsilon}",
    (True, False): "{epsilon} and δ = {delta}",
    (False, True): "{epsilon} (for Gaussian noise at most {tight})",
    (True, True): "{epsilon} and δ = {delta} (for Gaussian noise at most {tight})",
}


def _mean_amount(unit: str, epsilon: float) -> str:
    if unit == DISCRETE.name:
        return f"ε = {number(epsilon)}"
    return f"ε = {number(epsilon)} per unit of {plain(unit)} (averaged over the words)"


def promise_in_words(promise: Guarantee) -> str:
    """What a guarantee is about, before any number; nothing sounds safer than it is."""
    if promise.notion == "none proven" or not promise.holds:
        return "**Promised: nothing.** No bound is proven for these settings."
    return _PROMISED[promise.distance == DISCRETE, promise.delta > 0]


# One template for each kind of promise: whether for any two words, and whether δ is left out.
_PROMISED = {
    (False, False): (
        "**Promised: doubt about which of two close words was typed. Distant words may be told "
        "apart.** ε decides how much doubt: *Look closer*, below, shows the odds."
    ),
    (False, True): (
        "**Promised, except with a small probability δ: doubt about which of two close words was "
        "typed. Distant words may be told apart.** ε and δ decide how much doubt: *Look closer*, "
        "below, shows the promise."
    ),
    (True, False): (
        "**Promised: doubt about which of any two words was typed.** ε decides how much doubt: "
        "*Look closer*, below, shows the odds."
    ),
    (True, True): (
        "**Promised, except with a small probability δ: doubt about which of any two words was "
        "typed.** ε and δ decide how much doubt: *Look closer*, below, shows the promise."
    ),
}


def guarantee(mechanism: Mechanism, promise: Guarantee) -> str:
    """The card of a guarantee: what it says, in which distance, by which theorem."""
    lines = [f"**{mechanism.name}: {promise.notion}**"]
    if not promise.holds:
        lines.append("**This promise does not hold.**")
    lines.append(_statement(promise))
    lines.append(plain(promise.unknown_promise))
    lines += [plain(condition) for condition in promise.conditions]
    if promise.caveat:
        lines.append(plain(promise.caveat))
    lines.append(f"*{plain(promise.theorem)}*")
    lines.append(plain(mechanism.draws))
    return "\n\n".join(lines)


def _statement(promise: Guarantee) -> str:
    """The bound of a guarantee between two words, in a sentence or two."""
    epsilon = amount(promise.distance.name, promise.epsilon)
    if promise.notion == "none proven":
        return "No bound is proven for these settings."
    if promise.notion == "(ε, δ)-DP":
        return (
            "For any two words, the probability of a set of outputs under one is at most "
            f"{times(promise.epsilon)} that under the other, plus δ = {number(promise.delta)}."
        )
    if promise.notion == "pure DP":
        return (
            f"ε = {epsilon}: no output is more than {times(promise.epsilon)} as likely under one "
            "word as under another, however far apart the two are."
        )
    return (
        f"ε = {epsilon}: no output is more than e^(ε · distance) times as likely under one word as "
        "under another. The closer two words are, the harder they are to tell apart; distant words "
        "may be easy to tell apart."
    )


def variant_title(cls: type[Mechanism], variant: str | None) -> str:
    """A mechanism and its variant."""
    return f"{cls.name} ({variant})" if variant else cls.name


def derived(quantities: dict[str, float]) -> str:
    """Quantities that follow from the parameters, rounded up."""
    return " ".join(f"{plain(_capital(name))}: {number_up(v)}." for name, v in quantities.items())


def _capital(text: str) -> str:
    """A word with a capital; a Greek letter is a symbol and keeps its case."""
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def number_up(value: float) -> str:
    """A number with four digits that matter, rounded up: safe as a threshold or a bound."""
    if value == 0 or not math.isfinite(value):
        return number(value)
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - 3)
    return number(math.ceil(value / unit - 1e-9) * unit)


def number(value: float) -> str:
    """A number with four digits that matter."""
    return f"{value:,.4g}" if 1e-4 <= abs(value) < 1e6 or value == 0 else f"{value:.4g}"


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


def whole_percent(share: float) -> str:
    """A share in whole percent, where no more matters: how far a bar is."""
    return f"{100 * share:.0f} %"


def percent(probability: float) -> str:
    """A probability in percent: two digits that matter, never a false 0 or 100."""
    if probability == 0 or probability == 1:
        return whole_percent(probability)
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


def without_marks(markdown: str) -> str:
    """Markdown as plain text, for a screen reader."""
    return markdown.replace("**", "").replace("\\", "")


def statistic_value(statistic: str, value: float) -> str:
    """N_w in percent, S_w as a number."""
    return percent(value) if statistic == "N_w" else number(float(f"{value:.4g}"))


HOW_TO_READ_DISSOLVE = (
    "How to read this: each row is one typed word. Each bar is the word that comes out over that "
    "range of ε; a grey, dotted bar is the typed word itself. Follow a row from right to left to "
    "see how its word is replaced. The darker a bar, the farther its word is from the typed one. "
    "Read down the vertical line to get the sentence at the ε of the slider. Point at a bar, or "
    "tap it on a phone, to see its word, the distance and the ε."
)
