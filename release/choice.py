"""From demands and evidence to a recommendation, its reasons, and what was refused.

Among the settings that meet every demand the one that keeps most use ranks first: accuracy, if
there are labels, otherwise similarity. Another is its equal if the interval of their paired
difference (95 %, Bonferroni over all settings that meet the demands) holds 0 and ends at `EQUAL` or
below: the texts do not show that it keeps less, and are enough to show that it does not keep much
less. With few texts, where an interval holds nearly everything, nothing is an equal. Among equals
the one whose words are named least is recommended. Without a privacy demand nothing is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from measures.own_texts.usefulness import difference
from mechanisms.estimate import Estimate
from release.candidates import GRID, Refusal
from release.choice_row import choice_row
from release.choice_wording import LESS, MADE_ON, MADE_ON_THE_FILE, MOST_USE, NEXT, NO_FLOOR
from release.demands import MEANINGS, THE_FILE, Demands, Key, sentence, shown
from release.evidence import Scope, Setting
from release.grammar import counted, verb

EQUAL = 0.05
"""How much less use an equal may keep, at most: a share of the texts, or of a cosine."""


class Refused(NamedTuple):
    """A mechanism that is not recommended, and why."""

    name: str
    setting: Setting | None
    """The ε at which it comes nearest to the demands; None if it was not tried."""
    key: Key | None
    """The demand that rules it out; None if it meets them all, or was not tried."""
    reason: str


class Binding(NamedTuple):
    """A demand that would have to be relaxed, if it alone was, and how far."""

    key: Key
    needed: float
    """The value at which some setting meets it and all others."""
    setting: Setting


@dataclass(frozen=True, eq=False)
class Choice:
    """A complete table of one stage, and what follows from the demands."""

    demands: Demands
    settings: tuple[Setting, ...]
    """Every mechanism at every ε."""
    scope: Scope
    untried: tuple[Refusal, ...] = ()
    constant_guess: float | None = None
    """The share of the accuracy that naming the commonest label for every text keeps."""
    seed: int = 0
    made_on: str = ""
    """The packaged corpus that was measured in place of the file; empty for the file itself."""
    tried: int = 0
    """Settings that were tried, also those that the file's words had refused: a number that depends
    on no file. 0: as many as there are."""

    @property
    def made(self) -> dict[Key, float]:
        """The demands that can be judged: that on accuracy needs labels."""
        found = self.demands.made()
        if not self.has_labels:
            found.pop("keep_accuracy", None)
        return found

    @property
    def texts(self) -> str:
        """The name of the texts that were measured, inside a sentence."""
        return f"a sample of {self.made_on}" if self.made_on else THE_FILE

    @property
    def demanded(self) -> list[str]:
        """The demands that can be judged, as sentences."""
        return [sentence(key, value, self.texts) for key, value in self.made.items()]

    @property
    def has_labels(self) -> bool:
        """Whether accuracy was measured."""
        return any(setting.accuracy is not None for setting in self.settings)

    @property
    def log_settings(self) -> float:
        """ln of the number of settings: at most so many nats of the file are revealed."""
        return math.log(self.count)

    @property
    def among(self) -> int | None:
        """How many settings could have been chosen by looking at the file; None if it was not."""
        return None if self.made_on else self.count

    @property
    def count(self) -> int:
        """How many settings could have been chosen."""
        return self.tried or len(self.settings)

    def meets(self, setting: Setting, without: Key | None = None) -> bool:
        """Whether a setting meets every demand, or all but one."""
        return all(
            setting.margin(key, demanded) >= 0
            for key, demanded in self.made.items()
            if key != without
        )

    def worst_key(self, setting: Setting) -> Key | None:
        """The demand that a setting misses by most; None if it meets all."""
        margins = {key: setting.margin(key, demanded) for key, demanded in self.made.items()}
        if not margins:
            return None
        key = min(margins, key=lambda each: margins[each])
        return key if margins[key] < 0 else None

    @cached_property
    def meeting(self) -> tuple[Setting, ...]:
        """The settings that meet every demand, most use first."""
        return tuple(sorted(filter(self.meets, self.settings), key=self.use, reverse=True))

    def use(self, setting: Setting) -> float:
        """The use of a setting: the share of accuracy kept, or similarity."""
        if setting.accuracy is not None:
            return float(setting.accuracy.share.value)
        return float(setting.similarity.value)

    @property
    def optimised(self) -> str:
        """The name of the use that is optimised."""
        return "accuracy kept" if self.has_labels else "similarity"

    def compared(self, one: Setting, other: Setting, comparisons: int = 1) -> Estimate:
        """The paired difference of their use: one - other, over the same texts."""
        if one.right is not None and other.right is not None:
            return difference(one.right, other.right, comparisons)
        return difference(one.similarities, other.similarities, comparisons)

    @cached_property
    def equals(self) -> tuple[Setting, ...]:
        """The setting that keeps most use, and those that are shown to keep as much."""
        if not self.meeting:
            return ()
        return (self.meeting[0], *(s for s, gap in self._gaps if gap.low <= 0 <= EQUAL - gap.high))

    @cached_property
    def _gaps(self) -> list[tuple[Setting, Estimate]]:
        """By how much each other setting that meets the demands keeps less than the first."""
        best, others = self.meeting[0], self.meeting[1:]
        return [(other, self.compared(best, other, len(others))) for other in others]

    @property
    def unclear(self) -> int:
        """How many settings may keep as much as the first, on too few texts to be its equals."""
        return sum(bool(gap.low <= 0 and gap.high > EQUAL) for _, gap in self._gaps)

    @cached_property
    def recommended(self) -> Setting | None:
        """The recommended setting; None without a privacy demand, or if none meets the demands."""
        if not self.demands.has_privacy_floor or not self.equals:
            return None
        return min(
            self.equals, key=lambda s: (float(s.named.value), float(s.unchanged.value), s.title)
        )

    # ------------------------------------------------------------------------------- the reasons

    @property
    def reasons(self) -> tuple[str, ...]:
        """Three sentences for the recommendation, or why there is none."""
        setting = self.recommended
        if setting is None:
            if not self.demands.has_privacy_floor:
                return (NO_FLOOR,)
            return self._nothing_meets()
        return self._use_sentence(setting), self._privacy_sentence(setting), self._next(setting)

    def _use_sentence(self, setting: Setting) -> str:
        if setting.accuracy is not None:
            share = setting.accuracy.share.percent
            said = [
                f"{setting.title} keeps {share.value:.0f} % of a classifier's accuracy "
                f"({share.low:.0f} to {share.high:.0f} %)."
            ]
        else:
            found = setting.similarity
            said = [
                f"{setting.title} keeps a similarity of {found.value:.2f} ({found.low:.2f} to "
                f"{found.high:.2f})."
            ]
        settings = counted(len(self.settings), "setting")
        if len(self.meeting) == 1:
            said.append(f"It is the only one of {settings} that meets every demand.")
            return " ".join(said)
        said.append(f"{len(self.meeting)} of {settings} meet every demand.")
        if len(self.equals) > 1:
            said.append(
                f"{len(self.equals)} of these keep the same use to within {self.tolerance}; of "
                "them, it lets an adversary name the fewest words."
            )
        else:
            said.append(MOST_USE[self.unclear > 0])
        if self.unclear:
            said.append(
                f"{counted(self.unclear, 'other setting')} may keep as much use, but these texts "
                f"cannot show it to within {self.tolerance}."
            )
        return " ".join(said)

    @property
    def tolerance(self) -> str:
        """How much less an equal may keep, in words."""
        return f"{100 * EQUAL:.0f} points of accuracy" if self.has_labels else f"{EQUAL:g}"

    def _privacy_sentence(self, setting: Setting) -> str:
        worst, named = setting.unchanged.percent, setting.named.percent
        exact = setting.unchanged.source.is_exact
        words, every = self.scope.law_words if exact else self.scope.words, self.scope.of_words
        known = counted(every, "distinct known word")
        limit = f"{worst.high:.3g} % ({'exact' if exact else 'upper end of the 95 % interval'})"
        said = [
            f"{words:,} of {known} of {self.texts} {verb(words, 'was', 'were')} looked at. None "
            f"is unchanged with a probability above {limit}."
        ]
        if setting.named_exact:
            said += [
                f"An adversary that knows only the word frequencies of {self.texts} names on "
                f"average at most {named.value:.3g} % of the words looked at.",
                "An adversary that also reads the words around each word was tried, and named "
                f"{setting.named_by_neighbours.percent.value:.3g} %; a better one may name more.",
            ]
        else:
            said.append(
                f"Two adversaries were tried. The better one named {named.value:.3g} % of the "
                f"words that it attacked ({named.low:.3g} to {named.high:.3g} %); another one may "
                "name more."
            )
        return " ".join(said)

    def _next(self, setting: Setting) -> str:
        """The sentence on the next larger ε."""
        above = [
            s
            for s in self.settings
            if s.name == setting.name and s.mechanism.epsilon > setting.mechanism.epsilon
        ]
        if not above:
            return f"This is the largest ε that was tried for {setting.name}."
        later = min(above, key=lambda s: s.mechanism.epsilon)
        key = self.worst_key(later)
        if key is None:
            gain = self.compared(later, setting)
            return NEXT[gain.low > 0].format(epsilon=f"{later.mechanism.epsilon:g}")
        return (
            f"The next larger ε, {later.mechanism.epsilon:g}, is ruled out: "
            f"{self.missed(later, key)}"
        )

    def missed(self, setting: Setting, key: Key) -> str:
        """The clause on how a setting misses a demand: it follows a colon and ends a sentence."""
        meaning, demanded = MEANINGS[key], self.made[key]
        found = setting.value(key)
        assert found is not None
        judged = float(found.high if meaning.privacy else found.value)
        if math.isinf(judged):
            return "it has no promise that bounds the odds of any two words."
        relation = "at most" if meaning.at_most else "at least"
        return (
            f"{meaning.title.lower()} is {shown(key, judged)}, but you demand {relation} "
            f"{shown(key, demanded)}."
        )

    # -------------------------------------------------------------------------- what was refused

    def nearest(self, name: str) -> Setting:
        """The ε of a mechanism that comes nearest to meeting all demands; of several, most use."""
        mine = [setting for setting in self.settings if setting.name == name]

        def nearness(setting: Setting) -> tuple[float, float]:
            margins = [setting.margin(key, demanded) for key, demanded in self.made.items()]
            return min([0.0, *margins]), self.use(setting)

        return max(mine, key=nearness)

    @property
    def refused(self) -> list[Refused]:
        """Every other mechanism: the demand that rules it out, or what it keeps less of."""
        chosen = self.recommended
        found = []
        for name in dict.fromkeys(setting.name for setting in self.settings):
            if chosen is not None and name == chosen.name:
                continue
            setting = self.nearest(name)
            key = self.worst_key(setting)
            if key is not None:
                at = f"ε = {setting.mechanism.epsilon:g}"
                reason = f"No ε tried meets all demands. At the nearest, {at}, " \
                    f"{self.missed(setting, key)}"  # fmt: skip
            elif chosen is None:
                reason = "It meets the demands."
            else:
                reason = self._less(setting, chosen)
            found.append(Refused(name, setting, key, reason))
        untried = [Refused(each.name, None, None, each.reason) for each in self.untried]
        return found + untried

    def _less(self, setting: Setting, chosen: Setting) -> str:
        gap = self.compared(chosen, setting)
        if setting.right is not None:
            size = (
                f"{100 * gap.value:.2g} points of accuracy ({100 * gap.low:.2g} to "
                f"{100 * gap.high:.2g})"
            )
        else:
            size = f"{gap.value:.2g} ({gap.low:.2g} to {gap.high:.2g})"
        if gap.low > 0:
            case = "less"
        elif gap.high < 0:
            case, size = "more", size.replace("-", "")
        else:
            case = "may be less" if setting.named.value < chosen.named.value else "equal"
        return LESS[case].format(
            epsilon=f"{setting.mechanism.epsilon:g}",
            size=size,
            named=f"{setting.named.percent.value:.3g} %",
            instead=f"{chosen.named.percent.value:.3g} %",
        )

    @property
    def binding(self) -> list[Binding]:
        """The demands that would have to be relaxed, each alone, if nothing meets all of them."""
        found = []
        for key in self.made:
            rest = [s for s in self.settings if self.meets(s, without=key)]
            values = []
            for setting in rest:
                interval = setting.value(key)
                if interval is not None:
                    judged = float(interval.high if MEANINGS[key].privacy else interval.value)
                    if math.isfinite(judged):
                        values.append((judged, setting))
            if values:
                pick = min if MEANINGS[key].at_most else max
                needed, setting = pick(values, key=lambda pair: pair[0])
                found.append(Binding(key, needed, setting))
        return found

    def _nothing_meets(self) -> tuple[str, ...]:
        said = [f"None of the {counted(len(self.settings), 'setting')} meets every demand."]
        for binding in self.binding:
            meaning = MEANINGS[binding.key]
            said.append(
                f"With all other demands kept, {meaning.title.lower()} would have to be "
                f"{'at most' if meaning.at_most else 'at least'} "
                f"{shown(binding.key, binding.needed)} instead of "
                f"{shown(binding.key, self.made[binding.key])} ({binding.setting.title})."
            )
        if len(said) == 1 and self.settings:
            names = {setting.name for setting in self.settings}
            closest = max(
                map(self.nearest, sorted(names)),
                key=lambda s: min(s.margin(key, value) for key, value in self.made.items()),
            )
            key = self.worst_key(closest)
            assert key is not None
            said.append(
                f"Relaxing one demand is not enough; {closest.title} comes nearest: "
                f"{self.missed(closest, key)}"
            )
        return tuple(said)

    # ------------------------------------------------------------------------------------- notes

    @property
    def notes(self) -> list[str]:
        """The sentences that a reader needs to judge the recommendation."""
        said = [self.scope.sentence, self.file_sentence]
        if self.constant_guess is not None:
            said.append(
                "A classifier that always names the commonest label keeps "
                f"{100 * self.constant_guess:.0f} % of the accuracy on the original texts. Only "
                "accuracy above that shows that the private texts are of use."
            )
        if self.demands.keep_accuracy is not None and not self.has_labels:
            said.append("There are no labels, so accuracy is neither measured nor demanded.")
        said.append(
            "The draws that were measured are repeatable and are not released. Privacy is judged "
            "by the worse end of its interval, use by its value."
        )
        return said

    @property
    def file_sentence(self) -> str:
        """The sentence on what the choice itself reveals about the file."""
        if self.made_on:
            return MADE_ON.format(texts=self.texts)
        return MADE_ON_THE_FILE.format(count=self.count, grid=GRID, nats=self.log_settings)

    def rows(self) -> list[dict[str, Any]]:
        """The table as plain values: settings that meet the demands first, most use first."""
        order = sorted(self.settings, key=lambda s: (not self.meets(s), -self.use(s), s.title))
        return [choice_row(self, setting) for setting in order]

    def sentences(self) -> list[str]:
        """The choice for a decision record: demands, reasons, what was refused, its limits."""
        demanded = [f"Demanded: {said}" for said in self.demanded]
        refused = [f"Refused: {each.name}. {each.reason}" for each in self.refused]
        return [*demanded, *self.reasons, *refused, *self.notes]

    def as_record(self) -> dict[str, Any]:
        """All of it as plain values, for a decision record: no word of the file is in it."""
        chosen = self.recommended
        return {
            "demands": {key: value for key, value in self.demands.made().items()},
            "demands_in_words": self.demanded,
            "recommended": None if chosen is None else repr(chosen.mechanism),
            "reasons": list(self.reasons),
            "notes": self.notes,
            "settings_that_could_be_chosen": self.count,
            "log_settings": self.log_settings,
            "grid": GRID,
            "table": self.rows(),
            "alternatives_refused": [
                {
                    "mechanism": each.name,
                    "epsilon": None if each.setting is None else each.setting.mechanism.epsilon,
                    "demand": each.key or "",
                    "reason": each.reason,
                }
                for each in self.refused
            ],
            "made_on": self.made_on,
            "seed": self.seed,
            "whole_file": self.scope.whole,
        }


def with_demands(choice: Choice, demands: Demands) -> Choice:
    """The same evidence under other demands: nothing is measured again."""
    return replace(choice, demands=demands)
