"""The command line of the choice: which mechanism, which ε, and why, for one file.

    python -m release.choose mail.csv --column text --label topic --unchanged-at-most 0.5

It prints the table, the recommendation and the command of the release, and writes a private record.
It ends with 0 if a setting is recommended, with 3 if none meets the demands, and with 2 if the
command or the file cannot be used as it is. Ctrl-C after the first answer ends the refinement.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from data import corpora, embeddings
from measures.own_texts.texts import OwnTexts, own_texts
from mechanisms import Mechanism, Vocabulary
from mechanisms.cleaning import Html
from release import options, tables
from release.cells import Ragged, as_value
from release.choice import Choice
from release.choice_wording import NO_FLOOR
from release.corpus_texts import corpus_texts
from release.demands import MEANINGS, THE_FILE, Demands, rule
from release.layout import WRITTEN, Layout
from release.options import FileOptions
from release.refine import choosing
from release.settings import Settings
from release.source import Readable

NOTHING_MEETS = 3

RECORD = ".private-choice.json"

_FROM_THE_FILE = "It is as private as the source: it depends on the file. Do not publish it."

_FROM_A_CORPUS = (
    "The choice looked at no row of the file. The record names the file and its columns."
)

_HELP = (
    "Try every mechanism whose promise holds and that draws each word separately, at every ε of a "
    "coarse grid, on the file's own texts or on a packaged corpus. Recommend the most useful "
    "setting that meets your demands. Exit codes: 0 a setting is recommended, 3 no setting meets "
    "the demands, 2 the command or the file cannot be used as it is."
)

_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _demand(key: Any) -> typer.models.OptionInfo:
    meaning = MEANINGS[key].sentence.format(value="NUMBER", texts=THE_FILE)
    return typer.Option(
        help=f"{meaning} NUMBER {rule(key)}; 'none' leaves the demand out.",
        parser=_typed,
        metavar="NUMBER",
    )


class _Typed(float):
    """A demand as typed; not a number if it is left out."""


def _typed(text: str | float) -> _Typed:
    if isinstance(text, str):
        return _Typed("nan" if text == "none" else options.number(text))
    return _Typed(text)


def _made(key: Any, typed: float | None) -> float | None:
    """The value of a demand: as typed, left out, or its default."""
    if typed is None:
        return getattr(Demands(), key)
    return None if typed != typed else float(typed)


@_app.command(help=_HELP)
@options.reads_a_file
def main(
    context: typer.Context,
    file: FileOptions,
    label: Annotated[
        str | None,
        typer.Option(help="A column with a label that a classifier should still predict."),
    ] = None,
    unchanged_at_most: Annotated[_Typed | None, _demand("unchanged_at_most")] = None,
    named_at_most: Annotated[_Typed | None, _demand("named_at_most")] = None,
    odds_at_most: Annotated[_Typed | None, _demand("odds_at_most")] = None,
    keep_accuracy: Annotated[_Typed | None, _demand("keep_accuracy")] = None,
    similarity_at_least: Annotated[_Typed | None, _demand("similarity_at_least")] = None,
    embedding: Annotated[
        str,
        typer.Option(help=f"The embedding: {', '.join(embeddings.names())}.", metavar="NAME"),
    ] = embeddings.GLOVE,
    size: Annotated[
        int,
        typer.Option(help="Number of entries of the embedding to use, the most frequent first."),
    ] = embeddings.DEFAULT_SIZE,
    seed: Annotated[
        int,
        typer.Option(min=0, help="Seed of the measured draws: the same seed repeats the answer."),
    ] = 0,
    made_on: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Make the choice on a sample of a packaged corpus, not on the file: "
            f"{', '.join(corpora.packaged())}.",
        ),
    ] = None,
    first_answer: Annotated[
        bool,
        typer.Option(
            "--first-answer", help="Stop at the first answer, which uses a part of the texts."
        ),
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(
            help=f"The file for the private record; by default, the name of the source + {RECORD}."
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the record if it exists.")
    ] = False,
) -> None:
    """Read the command and the file, measure, and print the recommendation."""
    typed = {
        "unchanged_at_most": unchanged_at_most,
        "named_at_most": named_at_most,
        "odds_at_most": odds_at_most,
        "keep_accuracy": keep_accuracy,
        "similarity_at_least": similarity_at_least,
    }
    place = record or file.source.with_name(file.source.name + RECORD)
    try:
        demands = Demands(**{key: _made(key, value) for key, value in typed.items()})
        if not demands.has_privacy_floor:
            raise ValueError(NO_FLOOR)
        if made_on is not None and label is not None:
            raise ValueError("--label: a packaged corpus has its own labels; leave --label out.")
        if demands.keep_accuracy is not None and label is None and made_on is None:
            raise ValueError("--keep-accuracy: name the column of the label with --label.")
        if place.exists() and not overwrite:
            raise ValueError(f"Record: {place} already exists; add --overwrite or --record.")
        source, layout, columns = file.opened(context, named=() if label is None else (label,))
        vocabulary = embeddings.load(embedding, size)
        if made_on is None:
            own = texts_of(source, layout, columns, label, vocabulary, ragged=file.ragged)
        else:
            own = corpus_texts(made_on, vocabulary)
        choice = _chosen(own, demands, seed, first_answer, made_on or "")
        source.check()
    except (ValueError, TypeError, OSError) as error:
        raise typer.BadParameter(str(error)) from None
    facts = {
        "private": _FROM_THE_FILE if made_on is None else _FROM_A_CORPUS,
        "file": file.source.name,
        "texts": len(own),
        "columns": list(columns),
        "label": label,
        "embedding": embedding,
        "entries of the embedding": size,
        "vocabulary": vocabulary.fingerprint,
        **choice.as_record(),
    }
    _written(place, json.dumps(facts, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    typer.echo("\n".join(lines(choice)))
    typer.echo(f"\nThe record is {place}. {facts['private']}")
    if choice.recommended is None:
        raise typer.Exit(NOTHING_MEETS)
    settings = Settings(
        mechanism=choice.recommended.mechanism,
        embedding=embedding,
        size=size,
        chosen_among=choice.among,
    )
    typer.echo("\n" + release_command(file, columns, settings))


def texts_of(
    source: Readable,
    layout: Layout,
    columns: Sequence[str],
    label: str | None,
    vocabulary: Vocabulary,
    html: Html = "decode",
    ragged: Ragged = "refuse",
) -> OwnTexts:
    """The words of a file's text columns, row by row, with the labels of a column.

    Raises
    ------
    ValueError
        For a row that cannot be read, or a column that is both text and label.

    """
    if label in columns:
        raise ValueError(f"Label: {label!r} holds the text; choose another column, or none.")
    positions = [layout.position(column) for column in columns]
    at = None if label is None else layout.position(label)
    texts, labels = [], []
    for number, row in enumerate(tables.rows(source, layout, ragged), 1):
        texts.append("\n".join(tables.texts(row, positions, number)))
        if at is not None:
            labels.append(str(as_value(row[at])))
    if not texts:
        raise ValueError("File: it has no rows, so nothing can be measured.")
    return own_texts(texts, vocabulary, None if at is None else labels, html)


def _chosen(
    own: OwnTexts, demands: Demands, seed: int, first_answer: bool, made_on: str = ""
) -> Choice:
    last: Choice | None = None
    try:
        for step in choosing(own, demands, seed, made_on=made_on):
            if step.choice is not last and step.choice is not None:
                last = step.choice
                if first_answer:
                    break
            if sys.stderr.isatty():
                typer.echo(f"\r{100 * step.share:3.0f} % measured", nl=False, err=True)
    except KeyboardInterrupt:
        if last is None:
            raise
        typer.echo("\nStopped: the last complete table follows.", err=True)
    assert last is not None
    return last


def lines(choice: Choice) -> list[str]:
    """The demands, the table, the recommendation and the refused mechanisms, as text."""
    said = ["Demands"]
    said += [f"  {each}" for each in choice.demanded]
    said += ["", *_table(choice), "", "Recommendation" if choice.recommended else "No setting"]
    said += [f"  {reason}" for reason in choice.reasons]
    said += ["", "Other mechanisms"]
    said += [f"  {each.name}: {each.reason}" for each in choice.refused]
    return [*said, "", "What to know", *(f"  {note}" for note in choice.notes)]


def _table(choice: Choice) -> list[str]:
    names = [row["mechanism"] for row in choice.rows()]
    width = max(map(len, names), default=9)
    accuracy = "  accuracy kept" if choice.has_labels else ""
    found = [f"{'':2}{'mechanism':<{width}}      ε  worst unchanged    named{accuracy}  similarity"]
    for row in choice.rows():
        mark = "→ " if row["recommended"] else "✓ " if row["meets_all"] else "  "
        named = f"{'≥' if row['named_is_lower_bound'] else ' '}{100 * row['named']:5.1f} %"
        kept = row["accuracy_kept"]
        middle = "" if not choice.has_labels else f"  {100 * (kept or 0):11.1f} %"
        found.append(
            f"{mark}{row['mechanism']:<{width}}  {row['epsilon']:>5g}  "
            f"{100 * row['worst_unchanged']:13.1f} %  {named}{middle}  {row['similarity']:10.3f}"
        )
    return [*found, "  → recommended   ✓ meets every demand"]


def release_command(file: FileOptions, columns: Sequence[str], settings: Settings) -> str:
    """The command that releases a file with these settings, read in the same way."""
    mechanism, source = settings.mechanism, file.source
    suffix = source.suffix if source.suffix.lower() in WRITTEN else ".csv"
    target = source.with_name(f"{source.stem}.private{suffix}")
    parts = ["python", "-m", "release", str(source), str(target)]
    for column in columns:
        parts += ["--column", column]
    parts += file.as_typed()
    parts += ["--mechanism", mechanism.slug(), "--epsilon", f"{mechanism.epsilon:g}"]
    for name, value in _parameters(mechanism).items():
        parts += ["--param", f"{name}={value}"]
    if settings.embedding != embeddings.GLOVE:
        parts += ["--embedding", settings.embedding]
    if settings.size != embeddings.DEFAULT_SIZE:
        parts += ["--size", str(settings.size)]
    if settings.chosen_among is not None:
        parts += ["--chosen-among", str(settings.chosen_among)]
    return shlex.join(parts)


def _parameters(mechanism: Mechanism) -> dict[str, Any]:
    """Parameters other than ε that are not at their defaults."""
    plain = dict(type(mechanism).family().values)
    return {n: value for n, value in mechanism.family().values if value != plain[n]}


def _written(place: Path, text: str) -> None:
    unfinished = place.with_name(place.name + ".unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(place)


if __name__ == "__main__":
    _app()
