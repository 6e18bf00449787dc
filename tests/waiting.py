"""Waiting for a condition: the one place in which a test sleeps.

A busy machine is slow, and no test is about that: the limit only ends a test that would never end.
"""

import time

PATIENT = 300  # seconds


def wait_for(condition, what="it", seconds=PATIENT):
    """Ask again and again until the condition holds; what it returned."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not happen within {seconds} s")
        time.sleep(0.005)
    return found


def rerun_until(app, condition, what="it", seconds=PATIENT):
    """Run a page again and again, as a browser does while something is computed; the page.

    The condition is asked of the page.
    """

    def holds():
        assert not app.exception, app.exception
        return condition(app) or (app.run() and False)

    wait_for(holds, what, seconds)
    return app
