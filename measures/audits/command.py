"""The audit of any mechanism by command: a function, a program, or a table of counts.

    python -m measures.audits.command --program "python mine.py" --word cat --word dog --epsilon 2
    python -m measures.audits.command --function mine:release --words words.txt --epsilon 2
    python -m measures.audits.command --table counts.csv --epsilon 4 --metric euclidean

A program reads a word a line and prints an output a line; a function takes a word and returns one;
a table is a CSV file with the columns word, output, count. It prints a lower bound on ε with its
witness, and ends with 0 if the promise is not contradicted, 3 if it is, and 2 if the
mechanism cannot be asked.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from data import embeddings
from measures.audits import any_mechanism
from measures.audits.black_box import ALPHA, COLUMNS, Bound

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    epsilon: Annotated[float, typer.Option(help="The promised ε; inf if none is promised.")],
    program: Annotated[
        str | None, typer.Option(help="A command that maps lines to lines, with its arguments.")
    ] = None,
    function: Annotated[
        str | None, typer.Option(help="A Python function, as module:name.", metavar="MODULE:NAME")
    ] = None,
    table: Annotated[
        Path | None, typer.Option(help=f"A CSV file with the columns {', '.join(COLUMNS)}.")
    ] = None,
    word: Annotated[list[str] | None, typer.Option(help="A word to try; at least two.")] = None,
    words: Annotated[
        Path | None, typer.Option(help="A file of words to try, one per line.")
    ] = None,
    delta: Annotated[float, typer.Option(help="The promised δ.")] = 0.0,
    metric: Annotated[
        Literal["any", "euclidean"],
        typer.Option(help="Whether ε is for any two words or for a unit of Euclidean distance."),
    ] = "any",
    embedding: Annotated[
        str, typer.Option(help="The embedding in which distances between words are measured.")
    ] = embeddings.GLOVE,
    draws: Annotated[int, typer.Option(min=2, help="Draws of each word.")] = 10_000,
    alpha: Annotated[float, typer.Option(help="Largest chance that the bound is wrong.")] = ALPHA,
    seconds: Annotated[float, typer.Option(help="Seconds that the mechanism may take.")] = 600.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the split of a table into halves.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Print a lower bound on the true ε of a mechanism, from its outputs alone."""
    try:
        if sum(given is not None for given in (program, function, table)) != 1:
            raise ValueError("Mechanism: give one of --program, --function and --table.")
        subject: any_mechanism.BlackBox
        if table is not None:
            subject = table
        else:
            subject = program if program is not None else _function(str(function))
        bound = any_mechanism.audit(
            subject,
            embeddings.load(embedding) if metric == "euclidean" else None,
            epsilon=epsilon,
            delta=delta,
            words=None if table is not None else _words(word or [], words),
            metric=metric,
            draws=draws,
            alpha=alpha,
            seconds=seconds,
            seed=seed,
        )
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        raise typer.Exit(2) from None
    sys.stdout.write(
        (json.dumps(facts(bound), ensure_ascii=False) if as_json else told(bound)) + "\n"
    )
    raise typer.Exit(3 if bound.broken else 0)


def facts(bound: Bound) -> dict[str, Any]:
    """The bound as JSON can hold it."""
    return {
        "ε at least": bound.epsilon,
        "promised ε": bound.promise.epsilon,
        "promised δ": bound.promise.delta,
        "alpha": bound.alpha,
        "broken": bound.broken,
        "words": bound.words,
        "outputs": bound.outputs,
        "probabilities": bound.shares,
        "draws": bound.draws,
        "not tested": bound.untested,
    }


def told(bound: Bound) -> str:
    """The bound as text, with what was not tested."""
    lines = [bound.witness]
    if bound.untested:
        lines.append(f"Too few draws for a test: {', '.join(bound.untested)}.")
    lines.append("Not tested: other words, and whether the draws are independent.")
    return "\n".join(lines)


def _words(given: list[str], file: Path | None) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines() if file is not None else []
    words = list(dict.fromkeys([*given, *(line.strip() for line in lines if line.strip())]))
    if len(words) < 2:
        raise ValueError(f"Words: give at least two different ones; got {len(words)}.")
    return words


def _function(name: str) -> Any:
    module, _, attribute = name.partition(":")
    sys.path.insert(0, "")
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"Function: {name!r} cannot be loaded ({error}).") from None
    if not callable(function):
        raise ValueError(f"Function: {name!r} is not a function.")
    return function


if __name__ == "__main__":
    app()
