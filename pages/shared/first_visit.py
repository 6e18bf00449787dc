"""The first visit of a server, at the address of any page.

Until an app has named its pages by `st.navigation`, Streamlit lists the scripts in the folder
`pages` itself, finds no `learn` among them, and answers the first visitor's link with "Page not
found". The scripts `pages/0_<page>.py` are what it finds: they run the app, which names its pages.
From the second visit on nobody reads them.
"""

from __future__ import annotations

import runpy
from pathlib import Path

_APP = Path(__file__).parents[2] / "app.py"


def run_the_app() -> None:
    """Run the app in place of a script that Streamlit has found by itself."""
    runpy.run_path(str(_APP), run_name="__main__")
