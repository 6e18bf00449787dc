"""The neighbours page, run by Streamlit itself without a browser."""

import pytest

from benchmarks.density import redraws
from tests.app import healthy, page, shown
from tests.boxes import number_box


@pytest.fixture(autouse=True, scope="module")
def own_store(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDVEIL_CACHE", str(tmp_path_factory.mktemp("store")))
        yield


def neighbours(**query):
    app = page(**{"size": "10000", **query})
    app.switch_page("pages/neighbours/page.py").run(timeout=240)
    return healthy(app)


def tables(app):
    return [table.value for table in app.dataframe]


def test_everything_is_on_screen_at_first():
    app = neighbours()
    assert not app.error
    assert not app.warning
    headings = "\n".join(heading.value for heading in app.subheader)
    for part in ("movie", "k-th neighbour", "densest", "Which words stay"):
        assert part in headings
    charts = app.get("plotly_chart")
    assert len(charts) == 4
    assert all(len(chart.proto.alt) > 40 for chart in charts)
    assert sum(caption.value.startswith("How to read this: ") for caption in app.caption) == 5


def test_neighbours_on_the_map_are_in_order_of_distance_and_the_word_comes_first():
    near = tables(neighbours())[0]
    assert near["word"][0] == "movie"
    assert near["distance"][0] == 0
    assert near["distance"].is_monotonic_increasing
    assert len(near) == 61
    assert 0 < near["comes out"].sum() <= 1 + 1e-9


@pytest.mark.parametrize(
    ("mechanism", "sentence"),
    [
        ("cmp", "averaged over 1,000 directions"),
        ("mahalanobis", "from 20,000 draws"),
        ("laplace", "A hollow circle came out in none of them"),
        ("gaussian", "averaged over 1,000 directions"),
        ("truncated-laplace", "2,000 draws"),
        ("tem", "exact, from the mechanism's law"),
        ("santext", "adds no noise"),
        ("vickrey", "averaged over 1,000 directions"),
        ("syntf", "adds no noise"),
    ],
)
def test_every_mechanism_is_answered_and_says_where_its_numbers_come_from(mechanism, sentence):
    app = neighbours(mechanism=mechanism)
    assert not app.error
    assert sentence in shown(app)


def test_a_mechanism_that_refuses_says_why_and_the_rest_of_the_page_stands():
    app = neighbours(mechanism="truncated-gumbel", eps="5")
    assert any("must exceed" in error.value for error in app.error)
    assert len(app.get("plotly_chart")) == 2


@pytest.mark.parametrize("eps", ["1e-30", "1e30"])
@pytest.mark.parametrize("mechanism", ["cmp", "laplace", "tem"])
def test_extreme_epsilon_is_answered(mechanism, eps):
    assert not neighbours(mechanism=mechanism, eps=eps).error


def test_another_word_is_shown_and_stays_out_of_the_link():
    app = neighbours()
    app.text_input(key="map-word").set_value("Hockey").run()
    assert tables(healthy(app))[0]["word"][0] == "hockey"
    assert "ockey" not in str(dict(app.query_params))
    app.toggle(key="map-word-in-link").set_value(True).run()
    assert "Hockey" in str(dict(healthy(app).query_params))


def test_a_link_opens_the_word_that_it_names():
    app = neighbours(**{"map-word": "hockey"})
    assert tables(app)[0]["word"][0] == "hockey"
    assert "hockey" in str(dict(app.query_params))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type a word above"),
        ("moviezz", "Type another word, such as **movie**"),
        ("<script>", "is not in this vocabulary"),
    ],
)
def test_a_word_that_is_not_there_gets_a_sentence(typed, sentence):
    app = neighbours()
    app.text_input(key="map-word").set_value(typed).run()
    assert sentence in shown(healthy(app))
    assert "<script" not in shown(app).replace(r"\<", "")  # escaped
    assert len(app.get("plotly_chart")) == 2


def test_a_second_embedding_is_laid_over_the_first():
    app = neighbours(overlay="random-50d")
    assert "**random\\-50d**, 1,000 of" in shown(app)
    assert dict(app.query_params)["overlay"] in ("random-50d", ["random-50d"])


def test_densest_and_sparsest_words_are_those_with_the_nearest_and_farthest_tenth_word():
    _, densest, sparsest = tables(neighbours())
    assert densest["k = 10"].is_monotonic_increasing
    assert sparsest["k = 10"].is_monotonic_decreasing
    assert densest["k = 10"].max() < sparsest["k = 10"].min()


def test_settings_are_kept_on_the_way_from_page_to_page():
    app = page(mechanism="tem", eps="3.25", size="10000")
    app.switch_page("pages/neighbours/page.py").run(timeout=240)
    assert healthy(app).selectbox(key="mechanism").value.name == "TEM"
    assert number_box(app, key="tem.epsilon").value == 3.25
    app.switch_page("pages/gamma/page.py").run(timeout=240)
    app.switch_page("pages/perturb/page.py").run(timeout=240)
    assert number_box(healthy(app), key="tem.epsilon").value == 3.25
    assert dict(app.query_params)["size"] in ("10000", ["10000"])


def test_the_benchmark_of_this_page_and_of_the_gamma_page_finds_their_controls():
    seconds = dict(redraws(10_000))
    assert {"ε of CMP", "another word, TEM", "size of the map", "chosen γ"} <= seconds.keys()
    assert min(seconds.values()) > 0
