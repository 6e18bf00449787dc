"""The lessons, one file each: `predict`, `explore` (the step "Try"), `check`, `take_along`."""

from pages.learn.lessons import coin, distance, noise, points, promises, worst

LESSONS = {0: points, 1: coin, 2: distance, 3: noise, 4: worst, 5: promises}
