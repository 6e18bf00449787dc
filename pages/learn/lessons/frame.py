"""The frame of all lessons: the step on screen, guesses, checks, progress, and the hand-out.

A student's guesses, words and answers stay with the student's tab; in a class, reports of answers
go to the class.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from measures.lessons import Question
from mechanisms import Vocabulary
from pages.learn import wording
from pages.learn.lessons import kept_notebook
from pages.shared import cached, classroom, downloads, lessons, prose, tab, terms
from pages.shared.live import questions as live_questions
from pages.shared.live import student
from pages.shared.live import wording as live_wording
from pages.shared.live.student import Option
from pages.shared.settings import KEPT

CHOICE = lessons.CHOICE

MY_GUESS = "My guess"

# Of every slider of ε.
EPSILON: dict[str, Any] = {"help": terms.explained("epsilon"), **KEPT}

CHECKS = {
    0: ("nearest", "dart", "choice"),
    1: ("coin", "word"),
    2: ("cap", "certainty", "hidden"),
    3: ("length", "replaced", "preference"),
    4: ("find", "breaking"),
    5: ("impossible", "needed", "proof"),
}


@dataclass
class Notebook:
    """The guesses, findings and answers of one student, by lesson."""

    guesses: dict[int, str] = field(default_factory=dict)
    findings: dict[int, list[str]] = field(default_factory=dict)
    answers: dict[int, dict[str, wording.Answered]] = field(default_factory=dict)
    """The last answer to each check, and the first."""
    passed: set[tuple[int, str]] = field(default_factory=set)


def notebook() -> Notebook:
    """The notebook of this tab."""
    return kept_notebook.notebook(Notebook)


def vocabulary() -> Vocabulary:
    """The words of all lessons."""
    return cached.vocabulary(CHOICE)


# ----------------------------------------------------------------------------------- steps


def choose() -> tuple[int, str]:
    """The lesson and the step on screen; in a class, the teacher's choice."""
    if pace := _pace():
        lesson, step = pace
        st.session_state["lesson"], st.session_state["step"] = lesson, step
        st.markdown(live_wording.step_of_teacher(str(lesson), lessons.STEPS[step]))
        return lesson, step
    left, right = st.columns([7, 3], vertical_alignment="bottom")
    lesson = left.segmented_control(
        "Lesson",
        list(lessons.LESSONS),
        format_func=lambda n: f"{n} {lessons.LESSONS[n].short}",
        key="lesson",
        required=True,
        on_change=_begin,
        label_visibility="collapsed",
        **KEPT,
    )
    step = right.segmented_control(
        "Step",
        list(lessons.STEPS),
        format_func=lessons.STEPS.__getitem__,
        key="step",
        required=True,
        label_visibility="collapsed",
        **KEPT,
    )
    return lesson, step


def _pace() -> tuple[int, str] | None:
    """The step that the teacher of a live class has opened; None if students go on themselves."""
    here = student.live()
    found = re.fullmatch(r"(\d)\.(\w+)", here.pace if here else "")
    if not found or int(found[1]) not in CHECKS or found[2] not in lessons.STEPS:
        return None
    return int(found[1]), found[2]


def _begin() -> None:
    st.session_state["step"] = "predict"


def _go(step: str, lesson: int | None = None) -> None:
    tab.opened()
    st.session_state["step"] = step
    if lesson is not None:
        st.session_state["lesson"] = lesson


def guess_percent(lesson: int, label: str, key: str) -> None:
    """A prediction in whole percent; in a class, one of five parts of the scale."""
    if student.live() is not None:
        _predict_in_class(lesson, label, live_questions.PREDICTIONS[lesson].options)
        return
    st.session_state.setdefault(key, 50)
    guess = st.slider(label, 0, 100, key=key, **KEPT)
    commit(lesson, f"{guess} %")


def guess_one(lesson: int, key: str, options: Mapping[str, str]) -> None:
    """A prediction of one of these options, given by their names in a class and their labels."""
    if student.live() is not None:
        _predict_in_class(lesson, MY_GUESS, options)
        return
    guess = st.radio(
        MY_GUESS,
        list(options),
        index=None,
        format_func=options.__getitem__,
        key=key,
        **KEPT,
    )
    commit(lesson, options.get(guess or "", ""))


def _predict_in_class(lesson: int, legend: str, labels: Mapping[str, str]) -> None:
    asked = live_questions.PREDICTIONS[lesson]
    options = [
        Option(asked.place(name), prose.plain(label), "", False) for name, label in labels.items()
    ]
    student.ask(f"{lesson}.predict", asked, legend, options)
    if _pace() is None:
        st.button(live_wording.TRY_IT, on_click=_go, args=("try",))


def commit(lesson: int, guess: str) -> None:
    """A button that keeps a guess and goes to the next step."""

    def kept() -> None:
        notebook().guesses[lesson] = guess
        _go("try")

    st.button(wording.COMMIT, on_click=kept, type="primary", disabled=not guess)


def guessed(lesson: int) -> str | None:
    """The guess of this student, as text."""
    return notebook().guesses.get(lesson)


def found(lesson: int, *lines: str) -> None:
    """Write the latest findings of a lesson into the notebook."""
    notebook().findings[lesson] = list(lines)


def word_box(label: str, key: str, default: str) -> int | None:
    """A word of the vocabulary that a student types, by its id; None, and a sentence, otherwise."""
    st.session_state.setdefault(key, default)
    typed = st.text_input(label, key=key, **KEPT).strip().lower()
    word_id = vocabulary().get(typed)
    if word_id is None:
        st.info(wording.no_such_word(typed))
    return word_id


def word_of(key: str, default: str) -> int:
    """The id of the word that was typed in another step; the default's if it is unknown."""
    typed = vocabulary().get(st.session_state.get(key, default).strip().lower())
    return vocabulary().ids([default])[0].item() if typed is None else typed


# ----------------------------------------------------------------------------------- checks


def ask(
    lesson: int,
    key: str,
    text: str,
    question: Question,
    label: Callable[[str], str],
    explain: Callable[[str], str],
    typed: str = "",
) -> None:
    """Ask, and say at once whether the answer is right and why.

    In a class the browser says so, and passes a report on. `typed` is the option that is the word
    that was typed, in questions whose options are words.
    """
    about = zlib.crc32(f"{text}{question.options}".encode())
    st.markdown(text)
    if student.live() is not None:
        _check_in_class(lesson, key, text, question, label, explain, typed)
        return
    chosen = st.radio(
        prose.without_marks(text).replace("*", ""),
        list(question.options),
        index=None,
        format_func=label,
        horizontal=True,
        label_visibility="collapsed",
        key=f"check.{lesson}.{key}.{about}",
        **KEPT,
    )
    if chosen is not None:
        answered(lesson, key, text, label(chosen), question.is_right(chosen), explain(chosen))


def _check_in_class(
    lesson: int,
    key: str,
    text: str,
    question: Question,
    label: Callable[[str], str],
    explain: Callable[[str], str],
    typed: str,
) -> None:
    asked = live_questions.CHECKS[lesson, key]
    options = []
    for name in question.options:
        right = question.is_right(name)
        named = "typed" if name == typed and not right else name
        options.append(
            Option(
                asked.place(live_questions.name_in_class(asked, question, named)),
                prose.plain(label(name)),
                f"{wording.RIGHT if right else wording.WRONG} {explain(name)}",
                right,
            )
        )
    student.ask(f"{lesson}.{key}", asked, prose.without_marks(text).replace("*", ""), options)


def answered(lesson: int, key: str, text: str, chosen: str, right: bool, why: str) -> None:
    """Show whether an answer is right, and write it into the notebook."""
    if right:
        st.success(f"{wording.RIGHT} {why}")
        notebook().passed.add((lesson, key))
    else:
        st.error(f"{wording.WRONG} {why}")
    answers = notebook().answers.setdefault(lesson, {})
    before = answers.get(key)
    first = (before.first, before.first_right) if before else (chosen, right)
    answers[key] = wording.Answered(text, chosen, right, why, *first)


# ---------------------------------------------------------------------------- below a lesson


def open_page() -> str | None:
    """The page that a button has asked for, once."""
    return st.session_state.pop("open-page", None)


def _take_along(page: str, settings: dict[str, Any]) -> None:
    """Open a page with what the student has set in a lesson."""
    st.session_state.update(settings)
    st.session_state["open-page"] = page


def with_vocabulary(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of another page, with the vocabulary of the lessons."""
    words = {"embedding": CHOICE.name, "size": CHOICE.size, "tokens": CHOICE.words_only}
    return words | settings


def below(lesson: int, step: str, settings: Callable[[], dict[str, Any]]) -> None:
    """Show the next steps, the progress, the hand-out, and the teacher's note.

    `settings` are the settings that the student takes along to the next page.
    """
    book = notebook()
    if step == "check":
        st.markdown(f"**To discuss.** {lessons.LESSONS[lesson].discuss}")
    on, page, paper = st.columns([2, 3, 2], vertical_alignment="center")
    if step == "try":
        on.button(wording.TO_CHECK, on_click=_go, args=("check",), type="primary")
    if step == "check":
        if lesson < max(CHECKS):
            on.button(
                f"Lesson {lesson + 1} →",
                on_click=_go,
                args=("predict", lesson + 1),
                type="primary",
            )
        target, what = lessons.LESSONS[lesson].goes_on
        page.button(
            f"{what} →",
            key="take-along",
            on_click=_take_along,
            args=(target, with_vocabulary(settings())),
            disabled=bool(classroom.locked_names()),
            help=wording.TAKE_ALONG_HELP,
        )
    if step != "predict":
        downloads.document(
            paper,
            "⬇️ My hand-out (Markdown)",
            lambda: wording.handout(book.guesses, book.findings, book.answers),
            "wordveil-lessons.md",
            "text/markdown",
        )
    if lesson == max(CHECKS) and step == "check":
        _closing()
    if student.live() is None:
        st.caption(wording.done({n: _passed(book, n) for n in CHECKS}))
    with st.container(key="teachers-note").expander("Teacher's note"):
        st.markdown(lessons.LESSONS[lesson].note)
        st.page_link("pages/teach/page.py", label=f"**{wording.START_A_CLASS}**")
        st.caption(wording.FOR_A_CLASS)
        st.caption(wording.VOCABULARY)
    with st.expander(live_wording.JOIN, expanded=False):
        student.way_in()


def _passed(book: Notebook, lesson: int) -> wording.Passed:
    """How many checks of a lesson are right by now, and how many were at the first answer."""
    keys, answers = CHECKS[lesson], book.answers.get(lesson, {})
    right = sum((lesson, key) in book.passed for key in keys)
    at_once = sum(key in answers and answers[key].first_right for key in keys)
    return wording.Passed(right, at_once, len(keys))


def _closing() -> None:
    """Show the recap of each lesson, and links to other pages."""
    st.subheader(wording.CLOSING)
    for number, each in lessons.LESSONS.items():
        st.markdown(f"{number}. {each.recap}")
    doors = wording.DOORS
    for place, (page, title, promise) in zip(st.columns(len(doors)), doors, strict=True):
        with place.container(border=True):
            st.page_link(page, label=f"**{title}**")
            st.markdown(promise)
