"""The pages, run by Streamlit itself without a browser."""

import pytest

from data.embeddings import VocabularyChoice, by_name
from measures.audits.audit import variants
from mechanisms.calibration import gamma_for
from pages.shared import cached
from tests.app import healthy, page, shown, unfolded, versions
from tests.boxes import number_box


def test_a_private_sentence_is_there_on_first_paint():
    app = page()
    assert versions(app).count('class="wv-version') == 3
    assert (
        "Punctuation is never changed: 2 of 23 tokens (dotted frame) are released as typed."
        in shown(app)
    )
    assert not app.warning
    assert not app.error


def test_the_count_of_unprotected_tokens_stands_before_the_versions():
    markup = shown(page())
    assert markup.index("tokens (dotted frame)") < markup.index('class="wv-version')


def test_all_settings_stand_in_the_link_from_the_start_and_the_text_never_does():
    app = page()
    link = {key: value[0] for key, value in app.query_params.items()}
    assert set(link) >= {"mechanism", "eps", "embedding", "size", "versions", "unknown", "case"}
    assert "doctor" not in str(link)
    app.text_area(key="text").set_value("a secret about hockey").run()
    assert "hockey" not in str(dict(healthy(app).query_params))


def test_a_link_opens_the_settings_that_it_names():
    app = page(mechanism="tem", eps="4.25", beta="0.01", versions="7", seed="11", unknown="mask")
    assert app.selectbox(key="mechanism").value.name == "TEM"
    assert number_box(app, key="tem.epsilon").value == 4.25
    assert number_box(app, key="tem.beta").value == 0.01
    assert versions(app).count('class="wv-version') == 7
    app = unfolded(app, "other-choices")
    assert number_box(app, key="seed").value == 11
    assert app.selectbox(key="unknown").value == "mask"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"eps": "-5"}, r"ignored eps=\-5: ε must be above 0; got -5."),
        ({"eps": "0"}, "ε must be above 0; got 0."),
        ({"eps": "nan"}, "ignored eps=nan: ε must be a number."),
        ({"eps": "inf"}, "ignored eps=inf: ε must be a number."),
        ({"eps": "1_0"}, "ε must be a number."),
        ({"eps": "٥"}, "ε must be a number."),
        ({"eps": "1,5"}, "ε must be a number."),
        ({"eps": " 5"}, "ε must be a number."),
        ({"eps": "1e400"}, "ε must be finite; got inf."),
        ({"versions": "1_0"}, "versions must be a whole number."),
        ({"seed": "٥"}, "seed must be a whole number."),
        ({"seed": "+5"}, "seed must be a whole number."),
        ({"eps": "much"}, "ε must be a number."),
        ({"mechanism": "tem", "beta": "1"}, "β must be above 0 and below 1; got 1."),
        ({"mechanism": "tem", "gamma": "0"}, "γ must be above 0; got 0."),
        ({"mechanism": "magic"}, "mechanism must be one of cmp, "),
        ({"size": "31"}, "size must be one of 10000, 30000, 100000, 400000."),
        ({"versions": "9000"}, "versions must be at least 1 and at most 20."),
        ({"seed": "x"}, "seed must be a whole number."),
        ({"colour": "red"}, "ignored colour: there is no such setting here."),
    ],
)
def test_a_bad_value_in_a_link_is_named_and_the_page_still_works(query, sentence):
    app = page(**query)
    assert any(sentence in warning.value for warning in app.warning), app.warning
    assert 'class="wv-version' in shown(app)


@pytest.mark.parametrize("eps", ["1e-30", "1e-9", "1e9", "1e308"])
@pytest.mark.parametrize("mechanism", ["cmp", "tem"])
def test_extreme_epsilon_is_answered(mechanism, eps):
    app = page(mechanism=mechanism, eps=eps)
    assert not app.error
    assert 'class="wv-version' in shown(app)


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_a_bad_epsilon_typed_into_the_box_gets_a_sentence(value):
    app = page()
    number_box(app, key="cmp.epsilon").set_value(value).run()
    (error,) = healthy(app).error
    assert error.value.replace("\\", "") == (f"CMP: ε (epsilon) must be above 0; got {value:g}.")


@pytest.mark.parametrize(
    ("typed", "epsilon"),
    [("1,5", 1.5), (" 2.5 ", 2.5), ("4e-1", 0.4), (".5", 0.5), ("0,125", 0.125)],
)
def test_a_comma_in_the_box_is_a_point(typed, epsilon):
    app = page()
    number_box(app, key="cmp.epsilon").set_value(typed).run()
    assert number_box(healthy(app), key="cmp.epsilon").value == epsilon
    assert not app.error
    assert float(app.text_input(key="cmp.epsilon.typed").value) == epsilon


@pytest.mark.parametrize("typed", ["1_0", "٥", "1,000", "1.5,2", "nan", "inf", "five", "", "1 5"])
def test_what_is_no_number_is_refused_in_the_box_and_changes_nothing(typed):
    app = page(eps="9.9")
    before = versions(app)
    number_box(app, key="cmp.epsilon").set_value(typed).run()
    (error,) = healthy(app).error
    assert "It is still 9.9." in error.value
    assert app.text_input(key="cmp.epsilon.typed").value == typed
    assert number_box(app, key="cmp.epsilon").value == 9.9
    assert versions(app) == before
    assert "ε of all versions so far: 29.7 per" in shown(app)
    number_box(app, key="cmp.epsilon").set_value("3").run()
    assert not healthy(app).error
    assert number_box(app, key="cmp.epsilon").value == 3


def test_a_refused_number_goes_when_the_slider_moves():
    app = page(eps="9.9")
    number_box(app, key="cmp.epsilon").set_value("many").run()
    lowest = float(app.select_slider(key="cmp.epsilon.slider").options[0])
    app.select_slider(key="cmp.epsilon.slider").set_value(lowest).run()
    assert not healthy(app).error
    assert float(app.text_input(key="cmp.epsilon.typed").value) == lowest


@pytest.mark.parametrize("typed", ["-1", "3000000000", "1.5", "1_0"])
def test_a_seed_is_a_whole_number_within_its_range(typed):
    app = unfolded(page(seed="7"), "other-choices")
    number_box(app, key="seed").set_value(typed).run()
    (error,) = healthy(app).error
    assert "It is still 7." in error.value
    number_box(app, key="seed").set_value("").run()
    assert number_box(healthy(app), key="seed").value is None


def test_slider_and_box_are_one_value():
    app = page(eps="9.9")
    assert number_box(app, key="cmp.epsilon").value == 9.9
    assert abs(app.select_slider(key="cmp.epsilon.slider").value - 9.9) < 0.6
    lowest = float(app.select_slider(key="cmp.epsilon.slider").options[0])
    app.select_slider(key="cmp.epsilon.slider").set_value(lowest).run()
    assert number_box(healthy(app), key="cmp.epsilon").value == lowest
    assert app.query_params["eps"] in (repr(lowest), [repr(lowest)])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type a sentence above"),
        (" \n\t ", "Type a sentence above"),
        ("?!. ,", "knows none of these words in this vocabulary"),
        ("x" * 1_000_000, "This text has 1,000,000 characters"),
    ],
)
def test_a_text_without_words_or_too_long_gets_a_sentence(text, sentence):
    app = page()
    app.text_area(key="text").set_value(text).run()
    assert sentence in shown(healthy(app))


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> the movie",
        '"><img src=x onerror=alert(1)> the movie',
        "the movie $x_y$ :smile: **bold** [link](http://a.b)",
        "the\x00movie \x1b[31m \u202e film",
        "the " + "y" * 15_000,
    ],
)
def test_hostile_text_is_shown_as_typed_and_never_as_markup(text):
    app = page(unknown="keep")
    app.text_area(key="text").set_value(text).run()
    markup = shown(healthy(app))
    for tag in ("<script", "<img", "\x00", "\x1b"):
        assert tag not in markup
    assert 'class="wv-version' in markup


def test_every_fresh_draw_is_charged_and_looking_is_free():
    app = page(eps="4", versions="2")
    assert "ε of all versions so far: 8 per" in shown(app)
    app = unfolded(app, "other-choices", "closer")
    app.selectbox(key="word").set_value("doctor").run()
    app.selectbox(key="case").set_value("as typed").run()
    assert "ε of all versions so far: 8 per" in shown(app)
    next(b for b in app.button if "Draw again" in b.label).click().run()
    assert "ε of all versions so far: 16 per" in shown(app)
    number_box(app, key="cmp.epsilon").set_value(5.0).run()
    assert "ε of all versions so far: 26 per" in shown(app)
    before = versions(app)
    number_box(app, key="cmp.epsilon").set_value(4.0).run()
    number_box(app, key="cmp.epsilon").set_value(5.0).run()
    assert "ε of all versions so far: 26 per" in shown(app)  # both draws were there before
    assert versions(app) == before
    next(b for b in app.button if "New count" in b.label).click().run()
    assert "ε of all versions so far: 0" in shown(healthy(app))


def test_draw_again_changes_the_words():
    app = page(versions="5")
    before = versions(app)
    next(b for b in app.button if "Draw again" in b.label).click().run()
    assert versions(healthy(app)) != before


def test_the_same_link_with_a_seed_gives_the_same_words_and_says_that_it_can_be_undone():
    first, second = page(seed="5", eps="7"), page(seed="5", eps="7")
    assert versions(first) == versions(second)
    assert versions(first) != versions(page(seed="6", eps="7"))
    assert any("anyone who knows the seed can undo them" in w.value for w in first.warning)


def test_without_a_seed_two_sessions_differ():
    assert versions(page(versions="10")) != versions(page(versions="10"))


def test_the_guarantee_and_the_odds_of_two_words_of_the_text_are_on_screen():
    app = unfolded(page(mechanism="tem", eps="2"), "closer")
    markup = shown(app)
    assert "TEM: metric DP" in markup
    assert "Theorem 4" in markup
    assert "One version can make the odds of" in markup
    assert "Distances add up over the words of a sentence" in markup
    app.selectbox(key="odds_other").set_value(app.selectbox(key="odds_word").value).run()
    assert "Pick two different words" in shown(healthy(app))


def test_a_repeated_word_counts_as_often_as_it_occurs():
    once, often = (
        shown(unfolded(page(mechanism="tem", eps="2", text=t), "closer"))
        for t in ("film", "film film film")
    )
    assert "every occurrence counted" not in once
    assert (
        "Over your 3 drawn words, every occurrence counted, the promises add up to ε = 6 per unit"
        in often
    )
    assert "apart in each of 3 places" in often
    assert "in each of" not in once


def test_delta_adds_up_on_screen_too():
    app = page(mechanism="gaussian", eps="50", text="a good film", versions="2")
    text = shown(unfolded(app, "closer"))
    assert "ε = 150 and δ = 3e-05 (for Gaussian noise at most ε = " in text
    assert "ε of all versions so far: 100 for any two words" in text
    assert "The total δ is 2e-05. For Gaussian noise the total is at most ε = " in text


def test_a_word_is_shown_with_its_chance_to_stay_exact_or_with_an_interval():
    assert "(exact)" in shown(unfolded(page(mechanism="tem"), "closer"))
    assert "95 % interval" in shown(unfolded(page(mechanism="cmp"), "closer"))


def test_a_gamma_of_ones_own_is_taken_and_put_into_the_link():
    app = page(mechanism="tem")
    assert "gamma" not in app.query_params
    number_box(app, key="tem.gamma").set_value(3.5).run()
    assert healthy(app).query_params["gamma"] in ("3.5", ["3.5"])
    assert number_box(page(mechanism="tem", gamma="3.5"), key="tem.gamma").value == 3.5
    number_box(app, key="tem.gamma").set_value(None).run()
    assert "gamma" not in healthy(app).query_params


def test_an_empty_box_of_gamma_shows_the_theorems_value_at_the_epsilon_on_screen():
    app = page(mechanism="tem", eps="3.5")
    for epsilon in (3.5, 5.0):
        number_box(app, key="tem.epsilon").set_value(epsilon).run()
        box = number_box(healthy(app), key="tem.gamma")
        assert box.value is None
        words = cached.vocabulary(VocabularyChoice(by_name("glove-6b-50d"), 30_000))
        expected = gamma_for(epsilon, 1e-3, len(words))
        assert float(box.placeholder.split()[0]) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("cls", "variant"), variants(), ids=lambda part: getattr(part, "name", part)
)
def test_every_mechanism_in_every_variant_draws_in_its_own_range(cls, variant):
    slug = cls.name.lower().replace(" ", "-")
    app = page(mechanism=slug, **({"variant": variant} if variant else {}))
    assert not app.error, app.error
    assert not app.warning
    assert versions(app).count('class="wv-version') == 3
    ends = app.select_slider(key=f"{slug}.epsilon.slider").options
    assert float(ends[0]) < float(ends[-1])
    assert f"**{cls.name}: " in shown(unfolded(app, "closer"))
