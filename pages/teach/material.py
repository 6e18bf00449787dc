"""Material for a teacher: plans for 45 and 90 minutes, papers to print, games."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.shared import downloads
from pages.shared.lessons import LESSONS
from pages.teach import papers as paper

PLANS = "Plans for 45 and 90 minutes"
PLAN_45 = (
    "**45 minutes: who says that I said so?**\n\n"
    "| min | on the screen | expect, and say |\n|---|---|---|\n"
    "| 0–5 | Code and QR code; everyone joins. | Say what the coin in the browser does: this class "
    "is the experiment of lesson 1. |\n"
    "| 5–15 | Lesson 1: Predict, then show the answers, then the right one. | Expect 50 % and 100 "
    "%. Ask for the four cases of two coins before you show the right answer. |\n"
    "| 15–25 | Lesson 1: Try, Check. | Let them find an ε at which coin and word are equally "
    "strong evidence. |\n"
    "| 25–35 | Lesson 2: Predict, Try. | Expect “the same ε, so the same protection”. Say: ε is a "
    "rate for one unit of distance. |\n"
    "| 35–42 | Beat the adversary (Attacks), one sentence together. | Expect that the adversary "
    "wins at a large ε. Ask what would have to change. |\n"
    "| 42–45 | End of class; the summary. | Read out the ε that everyone has spent. |"
)
PLAN_90 = (
    "**90 minutes: from a coin to a choice of ε**\n\n"
    "| min | on the screen | expect, and say |\n|---|---|---|\n"
    "| 0–10 | Join; lesson 0: Predict, Try. | Expect that a dart “aims at” a neighbour. |\n"
    "| 10–25 | Lesson 1, all steps. | Compare the board's grey and coloured bars: why is the "
    "estimate useful for the class, and useless for one student? |\n"
    "| 25–40 | Lesson 2, all steps. | Let them name a secret in a near and in a far word. |\n"
    "| 40–50 | Guess the mechanism, two rounds. | Expect guesses without a reason. Ask for a test: "
    "a lonely word, a crowded word, many draws. |\n"
    "| 50–65 | Lesson 4, all steps. | Expect guesses near the mean. Groups take different limits; "
    "draw limit against ε. |\n"
    "| 65–80 | Lesson 5: Predict, Try. | Expect “never the word itself: safest”. |\n"
    "| 80–90 | Beat the adversary; end; the summary. | What would you ask an app that says "
    "“ε = 1”? |"
)
PAPERS = "To print for each lesson: a student's page and an answer page"
GAMES = "Games, and links that lock or hide"
GAMES_TEXT = (
    "- **Guess the mechanism, the whole class.** In a class press *Guess the mechanism*: a "
    "mechanism and an ε are drawn, everyone sees sentences from them on *Learn* and guesses both, "
    "and the board shows the guesses, then the right answer.\n"
    "- **Guess the mechanism, by a link.** On *Private sentences* set a mechanism and an ε, open "
    "*Share this screen*, hide both, and send the link. Anyone who opens it sees the sentences and "
    "can guess. Anyone can also decode such a link.\n"
    "- **Beat the adversary.** On *Attacks* switch on *Class game*. The link of that screen opens "
    "the same sentences for everyone.\n"
    "- **The same numbers for everyone.** A seed in the link of *Private sentences* draws the same "
    "versions on every screen. Anyone who knows the seed can undo them."
)


def plans() -> None:
    """Show the two plans."""
    with st.expander(PLANS):
        st.markdown(PLAN_45)
        st.markdown(PLAN_90)


def papers() -> None:
    """Offer the papers for each lesson; a browser prints them."""
    with st.expander(PAPERS):
        for lesson, each in LESSONS.items():
            name, one, other = st.columns([3, 2, 2], vertical_alignment="center")
            name.markdown(f"{lesson}. {each.short}")
            for place, what, make in (
                (one, "student", paper.student),
                (other, "answers", paper.answers),
            ):
                downloads.document(
                    place,
                    f"⬇️ {what}",
                    partial(make, lesson),
                    f"wordveil-lesson-{lesson}-{what}.html",
                    "text/html",
                    key=f"paper.{lesson}.{what}",
                )


def games() -> None:
    """Show where the games are."""
    with st.expander(GAMES):
        st.markdown(GAMES_TEXT)
        st.page_link("pages/perturb/page.py", label="Private sentences →")
        st.page_link("pages/attacks/page.py", label="Attacks →")
