"""Settings of the lessons."""

from __future__ import annotations

from measures.flat_map import MAPPED
from measures.lessons import EVERYDAY
from mechanisms import CMP, Vickrey
from pages.shared.settings import Setting, choice, epsilon_within, variant_slug, whole_number

# Values of ε to look at, the mechanisms on trial.
WORST_STEPS = tuple(sorted({float(f"{2 * 15 ** (step / 60):.2g}") for step in range(61)}))

PROMISED = ((Vickrey, "published"), (Vickrey, "repaired"), (CMP, None))

SETTINGS: dict[str, Setting] = {
    "lesson": whole_number(0, 0, 5),
    "point": choice("doctor", {word: word for word in MAPPED}),
    "point-way": choice("dart", {way: way for way in ("dart", "choice")}),
    "point-eps": epsilon_within(1.5, 0.5, 8),
    "step": choice("predict", {step: step for step in ("predict", "try", "check")}),
    "coin": whole_number(50, 5, 95),
    "word-eps": epsilon_within(3.0, 1, 8),
    "odds-eps": epsilon_within(0.5, 0.1, 2),
    "noise-eps": epsilon_within(8.0, 2, 20),
    "choice-eps": epsilon_within(3.0, 1, 8),
    "crowded": choice("monday", {word: word for word in EVERYDAY}),
    "lonely": choice("river", {word: word for word in EVERYDAY}),
    "worst-eps": choice(WORST_STEPS[30], {f"{epsilon:g}": epsilon for epsilon in WORST_STEPS}),
    "worst-limit": whole_number(50, 10, 90),
    "promised": choice(PROMISED[0], {variant_slug(*row): row for row in PROMISED}),
    "promise-eps": epsilon_within(6.0, 2, 20),
}
