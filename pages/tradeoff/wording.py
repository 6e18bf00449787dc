"""The words of the trade-off page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from measures.papers.benchmark_tables import Cell
from measures.sweeps.regression import Fit
from measures.sweeps.scores import COUNTED, LOWER, UTILITY, Points, Row
from measures.sweeps.vectors import count_of
from pages.shared.prose import beside_others, plain
from release.grammar import all_of, counted, enumerated, verb

INTRODUCTION = (
    "The more a text hides, the less useful it usually is. **PUC** combines privacy and usefulness "
    "in one number. **α** is the weight of usefulness."
)

VIEWS = {
    "measured": "Measured here",
    "published": "Benchmark's table",
    "regression": "Its regression",
    "claims": "Two claims",
}

A_PRIORI = (
    "**Choose α before you look at the figure.** α says how much usefulness matters to you "
    "compared with privacy. Do not move it until your favourite wins: the authors of the score "
    "warn against that."
)

ALPHA_HELP = (
    "PUC = α · utility + (1 − α) · privacy, both in percent. At a fixed ε, the PUC of a mechanism "
    "is a straight line over α, so moving α measures nothing again."
)

COUNTED_HELP = (
    "Accuracy and macro-F1 measure utility, as a share of the score on the original text. N_w, "
    "S_w, PP, CS and LOW measure privacy, as in the benchmark. A measure that is better when it is "
    "low is subtracted from 100. Equation 4 of the benchmark uses accuracy and these five."
)

PROTOCOLS = {"private": "private text", "original": "original text"}

PROTOCOLS_HELP = (
    "The benchmark tests the classifier on private text. This is its score for an analyst who "
    "never sees an original. The TEM paper tests it on original text. This is the score of a "
    "model that learnt from private text and is then used on originals."
)

WEIGHTS_HELP = (
    "Only the ratios of the weights count, separately for utility and for privacy. With all "
    "weights at 1, the score is the paper's. The paper leaves other weights to future work."
)

HOW_TO_READ_PLANE = (
    "How to read this: each point is a mechanism at one ε, and a line joins the points of one "
    "mechanism. Points further right are more private; points further up are more useful. Bars "
    "are 95 % intervals. **Mechanisms with filled points and solid lines keep their promise; "
    "mechanisms with open points and dotted lines keep none.** Every point on the grey line has "
    "the same PUC as the leader; a point above the line would beat the leader. The line turns "
    "with α. Rings mark the Pareto front: no other point is better on both axes."
)

HOW_TO_READ_OVER_ALPHA = (
    "How to read this: each line is the PUC of one mechanism, at the best ε for each α. Two "
    "mechanisms change places at the α at which their lines cross; ◇ marks a change of the leader. "
    "The vertical line is the α of the slider."
)

HOW_TO_READ_RANKING = (
    "Each mechanism is at its best ε for this α. *from* and *to* are the 95 % interval of its "
    "score. *behind by* is its distance from the first; *at least* and *at most* are the interval "
    "of that distance, for all pairs together. Two mechanisms can be told apart only if this "
    "interval excludes 0. *first in* and *ranks* come from resampled errors: the share of "
    "resamples in which the mechanism is first, and its ranks in 95 % of resamples. *leads for α* "
    "is the range of α in which it is first on these rows."
)

SCALES = {
    "baseline": "share of the baseline (paper)",
    "chance": "above a coin toss",
    "minmax": "from lowest to highest",
}

SCALES_HELP = (
    "Equation 4 counts accuracy as a share of the accuracy on original text, so a classifier that "
    "tosses a coin keeps most of the utility. *Above a coin toss* counts only the accuracy above "
    "that of a coin toss. *From lowest to highest* maps each measure to 0 to 100 over all settings "
    "of this corpus, so that adding a setting changes the scores of all. The leader can depend on "
    "this choice."
)

HOW_TO_READ_SCALES = (
    "These are the same rows at this α on three scales. The first, the default, is Equation 4 of "
    "the paper. Choose the scale of the figure under *What counts*."
)

NOTHING_YET = (
    "**There are no results to show yet.** The standard sweep that comes with the project has not "
    "been run here. Run it with `python -m measures.sweeps.sweep results --standard` and `python "
    "-m measures.sweeps.standard results`, run a small sweep below (about a minute), or show your "
    "own sweep file. *Benchmark's table* needs no sweep."
)


def run_introduction(epsilons: int) -> str:
    """What a small sweep does, and how long it takes."""
    return (
        f"This runs one mechanism at {epsilons} ε on a sample of texts, a few seconds for each ε. "
        "The ε are spread over the range from nearly all words replaced to nearly none. The "
        "results are added to the figure."
    )


NO_LABELS = (
    "Your file has only a column of texts, so there is nothing to predict from them. Choose other "
    "texts, or a file with a column of labels."
)


def answers_for(corpus: str, name: str) -> str:
    """Which texts the figure is about, if the visitor has a file."""
    if corpus == "your file":
        return f"These results are about **{plain(name)}**."
    return (
        f"**These results are about an example, film reviews ({plain(corpus)}), not about "
        f"{plain(name)}.** Run a sweep on your file below to see its own results."
    )


OWN_TABLE_HELP = (
    "A CSV file with a column of texts and a column of labels. It stays in this session. It is not "
    "stored, not logged and not part of the link."
)

SWEEP_FILE_HELP = (
    "A Parquet or CSV file with the columns of a sweep, such as the download below. It stays in "
    "this session."
)

HOW_TO_READ_ORDERS = (
    "How to read this: both columns rank the seven mechanisms by PUC at this α, the best at the "
    "top. The left column ranks them by the scores printed in Table 9. The right column ranks them "
    "by Equation 4, computed from the paper's own Tables 3, 6 and 7. A line that is not level "
    "marks a mechanism that Table 9 puts in the wrong place."
)

HOW_TO_READ_TABLE_LINES = (
    "How to read this: lines are the recomputed PUC at every α. Crosses are the printed scores, at "
    "the three α of the paper. Each cross should lie on the line of its colour."
)

HOW_TO_READ_COEFFICIENTS = (
    "How to read this: each point shows by how many points CS rises if one predictor rises by 1 "
    "and the others stay the same. Bars are 95 % intervals (Student's t). If a bar crosses 0, the "
    "sign is not known."
)

TERMS = {"const": "constant", "epsilon": "ε", "n_w": "N_w", "s_w": "S_w", "pp": "PP"}

REGRESSION_INTRODUCTION = (
    "The benchmark predicts CS from ε, N_w, S_w and PP (its Table 4). CS is the similarity in "
    "meaning between a sentence and its private version. Here the same model is fitted again, to "
    "the benchmark's numbers and to ours."
)

AXIS_PRIVACY = "privacy, % (more private →)"


def axis_utility(counted: Sequence[str]) -> str:
    """The title of the axis of utility."""
    named = " and ".join(COUNTED[name] for name in counted if name in UTILITY)
    return f"{named} kept, % (more useful →)"


def axes(counted: Sequence[str]) -> str:
    """The measures on the two axes of the plane."""
    private = [
        f"100 − {COUNTED[name]}" if name in LOWER else COUNTED[name]
        for name in counted
        if name not in UTILITY
    ]
    useful = " and ".join(COUNTED[name] for name in counted if name in UTILITY)
    return (
        f"Privacy: the mean of {plain(', '.join(private))}. Utility: {useful}, in percent of its "
        "value on original text."
    )


# What results were measured with, by the column of a row.
_SETUP = {
    "embedding": "Embedding",
    "classifier": "Classifier",
    "preprocessing": "Preprocessing",
}


def scope(found: Points, rows: Sequence[Row]) -> str:
    """How many settings, texts and repetitions the figure is based on, and how it was measured."""
    texts = sorted({count for count in found.texts if count})
    tested = sorted({count_of(r["accuracy_each"]) for r in rows if r.get("accuracy_each")})
    repeated = sorted(set(found.repetitions))
    said = [
        f"The figure shows {counted(len(found), 'setting')} of "
        f"{counted(len(dict.fromkeys(found.curve)), 'mechanism')}."
    ]
    if texts:
        said.append(f"Texts for each setting: {_range(texts)}.")
    if tested:
        said.append(f"Texts for testing: {_range(tested)}.")
    said.append(f"Repetitions: {_range(repeated)}. Intervals: 95 %.")
    for column, name in _SETUP.items():
        values = list(dict.fromkeys(str(row[column]) for row in rows if row.get(column)))
        if values:
            said.append(f"{name}: {plain(', '.join(values))}.")
    if found.left_out:
        reasons = ", ".join(f"{count} {plain(why)}" for why, count in found.left_out.items())
        said.append(f"Left out: {reasons}.")
    return " ".join(said)


def _range(counts: Sequence[int]) -> str:
    """The least and the largest of sorted counts, or the only one."""
    return f"{counts[0]:,}" if counts[0] == counts[-1] else f"{counts[0]:,} to {counts[-1]:,}"


def provenance(about: Mapping[str, Any]) -> str:
    """Where the standard sweep comes from."""
    return (
        f"The standard sweep has {counted(int(about['cells']), 'cell')}. It was run by "
        f"`{about['command']}` on {plain(str(about['date']))}. Machine: "
        f"{plain(str(about['machine']))}."
    )


def nothing_left(found: Points) -> str:
    """Why there is no point although there are rows."""
    reasons = ", ".join(f"{count} {plain(why)}" for why, count in found.left_out.items())
    return f"No row has all the measures that count ({reasons}). Choose others."


def running(share: float, left: float | None, others: int) -> str:
    """How much of a run is done, and how long it will still take."""
    text = f"Measuring: {share:.0%} done."
    if left is not None:
        text = f"Measuring: {share:.0%} done, about {max(left, 1):.0f} s left."
    return beside_others(text, others)


def stopped(done: int) -> str:
    """The finished part of a run that was stopped."""
    return f"Stopped. The finished part ({done} ε) stays in the figure."


def table_finding(
    printed: Sequence[tuple[str, float]], computed: Sequence[tuple[str, float]], alpha: float
) -> str:
    """Who leads as printed and as recomputed."""
    moved = sum(a != b for (a, _), (b, _) in zip(printed, computed, strict=True))
    first, exact = f"**{plain(printed[0][0])}**", f"**{plain(computed[0][0])}**"
    places = f"{moved} of {counted(len(printed), 'place')}"
    if not moved:
        return f"With α = {alpha:g}, {exact} leads. The printed and the recomputed order agree."
    if first == exact:
        return (
            f"With α = {alpha:g}, {exact} leads both as printed and as recomputed. Further down, "
            f"{places} differ."
        )
    return (
        f"With α = {alpha:g}, the table prints {first} first. Recomputed, {exact} leads, and "
        f"{places} differ."
    )


def printed_note(alpha: float, alphas: Sequence[float]) -> str:
    """Where printed scores come from at an α that is not printed."""
    if alpha in alphas:
        return "Printed scores come from Table 9."
    return (
        f"Table 9 has α = {enumerated([f'{each:g}' for each in alphas])}. At any other α this "
        "page uses the line through the two nearest printed scores, since PUC is a straight line "
        "over α."
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
        "**Our fit to the paper's rows agrees with Table 4 to the last digit** (R² = "
        f"{refit.r_squared:.3f}, printed {printed_r_squared:.3f}), after four misprinted values "
        "are corrected. N_w, S_w and PP do most of the work: **without ε, R² falls by only "
        f"{share:.1f} points**, to {without.r_squared:.3f}."
    )
    if own is None:
        return f"{text} Our own sweep has too few rows for a fit yet."
    turned = [
        plain(TERMS[term])
        for term, ours, theirs in zip(own.terms, own.estimates, refit.estimates, strict=True)
        if term != "const" and (ours.high < 0 < theirs.low or theirs.high < 0 < ours.low)
    ]
    own_fit = (
        f"Fitted to {counted(own.count, 'row')} from our own sweep, R² = {own.r_squared:.3f}. The "
        "mechanisms of that sweep need very different ε, up to hundreds apart."
    )
    if turned:
        return f"{text} {own_fit} The opposite sign: {enumerated(turned)}."
    return f"{text} {own_fit} No sign is clearly reversed."


REGRESSION_LIMITS = (
    "Rows of one mechanism are not independent. So the standard errors are too small and the "
    "intervals too short, both in the paper and here. With the values as printed (S_w = 86.0 for "
    "SanText, IMDb, d = 100, ε = 1; three PP with two decimals), the last digits do not agree."
)
