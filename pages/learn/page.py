"""Six lessons: predict, try, check."""

import streamlit as st

from pages.learn import guessing_round
from pages.learn.lessons import LESSONS, frame
from pages.shared import lessons, link, page_end, terms
from pages.shared.live import rounds, student

if page := frame.open_page():
    st.switch_page(page)

student.attend()
if here := rounds.on_screen(student.live()):
    link.write(None)
    guessing_round.show(here)
    page_end.stop()
number, step = frame.choose()
lesson = LESSONS[number]
link.write(None, "lesson", "step", *lesson.SETTINGS)

st.header(lessons.LESSONS[number].title)
if step == "predict":
    lesson.predict()
elif step == "try":
    lesson.explore()
else:
    lesson.check()
frame.below(number, step, lesson.take_along)
terms.words_here("epsilon", "distance", "mechanism", "cmp", "tem", "n_w", "vocabulary")
