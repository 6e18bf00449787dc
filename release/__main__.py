"""The command line: a file in, a private file out.

    python -m release reviews.csv private.csv --column text --mechanism tem --epsilon 10

It ends with 0 when the file is complete, with 2 if the command or the file cannot be used as it
is, with 1 if it failed on the way, and with 130 if it was stopped. After 1 and 130 the same
command continues the run.
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
from mechanisms.base_measure import OWN
from mechanisms.cleaning import Html
from mechanisms.text import Case, Unknown
from release import faults, options, q_corpus, report
from release.grammar import counted
from release.options import FileOptions, one_of
from release.run import Outcome, run
from release.settings import Settings, mechanism
from release.survey import Survey

_HELP = (
    "Replace the words of a file's text columns at random; other columns are released "
    "unchanged.\n\n"
    "Beside the private file go a public report (.report.txt, .report.json) and a private account "
    "(.private-account.txt, .private-account.json), which is as private as the source. The same "
    "command continues a run that was stopped. Exit codes: 0 complete, 2 the command or the file "
    "cannot be used as it is, 1 failed on the way, 130 stopped."
)

_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@_app.command(help=_HELP)
@options.reads_a_file
def main(
    context: typer.Context,
    file: FileOptions,
    target: Annotated[
        Path, typer.Argument(help="The private file to write; its ending decides its format.")
    ],
    mechanism_name: Annotated[
        str,
        typer.Option("--mechanism", help=f"The mechanism: {', '.join(SLUGS)}.", metavar="NAME"),
    ] = "cmp",
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="Privacy budget of a word; for metric DP, per unit of distance. Required.",
            parser=options.number,
            metavar="NUMBER",
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            help="Another parameter of the mechanism, such as beta=0.01. May be repeated."
        ),
    ] = None,
    unknown: Annotated[
        str,
        one_of(
            *get_args(Unknown),
            text="What happens to words that the vocabulary lacks: 'keep' releases them as typed; "
            "'mask' and 'drop' show that they were unknown.",
        ),
    ] = "random",
    case: Annotated[
        str, one_of(*get_args(Case), text="Letter case of the output; 'as typed' reveals it.")
    ] = "lower",
    html: Annotated[
        str,
        one_of(
            *get_args(Html),
            text="What happens to tags and entities of HTML; 'keep' releases them as typed.",
        ),
    ] = "decode",
    embedding: Annotated[
        str,
        typer.Option(help=f"The embedding: {', '.join(embeddings.names())}.", metavar="NAME"),
    ] = embeddings.GLOVE,
    size: Annotated[
        int,
        typer.Option(help="Number of entries of the embedding to use, the most frequent first."),
    ] = embeddings.DEFAULT_SIZE,
    all_tokens: Annotated[
        bool,
        typer.Option("--all-tokens", help="Also use entries that are not words: signs, numbers."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(help="For demonstrations only: anyone who knows it can undo the release."),
    ] = None,
    q_file: Annotated[
        Path | None,
        typer.Option(
            help="Count q of Unigram TEM or N-gram TEM on this file, which must be public: "
            f"{', '.join(q_corpus.SUFFIXES)}."
        ),
    ] = None,
    q_column: Annotated[
        str | None, typer.Option(help="The column of that file that holds its texts.")
    ] = None,
    chosen_among: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many settings could have been chosen by looking at the file, as "
            "`release.choose` prints it. The public report states the number.",
        ),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            help="A column whose cells are released empty. May be repeated.", metavar="NAME"
        ),
    ] = None,
    formulas: Annotated[
        str,
        one_of(
            "private",
            "all",
            text="Which cells get an apostrophe in front if a spreadsheet would run them.",
        ),
    ] = "private",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the private file and its reports.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes on this machine.")] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="Address of a dask scheduler, such as tls://host:8786, whose workers are used "
            "instead of local processes. With tcp://, texts cross the network in clear."
        ),
    ] = None,
) -> None:
    """Read the command, open the file, and make it private."""
    try:
        if epsilon is None:
            raise ValueError(
                "--epsilon: give a value. The page Private sentences shows the effect of ε."
            )
        if formulas not in ("private", "all"):
            raise ValueError(f"--formulas must be one of private, all; got {formulas!r}.")
        if q_file is None and q_column is not None:
            raise ValueError("--q-column: also give --q-file, the corpus of q.")
        known = SLUGS.get(mechanism_name)
        if q_file is not None and known is not None and "corpus" not in known.parameters():
            raise ValueError(f"--q-file: {mechanism_name} has no q; leave --q-file out.")
        own_q = [] if q_file is None else [f"corpus={OWN}"]
        settings = Settings(
            mechanism=mechanism(mechanism_name, epsilon, [*(param or ()), *own_q]),
            q_corpus=None if q_file is None else q_corpus.of_file(q_file, q_column),
            embedding=embedding,
            size=size,
            words_only=not all_tokens,
            unknown=unknown,
            case=case,
            html=html,
            seed=seed,
            chosen_among=chosen_among,
        )
        source, layout, columns = file.opened(context)
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
            "A seed is for demonstrations only: anyone who knows it can undo the release.",
            err=True,
        )
    typer.echo(", ".join(f"{name}: {value}" for name, value in layout.found.items()), err=True)
    _finish(
        partial(
            run,
            source,
            target,
            layout,
            columns,
            settings,
            left_out=leave_out or (),
            ragged=file.ragged,
            guard=formulas == "all",
            overwrite=overwrite,
            workers=workers,
            scheduler=scheduler,
        )
    )


def _finish(work: Callable[..., Outcome]) -> None:
    """Run with a bar, and print the outcome."""
    terminal.raise_at_ctrl_c()
    bar = tqdm(unit="row", unit_scale=True)

    def surveyed(found: Survey) -> None:
        bar.write(
            f"Read {counted(found.rows, 'row')}. The file is read again for the release.",
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
        _end(bar, "Stopped. The same command continues this run.", 130)
    except (ValueError, FileExistsError) as error:
        _end(bar, str(error), 2)
    except MemoryError:
        _end(
            bar,
            "Memory: these settings need more than there is. The same command continues this run.",
            1,
        )
    except (OSError, RuntimeError) as error:  # a worker that dies is a RuntimeError
        _end(bar, str(error), 1)
    except Exception as error:
        lines = faults.trace(error)
        _end(
            bar, f"Unexpected error (id {faults.identity(lines)}), shown without texts:\n{lines}", 1
        )
    bar.close()
    readable = report.readable(done.report)
    typer.echo(readable.encode("utf-8", "backslashreplace").decode())  # names with half a character
    typer.echo(
        "The private account beside the file has true counts, which reveal facts about the source. "
        "Do not publish it.",
        err=True,
    )
    if done.remains is not None:
        typer.echo(
            f"{done.remains} could not be removed. It holds a hash of the source: remove it before "
            "you publish anything from the same folder.",
            err=True,
        )


def _end(bar: tqdm, message: str, code: int) -> None:
    bar.close()
    typer.echo(message.encode("utf-8", "backslashreplace").decode(), err=True)
    raise typer.Exit(code)


if __name__ == "__main__":
    terminal.forgive()
    _app()
