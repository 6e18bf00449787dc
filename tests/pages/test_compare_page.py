"""The Compare page, run by Streamlit itself without a browser, and what it computes."""

import csv
import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from data.embeddings import VocabularyChoice, by_name
from measures.sweeps import similarity
from measures.words import deniability, targets, tradeoff
from mechanisms import CMP, TEM, Gaussian, SanText, Vickrey
from mechanisms.randomness import seeded_rng
from mechanisms.text import private_versions
from pages.compare import charts as charts_compare
from pages.compare import column_draws, columns, script
from pages.shared import charts
from pages.shared.jobs import Job
from tests.app import healthy, page, shown
from tests.boxes import number_box
from tests.toy import TOY
from tests.waiting import rerun_until, wait_for

ROOT = Path(__file__).parents[2]
SMALL = 10_000


@pytest.fixture(scope="module", autouse=True)
def fewer_words():
    """A smaller sample of the vocabulary: the claims do not depend on its size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tradeoff, "WORDS", 24)
        yield


def compare(**query):
    app = page(**{"size": str(SMALL), **query})
    app.switch_page("pages/compare/page.py").run(timeout=300)
    return complete(app)


def complete(app):
    """The page once nothing is computed any more."""
    return rerun_until(
        app, lambda app: "being computed" not in shown(app) and not app.get("progress")
    )


def run_script(file):
    """What a downloaded script prints, run in a process of its own."""
    run = subprocess.run(
        [sys.executable, str(file)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
        timeout=120,
    )
    return list(csv.DictReader(io.StringIO(run.stdout.decode("utf-8"), newline="")))


def sentences(app):
    """The private versions of every column, as markup."""
    bodies = [element.proto.body for element in app.get("html")]
    first = '<div class="wv-version'
    return [body[body.index(first) :] for body in bodies if first in body]


def table(app):
    return app.table[0].value


def link(app):
    return {k: v[0] if isinstance(v, list) else v for k, v in app.query_params.items()}


def button(app, key):
    return app.button(key=key)


# ------------------------------------------------------------------------------------ what it shows


@pytest.fixture(scope="module")
def opened():
    return compare(seed="5")


def test_two_columns_at_equal_privacy_stand_side_by_side(opened):
    assert len(sentences(opened)) == 2
    means = [float(cell.split(" %")[0]) for cell in table(opened).loc["mean N_w"]]
    assert all(abs(mean - 50) < 0.2 for mean in means)
    assert set(table(opened).index) == {
        *("ε", "mean N_w", "words kept", "distance moved", "of the way to a random word"),
        *("semantic closeness", "guarantee", "milliseconds a sentence"),
    }


def test_columns_are_made_equal_by_their_worst_word_their_outputs_or_an_adversary():
    at = {}
    for mode, key in (("worst", "worst-kept"), ("outputs", "outputs"), ("named", "words-named")):
        app = compare(seed="5", **{"compare-by": mode, key: "40"})
        at[mode] = [app.session_state[f"column-{n}"].mechanism for n in (1, 2)]
        assert len(sentences(app)) == 2
        # The link carries the ε that was found.
        for number, mechanism in enumerate(at[mode], 1):
            assert f"eps={mechanism.epsilon!r}" in str(dict(app.query_params)[f"column-{number}"])
    vocabulary = VocabularyChoice(by_name("glove-6b-50d"), SMALL).load()
    for mode, value in (("worst", 0.4), ("outputs", 40)):
        for mechanism in at[mode]:
            family = mechanism.family()
            words = tradeoff.sampled_words(family, vocabulary)
            found = deniability.curves(family, vocabulary, words, [mechanism.epsilon])
            reached = (
                found.unchanged.value.max() if mode == "worst" else found.distinct.value.mean()
            )
            assert reached == pytest.approx(value, rel=0.1)


def test_the_better_curve_is_named_with_an_interval(opened):
    text = shown(opened)
    assert re.search(r"keeps words closer(?: than [^*]*)?\*\*: the difference is", text)
    assert "the upper one keeps words closer at the same N_w" in text
    assert len(opened.get("plotly_chart")) == 5


def test_equal_epsilon_comes_with_a_warning_and_sets_every_column_to_it():
    app = compare(**{"compare-by": "epsilon", "common-eps": "6"})
    assert any("not comparable" in warning.value for warning in app.warning)
    assert list(table(app).loc["ε"]) == ["6", "6"]


def test_a_mechanism_out_of_reach_says_the_range_it_can_reach():
    app = compare(**{"column-2": "vickrey;variant=published"})
    (said,) = [warning.value for warning in app.warning]
    assert said.startswith("No ε from 0.5 to 200 was found at which ")
    assert "has a mean N_w of 50.0 %" in said
    assert "Its mean N_w is about 0 % at every ε tried" in said
    assert len(sentences(app)) == 1


def test_each_column_may_have_its_own_epsilon_and_embedding():
    app = compare(
        **{
            "compare-by": "own",
            "columns": "3",
            "column-1": "cmp;eps=5",
            "column-2": "cmp;eps=50",
            "column-3": "cmp;eps=5;embedding=random-50d",
        }
    )
    assert list(table(app).loc["ε"]) == ["5", "50", "5"]
    assert any("random-50d" in name.replace("\\", "") for name in table(app).columns)
    assert link(app)["column-3"] == "cmp;eps=5.0;embedding=random-50d"


# ------------------------------------------------------------------------------------- the link


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("magic", "must begin with one of cmp, "),
        ("cmp;eps=1_0", "has a ε that must be a number"),
        ("cmp;eps=nan", "has a ε that must be a number"),
        ("cmp;eps=-5", "has a ε that must be above 0; got -5"),
        ("cmp;eps=much", "has a ε that must be a number"),
        ("tem;beta=2", "has a β that must be above 0 and below 1; got 2"),
        ("cmp;colour=red", "has a parameter colour, which CMP does not have"),
        ("cmp;embedding=none", "has an embedding that must be one of"),
        ("cmp;stream=9", "has a stream that must be a number from 1 to 4"),
        ("vickrey;variant=odd", "must be one of"),
    ],
)
def test_a_bad_column_is_named(text, sentence):
    with pytest.raises(ValueError, match=".") as error:
        columns.read(text, 1)
    assert sentence in str(error.value)


def test_a_bad_column_in_a_link_is_ignored_and_said():
    app = compare(**{"column-1": "cmp;eps=-5", "compare-by": "magic"})
    said = " ".join(warning.value for warning in app.warning).replace("\\", "")
    assert "ignored column-1=cmp;eps=-5" in said
    assert "compare-by must be one of privacy, worst, outputs, named, epsilon, own" in said
    assert len(sentences(app)) == 2


@pytest.mark.parametrize(
    "column",
    [
        columns.Column(CMP(epsilon=0.1 + 0.2), stream=2),
        columns.Column(TEM(epsilon=3.0, gamma=1.5, beta=0.01), "random-50d", True, 1),
        columns.Column(Vickrey(epsilon=3.0, variant="repaired"), stream=4),
    ],
)
def test_a_column_survives_the_link(column):
    assert columns.read(columns.write(column, 1), 1) == column


def test_the_text_never_stands_in_the_link(opened):
    assert "doctor" not in str(link(opened))


# ----------------------------------------------------------------------------------- the script


@pytest.mark.parametrize(
    "text", ["My doctor said yes.", 'the \'""" {movie} \\ was\n${x} "; import os # Ünïcode 🎭']
)
def test_the_script_draws_the_same_versions_again(tmp_path, text):
    choice = VocabularyChoice(by_name("glove-6b-50d"), SMALL)
    vocabulary = choice.load()
    stands, draws = [], {}
    for number, mechanism in enumerate((CMP(epsilon=9.5), TEM(epsilon=4.25)), 1):
        column = columns.Column(mechanism, stream=3 - number)
        stands.append(columns.Stand(number, column, choice, mechanism))
        rng = column_draws.column_rng(7, 2, column.stream)
        private = private_versions(text, mechanism, vocabulary, rng, 3, "mask", "as typed")
        draws[number] = column_draws.ColumnDraw(private, 1.0, column.stream)
    source = script.compare(text, 7, 2, 3, "mask", "as typed", stands, draws)
    file = tmp_path / "compare.py"
    file.write_text(source, encoding="utf-8")
    rows = run_script(file)
    assert [row["private text"] for row in rows] == draws[1].private.texts + draws[2].private.texts
    kept = [*similarity.words_kept(draws[1].private), *similarity.words_kept(draws[2].private)]
    assert [float(row["words kept"]) for row in rows] == pytest.approx(kept)
    assert rows[-1]["mechanism"] == repr(TEM(epsilon=4.25))


def test_with_an_uploaded_embedding_there_is_no_script():
    """No other session can load it."""
    stands, draws = [], {}
    for number, name in enumerate(("glove-6b-50d", "yours-0123"), 1):
        choice = SimpleNamespace(name=name, size=SMALL, words_only=True)
        stands.append(columns.Stand(number, columns.DEFAULTS[0], choice, CMP(epsilon=8)))
        draws[number] = SimpleNamespace(stream=number)
    assert script.compare("movie", 7, 0, 1, "mask", "lower", stands[:1], draws)
    assert script.compare("movie", 7, 0, 1, "mask", "lower", stands, draws) == ""


def test_without_a_seed_there_is_no_script():
    assert script.compare("movie", None, 0, 1, "mask", "lower", [], {}) == ""
    app = compare()
    (button,) = [b for b in app.get("download_button") if "Python" in b.proto.label]
    assert button.proto.disabled


# ------------------------------------------------------------------------------- pin, swap, account


def test_a_pinned_column_stays_while_the_others_follow():
    app = compare(seed="5")
    before, epsilons = sentences(app), list(table(app).loc["ε"])
    button(app, "pin.1").click().run()
    app.slider(key="kept-words").set_value(80).run()
    complete(app)
    assert table(app).loc["ε"].iloc[0] == epsilons[0]
    assert table(app).loc["ε"].iloc[1] != epsilons[1]
    assert sentences(app)[0] == before[0]
    assert link(app)["column-1"].endswith("pinned")


def test_swapped_columns_take_their_sentences_along_and_cost_nothing():
    app = compare()
    before = sentences(app)
    (account,) = [m.value for m in app.markdown if "ε of all versions so far" in m.value]
    button(app, "swap.1").click().run()
    complete(app)
    assert sentences(app) == before[::-1]
    assert [m.value for m in app.markdown if "ε of all versions so far" in m.value] == [account]


def test_every_fresh_draw_is_charged_for_every_column():
    app = compare(**{"compare-by": "own", "column-1": "cmp;eps=4", "column-2": "tem;eps=3"})
    start = spent(app)
    next(b for b in app.button if "Draw again" in b.label).click().run()
    assert spent(complete(app)) - start == pytest.approx(3 * (4 + 3))
    app.run()
    assert spent(app) - start == pytest.approx(3 * (4 + 3))


def spent(app):
    return app.session_state.spent.epsilon["Euclidean distance"]


def test_shared_noise_is_marked_and_counted_as_without_any_bound():
    query = {"compare-by": "own", "column-1": "cmp;eps=9", "column-2": "cmp;eps=9.0000001"}
    app = compare(**query, **{"same-noise": "yes"})
    assert sentences(app)[0] == sentences(app)[1]
    assert any(
        "can solve for the noise and find the word" in warning.value for warning in app.warning
    )
    assert app.session_state.spent.unbounded == 6
    apart = compare(**query)
    assert sentences(apart)[0] != sentences(apart)[1]


def test_settings_go_to_the_page_of_private_sentences():
    app = compare(**{"column-2": "tem;beta=0.02"})
    epsilon = float(table(app).loc["ε"].iloc[1])
    button(app, "copy.2").click().run(timeout=300)
    assert healthy(app).selectbox(key="mechanism").value is TEM
    assert number_box(app, key="tem.epsilon").value == epsilon
    assert number_box(app, key="tem.beta").value == 0.02
    assert app.text_area(key="text").value.startswith("My doctor")


@pytest.mark.parametrize("text", ["", "x" * 3000, "?!"])
def test_a_text_without_words_or_too_long_gets_a_sentence(text):
    app = compare()
    app.text_area(key="compare-text").set_value(text).run()
    assert app.info


# --------------------------------------------------------------------------------- what is computed


@pytest.mark.parametrize("family", [CMP.family(), TEM.family(), Gaussian.family()])
@pytest.mark.parametrize("target", [0.3, 0.7])
def test_equal_privacy_holds_on_fresh_draws_within_the_stated_interval(glove, family, target):
    around = targets.epsilon_range(family, glove)
    grid = deniability.epsilon_grid(family, glove, around.low, around.high, tradeoff.POINTS)
    ids = tradeoff.sampled_words(family, glove)
    found = tradeoff.tradeoff(family, glove, ids, grid)
    at = targets.matched(family, found.curves, target).mechanism
    stays = found.unchanged_at(at.epsilon)
    mean, half = float(stays.value), float(stays.half_width)
    assert mean == pytest.approx(target, abs=1e-9)
    draws = 400
    fresh = at.sample(glove, ids, draws, seeded_rng(99)) == ids[:, None]
    error = (
        3 * np.sqrt(fresh.mean(axis=1) * (1 - fresh.mean(axis=1)) / draws).mean() / len(ids) ** 0.5
    )
    assert abs(fresh.mean() - target) <= half + error
    # The interval is narrow enough to tell a neighbouring target.
    assert half + error < 0.05


def test_curves_end_at_the_word_itself_and_at_a_blind_pick():
    ids = np.arange(len(TOY))
    law = tradeoff.tradeoff(SanText.family(), TOY, ids, np.array([1e-6, 1.0, 1e6]))
    assert law.usefulness.value[0] == pytest.approx(0, abs=1e-4)
    two_words_share_a_vector = 2 * 0.5 / len(TOY)
    assert law.privacy[-1] == pytest.approx(two_words_share_a_vector)
    assert law.usefulness.value[-1] == pytest.approx(1)
    assert not law.error.any()


def test_the_distance_moved_of_a_law_is_the_sum_over_all_words():
    ids = np.arange(len(TOY))
    law = SanText(epsilon=1.3)
    moved = tradeoff.distance_moved(law.family(), TOY, ids, np.array([1.3]))
    expected = (np.exp(law.log_prob(TOY, ids)) * TOY.distances(ids)).sum(axis=1)
    np.testing.assert_allclose(moved[0, :, 0], expected)


def test_the_interval_of_the_distance_moved_holds_the_mean_of_fresh_draws():
    ids = np.arange(len(TOY))
    grid = np.array([1.0, 2.0, 4.0])
    found = tradeoff.tradeoff(CMP.family(), TOY, ids, grid)
    for column, epsilon in enumerate(grid):
        released = CMP(epsilon=epsilon).sample(TOY, ids, 20_000, seeded_rng(4))
        start = np.repeat(ids, 20_000)
        moved = TOY.distance_between(start, released.ravel()).mean() / found.blind.mean()
        assert abs((1 - moved) - found.usefulness.value[column]) <= found.error[column] + 0.005


def test_a_mechanism_leads_itself_by_nothing_and_a_worse_one_by_something():
    ids = np.arange(len(TOY))
    grid = np.geomspace(0.1, 50, 20)
    good = tradeoff.tradeoff(TEM.family(), TOY, ids, grid)
    itself = good.lead(good, 0.5)
    assert itself.value == 0
    assert itself.low < 0 < itself.high  # read between the points of the grid
    worse = replace(good, moved=good.moved * 1.5)
    lead = good.lead(worse, 0.5).value
    assert lead == pytest.approx(0.5 * (1 - good.at_privacy(0.5).value))


def test_words_kept_and_distance_moved_are_about_drawn_words_only():
    private = private_versions("east, lonely zzz!", TEM(epsilon=1e6), TOY, seeded_rng(0), 2)
    np.testing.assert_array_equal(similarity.words_kept(private), [1, 1])
    np.testing.assert_array_equal(similarity.distance_moved(private), [0, 0])
    one = TOY.ids(["west"])[0]
    moved = replace(private, drawn=np.where(private.drawn >= 0, one, -1))
    np.testing.assert_array_equal(similarity.words_kept(moved), [0, 0])
    expected = TOY.distance_between(TOY.ids(["east", "lonely"]), [one, one]).mean()
    np.testing.assert_allclose(similarity.distance_moved(moved), expected)
    assert np.isnan(
        similarity.words_kept(private_versions("?", TEM(epsilon=1.0), TOY, seeded_rng(0)))[0]
    )


def test_the_better_at_equal_privacy_is_not_claimed_from_too_few_words(glove):
    """A lead must hold for other words too: found on half of the sample, it stands on the rest."""
    found = []
    for family in (CMP.family(), TEM.family()):
        around = targets.epsilon_range(family, glove)
        grid = deniability.epsilon_grid(family, glove, around.low, around.high, tradeoff.POINTS)
        ids = tradeoff.sampled_words(family, glove)
        found.append(
            [tradeoff.tradeoff(family, glove, half, grid) for half in (ids[::2], ids[1::2])]
        )
    (cmp_one, cmp_two), (tem_one, tem_two) = found
    one, two = cmp_one.lead(tem_one, 0.5), cmp_two.lead(tem_two, 0.5)
    assert abs(one.value - two.value) < one.half_width + two.half_width
    assert 0 < one.half_width < 0.1


def test_closeness_is_the_cosine_of_the_encoders_vectors():
    vectors = {"a": [1.0, 0.0], "b": [0.6, 0.8], "c": [-1.0, 0.0]}
    values = similarity.semantic_closeness(
        "a", ["a", "b", "c"], lambda texts: np.array([vectors[t] for t in texts], np.float32)
    )
    np.testing.assert_allclose(values, [1, 0.6, -1], rtol=1e-6)


# -------------------------------------------------------------------------------------- the figures


def test_a_curve_has_its_mechanisms_colour_and_a_point_its_columns_number():
    grid = np.array([1.0, 2.0, 4.0])
    privacy, usefulness = np.array([0.9, 0.5, 0.1]), np.array([0.1, 0.6, 0.95])
    noise, exact = np.full(3, 0.02), np.zeros(3)
    figure = charts_compare.tradeoff(
        {
            "1, 3 · CMP": ("CMP", grid, privacy, usefulness, noise),
            "2 · TEM": ("TEM", grid, privacy, usefulness - 0.1, exact),
        },
        {"1 · CMP": ("CMP", 0.5, 0.6), "3 · CMP": ("CMP", 0.1, 0.95)},
    )
    band, first, second, one, three = figure.data
    assert band.fill == "toself"
    np.testing.assert_allclose(max(band.y), 0.97)
    np.testing.assert_array_equal(first.y, usefulness)
    assert (first.line.color, second.line.color) == (charts.COLOURS["CMP"], charts.COLOURS["TEM"])
    assert first.line.dash != second.line.dash
    assert (one.text, three.text) == (("1",), ("3",))
    assert one.marker.symbol != three.marker.symbol
    assert "words replaced" in figure.layout.xaxis.title.text
    assert "more useful" in figure.layout.yaxis.title.text


def test_small_histograms_share_their_axis_and_lose_no_word():
    figure = charts_compare.small_histogram([0.0, 0.2, 1.0], "TEM", "N_w", (0.0, 1.0))
    assert sum(figure.data[0].y) == 3
    assert figure.layout.xaxis.range == (0.0, 1.0)


def test_an_epsilon_beyond_the_computed_range_is_said_and_not_extrapolated():
    app = compare(**{"compare-by": "own", "column-1": "cmp;eps=1e9"})
    assert table(app).loc["mean N_w"].iloc[0] == "ε is outside the computed range"
    assert "no figure, because its ε is unknown or outside the computed range" in shown(app)


def test_a_bad_common_epsilon_gets_a_sentence():
    app = compare(**{"compare-by": "epsilon"})
    number_box(app, key="common-eps").set_value(0.0).run()
    said = [warning.value.replace("\\", "") for warning in healthy(app).warning]
    assert "CMP: ε (epsilon) must be above 0; got 0." in said


def test_a_column_whose_work_ends_while_the_page_is_drawn_is_still_waited_for():
    choice = VocabularyChoice(by_name("glove-6b-50d"), SMALL)
    work = Job([lambda: "found"])
    at = columns.Stand(1, columns.DEFAULTS[0], choice, work=work)
    work.join("someone")
    wait_for(lambda: work.finished)
    assert columns.waited_for([at]) == {at.label: work}
    assert not columns.waited_for([replace(at, problem="out of reach")])
