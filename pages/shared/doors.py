"""The ways on from the start page: a page, its title, and what one finds there."""

from __future__ import annotations

DOORS = (
    (
        "pages/learn/page.py",
        "🎓 Learn it",
        "Six short lessons, from words as points to promises: guess, try, check.",
    ),
    (
        "pages/perturb/page.py",
        "✍️ Try a sentence",
        "Type your own sentence, and see private versions of it at once.",
    ),
    (
        "pages/your_data/page.py",
        "📄 Make a file private",
        "Upload a table or a text. You get it back with its words replaced, and with a report.",
    ),
)
