"""The options of the file: one group for every command that reads one, and its reader.

    @app.command()
    @options.reads_a_file
    def main(context: typer.Context, file: FileOptions, target: Path) -> None:
        source, layout, columns = file.opened(context)

The command takes every field of `FileOptions` as an option of its own, so two commands cannot read
the same file in two ways.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args

import typer

from mechanisms.typed_numbers import typed_real
from release import layout as layouts
from release.cells import Ragged
from release.encoding import BadBytes
from release.layout import Layout
from release.source import Source


def one_of(*values: str, text: str) -> typer.models.OptionInfo:
    """An option whose help lists its values."""
    return typer.Option(help=text, metavar="|".join(values))


def number(text: str) -> float:
    """A number as typed in a command.

    Raises
    ------
    typer.BadParameter
        For a text that is not a real number, with the text.

    """
    try:
        return typed_real(text)
    except ValueError as error:
        raise typer.BadParameter(f"{error}; got {text!r}.") from None


class Opened(NamedTuple):
    """An open file, how it is read, and its text columns."""

    source: Source
    layout: Layout
    columns: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The file of a command, and what the command says about it."""

    source: Annotated[
        Path,
        typer.Argument(
            help=f"The file: {', '.join(layouts.SUFFIXES)}.", exists=True, dir_okay=False
        ),
    ]
    column: Annotated[
        list[str] | None,
        typer.Option(help="A column that holds text, by its name. May be repeated."),
    ] = None
    format: Annotated[
        str | None,
        one_of(
            *get_args(layouts.Format), text="Format of the file; by default, its ending decides."
        ),
    ] = None
    encoding: Annotated[
        str | None, typer.Option(help="The encoding, such as utf-8 or cp1252; detected by default.")
    ] = None
    separator: Annotated[
        str | None,
        typer.Option(help="The separator: one character, or 'tab'; detected by default."),
    ] = None
    header: Annotated[
        bool | None,
        typer.Option(help="Whether the first row names the columns; detected by default."),
    ] = None
    quotes: Annotated[
        bool | None,
        typer.Option(
            "--quotes/--no-quotes",
            help="Whether quotation marks enclose cells. By default they do, and a file that can "
            "be read in two ways is refused.",
        ),
    ] = None
    escape: Annotated[
        str | None,
        typer.Option(
            help="The sign before a quotation mark inside a cell, or 'none'; detected by default."
        ),
    ] = None
    sheet: Annotated[
        str | None, typer.Option(help="The sheet of a workbook; the first by default.")
    ] = None
    bad_bytes: Annotated[
        str | None,
        one_of(
            *get_args(BadBytes),
            text="What happens to bytes that are not in the encoding; by default, an error.",
        ),
    ] = None
    ragged: Annotated[
        str, one_of(*get_args(Ragged), text="What happens to rows with too many or too few cells.")
    ] = "refuse"

    def opened(self, context: typer.Context, named: Sequence[str] = ()) -> Opened:
        """Open the file until the command ends, and find how it is read.

        `named` are other columns that the command knows by name.

        Raises
        ------
        ValueError
            For an option with a value that it does not have, or for a file or columns that cannot
            be read.
        OSError
            For a file that is missing or that may not be read.

        """
        if not self.source.is_file():
            raise ValueError(f"File: {self.source} is not a file on disk; save it as one first.")
        for option, value, options in (
            ("--ragged", self.ragged, get_args(Ragged)),
            ("--format", self.format, (None, *get_args(layouts.Format))),
            ("--bad-bytes", self.bad_bytes, (None, *get_args(BadBytes))),
        ):
            if value not in options:
                raise ValueError(
                    f"{option} must be one of {', '.join(filter(None, options))}; got {value!r}."
                )
        columns = tuple(dict.fromkeys(self.column or ()))
        file = Source(self.source)
        context.call_on_close(file.close)
        layout = layouts.layout(
            self.source.name,
            file,
            format=self.format,
            encoding=self.encoding,
            delimiter="\t" if self.separator == "tab" else self.separator,
            header=self.header,
            quotes=self.quotes,
            escape="" if self.escape == "none" else self.escape,
            bad_bytes=self.bad_bytes,
            named=(*columns, *named),
            sheet=self.sheet,
        )
        columns = columns or (layout.columns if len(layout.columns) == 1 else ())
        if not columns:
            shown = ", ".join(layout.columns[:20])
            raise ValueError(f"--column: name the columns that hold text. The file has: {shown}.")
        return Opened(file, layout, columns)

    def as_typed(self) -> Iterator[str]:
        """The words of a command that reads the file in the same way, without its columns."""
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in ("source", "column") or value == each.default:
                continue
            option = each.name.replace("_", "-")
            if isinstance(value, bool):
                yield f"--{option}" if value else f"--no-{option}"
            else:
                yield from (f"--{option}", str(value))


def reads_a_file(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every field of `FileOptions` in place of its parameter `file`."""
    group = inspect.signature(FileOptions, eval_str=True).parameters
    given = inspect.signature(command, eval_str=True).parameters
    taken = [
        each.replace(kind=each.KEYWORD_ONLY)
        for name, parameter in given.items()
        for each in (group.values() if name == "file" else (parameter,))
    ]

    def whole(**typed: Any) -> None:
        file = FileOptions(**{name: typed.pop(name) for name in group})
        command(file=file, **typed)

    whole.__name__ = command.__name__
    whole.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    whole.__annotations__ = {each.name: each.annotation for each in taken}
    return whole
