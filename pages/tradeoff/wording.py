"""The words of the trade-off page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from measures.papers.benchmark_tables import Cell
from measures.sweeps.regression import Fit
from measures.sweeps.scores import COUNTED, LOWER, UTILITY, Points, Row
from measures.sweeps.vectors import count_of
from pages.shared.progress_wording import beside_others
from pages.shared.prose import plain, whole_percent
from release.grammar import all_of, counted, enumerated, verb

INTRODUCTION = (
    "The more a text hides, the less useful it usually is. **PUC** combines privacy and usefulness "
    "in one number. **α** is the weight of usefulness."
)

VIEWS = {
    "measured": "Measured here",
    "published": "Benchmark's table",
    "regression": "Benchmark's regression",
    "claims": "Claims, tested",
}

A_PRIORI = (
    "**Choose α before you look at the figure.** α says how much usefulness matters to you "
    "compared with privacy. Do not move it until your favourite wins: the authors of the score "
    "warn against that."
)

ALPHA_HELP = (
    "PUC = α · utility + (1 − α) · privacy, both in percent. At a fixed ε, the PUC of a mechanism "
    "is a straight line over α, so moving α needs no new measurement."
)

COUNTED_HELP = (
    "Accuracy and macro-F1 measure utility. N_w, S_w, PP, CS and LOW measure privacy, as in the "
    "benchmark. N_w and LOW count as 100 minus their value, because low values are better. "
    "Equation 4 of the benchmark uses accuracy and all five measures of privacy."
)

PROTOCOLS = {"private": "private text", "original": "original text"}

PROTOCOLS_HELP = (
    "Private text, as in the benchmark: the score for an analyst who never sees an original. "
    "Original text, as in the TEM paper: the score of a model that learnt from private text and is "
    "then used on originals."
)

WEIGHTS_HELP = (
    "Only the ratios of the weights count, separately for utility and for privacy. The paper uses "
    "the weight 1 for all measures and leaves other weights to future work."
)

HOW_TO_READ_PLANE = (
    "How to read this: each point is a mechanism at one ε, and a line joins the points of one "
    "mechanism. Points further right are more private; points further up are more useful. Bars are "
    "95 % intervals. **Open points and dotted lines are mechanisms that keep no promise.** Filled "
    "points and solid lines are mechanisms that keep one, or whose rows do not say. Every point on "
    "the grey line has the same PUC as the leader; a point above the line would beat the leader. "
    "The line turns with α. Rings mark the Pareto front: no other point is better on one axis "
    "without being worse on the other."
)

HOW_TO_READ_OVER_ALPHA = (
    "How to read this: each line is the PUC of one mechanism, at the best ε for each α. Two "
    "mechanisms change places at the α at which their lines cross; ◇ marks a change of the leader. "
    "The vertical line is the α of the slider."
)

HOW_TO_READ_RANKING = (
    "Each mechanism is at its best ε for this α. *from* and *to* are the 95 % interval of its "
    "score. *behind by* is the difference from the first score; *at least* and *at most* are the "
    "interval of that difference. A mechanism is clearly behind the first only if this interval is "
    "above 0. *first in* and *ranks* come from resampled errors: the share of resamples in which "
    "the mechanism is first, and the ranks that it has in the middle 95 % of resamples. *leads for "
    "α* is the range of α in which it is first on these rows."
)

SCALES = {
    "baseline": "share of the baseline (paper)",
    "chance": "above guessing",
    "minmax": "from lowest to highest",
}

SCALES_HELP = (
    "Equation 4 counts accuracy as a share of the accuracy on original text. On that scale, a "
    "classifier that always guesses the most common label still has some utility. *Above guessing* "
    "counts only the accuracy above that classifier's. *From lowest to highest* maps each measure "
    "to 0 to 100, from its lowest to its highest value in the settings of this corpus, so one more "
    "setting can change all scores. The leader can depend on this choice."
)

HOW_TO_READ_SCALES = (
    "These are the same rows at this α on each scale. The first scale, the default, is that of "
    "Equation 4 of the paper. Choose the scale of the figure under *What counts, how much, and on "
    "which scale*."
)

NOTHING_YET = (
    "**There are no results to show yet.** The standard sweep that comes with the project has not "
    "been run here. Run it with `python -m measures.sweeps.sweep results --standard` and `python "
    "-m measures.sweeps.standard results`, run a small sweep below, or show your "
    "own sweep file. *Benchmark's table* needs no sweep."
)


def run_introduction(epsilons: int) -> str:
    """What a small sweep does."""
    return (
        f"This measures one mechanism at {epsilons} ε on a sample of texts. The ε are spread over "
        "a range from nearly all words replaced to nearly none; for your own file, the ε of the "
        "other pages is added. The results are added to the figure."
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
        f"**These results are about an example corpus ({plain(corpus)}), not about "
        f"{plain(name)}.** Run a sweep on your file below to see its own results."
    )


OWN_TABLE_HELP = (
    "A CSV file with a column of texts and a column of labels. The server keeps it in memory, not "
    "on disk, and deletes it soon after you remove it or close the page. It is not logged and not "
    "part of the link."
)

SWEEP_FILE_HELP = (
    "A Parquet or CSV file with the columns of a sweep, such as *Rows* under *The ranking*. The "
    "server keeps it in memory, not on disk, and deletes it soon after you close the page."
)

HOW_TO_READ_ORDERS = (
    "How to read this: both columns rank the mechanisms of the benchmark by PUC at this α, the "
    "best at the top. The left column ranks them by the scores printed in Table 9. The right "
    "column ranks them by Equation 4, computed from the paper's own Tables 3, 6 and 7. A line that "
    "is not level is a mechanism whose two ranks differ."
)

HOW_TO_READ_TABLE_LINES = (
    "How to read this: lines are the recomputed PUC at every α. Crosses are the printed scores at "
    "the α of the paper. If a score is printed correctly, its cross is on the line of its colour."
)

HOW_TO_READ_COEFFICIENTS = (
    "How to read this: each point shows by how many points CS rises if one predictor rises by 1 "
    "and the others stay the same. Bars are 95 % intervals (Student's t). If a bar crosses 0, it "
    "is not clear whether CS rises or falls."
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
    return f"utility by {named}, % (more useful →)"


def axes(counted: Sequence[str], weights: Mapping[str, float], scale: str) -> str:
    """The measures on the two axes of the plane; `weights` are those that differ from 1."""
    private = [
        f"100 − {COUNTED[name]}" if name in LOWER else COUNTED[name]
        for name in counted
        if name not in UTILITY
    ]
    return _AXES[scale].format(
        mean="weighted mean" if weights else "mean",
        private=plain(", ".join(private)),
        useful=" and ".join(COUNTED[name] for name in counted if name in UTILITY),
    )


_AXES = {
    "baseline": (
        "Privacy: the {mean} of {private}. Utility: {useful}, in percent of the value on original "
        "text."
    ),
    "chance": (
        "Privacy: the {mean} of {private}. Utility: {useful}, counted from that of guessing (0) to "
        "the value on original text (100)."
    ),
    "minmax": (
        "Each measure is first mapped to 0 to 100, from its lowest to its highest value in the "
        "settings of this corpus. Privacy: the {mean} of {private}. Utility: {useful}."
    ),
}


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
        f"The figure shows {counted(len(found), 'setting')} on "
        f"{counted(len(dict.fromkeys(found.curve)), 'curve')}."
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
    return f"No row has all the measures that count ({reasons}). Choose other measures."


def running(share: float, left: float | None, others: int) -> str:
    """How much of a run is done, and how long it will still take."""
    text = f"Measuring: {whole_percent(share)} done."
    if left is not None:
        text = f"Measuring: {whole_percent(share)} done, about {max(left, 1):.0f} s left."
    return beside_others(text, others)


def stopped(done: int) -> str:
    """The finished part of a run that was stopped."""
    return f"Stopped. Finished and kept in the figure: {done} ε."


STOP_HELP = (
    "Stops after the ε that is being measured. The figure keeps the finished ε, and *Resume* "
    "measures the others."
)


def table_finding(
    printed: Sequence[tuple[str, float]], computed: Sequence[tuple[str, float]], alpha: float
) -> str:
    """Who leads as printed and as recomputed."""
    moved = sum(a != b for (a, _), (b, _) in zip(printed, computed, strict=True))
    first, exact = f"**{plain(printed[0][0])}**", f"**{plain(computed[0][0])}**"
    places, differ = (
        f"{moved} of {counted(len(printed), 'place')}",
        verb(moved, "differs", "differ"),
    )
    if not moved:
        return f"With α = {alpha:g}, {exact} leads. The printed and the recomputed order agree."
    if first == exact:
        return (
            f"With α = {alpha:g}, {exact} leads both as printed and as recomputed. Further down, "
            f"{places} {differ}."
        )
    return (
        f"With α = {alpha:g}, the table prints {first} first. Recomputed, {exact} leads, and "
        f"{places} {differ}."
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
        return (
            f"✅ {all_of(len(cells), 'printed cell')} behind this ranking {follow} from Equation 4."
        )
    return (
        f"⚠️ {wrong} of the {counted(len(cells), 'printed cell')} behind this ranking "
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
        f"are corrected. **Without ε, R² falls by {share:.1f} points**, to "
        f"{without.r_squared:.3f}: N_w, S_w and PP alone explain that much."
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
        "mechanisms of that sweep need very different ε."
    )
    if turned:
        return f"{text} {own_fit} The sign is clearly reversed for {enumerated(turned)}."
    return f"{text} {own_fit} No sign is clearly reversed."


REGRESSION_LIMITS = (
    "Rows of one mechanism are not independent. So the standard errors are probably too small and "
    "the intervals too short, both in the paper and here. With the values as printed (S_w = 86.0 "
    "for SanText, IMDb, d = 100, ε = 1; three PP with two decimals), the last digits do not agree."
)
