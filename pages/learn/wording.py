"""The words of the Learn page: what each lesson asks, finds and explains."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from measures.lessons import Hundred, RatioParts, Trial
from mechanisms.estimate import Estimate
from pages.shared import doors
from pages.shared.prose import number, percent, plain, times, without_marks
from release.grammar import counted, verb


class Lesson(NamedTuple):
    """What stands around a lesson: its short and full title, and what comes after."""

    short: str
    title: str
    discuss: str
    goes_on: tuple[str, str]
    """The page, and what one does there."""
    recap: str
    """What was learned, for the closing."""
    note: str
    """For the teacher."""


LESSONS = {
    0: Lesson(
        "Points",
        "Words are points: a dart, and a choice",
        "Which words would you put close together that the map does not? Who decides about "
        "closeness: the map, or the person whose words they are?",
        ("pages/neighbours/page.py", "See the words around any word"),
        "A word is a point, and its neighbours hide it. CMP throws a dart at the point and "
        "releases the nearest word; TEM draws a word, near ones with more weight.",
        "**Aim.** A word is a point, closeness is a distance, and a mechanism is chance over "
        "points. **Expect** that the dart “aims at” the neighbour: it does not know of one. "
        "**Then** let the class throw darts at *monday* and at *pizza*, and ask which of the two "
        "is hidden better at the same ε (lesson 3 comes back to it).",
    ),
    1: Lesson(
        "Deniability",
        "Who says that I said so? A coin, then a word",
        "A company collects words with this mechanism and publishes only how often each came out. "
        "Whom does it protect, whom does it not, and what can it still learn?",
        ("pages/perturb/page.py", "Make a whole sentence private"),
        "A *yes* from a coin, or a word from a mechanism, is evidence and no proof: the same "
        "answer could have come from someone else.",
        "**Aim.** Privacy is a property of how the answer was made, not of the answer. **Expect** "
        "predictions of 50 % (nothing learned) and 100 % (a confession): ask for the four cases of "
        "two coins first. **Then** let the class find an ε at which *yes* of the coin and the word "
        "tell equally much. The word is drawn by TEM; which mechanism it is does not matter yet.",
    ),
    2: Lesson(
        "Distance",
        "Near words hide each other, far words do not",
        "Name a sentence whose secret lies in a near word, and one whose secret lies in a far one. "
        "For which of them is word-level privacy the right tool?",
        ("pages/neighbours/page.py", "See the words around any word"),
        "ε is a rate: each unit of distance multiplies the odds by e^ε at most. Near words hide "
        "each other; far words, such as the topic, are not hidden.",
        "**Aim.** ε is a rate: each unit of distance multiplies the odds by e^ε. **Expect** "
        "“ε is the same, so the protection is”. The dots lie far below the line: a promise is an "
        "upper limit, and the mechanism may tell less. **Then** ask what an adversary learns who "
        "only wants the topic (that is the far word), and why ε cannot be compared between two "
        "embeddings: their units differ.",
    ),
    3: Lesson(
        "Noise or choice",
        "Noise against selection, in a crowd and alone",
        "Would you give lonely words more noise than crowded ones? What would happen to the "
        "promise e^(ε d), which knows nothing of crowds?",
        ("pages/gamma/page.py", "See how far TEM looks: its γ"),
        "The same noise hides a word in a crowd and leaves a lonely word standing; so does a "
        "choice by distance.",
        "**Aim.** CMP adds noise whose length does not know the word; TEM scores words by "
        "distance. Both leave lonely words standing. **Expect** “same noise, same protection”. "
        "**Then** let them find ε at which both keep the lonely word equally often, and see the "
        "crowded one. The two ε are not on one scale, so equal ε proves nothing.",
    ),
    4: Lesson(
        "Choosing ε",
        "Choosing ε: the worst word decides",
        "Whose word is the worst one? Is it fair, or lawful, to promise the average?",
        ("pages/deniability/page.py", "Choose ε by your own demands"),
        "An average over words hides the words that stay. The worst word decides about ε.",
        "**Aim.** A mean hides the words that stay. **Expect** guesses near the mean. **Then** let "
        "groups take different limits and draw limit against ε on the board. The hundred words are "
        "a sample: a worse word may lie outside of it, and the other page takes up to 300.",
    ),
    5: Lesson(
        "Promises",
        "Promises: which are kept, and how one finds out",
        "An app says “differentially private, ε = 1”. What would you ask its makers for, and what "
        "could you test without them?",
        ("pages/guarantees/page.py", "See which mechanisms keep theirs"),
        "A promise is kept only if there is a proof; one output that is impossible for one word "
        "and possible for another breaks it. Never returning the word does just that.",
        "**Aim.** A guarantee is a claim that one counterexample refutes and no number of draws "
        "proves. **Expect** “never the word itself: safest”. **Then** switch to the repaired "
        "variant and let them say which line of the algorithm changed: the input word is a "
        "candidate like any other, so the choice no longer looks at the input a second time.",
    ),
}

STEPS = {"predict": "① Predict", "try": "② Try", "check": "③ Check"}
VOCABULARY = (
    "All lessons use the 10,000 most frequent words of GloVe (50 dimensions), so that everyone has "
    "the same figures. Words you type stay in this session."
)
START_A_CLASS = "🧑‍🏫 Start a class: their predictions on one screen"
FOR_A_CLASS = (
    "“Share this screen” gives the link of this very step and its QR code. On *Private sentences* "
    "it can also lock the controls and hide ε or the mechanism, for guessing: a game among people "
    "who play along, since who wants to can unpack such a link."
)
# Of the vectors of all lessons.
DIMENSIONS = 50

COMMIT = "Keep my guess, and try it →"
TAKE_ALONG_HELP = "Takes your mechanism, ε, words and vocabulary along."
CLOSING = "What you know now, and where to go on"
DOORS = (
    *doors.DOORS[1:],
    (
        "pages/attacks/page.py",
        "🕵️ Attack a sentence",
        "See what an adversary recovers of a private sentence, from one version and from several.",
    ),
)
TO_CHECK = "Check what I know →"
RIGHT, WRONG = "**Right.**", "**Not yet.**"


class Passed(NamedTuple):
    """Checks of a lesson: right by now, right at the first answer, and how many there are."""

    right: int
    at_once: int
    total: int


def done(passed: Mapping[int, Passed]) -> str:
    """How many checks of each lesson are right, and how many were at the first answer."""
    parts = []
    for n, (right, at_once, total) in passed.items():
        mark = f"✓ {LESSONS[n].short}" if right == total else f"{LESSONS[n].short} {right}/{total}"
        parts.append(f"{mark} ({at_once} at once)" if right else mark)
    return "Checks passed (right at the first answer): " + " · ".join(parts)


def no_such_word(word: str) -> str:
    """A typed word that the vocabulary lacks."""
    if not word:
        return "Type a word, such as **doctor**."
    return f"**{plain(word)}** is not among the 10,000 words: try another one."


SAME_WORDS = "Choose two different words."


# ----------------------------------------------------------------------------------------- labels


def ratio(value: float | str) -> str:
    """An option that says how many times."""
    value = float(value)
    if math.isinf(value):
        return "any number of times"
    return f"{value:.3g} times" if value < 100 else times(math.log(value))


def chance(value: float | str) -> str:
    """An option that is a probability."""
    return percent(float(value))


def in_percent(share: float) -> str:
    """A share that was set in whole percent."""
    return f"{100 * share:.0f} %"


def length(value: float | str) -> str:
    """An option that is a distance."""
    return f"{float(value):.2g}"


def whole(value: float | str) -> str:
    """An option that is a number of words."""
    return f"{float(value):.0f}"


# ----------------------------------------------------------------------------- 1. a coin, a word

COIN_STORY = (
    "A teacher wants to know how many students have copied homework; nobody should have to "
    "confess. Each student tosses a coin, unseen. **Heads: answer truthfully. Tails: toss again, "
    "and say *yes* for heads, *no* for tails.**\n\nMia says *yes*. Before, you thought it 50:50 "
    "that she copied. **How sure are you now?**"
)
COIN_SLIDER = "How often the first coin asks for the truth, t, in %"
COIN_GUESS = "Chance that Mia copied, in %"


def sentence_with(word: str, text: str) -> str:
    """The text if it has the word, otherwise a sentence with it."""
    if word in re.findall(r"\w+", text.lower()):
        return text
    return f"The word that I typed was {word}."


def coin_groups(truth: float, yes: float, no: float, guess: str | None) -> str:
    """What the coin does, in natural numbers."""
    found = f" You guessed {guess} for two fair coins: it is 75 %." if guess else ""
    return (
        f"The first coin asks for the truth {in_percent(truth)} of the time (t); with the second "
        f"coin's luck {percent(yes)} of all answers are true. A *yes* is **{ratio(yes / no)}** as "
        f"likely from one who copied (t + (1 − t)/2 = {percent(yes)}) as from one who did not "
        f"((1 − t)/2 = {percent(no)}). From 50:50 it takes you to **{percent(yes / (yes + no))}**."
        + found
    )


def word_groups(word: str, other: str, stays: float, comes: float) -> str:
    """What a word does, in natural numbers."""
    return (
        f"The same with words: *{plain(word)}* comes out for {percent(stays)} of those who typed "
        f"it, and for {percent(comes)} of those who typed *{plain(other)}*. Seeing "
        f"*{plain(word)}* is evidence, **{times(_log_ratio(stays, comes))}** as likely from the "
        "one, and no proof: any word can come out for any other."
    )


def coin_question(truth: float) -> str:
    """Question 1.1."""
    return (
        f"With your coin (it asks for the truth {in_percent(truth)} of the time): how many times "
        "likelier is a *yes* from someone who copied than from someone who did not?"
    )


def coin_answer(chosen: str, truth: float) -> str:
    """Why an answer to 1.1 is right or wrong."""
    yes, no = (1 + truth) / 2, (1 - truth) / 2
    return {
        "right": f"{percent(yes)} against {percent(no)}: {yes:.3g} / {no:.3g} = {yes / no:.3g}.",
        "no_luck": f"{in_percent(truth)} / {percent(no)} forgets that one who copied also says "
        "*yes* when the first coin shows tails and the second heads. Add that to the numerator.",
        "nothing": f"Equally likely would mean that nothing is learned, but {percent(yes)} of the "
        f"answers are true: {in_percent(truth)} because the first coin asks for the truth, and "
        "half of the rest by luck.",
        "certain": f"A *yes* also comes from {percent(no)} of those who did not copy: it is no "
        "proof. That is the deniability.",
    }[chosen]


def word_question(word: str, other: str, stays: float, comes: float) -> str:
    """Question 1.2."""
    return (
        f"*{plain(word)}* came out. It does for {percent(stays)} of those who typed it, and for "
        f"{percent(comes)} of those who typed *{plain(other)}*. Before, both were equally likely. "
        f"How likely is it now that *{plain(word)}* was typed?"
    )


def word_answer(chosen: str, stays: float, comes: float) -> str:
    """Why an answer to 1.2 is right or wrong."""
    return {
        "right": f"As with the coin: {stays:.3g} / ({stays:.3g} + {comes:.3g}).",
        "forgot_the_other": f"{percent(stays)} is how often the word comes out once it was typed. "
        "Asked is the reverse: among all who see it come out, the share who typed it. Compare "
        "with those who typed the other word.",
        "nothing": "50 % was before. The two words do not give this output equally often, so it "
        "tells something.",
        "certain": f"The other word gives it too, in {percent(comes)} of cases: less than certain.",
    }[chosen]


# ------------------------------------------------------------------------------------ 2. distance

PAIR_STORY = (
    "A word is replaced by a random one, near words more often than far ones. You see what came "
    "out, and know the mechanism and its ε. **Which two words are harder to tell apart as the word "
    "that was typed?**"
)
PAIR_GUESSES = {
    "near": "doctor or physician",
    "far": "doctor or river",
    "same": "both alike: it is the same ε",
}


def odds_finding(
    word: str, near: tuple[str, float], far: tuple[str, float], epsilon: float, guess: str | None
) -> str:
    """What the figure of odds against distance shows."""
    told = f" You guessed: {guess}. The nearer pair is harder to tell apart." if guess else ""
    return (
        f"At ε = {number(epsilon)}, an output moves the odds of *{plain(word)}* against "
        f"*{plain(near[0])}* ({near[1]:.2f} apart) at most **{times(epsilon * near[1])}**, against "
        f"*{plain(far[0])}* ({far[1]:.2f} apart) at most **{times(epsilon * far[1])}**." + told
    )


HOW_TO_READ_ODDS = (
    "How to read this: to the right, other words by their distance d. Upwards, how far the most "
    "telling output moves the odds. The line is the promise e^(ε d), each unit of distance "
    "multiplying by e^ε; the dots are what TEM really tells, exact. **Protected: which of two near "
    "words it was. Not protected: which of two far ones, such as the topic.**"
)


def below_the_line(
    word: str, other: tuple[str, float], epsilon: float, parts: RatioParts, gamma: float
) -> str:
    """Why an output moves the odds of a far word less than is promised, with the numbers."""
    name, distance = other
    beyond = "" if distance <= gamma else f" (only up to γ = {number(gamma)})"
    return (
        f"**Why the dots lie below the line.** TEM's weight is e^(−ε d/2){beyond}: from the "
        f"weights alone, seeing *{plain(word)}* moves its odds against *{plain(name)}* by "
        f"{times(parts.weights)}. The other half of ε d is kept for the sum of all weights, which "
        f"differs between two inputs and is known only afterwards: here by "
        f"{_factor(parts.sums)}. Together that is {times(parts.log_ratio)}, of the "
        f"{times(epsilon * distance)} that are promised."
    ).replace("^(", r"\^(")


def _factor(log_factor: float) -> str:
    """A factor on either side of 1."""
    return f"a factor of {math.exp(log_factor):.3g}"


def cap_question(word: str, other: str, distance: float, epsilon: float) -> str:
    """Question 2.1."""
    return (
        f"*{plain(word)}* and *{plain(other)}* are {distance:.2f} apart, and ε = "
        f"{number(epsilon)}. By how much can an output move their odds, at most?"
    )


def cap_answer(chosen: str, distance: float, epsilon: float) -> str:
    """Why an answer to 2.1 is right or wrong."""
    power = f"e^({number(epsilon)} · {distance:.2f})"
    return {
        "right": f"{plain(power)} = {ratio(math.exp(epsilon * distance))}.",
        "no_distance": "e^ε is for words one unit apart; these are "
        f"{distance:.2f} units apart, and each unit multiplies by e^ε once more.",
        "no_exponent": f"{number(epsilon)} · {distance:.2f} is the exponent: the factors of all "
        "units multiply, they do not add up.",
        "nothing": "Once would mean that no output tells anything: that is so only for words at "
        "distance 0, or for ε = 0.",
    }[chosen]


def certainty_question(word: str, other: str, distance: float, epsilon: float) -> str:
    """Question 2.2."""
    cap = ratio(math.exp(epsilon * distance))
    return (
        f"An adversary thinks *{plain(word)}* and *{plain(other)}* equally likely, so odds of "
        f"1 : 1. An output moves these at most {cap}. How sure can the adversary become, at most?"
    )


def certainty_answer(chosen: str, distance: float, epsilon: float) -> str:
    """Why an answer to 2.2 is right or wrong."""
    cap = ratio(math.exp(epsilon * distance)).removesuffix(" times")
    return {
        "right": f"Odds of {cap} : 1 are a probability of {cap} / ({cap} + 1).",
        "one_less": f"1 − 1/{cap} takes the odds for one in {cap}. Odds of {cap} : 1 are {cap} "
        f"cases against 1, of {cap} + 1 in all.",
        "nothing": "50 % was before: the output can move the odds.",
        "certain": "Finite odds are never certainty. That is what a finite ε promises.",
    }[chosen]


def hidden_question(word: str) -> str:
    """Question 2.3."""
    return f"At this ε, from which word is *{plain(word)}* hardest to tell apart?"


def hidden_answer(right: bool, distances: Mapping[str, float], epsilon: float) -> str:
    """Why an answer to 2.3 is right or wrong."""
    caps = ", ".join(
        f"*{plain(word)}* {times(epsilon * distance)}" for word, distance in distances.items()
    )
    return f"The odds move at most: {caps}. " + (
        "The smallest distance hides best." if right else "Look for the smallest."
    )


# ---------------------------------------------------------------------- 3. noise against selection


def noise_story(crowded: str, lonely: str, near: float, far: float) -> str:
    """What is to be predicted of a crowded and a lonely word."""
    return (
        "CMP moves a word's point by random noise, of the same law for every word, and releases "
        f"the word nearest to where it lands. *{plain(crowded)}* has a neighbour at {near:.2f}, "
        f"*{plain(lonely)}* none nearer than {far:.2f}. **Which one is replaced more often?**"
    )


def noise_finding(
    words: tuple[str, str],
    nearest: tuple[float, float],
    mean_length: float,
    weights: tuple[float, float],
    guess: str | None,
) -> str:
    """What the four bars show, and why."""
    crowded, lonely = map(plain, words)
    told = f" You guessed: {plain(guess)}." if guess else ""
    return (
        f"**CMP**: the noise is **{mean_length:.2g}** long on average (the number of dimensions "
        f"over ε), whichever the word. Next to *{crowded}* a word waits at {nearest[0]:.2f}; next "
        f"to *{lonely}* at {nearest[1]:.2f} only. **TEM** has no noise: a word at distance d "
        "weighs e^(−ε d/2), the word itself 1. The nearest one weighs "
        f"{number(weights[0])} next to *{crowded}*, {number(weights[1])} next to *{lonely}*." + told
    )


def stays_finding(words: tuple[str, str], noise: Sequence[float], choice: Sequence[float]) -> str:
    """How often two words stay, by CMP and by TEM."""
    both = (
        f"{name} leaves *{plain(words[0])}* {percent(float(values[0]))} and *{plain(words[1])}* "
        f"{percent(float(values[1]))} of the time"
        for name, values in (("CMP", noise), ("TEM", choice))
    )
    return "; ".join(both) + "."


HOW_TO_READ_STAYS = (
    "How to read this: how often each word stays as it is, N_w. The lower the bar, the more often "
    "it is replaced. Lines on CMP's bars: 95 % intervals; TEM's are exact."
)


def length_question(epsilon: float) -> str:
    """Question 3.1."""
    return (
        f"CMP's noise is as long as the number of dimensions over ε, on average: "
        f"{DIMENSIONS}/{number(epsilon)} = {DIMENSIONS / epsilon:.2g}. You **halve ε**. How long "
        "is it now?"
    )


def length_answer(chosen: str, epsilon: float) -> str:
    """Why an answer to 3.1 is right or wrong."""
    return {
        "right": f"{DIMENSIONS} / {number(epsilon / 2)}: half the ε, twice the noise.",
        "same": "ε stands in the denominator: changing it changes the noise.",
        "half": "A smaller ε means more privacy, so more noise: ε stands in the denominator.",
        "no_dimensions": f"1/ε is the scale in one dimension; over all {DIMENSIONS} dimensions the "
        "noise is that many times as long.",
    }[chosen]


def replaced_question(words: tuple[str, str], tenth: tuple[float, float], epsilon: float) -> str:
    """Question 3.2."""
    return (
        f"Two new words: *{plain(words[0])}* has ten neighbours within {tenth[0]:.2f}, "
        f"*{plain(words[1])}* has its tenth at {tenth[1]:.2f}. Which one does CMP replace more "
        f"often at ε = {number(epsilon)}?"
    )


def replaced_answer(
    chosen: str, right: bool, words: tuple[str, str], unchanged: tuple[float, float]
) -> str:
    """Why an answer to 3.2 is right or wrong."""
    facts = (
        f"*{plain(words[0])}* stays {percent(unchanged[0])} of the time, *{plain(words[1])}* "
        f"{percent(unchanged[1])}. "
    )
    if right:
        return facts + "The noise is the same; what differs is how soon another word is nearer."
    if chosen == "same":
        return (
            facts + "The noise is alike, but not what it meets: in a crowd, other words are near."
        )
    return facts + "Noise of one length more easily reaches another word where words are close."


def preference_question(word: str, other: str, distance: float, epsilon: float) -> str:
    """Question 3.3."""
    return (
        f"TEM at ε = {number(epsilon)}: a word at distance d weighs e^(−ε d/2). How many times "
        f"likelier does *{plain(word)}* stay than become *{plain(other)}*, {distance:.2f} away?"
    )


def preference_answer(chosen: str, distance: float, epsilon: float) -> str:
    """Why an answer to 3.3 is right or wrong."""
    half = epsilon * distance / 2
    return {
        "right": f"1 / e^(−{half:.3g}) = e^{half:.3g}: the sum over all words cancels.",
        "no_half": "That is e^(ε d), the promise. TEM scores with ε d/2, since the sum over all "
        "words, which differs between two inputs, may take the other half.",
        "no_exponent": f"{half:.3g} is only the exponent: weights are powers of e, so "
        f"take e^{half:.3g}.",
        "nothing": "Both would be alike only at distance 0: the nearer, the heavier.",
    }[chosen].replace("^(", r"\^(")


# ----------------------------------------------------------------------------- 4. the worst word

WORST_STORY = (
    "A hundred words drawn at random go through CMP. ε is chosen so that a word stays as it is "
    "**50 % of the time, on average over the words**. **How often does the word that stays most "
    "stay?**"
)
WORST_GUESS = "The worst word stays … % of the time"


def worst_finding(words: Hundred, epsilon: float, limit: float, worst: str) -> str:
    """What the histogram shows."""
    breaking = words.breaking(epsilon, limit)
    what = "no word stays" if not breaking else f"**{breaking} of {len(words.word_ids)}** stay"
    return (
        f"At ε = {number(epsilon)} words stay **{percent(words.mean(epsilon))}** of "
        f"the time on average; the worst, *{plain(worst)}*, "
        f"**{percent(words.worst(epsilon)[1])}**. Above your limit of {in_percent(limit)}: "
        f"{what}."
    )


def half_finding(epsilon: float, stays: Estimate, worst: str, guess: str | None) -> str:
    """The answer to what was asked at first: the worst word at a mean of half, and the guess."""
    told = f" You guessed {guess}." if guess else ""
    return (
        f"**At a mean of 50 % the worst word, *{plain(worst)}*, stays "
        f"{percent(float(stays.value))} of the time** (ε = {epsilon:.3g}; "
        f"{percent(float(stays.low))} to {percent(float(stays.high))}, {stays.source}).{told}"
    )


def how_to_read_worst(words: Hundred) -> str:
    """How to read the histogram, and how exact it is."""
    return (
        "How to read this: each bar counts words by how often they stay, N_w. Followed along 500 "
        f"directions of noise; N_w of a word is known within ± {100 * words.error:.1f} points."
    )


def find_question(limit: float) -> str:
    """Question 4.1."""
    return (
        f"**No word at all may stay more than {in_percent(limit)} of the time.** Find the largest "
        "ε that keeps that, on this slider."
    )


def find_answer(
    words: Hundred, chosen: float, right: float | None, limit: float, worst: str
) -> str:
    """Why an answer to 4.1 is right or wrong."""
    if right is None:
        return "No ε on the slider does that: choose a higher limit in the second step."
    if chosen > right:
        broken = words.breaking(chosen, limit)
        return (
            f"At ε = {number(chosen)}, {counted(broken, 'word')} {verb(broken, 'stays', 'stay')} "
            f"more than "
            f"{in_percent(limit)} of the time, *{plain(worst)}* most: "
            f"{percent(words.worst(chosen)[1])}. The mean is not what was asked for. Go left."
        )
    if chosen < right:
        return (
            f"At ε = {number(chosen)} no word breaks the limit, but a larger ε does it too: "
            f"the worst word, *{plain(worst)}*, stays only "
            f"{percent(words.worst(chosen)[1])} of the time. Go right."
        )
    return (
        f"*{plain(worst)}* decides: it stays {percent(words.worst(chosen)[1])} of the time, and "
        f"one step further more than {in_percent(limit)}. On average words stay "
        f"{percent(words.mean(chosen))} of the time here."
    )


def breaking_question(words: Hundred, limit: float) -> str:
    """Question 4.2."""
    epsilon = words.most_on_average(limit)
    return (
        f"Someone is content with the *average*: at ε = {number(epsilon or 0)} words stay at most "
        f"{in_percent(limit)} of the time on average. How many of the "
        f"{len(words.word_ids)} words stay more often than that? (The slider helps.)"
    )


def breaking_answer(chosen: str, words: Hundred, limit: float) -> str:
    """Why an answer to 4.2 is right or wrong."""
    epsilon = words.most_on_average(limit) or 0.0
    count, worst = words.breaking(epsilon, limit), words.worst(epsilon)[1]
    return {
        "right": f"{counted(count, 'word')} {verb(count, 'stays', 'stay')} more than "
        f"{in_percent(limit)} of the time, the worst "
        f"{percent(worst)}: the average promises nothing to any of them.",
        "none": "If none were above, the average would be below: some words are under it, so "
        "others are over.",
        "below": f"That many stay at most {in_percent(limit)} of the time. Count the others.",
        "surely": f"That many stay more than {in_percent((1 + limit) / 2)} of the time: the limit "
        f"is {in_percent(limit)}.",
        "everywhere": "That many stay more often at the right end of the slider. Set it to this ε.",
    }[chosen]


# ---------------------------------------------------------------------------------- 5. promises


def promise_story(word: str) -> str:
    """What is to be predicted of Vickrey as published."""
    return (
        "A mechanism adds noise to a word's point, as CMP does, and then releases a near word "
        f"**but never the word itself**: whoever types *{plain(word)}* never sees *{plain(word)}* "
        "come out. In lessons 3 and 4 a word that often stays was hidden badly, so a word that "
        "never stays should be hidden best. **Compared with CMP, which can return the word, is "
        "that …**"
    )


PROMISE_GUESSES = {"more": "more private", "less": "less private", "same": "equally private"}


def promise_finding(found: Trial, word: str, other: str, name: str, guess: str | None) -> str:
    """What the two counts show against what is promised."""
    told = f" You guessed: {guess}." if guess else ""
    never = found.guarantee.holds is False and found.from_word == 0
    meaning = (
        f"Seeing *{plain(word)}* **rules out** that *{plain(word)}* was typed: here, never "
        "releasing a word betrays it. To stay too often is bad (lessons 3 and 4), and never to "
        "stay is worse: an output hides only if each word could have led to it about as often. "
        if never
        else f"Seeing *{plain(word)}* leaves both words possible. "
    )
    return (
        f"{name} promises that *{plain(word)}* comes out at most **e^(ε d) = "
        f"{ratio(found.promised)}** as often for the one word as for the other. {meaning}"
        f"These draws show a factor of at least **{number(found.at_least)}** (95 % confidence), "
        f"{found.from_other} against {found.from_word} of {found.draws:,}." + told
    ).replace("^(", r"\^(")


KEEPERS = "Which mechanisms keep theirs"


def keepers(kept: Iterable[str], broken: Iterable[str]) -> str:
    """Which mechanisms keep their promise, by what is known of each."""
    return (
        f"At ε = 1 (the last ones above their smallest ε). **Kept**: "
        f"{', '.join(kept)}. **Broken**: {', '.join(broken)}. A proof shows that a "
        "promise is kept; one output that is possible for one word and impossible for another "
        f"shows that it is broken. A kept promise can be weak: at ε = 1 it allows a factor of "
        f"{times(6.0)} for two words that are 6 apart."
    )


def impossible_question(word: str, other: str, name: str) -> str:
    """Question 5.1."""
    return (
        f"*{plain(word)}* came out of {name}. Which of *{plain(word)}* and *{plain(other)}* "
        "cannot have been typed?"
    )


def impossible_answer(chosen: str, found: Trial, word: str, other: str) -> str:
    """Why an answer to 5.1 is right or wrong."""
    counts = (
        f"Typed *{plain(word)}*: {found.from_word} of {found.draws:,} gave *{plain(word)}*; typed "
        f"*{plain(other)}*: {found.from_other} did. "
    )
    if found.guarantee.holds:
        return counts + "Both can give it: this mechanism keeps the input word as a candidate."
    if chosen == "word":
        return counts + "It is never a candidate for itself, so it was something else."
    return counts + "Which of the two never releases this word, by its rule?"


def needed_question(name: str, epsilon: float) -> str:
    """Question 5.2."""
    return (
        f"{name} promises ε = {number(epsilon)}. At which ε would "
        "Pr[out | one word] ≤ e^(ε d) · Pr[out | other word] be true of it?"
    ).replace("^(", r"\^(")


def needed_answer(chosen: str, found: Trial) -> str:
    """Why an answer to 5.2 is right or wrong."""
    if found.guarantee.holds:
        return {
            "own": "It keeps its promise: the choice looks at the noisy point only, and what is "
            "done with a private thing afterwards cannot make it less private.",
            "twice": "It needs no more than it promises: the choice looks at the noisy point only.",
            "none": "Both words give this output with positive probability, and the proof of CMP "
            "carries over: the choice looks at the noisy point only.",
        }[chosen]
    return {
        "none": "The one probability is 0, the other is not: any finite e^(ε d) times 0 is 0.",
        "own": "With 0 on the right-hand side, e^(ε d) · 0 = 0 is smaller than the left-hand side.",
        "twice": "Twice the exponent still multiplies 0.",
    }[chosen].replace("^(", r"\^(")


def proof_question(found: Trial, word: str) -> str:
    """Question 5.3."""
    return (
        f"*{plain(word)}* came out {found.from_other} times against {found.from_word}, of "
        f"{found.draws:,} draws each: a factor of at least {number(found.at_least)}, with 95 % "
        f"confidence. Promised are at most {number(found.promised)}. What do these draws show?"
    )


def proof_answer(chosen: str, found: Trial) -> str:
    """Why an answer to 5.3 is right or wrong."""
    facts = (
        f"The draws show a factor of at least {number(found.at_least)}; promised are at most "
        f"{number(found.promised)}. "
    )
    if found.at_least > found.promised:
        return facts + {
            "broken": f"0 of {found.draws:,} does not mean probability 0, but below "
            f"{percent(3.7 / found.draws)} with 97.5 % confidence: more than chance explains. The "
            "proof is the rule itself: the word is never a candidate.",
            "kept": "More than promised was seen.",
            "nothing": "More than promised was seen, beyond what chance explains.",
        }.get(chosen, "")
    return facts + {
        "broken": "Less than promised was seen: nothing speaks against it here.",
        "kept": "Other outputs, other words and rarer events were not looked at: draws refute, "
        "only a proof assures.",
        "nothing": "Draws can refute a promise. That it is kept takes a proof.",
    }.get(chosen, "")


IMPOSSIBLE_OPTIONS = {"neither": "neither: both are possible"}
NEEDED_OPTIONS = {"own": "the one promised", "twice": "twice that", "none": "at no finite ε"}
PROOF_OPTIONS = {
    "broken": "that the promise is broken",
    "kept": "that the promise is kept",
    "nothing": "neither of the two",
}


# -------------------------------------------------------------------------------------- hand-out


class Answered(NamedTuple):
    """A check as it was answered: the last question and answer, why, and the first answer."""

    question: str
    chosen: str
    right: bool
    why: str
    first: str
    first_right: bool


def handout(
    guesses: Mapping[int, str],
    findings: Mapping[int, list[str]],
    answers: Mapping[int, Mapping[str, Answered]],
) -> str:
    """The student's own figures, as Markdown to take along."""
    lines = ["# WordVeil: what I found out", "", without_marks(VOCABULARY), ""]
    for n, lesson in LESSONS.items():
        lines += [f"## {n}. {lesson.title}", ""]
        lines += [f"- My guess: {guesses[n]}"] if n in guesses else ["- No guess yet."]
        lines += [f"- {line}" for line in findings.get(n, [])]
        for answered in answers.get(n, {}).values():
            lines += [f"- Question: {answered.question}"]
            if answered.first != answered.chosen:
                lines += [f"  - My first answer: {answered.first} ({_mark(answered.first_right)})"]
            lines += [
                f"  - My answer: {answered.chosen} ({_mark(answered.right)})",
                f"  - {answered.why}",
            ]
        lines += [f"- To discuss: {lesson.discuss}", ""]
    return "\n".join(lines)


def _mark(right: bool) -> str:
    return "right" if right else "not yet right"


def _log_ratio(one: float, other: float) -> float:
    return math.inf if other == 0 else math.log(one / other)
