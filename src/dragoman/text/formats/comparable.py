"""Line-aligned comparable corpora: line i of two files is document i, in two languages.

The files of mate retrieval, as in Vulic and Moens 2015 and Balikas et al. 2018: one side holds the
queries, the other the documents, and document i is the only one relevant to query i. Ids are line
numbers, so that an unreadable or empty line does not break the alignment.
``bitext.check_line_counts`` compares the two sides.
"""

from collections.abc import Iterator
from pathlib import Path

from dragoman.text.files import Faults, read_lines
from dragoman.text.judgments import Judgment
from dragoman.text.records import Location
from dragoman.types import Document, Query


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of one side; an empty line is a fault."""
    for number, line in _filled_lines(path, faults):
        yield Document(str(number), line)


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The texts of one side as queries; an empty line is a fault."""
    for number, line in _filled_lines(path, faults):
        yield Query(str(number), line)


def read_judgments(path: Path, faults: Faults) -> Iterator[Judgment]:
    """One judgment per line: document i has grade 1 for query i."""
    for number, _ in _filled_lines(path, faults):
        yield Judgment(str(number), str(number), 1, Location(path, number))


def _filled_lines(path: Path, faults: Faults) -> Iterator[tuple[int, str]]:
    for number, line in read_lines(path, faults):
        if line.strip():
            yield number, line.strip()
        else:
            faults.report(
                Location(path, number).fault(found="an empty line", expected="a document")
            )
