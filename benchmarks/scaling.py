"""How time and memory grow with the vocabulary, the dimensions and the directions.

    python -m benchmarks.scaling                            two minutes; draws scaling.png
    python -m benchmarks.scaling --quick --figure trial.png

One word by CMP, and one thing changed at a time:

words       10,000 to 400,000 of GloVe, 50 dimensions, 1,000 directions
dimensions  25 to 400, 30,000 words, 1,000 directions. Independent normal vectors: GloVe is at hand
            in 50 only. Without meaning in them, more words can win along a direction
directions  100 to 10,000, 30,000 words of GloVe, 50 dimensions

The ε path answers all ε; `sample` draws as many words at one ε, on one thread. Beside them stands
the product of as many points with all vectors in float32, on as many threads as the path. Time is
the median of several runs. Everything has a process of its own, so that memory is not what
something else left behind: the highest resident memory during the first run, less what was
resident just before, with the vocabulary read (Linux; elsewhere none is shown).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.live_sentence import machine
from benchmarks.mldp_ours import product, seconds
from data import embeddings
from mechanisms import CMP, Vocabulary
from mechanisms.answers import THREADS
from mechanisms.epsilon_path import epsilon_path
from mechanisms.randomness import seeded_rng
from mechanisms.vocabulary import WordIds

HOUSE = Path(__file__).parent.parent
MODULE = "benchmarks.scaling"
EPSILON = 5.0
PATIENCE = 600.0

AXES = {
    "words": [
        {"words": words, "dimensions": 50, "directions": 1_000, "vectors": "GloVe"}
        for words in (10_000, 30_000, 100_000, 400_000)
    ],
    "dimensions": [
        {"words": 30_000, "dimensions": dimensions, "directions": 1_000, "vectors": "random"}
        for dimensions in (25, 50, 100, 200, 400)
    ],
    "directions": [
        {"words": 30_000, "dimensions": 50, "directions": directions, "vectors": "GloVe"}
        for directions in (100, 300, 1_000, 3_000, 10_000)
    ],
}
SERIES = {"path": "ε path, all ε", "sample": "sample, one ε", "product": "matrix product alone"}


def main() -> None:
    """Print the table and draw the figure; or measure one point and print it as JSON."""
    arguments = _arguments()
    if arguments.point:
        json.dump(in_this_process(json.loads(arguments.point), arguments.times), sys.stdout)
        return
    print(machine())
    print(f"\nOne word by CMP; {THREADS} threads for the path. Times in ms, memory in MB.\n")
    print(
        "| vectors | words | dimensions | directions | path | sample | product | path / product "
        "| memory, path | memory, sample |"
    )
    print("|:---|" + "---:|" * 9)
    results: dict[str, list[dict[str, Any]]] = {}
    for axis, points in AXES.items():
        results[axis] = []
        for point in points[::3] if arguments.quick else points:
            result = point | measured(point, 1 if arguments.quick else arguments.times)
            results[axis].append(result)
            print(_row(result), flush=True)
    draw(results, arguments.figure, arguments.chromium)


# ---------------------------------------------------------------------------------------- one point


def measured(point: dict[str, Any], times: int) -> dict[str, Any]:
    """Seconds and megabytes of everything in SERIES, each in a fresh process."""
    result: dict[str, Any] = {}
    for name in SERIES:
        wanted = json.dumps({**point, "series": name})
        run = subprocess.run(
            [sys.executable, "-m", MODULE, "--times", str(times), "--point", wanted],
            cwd=HOUSE,
            stdout=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        result[name], result[f"{name}_memory"] = json.loads(run.stdout)
    return result


def in_this_process(point: dict[str, Any], times: int) -> tuple[float, float | None]:
    """Seconds, the median, and megabytes, in the first run, of one thing at one point."""
    vocabulary = vocabulary_of(point)
    _ = vocabulary.representatives, vocabulary.longest
    few = Vocabulary(vocabulary.words[:64], vocabulary.vectors[:64])
    work, count = WORK[point["series"]], point["directions"]
    work(few, 1)  # what is imported when it is first used
    memory = memory_of(lambda: work(vocabulary, count))
    return statistics.median(seconds(lambda: work(vocabulary, count)) for _ in range(times)), memory


def path(vocabulary: Vocabulary, count: int) -> None:
    """The ε path of one word."""
    epsilon_path(CMP.family(), vocabulary, word_of(vocabulary), count, seeded_rng(0))


def sample(vocabulary: Vocabulary, count: int) -> None:
    """So many draws of one word."""
    CMP(epsilon=EPSILON).sample(vocabulary, word_of(vocabulary), count, seeded_rng(0))


def product_alone(vocabulary: Vocabulary, count: int) -> None:
    """The product with all vectors."""
    product(vocabulary, count, THREADS)


WORK: dict[str, Callable[[Vocabulary, int], None]] = {
    "path": path,
    "sample": sample,
    "product": product_alone,
}


def word_of(vocabulary: Vocabulary) -> WordIds:
    """One word (1,), always the same."""
    return seeded_rng(1).integers(len(vocabulary), size=1)


def vocabulary_of(point: dict[str, Any]) -> Vocabulary:
    """GloVe's most frequent entries, or as many independent normal vectors."""
    if point["vectors"] == "GloVe":
        return embeddings.load(embeddings.GLOVE, point["words"], words_only=False)
    shape = point["words"], point["dimensions"]
    vectors = seeded_rng(2).standard_normal(shape, dtype=np.float32)
    return Vocabulary([str(i) for i in range(len(vectors))], vectors)


def memory_of(call: Callable[[], object]) -> float | None:
    """Megabytes by which the resident memory rises at most during a call; None where unknown."""
    process = Path("/proc/self")
    try:
        (process / "clear_refs").write_text("5")  # the peak starts again from here
    except OSError:
        return None
    before = _status(process, "VmRSS")
    call()
    return max(0.0, _status(process, "VmHWM") - before)


def _status(process: Path, name: str) -> float:
    lines = (process / "status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(name))


def _row(result: dict[str, Any]) -> str:
    times = " | ".join(f"{1e3 * result[name]:,.1f}" for name in SERIES)
    memory = " | ".join(
        "" if result[f"{name}_memory"] is None else f"{result[f'{name}_memory']:,.0f}"
        for name in ("path", "sample")
    )
    return (
        f"| {result['vectors']} | {result['words']:,} | {result['dimensions']} "
        f"| {result['directions']:,} | {times} | {result['path'] / result['product']:.2f} "
        f"| {memory} |"
    )


# --------------------------------------------------------------------------------------- the figure


def draw(results: dict[str, list[dict[str, Any]]], figure: Path, chromium: str | None) -> None:
    """Time above, memory below, one column a thing that changes; as a picture by a browser."""
    from playwright.sync_api import sync_playwright
    from plotly.subplots import make_subplots

    from benchmarks.start_up import CHROMIUM_OPTIONS

    if chromium is None:
        print("\nNo figure: no Chromium was found; name one with --chromium.")
        return
    plot = make_subplots(rows=2, cols=len(results), shared_xaxes=True, vertical_spacing=0.06)
    colours = dict(zip(SERIES, ("#0072b2", "#d55e00", "#999999"), strict=True))
    for column, (axis, points) in enumerate(results.items(), start=1):
        x = [point[axis] for point in points]
        for name, label in SERIES.items():
            lines = {"mode": "lines+markers", "name": label, "legendgroup": name}
            lines["line"] = {"color": colours[name], "dash": "dot" if name == "product" else None}
            y = [1e3 * point[name] for point in points]
            plot.add_scatter(x=x, y=y, row=1, col=column, showlegend=column == 1, **lines)
            memory = [point[f"{name}_memory"] for point in points]
            if name != "product" and None not in memory:
                plot.add_scatter(x=x, y=memory, row=2, col=column, showlegend=False, **lines)
        plot.update_xaxes(
            type="log", tickvals=x, ticktext=[f"{value:,}" for value in x], col=column
        )
        plot.update_xaxes(title=axis, row=2, col=column)
    plot.update_yaxes(type="log", title="time, ms", row=1, col=1, dtick=1)
    plot.update_yaxes(type="log", row=1, dtick=1, matches="y")
    plot.update_yaxes(title="memory, MB", row=2, col=1)
    plot.update_yaxes(rangemode="tozero", row=2, matches="y4")
    size = {"width": 1000, "height": 600}
    plot.update_layout(
        template="plotly_white",
        margin={"l": 60, "r": 20, "t": 50, "b": 60},
        legend={"orientation": "h", "y": 1.1},
        **size,
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "scaling.html"
        plot.write_html(page_file, include_plotlyjs=True, config={"displayModeBar": False})
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_OPTIONS)
        page = browser.new_page(viewport=size)
        page.goto(page_file.as_uri())
        page.locator(".main-svg").first.wait_for()
        page.locator(".js-plotly-plot").screenshot(path=figure)
        browser.close()
    print(f"\nFigure: {figure}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer points, with one run each")
    parser.add_argument("--times", type=int, default=5, help="runs for each point")
    parser.add_argument("--figure", type=Path, default=HOUSE / "benchmarks" / "scaling.png")
    default = os.environ.get("CHROMIUM") or shutil.which("chromium")
    parser.add_argument(
        "--chromium", default=default, help="the browser; default: the Chromium on the path"
    )
    parser.add_argument("--point", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
