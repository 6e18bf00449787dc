"""For the first visit of a server at this page's address: see `pages/shared/first_visit.py`."""

from pages.shared.first_visit import run_the_app

run_the_app()
