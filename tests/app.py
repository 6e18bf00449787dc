"""The app, run by Streamlit itself without a browser, and what is on its screen."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.shared import history

APP = Path(__file__).parents[1] / "app.py"


def page(**query):
    """Private sentences, opened by a link with these settings and, as before, without a path."""
    app = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    if not query:
        app.switch_page("pages/perturb/page.py").run()
    return healthy(app)


def unfolded(app, *panels):
    """The page with these panels open, by their keys; a closed one has no content."""
    for panel in panels:
        app.session_state[panel] = True
    return healthy(app.run())


def healthy(app):
    assert not app.exception, app.exception
    return app


def shown(app):
    """All markup and text on screen, without the app's own script."""
    parts = [element.proto.body for element in app.get("html")]
    parts = [body for body in parts if body != history._REPLACE]
    for kind in (app.markdown, app.warning, app.info, app.error, app.caption):
        parts += [element.value for element in kind]
    return "\n".join(parts)


def versions(app):
    """The private versions on screen, as markup."""
    first = '<div class="wv-version'
    (markup,) = [e.proto.body for e in app.get("html") if first in e.proto.body]
    return markup[markup.index(first) :]
