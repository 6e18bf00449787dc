"""The templates of the sentences on a choice, one for each case."""

from __future__ import annotations

from release.demands import MEANINGS

NO_FLOOR = (
    "Nothing is recommended, since no privacy is demanded: the setting that changes nothing would "
    "be the most useful. Make at least one of these demands: {}."
).format(", ".join(each.title.lower() for each in MEANINGS.values() if each.privacy))

MADE_ON = (
    "The choice was made on {texts}, a packaged corpus, so it reveals nothing about the file. Its "
    "figures are about that corpus."
)
MADE_ON_THE_FILE = (
    "The choice depends on the file, and no promise covers this. It is one of {count} settings (ε "
    "from {grid}), so it reveals at most ln {count} = {nats:.2g} nats of information about the "
    "file. If it must reveal nothing about the file, make the choice on a packaged corpus of the "
    "same kind."
)

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
        "It meets the demands at ε = {epsilon}. An adversary names {named} of the words, against "
        "{instead} under the recommended setting, but it may keep less use: the difference is "
        "{size}."
    ),
    "equal": (
        "It meets the demands at ε = {epsilon}. No difference in use is shown ({size}), and an "
        "adversary names {named} of the words, against {instead} under the recommended setting."
    ),
}
