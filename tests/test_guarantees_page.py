"""The guarantees page, run by Streamlit itself without a browser."""

import pytest

from measures.audit import variants
from tests.test_pages import healthy, page, shown


def guarantees(**query):
    app = page(**{"audit-words": "3000", **query})
    app.switch_page("pages/guarantees.py").run(timeout=300)
    return healthy(app)


@pytest.fixture(scope="module")
def opened():
    return guarantees(audited="vickrey-published")


def test_every_mechanism_and_variant_has_a_verdict_and_a_witness(opened):
    table = opened.dataframe[0].value
    assert len(table) == len(variants())
    assert (table["witness"].str.len() > 20).all()
    found = dict(zip(table["mechanism"], table["found"], strict=True))
    holds = {name for name, verdict in found.items() if "holds" in verdict}
    broken = {name for name, verdict in found.items() if "broken" in verdict}
    assert holds >= {"CMP", "Mahalanobis", "Vickrey (repaired)", "TEM", "SanText"}
    assert holds >= {"Laplace", "Gaussian (repaired)", "Truncated Laplace (repaired)"}
    assert broken >= {"Vickrey (published)", "SynTF (benchmark)", "Truncated Gumbel (published)"}
    assert "Truncated Laplace (published)" in broken
    drawn = dict(zip(table["mechanism"], table["draws"], strict=True))
    exact = {name for name, kind in drawn.items() if kind == "exact"}
    assert exact == {"TEM", "SanText", "SynTF (published)", "SynTF (benchmark)"}
    assert set(drawn.values()) == {"exact", "floating point"}


def test_the_verdict_and_the_witness_of_the_chosen_one_are_on_screen(opened):
    assert any("breaks its promise" in heading.value for heading in opened.subheader)
    assert "never returns" in shown(opened)
    assert "How to read this" in shown(opened)
    assert "Draws in floating point" in shown(opened)


def test_the_chosen_row_stands_in_the_link():
    app = guarantees(audited="tem")
    assert "each word comes out with its probability under the law" in shown(app)
    assert any("TEM keeps its promise" in heading.value for heading in app.subheader)
    assert dict(app.query_params)["audited"] in ("tem", ["tem"])


def test_a_bad_row_in_a_link_is_named():
    app = guarantees(audited="magic")
    assert any("audited must be one of" in warning.value for warning in app.warning)


def test_the_printed_numbers_stand_beside_the_computed_ones_with_an_explanation(opened):
    table = opened.dataframe[1].value
    tem = table[(table["mechanism"] == "TEM") & (table["ε"] == 5)]
    assert tem["N_w printed"].iloc[0] == 68.1
    assert (tem["N_w computed"].between(87, 90)).any()
    assert table["what explains it"].str.len().min() > 5
    assert set(table["mechanism"]) >= {"CMP", "SanText", "Vickrey", "SynTF", "TEM", "Mahalanobis"}
