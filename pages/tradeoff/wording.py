"""The words of the trade-off page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from measures.papers import base_measure_claim, tem_claim
from measures.papers.benchmark_tables import Cell
from measures.papers.gumbel_claim import OWN, PRINTED, RECOMPUTED, Standing
from measures.sweeps.regression import Fit
from measures.sweeps.scores import COUNTED, LOWER, UTILITY, Points, Row
from measures.sweeps.vectors import count_of
from pages.shared.prose import plain
from pages.tradeoff.verdicts import listed
from release.grammar import all_of, counted, nouns, verb

INTRODUCTION = (
    "Text that hides more is less useful. **PUC** combines both in one number; **α** is the weight "
    "of usefulness."
)

VIEWS = {
    "measured": "Measured here",
    "published": "Benchmark's table",
    "regression": "Its regression",
    "claims": "Two claims",
}

A_PRIORI = (
    "**Choose α before you look.** It says how much usefulness is worth to you against privacy. Do "
    "not turn it until a favourite wins: the authors of the score warn of that."
)

ALPHA_HELP = (
    "PUC = α · utility + (1 − α) · privacy, both in percent. Each mechanism is a straight line "
    "over α at one ε, so everything here is exact, and nothing is measured again."
)

COUNTED_HELP = (
    "Accuracy and macro-F1 are utility, as a share of the original text's score. N_w, S_w, PP, CS "
    "and LOW are privacy as the benchmark counts it; a measure that is good when low is turned "
    "round. Its Equation 4 is accuracy and all five."
)

PROTOCOLS = {"private": "private text", "original": "original text"}

PROTOCOLS_HELP = (
    "The benchmark tests on private text: the score of an analyst who never sees an original. The "
    "TEM paper tests on original text: the score of a model that learnt from private text, once in "
    "use."
)

WEIGHTS_HELP = (
    "Within a side only ratios count. All at 1 is the paper's score; it leaves other weights to "
    "further work."
)

HOW_TO_READ_PLANE = (
    "How to read this: a point is a mechanism at one ε, joined over its ε. Right is more private, "
    "up is more useful; bars are 95 % intervals. **Mechanisms with filled points and whole lines "
    "keep their promise; mechanisms with open points and dotted lines keep none.** The grey line "
    "joins equal PUC: points above it would beat the first. It turns with α. Rings mark the Pareto "
    "front: points that no other beats on both sides."
)

HOW_TO_READ_OVER_ALPHA = (
    "How to read this: each mechanism's PUC at every α, at its best ε there. Two mechanisms change "
    "places at the α at which their lines meet (◇ if the lead changes). The vertical line is the α "
    "of the slider."
)

HOW_TO_READ_RANKING = (
    "Each mechanism is at the ε that is best for it at this α. *from* and *to* are the 95 % "
    "interval of the score. *behind by* compares with the first, *at least* and *at most* are the "
    "interval of that difference for all pairs together; only if it excludes 0 can the two be "
    "told apart. *first in* and *ranks* come from resampled errors: how often it is first, and "
    "its ranks in 95 % of resamples. *leads for α*: the α at which it is first on these rows."
)

SCALES = {
    "baseline": "share of the baseline (paper)",
    "chance": "above a coin toss",
    "minmax": "between least and most",
}

SCALES_HELP = (
    "Equation 4 counts accuracy as a share of the accuracy on original text, so a classifier that "
    "tosses a coin keeps most of the utility. *Above a coin toss* counts only the part above a "
    "coin toss. *Between least and most* puts every measure from 0 to 100 over all settings of "
    "this corpus, so that another setting changes the scores of all. The leader can depend on this "
    "choice."
)

HOW_TO_READ_SCALES = (
    "The same rows at this α on three scales. Equation 4 of the paper is the first and the "
    "default. The scale of the figure is chosen under *What counts*."
)

NOTHING_YET = (
    "**There are no results to show yet.** The standard sweep that comes with the project has not "
    "been made here. Make it with `python -m measures.sweeps.sweep results --standard` and `python "
    "-m measures.sweeps.standard results`, run a small one below (about a minute), or show your "
    "own sweep file. The benchmark's own table is there at once, under *Benchmark's table*."
)

RUN_INTRODUCTION = (
    "One mechanism at five ε, spread over the range that matters, on a sample of texts: a few "
    "seconds an ε. The results join the figure."
)

NO_LABELS = (
    "Your file has no column beside its texts, so nothing can be predicted from them. Choose other "
    "texts, or a file with a column of labels."
)


def answers_for(corpus: str, name: str) -> str:
    """Which texts the figure is about, if the visitor has a file."""
    if corpus == "your file":
        return f"These rows are about **{plain(name)}**."
    return (
        f"**These rows are about film reviews ({plain(corpus)}), an example, not about "
        f"{plain(name)}.** Run a sweep of your file below to see its own."
    )


OWN_TABLE_HELP = (
    "CSV with a column of texts and a column of labels. It stays in this session: it is "
    "not kept, not logged and not part of the link."
)

SWEEP_FILE_HELP = (
    "Parquet or CSV with the columns of a sweep, such as the download below. It stays in this "
    "session."
)

HOW_TO_READ_ORDERS = (
    "How to read this: both columns rank the seven mechanisms by PUC at this α, best on top: on "
    "the left as Table 9 prints the scores, on the right as Equation 4 yields them from the "
    "paper's own Tables 3, 6 and 7. A line that is not level marks a mechanism in the wrong place."
)

HOW_TO_READ_TABLE_LINES = (
    "How to read this: lines are PUC at every α, recomputed; crosses are the printed scores, at "
    "the three α of the paper. Each cross should lie on the line of its colour."
)

HOW_TO_READ_COEFFICIENTS = (
    "How to read this: how many points CS rises when a predictor rises by one, the others staying "
    "as they are; bars are 95 % intervals (Student's). If a bar crosses 0, the sign is not known."
)

TERMS = {"const": "constant", "epsilon": "ε", "n_w": "N_w", "s_w": "S_w", "pp": "PP"}

REGRESSION_INTRODUCTION = (
    "The benchmark predicts CS, the similarity in meaning of a sentence and its private version, "
    "from ε, N_w, S_w and PP (its Table 4). Here that is fitted again, on its numbers and on ours."
)

GUMBEL_CLAIM = (
    "**The benchmark says**: with α = 0.75 (truncated) Gumbel is an attractive choice; tuned "
    "towards privacy, it falls well below the top."
)

TEM_CLAIM = (
    "**The TEM paper says**: at ε = 2 on IMDb, a classifier trained on TEM's private text is right "
    "on 75 % of the original test texts, and on 52 % if CMP (Madlib) made the text."
)

HOW_TO_READ_STANDINGS = (
    "*At equal N_w*: each mechanism is read off its own curve at the point at which words stay as "
    "often as under Gumbel. A mechanism that never gets there is not ranked, so fewer are. In the "
    "paper's table a curve has three ε only, so that is a rough reading."
)


AXIS_PRIVACY = "privacy, % (more private →)"


def axis_utility(counted: Sequence[str]) -> str:
    """The title of the axis of utility."""
    named = " and ".join(COUNTED[name] for name in counted if name in UTILITY)
    return f"{named} left, % (more useful →)"


def axes(counted: Sequence[str]) -> str:
    """What stands on the two axes of the plane."""
    private = [
        f"100 − {COUNTED[name]}" if name in LOWER else COUNTED[name]
        for name in counted
        if name not in UTILITY
    ]
    useful = " and ".join(COUNTED[name] for name in counted if name in UTILITY)
    return (
        f"Privacy: the mean of {plain(', '.join(private))}. Utility: {useful} in percent of that "
        "on original text."
    )


# What results were measured with, by the column of a row.
_SETUP = {
    "embedding": "Embedding",
    "classifier": "Classifier",
    "preprocessing": "Preprocessing",
}


def scope(found: Points, rows: Sequence[Row]) -> str:
    """How many texts, repetitions and settings stand behind the figure, and how it was measured."""
    texts = sorted({count for count in found.texts if count})
    repeated = sorted(set(found.repetitions))
    mechanisms = counted(len(dict.fromkeys(found.curve)), "mechanism")
    parts = [f"{counted(len(found), 'setting')} of {mechanisms}"]
    if texts:
        spread = f"{texts[0]:,}" + (f" to {texts[-1]:,}" if len(texts) > 1 else "")
        parts.append(f"{spread} {nouns(texts[-1], 'text')} each{_tested(rows)}")
    times = " to ".join(str(n) for n in dict.fromkeys((repeated[0], repeated[-1])))
    parts.append(f"{times} {nouns(repeated[-1], 'repetition')} each")
    text = f"{'; '.join(parts)}; 95 % intervals."
    for column, name in _SETUP.items():
        values = list(dict.fromkeys(str(row[column]) for row in rows if row.get(column)))
        if values:
            text += f" {name}: {plain(', '.join(values))}."
    if found.left_out:
        reasons = ", ".join(f"{count} {plain(why)}" for why, count in found.left_out.items())
        text += f" Left out: {reasons}."
    return text


def _tested(rows: Sequence[Row]) -> str:
    """How many texts the classifier was tested on, if the rows list them."""
    counts = sorted({count_of(r["accuracy_each"]) for r in rows if r.get("accuracy_each")})
    if not counts:
        return ""
    spread = f"{counts[0]:,}" + (f" to {counts[-1]:,}" if len(counts) > 1 else "")
    return f", of which {spread} are tested on"


def provenance(about: Mapping[str, Any]) -> str:
    """Where the standard sweep comes from."""
    return (
        f"The standard sweep: {counted(int(about['cells']), 'cell')} by `{about['command']}`, "
        f"{plain(str(about['date']))}, on {plain(str(about['machine']))}."
    )


def nothing_left(found: Points) -> str:
    """Why there is no point although there are rows."""
    reasons = ", ".join(f"{count} {plain(why)}" for why, count in found.left_out.items())
    return f"No row has all the measures that count ({reasons}). Choose others."


def running(share: float, left: float | None, others: int) -> str:
    """How far a run is, and how long it takes still."""
    text = f"Measuring: {share:.0%} done"
    if left is not None:
        text += f", about {max(left, 1):.0f} s left"
    return text + (f"; {others} jobs of all visitors share this machine" if others > 1 else "")


def stopped(done: int) -> str:
    """What a run that was stopped leaves."""
    return f"Stopped. The finished part ({done} ε) stays in the figure."


def table_finding(
    printed: Sequence[tuple[str, float]], computed: Sequence[tuple[str, float]], alpha: float
) -> str:
    """Who leads as printed and as recomputed."""
    moved = sum(a != b for (a, _), (b, _) in zip(printed, computed, strict=True))
    first, exact = printed[0][0], computed[0][0]
    where = f"With α = {alpha:g}"
    if not moved:
        return f"{where}, **{plain(exact)}** leads, and the printed order is the recomputed one."
    if first == exact:
        return f"{where}, **{plain(exact)}** leads either way; {moved} of 7 places differ below it."
    return (
        f"{where}, the table prints **{plain(first)}** first. Recomputed, **{plain(exact)}** "
        f"leads; {moved} of 7 places are another mechanism's."
    )


def printed_note(alpha: float, alphas: Sequence[float]) -> str:
    """Where printed scores come from at an α that is not printed."""
    if alpha in alphas:
        return "Printed scores come from Table 9."
    return (
        "Table 9 has α = 0.25, 0.5 and 0.75; at any other α the line through its two nearest "
        "scores is used, since PUC is a straight line over α."
    )


def misprints(cells: Sequence[Cell]) -> str:
    """How many printed cells of a selection do not follow from Equation 4."""
    wrong = sum(cell.differs for cell in cells)
    if not wrong:
        follow = verb(len(cells), "follows", "follow")
        return f"✅ {all_of(len(cells), 'printed cell')} behind this {follow} from Equation 4."
    return (
        f"⚠️ {wrong} of the {counted(len(cells), 'printed cell')} behind this "
        f"{verb(wrong, 'does', 'do')} not follow from Equation 4."
    )


# The fits of the regression view.
REFIT, OWN_FIT = "refitted", "our rows"


def fit_finding(printed_r_squared: float, fits: Mapping[str, Fit], without: Fit) -> str:
    """What the regression says, first of all; `without` is the paper's fit without ε."""
    refit, own = fits[REFIT], fits.get(OWN_FIT)
    share = 100 * (refit.r_squared - without.r_squared)
    text = (
        f"**Table 4 comes out to its last digit** (R² = {refit.r_squared:.3f}, printed "
        f"{printed_r_squared:.3f}) from the paper's rows, once four misprinted values are put "
        "right. N_w, S_w and PP carry it: **without ε, R² falls by "
        f"{share:.1f} points only**, to {without.r_squared:.3f}."
    )
    if own is None:
        return f"{text} Our own sweep has too few rows to fit yet."
    turned = [
        plain(TERMS[term])
        for term, ours, theirs in zip(own.terms, own.estimates, refit.estimates, strict=True)
        if term != "const" and (ours.high < 0 < theirs.low or theirs.high < 0 < ours.low)
    ]
    agree = (
        f"with the opposite sign of {listed(turned)}"
        if turned
        else "with no sign that is clearly another"
    )
    return (
        f"{text} On {counted(own.count, 'row')} from our own sweep, whose mechanisms need ε that "
        f"lie hundreds apart, R² = {own.r_squared:.3f}, {agree}."
    )


REGRESSION_LIMITS = (
    "Rows of one mechanism are not independent, so standard errors come out too small and "
    "intervals too short, in the paper's as in ours. With the values as printed (S_w = 86.0 for "
    "SanText, IMDb, d = 100, ε = 1; three PP with two decimals) the last digits do not come out."
)


def gumbel_finding(found: Sequence[Standing]) -> str:
    """The answer about Gumbel, first of all."""
    lines = []
    for source in (RECOMPUTED, PRINTED, OWN):
        here = [standing for standing in found if standing.source == source]
        if not here:
            continue
        lead, fall = (sum(getattr(one, how) for one in here) for how in ("leads", "falls"))
        lines.append(
            f"- **{source}**: first at α = 0.75 in {lead} of "
            f"{counted(len(here), 'comparison')}; in the worse half at α = 0.25 in {fall}."
        )
    holds = [one for one in found if one.source == RECOMPUTED]
    most = sum(one.leads for one in holds) > len(holds) / 2
    head = (
        "**It holds on the paper's own numbers, recomputed. Its printed table contradicts it on AG "
        "News: there the scores are printed beside the wrong mechanisms.**"
        if most
        else "**It does not hold on the paper's own numbers, recomputed.**"
    )
    own = [one for one in found if one.source == OWN]
    if own and not any(one.leads for one in own):
        head += " **In our sweep Gumbel never leads.**"
    return "\n".join([head, "", *lines])


GUMBEL_COMMAND = "`python -m measures.papers.gumbel_claim` prints this table."

TEM_COMMAND = (
    "`python -m measures.papers.tem_claim` computes the answer; it says what differs from them."
)

HOW_TO_READ_TEM = (
    "Accuracy on original reviews, in percent, with Student's 95 % intervals over repetitions. "
    "*TEM ahead by* is taken repetition by repetition, on the same reviews."
)


def tem_finding(found: Sequence[tem_claim.Finding]) -> str:
    """The answer about TEM and CMP, first of all."""
    if not found:
        return "**This was not computed here yet.**"
    lines = []
    for how, named in (("ε", "At ε = 2"), ("N_w", "At equal N_w")):
        here = [one for one in found if one.made_equal.split(" ")[0] == how]
        if not here:
            continue
        wins = {name: sum(one.winner == name for one in here) for name in ("TEM", "CMP")}
        open_ = len(here) - sum(wins.values())
        best = max(wins, key=lambda name: wins[name])
        if not wins[best]:
            head = "the two cannot be told apart"
        elif wins[best] == len(here):
            head = f"{best} wins every comparison"
        else:
            parts = [f"{name} wins {count}" for name, count in wins.items() if count]
            parts += [f"{open_} cannot be told apart"] if open_ else []
            head = f"of {len(here)} comparisons {listed(parts)}"
        lines.append(f"- **{named}: {head}.**")
    return "\n".join(lines)


BASE_MEASURE_CLAIM = (
    "**The claim**: a public base measure (Unigram TEM, N-gram TEM) makes better text at the same "
    "privacy. The same privacy has four meanings here: the same ε, the same share of unchanged "
    "words over tokens, the same over distinct words, and the same success of a Bayes adversary, "
    "without context and with the released neighbours. q was counted on texts that are not judged. "
    "`python -m measures.papers.base_measure_claim` computes the answer."
)

HOW_TO_READ_BASE_MEASURE = (
    "In percent, with 95 % intervals over texts or words, of one repetition. Accuracy: logistic "
    "regression; fastText. Both adversaries see the released prefix; their success is a lower "
    "bound. Perplexity is under a trigram model of other texts, a relative of q: nothing is ranked "
    "by it. Two mechanisms differ here only if their intervals do not overlap. *Not equal*: what "
    f"should be equal came out more than {base_measure_claim.TOLERANCE:g} points apart."
)


def base_measure_finding(found: Sequence[base_measure_claim.Comparison]) -> str:
    """The answer about base measures, one line for each equality."""
    if not found:
        return "**This was not computed here yet.**"
    lines = []
    for made_equal in dict.fromkeys(one.made_equal for one in found):
        for mechanism in dict.fromkeys(one.mechanism for one in found):
            here = [o for o in found if (o.made_equal, o.mechanism) == (made_equal, mechanism)]
            if not here:
                continue
            parts = [
                f"{verdict} in {sum(one.verdict == verdict for one in here)}"
                for verdict in ("ahead", "behind", "cannot be told", "not equal")
                if any(one.verdict == verdict for one in here)
            ]
            lines.append(
                f"- **Equal {made_equal}, {mechanism} beside TEM**: of "
                f"{counted(len(here), 'comparison')} {', '.join(parts)}."
            )
    return "\n".join(lines)


def base_measure_provenance(facts: Mapping[str, str]) -> str:
    """How the table was made."""
    return plain(" ".join(f"{name}: {value}." for name, value in facts.items()))
