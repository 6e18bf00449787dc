"""The trade-off page, run by Streamlit itself without a browser, on rows that are made here."""

import io
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from measures.sweeps import contest, experiment, regression, scores
from measures.sweeps.ranking import Segment
from measures.sweeps.vectors import packed
from mechanisms import MECHANISMS
from mechanisms.estimate import exact
from pages.shared import downloads
from pages.tradeoff import charts, own_texts, results, sweeps, verdicts, wording
from pages.tradeoff import tables as tables_tradeoff
from tests.app import healthy, page, shown
from tests.boxes import number_box


def row(mechanism, epsilon, utility, privacy, **changed):
    """A row whose five measures of privacy score alike, with intervals of one point each way."""
    values = {
        "accuracy": utility * 0.8,
        "baseline_accuracy": 80.0,
        "accuracy_on_original": 80.0,
        "macro_f1": utility * 0.8,
        "baseline_macro_f1": 80.0,
        **{name: privacy for name in scores.HIGHER},
        **{name: 100 - privacy for name in scores.LOWER},
    }
    ends = {f"{n}_from": v - 0.5 for n, v in values.items()}
    ends |= {f"{n}_to": v + 0.5 for n, v in values.items()}
    setup = {"corpus": "imdb", "mechanism": mechanism, "variant": "", "epsilon": epsilon}
    setup |= {"texts": 500, "parameters": "{}", "error": None, "repetition": 0}
    return {**setup, **values, **ends, **changed}


# CMP and TEM change places at α = 0.4: there 0.4 · 30 = 0.6 · 20.
ROWS = [
    row("CMP", 2.0, 60.0, 80.0),
    row("CMP", 9.0, 55.0, 20.0),
    row("TEM", 5.0, 90.0, 60.0),
    row("SanText", 1.0, 50.0, 50.0),
]


@pytest.fixture
def shipped(monkeypatch):
    """Make the page show these rows as those of the standard sweep."""

    def ship(rows):
        ours = results.Shipped(list(rows))
        monkeypatch.setattr(results, "shipped", lambda: ours)

    return ship


def tradeoff(**query):
    app = page(**query)
    app.switch_page("pages/tradeoff/page.py").run(timeout=300)
    return healthy(app)


def link(app):
    return {k: v[0] if isinstance(v, list) else v for k, v in app.query_params.items()}


def ranking(app):
    return app.dataframe[0].value


def test_without_any_results_the_page_says_what_to_do(shipped):
    shipped([])
    app = tradeoff()
    assert "no results to show yet" in app.info[0].value
    assert not app.error


@pytest.mark.parametrize(("alpha", "first"), [("0.3", "CMP"), ("0.5", "TEM")])
def test_the_first_sentence_says_who_leads_and_where_that_changes(shipped, alpha, first):
    shipped(ROWS)
    app = tradeoff(alpha=alpha)
    sentence = app.subheader[0].value
    assert sentence.startswith(f"With α = {alpha}, {first} at ε")
    assert sentence.endswith("leads; the first place changes at α = 0.40")
    assert ranking(app)["mechanism"].tolist()[0] == first


def test_moving_alpha_turns_the_ranking_round_and_goes_into_the_link(shipped):
    shipped(ROWS)
    app = tradeoff(alpha="0.3")
    assert ranking(app)["mechanism"].tolist() == ["CMP", "TEM", "SanText"]
    app.slider(key="alpha").set_value(0.9).run()
    assert ranking(app)["mechanism"].tolist() == ["TEM", "CMP", "SanText"]
    assert link(app)["alpha"] == "0.9"
    said = ranking(app)["leads for α"].tolist()
    assert [re.sub(r"\d+ % of", "n % of", one) for one in said] == [
        "0.4 to 1 (n % of resamples)",
        "0 to 0.4 (n % of resamples)",
        "",
    ]


def test_a_lead_within_the_intervals_is_not_called_one(shipped):
    shipped([row("CMP", 2.0, 80.0, 60.0), row("TEM", 5.0, 79.9, 60.0)])
    app = tradeoff()
    sentence = app.subheader[0].value
    assert sentence.endswith("is shared: these texts cannot tell CMP and TEM apart")
    assert "leads" not in sentence
    table = ranking(app)
    assert table["clearly behind the first"].tolist() == ["", "no"]
    assert table["at least"][1] < 0 < table["at most"][1]
    assert "cannot be compared text by text" in shown(app)


def test_the_button_hands_over_whom_the_first_sentence_names(shipped):
    lucky = [(2.0, 0, 100.0), (2.0, 1, 30.0), (9.0, 0, 30.0), (9.0, 1, 100.0)]
    rows = [row("CMP", epsilon, u, 63.0, repetition=which) for epsilon, which, u in lucky]
    rows += [row("TEM", 5.0, 63.0, 63.0, repetition=which) for which in (0, 1)]
    found = scores.points(rows)
    assert found.curve[scores.ranked(found, 0.5).best[0]] == "CMP"  # the highest point
    shipped(rows)
    app = tradeoff(alpha="0.5")
    assert "**TEM at ε = 5** has a PUC of 63.0" in shown(app).replace("\\", "")
    assert any("Use TEM, ε = 5 for" in button.label.replace("\\", "") for button in app.button)


def test_many_equals_are_counted_in_the_headline(shipped):
    names = ("CMP", "TEM", "SanText", "Laplace", "Mahalanobis", "SynTF")
    shipped([row(name, 2.0, 80.0 + i / 50, 60.0) for i, name in enumerate(names)])
    app = tradeoff()
    app.toggle(key="all-mechanisms").set_value(True).run()
    assert app.subheader[0].value.endswith("these texts cannot tell the mechanisms apart")


def test_a_few_mechanisms_of_one_notion_come_first_and_all_are_a_click_away(shipped):
    kept = {"keeps": True, "notion": "metric DP"}
    shipped(
        [
            row("Laplace", 2.0, 90.0, 90.0, keeps=True, notion="pure DP"),
            *(row(name, 2.0, 60.0, 60.0, **kept) for name in ("CMP", "TEM", "SanText")),
            row("SynTF", 2.0, 99.0, 99.0, keeps=False, notion="pure DP"),
        ]
    )
    app = tradeoff()
    assert set(ranking(app)["mechanism"]) == {"CMP", "TEM", "SanText"}
    assert "make different promises" not in shown(app)
    app.toggle(key="all-mechanisms").set_value(True).run()
    table = ranking(healthy(app)).set_index("mechanism")
    assert len(table) == 5
    assert table.loc["Laplace", "keeps"] == "✓ pure DP"
    assert table.loc["SynTF", "keeps"] == "✗ nothing"
    said = shown(app)
    assert "**metric DP** (CMP, " in said
    assert "**pure DP** (Laplace)" in said
    assert "make different promises" in said
    assert "keep no promise**: SynTF" in said
    app.toggle(key="all-mechanisms").set_value(False).run()
    app.multiselect(key="mechanisms-compared").set_value(["TEM", "Laplace"]).run()
    assert set(ranking(app)["mechanism"]) == {"TEM", "Laplace"}


def test_three_scales_are_side_by_side_and_one_of_them_is_the_figures(shipped):
    shipped(ROWS)
    app = tradeoff(alpha="0.9")
    app.session_state["scales-panel"] = True
    scales = app.run().dataframe[1].value
    toss = scales["utility of guessing"].tolist()
    assert toss[:2] == pytest.approx([100 * 50 / 80, 0])
    assert scales["first"].tolist() == ["TEM"] * 3
    app.button_group(key="scale").set_value("chance").run()
    assert link(app)["scale"] == "chance"
    assert ranking(healthy(app))["utility"][0] == pytest.approx(100 * (72 - 50) / 30)


def test_numbers_of_texts_come_from_the_rows(shipped):
    right = packed(100.0 * (np.arange(250) < 150))
    shipped([*ROWS[:3], ROWS[3] | {"accuracy_each": right}])
    assert "Texts for each setting: 500. Texts for testing: 250." in shown(tradeoff())


def test_a_range_that_two_decimals_do_not_show_is_one_alpha():
    found = scores.points([row("CMP", 2.0, 60.0, 80.0), row("TEM", 5.0, 90.0, 60.0)])
    ends = (0.0, 0.567, 0.569, 1.0)
    orders = ((0, 1), (1, 0), (0, 1))
    segments = [Segment(*ends[i : i + 2], order) for i, order in enumerate(orders)]
    order = replace(scores.ranked(found, 0.5), segments=tuple(segments))
    assert verdicts.changes(order) == (
        "First places: **CMP** for α from 0.00 to 0.57, **TEM** at α = 0.57 and **CMP** for α "
        "from 0.57 to 1.00."
    )


def test_a_share_of_resamples_is_over_all_alpha_at_which_a_curve_is_first():
    found = scores.points(
        [row("CMP", 2.0, 90.0, 20.0), row("CMP", 9.0, 20.0, 90.0), row("TEM", 5.0, 57.0, 57.0)]
    )
    order = scores.ranked(found, 0.5)
    assert [order.curves[segment.order[0]] for segment in order.leads] == ["CMP", "TEM", "CMP"]
    (_, low, _), (_, high, _) = order.leads[0], order.leads[1]
    here = (low >= sweeps.ALPHAS) | (high <= sweeps.ALPHAS)
    every = contest.shares_of_lead(found, sweeps.ALPHAS)[0]
    shares = sweeps.shares_of_lead(found, order)
    assert shares["CMP"] == pytest.approx(every[here].mean())
    assert set(shares) == {"CMP", "TEM"}


def test_a_promise_that_is_broken_looks_broken():
    found = scores.points(
        [row("CMP", 1.0, 50, 50, keeps=True, notion="metric DP"),
         row("TEM", 1.0, 60, 60, keeps=False, notion="metric DP")]
    )  # fmt: skip
    whole, broken = charts.plane(
        sweeps.curves(found), [[60.0], [60.0]], ("x", 60.0, 60.0), 0.5, "", ""
    ).data[:2]
    assert (whole.line.dash, broken.line.dash) == ("solid", "dot")
    assert broken.marker.symbol == f"{broken.marker.symbol.removesuffix('-open')}-open"
    assert whole.name.endswith("✓ metric DP")
    assert broken.name.endswith("✗ no promise kept")


def test_a_measure_left_out_and_a_weight_change_the_score(shipped):
    shipped([row("CMP", 2.0, 60.0, 80.0, pp=0.0, pp_from=0.0, pp_to=0.0)])
    app = tradeoff(alpha="0")
    assert ranking(app)["PUC"].tolist() == pytest.approx([64.0])
    number_box(app, key="weight-pp").set_value(4.0).run()
    assert ranking(app)["PUC"].tolist() == pytest.approx([4 * 80 / 8])
    assert link(app)["weight-pp"] == "4.0"
    app.button_group(key="counts").set_value(["accuracy", "n_w", "s_w", "cs", "low"]).run()
    assert ranking(app)["PUC"].tolist() == pytest.approx([80.0])
    assert link(app)["counts"] == "accuracy,n_w,s_w,cs,low"


def test_the_protocol_is_a_choice(shipped):
    shipped(ROWS)
    app = tradeoff(alpha="1", **{"tested-on": "original"})
    assert ranking(app)["utility"].tolist() == pytest.approx([100, 100, 100])


def test_nothing_that_counts_gets_a_sentence(shipped):
    shipped(ROWS)
    app = tradeoff(counts="accuracy")
    assert "at least one measure of privacy is needed" in app.info[0].value.replace("\\", "")


def test_rows_that_cannot_be_shown_are_counted(shipped):
    shipped([*ROWS, row("TEM", 1.0, 50.0, 90.0, cs=None), row("TEM", 2.0, 1, 1, error="no")])
    said = shown(tradeoff()).replace("\\", "")
    assert "Left out: 1 without CS, 1 failed." in said
    assert "4 settings on 3 curves. Texts for each setting: 500." in said


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("alpha", "1.5", r"α must be at least 0 and at most 1"),
        ("counts", "accuracy,love", "must hold only accuracy"),
        ("corpus", "secret", "must be one of imdb"),
        ("view", "all", "must be one of measured"),
        ("weight-pp", "-1", "must be at least 0 and at most 100"),
    ],
)
def test_a_bad_value_of_the_link_is_named(shipped, name, value, rule):
    shipped(ROWS)
    (warning,) = [w.value.replace("\\", "") for w in tradeoff(**{name: value}).warning]
    assert f"ignored {name}={value}" in warning
    assert rule.replace("α ", "") in warning


def test_a_run_goes_over_five_epsilon_and_its_rows_join_the_figure(shipped, monkeypatch):
    shipped(ROWS)
    begun = []

    def run(each, on=None):
        begun.append(each)
        values = row("TEM", each.mechanism.epsilon, 70.0, 70.0, texts=each.texts)
        return values | {"seconds": 0.1}

    monkeypatch.setattr(experiment, "run", run)
    app = tradeoff(mechanism="tem")
    next(b for b in app.button if b.label == "▶ Run").click().run(timeout=300)
    (job,) = app.session_state.sweep_runs.values()
    while not job.finished:
        healthy(app.run())
    app.run()
    assert [each.texts for each in begun] == [500] * 5
    assert len({each.mechanism.epsilon for each in begun}) == 5
    assert "TEM, your run" in ranking(app)["mechanism"].tolist()
    next(b for b in app.button if "Remove my results" in b.label).click().run()
    assert "TEM, your run" not in ranking(app)["mechanism"].tolist()


def test_texts_of_a_visitor_are_measured_on_ground_that_only_they_hold(shipped, monkeypatch):
    corpus = sweeps.Corpus("mine", tuple(f"good movie {i}" for i in range(40)), ("a", "b") * 20)
    grounds = []
    monkeypatch.setattr(experiment, "run", lambda each, on=None: grounds.append(on) or {})
    cells = sweeps.plan.planned(
        (own_texts.OWN_TABLE,), (MECHANISMS[0].family(),), ("5", "6"), texts=40
    )
    for piece in sweeps._on_own_ground(cells, corpus, benchmark=False):
        piece()
    assert grounds[0] is grounds[1]
    assert sorted(grounds[0].texts) == sorted(corpus.texts)


# -------------------------------------------------------------------------------- the other views


def test_the_benchmarks_table_stands_beside_its_recomputed_self(shipped):
    shipped([])
    app = tradeoff(view="published", alpha="0.75")
    both = app.dataframe[0].value
    assert both["as printed"].tolist()[0] == "CMP"
    assert both["recomputed"].tolist()[0] == "Truncated Gumbel"
    assert app.subheader[0].value.startswith("With α = 0.75, the table prints **CMP** first.")
    assert all("⚠️" in mark for mark in both["misprinted"])
    assert any("printed beside the wrong mechanisms" in each.label for each in app.expander)
    assert len(app.dataframe[-1].value) == 378


def test_imdb_is_as_printed_but_for_one_cell(shipped):
    shipped([])
    app = tradeoff(view="published", **{"table-corpus": "imdb"})
    both = app.dataframe[0].value
    wrong = [
        m for m, mark in zip(both["as printed"], both["misprinted"], strict=True) if "⚠" in mark
    ]
    assert wrong == ["SynTF"]
    assert link(app)["table-corpus"] == "imdb"


def test_the_regression_comes_out_and_our_rows_join_it_where_there_are_enough(shipped):
    shipped([])
    fits = tradeoff(view="regression").dataframe[0].value
    assert fits["refitted"].round(4).tolist()[:5] == fits["printed"].tolist()[:5]
    assert "our rows" not in fits
    rng = np.random.default_rng(0)
    shipped(
        row("TEM", i + 1.0, 50.0, 50.0, n_w=n_w, s_w=s_w, pp=pp, cs=cs)
        for i, (n_w, s_w, pp, cs) in enumerate(rng.uniform(0, 100, (40, 4)).tolist())
    )
    assert "our rows" in tradeoff(view="regression").dataframe[0].value


def test_the_claims_have_an_answer(shipped):
    shipped([])
    app = tradeoff(view="claims")
    assert "On the paper's own numbers, recomputed, the claim holds in most" in shown(app)
    assert len(app.dataframe[0].value) == 14


# ------------------------------------------------------------------------------------- own files


def as_parquet(rows):
    file = io.BytesIO()
    pd.DataFrame(rows).to_parquet(file)
    return file.getvalue()


def test_a_file_of_rows_is_read_as_parquet_and_as_csv():
    from_parquet = scores.from_file(as_parquet(ROWS))
    from_csv = scores.from_file(pd.DataFrame(ROWS).to_csv(index=False).encode("utf-8-sig"))
    for rows in (from_parquet, from_csv):
        found = scores.points(rows)
        assert found.curve == ("CMP", "CMP", "TEM", "SanText")
        assert found.puc(0.5) == scores.points(ROWS).puc(0.5)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x00\x01", "must be Parquet, or CSV|must have the columns"),
        (b"PAR1 and then nothing", "must be Parquet, or CSV"),
        (b"corpus,epsilon\nimdb,1\n", "lacks mechanism"),
        (b"corpus,mechanism,epsilon\nimdb,TEM,-1\n", "row 1 must have an ε above 0"),
        (b"corpus,mechanism,epsilon\nimdb,TEM,high\n", "row 1 must have an ε above 0"),
        (b"corpus,mechanism,epsilon\n" + b"imdb,TEM,1\n" * 20_001, "at most 20,000 rows"),
    ],
)
def test_a_file_that_holds_no_rows_is_refused_with_a_sentence(data, message):
    with pytest.raises(ValueError, match=message):
        scores.from_file(data)


def test_a_file_of_few_rows_that_is_too_large_is_refused_by_its_size(monkeypatch):
    monkeypatch.setattr(scores, "_MOST_BYTES", 10)
    with pytest.raises(ValueError, match=r"at most 10 bytes when unpacked; got [\d,]+\."):
        scores.from_file(as_parquet(ROWS))


def test_markup_and_formulas_in_a_file_stay_text(shipped):
    shipped([row("<b>=1+1</b>", 1.0, 50.0, 50.0, parameters=json.dumps({"x": "<i>"}))])
    app = tradeoff()
    assert r"\<b\>" in app.subheader[0].value
    found = scores.points([row("<b>=1+1</b>", 1.0, 50.0, 50.0)])
    figure = charts.plane(sweeps.curves(found), [[50.0], [50.0]], ("<i>", 50.0, 50.0), 0.5, "", "")
    assert figure.data[0].name == "&lt;b&gt;=1+1&lt;/b&gt;"
    assert "<i>" not in figure.layout.annotations[0].text
    table = downloads.csv(tables_tradeoff.rows([row("=1+1", 1.0, 50.0, 50.0)]))
    assert b"'=1+1" in table


# ------------------------------------------------------------------------------------ the figures


@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.5, 1.0])
def test_the_line_of_equal_score_goes_through_the_leader_and_joins_equal_scores(alpha):
    found = scores.points(ROWS)
    order = scores.ranked(found, alpha)
    best = order.best[0]
    at = found.privacy.value[best], found.utility.value[best]
    figure = charts.plane(sweeps.curves(found), [[60.0], [90.0]], ("leader", *at), alpha, "", "")
    (line,) = [trace for trace in figure.data if "same PUC" in trace.name]
    ends = alpha * np.array(line.y) + (1 - alpha) * np.array(line.x)
    assert ends == pytest.approx(order.score.value[best])
    for values, axis in ((line.x, figure.layout.xaxis), (line.y, figure.layout.yaxis)):
        assert min(values) >= axis.range[0] - 1e-6
        assert max(values) <= axis.range[1] + 1e-6
    assert (line.x[0], line.y[0]) != (line.x[1], line.y[1])


def test_a_point_has_its_interval_on_both_axes():
    found = scores.points(ROWS[:1])
    trace = charts.plane(
        sweeps.curves(found), [[80.0], [60.0]], ("CMP", 80.0, 60.0), 0.5, "", ""
    ).data[0]
    assert trace.x[0] + trace.error_x.array[0] == pytest.approx(found.privacy.high[0])
    assert trace.y[0] - trace.error_y.arrayminus[0] == pytest.approx(found.utility.low[0])
    assert trace.line.color == charts.COLOURS["CMP"]


def test_two_orders_join_each_mechanism_with_itself():
    figure = charts.two_orders([("CMP", 2.0), ("TEM", 1.0)], [("TEM", 5.0), ("CMP", 4.0)])
    assert {t.name: tuple(t.y) for t in figure.data} == {"CMP": (1, 2), "TEM": (2, 1)}


def test_bars_of_coefficients_are_students_intervals_for_their_number_of_settings():
    rng = np.random.default_rng(0)
    x = {name: rng.normal(size=8) for name in regression.PREDICTORS}
    fit = regression.least_squares(x, rng.normal(size=8))
    quantile = 3.182446305284263  # Student's, 8 - 5 degrees of freedom, in printed tables 3.182
    np.testing.assert_allclose(fit.estimates.half_width, quantile * fit.errors)
    printed = pd.DataFrame({"coef": fit.coefficients, "std_err": fit.errors})
    found = tables_tradeoff.coefficients(printed, {wording.REFIT: fit})
    for end in ("value", "low", "high"):
        of = (getattr(found[label], end) for label in ("printed", wording.REFIT))
        np.testing.assert_allclose(*of)
    figure = charts.coefficients(["ε", "N_w", "S_w", "PP"], found)
    assert figure.data[0].error_y.array[0] == pytest.approx(quantile * fit.errors[1])


def test_each_panel_of_coefficients_is_titled_over_its_middle():
    terms = ["ε", "N_w", "S_w", "PP"]
    layout = charts.coefficients(terms, {"ours": exact([1.0] * 4)}).layout
    axes = (layout.xaxis, layout.xaxis2, layout.xaxis3, layout.xaxis4)
    for title, axis, term in zip(layout.annotations, axes, terms, strict=True):
        assert (title.text, title.xanchor) == (term, "center")
        assert title.x == pytest.approx(sum(axis.domain) / 2)
