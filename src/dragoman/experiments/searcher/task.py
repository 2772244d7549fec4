"""Aligned texts -> a yes-or-no search task in the shape of MATERIAL's (Barry et al. 2020).

Documents are in the foreign language, queries are English terms of varying frequency, and a
document is relevant if its English side contains the term in a sentence (section 3). No pair with a
sentence of a document, in either language, is trained on. A quarter of the queries tests, the
others tune: a threshold for all queries is a rough thing to learn from few.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from dragoman.errors import InputError
from dragoman.systems.searcher.sentences import cut
from dragoman.systems.searcher.terms import is_stop_word, words_of
from dragoman.text.collection import Collection
from dragoman.text.collections.sentences import folded
from dragoman.text.collections.splits import Split, draws
from dragoman.text.files import Faults, read_lines
from dragoman.text.source import read_bitext
from dragoman.tokens.stopwords import listed
from dragoman.types import Document, Judgments, Query, SentencePair, Text

ENGLISH = "en"
MANY_PAIRS = 30_000
SENTENCES = {True: 10, False: 5}  # of a document, where bitext is plenty and where it is not
HELD_OUT = 0.25  # of all documents that bitext could be cut into, at most
PHRASES = 0.2  # of the queries
MOST_COMMON = 0.05  # of the documents; a term of more is no query
TUNING = 3  # queries for each one that tests
SHORTEST = 3  # letters of a query's word


@dataclass(frozen=True, slots=True)
class DetectionTask:
    """Documents, queries that tune, queries that test, and what may be learnt from."""

    name: str
    language: str
    documents: tuple[Document, ...]
    development: tuple[Query, ...]
    test: tuple[Query, ...]
    judgments: Judgments
    training: tuple[SentencePair, ...]

    @property
    def queries(self) -> tuple[Query, ...]:
        """All of them."""
        return (*self.development, *self.test)

    @property
    def fingerprint(self) -> str:
        """Twelve digits that depend on everything a system could be told."""
        return _digest(
            *(f"{d.doc_id}\t{d.text}" for d in self.documents),
            *(f"{q.query_id}\t{q.text}" for q in self.queries),
            self.learnt_from,
        )

    @property
    def learnt_from(self) -> str:
        """Twelve digits that depend on the training pairs alone."""
        return _digest(*(f"{pair.source}\t{pair.target}" for pair in self.training))


def _digest(*texts: str) -> str:
    digest = sha256()
    for text in texts:
        digest.update(f"{text}\n".encode())
    return digest.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Aligned:
    """A document and the sentences of its English side."""

    document: Document
    english: tuple[str, ...]


def from_bitext(
    path: Path, language: str, documents: int, queries: int, pairs: int | None = None
) -> DetectionTask:
    """A task of neighbouring lines of one source; ``pairs`` limits what is trained on."""
    blocks = list(_blocks(path))
    order = sorted(range(len(blocks)), key=lambda n: next(draws("searcher", language, n)))
    held = set(order[: min(documents, int(HELD_OUT * len(blocks)))])
    aligned = [
        Aligned(
            Document(f"{language}-{number:05d}", "\n".join(p.target for p in blocks[number]),
                     language=language),
            tuple(pair.source for pair in blocks[number]),
        )
        for number in sorted(held)
    ]  # fmt: skip
    others = (pair for number, block in enumerate(blocks) if number not in held for pair in block)
    training = _some(list(_unseen(others, aligned)), pairs)
    return _task(path.name, language, aligned, queries, training)


def from_collection(
    folder: Path,
    language: str,
    bitext: Sequence[Path],
    documents: int,
    queries: int,
    pairs: int | None = None,
) -> DetectionTask:
    """A task of a collection's pages outside of its training part (ids are LANGUAGE:ITEM)."""
    collection = Collection.open(folder)
    splits = {query.query_id: query.metadata.get("split") for query in collection.queries()}
    pages: dict[str, dict[str, Document]] = {}
    for document in collection.documents():
        item = document.doc_id.removeprefix(f"{document.language}:")
        if document.language in (ENGLISH, language) and splits.get(item) not in (None, Split.TRAIN):
            pages.setdefault(item, {})[document.language] = document
    both = sorted(item for item, sides in pages.items() if len(sides) == 2)
    chosen = sorted(both, key=lambda item: next(draws("searcher", language, item)))[:documents]
    aligned = [
        Aligned(pages[item][language], tuple(cut(pages[item][ENGLISH].content.body)))
        for item in sorted(chosen)
    ]
    own = collection.bitext_files()
    files = [*bitext, *(path for path in own if f"{ENGLISH}-{language}." in path.name)]
    read = read_bitext(files, Faults(), languages=(ENGLISH, language))
    training = _some(list(_unseen(read, aligned)), pairs)
    return _task(collection.name, language, aligned, queries, training)


def _some(pairs: list[SentencePair], most: int | None) -> list[SentencePair]:
    """At most so many pairs, drawn from all, in their order."""
    rows = np.random.default_rng(0).permutation(len(pairs))[:most]
    return [pairs[row] for row in np.sort(rows)]


def _blocks(path: Path) -> Iterator[list[SentencePair]]:
    """Runs of neighbouring lines from one source."""
    rows = [line.split("\t") for _, line in read_lines(path, Faults())]
    size = SENTENCES[len(rows) >= MANY_PAIRS]
    for _, group in groupby(rows, key=lambda row: row[2] if len(row) > 2 else ""):
        pairs = [SentencePair(row[0].strip(), row[1].strip()) for row in group]
        yield from (pairs[start : start + size] for start in range(0, len(pairs), size))


def _unseen(pairs: Iterable[SentencePair], aligned: Sequence[Aligned]) -> Iterator[SentencePair]:
    """Pairs of which neither side is a sentence of a document."""
    held = {folded(line) for one in aligned for line in one.english}
    held |= {folded(line) for one in aligned for line in cut(one.document.content.body)}
    held |= {folded(line) for one in aligned for line in one.document.text.split("\n")}
    for pair in pairs:
        if folded(pair.source) not in held and folded(pair.target) not in held:
            yield pair


def _task(
    name: str,
    language: str,
    aligned: Sequence[Aligned],
    queries: int,
    training: Sequence[SentencePair],
) -> DetectionTask:
    found = relevant_documents(aligned)
    frequencies = {term: len(ids) for term, ids in found.items()}
    terms = drawn_terms(frequencies, len(aligned), (TUNING + 1) * queries)
    if len(terms) < 2 or not training:
        raise InputError(
            name,
            None,
            found=f"{len(terms)} terms in {len(aligned)} documents, {len(training)} pairs",
            expected="some of each",
        )
    drawn = [Query(f"q{number:04d}", term, ENGLISH) for number, term in enumerate(terms)]
    judgments = {query.query_id: dict.fromkeys(sorted(found[query.text]), 1) for query in drawn}
    return DetectionTask(
        name=name,
        language=language,
        documents=tuple(one.document for one in aligned),
        development=tuple(q for row, q in enumerate(drawn) if row % (TUNING + 1)),
        test=tuple(drawn[:: TUNING + 1]),
        judgments=judgments,
        training=tuple(training),
    )


def relevant_documents(aligned: Iterable[Aligned]) -> dict[str, set[str]]:
    """Every word and every phrase of two of the English sides -> the documents that have it."""
    found: dict[str, set[str]] = {}
    for one in aligned:
        for sentence in one.english:
            words = [w for w in words_of(Text(sentence, ENGLISH)) if not is_stop_word(w, ENGLISH)]
            pairs = (f"{a} {b}" for a, b in pairwise(words))
            for term in (*words, *pairs):
                found.setdefault(term, set()).add(one.document.doc_id)
    return found


def drawn_terms(frequencies: dict[str, int], documents: int, count: int) -> list[str]:
    """At most ``count`` terms, as many of each power of two of their frequency as there are."""
    most = max(1, int(MOST_COMMON * documents))
    chosen: list[str] = []
    for phrases, wanted in ((True, int(PHRASES * count)), (False, count)):
        strata: dict[int, list[str]] = {}
        for term, frequency in frequencies.items():
            proper = all(map(_says_something, term.split()))
            least = 2 if phrases else 1  # most phrases of one document are chance
            if proper and (" " in term) is phrases and least <= frequency <= most:
                strata.setdefault(frequency.bit_length(), []).append(term)
        queues = [
            iter(sorted(terms, key=lambda term: next(draws("term", term))))
            for _, terms in sorted(strata.items())
        ]
        while queues and len(chosen) < wanted:
            queues = [queue for queue in queues if _took(queue, chosen)]
    return sorted(chosen[:count], key=lambda term: next(draws("order", term)))


def _says_something(word: str) -> bool:
    """Whether people would search for a word; the whole list of stop words is left out here."""
    return word.isalpha() and len(word) >= SHORTEST and word not in listed(ENGLISH)


def _took(queue: Iterator[str], chosen: list[str]) -> bool:
    term = next(queue, None)
    if term is not None:
        chosen.append(term)
    return term is not None
