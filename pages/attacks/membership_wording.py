"""The words of the Attacks page about models that learnt from private texts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from measures.attacks.authorship import LEAST, PEOPLE, WORDS
from measures.attacks.membership import TEXTS
from measures.attacks.trials import Row
from pages.shared.prose import number, percent

MEMBERSHIP_INTRODUCTION = (
    "A model is trained on **private** film reviews to tell good reviews from bad ones. Then an "
    "attacker asks the model about **original** reviews, and guesses from its answers alone which "
    "of them were used for training. The AUC is the chance that the attacker ranks a review that "
    "was used above one that was not: 0.5 is no better than guessing, 1 is perfect."
)


def membership_finding(rows: Sequence[Row]) -> str:
    """What is found without noise, and up to which ε the trials show no success of the attack."""
    accuracy, auc = (rows[0].measures[f"baseline_{m}"].value for m in ("accuracy", "auc"))
    said = [
        f"Without noise, the model classifies {percent(accuracy)} of new reviews correctly, and "
        f"the attack has an AUC of {auc:.2f}."
    ]
    for name in dict.fromkeys(row.mechanism for row in rows):
        mine = sorted((row for row in rows if row.mechanism == name), key=lambda row: row.epsilon)
        hidden = list(takewhile(lambda row: row.measures["auc"].low <= 0.5, mine))
        if hidden:
            last = hidden[-1]
            said.append(
                f"Under {name}, these trials do not show that the attack is better than guessing "
                f"for ε up to {number(last.epsilon)}, at which the model classifies "
                f"{percent(last.measures['accuracy'].value)} correctly."
            )
    return " ".join(said)


MEMBERSHIP_HOW_TO_READ = (
    "How to read these: the points are means over trials, with 95 % intervals. Each trial has "
    "different reviews, noise and training. In the left figure higher is more useful; in the right "
    "figure lower means that the attack finds less. Dashed lines are without noise. Open symbols "
    "are the numbers in the text of the TEM paper, at ε = 2; its Figure 1 shows more, without "
    f"numbers. The model is fastText, as in the paper, but it learns from {TEXTS // 4:,} reviews "
    "in 50 dimensions; the paper's learns from 12,500 in 300. Compare the shape, not the height."
)


def price(rows: Sequence[Row]) -> str:
    """The two mechanisms at the two ε at which they are closest in usefulness."""
    between = [
        row
        for row in rows
        if row.measures["auc"].low > 0.5
        and row.measures["accuracy"].high < row.measures["baseline_accuracy"].value
    ]
    pairs = [(a, b) for a in between for b in between if a.mechanism < b.mechanism]
    if not pairs:
        return ""
    one, other = min(
        pairs,
        key=lambda p: abs(p[0].measures["accuracy"].value - p[1].measures["accuracy"].value),
    )
    useful = [percent(row.measures["accuracy"].value) for row in (one, other)]
    found = [f"{row.measures['auc'].value:.2f}" for row in (one, other)]
    return (
        "ε has a different meaning for each mechanism. Of the settings at which the noise costs "
        "accuracy and the attack still beats guessing, these two are closest in usefulness: "
        f"{one.mechanism} (ε = {number(one.epsilon)}) and {other.mechanism} "
        f"(ε = {number(other.epsilon)}) classify {useful[0]} and {useful[1]} of new reviews "
        f"correctly; the AUC of the attack is {found[0]} and {found[1]}."
    )


PRICE_HOW_TO_READ = (
    "How to read this: these are the same trials; each point is a mechanism at the ε beside it. "
    "Points further right are more useful, and at lower points the attack finds less. Compare the "
    "mechanisms at equal usefulness, not at equal ε."
)


def logistic(rows: Sequence[Row]) -> str:
    """How much a model that remembers little reveals."""
    measures = rows[0].measures
    accuracy, auc = measures["baseline_accuracy"], measures["baseline_auc"]
    return (
        "The choice of the model matters too. Logistic regression on mean word vectors, trained on "
        f"the same reviews without noise, classifies {percent(accuracy.value)} of new reviews "
        f"correctly. The same attack on it has an AUC of {auc.value:.2f} ({auc.low:.2f} to "
        f"{auc.high:.2f})."
    )


AUDIT_INTRODUCTION = (
    "Now an auditor looks at all texts of one person together, and asks whether a model learnt "
    f"from them. The model predicts the next word, and learnt from the private texts of {PEOPLE} "
    f"people. The auditor sees the texts of these people and of {PEOPLE} others. The *plain* "
    "auditor has only practised on models without noise; the CMP paper mentions no other auditor. "
    "The *adaptive* auditor knows the mechanism, and has practised on models that learnt from "
    "texts made private by it."
)


def audit_finding(rows: Sequence[Row], mechanism: str) -> str:
    """What both auditors find at the largest ε at which the plain one finds next to nobody."""
    by_way = {
        way: {r.epsilon: r.measures for r in rows if (r.mechanism, r.way) == (mechanism, way)}
        for way in ("plain", "adaptive")
    }
    plain, adaptive = by_way["plain"], by_way["adaptive"]
    fooled = [e for e in plain if plain[e]["recall"].value < 0.01]
    if not fooled:
        return ""
    epsilon = max(fooled)
    return (
        f"Under {mechanism} at ε = {number(epsilon)}, the plain auditor names on average "
        f"{PEOPLE * plain[epsilon]['recall'].value:.0f} of the {PEOPLE} people whose texts were "
        f"used, and the adaptive auditor {PEOPLE * adaptive[epsilon]['recall'].value:.0f}. So an "
        "attack can fail merely because the attacker does not know the mechanism."
    )


AUDIT_HOW_TO_READ = (
    "How to read these: of the people whose texts were used, the left figure shows the share that "
    "the auditor names (recall). The right figure shows how well the auditor ranks them above the "
    "others (AUC; 0.5 is guessing). Points are means over the trials, with 95 % intervals. If the "
    "plain auditor names nobody although its AUC is far above 0.5, its threshold does not fit "
    "noisy models. If an auditor's AUC is 0.5, the people it names are no better than guesses. If "
    "all trials agree to the last digit, no interval is drawn."
)

AUDIT_DIFFERENCE = (
    "The paper's users come from search logs, which cannot be packaged, and its model generates "
    f"text. Here a *person* is one long film review, cut into at least {LEAST} texts of "
    f"{WORDS} words, and the model counts pairs of words. A review is about one film, so its words "
    "may reveal more than years of searches. The paper's ε is for 300 dimensions, ours for 50."
)

TABLE_OURS = "Ours, {mechanism}, {way} auditor (precision is 0 if nobody is named)"
TABLE_PRINTED = "Printed in the CMP paper (Table 3), search logs, GloVe in 300 dimensions"
