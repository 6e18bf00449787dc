"""The sentence over all ε: its steps against fresh draws, and as a visitor meets it."""

import numpy as np
import pytest

from measures.words.dissolution import CELLS, axis, dissolution
from mechanisms import CMP, MECHANISMS, TEM, Gaussian, NGramTEM, SanText, TruncatedGumbel, Vickrey
from mechanisms.in_order import draw_texts
from mechanisms.randomness import seeded_rng
from mechanisms.sampled_path import has_path, sampled_path
from mechanisms.vocabulary import Vocabulary
from tests.app import healthy, page, shown, unfolded
from tests.boxes import number_box
from tests.toy import TOY, toy_counts

SYNONYMS = {"east": ["west", "north"], "north": ["south"], "origin": ["edge"]}
# Without `copy`: Truncated Gumbel needs different vectors.
DIFFERENT = [i for i, word in enumerate(TOY.words) if word != "copy"]
LEXICAL = Vocabulary(
    [TOY.words[i] for i in DIFFERENT], TOY.vectors[DIFFERENT], SYNONYMS, counter=toy_counts
)
WORDS = np.array([0, 1, 2, 1])


def dissolved(family, low=0.5, high=20.0, seed=1, ids=WORDS):
    return dissolution(family, LEXICAL, ids, low, high, seeded_rng(seed))


# The smallest ε that Truncated Gumbel answers depends on the two closest words: far above the rest.
ENDS = {TruncatedGumbel: (20_000.0, 400_000.0)}


@pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.name)
def test_the_segments_of_every_word_cover_the_axis_without_a_gap(cls):
    low, high = ENDS.get(cls, (0.5, 20.0))
    result = dissolved(cls.family(), low, high)
    for row in range(len(WORDS)):
        mine = result.row == row
        begin, end = result.begin[mine], result.end[mine]
        assert begin[0] <= low
        assert end[-1] >= high
        assert (begin < end).all()
        np.testing.assert_array_equal(end[:-1], begin[1:])
    np.testing.assert_array_equal(result.unchanged, result.released == WORDS[result.row])
    np.testing.assert_allclose(
        result.distance, LEXICAL.distance_between(WORDS[result.row], result.released)
    )


@pytest.mark.parametrize("cls", [CMP, Vickrey, Gaussian, TEM, SanText], ids=lambda cls: cls.name)
def test_a_followed_draw_is_the_sampled_path(cls):
    family = cls.family()
    result = dissolved(family)
    path = sampled_path(family, LEXICAL, WORDS, 1, seeded_rng(1))
    for epsilon in np.geomspace(0.5, 20.0, 57):
        np.testing.assert_array_equal(result.released_at(epsilon), path.at(epsilon)[:, 0])
        assert result.unchanged_at(epsilon) == (path.at(epsilon)[:, 0] == WORDS).sum()


@pytest.mark.parametrize("cls", [c for c in MECHANISMS if not has_path(c.family())])
def test_mechanisms_without_a_path_are_drawn_in_every_cell_on_its_own(cls):
    low, high = ENDS.get(cls, (0.5, 20.0))
    result = dissolved(cls.family(), low, high, ids=np.ones(200, dtype=int))
    assert len(result.drawn_at) == CELLS
    cells = result.released.reshape(200, CELLS)
    for cell, epsilon in enumerate(result.drawn_at):
        assert low < epsilon < high
        assert result.drawn_near(1.01 * epsilon) == epsilon
        np.testing.assert_array_equal(result.released_at(epsilon), cells[:, cell])
    rng = seeded_rng(1)
    for cell, epsilon in enumerate(result.drawn_at):
        fresh = cls(epsilon=epsilon).sample(LEXICAL, np.ones(200, dtype=int), 1, rng)
        np.testing.assert_array_equal(cells[:, cell], fresh[:, 0])


def test_a_mechanism_that_looks_back_is_drawn_as_a_text_at_every_epsilon():
    family, ids = NGramTEM.family(look="bigrams"), np.tile([0, 1], 100)
    result = dissolved(family, ids=ids)
    cells, rng = result.released.reshape(200, CELLS), seeded_rng(1)
    for cell, epsilon in enumerate(result.drawn_at):
        (fresh,) = draw_texts(family.at(epsilon), LEXICAL, [ids], 1, rng)
        np.testing.assert_array_equal(cells[:, cell], fresh[:, 0])


def test_the_axis_is_wider_than_the_slider_but_stays_where_the_mechanism_answers():
    low, high = axis(CMP.family(), TOY, 2.0, 20.0)
    assert low < 2.0
    assert high > 20.0
    family = TruncatedGumbel.family()
    smallest = family.smallest_epsilon(LEXICAL)
    assert 0 < smallest < np.inf
    assert axis(family, LEXICAL, 1.01 * smallest, 100 * smallest)[0] == 1.01 * smallest


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (2.0, 1.0), (1.0, np.inf), (np.nan, 1.0)])
def test_ends_that_are_none_are_refused(low, high):
    with pytest.raises(ValueError, match="0 < low < high must hold"):
        dissolved(CMP.family(), low, high)


def test_an_epsilon_outside_of_the_axis_is_refused():
    with pytest.raises(ValueError, match=r"must lie in \[0\.5, 20\]; got 21"):
        dissolved(CMP.family()).released_at(21)


# ------------------------------------------------------------------------------------- on the page


def opened(**query):
    app = page(**query)
    app.toggle(key="dissolve").set_value(True).run()
    return healthy(app)


def figure(app):
    (chart,) = app.get("plotly_chart")
    return chart.proto.spec


def kept(app):
    return list(app.session_state["dissolved"].values())[-1]


def press(app, label):
    next(button for button in app.button if label in button.label).click().run()
    return healthy(app)


def test_nothing_is_drawn_over_all_epsilon_before_it_is_asked_for():
    app = page()
    assert "dissolved" not in app.session_state
    assert not app.get("plotly_chart")
    assert "No ε bounds" not in shown(app)


def test_opened_it_says_what_it_shows_why_it_is_for_teaching_and_how_to_read_it():
    app = opened(eps="7", seed="3")
    markup = shown(app)
    assert "of 21 words are unchanged" in markup
    assert "may be able to solve for them and find the word" in markup
    assert "How to read this: each row is one typed word" in markup
    assert "not one of the versions above" in markup
    assert "The draw at ε = 7, " in markup
    (chart,) = app.get("plotly_chart")
    assert "of 21 words are unchanged" in str(chart.proto)  # the alternative text


def test_a_followed_draw_is_counted_as_one_that_no_epsilon_bounds():
    app = opened(eps="4", versions="2")
    assert "ε of all versions so far: no bound" in shown(app)
    assert "The other versions add up to ε = 8 per" in shown(app)
    assert "No ε bounds 1 sentence shown over all ε" in shown(app)
    app.run()
    app.toggle(key="dissolve").set_value(False).run()
    app.toggle(key="dissolve").set_value(True).run()
    assert "No ε bounds 1 sentence shown over all ε" in shown(healthy(app))
    app = press(app, "Another draw over all ε")
    assert "No ε bounds 2 sentences shown over all ε" in shown(app)
    app = press(app, "New count")
    assert "ε of all versions so far: 0" in shown(app)


def test_independent_draws_are_counted_with_the_sum_of_their_epsilon():
    app = page(mechanism="truncated-laplace", eps="100", versions="1")
    before = app.session_state["spent"].epsilon["any two words"]
    app.toggle(key="dissolve").set_value(True).run()
    spent, result = app.session_state["spent"], kept(healthy(app))
    assert spent.epsilon["any two words"] == pytest.approx(before + sum(result.drawn_at))
    assert spent.draws == 1 + CELLS
    assert spent.over_all_epsilon == 0


def test_moving_epsilon_moves_the_line_and_draws_nothing_over_all_epsilon():
    app = opened(eps="7")
    before, spec = kept(app), figure(app)
    number_box(app, key="cmp.epsilon").set_value(9.0).run()
    assert kept(healthy(app)) is before
    assert figure(app) != spec
    assert "words are unchanged at ε = 9; " in shown(app)
    assert app.session_state["spent"].over_all_epsilon == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda app: app.text_area(key="text").set_value("the quiet movie"),
        lambda app: app.selectbox(key="mechanism").set_value(TEM),
        lambda app: unfolded(app, "other-choices").selectbox(key="size").set_value(10_000),
    ],
    ids=["text", "mechanism", "vocabulary"],
)
def test_what_the_draw_depends_on_draws_anew(change):
    app = opened()
    before = kept(app)
    change(app).run()
    assert kept(healthy(app)) is not before


def test_another_draw_over_all_epsilon_leaves_the_versions_alone():
    app = opened()
    before, draw = kept(app), list(app.session_state["sentence_draws"].values())
    app = press(app, "Another draw over all ε")
    assert kept(app) is not before
    assert list(app.session_state["sentence_draws"].values()) == draw


def test_a_seed_repeats_the_picture_and_without_one_it_differs():
    one, other = kept(opened(seed="5")), kept(opened(seed="5"))
    np.testing.assert_array_equal(one.released, other.released)
    one, other = kept(opened()), kept(opened())
    assert not np.array_equal(one.begin, other.begin)


@pytest.mark.parametrize("mechanism", ["truncated-laplace", "truncated-gumbel", "syntf"])
def test_a_mechanism_without_a_path_says_so(mechanism):
    app = opened(mechanism=mechanism, size="10000")
    assert not app.error
    assert f"Each of the {CELLS} columns is an independent draw at its own ε" in shown(app)
    assert "the ε of a word add up to" in shown(app)
    epsilon = number_box(app, key=f"{mechanism}.epsilon").value
    column = kept(app).drawn_near(epsilon)
    assert f"ε = {column:,.4g} (the column nearest to {epsilon:,.4g})" in shown(app)


@pytest.mark.parametrize(
    "query",
    [
        {"mechanism": "mahalanobis"},
        {"mechanism": "vickrey", "variant": "published"},
        {"mechanism": "laplace"},
        {"mechanism": "gaussian"},
        {"mechanism": "tem"},
        {"mechanism": "santext"},
    ],
    ids=lambda query: query["mechanism"],
)
def test_a_mechanism_with_a_path_follows_one_draw(query):
    app = opened(size="10000", **query)
    assert not app.error
    assert "only the size of the noise changes" in shown(app)
    assert kept(app).drawn_at is None


def test_a_long_text_is_shown_by_its_first_forty_words():
    app = opened()
    app.text_area(key="text").set_value("the movie was good " * 30).run()
    assert "the first 40 of 120 known words" in shown(healthy(app))
    assert len(kept(app).word_ids) == 40


def test_an_epsilon_beyond_the_axis_is_named_and_nothing_breaks():
    app = opened(eps="1e9")
    assert "is outside the range shown" in shown(app)
    assert "The draw at" not in shown(app)


def test_a_text_without_known_words_has_no_picture():
    app = opened()
    app.text_area(key="text").set_value("?!").run()
    assert not healthy(app).get("plotly_chart")
