"""Usefulness read between the points of a grid, against the law itself, and leads."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from measures.words import tradeoff
from mechanisms import CMP, TEM, SanText
from pages.compare import wording
from tests.toy import TOY

EVERY = np.arange(len(TOY))
COARSE = np.geomspace(0.1, 50, 9)
LAWS = [TEM.family(), SanText.family()]


def truth(family, epsilon):
    """1 - mean N_w and usefulness at one ε, from the law."""
    law = np.exp(family.at(float(epsilon)).log_prob(TOY, EVERY))
    distances = TOY.distances(EVERY)
    useful = 1 - (law * distances).sum(axis=1).mean() / distances.mean(axis=1).mean()
    return 1 - law[EVERY, EVERY].mean(), useful


def at_privacy(family, privacy):
    epsilon = brentq(lambda e: truth(family, e)[0] - privacy, COARSE[0], COARSE[-1])
    return truth(family, epsilon)[1]


@pytest.mark.parametrize("family", LAWS)
def test_a_reading_between_the_points_has_the_law_in_its_interval_and_is_not_called_exact(
    family,
):
    found = tradeoff.tradeoff(family, TOY, EVERY, COARSE)
    missed = 0
    for privacy in np.linspace(0.2, 0.8, 13):
        read = found.at_privacy(privacy)
        true = at_privacy(family, privacy)
        assert read.low <= true <= read.high
        assert read.high - read.low < 0.2
        assert not read.source.is_exact
        missed += abs(read.value - true) > 1e-4
    assert missed, "as if without an error, every reading would do"


@pytest.mark.parametrize("family", LAWS)
def test_both_sides_at_an_epsilon_have_the_law_in_their_intervals(family):
    found = tradeoff.tradeoff(family, TOY, EVERY, COARSE)
    for epsilon in np.sqrt(COARSE[:-1] * COARSE[1:]):
        for read, true in zip(found.at_epsilon(epsilon), truth(family, epsilon), strict=True):
            assert read.low <= true <= read.high
    on_point, useful = found.at_epsilon(COARSE[4])
    assert (on_point.value, useful.value) == pytest.approx(truth(family, COARSE[4]))
    assert found.at_epsilon(COARSE[-1] * 2) is None


def test_a_privacy_that_no_epsilon_of_the_grid_has_is_not_read():
    found = tradeoff.tradeoff(TEM.family(), TOY, EVERY, COARSE)
    assert found.at_privacy(0.999) is None
    assert found.lead(found, 0.999) is None


def test_a_lead_smaller_than_the_error_of_reading_is_none():
    """The same law on two grids leads itself by no more than reading between points can err."""
    coarse = tradeoff.tradeoff(SanText.family(), TOY, EVERY, COARSE)
    other = tradeoff.tradeoff(SanText.family(), TOY, EVERY, np.geomspace(0.13, 45, 11))
    for privacy in (0.3, 0.5, 0.7):
        lead = coarse.lead(other, privacy)
        assert lead.value != 0
        assert lead.low <= 0 <= lead.high
        said = wording.tradeoff_finding({"1 · a": coarse, "2 · b": other}, privacy)
        assert "it is not clear whether" in said
    worse = replace(coarse, moved=coarse.moved * 3)
    assert coarse.lead(worse, 0.5).low > 0
    said = wording.tradeoff_finding({"1 · a": coarse, "2 · b": worse}, 0.5)
    assert "**1 · a keeps words closer than 2 · b**" in said


def test_the_error_of_sampled_directions_is_in_the_reading():
    """Mean N_w is sampled too: the ε of a privacy is not known, and usefulness there less so."""
    found = tradeoff.tradeoff(CMP.family(), TOY, EVERY, COARSE)
    read = found.at_privacy(0.5)
    assert read.source.kind == "directions"
    sure = replace(
        found,
        curves=replace(
            found.curves,
            unchanged=replace(
                found.curves.unchanged,
                low=found.curves.unchanged.value,
                high=found.curves.unchanged.value,
            ),
        ),
    )
    narrower = sure.at_privacy(0.5)
    assert read.value == narrower.value
    assert read.half_width > narrower.half_width > 0
