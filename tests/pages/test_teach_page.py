"""The Teach page and a student's side of a class, run by Streamlit itself."""

import json
import re
from dataclasses import replace

import pytest

from measures import flat_map, lessons
from mechanisms import MECHANISMS, TEM
from pages.learn import guessing_round
from pages.learn.lessons import LESSONS, frame
from pages.shared import cached
from pages.shared.live import questions, rounds, store, student
from pages.shared.live.store import Board, LiveClass
from pages.teach import address, board, papers, summary
from tests.app import healthy, page, shown, versions
from tests.pages.test_learn_page import learn

TOKEN = "5e0f" * 8


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDVEIL_CACHE", str(tmp_path))
    return tmp_path


def teach():
    return healthy(page(size="10000").switch_page("pages/teach/page.py").run())


def press(app, label):
    return healthy(next(b for b in app.button if b.label == label).click().run())


def started(private=True):
    app = teach()
    if not private:
        app = healthy(app.toggle(key="class-private").set_value(False).run())
    app = press(app, "Start a class")
    return app, *app.session_state["teaching"]


def joined(code, token=TOKEN, **query):
    app = learn(**{"class": code}, **query)
    app.session_state["class-student"] = token
    app = healthy(app.run())
    assert student.code is not None
    return app


def test_a_teacher_starts_a_class_and_sees_its_code_and_link():
    app, code, key = started()
    assert f">{code}</p>" in shown(app)
    assert any(each.value.endswith(f"/learn?class={code}") for each in app.code)
    assert "0</b> here now" in shown(app) or "**0** here now" in shown(app)
    assert key not in shown(app)
    assert "class" not in app.query_params or key not in str(app.query_params)


def test_answers_are_hidden_until_the_teacher_shows_them_and_then_the_right_one():
    app, code, key = started(private=False)
    for number, place in enumerate([2, 2, 2, 3, 4]):
        store.here().answer(code, f"{number:032x}", "1.predict", place)
    app = healthy(app.selectbox(key="class-pace").set_value("1.predict").run())
    assert "**5 of 5** have answered" in shown(app)
    assert not app.get("plotly_chart")
    assert "Right:" not in shown(app)
    app = press(app, "Show the answers")
    assert len(app.get("plotly_chart")) == 1
    assert "Right:" not in shown(app)
    app = press(app, "Show the right answer")
    assert "Right: 61 to 80 %" in shown(app)
    assert "Commonest mistake: 41 to 60 %." in shown(app)
    assert "three of four answers are true" in shown(app)
    app = press(app, "Hide again")
    assert not app.get("plotly_chart")


def test_the_end_leaves_a_summary_of_counts_and_nothing_on_disk(folder):
    app, code, key = started()
    store.here().answer(code, TOKEN, "1.predict", 2)
    app = press(app, "End it now")
    assert "teaching" not in app.session_state
    paper = app.session_state["class-summary"]
    assert "How sure are you that Mia copied?" in paper
    assert TOKEN not in paper
    assert code not in paper
    assert not store.here().is_teacher(code, key)


def test_a_student_joins_by_a_link_without_a_name_and_keeps_the_class_in_the_link():
    _, code, key = started()
    app = joined(code)
    assert f"Class **{code}**" in shown(app)
    assert "ε = 0 in total" in shown(app)
    assert app.query_params["class"] in (code, [code])
    assert store.here().board(code, key).joined == 1


def test_a_wrong_code_is_said_and_the_lesson_goes_on():
    app = learn(**{"class": "QQQQ"})
    app.session_state["class-student"] = TOKEN
    app = healthy(app.run())
    assert any("no class with this code" in each.value for each in app.warning)
    assert "Keep my guess" in str([b.label for b in app.button])


def test_everyone_sees_the_step_that_the_teacher_has_opened():
    _, code, key = started()
    app = joined(code)
    assert app.session_state["lesson"] == 0
    store.here().set_pace(code, key, "3.try")
    app = healthy(app.run())
    assert (app.session_state["lesson"], app.session_state["step"]) == (3, "try")
    assert "Your teacher sets the pace" in shown(app)
    assert not [each for each in app.get("button_group") if each.proto.label == "Lesson"]
    store.here().set_pace(code, key, "")
    app = healthy(app.run())
    assert "Your teacher sets the pace" not in shown(app)


@pytest.mark.parametrize("lesson", list(LESSONS))
@pytest.mark.parametrize("step", ["predict", "check"])
def test_each_question_of_each_lesson_is_asked_of_the_class(lesson, step):
    _, code, _ = started()
    app = joined(code, lesson=lesson, step=step)
    asked = [each.proto for each in app.get("bidi_component")]
    sent = " ".join(str(each) for each in asked)
    wanted = [
        key for key in board.questions_of(f"{lesson}.{step}", questions.every())
    ]  # fmt: skip
    for key in wanted:
        assert (
            f'\\"question\\":\\"{key}\\"' in sent or f'"question": "{key}"' in sent or key in sent
        )
    assert not [radio for radio in app.radio if radio.label == frame.MY_GUESS]


def test_the_total_epsilon_of_a_student_adds_up_over_questions():
    _, code, _ = started()
    for key in ("1.predict", "1.coin", "1.word"):
        store.here().answer(code, TOKEN, key, 0)
    assert "3 answers so far, ε = 6 in total (2 each" in shown(joined(code))


def test_a_class_that_is_not_private_says_so():
    _, code, _ = started(private=False)
    assert "are **not** private" in shown(joined(code))


# ---------------------------------------------------------------------------------- what arrives


def receiving(found, key="1.predict", count=5):
    code, teacher = store.here().start(2.0)

    def app(code, key, count, found):
        from pages.shared.live import store, student

        student.receive(store.here().find(code), key, count, found)

    from streamlit.testing.v1 import AppTest

    healthy(AppTest.from_function(app, args=(code, key, count, found)).run())
    return store.here().board(code, teacher).counts


GOOD = {"student": TOKEN, "question": "1.predict", "report": 3}


def test_a_report_of_a_browser_is_counted():
    assert receiving(GOOD) == {"1.predict": {3: 1}}


@pytest.mark.parametrize(
    "change",
    [
        {"report": 5},
        {"report": -1},
        {"report": 1.5},
        {"report": "3"},
        {"report": None},
        {"report": float("nan")},
        {"student": "Mia"},
        {"student": None},
        {"question": "<b>zebra</b>"},
    ],
)
def test_what_is_no_report_is_left_out(change):
    assert receiving(GOOD | change) == {}


@pytest.mark.parametrize("found", [None, [], "x", 3, {}])
def test_what_has_another_form_is_left_out(found):
    assert receiving(found) == {}


# ---------------------------------------------------------------------------------- the questions


def test_every_check_of_every_lesson_is_a_question_but_the_slider_of_lesson_4():
    checks = {(lesson, key) for lesson, keys in frame.CHECKS.items() for key in keys}
    assert checks - set(questions.CHECKS) == {(4, "find")}
    assert set(questions.PREDICTIONS) == set(LESSONS)


@pytest.mark.parametrize("key", list(questions.every()))
def test_each_wrong_option_has_something_to_say_about_it(key):
    asked = questions.every()[key]
    assert asked.right in asked.options
    assert set(asked.mistakes) == set(asked.options) - {asked.right}
    assert all(len(said) > 20 for said in asked.mistakes.values())


def test_the_right_predictions_are_those_that_the_measures_give(glove):
    import numpy as np

    from mechanisms import CMP
    from mechanisms.randomness import seeded_rng

    truth = lessons.certainty(*lessons.coin(0.5))
    assert questions.PREDICTIONS[1].right == questions.percent_name(round(100 * truth))
    words = flat_map.word_map(glove).words
    at = words.get("doctor")
    drawn = flat_map.darts(CMP(epsilon=1.5), words, at, 20_000, seeded_rng(0)).released
    near = flat_map.nearest(words, at, 8)[0][[0, 3, 7]]
    counts = [int((drawn == word).sum()) for word in near]
    assert counts[0] > counts[1] + 5 * np.sqrt(counts[0])
    assert counts[0] > counts[2] + 5 * np.sqrt(counts[0])
    assert questions.PREDICTIONS[0].right == "near"


@pytest.mark.parametrize(("value", "name"), [(0, "0"), (20, "0"), (21, "1"), (75, "3"), (100, "4")])
def test_a_percentage_is_in_the_part_of_the_scale_that_names_it(value, name):
    assert questions.percent_name(value) == name
    low, high = map(int, re.findall(r"\d+", questions.PREDICTIONS[1].options[name]))
    assert low <= value <= high


# ---------------------------------------------------------------------------------- the board


def a_board(epsilon, counts):
    return Board(LiveClass("ABCD", epsilon, "", ""), 0, 0, {"1.coin": counts}, {})


def test_the_commonest_mistake_is_sure_only_if_the_counts_say_so():
    asked = questions.every()["1.coin"]
    plain = board.found(a_board(None, {0: 3, 1: 9, 2: 2}), "1.coin", asked)
    assert board.commonest_mistake(plain, asked, "right") == ("no_luck", True)
    tied = board.found(a_board(None, {0: 3, 1: 2, 2: 2}), "1.coin", asked)
    assert not board.commonest_mistake(tied, asked, "right").sure
    few = board.found(a_board(2.0, {0: 4, 1: 3, 2: 2, 3: 1}), "1.coin", asked)
    assert not board.commonest_mistake(few, asked, "right").sure
    many = board.found(a_board(2.0, {0: 60, 1: 110, 2: 20, 3: 20}), "1.coin", asked)
    assert board.commonest_mistake(many, asked, "right") == ("no_luck", True)
    right = board.found(a_board(None, {0: 30}), "1.coin", asked)
    assert board.commonest_mistake(right, asked, "right") is None


# ---------------------------------------------------------------------------------- the address


@pytest.mark.parametrize(
    ("url", "bound", "machine", "expected"),
    [
        ("http://127.0.0.1:8501/teach", None, ["192.168.1.7"], ["http://192.168.1.7:8501"]),
        ("http://localhost:8501/", "0.0.0.0", ["10.0.0.2"], ["http://10.0.0.2:8501"]),
        ("http://localhost:8501/", "127.0.0.1", ["10.0.0.2"], []),
        ("http://localhost:8501/", None, [], []),
        ("http://[::1]:8501/", None, ["10.0.0.2"], ["http://10.0.0.2:8501"]),
        ("http://localhost:8501/", "10.0.0.9", ["10.0.0.2"], ["http://10.0.0.9:8501"]),
        ("https://class.example/teach?x=1", "127.0.0.1", [], ["https://class.example"]),
        ("http://192.168.1.7:8501/teach", None, [], ["http://192.168.1.7:8501"]),
    ],
)
def test_the_address_is_one_that_other_devices_reach(url, bound, machine, expected):
    assert address.reachable(url, bound, machine) == expected


def test_this_machines_addresses_are_no_loopback():
    assert all(not address.is_loopback(each) for each in address.of_this_machine())


# ---------------------------------------------------------------------------------- papers


@pytest.mark.parametrize("lesson", list(LESSONS))
def test_a_students_paper_has_name_date_and_room_and_no_answer(lesson):
    paper = papers.student(lesson)
    for wanted in ("Name", "Date", "Guess", "To discuss"):
        assert wanted in paper
    answer = papers.answers(lesson)
    for asked in papers._of(lesson):
        for said in asked.mistakes.values():
            assert said.split(":")[0].split(".")[0][:25] not in paper
        assert "Right:" not in paper
    assert "Right:" in answer
    assert "http" not in paper.replace("http-equiv", "")


def test_a_summary_of_nothing_says_so():
    empty = Board(LiveClass("ABCD", 2.0, "", ""), 0, 0, {}, {})
    assert "Nothing was answered." in summary.summary(empty, questions.every(), "2026-01-01")


@pytest.mark.parametrize(("joined", "said"), [(1, "1 student joined."), (2, "2 students joined.")])
def test_a_summary_has_the_singular_and_the_plural(joined, said):
    board = Board(LiveClass("ABCD", 2.0, "", ""), 0, joined, {}, {})
    assert said in summary.summary(board, questions.every(), "2026-01-01")


# ------------------------------------------------------------------------- the guessing game


def in_round(monkeypatch):
    """A class in which TEM at ε = 5 is to be guessed, the teacher's page, and its store."""
    app, code, key = started(private=False)
    monkeypatch.setattr(rounds.secrets, "choice", lambda among: 2 if 2 in among else TEM)
    app = press(app, "🎭 Guess the mechanism")
    (here,) = rounds.played(store.here().find(code))
    return app, code, here


def test_one_press_begins_a_round_for_everyone_and_the_next_one_another(monkeypatch):
    app, code, here = in_round(monkeypatch)
    assert here.mechanism == TEM(epsilon=5)
    assert store.here().find(code).pace == rounds.PACE
    assert app.session_state["class-question"] == here.keys[0]
    assert "Round 1: Which mechanism is it?" in str([each.value for each in app.subheader])
    press(app, "🎭 Guess the mechanism: another round")
    first, second = rounds.played(store.here().find(code))
    assert first == here
    assert second.name != here.name


def test_the_step_in_the_list_begins_a_round_too():
    app, code, _ = started()
    healthy(app.selectbox(key="class-pace").set_value(rounds.PACE).run())
    assert len(rounds.played(store.here().find(code))) == 1


def test_a_student_sees_sentences_and_nothing_that_names_the_answer(monkeypatch):
    _, code, here = in_round(monkeypatch)
    app = joined(code)
    assert "Guess the mechanism" in [each.value for each in app.header]
    assert shown(app).count('class="wv-version') == guessing_round.VERSIONS
    asked = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    asked = [each for each in asked if str(each.get("question", "")).startswith("round.")]
    assert {each["question"] for each in asked} == set(here.keys)
    for each in asked:
        assert len(each["options"]) == (10 if each["slider"] else len(MECHANISMS))
        assert not any(option["right"] or option["feedback"] for option in each["options"])
    assert [each["slider"] for each in asked] == [False, True]


def test_everyone_in_a_round_sees_the_same_sentences_and_another_draw_is_another(monkeypatch):
    _, code, _ = in_round(monkeypatch)
    app, other = joined(code), joined(code, "77aa" * 8)
    assert versions(app) == versions(other)
    assert versions(press(app, "🎲 Show other versions")) != versions(other)


def test_the_board_names_what_was_to_be_guessed_only_when_the_teacher_shows_it(monkeypatch):
    app, code, here = in_round(monkeypatch)
    names = list(questions.OF_MECHANISM.options)
    for number, (name, step) in enumerate([("TEM", 2), ("CMP", 4), ("CMP", 4)]):
        store.here().answer(code, f"{number:032x}", here.keys[0], names.index(name))
        store.here().answer(code, f"{number:032x}", here.keys[1], step)
    app = press(app, "Show the answers")
    assert len(app.get("plotly_chart")) == 1
    assert "Right:" not in shown(app)
    app = press(app, "Show the right answer")
    assert "Right: TEM." in shown(app)
    assert "Commonest mistake: CMP." in shown(app)
    app = healthy(app.selectbox(key="class-question").set_value(here.keys[1]).run())
    assert "Right:" not in shown(app)
    app = press(press(app, "Show the answers"), "Show the right answer")
    assert "Right: ε = 5." in shown(app)
    assert "4 times the true ε" in shown(app)
    paper = summary.summary(
        store.here().board(code, app.session_state["teaching"][1]), questions.every(), "today"
    )
    assert "Round 1: Which mechanism is it?" in paper
    assert "✓ TEM" in paper


@pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.name)
def test_every_mechanism_can_be_in_a_round_at_a_step_in_its_range(cls, monkeypatch):
    monkeypatch.setattr(
        rounds.secrets, "choice", lambda among: among[0] if cls not in among else cls
    )
    live = LiveClass("ABCD", 2.0, rounds.PACE, "")
    span = cached.epsilon_range(cls.family(), frame.CHOICE)
    secret = rounds.with_another(live, lambda family: span)
    here = rounds.on_screen(replace(live, secret=secret))
    assert type(here.mechanism) is cls
    assert span.low <= here.mechanism.epsilon <= span.high
    private = guessing_round.public_sentences(
        here.mechanism, frame.CHOICE, guessing_round.SENTENCES, 2, (1, 0)
    )
    assert len(private.texts) == 2
    assert private.unprotected_count == 0
