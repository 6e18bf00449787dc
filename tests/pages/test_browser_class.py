"""A live class in Chromium: a teacher, students in their own browsers, and the coin in these."""

import itertools
import json
import re
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from measures.randomised_response import UNIT, RandomisedResponse
from tests.browser import app_server, fits, needs_chromium, pick, settled

pytestmark = [needs_chromium, pytest.mark.browser]

SCRIPT = Path(__file__).parents[2] / "pages" / "shared" / "live" / "question.js"
QUESTION = "fieldset"


class Served:
    """An address, and the folder and log of its server."""

    def __init__(self, folder):
        self.folder, self.log = folder, folder / "log.txt"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    here = Served(tmp_path_factory.mktemp("class"))
    with (
        here.log.open("wb") as log,
        app_server(log, WORDVEIL_CACHE=str(here.folder / "cache"), PYTHONUNBUFFERED="1") as url,
    ):
        here.address = url
        yield here


@pytest.fixture(scope="module")
def address(served):
    """The address that `visit` opens."""
    return served.address


@pytest.fixture(scope="module")
def server_log(served):
    """The log that `visit` quotes."""
    return served.log


def start(visit, private=True):
    page = visit("teach", ready="text=Start a class")
    if not private:
        page.get_by_text("Private answers", exact=True).click()
        settled(page)
    page.get_by_role("button", name="Start a class").click()
    expect(page.get_by_text("here now")).to_be_visible()
    link = page.locator("[data-testid=stCode]").first
    expect(link).to_contain_text("learn?class=")
    code = re.search(r"class=([A-Z]{4})", link.inner_text())[1]
    return page, code


def everyone_sees(teacher, name):
    pick(teacher, "Everyone sees", name)


def answer(page, label):
    page.get_by_role("radio", name=label).check()
    page.get_by_role("button", name="Keep my answer").click()
    expect(page.locator("p.sent")).to_be_visible()


def reports(served):
    """All that the store holds of answers."""
    with sqlite3.connect(served.folder / "cache" / "classes.sqlite3") as db:
        return db.execute("SELECT code, question, report FROM answers").fetchall()


def test_the_first_visitor_of_a_server_sees_the_page_of_the_link(visit):
    page = visit("learn?lesson=2", ready="text=Keep my guess")
    expect(page.get_by_role("heading", name="Near words hide each other")).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)


def test_a_teacher_and_two_students_predict_and_see_the_board(visit, served):
    teacher, code = start(visit, private=False)
    students = [visit(f"learn?class={code}", ready="text=Answers of this class") for _ in range(2)]
    expect(teacher.get_by_text("2 students joined")).to_be_visible()
    everyone_sees(teacher, "Lesson 1 · Deniability · ① Predict")
    for student, label in zip(students, ("41 to 60 %", "61 to 80 %"), strict=True):
        expect(student.get_by_role("heading", name="Who says that I said so?")).to_be_visible()
        answer(student, label)
    expect(teacher.get_by_text("2 of 2 have answered")).to_be_visible()
    expect(teacher.locator("[data-testid=stPlotlyChart]")).to_have_count(0)
    teacher.get_by_role("button", name="Show the answers").click()
    expect(teacher.locator("[data-testid=stPlotlyChart]")).to_be_visible()
    teacher.get_by_role("button", name="Show the right answer").click()
    expect(teacher.get_by_text("Right: 61 to 80 %.")).to_be_visible()
    expect(teacher.get_by_text("Commonest mistake: 41 to 60 %.")).to_be_visible()
    everyone_sees(teacher, "Lesson 1 · Deniability · ③ Check")
    student = students[0]
    expect(student.locator(QUESTION)).to_have_count(2)
    first = student.locator(".question", has=student.locator(QUESTION)).first
    first.get_by_role("radio").first.check()
    first.get_by_role("button", name="Keep my answer").click()
    expect(first.get_by_role("status").first).to_contain_text(re.compile("Right|Not yet"))
    teacher.reload()
    expect(teacher.get_by_text("2 students joined")).to_be_visible()
    for page in (teacher, *students):
        assert page.requests_elsewhere == []
    assert served.address in teacher.url


@pytest.mark.parametrize("height", [600, 720, 900])
def test_a_late_qr_code_moves_nothing_and_closes_no_list(visit, height):
    teacher = visit("teach", ready="text=Start a class", height=height)
    held = []
    teacher.route("**/media/**", lambda route: held.append(route))
    teacher.get_by_role("button", name="Start a class").click()
    expect(teacher.get_by_text("here now")).to_be_visible()
    box = teacher.get_by_role("combobox", name="Everyone sees")
    box.scroll_into_view_if_needed()
    settled(teacher)
    before = box.bounding_box()
    box.click()
    option = teacher.get_by_role("option", name="Lesson 1 · Deniability · ① Predict")
    expect(option).to_be_visible()
    for route in held:
        route.continue_()
    teacher.wait_for_function(
        "[...document.querySelectorAll('[data-testid=stImage] img')].every(i => i.complete)"
    )
    assert held
    assert box.bounding_box() == before
    option.click()
    expect(box).to_have_value("Lesson 1 · Deniability · ① Predict")


def test_one_flip_across_reloads_and_tabs_and_one_student(visit, served):
    teacher, code = start(visit)
    student = visit(f"learn?class={code}&lesson=1", ready=QUESTION)
    answer(student, "0 to 20 %")
    tab = student.context.new_page()
    tab.goto(f"{served.address}/learn?class={code}&lesson=1")
    expect(tab.locator("p.sent")).to_be_visible()
    expect(tab.get_by_role("radio", name="0 to 20 %")).to_be_checked()
    assert not tab.get_by_role("button", name="Keep my answer").count()
    student.reload()
    expect(student.locator("p.sent")).to_be_visible()
    expect(teacher.get_by_text("1 student joined")).to_be_visible()
    mine = [row for row in reports(served) if row[0] == code]
    assert len(mine) == 1
    expect(student.get_by_text("1 answer so far, ε = 2 in total")).to_be_visible()


def test_only_the_noisy_answer_leaves_the_browser(visit, served):
    """All that the browser sends is read; the coin is made to change the answer."""
    _, code = start(visit)
    page = visit(f"learn?class={code}", ready="text=Class")
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(data)))
    page.goto(f"{served.address}/learn?class={code}&lesson=5")
    expect(page.locator(QUESTION)).to_be_visible()
    # The first number loses the answer, the second one is the option that is sent instead.
    page.evaluate(
        """() => { const drawn = [4294967295, 2];
        crypto.getRandomValues = array => { array[0] = drawn.shift() ?? 1; return array; }; }"""
    )
    answer(page, "more private")
    settled(page)
    (row,) = [row for row in reports(served) if row[0] == code]
    assert row == (code, "5.predict", 2)
    kept = json.loads(page.evaluate(f"localStorage.getItem('wordveil-class-{code}')"))
    assert kept["answers"]["5.predict"]["answer"] == 0
    assert kept["answers"]["5.predict"]["report"] == 2
    told = [m for m in sent if b"report" in (m if isinstance(m, bytes) else m.encode())]
    assert told
    for message in told:
        message = message if isinstance(message, bytes) else message.encode()
        assert b'"report":2' in message.replace(b" ", b"")
        assert b'"answer"' not in message
        assert b"more private" not in message
    student = kept["student"].encode()
    for file in served.folder.rglob("*"):
        if file.is_file():
            assert student not in file.read_bytes(), file


def test_the_coin_of_the_browser_is_the_coin_of_the_measures(visit):
    """The same random numbers lead both to the same reports, one by one."""
    page = visit("learn", ready="text=Checks passed")
    source = re.sub(r"^export (default )?", "", SCRIPT.read_text(), flags=re.MULTILINE)
    source = re.sub(r"^function \(\{", "function shown({", source, flags=re.MULTILINE)
    rng = np.random.default_rng(7)
    for options, epsilon in itertools.product((2, 3, 5, 10), (0.5, 2.0, None)):
        coin = RandomisedResponse(options, epsilon)
        stream = rng.integers(UNIT, size=4_000).tolist() + [UNIT - 1, 0, 1, 2] * 2
        answers = rng.integers(options, size=1_500).tolist()
        theirs = page.evaluate(
            f"""([stream, answers, options, keep]) => {{ {source};
            let at = 0;
            return answers.map(a => report(a, options, keep, () => stream[at++])); }}""",
            [stream, answers, options, coin.keep],
        )
        numbers = iter(stream)
        assert theirs == [coin.report(a, numbers.__next__) for a in answers]
    assert "Math.random" not in SCRIPT.read_text()
    drawn = page.evaluate(
        f"() => {{ {source}; return Array.from({{length: 2000}}, () => bits()); }}"
    )
    assert len(set(drawn)) > 1990  # of 2³² numbers
    assert abs(np.mean(drawn) / UNIT - 0.5) < 5 * (1 / 12 / 2000) ** 0.5


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_pages_of_a_class_fit_the_screen(visit, width, scheme):
    teacher, code = start(visit)
    fits(teacher, 1280)
    page = visit("teach", width, 844, scheme, ready="text=Start a class")
    fits(page, width)
    student = visit(f"learn?class={code}&lesson=2&step=check", width, 844, scheme, ready=QUESTION)
    fits(student, width)
    expect(student.locator(QUESTION)).to_have_count(3)
