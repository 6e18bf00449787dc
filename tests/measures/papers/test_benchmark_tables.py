"""The benchmark's settings put together, and Table 9 beside Equation 4."""

from collections import Counter

import numpy as np
import pytest

from data import published
from measures.papers import benchmark_tables
from measures.papers.benchmark_tables import cells, printed_at, rows


def test_there_are_126_settings_and_378_cells_none_twice():
    settings = {(r["corpus"], r["dimensions"], r["epsilon"], r["mechanism"]) for r in rows()}
    assert len(rows()) == len(settings) == 126
    assert len(cells()) == 378


def test_four_values_are_those_computed_with_and_all_others_as_printed():
    privacy = published.load("meisenbacher2024_privacy")
    changed = [
        (column, row["corpus"], row["dimensions"], row["epsilon"], row["mechanism"], row[column])
        for row, (_, printed) in zip(rows(), privacy.iterrows(), strict=True)
        for column in ("n_w", "s_w", "pp", "cs", "low")
        if row[column] != printed[column]
    ]
    assert changed == [
        ("s_w", "imdb", 100, 1, "SanText", 85.0),
        ("pp", "imdb", 300, 5, "Vickrey", 97.6),
        ("pp", "ag-news", 300, 5, "TEM", 0.5),
        ("pp", "ag-news", 300, 10, "TEM", 0.1),
    ]


def test_every_cell_that_differs_is_a_listed_misprint_and_no_other_is_marked():
    for cell in cells():
        assert (cell.problem is not None) == cell.differs
    per_corpus = Counter(cell.corpus for cell in cells() if cell.differs)
    assert per_corpus["imdb"] == 1
    at_one_half = [c for c in cells() if c.corpus == "ag-news" and c.alpha == 0.5 and c.differs]
    assert len(at_one_half) == 50


def test_the_one_misprint_of_imdb_is_syntf():
    (cell,) = [c for c in cells() if c.corpus == "imdb" and c.differs]
    assert (cell.mechanism, cell.dimensions, cell.epsilon, cell.alpha) == ("SynTF", 100, 10, 0.25)
    assert (cell.printed, round(cell.computed, 2)) == (77.00, 58.78)


@pytest.mark.parametrize("alpha", benchmark_tables.ALPHAS)
@pytest.mark.parametrize("epsilon", [1, 5, 10])
@pytest.mark.parametrize("dimensions", [50, 100, 300])
def test_putting_ag_news_back_gives_a_column_its_printed_numbers(dimensions, epsilon, alpha):
    setting = ("ag-news", dimensions, epsilon, alpha)
    column = [c for c in cells() if (c.corpus, c.dimensions, c.epsilon, c.alpha) == setting]
    np.testing.assert_allclose(
        sorted(c.printed for c in column),
        sorted(c.computed for c in column),
        atol=benchmark_tables.ROUNDING,
    )


@pytest.mark.parametrize("alpha", benchmark_tables.ALPHAS)
def test_at_a_printed_alpha_the_printed_score_is_the_printed_one(alpha):
    at = printed_at("imdb", (5,), alpha, (50,))
    for cell in cells():
        if (cell.corpus, cell.dimensions, cell.epsilon, cell.alpha) == ("imdb", 50, 5, alpha):
            assert at[cell.mechanism] == pytest.approx(cell.printed, abs=1e-12)


@pytest.mark.parametrize("alpha", [0, 0.1, 0.4, 0.6, 0.9, 1])
def test_between_and_beyond_the_printed_alpha_the_line_goes_on(alpha):
    """Where nothing is misprinted, it is Equation 4 up to rounding."""
    at = printed_at("imdb", alpha=alpha, dimensions=(50, 300))
    near = [c for c in cells() if c.corpus == "imdb" and c.dimensions in (50, 300)]
    for name, printed in at.items():
        ends = [
            np.mean([c.computed for c in near if (c.mechanism, c.alpha) == (name, a)])
            for a in (0.25, 0.75)
        ]
        exact = ends[0] + (alpha - 0.25) / 0.5 * (ends[1] - ends[0])
        assert printed == pytest.approx(exact, abs=0.02)


def test_averages_are_over_dimensions_and_epsilon():
    each = [printed_at("ag-news", (e,), 0.5, (d,))["TEM"] for d in (50, 100) for e in (1, 10)]
    both = printed_at("ag-news", (1, 10), 0.5, (50, 100))["TEM"]
    assert both == pytest.approx(np.mean(each))
