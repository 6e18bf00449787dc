"""Statistical claims, with one significance level for the whole suite.

A sampler is right where its draws are not rejected at `ALPHA`, and the test has power where the
same draws are rejected against a wrong law. Both halves belong in every statistical test.
"""

import numpy as np
from scipy import stats

ALPHA = 1e-6


def p_value_of_counts(counts, law):
    """Chi-squared p-value of counts (V,) against a law (V,); cells of small expectation pooled."""
    counts, law = np.asarray(counts, float), np.asarray(law, float)
    expected = counts.sum() * law / law.sum()
    order = np.argsort(expected)
    pooled_counts, pooled_expected, c, e = [], [], 0.0, 0.0
    for i in order:
        c, e = c + counts[i], e + expected[i]
        if e >= 10:
            pooled_counts.append(c)
            pooled_expected.append(e)
            c = e = 0.0
    if not pooled_counts:
        raise ValueError("too few draws to test anything")
    pooled_counts[-1] += c
    pooled_expected[-1] += e
    if len(pooled_counts) == 1:
        raise ValueError("all the mass is in one cell: nothing can be rejected")
    return stats.chisquare(pooled_counts, np.array(pooled_expected)).pvalue


def p_value_of_sample(values, cdf):
    """Kolmogorov-Smirnov p-value of values (n,) against a distribution function."""
    return stats.kstest(values, cdf).pvalue


def assert_drawn_from(counts, law):
    p = p_value_of_counts(counts, law)
    assert p > ALPHA, f"these draws would come from this law with probability {p:.2g} only"


def assert_not_drawn_from(counts, law):
    p = p_value_of_counts(counts, law)
    assert p < ALPHA, f"the test has no power: the wrong law was not rejected (p = {p:.2g})"
