"""The neighbours and the γ page: what they compute once, and what a control costs after that.

percentiles   distances of 10,000 random words to their 1,000 nearest of all 400,000, and their
              percentiles: the first time, and from disk
floor         the matrix product that any exact search must do: 10,000 queries by 400,000 words
nearest word  of one point, of five and of fifty, the median of 40 searches
N_w, density  120 words under CMP (200 directions) and TEM, the first time
redraw        a page run again by Streamlit without a browser, after a change of one control, the
              median of several changes; figures and tables are built, but not painted

    python -m benchmarks.density
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextInput
from threadpoolctl import threadpool_limits

from benchmarks.live_sentence import machine
from data import embeddings
from measures.words import density
from mechanisms import MECHANISMS, Vocabulary

APP = Path(__file__).parent.parent / "app.py"
SIZES = {30_000: 0.5, 400_000: 2.0}  # words, and seconds promised for a control
PERCENTILES = 20.0


def main() -> None:
    """Print the table; results are kept in a folder that is thrown away."""
    print(machine() + "\n")
    print("| what | vocabulary | measured | promised |\n|:---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1, user_api="blas"):
        os.environ["WORDVEIL_CACHE"] = folder
        once()
        for size, promised in SIZES.items():
            for what, seconds in redraws(size):
                row(f"redraw: {what}", size, seconds, promised)


def once() -> None:
    """What is computed once for all visitors."""
    largest = embeddings.load(embeddings.GLOVE, 400_000, words_only=False)
    size = len(largest)
    row("floor: the matrix product", size, timed(lambda: product(largest, 10_000)), None)
    first = timed(lambda: density.kept_neighbour_distances(largest, 10_000))
    row("percentiles, 10,000 words, first", size, first, PERCENTILES)
    again = timed(lambda: density.kept_neighbour_distances(largest, 10_000))
    row("percentiles, from disk", size, again, None)
    points = largest.vectors[:50].astype(np.float64) + 0.5
    for count in (1, 5, 50):
        search = partial(largest.nearest, points[:count])
        taken = statistics.median(timed(search) for _ in range(40))
        row(f"nearest word, points: {count}", size, taken, None)
    row("N_w and density, first", size, timed(lambda: density.adaptation(largest)), None)


def product(vocabulary: Vocabulary, queries: int) -> float:
    """The scalar products of some words with all, block by block; one thread."""
    largest = -np.inf
    for first in range(0, queries, 250):
        block = vocabulary.vectors[first : first + 250] @ vocabulary.vectors.T
        largest = max(largest, float(block[0, 0]))
    return largest


def redraws(size: int) -> Iterator[tuple[str, float]]:
    """Seconds until a page has run again after a change, by what was changed."""
    app = AppTest.from_file(str(APP), default_timeout=300)
    app.query_params.update({"size": str(size), "tokens": "all"})
    app.run()
    app.switch_page("pages/neighbours/page.py").run()
    for mechanism in ("CMP", "TEM", "Laplace"):
        picker = app.selectbox(key="mechanism")
        picker.set_value(next(c for c in MECHANISMS if c.name == mechanism)).run()
        slug = mechanism.lower()
        epsilon = float(number_box(app, f"{slug}.epsilon").value)
        values = [epsilon * factor for factor in (1.1, 0.9, 1.2, 0.8, 1.3)]
        yield f"ε of {mechanism}", median(partial(typed, app, f"{slug}.epsilon"), values)
        yield (
            f"another word, {mechanism}",
            median(app.text_input(key="map-word").set_value, ["london", "sad", "actor"]),
        )
    yield "size of the map", median(app.segmented_control(key="map-words").set_value, [30, 120, 60])
    app.switch_page("pages/gamma/page.py").run()
    yield "ε of the γ page", median(partial(typed, app, "theorem-eps"), [9.0, 8.0, 7.0])
    yield "chosen γ", median(partial(typed, app, "own-gamma"), [3.0, 4.0, 5.0])


def number_box(app: AppTest, key: str) -> TextInput:
    """A box in which a number is typed, by the key of the number."""
    return app.text_input(key=f"{key}.typed")


def typed(app: AppTest, key: str, value: float) -> TextInput:
    """The box of a number, with another one typed into it."""
    return number_box(app, key).set_value(f"{value:g}")


def median(change: Callable[[object], object], values: list) -> float:
    """The median of the seconds that a run takes after each change."""
    return statistics.median(timed(lambda v=value: change(v).run()) for value in values)


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(what: str, size: int, seconds: float, promised: float | None) -> None:
    """One line of the table."""
    limit = "" if promised is None else f"{promised:g} s"
    print(f"| {what} | {size:,} | {seconds:.3f} s | {limit} |", flush=True)


if __name__ == "__main__":
    main()
