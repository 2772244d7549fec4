"""Aligned texts -> a yes-or-no search task in the form of MATERIAL's (Barry et al. 2020).

Documents are in the foreign language, queries are English terms of varying frequency, and a
document is relevant if its English side contains the term in a sentence (section 3). English is
normalised once, for relevance and for all systems (``normalization``). No sentence pair with a
sentence of a document, in either language, is used for training. A quarter of the queries are test
queries; the others are development queries, many because a threshold for all queries is hard to
learn from few.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from dragoman.errors import InputError
from dragoman.experiments.searcher.normalization import ENGLISH, is_stem, normalize_english
from dragoman.systems.searcher.sentences import split_sentences
from dragoman.systems.searcher.terms import is_stop_word
from dragoman.text.collection import Collection
from dragoman.text.collections.sentences import fold_text
from dragoman.text.collections.splits import Split, draws
from dragoman.text.files import Faults, read_lines
from dragoman.text.source import read_bitext
from dragoman.tokens.stopwords import full_list
from dragoman.types import Document, Judgments, Query, SentencePair

MANY_PAIRS = 30_000
SENTENCES = {True: 10, False: 5}  # of a document, with and without MANY_PAIRS
HELD_OUT = 0.25  # of all documents that bitext could be cut into, at most
PHRASES = 0.2  # of the queries
MOST_COMMON = 0.05  # of the documents; terms in more of them are no queries
DEVELOPMENT = 3  # queries for each test query
SHORTEST = 3  # letters of a word in a query


class TrainingPairs(StrEnum):
    """Where the sentence pairs of a collection's task come from."""

    BOTH = "both"
    GENERAL = "general"  # the bitext that all languages have
    IN_DOMAIN = "in-domain"  # the collection's own, of its training part


@dataclass(frozen=True, slots=True)
class DetectionTask:
    """Documents, development and test queries, judgments, and sentence pairs to learn from."""

    name: str
    language: str
    documents: tuple[Document, ...]
    english: tuple[str, ...]  # the English side of each document
    development: tuple[Query, ...]
    test: tuple[Query, ...]
    judgments: Judgments
    training: tuple[SentencePair, ...]
    # of the documents, English normalised; none where their sentences are not aligned
    sentence_pairs: tuple[SentencePair, ...] = ()

    @property
    def queries(self) -> tuple[Query, ...]:
        """The development queries, then the test queries."""
        return (*self.development, *self.test)

    @property
    def fingerprint(self) -> str:
        """Twelve digits that depend on documents, queries and training pairs."""
        return _digest(
            *(f"{d.doc_id}\t{d.text}" for d in self.documents),
            *self.english,
            *(f"{q.query_id}\t{q.text}" for q in self.queries),
            self.training_fingerprint,
        )

    @property
    def training_fingerprint(self) -> str:
        """Twelve digits that depend on the training pairs alone."""
        return _digest(*(f"{pair.source}\t{pair.target}" for pair in self.training))


def _digest(*texts: str) -> str:
    digest = sha256()
    for text in texts:
        digest.update(f"{text}\n".encode())
    return digest.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class AlignedDocument:
    """A document and the sentences of its English side."""

    document: Document
    english: tuple[str, ...]


def from_bitext(
    path: Path, language: str, documents: int | None, queries: int, pairs: int | None = None
) -> DetectionTask:
    """A task whose documents are adjacent lines of bitext; at most ``pairs`` train.

    A quarter of the bitext at most becomes documents, at most ``documents`` of them.
    """
    blocks = list(_blocks(path))
    order = sorted(range(len(blocks)), key=lambda n: next(draws("searcher", language, n)))
    held = set(order[: int(HELD_OUT * len(blocks))][:documents])
    aligned = [
        AlignedDocument(
            Document(f"{language}-{number:05d}", "\n".join(p.target for p in blocks[number]),
                     language=language),
            tuple(pair.source for pair in blocks[number]),
        )
        for number in sorted(held)
    ]  # fmt: skip
    others = (pair for number, block in enumerate(blocks) if number not in held for pair in block)
    training = _sampled(list(_unseen(others, aligned)), pairs)
    task = _task(path.name, language, aligned, queries, training)
    unseen = (pair for number in sorted(held) for pair in blocks[number])
    return replace(task, sentence_pairs=tuple(map(_normalized, unseen)))


def from_collection(
    folder: Path,
    language: str,
    bitext: Sequence[Path],
    documents: int | None,
    queries: int,
    pairs: int | None = None,
    origin: TrainingPairs = TrainingPairs.BOTH,
) -> DetectionTask:
    """A task of a collection's pages outside its training part; ids are LANGUAGE:ITEM.

    Pairs of either ``origin`` belong to tasks with the same documents, queries and judgments.
    """
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
        AlignedDocument(
            pages[item][language], tuple(split_sentences(pages[item][ENGLISH].content.body))
        )
        for item in sorted(chosen)
    ]
    own = [one for one in collection.bitext_files() if f"{ENGLISH}-{language}." in one.name]
    files = {TrainingPairs.GENERAL: bitext, TrainingPairs.IN_DOMAIN: own}
    read = read_bitext(files.get(origin, [*bitext, *own]), Faults(), languages=(ENGLISH, language))
    training = _sampled(list(_unseen(read, aligned)), pairs)
    return _task(collection.name, language, aligned, queries, training)


def _sampled(pairs: list[SentencePair], most: int | None) -> list[SentencePair]:
    """At most ``most`` pairs, sampled from all, in their order."""
    rows = np.random.default_rng(0).permutation(len(pairs))[:most]
    return [pairs[row] for row in np.sort(rows)]


def _blocks(path: Path) -> Iterator[list[SentencePair]]:
    """Groups of adjacent lines from one source."""
    rows = [line.split("\t") for _, line in read_lines(path, Faults())]
    size = SENTENCES[len(rows) >= MANY_PAIRS]
    for _, group in groupby(rows, key=lambda row: row[2] if len(row) > 2 else ""):
        pairs = [SentencePair(row[0].strip(), row[1].strip()) for row in group]
        yield from (pairs[start : start + size] for start in range(0, len(pairs), size))


def _unseen(
    pairs: Iterable[SentencePair], aligned: Sequence[AlignedDocument]
) -> Iterator[SentencePair]:
    """The pairs neither side of which is a sentence of a document."""
    held = {fold_text(line) for one in aligned for line in one.english}
    held |= {
        fold_text(line) for one in aligned for line in split_sentences(one.document.content.body)
    }
    held |= {fold_text(line) for one in aligned for line in one.document.text.split("\n")}
    for pair in pairs:
        if fold_text(pair.source) not in held and fold_text(pair.target) not in held:
            yield pair


def _task(
    name: str,
    language: str,
    aligned: Sequence[AlignedDocument],
    queries: int,
    training: Sequence[SentencePair],
) -> DetectionTask:
    relevant = relevant_documents(aligned)
    frequencies = {term: len(ids) for term, ids in relevant.items()}
    terms = sample_terms(frequencies, len(aligned), (DEVELOPMENT + 1) * queries)
    if len(terms) < 2 or not training:
        raise InputError(
            name,
            None,
            found=f"{len(terms)} terms in {len(aligned)} documents, {len(training)} pairs",
            expected="some of each",
        )
    drawn = [Query(f"q{number:04d}", term, ENGLISH) for number, term in enumerate(terms)]
    judgments = {query.query_id: dict.fromkeys(sorted(relevant[query.text]), 1) for query in drawn}
    return DetectionTask(
        name=name,
        language=language,
        documents=tuple(one.document for one in aligned),
        english=tuple("\n".join(map(normalize_english, one.english)) for one in aligned),
        development=tuple(q for row, q in enumerate(drawn) if row % (DEVELOPMENT + 1)),
        test=tuple(drawn[:: DEVELOPMENT + 1]),
        judgments=judgments,
        training=tuple(map(_normalized, training)),
    )


def _normalized(pair: SentencePair) -> SentencePair:
    return SentencePair(normalize_english(pair.source), pair.target)


def relevant_documents(aligned: Iterable[AlignedDocument]) -> dict[str, set[str]]:
    """Every word and two-word phrase of the English sides, normalised -> its documents."""
    documents: dict[str, set[str]] = {}
    for one in aligned:
        for sentence in one.english:
            words = [w for w in normalize_english(sentence).split() if not is_stop_word(w, ENGLISH)]
            pairs = (f"{a} {b}" for a, b in pairwise(words))
            for term in (*words, *pairs):
                documents.setdefault(term, set()).add(one.document.doc_id)
    return documents


def sample_terms(frequencies: dict[str, int], documents: int, count: int) -> list[str]:
    """At most ``count`` terms, drawn in turn from strata by powers of two of their frequency."""
    most = max(1, int(MOST_COMMON * documents))
    chosen: list[str] = []
    for phrases, wanted in ((True, int(PHRASES * count)), (False, count)):
        strata: dict[int, list[str]] = {}
        for term, frequency in frequencies.items():
            proper = all(map(is_searchable, term.split()))
            least = 2 if phrases else 1  # most phrases of one document are chance
            if proper and (" " in term) is phrases and least <= frequency <= most:
                strata.setdefault(frequency.bit_length(), []).append(term)
        queues = [
            iter(sorted(terms, key=lambda term: next(draws("term", term))))
            for _, terms in sorted(strata.items())
        ]
        while queues and len(chosen) < wanted:
            queues = [queue for queue in queues if _take_next(queue, chosen)]
    return sorted(chosen[:count], key=lambda term: next(draws("order", term)))


def is_searchable(word: str) -> bool:
    """Whether users would search for a word; the complete list of stop words is excluded."""
    is_listed = word in full_list(ENGLISH)
    return word.isalpha() and len(word) >= SHORTEST and is_stem(word) and not is_listed


def _take_next(queue: Iterator[str], chosen: list[str]) -> bool:
    """Move one term to ``chosen``; False where the queue is empty."""
    term = next(queue, None)
    if term is not None:
        chosen.append(term)
    return term is not None
