"""The result tables of three papers as printed, one observation a row, and what is wrong in them.

`load("meisenbacher2024_puc")` is a table as printed, misprints included; no file is corrected.
`problems()` lists what was found by recomputing, with the rows it concerns, so that a page can mark
them. Percentages are numbers from 0 to 100; columns and units stand in `data/README.md`.

meisenbacher2024    Meisenbacher, Nandakumar, Klymenko and Matthes, "A Comparative Analysis of
                    Word-Level Metric Differential Privacy", LREC-COLING 2024
hu2024_trlaplace    Huang et al., the truncated Laplacian mechanism for word embeddings, 2024
feyisetan2020       Feyisetan, Balle, Drake and Diethe, "Privacy- and Utility-Preserving Textual
                    Analysis via Calibrated Multivariate Perturbations", WSDM 2020
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

_FOLDER = Path(__file__).parent

Kind = Literal["misprint", "doubtful", "inconsistent"]


@dataclass(frozen=True)
class Problem:
    """Something wrong in a table, the rows it concerns, and how one can tell.

    misprint      recomputing proves that the printed value is not the one computed with
    doubtful      the authors computed with it, but it cannot well be right
    inconsistent  it contradicts another statement of the same paper
    """

    table: str
    kind: Kind
    finding: str
    evidence: str
    columns: tuple[str, ...]
    """The columns that are wrong."""
    where: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """Column -> the value, or tuple of values, of the rows concerned; empty for all rows."""

    def rows(self) -> pd.DataFrame:
        """The rows of the table that it concerns."""
        table = load(self.table)
        concerned = table.iloc[:, 0].map(lambda _: True)
        for column, wanted in self.where.items():
            concerned &= table[column].isin(wanted if isinstance(wanted, tuple) else (wanted,))
        return table[concerned]


def tables() -> list[str]:
    """The names of the tables."""
    return sorted(file.stem for file in _FOLDER.glob("*.csv"))


def load(table: str) -> pd.DataFrame:
    """A table as printed.

    Raises
    ------
    ValueError
        For an unknown table; the message names those that there are.

    """
    import pandas

    if table not in tables():
        raise ValueError(f"Published table: must be one of {', '.join(tables())}; got {table!r}.")
    return pandas.read_csv(_FOLDER / f"{table}.csv")


def problems(table: str | None = None) -> tuple[Problem, ...]:
    """What is wrong in a table, or in all of them.

    Raises
    ------
    ValueError
        For an unknown table.

    """
    if table is None:
        return _PROBLEMS
    if table not in tables():
        raise ValueError(f"Published table: must be one of {', '.join(tables())}; got {table!r}.")
    return tuple(problem for problem in _PROBLEMS if problem.table == table)


def _rows(**where: object) -> Mapping[str, object]:
    return MappingProxyType(where)


_PROBLEMS: tuple[Problem, ...] = (
    # ------------------------------------------------ the benchmark: proved by its own formulas
    Problem(
        "meisenbacher2024_puc",
        "misprint",
        "The scores of AG News are printed beside the wrong mechanisms.",
        "In every column they are sorted from high to low by the score at α = 0.5, and the same "
        "order is used at the other two α. With that rule all 189 cells follow from Equation 4; "
        "50 of the 63 settings show another mechanism's score.",
        ("puc",),
        _rows(task="ag_news"),
    ),
    Problem(
        "meisenbacher2024_puc",
        "misprint",
        "Printed as 77.00; Equation 4 yields 58.78.",
        "The same setting at the two other α yields the same sum of privacy measures, and not "
        "this one.",
        ("puc",),
        _rows(task="imdb", dimension=100, epsilon=10, mechanism="SynTF", alpha=0.25),
    ),
    Problem(
        "meisenbacher2024_privacy",
        "misprint",
        "S_w is printed as 86.0; the authors computed with 85.0.",
        "Table 9 has a sum of privacy measures that is lower by 1.0, and the regression of Table 4 "
        "comes out to its last digit with 85.0 only. The paper or our copy may be at fault.",
        ("s_w",),
        _rows(task="imdb", dimension=100, epsilon=1, mechanism="SanText"),
    ),
    Problem(
        "meisenbacher2024_privacy",
        "misprint",
        "PP is printed with two decimals, 97.63; the authors computed with 97.6.",
        "Table 9 at α = 0.25 and the regression of Table 4 come out with one decimal only.",
        ("pp",),
        _rows(task="imdb", dimension=300, epsilon=5, mechanism="Vickrey"),
    ),
    Problem(
        "meisenbacher2024_privacy",
        "misprint",
        "PP is printed with two decimals, 0.51 and 0.13; the authors computed with 0.5 and 0.1.",
        "The regression of Table 4 comes out with one decimal.",
        ("pp",),
        _rows(task="ag_news", dimension=300, epsilon=(5, 10), mechanism="TEM"),
    ),
    # ------------------------------------------------ the benchmark: computed with, yet doubtful
    Problem(
        "meisenbacher2024_privacy",
        "doubtful",
        "LOW repeats PP to the digit.",
        "Other dimensions have a LOW near 77 (SynTF) and 3 (SanText) here. Table 9 was computed "
        "with the repeated values.",
        ("low",),
        _rows(task="imdb", dimension=50, epsilon=1, mechanism=("SynTF", "SanText")),
    ),
    Problem(
        "meisenbacher2024_privacy",
        "doubtful",
        "LOW repeats PP to the digit.",
        "Other dimensions have a LOW near 57 here. Table 9 was computed with the repeated value.",
        ("low",),
        _rows(task="ag_news", dimension=50, epsilon=10, mechanism="SanText"),
    ),
    Problem(
        "meisenbacher2024_privacy",
        "doubtful",
        "PP of SanText does not go with its N_w.",
        "An N_w of 14 means that about 86 % of the words change, and 3 to 5 that about 96 % do; "
        "printed are 59 to 67 and 26 to 47. On IMDb the nine largest residuals of the regression "
        "of Table 4 are these rows.",
        ("pp",),
        _rows(mechanism="SanText"),
    ),
    Problem(
        "meisenbacher2024_privacy",
        "doubtful",
        "PP of SynTF rises with ε.",
        "More budget should change fewer words; it rises by 7.5 to 7.9 points in all six series.",
        ("pp",),
        _rows(mechanism="SynTF"),
    ),
    Problem(
        "meisenbacher2024_utility",
        "doubtful",
        "The accuracy of SanText falls as ε rises, in all three dimensions.",
        "Over the same ε fewer words change and sentences stay more similar.",
        ("accuracy",),
        _rows(task="imdb", mechanism="SanText"),
    ),
    Problem(
        "meisenbacher2024_utility",
        "doubtful",
        "The accuracy of TEM at ε = 10 shows the noise of training.",
        "It leaves 99.5 % of the words as they are, and yet differs from the baseline by 1.43 "
        "points (root mean square of six). No accuracy lies more than 1.47 above the baseline.",
        ("accuracy",),
        _rows(epsilon=10, mechanism="TEM"),
    ),
    Problem(
        "meisenbacher2024_privacy",
        "doubtful",
        "CS of TEM at ε = 10 is 99.0, 99.0 and 99.9 at the same PP of 0.1.",
        "Texts that changed so little must be similar. Table 9 was computed with 99.0.",
        ("cs",),
        _rows(task="imdb", epsilon=10, mechanism="TEM"),
    ),
    Problem(
        "meisenbacher2024_utility",
        "doubtful",
        "SanText and TEM have the same accuracy to the digit, 65.15.",
        "Table 9 was computed with both.",
        ("accuracy",),
        _rows(task="ag_news", dimension=50, epsilon=1, mechanism=("SanText", "TEM")),
    ),
    # ------------------------------------------------------------------------- the other papers
    Problem(
        "hu2024_trlaplace_table5",
        "inconsistent",
        "The time without noise on Yelp is that of Yahoo, 111.",
        "The runs with noise on Yelp take 37 to 46.",
        ("value",),
        _rows(dataset="yelp", mechanism="original"),
    ),
    Problem(
        "hu2024_trlaplace_table1",
        "inconsistent",
        "Most noisy runs have a lower loss than the one without noise.",
        "Noise cannot well help so much: compare a loss of 1.2 with one of 3.35.",
        ("value",),
        _rows(metric="loss"),
    ),
    Problem(
        "hu2024_trlaplace_table2",
        "inconsistent",
        "BLEU is highest when the text is destroyed.",
        "Gaussian noise at ε = 0.05 on Yahoo has a BLEU of 9.286 with a Rouge1 of 14.01; without "
        "noise the BLEU is 8.501.",
        ("value",),
        _rows(metric="bleu"),
    ),
    Problem(
        "feyisetan2020_audit",
        "inconsistent",
        "At ε = 35 the accuracy of 0.55 does not follow from precision and recall.",
        "A precision of 0.90 and a recall of 0.09 on 100 + 100 users give 0.54; the other eight "
        "agree.",
        ("value",),
        _rows(metric="accuracy", epsilon=35),
    ),
    Problem(
        "feyisetan2020_audit",
        "inconsistent",
        "An AUC far below one half would be a good auditor that answers the wrong way round.",
        "At ε up to 17 it is 0.04 to 0.11: inverted, 0.89 to 0.96. And the text's factor of three "
        "over the baseline up to ε = 23 is 2.8 there.",
        ("value",),
        _rows(metric="auc", epsilon=(6, 12, 17, 23)),
    ),
)
