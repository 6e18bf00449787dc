"""The words of the Teach page."""

from __future__ import annotations

from pages.shared.lessons import LESSONS, STEPS
from pages.shared.live import rounds
from pages.shared.live.questions import Asked
from pages.shared.live.store import Board
from pages.shared.prose import number
from pages.teach.board import Found, Mistake
from release.grammar import counted, verb

INTRODUCTION = (
    "Start a class, and students join with a code, without a name. This page shows how many have "
    "joined and, when you say so, their answers: counts only, for the projector. At the end "
    "everything is deleted."
)
PRIVATE = "Private answers"
PRIVATE_HELP = (
    "Each student's browser tosses a coin before an answer leaves the device (k-ary randomised "
    "response). The board shows the noisy counts and an estimate that undoes the noise for the "
    "class, not for a student. If this is off, the server receives each answer as it is chosen, "
    "without a name."
)
EPSILON = "ε of one answer"
EPSILON_HELP = "A larger ε: better estimates, and less doubt about what a student answered."
START = "Start a class"
PACE = "Everyone sees"
OWN_PACE = "each their own step"
ROUND_HELP = (
    "A mechanism and an ε are drawn at random, and everyone sees sentences from them on Learn. The "
    "board shows the guesses, and the right answer when you press the button for it."
)
QUESTION = "Question on the board"
SHOW = "Show the answers"
SHOW_RIGHT = "Show the right answer"
HIDE = "Hide again"
END = "End the class"
END_SURE = "All answers are deleted at once. The summary stays on this page until you leave it."
END_NOW = "End it now"
SUMMARY = "⬇️ Summary (counts only, printable)"
NOT_YET = "No answer yet."
ENDED = "The class has ended, and all its answers are deleted."
NO_DEVICE = (
    "**Other devices cannot reach this server.** It listens at 127.0.0.1 alone. Start it with "
    "`--server.address 0.0.0.0`, or open this page by the address of your proxy."
)
NO_NETWORK = (
    "**Other devices cannot reach this server:** this machine has no address in a network. Connect "
    "it, and reload the page."
)
WHICH_ADDRESS = "Address for the class"
LINK_HELP = (
    "Try it once on a telephone in the same network: a firewall, or a guest network that separates "
    "devices, may still be in the way."
)
UNREACHABLE = "The data of the class cannot be read at the moment. This page keeps trying."


def there(board: Board) -> str:
    """How many students are there."""
    return f"**{board.present}** here now, {counted(board.joined, 'student')} joined"


def received(about: Found, joined: int) -> str:
    """The number of students who have answered, which is shown from the start."""
    return f"**{about.count} of {joined}** have answered."


def rule(about: Found) -> str:
    """The coin of the class in numbers, and the error of an estimate."""
    coin = about.coin
    if coin.epsilon is None:
        return "These are the answers as they were chosen: this class is not private."
    p, q = coin.true_probability, coin.other_probability
    n = about.count
    text = (
        f"Each browser sends the chosen answer with probability {100 * p:.1f} %, and each of the "
        f"{counted(coin.options - 1, 'other one')} with {100 * q:.1f} %: a factor of "
        f"e^ε = {p / q:.3g} at most between any two students' answers. "
    ).replace("^", r"\^")
    if not n:
        return text
    wide = coin.spread(n / coin.options, n)
    text += (
        f"With {counted(n, 'answer')}, an estimate is typically off by **{wide:.1f} students** "
        f"(one standard deviation, if answers are spread evenly), {100 * wide / n:.0f} % of the "
        "answers. "
    )
    if wide / n > 0.12:
        text += (
            "That is poor: the noise grows with the square root of the class size, more slowly "
            f"than the class. With {counted(4 * n, 'answer')}, the percentage would be half."
        )
    else:
        text += "The noise averages out over many students; no single answer becomes better known."
    return text


def estimates(asked: Asked, about: Found) -> str:
    """The estimates in words, for a screen reader too."""
    labels = list(asked.options.values())
    if about.estimated is None:
        return "; ".join(
            f"{label}: {count}" for label, count in zip(labels, about.received, strict=True)
        )
    return "; ".join(
        f"{label}: {count} received, about {value:.1f} ({low:.0f} to {high:.0f})"
        for label, count, value, low, high in zip(
            labels,
            about.received,
            about.estimated.within,
            about.estimated.low,
            about.estimated.high,
            strict=True,
        )
    )


HOW_TO_READ = (
    "How to read this: grey bars are the answers that the server received, with the noise. "
    "Coloured bars are the estimates for the class. The lines are 95 % intervals, each computed "
    "separately. An estimate outside its interval (below 0, for example) is moved to the end of "
    "the interval."
)


def right_answer(asked: Asked, right: str) -> str:
    """The right option."""
    return f"**Right: {asked.options[right]}.**"


def mistake(asked: Asked, common: Mistake | None) -> str:
    """The commonest mistake, and the comment on it."""
    if common is None:
        return "No wrong answer is much commoner than the others."
    label = asked.options[common.name]
    lead = (
        f"**Commonest mistake: {label}.**"
        if common.sure
        else f"**Commonest mistake, as far as these counts show: {label}** (another one may be as "
        "common)."
    )
    return f"{lead} {asked.mistakes.get(common.name, '')}"


def pace(step: str) -> str:
    """A step as the teacher chooses it."""
    if not step:
        return OWN_PACE
    if step == rounds.PACE:
        return "Guess the mechanism"
    lesson, _, name = step.partition(".")
    return f"Lesson {lesson} · {LESSONS[int(lesson)].short} · {STEPS[name]}"


def question(asked: Asked | None) -> str:
    """A question as the teacher chooses it."""
    if asked is None:
        return ""
    if asked.lesson < 0:
        return f"Guessing · {asked.title}"
    return f"Lesson {asked.lesson} · {asked.title}"


def class_private(board: Board) -> str:
    """Whether answers are private, and the ε that a student has spent at most."""
    epsilon = board.live.epsilon
    if epsilon is None:
        return "Answers are **not** private in this class."
    asked = len(board.counts)
    return (
        f"Private answers, ε = {number(epsilon)} each. {counted(asked, 'question')} "
        f"{verb(asked, 'was', 'were')} answered so far: ε = {number(asked * epsilon)} for a "
        "student who answered all of them. Anyone with access to the server's memory and disk "
        "sees noisy answers only, since the coin is tossed in the browsers."
    )


def another_round(played: int) -> str:
    """The button that begins a round of the guessing game."""
    return "🎭 Guess the mechanism" if not played else "🎭 Guess the mechanism: another round"


def entrance(code: str) -> str:
    """The title of the panel with the link."""
    return f"Join: WordVeil, Learn, code {code}"
