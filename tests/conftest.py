"""Fixtures that cost something, made once."""

import pytest

from data import embeddings
from tests.browser import ARGUMENTS, CHROMIUM, app_server


@pytest.fixture(scope="session")
def glove():
    """The 10,000 most frequent entries of GloVe that are words."""
    return embeddings.load("glove-6b-50d", 10_000)


@pytest.fixture(scope="session")
def glove_every_token():
    """The 30,000 most frequent entries of GloVe, punctuation and pieces included."""
    return embeddings.load("glove-6b-50d", 30_000, words_only=False)


@pytest.fixture(scope="session")
def browser_type_launch_args():
    """Debian's Chromium, as root, without its background traffic."""
    return {"executable_path": CHROMIUM or "/usr/bin/chromium", "args": ARGUMENTS}


@pytest.fixture(scope="session")
def address():
    """The address of a running app."""
    with app_server() as url:
        yield url
