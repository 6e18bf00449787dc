"""The guarantees page, run by Streamlit itself without a browser."""

import re

import numpy as np
import pytest

from measures.audits.audit import variants
from pages.shared.prose import times
from tests.app import healthy, page, shown


def guarantees(**query):
    app = page(**{"audit-words": "3000", **query})
    app.switch_page("pages/guarantees/page.py").run(timeout=300)
    return healthy(app)


def table_with(app, column):
    (found,) = [each.value for each in app.dataframe if column in each.value.columns]
    return found


@pytest.fixture(scope="module")
def opened():
    return guarantees(audited="vickrey-published")


def test_every_mechanism_and_variant_has_a_verdict_and_a_witness(opened):
    table = table_with(opened, "witness")
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
    assert exact == {
        "TEM",
        "Unigram TEM",
        "N-gram TEM",
        "SanText",
        "SynTF (published)",
        "SynTF (benchmark)",
    }
    assert set(drawn.values()) == {"exact", "floating point"}


def test_the_verdict_and_the_witness_of_the_chosen_one_are_on_screen(opened):
    assert any("breaks its promise" in heading.value for heading in opened.subheader)
    assert "never returned" in shown(opened)
    assert "How to read this" in shown(opened)
    assert "Draws in floating point" in shown(opened)


def test_the_chosen_row_stands_in_the_link():
    app = guarantees(audited="tem")
    assert "each word comes out with its probability under the law" in shown(app)
    assert any(
        "TEM: proven, and no check contradicts it" in heading.value for heading in app.subheader
    )
    assert dict(app.query_params)["audited"] in ("tem", ["tem"])


def test_a_bad_row_in_a_link_is_named():
    app = guarantees(audited="magic")
    assert any("audited must be one of" in warning.value for warning in app.warning)


def test_the_printed_numbers_stand_beside_the_computed_ones_with_an_explanation(opened):
    table = table_with(opened, "what explains it")
    tem = table[(table["mechanism"] == "TEM") & (table["ε"] == 5)]
    assert tem["N_w printed"].iloc[0] == 68.1
    assert (tem["N_w computed"].between(90, 93)).any()
    assert table["what explains it"].str.len().min() > 5
    assert set(table["mechanism"]) >= {"CMP", "SanText", "Vickrey", "SynTF", "TEM", "Mahalanobis"}


def test_the_setting_of_the_other_pages_is_tested_first():
    app = guarantees(mechanism="tem", eps="3.5")
    box = app.selectbox(key="audited")
    assert box.options[box.index] == "your settings: TEM, ε = 3.5"
    assert any(
        "TEM: proven, and no check contradicts it" in heading.value for heading in app.subheader
    )
    checks = table_with(app, "extent")
    assert {"pairs of words", "sum of the law"} <= set(checks["check"])
    assert set(checks["found"]) == {"no fault"}
    assert "times the bound" in shown(app)
    assert "These checks cannot find: " in shown(app)


def test_a_hidden_setting_is_not_told():
    app = page(**{"audit-words": "3000", "mechanism": "tem", "eps": "3.5"})
    app.session_state["hide.names"] = ["mechanism"]
    app.switch_page("pages/guarantees/page.py").run(timeout=300)
    assert not healthy(app).selectbox
    assert "hides the mechanism, and this page would reveal it" in shown(app)


def test_a_check_that_finds_a_fault_says_it_in_its_row(opened):
    checks = table_with(opened, "extent")
    (fault,) = checks.loc[checks["check"] == "choice of the word", "found"]
    assert "never returned" in fault


def test_every_word_is_tried_when_asked_for():
    app = guarantees(mechanism="santext", eps="3")
    (button,) = [each for each in app.button if "Try every word" in each.label]
    healthy(button.click().run(timeout=300))
    for _ in range(1_000):
        if "No fault was found. Checked: " in shown(healthy(app.run(timeout=300))):
            return
    raise AssertionError(shown(app))


# -------------------------------------------------------------------------------- any mechanism

TABLE = b"word,output,count\na,x,9000\na,y,1000\nb,x,1000\nb,y,9000\n"


def any_mechanism(table=None, **query):
    app = guarantees(**{"audit-of": "any", **query})
    if table is not None:
        (uploader,) = app.get("file_uploader")
        healthy(uploader.upload("counts.csv", table, "text/csv").run(timeout=300))
    return app


def test_without_a_table_the_page_says_what_to_bring():
    app = any_mechanism()
    assert "Upload a table to see a bound" in shown(app)
    assert "word,output,count" in app.code[0].value
    packages = table_with(app, "ε as audited, at least")
    assert {"mldp-text", "dp-diffractor"} == set(packages["package"])
    shown_by = packages["witness"] != "none"
    assert packages["draws per word"].notna().equals(shown_by)


def test_a_table_of_counts_has_its_bound_and_its_witness():
    app = any_mechanism(TABLE)
    assert any("The promise is broken" in heading.value for heading in app.subheader)
    assert "Witness" in shown(app)
    assert "Not tested: other words" in shown(app)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (b"word,output\na,b\n", "it lacks count"),
        (b"word,output,count\na,b,many\n", "row 2: the count must be a whole number"),
        (b"word,output,count\na,b,5\n", "at least two words with draws"),
        ("word,output,count\nä,b,5\n".encode("latin-1"), "the file must be UTF-8"),
        (b"", "it lacks word, output, count"),
    ],
)
def test_a_table_that_cannot_be_used_is_a_sentence(table, said):
    app = any_mechanism(table)
    assert any(said in error.value.replace("\\", "") for error in app.error), shown(app)


def test_a_kept_promise_says_what_it_is_worth_at_this_epsilon():
    app = guarantees(mechanism="tem", eps="3.5")
    (text,) = [m.value for m in app.markdown if "the promise allows" in m.value]
    near, typical = re.findall(r"tested \(([\d.]+) apart\)|of those tested, ([\d.]+),", text)
    distances = float(near[0]), float(typical[1])
    assert distances[0] < distances[1]
    for distance in distances:
        assert any(
            times(3.5 * d) in text for d in np.linspace(distance - 0.005, distance + 0.005, 101)
        )
    broken = guarantees(audited="vickrey-published")
    assert not [m for m in broken.markdown if "the promise allows" in m.value]


def headings(app):
    return " ".join(heading.value for heading in app.subheader)
