"""The Learn page, run by Streamlit itself: a student passes all lessons, and errs on the way."""

import re

import pytest

from mechanisms import CMP, TEM, Vickrey
from pages.learn import wording
from pages.learn.lessons import (
    LESSONS,
    coin_wording,
    distance_wording,
    frame,
    promises_wording,
)
from pages.learn.lessons.kept_notebook import NOTEBOOKS
from pages.shared import lessons, vault
from tests.app import healthy, page, shown
from tests.boxes import number_box
from tests.student import choose, numbers, plain

NAMES = (
    *("right", "no_luck", "nothing", "certain", "forgot_the_other", "no_distance", "no_exponent"),
    *("one_less", "same", "half", "no_dimensions", "crowded", "lonely", "no_half", "none", "few"),
    *("word", "other", "neither", "own", "twice", "broken", "kept", "below", "surely"),
    *("everywhere", "itself", "nearest", "alike", "near", "fourth", "eighth"),
    *distance_wording.PAIR_GUESSES,
    *promises_wording.PROMISE_GUESSES,
)


def learn(**query):
    app = page(**{key: str(value) for key, value in query.items()})
    return healthy(app.switch_page("pages/learn/page.py").run())


def step(app, name):
    app.session_state["step"] = name
    return healthy(app.run())


def click(app, label):
    return healthy(next(b for b in app.button if label in b.label).click().run())


def named(radio, label):
    """The value behind the label of an option."""
    for name in (*NAMES, label):
        try:
            if radio.format_func(name) == label:
                return name
        except KeyError:
            continue
    raise AssertionError(f"{label} is none of {radio.options}")


def answer(app, number, label):
    radio = app.radio[number]
    return healthy(radio.set_value(named(radio, label)).run())


def commit(app):
    if app.radio:
        app = answer(app, 0, app.radio[0].options[0])
    return click(app, "Keep my guess")


def find_epsilon(app, limit):
    """Move the slider as far right as no word goes beyond the limit, reading the sentence."""
    low, high = 0, len(app.select_slider(key="worst-eps").options) - 1
    steps = [float(option) for option in app.select_slider(key="worst-eps").options]
    while low < high:
        middle = (low + high + 1) // 2
        app.select_slider(key="worst-eps").set_value(steps[middle]).run()
        sentence = next(m.value for m in app.markdown if m.value.startswith("At ε ="))
        worst = numbers(plain(sentence.split("the worst")[1]))[0]
        low, high = (middle, high) if worst <= limit else (low, middle - 1)
    app.select_slider(key="worst-eps").set_value(steps[low]).run()
    return click(app, "This one")


def pass_lesson_4(app):
    app = find_epsilon(app, 50)
    question = plain(app.radio[0].label)
    told = float(re.search(r"at ε = ([\d.]+)", question)[1])
    app.select_slider(key="worst-eps").set_value(told).run()
    breaking = re.search(r"(\d+) of the 100", plain(shown(app)))[1]
    return answer(app, 0, breaking)


def progress(app):
    return next(c.value for c in app.caption if c.value.startswith("Checks passed"))


def test_a_student_passes_all_lessons_with_what_stands_on_screen():
    app = learn()
    for lesson in LESSONS:
        assert app.session_state["lesson"] == lesson
        app = commit(app)
        assert app.session_state["step"] == "try"
        app = click(app, "Check what I know")
        if lesson == 4:
            app = pass_lesson_4(app)
        else:
            for number in range(len(app.radio)):
                radio = app.radio[number]
                app = answer(app, number, choose(radio.label, radio.options))
        assert not app.error, [e.value for e in app.error]
        assert f"✓ {lessons.LESSONS[lesson].short}" in progress(app)
        if lesson < max(LESSONS):
            app = click(app, f"Lesson {lesson + 1}")
    for lesson in lessons.LESSONS.values():
        assert f"✓ {lesson.short}" in progress(app)
    book = app.session_state["notebook"]
    paper = wording.handout(book.guesses, book.findings, book.answers)
    assert paper.count("(right)") == sum(map(len, frame.CHECKS.values()))
    assert paper.count("My guess: ") == len(LESSONS)
    assert "first answer" not in paper  # each was right at once, but for the two of lesson 4
    text = shown(app)
    assert wording.CLOSING in [s.value for s in app.subheader]
    for each in lessons.LESSONS.values():
        assert each.recap in text
    assert "doctor" in paper
    assert "monday" in paper


@pytest.mark.parametrize("lesson", [0, 1, 2, 3, 5])
def test_every_wrong_answer_is_explained_and_counts_for_nothing(lesson):
    app = learn(lesson=lesson, step="check")
    for number in range(len(app.radio)):
        right = choose(app.radio[number].label, app.radio[number].options)
        for label in app.radio[number].options:
            if label != right:
                app = answer(app, number, label)
                (error,) = app.error
                assert error.value.startswith(wording.WRONG)
                assert len(error.value) > 50
                assert f"{lessons.LESSONS[lesson].short} {number}/" in progress(app)
        app = answer(app, number, right)
        assert not app.error
    total = len(frame.CHECKS[lesson])
    assert f"✓ {lessons.LESSONS[lesson].short} (0)" in progress(app)
    book = app.session_state["notebook"]
    assert len(book.answers[lesson]) == total
    for answered in book.answers[lesson].values():
        assert answered.right
        assert not answered.first_right
        assert answered.first != answered.chosen
    paper = wording.handout(book.guesses, book.findings, book.answers)
    assert paper.count("My first answer: ") == total


def test_a_wrong_epsilon_says_who_breaks_the_limit_or_that_more_is_possible():
    app = learn(lesson=4, step="check", **{"worst-eps": "13"})
    app = click(app, "This one")
    assert "The limit is for every word, not for the mean. Go left." in app.error[0].value
    app.select_slider(key="worst-eps").set_value(2.0).run()
    assert not app.error  # another ε is not answered yet
    app = click(app, "This one")
    assert "Go right." in app.error[0].value


def test_the_answer_follows_the_students_own_settings():
    one, other = (learn(lesson=1, step="check", coin=coin) for coin in (50, 80))
    assert choose(one.radio[0].label, one.radio[0].options) == "3 times"
    assert choose(other.radio[0].label, other.radio[0].options) == "9 times"
    assert "3 times" not in other.radio[0].options
    app = learn(lesson=1, step="try")
    app.text_input(key="lesson-word").set_value("hockey").run()
    app = step(app, "check")
    assert "hockey" in app.radio[1].label


def test_what_was_passed_stays_passed_and_the_guess_is_remembered():
    app = commit(learn(lesson=1))
    assert "You guessed 50 %" in shown(app)
    app = step(app, "check")
    app = answer(app, 0, choose(app.radio[0].label, app.radio[0].options))
    app.switch_page("pages/perturb/page.py").run()
    app = healthy(app.switch_page("pages/learn/page.py").run())
    assert f"{lessons.LESSONS[1].short} 1/2" in progress(app)
    assert app.radio[0].value == "right"


def test_a_word_that_nobody_knows_gets_a_sentence():
    app = learn(lesson=1, step="try")
    app.text_input(key="lesson-word").set_value("<b>qxzzy</b>").run()
    (info,) = healthy(app).info
    assert "is not among the 10,000 words" in info.value
    assert "<b>" not in info.value
    app.text_input(key="lesson-word").set_value("  ").run()
    (info,) = healthy(app).info
    assert info.value == "Type a word, such as **doctor**."
    app = learn(lesson=5, step="try")
    app.text_input(key="promise-other").set_value("monday").run()
    assert wording.SAME_WORDS in [info.value for info in healthy(app).info]


def test_words_of_a_student_stay_out_of_the_link():
    app = learn(lesson=1, step="try")
    app.text_input(key="lesson-word").set_value("hockey").run()
    link = dict(healthy(app).query_params)
    assert link["lesson"] in ("1", ["1"])
    assert link["step"] in ("try", ["try"])
    assert "hockey" not in str(link)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"lesson": "6"}, "lesson must be at least 0 and at most 5."),
        ({"step": "guess"}, "step must be one of predict, try, check."),
        ({"word-eps": "99"}, r"must be at least 1 and at most 8; got 99."),
        ({"crowded": "zebra"}, "crowded must be one of monday,"),
    ],
)
def test_a_bad_value_in_a_link_to_a_lesson_is_named(query, sentence):
    app = learn(**query)
    assert any(sentence in warning.value for warning in app.warning), app.warning


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_has_a_question_to_discuss_a_way_on_and_a_note_for_the_teacher(lesson):
    app = learn(lesson=lesson, step="check")
    assert "**To discuss.**" in shown(app)
    assert app.button(key="take-along").label.endswith("→")
    assert any(expander.label == "Teacher's note" for expander in app.expander)
    assert "**Aim.**" in shown(app)


def test_a_repaired_mechanism_is_answered_otherwise():
    app = learn(lesson=5, step="check", promised="vickrey-repaired")
    for number in range(3):
        radio = app.radio[number]
        app = answer(app, number, choose(radio.label, radio.options))
    assert not app.error
    assert f"✓ {lessons.LESSONS[5].short}" in progress(app)


# ---------------------------------------------------------------------------------- taken along


def taken_along(lesson, **settings):
    app = learn(lesson=lesson, step="try", **settings)
    app = step(app, "check")
    return healthy(app.button(key="take-along").click().run(timeout=300))


def test_the_word_the_mechanism_its_epsilon_and_the_vocabulary_go_along_to_the_sentence():
    app = learn(lesson=1, step="try", **{"word-eps": "4.5"})
    app.text_input(key="lesson-word").set_value("hockey").run()
    app = step(app, "check")
    app = healthy(app.button(key="take-along").click().run())
    assert app.selectbox(key="mechanism").value is TEM
    assert number_box(app, key="tem.epsilon").value == 4.5
    size = str(frame.CHOICE.size)
    assert app.query_params["size"] in (size, [size])
    assert "hockey" in app.text_area(key="text").value
    assert app.selectbox(key="word").value == "hockey"
    assert not app.warning


def test_a_text_that_has_the_word_is_kept():
    assert coin_wording.sentence_with("doctor", "My Doctor, again.") == "My Doctor, again."
    assert "hockey" in coin_wording.sentence_with("hockey", "My doctor")


def test_what_the_other_lessons_take_along():
    app = taken_along(0, point="coffee")
    assert app.text_input(key="map-word").value == "coffee"
    app = taken_along(2, **{"odds-eps": "0.75"})
    assert number_box(app, key="tem.epsilon").value == 0.75
    assert app.text_input(key="map-word").value == "doctor"
    app = taken_along(3, **{"choice-eps": "5", "crowded": "monday", "lonely": "river"})
    assert number_box(app, key="theorem-eps").value == 5
    assert app.text_input(key="gamma-words").value == "monday, river"
    app = taken_along(5, promised="vickrey-published")
    assert app.selectbox(key="audited").value == (Vickrey, "published")


def test_what_lesson_4_takes_along(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    app = taken_along(4, **{"worst-eps": "5.6"})
    assert number_box(app, key="cmp.epsilon").value == 5.6
    assert app.selectbox(key="mechanism").value is CMP


def test_the_mean_of_lesson_4_is_answered_and_held_against_the_guess():
    app = commit(learn(lesson=4))
    (asked,) = [m.value for m in app.markdown if m.value.startswith("**At a mean of 50 %")]
    assert "You guessed 50 %" in asked
    assert numbers(plain(asked))[1] > 50


def test_a_notebook_is_found_again_by_the_token_of_its_tab_for_a_quarter_of_an_hour(monkeypatch):
    token, other = "a" * 32, "b" * 32
    now = [1000.0]
    monkeypatch.setattr(NOTEBOOKS, "clock", lambda: now[0])
    NOTEBOOKS.clear()
    app = commit(learn(lesson=1))
    app.session_state["tab-token"] = token
    app = healthy(app.run())
    for mine, found in ((token, True), (other, False)):
        again = learn(lesson=1, step="try")
        again.session_state["tab-token"] = mine
        again = healthy(again.run())
        assert ("You guessed 50 %" in shown(again)) == found
    now[0] += vault.SECONDS + 1
    late = learn(lesson=1, step="try")
    late.session_state["tab-token"] = token
    assert "You guessed" not in shown(healthy(late.run()))
    NOTEBOOKS.clear()
