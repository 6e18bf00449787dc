"""The γ page, run by Streamlit itself without a browser."""

import pytest

from mechanisms.calibration import gamma_for
from tests.app import healthy, page, shown
from tests.boxes import number_box, number_keys


def gamma_page(**query):
    app = page(**query)
    app.switch_page("pages/gamma/page.py").run(timeout=300)
    return healthy(app)


def answer(app):
    return app.subheader[0].value


def test_the_page_opens_with_an_answer_that_is_rounded_up():
    app = gamma_page(size="10000")
    words = int(number_box(app, key="theorem-words").placeholder.split()[0].replace(",", ""))
    exact = gamma_for(10, 1e-3, words)
    shown_value = float(answer(app).removeprefix("γ = "))
    assert exact <= shown_value < exact * 1.001
    assert not app.error
    assert not app.warning


@pytest.mark.parametrize("sought", ["gamma", "beta", "epsilon"])
def test_each_of_the_three_is_found_from_the_other_two(sought):
    app = gamma_page(
        **{
            "solve": sought,
            "theorem-eps": "10",
            "theorem-beta": "0.01",
            "theorem-gamma": "2.3",
            "theorem-words": "1000",
        }
    )
    expected = {"gamma": "γ = 2.301", "beta": "β = 0.01002", "epsilon": "ε = 10.01"}[sought]
    assert answer(app) == expected
    typed = number_keys(app)
    hidden = {"gamma": "theorem-gamma", "beta": "theorem-beta", "epsilon": "theorem-eps"}[sought]
    assert {"theorem-gamma", "theorem-beta", "theorem-eps"} - typed == {hidden}


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"theorem-words": "1"}, "any γ will do"),
        ({"theorem-words": "3", "theorem-beta": "0.9"}, "Any γ will do"),
        ({"solve": "beta", "theorem-gamma": "0"}, "With γ = 0 the ball holds only the word itself"),
        ({"solve": "epsilon", "theorem-gamma": "0"}, "must not be 0 when ε is sought"),
        (
            {"solve": "epsilon", "theorem-beta": "0.9", "theorem-words": "3"},
            "any ε and any γ will do",
        ),
        ({"theorem-eps": "0.5"}, "the ball of each of the 100 words holds all"),
        ({"theorem-eps": "1e-300"}, "the ball of each of the 100 words holds all"),
        ({"theorem-eps": "1e300"}, "the ball holds only the word itself. Such a word"),
        (
            {"theorem-eps": "-5"},
            "ignored theorem-eps=-5: theorem-eps must be above 0; got -5.",
        ),
        ({"theorem-beta": "1"}, "theorem-beta must be above 0 and below 1; got 1."),
    ],
)
def test_edge_cases_are_explained_in_words(query, sentence):
    app = gamma_page(size="10000", **query)
    headings = "\n".join(heading.value for heading in app.subheader)
    text = f"{shown(app)}\n{headings}"
    assert sentence in text or sentence in text.replace("\\", ""), text


@pytest.mark.parametrize(("key", "value"), [("theorem-eps", 0.0), ("theorem-beta", 1.0)])
def test_a_bad_number_in_a_box_gets_a_sentence(key, value):
    app = gamma_page()
    number_box(app, key=key).set_value(value).run()
    (error,) = healthy(app).error
    assert "Theorem 4.2" in error.value.replace("\\", "")


def test_a_real_word_is_named_and_none_leaves_its_ball_above_the_bound():
    app = gamma_page(size="10000")
    table = app.dataframe[0].value
    assert len(table) == 100
    assert (table["share of the bound"] <= 1 + 1e-9).all()
    assert table["leaves the ball"].is_monotonic_decreasing
    assert "The worst of these 100 words is **" in shown(app)


def test_words_of_ones_own_are_added_and_never_stand_in_the_link():
    app = gamma_page()
    app.text_input(key="gamma-words").set_value("movie, london qzxv").run()
    table = healthy(app).dataframe[0].value
    assert len(table) == 102
    assert {"movie", "london"} <= set(table["word"])
    assert "Not in this vocabulary: qzxv." in shown(app)
    assert "movie" not in str(dict(app.query_params))


def test_a_gamma_of_ones_own_is_compared_and_stands_in_the_link():
    app = gamma_page(**{"own-gamma": "1.5"})
    assert "Your γ = 1.5 is below the theorem's" in shown(app)
    assert dict(app.query_params)["own-gamma"] in ("1.5", ["1.5"])
    number_box(app, key="own-gamma").set_value(0.0).run()
    assert "Your γ = 0 is below the theorem's" in shown(healthy(app))


def test_the_derivation_has_the_numbers_of_the_moment():
    app = gamma_page(**{"theorem-words": "1001", "theorem-eps": "4", "theorem-beta": "0.02"})
    text = shown(app)
    assert r"|W| - 1 = 1{,}000" in text
    assert r"\dfrac{(1 - 0.02) \cdot 1{,}000}{0.02} = 49{,}000" in text
    assert r"\dfrac{2}{4} \cdot 10.8 = 5.3998" in text


def test_every_chart_has_a_text_that_states_its_finding_and_one_line_on_how_to_read_it():
    app = gamma_page(size="10000")
    charts = app.get("plotly_chart")
    assert len(charts) == 3
    assert all(len(chart.proto.alt) > 40 for chart in charts)
    assert sum(caption.value.startswith("How to read this: ") for caption in app.caption) == 3


def test_all_settings_stand_in_the_link():
    link = dict(gamma_page().query_params)
    assert {"solve", "theorem-eps", "theorem-beta", "theorem-gamma", "embedding"} <= set(link)
