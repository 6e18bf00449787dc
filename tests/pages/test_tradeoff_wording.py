"""The sentences of the trade-off page, without a browser: they say no more than was computed."""

import pytest

from measures.papers.gumbel_claim import RECOMPUTED, Standing
from measures.sweeps import sides
from pages.tradeoff import wording
from pages.tradeoff.claims_wording import gumbel_finding


@pytest.mark.parametrize("scale", sides.NORMALISERS)
def test_the_axes_are_said_for_the_scale_and_the_weights_in_force(scale):
    counted = ["accuracy", "n_w", "cs"]
    said = wording.axes(counted, {}, scale).replace("\\", "")
    assert "the mean of 100 − N_w, CS" in said
    assert "weighted mean" in wording.axes(counted, {"cs": 2.0}, scale)
    assert ("in percent of the value on original text" in said) == (scale == "baseline")
    assert ("guessing (0)" in said) == (scale == "chance")
    assert ("from its lowest to its highest value" in said) == (scale == "minmax")


def test_a_place_that_differs_has_its_verb():
    printed = [("A", 3.0), ("B", 2.0), ("C", 1.0)]
    two = wording.table_finding(printed, [printed[i] for i in (0, 2, 1)], 0.5)
    assert "2 of 3 places differ." in two
    assert "1 of 2 places differs." in wording.table_finding(
        [("A", 2.0), ("B", 1.0)], [("A", 2.0), ("C", 1.0)], 0.5
    )


def test_the_claim_about_gumbel_holds_only_if_both_of_its_parts_do():
    def standing(at_alphas):
        return Standing(RECOMPUTED, "imdb", "ε = 1", at_alphas, ("Gumbel", "TEM"), 7)

    leads_and_falls, leads_only = standing((1, 6)), standing((1, 2))
    assert "the claim holds in most comparisons" in gumbel_finding([leads_and_falls] * 3)
    assert "The claim does not hold" in gumbel_finding([leads_only] * 3)
