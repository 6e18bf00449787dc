"""The words of a live class on a student's page."""

from __future__ import annotations

from pages.shared.live.questions import CLOSE
from pages.shared.live.store import LiveClass
from pages.shared.prose import number
from release.grammar import counted

JOIN = "Join a class"
CODE = "Code of four letters"
JOIN_HELP = "Your teacher shows it. You do not need to enter a name."
JOINING = "Joining the class …"
LEAVE = "Leave this class"
COMMIT = "Keep my answer"
UNTOUCHED = "Move the slider to choose."
UNREACHABLE = "The class cannot be reached at the moment. Your answers wait in this browser."
TEACHER_SETS_PACE = "Your teacher sets the pace: everyone sees this step."
TRY_IT = "Try it →"
NOT_SENT = "This answer stays on your page: it is not a question for the class."
ONLY_FIRST = "Only your first answer counts."

GUESS_MECHANISM = "Which mechanism is it?"
GUESS_EPSILON = "Which ε is nearest?"
GUESS = "This is my guess"
GUESS_MISSING = "Choose a mechanism, too: a guess is a mechanism and an ε."


def guessed_mechanism(right: bool) -> str:
    """How good a guess of the mechanism was, without the answer."""
    if right:
        return "**Right:** it is this mechanism."
    return "**Not this one.** Try a lonely word, a crowded word, and many draws."


def guessed_epsilon(close: str) -> str:
    """How close a guess of ε was, without the answer."""
    return {
        "far-below": "**Not close:** the true ε is more than twice your guess.",
        "below": "**Near:** the true ε is larger.",
        "close": f"**Close:** within a factor of {CLOSE:g} of the true ε.",
        "above": "**Near:** the true ε is smaller.",
        "far-above": "**Not close:** the true ε is less than half of your guess.",
    }[close]


def sent(live: LiveClass) -> str:
    """The sentence on an answer that was kept."""
    if live.epsilon is None:
        return "Counted, without a name. " + ONLY_FIRST
    return (
        f"Your browser tossed the coin, and only the noisy answer left this device. {ONLY_FIRST} "
        "The coin is not tossed again: several noisy answers together would reveal more than one."
    )


def bar(live: LiveClass, answers: int) -> str:
    """The class, and the ε that a student's answers have cost so far."""
    head = f"Class **{live.code}** · {counted(answers, 'answer')} so far"
    if live.epsilon is None:
        return (
            f"{head}. Answers of this class are **not** private: the server receives each answer "
            "as you choose it, without a name, and your teacher sees counts."
        )
    total = answers * live.epsilon
    return (
        f"{head}, ε = {number(total)} in total ({number(live.epsilon)} each, and they add up). A "
        "coin in your browser changes answers at random before they are sent. Only your browser "
        "knows the answers that you chose."
    )


def step_of_teacher(lesson: str, step: str) -> str:
    """The step that a teacher has opened for everyone."""
    return f"**Lesson {lesson} · {step}.** {TEACHER_SETS_PACE}"
