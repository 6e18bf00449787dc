"""The words of the Attacks page about models that learnt from private texts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from measures.attacks.membership import TEXTS
from measures.attacks.trials import Row
from pages.shared.prose import number, percent

MEMBERSHIP_INTRODUCTION = (
    "A model learns to tell good film reviews from bad ones, from **private** reviews. An attacker "
    "asks the finished model about **original** reviews and guesses from its answers alone which "
    "ones it learnt from. At an AUC of 0.5 that is a coin toss; at 1 every guess is right."
)


def membership_finding(rows: Sequence[Row]) -> str:
    """What is found without noise, and up to which ε each mechanism hides it."""
    accuracy, auc = (rows[0].measures[f"baseline_{m}"].value for m in ("accuracy", "auc"))
    sentence = (
        f"Without noise the model is right about {percent(accuracy)} of new reviews, and the "
        f"attack has an AUC of {auc:.2f}."
    )
    for name in dict.fromkeys(row.mechanism for row in rows):
        mine = sorted((row for row in rows if row.mechanism == name), key=lambda row: row.epsilon)
        hidden = list(takewhile(lambda row: row.measures["auc"].low <= 0.5, mine))
        if hidden:
            last = hidden[-1]
            sentence += (
                f" Under {name} the attack cannot be told from a coin toss up to ε = "
                f"{number(last.epsilon)}, and the model is right about "
                f"{percent(last.measures['accuracy'].value)}."
            )
    return sentence


MEMBERSHIP_HOW_TO_READ = (
    "How to read these: means over the trials with 95 % intervals; each trial has other reviews, "
    "noise and training. On the left higher is more useful, on the right lower is more private. "
    "Dashed: no noise at all. Open symbols: the numbers in the text of the TEM paper, at ε = 2; "
    "its Figure 1 shows more, without numbers. The model is the paper's, fastText, but learns "
    f"from {TEXTS // 4:,} reviews in 50 dimensions; theirs from 12,500 in 300. Compare the shape, "
    "not the height."
)


def price(rows: Sequence[Row]) -> str:
    """Two mechanisms at their own ε: about as useful, and about as much given away."""
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
        f"ε means different things for the two: {one.mechanism} at ε = {number(one.epsilon)} and "
        f"{other.mechanism} at ε = {number(other.epsilon)} are about as useful ({useful[0]} and "
        f"{useful[1]}), and give away about as much (AUC {found[0]} and {found[1]})."
    )


PRICE_HOW_TO_READ = (
    "How to read this: the same trials, each point a mechanism at the ε beside it. Lower and "
    "further right is better. At one ε the two mechanisms are far apart; as a bargain between "
    "usefulness and leakage, these intervals cannot tell them apart."
)


def logistic(rows: Sequence[Row]) -> str:
    """What a model that remembers little gives away."""
    measures = rows[0].measures
    accuracy, auc = measures["baseline_accuracy"], measures["baseline_auc"]
    return (
        "The choice of model matters as much as the noise: logistic regression on mean word "
        f"vectors, trained on the same reviews without noise, is right about "
        f"{percent(accuracy.value)}, and the same attack on it has an AUC of {auc.value:.2f} "
        f"({auc.low:.2f} to {auc.high:.2f})."
    )


AUDIT_INTRODUCTION = (
    "Now an auditor looks at all texts of one person together, and asks: did the model learn from "
    "them? Here a model that predicts the next word learnt from the private texts of 100 people; "
    "the auditor is shown them and 100 others. The *plain* auditor has only practised on models "
    "without noise; the CMP paper mentions no other auditor. The *adaptive* auditor knows the "
    "mechanism, and has practised on models that learnt from texts made private by it."
)


def audit_finding(rows: Sequence[Row], mechanism: str) -> str:
    """Where the plain auditor finds next to nobody, and the adaptive one finds most."""
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
        f"At ε = {number(epsilon)} of {mechanism} the plain auditor names "
        f"{100 * plain[epsilon]['recall'].value:.0f} of the 100 people, and the adaptive one "
        f"{100 * adaptive[epsilon]['recall'].value:.0f}. A failed attack may only mean that the "
        "attacker did not know the mechanism."
    )


AUDIT_HOW_TO_READ = (
    "How to read these: left, how many of the people whose texts were used are named (recall); "
    "right, how well the auditor ranks them before the others (AUC; 0.5 is guessing). Means over "
    "the trials with 95 % intervals. If the plain auditor names nobody although its AUC is far "
    "above 0.5, only its threshold is wrong for noisy models. If the adaptive auditor's AUC is "
    "0.5, it names people at random, as often wrongly as rightly. If all trials agree to the last "
    "digit, no interval is drawn."
)

AUDIT_DIFFERENCE = (
    "The paper's users come from search logs, which cannot be packaged; its model generates text. "
    "A *person* here is one long film review, cut into texts of three words, at least 150 of them, "
    "and the model counts pairs of words. A review is about one film, so its words reveal more "
    "than years of searches would. The paper's ε is for 300 dimensions, ours for 50."
)

TABLE_OURS = "Ours, {mechanism}, {way} auditor (precision is 0 if nobody is named)"
TABLE_PRINTED = "Printed in the CMP paper (Table 3), search logs, GloVe in 300 dimensions"
