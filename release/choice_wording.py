"""The templates of the sentences on a choice, one for each case."""

from __future__ import annotations

# One template for each case: another language may order the parts in another way.
MOST_USE = {
    False: "It keeps more use than any other of these.",
    True: "It has the highest value of these.",
}
NEXT = {
    True: "The next larger ε, {epsilon}, also meets the demands and keeps more use.",
    False: "The next larger ε, {epsilon}, also meets the demands, but it is not shown to keep more "
    "use.",
}
LESS = {
    "less": "It meets the demands at ε = {epsilon} but keeps less use: the difference is {size}.",
    "more": (
        "It meets the demands at ε = {epsilon} and keeps more use, by {size}, but an adversary "
        "names more words."
    ),
    "may be less": (
        "It meets the demands at ε = {epsilon}. An adversary names {named} of the words instead of "
        "{instead}, but it may keep less use: the difference is {size}."
    ),
    "equal": (
        "It meets the demands at ε = {epsilon}. No difference in use is shown ({size}), "
        "and an adversary names {named} of the words instead of {instead}."
    ),
}
