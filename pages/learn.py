"""Five lessons: predict, try, check."""

import streamlit as st

from pages.shared import controls
from pages.shared.lessons import LESSONS, frame
from pages.shared.wording import learn as wording

for problem in controls.read_link(may_hide=True):
    st.warning(f"This link: {problem}")

number, step = frame.choose()
lesson = LESSONS[number]
controls.write_link(None, "lesson", "step", *lesson.SETTINGS)

st.header(wording.LESSONS[number].title)
if step == "predict":
    lesson.predict()
elif step == "try":
    lesson.explore()
else:
    lesson.check()
frame.below(number, step)
