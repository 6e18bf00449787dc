"""The command line: a file in, a private file out.

    python -m release reviews.csv private.csv --column text --mechanism tem --epsilon 10

It ends with 0 when the file is complete, with 2 if the command or the file cannot be used as it
is, with 1 if it failed on the way, and with 130 if it was stopped. After 1 and 130 the same
command goes on where it was.
"""

from __future__ import annotations

from release import terminal

if __name__ == "__main__":
    terminal.end_at_ctrl_c()  # also while the rest still loads

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, get_args

import typer
from tqdm import tqdm

from data import embeddings
from mechanisms import SLUGS
from mechanisms.cleaning import Html
from mechanisms.text import Case, Unknown
from mechanisms.typed_numbers import typed_real
from release import faults, report, tables
from release import layout as layouts
from release.encoding import BadBytes
from release.grammar import counted
from release.run import Outcome, run
from release.settings import Settings, mechanism
from release.source import Source
from release.survey import Survey

_HELP = (
    "Replace the words of a file's text columns at random; other columns leave as they came.\n\n"
    "Beside the private file go a public report (.report.txt, .report.json) and a private account "
    "(.private-account.txt, .private-account.json), which is as private as the source. The same "
    "command goes on where it was stopped. Exit codes: 0 complete, 2 the command or the file "
    "cannot be used as it is, 1 failed on the way, 130 stopped."
)

_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _one_of(*options: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(help=text, metavar="|".join(options))


def _number(text: str) -> float:
    try:
        return typed_real(text)
    except ValueError as error:
        raise typer.BadParameter(f"{error}; got {text!r}.") from None


@_app.command(help=_HELP)
def main(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(
            help=f"The file: {', '.join(layouts.SUFFIXES)}.", exists=True, dir_okay=False
        ),
    ],
    target: Annotated[Path, typer.Argument(help="The private file; its ending is its format.")],
    column: Annotated[
        list[str] | None,
        typer.Option(help="A column that holds text, by its name. May be repeated."),
    ] = None,
    mechanism_name: Annotated[
        str, typer.Option("--mechanism", help=", ".join(SLUGS), metavar="NAME")
    ] = "cmp",
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="Privacy budget of a word, per unit of distance.", parser=_number, metavar="NUMBER"
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(help="Another parameter, such as beta=0.01. May be repeated."),
    ] = None,
    unknown: Annotated[
        str,
        _one_of(
            *get_args(Unknown),
            text="What becomes of words that the vocabulary lacks; 'keep' releases them as typed, "
            "'mask' and 'drop' show that they were unknown.",
        ),
    ] = "random",
    case: Annotated[
        str, _one_of(*get_args(Case), text="Letter case; 'as typed' reveals it.")
    ] = "lower",
    html: Annotated[
        str,
        _one_of(
            *get_args(Html),
            text="What becomes of tags and entities; 'keep' releases them as typed.",
        ),
    ] = "decode",
    embedding: Annotated[
        str, typer.Option(help=", ".join(embeddings.names()), metavar="NAME")
    ] = embeddings.GLOVE,
    size: Annotated[
        int, typer.Option(help="How many of the most frequent entries of the embedding are used.")
    ] = embeddings.DEFAULT_SIZE,
    all_tokens: Annotated[
        bool,
        typer.Option("--all-tokens", help="Also use entries that are no words: signs, numbers."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(help="For demonstrations: anyone who knows it can undo the release."),
    ] = None,
    format: Annotated[
        str | None,
        _one_of(
            *get_args(layouts.Format), text="Format of the source; without it, its ending decides."
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Such as utf-8 or cp1252; without it, it is detected.")
    ] = None,
    separator: Annotated[
        str | None, typer.Option(help="One character, or 'tab'; without it, it is detected.")
    ] = None,
    header: Annotated[
        bool | None,
        typer.Option(help="Whether the first row names the columns; without it, it is detected."),
    ] = None,
    quotes: Annotated[
        bool | None,
        typer.Option(
            "--quotes/--no-quotes",
            help="Whether quotation marks enclose cells; without it they do, but doubt stops.",
        ),
    ] = None,
    escape: Annotated[
        str | None,
        typer.Option(help="The sign before a quotation mark inside a cell, or 'none'."),
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(help="The sheet of a workbook; without it, the first.")
    ] = None,
    bad_bytes: Annotated[
        str | None,
        _one_of(
            *get_args(BadBytes),
            text="What becomes of bytes that the encoding does not know [default: refuse].",
        ),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(help="A column whose cells leave empty; repeat it.", metavar="NAME"),
    ] = None,
    formulas: Annotated[
        str,
        _one_of(
            "private",
            "all",
            text="Which cells get an apostrophe in front if a spreadsheet would run them.",
        ),
    ] = "private",
    ragged: Annotated[
        str,
        _one_of(*get_args(tables.Ragged), text="What becomes of rows with too many or few cells."),
    ] = "refuse",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the private file.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes of this machine.")] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="Of dask, tls://host:8786: its workers instead of processes. With tcp:// texts "
            "cross the network in clear."
        ),
    ] = None,
) -> None:
    """Read the command, open the file, and make it private."""
    try:
        if not source.is_file():
            raise ValueError(f"{source} is no file on disk (a pipe?); save it as one first.")
        if epsilon is None:
            raise ValueError(
                "--epsilon: say how much; the Private sentences page shows what it does."
            )
        for option, value, options in (
            ("--ragged", ragged, get_args(tables.Ragged)),
            ("--format", format, (None, *get_args(layouts.Format))),
            ("--bad-bytes", bad_bytes, (None, *get_args(BadBytes))),
            ("--formulas", formulas, ("private", "all")),
        ):
            if value not in options:
                raise ValueError(f"{option} must be one of {', '.join(filter(None, options))}.")
        settings = Settings(
            mechanism=mechanism(mechanism_name, epsilon, param or ()),
            embedding=embedding,
            size=size,
            words_only=not all_tokens,
            unknown=unknown,
            case=case,
            html=html,
            seed=seed,
        )
        file = Source(source)
        context.call_on_close(file.close)
        layout = layouts.layout(
            source.name,
            file,
            format=format,
            encoding=encoding,
            delimiter="\t" if separator == "tab" else separator,
            header=header,
            quotes=quotes,
            escape="" if escape == "none" else escape,
            bad_bytes=bad_bytes,
            named=column or (),
            sheet=sheet,
        )
        columns = tuple(
            dict.fromkeys(column or ()) or (layout.columns if len(layout.columns) == 1 else ())
        )
        if not columns:
            shown = ", ".join(layout.columns[:20])
            raise ValueError(f"--column: say which columns hold text; there are {shown}.")
    except (ValueError, TypeError, OSError) as error:
        raise typer.BadParameter(str(error)) from None
    if scheduler is not None and not scheduler.startswith("tls://"):
        typer.echo(
            "--scheduler: texts cross the network as typed, in clear. A scheduler with TLS "
            "(tls://host:8786) keeps others from reading them.",
            err=True,
        )
    if seed is not None:
        typer.echo(
            "Seeded: for demonstration only; anyone who knows the seed can undo it.", err=True
        )
    typer.echo(", ".join(f"{name}: {value}" for name, value in layout.found.items()), err=True)
    _finish(
        partial(
            run,
            file,
            target,
            layout,
            columns,
            settings,
            left_out=leave_out or (),
            ragged=ragged,
            guard=formulas == "all",
            overwrite=overwrite,
            workers=workers,
            scheduler=scheduler,
        )
    )


def _finish(work: Callable[..., Outcome]) -> None:
    """The run with its bar, and what became of it."""
    terminal.raise_at_ctrl_c()
    bar = tqdm(unit="row", unit_scale=True)

    def surveyed(found: Survey) -> None:
        bar.write(
            f"{counted(found.rows, 'row')} read; the file is read again for the release.",
            file=sys.stderr,
        )
        for note in found.notes:
            bar.write(note, file=sys.stderr)
        if sys.stderr.isatty():  # texts belong on a screen, not in a log
            for which, (number, cells) in found.shown.items():
                bar.write(f"  {which}, row {number:,}: {' | '.join(cells)}", file=sys.stderr)

    def progress(done: int, of: int) -> None:
        if bar.total is None:
            bar.reset(of)
            bar.initial = bar.n = done  # found: they took no time
        bar.update(done - bar.n)

    try:
        done = work(progress=progress, tell=partial(tqdm.write, file=sys.stderr), surveyed=surveyed)
    except KeyboardInterrupt:
        _end(bar, "Stopped; the same command goes on where it was.", 130)
    except (ValueError, FileExistsError) as error:
        _end(bar, str(error), 2)
    except MemoryError:
        _end(bar, "Memory: there is not enough for these settings; the same command goes on.", 1)
    except (OSError, RuntimeError) as error:  # a worker that dies is a RuntimeError
        _end(bar, str(error), 1)
    except Exception as error:
        lines = faults.trace(error)
        _end(bar, f"Unexpected fault (id {faults.identity(lines)}), without texts:\n{lines}", 1)
    bar.close()
    readable = report.readable(done.report)
    typer.echo(readable.encode("utf-8", "backslashreplace").decode())  # names with half a character
    typer.echo(
        "True counts, which reveal facts of the source, are in the private account beside the "
        "file: do not publish it.",
        err=True,
    )
    if done.remains is not None:
        typer.echo(
            f"{done.remains} could not be removed. It holds a hash of the source: remove it before "
            "anything beside it is published.",
            err=True,
        )


def _end(bar: tqdm, message: str, code: int) -> None:
    bar.close()
    typer.echo(message.encode("utf-8", "backslashreplace").decode(), err=True)
    raise typer.Exit(code)


if __name__ == "__main__":
    terminal.forgive()
    _app()
