"""Which encoding a file has; nothing is guessed if letters could come out wrong.

1. A byte order mark names the encoding.
2. A file of valid UTF-8 is UTF-8. If most of its bytes above 127 are, it is UTF-8 with faults:
   they are told, and `bad_bytes` decides (`replace` by U+FFFD, `cp1252`, or `refuse`).
3. Otherwise it is cp1252 if every byte above 127 makes sense there (`release.western`).
4. In any other case `Unclear` shows one line in three readings, to choose from.

An encoding that is told is obeyed. Its mark is removed, and restored in the private file.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TextIO

from release.source import Readable, opened
from release.western import is_western

BadBytes = Literal["refuse", "replace", "cp1252"]

MARKS = (  # the longer ones first: UTF-32's begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BLOCK = 1 << 22
_SAMPLE = 1 << 16
_EXCERPT = 60
_MOST_FAULTS_SHOWN = 3
_READINGS = ("cp1252", "mac-roman", "cp850", "cp1250", "cp1251", "koi8-r", "iso8859-2", "cp437")

# Valid sequences of UTF-8 above ASCII.
_UTF8 = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_HIGH = re.compile(rb"[\x80-\xff]")


class Unclear(ValueError):
    """A file that can be read in several ways; `readings` are (encoding, one line so read)."""

    def __init__(self, message: str, readings: tuple[tuple[str, str], ...]) -> None:
        """The sentence and the readings."""
        super().__init__(message)
        self.readings = readings


@dataclass(frozen=True)
class Faults:
    """Bytes of a file that are not UTF-8: their number, and the first by line and value."""

    count: int
    first: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        """The faults in words."""
        shown = "; ".join(
            f"line {line}: 0x{byte:02X}, in cp1252 {bytes([byte]).decode('cp1252', 'replace')!r}"
            for line, byte in self.first
        )
        more = "; …" if self.count > len(self.first) else ""
        are = "byte is" if self.count == 1 else "bytes are"
        return f"{self.count:,} {are} not UTF-8 ({shown}{more})"


def encoding_of(source: Readable, told: str | None, bad_bytes: BadBytes | None) -> str:
    """The encoding of a file.

    Raises
    ------
    Unclear
        If the file can be read in several ways.
    ValueError
        For an encoding that there is none of, or a UTF-8 file with faults that are not allowed.

    """
    start = _start(source)
    marked = next((name for mark, name in MARKS if start.startswith(mark)), None)
    if told is not None:
        try:
            name = codecs.lookup(told).name
            "".encode(name)
        except (LookupError, ValueError):
            raise ValueError(f"Encoding: {told!r} is unknown; try utf-8 or cp1252.") from None
        if name == "utf-8" and marked == "utf-8-sig":
            name = "utf-8-sig"
        if name.startswith("utf-8"):
            _refuse_faults(scan(source), bad_bytes)
        return name
    if marked is not None:
        if marked == "utf-8-sig":
            _refuse_faults(scan(source), bad_bytes)
        return marked
    found = scan(source)
    if found.faults.count == 0:
        return "utf-8"
    if found.valid > found.faults.count:
        _refuse_faults(found, bad_bytes)
        return "utf-8"
    if found.western:
        return "cp1252"
    raise _unclear(found)


@dataclass
class Scan:
    """Counts of the bytes above 127 of a file."""

    valid: int = 0
    """Bytes in valid sequences of UTF-8."""
    faults: Faults = Faults(0, ())
    western: bool = True
    sample: bytes = b""
    """The first line that is not UTF-8."""
    line: int = 0


def scan(source: Readable) -> Scan:
    """Look at all bytes of a file."""
    found, count, first, lines = Scan(), 0, list[tuple[int, int]](), 1
    evidence = False
    with opened(source) as file:
        for block in _blocks(file):
            if block.isascii():
                lines += _breaks(block)
                continue
            rest = _UTF8.sub(lambda seen: b"u" * len(seen[0]), block)
            bad = _HIGH.findall(rest)
            found.valid += len(_HIGH.findall(block)) - len(bad)
            if bad:
                count += len(bad)
                for at in _HIGH.finditer(rest):
                    if len(first) == _MOST_FAULTS_SHOWN:
                        break
                    first.append((lines + _breaks(block[: at.start()]), rest[at.start()]))
                    if not found.sample:
                        found.sample, found.line = _line_at(block, at.start()), first[0][0]
            if found.western:
                verdict = is_western(block)
                found.western = verdict is not False
                evidence = evidence or verdict is True
            lines += _breaks(block)
    found.western = found.western and evidence
    found.faults = Faults(count, tuple(first))
    return found


def _blocks(file: object) -> Iterator[bytes]:
    """Blocks that end with a line, as far as lines are not longer than a block."""
    rest = b""
    while block := file.read(_BLOCK):  # type: ignore[attr-defined]
        block = rest + block
        cut = max(block.rfind(b"\n"), block.rfind(b"\r", 0, -1)) + 1
        if not cut:
            cut = _before_a_character(block)
        yield block[:cut]
        rest = block[cut:]
    if rest:
        yield rest


def _before_a_character(block: bytes) -> int:
    """A place near the end that is not inside a character of UTF-8."""
    for back in range(1, 5):
        if block[-back] < 0x80 or block[-back] >= 0xC0:
            return len(block) - back
    return len(block)


def _breaks(block: bytes) -> int:
    return block.count(b"\n") + block.count(b"\r") - block.count(b"\r\n")


def _line_at(block: bytes, place: int) -> bytes:
    begins = max(block.rfind(b"\n", 0, place), block.rfind(b"\r", 0, place)) + 1
    ends = min(
        (e for e in (block.find(b"\n", place), block.find(b"\r", place)) if e >= 0),
        default=len(block),
    )
    begins = max(begins, place - _EXCERPT // 2)
    return block[begins : min(ends, begins + _EXCERPT)]


def _refuse_faults(found: Scan, bad_bytes: BadBytes | None) -> None:
    if found.faults.count and bad_bytes in (None, "refuse"):
        raise ValueError(
            f"File: it is UTF-8, but {found.faults}. Correct it, or choose how to read such bytes: "
            "--bad-bytes cp1252 reads each as that letter, --bad-bytes replace releases �."
        )


def _unclear(found: Scan) -> Unclear:
    from charset_normalizer import from_bytes

    guesses = [match.encoding for match in from_bytes(found.sample)]
    readings: dict[str, str] = {}
    for name in (*_READINGS[:1], *guesses, *_READINGS):
        try:
            text = found.sample.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
        if text.isprintable() and text not in readings.values():
            readings[codecs.lookup(name).name] = text
        if len(readings) == 3:
            break
    shown = "; ".join(f"--encoding {name}: {text!r}" for name, text in readings.items())
    return Unclear(
        f"File: line {found.line} is not UTF-8, and its letters can be read in several ways. "
        + (f"Choose the right one: {shown}." if shown else "If it is text, name its encoding."),
        tuple(readings.items()),
    )


def _start(source: Readable) -> bytes:
    with opened(source) as file:
        return file.read(_SAMPLE)


# ----------------------------------------------------------------------------------------- decoding


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    bad = error.object[error.start : error.end]
    return bad.decode("cp1252", "replace"), error.end


codecs.register_error("wordveil-cp1252", _as_cp1252)
_ERRORS = {"refuse": "strict", "replace": "replace", "cp1252": "wordveil-cp1252"}


@contextmanager
def decoded(
    source: Readable, encoding: str, bad_bytes: BadBytes = "refuse"
) -> Iterator[tuple[str, TextIO]]:
    """The mark of a file as text, and its lines with their ends.

    Raises
    ------
    ValueError
        For bytes that the encoding does not know.

    """
    encoding = "utf-8" if encoding == "utf-8-sig" else encoding
    with (
        opened(source) as file,
        io.TextIOWrapper(file, encoding, _ERRORS[bad_bytes], newline="") as lines,
    ):
        try:
            skipped = _without_mark(file, encoding)
            yield ("\ufeff" if skipped else ""), lines
        except UnicodeError as error:
            raise ValueError(_undecodable(source, encoding, error)) from None


def _without_mark(file: object, encoding: str) -> bool:
    """Leap over a byte order mark that the codec itself would not remove."""
    start = file.peek(4)[:4] if hasattr(file, "peek") else file.getvalue()[:4]  # type: ignore[attr-defined]
    for mark, name in MARKS:
        if start.startswith(mark) and encoding.replace("_", "-").startswith(
            name.removesuffix("-sig")
        ):
            if encoding not in ("utf-16", "utf-32"):
                file.read(len(mark))  # type: ignore[attr-defined]
            return True
    return False


def _undecodable(source: Readable, encoding: str, error: UnicodeError) -> str:
    line = 1
    with opened(source) as file:
        decoder = codecs.getincrementaldecoder(encoding)()
        for block in iter(lambda: file.readline(_BLOCK), b""):
            try:
                decoder.decode(block)
            except UnicodeError:
                break
            line += block.count(b"\n")
    reason = error.reason if isinstance(error, UnicodeDecodeError) else error
    return (
        f"File: line {line} is not {encoding} ({reason}). Choose another encoding (--encoding), or "
        "how to read such bytes (--bad-bytes)."
    )
