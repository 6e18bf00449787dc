"""The benchmark's claim about Gumbel: its own numbers by hand, and rows made so that it fails."""

import numpy as np
import pytest

from measures.papers import benchmark_tables, gumbel_claim
from measures.papers.gumbel_claim import PRINTED, RECOMPUTED, read_at_n_w, standings
from measures.puc import puc
from measures.sweeps.scores import points

FOUND = standings([])


def made(mechanism, epsilon, utility, privacy, n_w=50.0, **changed):
    """A row with these scores: five measures of privacy that are all alike."""
    measures = {"s_w": privacy, "pp": privacy, "cs": privacy, "low": 100 - privacy}
    row = {"corpus": "mine", "mechanism": mechanism, "variant": "", "epsilon": epsilon}
    row |= {"accuracy": utility, "baseline_accuracy": 100.0, "n_w": n_w, **measures, **changed}
    # N_w counts too: PP makes up for it.
    return row | {"pp": privacy + (n_w - (100 - privacy))}


def test_ranks_on_the_recomputed_table_are_those_of_equation_4():
    for epsilon in (1, 5, 10):
        (standing,) = [
            s
            for s in FOUND
            if (s.source, s.corpus, s.made_equal) == (RECOMPUTED, "ag-news", f"ε = {epsilon}")
        ]
        for position, alpha in enumerate((0.75, 0.25)):
            scores = {}
            for r in benchmark_tables.rows():
                if (r["corpus"], r["epsilon"]) == ("ag-news", epsilon):
                    columns = ("accuracy", "baseline_accuracy", "n_w", "s_w", "pp", "cs", "low")
                    score = puc(*(r[c] for c in columns), alpha)
                    scores.setdefault(r["mechanism"], []).append(score)
            means = {name: np.mean(values) for name, values in scores.items()}
            rank = sum(mean > means["TruncatedGumbel"] for mean in means.values()) + 1
            assert standing.ranks[position] == rank
        assert standing.ranked == 7


def test_the_misprint_turns_the_claim_round_on_ag_news_and_not_on_imdb():
    def leads(source, corpus):
        return [
            s.leads
            for s in FOUND
            if (s.source, s.corpus) == (source, corpus) and s.made_equal.startswith("ε")
        ]

    assert leads(PRINTED, "imdb") == leads(RECOMPUTED, "imdb") == [True, True, True]
    assert leads(PRINTED, "ag-news") == [False, False, False]
    assert leads(RECOMPUTED, "ag-news") == [True, True, False]


def test_a_curve_is_read_between_two_epsilon_where_its_n_w_is_this_one():
    rows = [
        made("TEM", 1.0, 50.0, 90.0, n_w=10.0),
        made("TEM", 5.0, 90.0, 50.0, n_w=90.0),
        made("CMP", 1.0, 50.0, 80.0, n_w=5.0),
        made("CMP", 5.0, 60.0, 70.0, n_w=20.0),
    ]
    read = read_at_n_w(points(rows), 30.0)
    assert set(read) == {"TEM"}  # CMP does not get there
    assert read["TEM"] == pytest.approx((60.0, 80.0))


def test_a_curve_that_turns_back_is_read_at_its_largest_epsilon():
    n_w = (0.0, 40.0, 0.0, 40.0)
    rows = [made("CMP", e, 50 + e, 50.0, n_w=n) for e, n in zip((1, 2, 3, 4), n_w, strict=True)]
    assert read_at_n_w(points(rows), 20.0)["CMP"][0] == pytest.approx(53.5)


def test_only_the_benchmarks_variant_of_gumbel_is_ranked():
    gumbel = "TruncatedGumbel"
    rows = [made("TEM", 5.0, 80.0, 60.0), made(gumbel, 5.0, 99.0, 99.0, variant="published")]
    assert standings(rows) == FOUND
    rows.append(made(gumbel, 5.0, 90.0, 40.0, variant="benchmark"))
    *_, standing = standings(rows)
    assert (standing.source, standing.corpus) == (gumbel_claim.OWN, "mine")
    assert (standing.ranks, standing.ranked) == ((1, 2), 2)
    assert standing.leads
    assert standing.falls
    assert standing.leaders == ("Truncated Gumbel (benchmark)", "TEM")


def test_the_table_has_a_line_for_every_comparison():
    text = gumbel_claim.markdown(FOUND)
    assert len(text.splitlines()) == 2 + len(FOUND) == 2 + 14
