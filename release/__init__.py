"""Releases: files in, private files out; the command line; the scikit-learn transformer.

source.py       one open file, compared with itself before the end
encoding.py     which encoding a file has; western.py: whether bytes make sense in cp1252
dialect.py      separator, escape sign and header of a CSV file
layout.py       the layout of a file: format, encoding, separator, header
cells.py        a row: its cells, and its text in the file
workbook.py      rows of an Excel workbook
csv_rows.py     rows of CSV, cells written anew; json_rows.py and arrow.py: of JSON Lines, Parquet
tables.py       rows of a file in, the private file out
survey.py       the first reading: rows, the first, the last and the longest
names.py         name-like words of a corpus
check.py         contents of texts and passing columns; patterns.py: addresses, links, numbers;
                 languages.py: the language of a text
choose.py        which mechanism and ε for a file: the command; demands.py: the demands;
                 candidates.py: the settings tried; evidence.py: their effect on the file;
                 choice.py: the recommendation; refine.py: from a part of the file to all of it
choice_row.py    a row of its table; choice_wording.py: the templates of its sentences;
                 corpus_texts.py: a packaged corpus in place of the file
survived.py      words that a draw left unchanged, names first
verify.py        whether a private file and its report belong together
record.py        the decision record; choice_record.py: the choice in it
earlier.py       earlier releases of the same file
labelled.py     a table of texts and labels as a corpus; q_corpus.py: the corpus of q; overlap.py:
                private texts that it holds
spreadsheet.py  cells that a spreadsheet would run
settings.py     which mechanism, on which words
pieces.py       private texts of some rows, and counts of their tokens
plan.py         the counts before the run
driver.py       one driver: pieces drawn anew, for the disk and for a session
run.py          the whole file, in pieces that outlive a kill; parts.py: such pieces on disk
report.py       the public report; expected.py: its expected PP; grammar.py: numbers with nouns;
                unprotected.py: the sentence on tokens released as typed
account.py      the private account: true counts, size and hash of the source
terminal.py     a terminal that goes away or sends Ctrl-C
faults.py       unexpected errors without texts: a trace and an id
options.py      the options of a file: one group for every command that reads one
transformer.py  `PrivateText`, for pipelines of scikit-learn
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """`release.PrivateText`, loaded with scikit-learn on first use."""
    if name == "PrivateText":
        from release.transformer import PrivateText

        return PrivateText
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
