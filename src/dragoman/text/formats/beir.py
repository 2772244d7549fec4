"""BEIR folders, in and out: corpus.jsonl, queries.jsonl, qrels/{train,dev,test}.tsv.

Thakur et al. 2021. The files have the plain format; the folder has one qrels file per split. A
query belongs to every split whose qrels contain it.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dragoman.storage.staging import staged_folder
from dragoman.text.files import Faults, require_file
from dragoman.text.formats import plain
from dragoman.text.judgments import Judgment
from dragoman.types import Document, Judgments, Query

SPLITS = {"train": "train", "validation": "dev", "test": "test"}  # our name -> BEIR's


def read_documents(folder: Path, faults: Faults) -> Iterator[Document]:
    """The documents of the folder's corpus."""
    return plain.read_documents(require_file(folder, "corpus.jsonl"), faults)


def read_queries(folder: Path, faults: Faults) -> Iterator[Query]:
    """The queries of all splits."""
    return plain.read_queries(require_file(folder, "queries.jsonl"), faults)


def read_judgments(folder: Path, faults: Faults, split: str = "test") -> Iterator[Judgment]:
    """The rows of one split: train, validation (``dev.tsv``) or test."""
    path = require_file(folder / "qrels", f"{SPLITS.get(split, split)}.tsv")
    return plain.read_judgments(path, faults)


def write_folder(
    folder: Path,
    documents: Iterable[Document],
    queries: Iterable[Query],
    judgments: Mapping[str, Judgments],
) -> None:
    """Write a BEIR folder with one qrels file per split; it appears when all is written."""
    with staged_folder(folder) as staged:
        plain.write_documents(staged / "corpus.jsonl", documents)
        plain.write_queries(staged / "queries.jsonl", queries)
        for split, judged in judgments.items():
            plain.write_judgments(staged / "qrels" / f"{SPLITS.get(split, split)}.tsv", judged)
