"""The five lessons, one file each: `predict`, `explore` (the step "Try"), `check`."""

from pages.shared.lessons import coin, distance, noise, promises, worst

LESSONS = {1: coin, 2: distance, 3: noise, 4: worst, 5: promises}
