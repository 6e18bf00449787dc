"""Builds `wordnet.txt.gz`, the table of synonyms, from the WordNet 3.0 database files.

    python -m data.build_wordnet /usr/share/wordnet

The folder is that of Debian's package `wordnet-base`. A line of the table is a synset: its words,
in lower case, in alphabetical order, a space between. What is kept:

- lemmas of one word; those of several words (written with an underscore) cannot be in a sentence
  that is cut into words. Hyphens, apostrophes, dots and digits stay;
- without the marks that say where an adjective stands: `afraid(p)` is `afraid`;
- synsets of at least two such words, each once: a word alone has no synonym.

The same files give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from data.wordnet import TABLE

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_ADJECTIVE_MARK = re.compile(r"\((?:a|p|ip)\)$")


def synsets(folder: Path) -> Iterator[tuple[str, ...]]:
    """The one-word lemmas of every synset, in the order of the files (wndb(5WN))."""
    for part in _PARTS_OF_SPEECH:
        with open(folder / f"data.{part}", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("  "):  # the licence
                    continue
                # offset, file, type, number of lemmas in hexadecimal, then (lemma, sense) pairs
                fields = line.split(" ")
                count = int(fields[3], 16)
                lemmas = (_ADJECTIVE_MARK.sub("", lemma) for lemma in fields[4 : 4 + 2 * count : 2])
                yield tuple(lemma.lower() for lemma in lemmas if "_" not in lemma)


def table(folder: Path) -> bytes:
    """The table, uncompressed."""
    lines = {" ".join(sorted(set(lemmas))) for lemmas in synsets(folder) if len(set(lemmas)) > 1}
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


def main() -> None:
    """Write the table beside `wordnet.py`."""
    parser = argparse.ArgumentParser(description="Build the table of synonyms from WordNet 3.0.")
    parser.add_argument("folder", type=Path, help="the folder of data.noun, data.verb, …")
    TABLE.write_bytes(gzip.compress(table(parser.parse_args().folder), 9, mtime=0))


if __name__ == "__main__":
    main()
