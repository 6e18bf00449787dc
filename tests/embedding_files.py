"""Embedding files as other tools write them, and their reading."""

import gzip
import io
import zipfile
from functools import partial

import numpy as np

from data.embedding_formats import rows
from data.embedding_source import Findings, Limits, Source

ROOMY = Limits(bytes=10**9, rows=10**6)

WORDS = ["the", "café", "film", "o'neil", "中文", "a_b", "2008", "Film"]
VECTORS = np.random.default_rng(7).normal(size=(len(WORDS), 5)).astype(np.float32)


def text(words=WORDS, vectors=VECTORS, header=False, end="\n", gap=" ", last=True):
    lines = [f"{len(words)} {vectors.shape[1]}"] if header else []
    for word, vector in zip(words, vectors, strict=True):
        lines.append(gap.join([word, *(f"{number:.9g}" for number in vector)]))
    return (end.join(lines) + (end if last else "")).encode()


def binary(words=WORDS, vectors=VECTORS, end=b"\n"):
    """As word2vec's C program writes it; gensim leaves the line break out."""
    parts = [f"{len(words)} {vectors.shape[1]}\n".encode()]
    for word, vector in zip(words, vectors, strict=True):
        parts.append(word.encode() + b" " + vector.astype("<f4").tobytes() + end)
    return b"".join(parts)


def array(vectors=VECTORS):
    file = io.BytesIO()
    np.save(file, vectors)
    return file.getvalue()


def listed(words=WORDS):
    return ("\n".join(words) + "\n").encode()


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as inside:
        for name, content in files.items():
            inside.writestr(name.replace("__", "."), content)
    return packed.getvalue()


def gzipped(content):
    return gzip.compress(content, 1)


def source(content, words=None, member=None, name="mine"):
    beside = Source("mine.txt", partial(io.BytesIO, words)) if words is not None else None
    return Source(name, partial(io.BytesIO, content), member, beside)


def read(content, words=None, limits=ROOMY, member=None, progress=None):
    """Words, vectors, line numbers, and what the reader found."""
    findings = Findings()
    blocks = list(rows(source(content, words, member), limits, findings, progress))
    with np.errstate(over="ignore"):
        vectors = np.concatenate([block.vectors for block in blocks]).astype(np.float32)
    return (
        [word.decode() for block in blocks for word in block.words],
        vectors,
        [int(line) for block in blocks for line in block.lines],
        findings,
    )
