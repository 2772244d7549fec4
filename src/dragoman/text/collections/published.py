"""A folder of a published CLIR data set, as it was downloaded -> judged language pairs.

Sasaki et al. 2018     wiki_QQ.queries, wiki_DD.documents, QQ2DD.rel
CLIRMatrix (MULTI-8)   DD.tsv.gz, QQ.DD.train.jl.gz, QQ.DD.dev.jl.gz, QQ.DD.test1.jl.gz

QQ is the language of queries, DD that of documents; a folder may have several pairs. Grades are
three, as in Sasaki et al.: the same article (2), a related one (1), another (0); CLIRMatrix's 6 is
2, its 1 to 5 are 1. Sasaki's files have no splits and no irrelevant documents: queries are divided
3:1:1 by hashes of their ids, and 40 documents are sampled for each query, as Liu et al. 2020 do.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dragoman.errors import ConfigError
from dragoman.text.collection import Collection
from dragoman.text.collections.splits import SHARES, Split, draws, sample
from dragoman.text.files import ENDINGS, Faults
from dragoman.text.formats import clirmatrix, sasaki
from dragoman.text.judgments import collect_judgments
from dragoman.types import Document, Judgments, Query

SAME, RELATED = 2, 1
CLIRMATRIX_SAME = 6
NEGATIVES = 40  # sampled for each query where the files have none
SPLITS = {"train": Split.TRAIN, "dev": Split.VALIDATION, "test1": Split.TEST}
_RELEVANCE = re.compile(r"([a-z]+)2([a-z]+)\.rel")
_RESULTS = re.compile(r"([a-z]+)\.([a-z]+)\.(train|dev|test1)(?:\.base|\.full)?\.jl")


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """The files of one pair of languages."""

    query_language: str
    document_language: str
    document_file: Path
    query_files: Mapping[str, Path]  # by split; "" where the files have no splits
    judgment_file: Path | None = None  # None: judgments are in the query files

    def documents(self, faults: Faults) -> Iterator[Document]:
        """The documents, under their published ids."""
        read = clirmatrix.read_documents if self.judgment_file is None else sasaki.read_documents
        return read(self.document_file, faults)

    def queries(self, faults: Faults) -> Iterator[Query]:
        """The queries, each with its split; Sasaki's are the first sentences of articles."""
        for split, path in self.query_files.items():
            if self.judgment_file is None:
                for query in clirmatrix.read_queries(path, faults):
                    yield replace(query, metadata={"split": str(SPLITS[split])})
            else:
                for query in sasaki.read_queries(path, faults):
                    drawn = drawn_split(query.query_id)
                    yield replace(query, metadata={**query.metadata, "split": str(drawn)})

    def judgments(self, faults: Faults) -> Judgments:
        """Grades from 0 to 2; Sasaki's files have those above 0 alone."""
        if self.judgment_file is not None:
            return collect_judgments(sasaki.read_judgments(self.judgment_file, faults), faults)
        judged: dict[str, dict[str, int]] = {}
        for path in self.query_files.values():
            rows = collect_judgments(clirmatrix.read_judgments(path, faults), faults)
            for query_id, grades in rows.items():
                judged[query_id] = {doc_id: _folded(grade) for doc_id, grade in grades.items()}
        return judged


def drawn_split(name: str) -> Split:
    """The split of something that the files have no split for, by a hash of its name."""
    place = next(draws("published", name)) / 2**64
    if place < SHARES[Split.TRAIN]:
        return Split.TRAIN
    return Split.VALIDATION if place < 1 - SHARES[Split.TEST] else Split.TEST


def _folded(grade: int) -> int:
    return SAME if grade >= CLIRMATRIX_SAME else RELATED if grade > 0 else 0


def find_pairs(folder: Path) -> list[PublishedPair]:
    """The pairs whose files are all in the folder, sorted by their languages; none elsewhere."""
    if not folder.is_dir():
        return []
    files = {_plain_name(path): path for path in sorted(folder.iterdir()) if path.is_file()}
    pairs = [*_sasaki_pairs(files), *_clirmatrix_pairs(files)]
    return sorted(pairs, key=lambda pair: (pair.query_language, pair.document_language))


def _plain_name(path: Path) -> str:
    """The name without the ending of a compressed file."""
    ending = next((end for end in ENDINGS if end and path.name.endswith(end)), "")
    return path.name.removesuffix(ending)


def _sasaki_pairs(files: Mapping[str, Path]) -> Iterator[PublishedPair]:
    for name, path in files.items():
        if match := _RELEVANCE.fullmatch(name):
            queries = files.get(f"wiki_{match[1]}.queries")
            documents = files.get(f"wiki_{match[2]}.documents")
            if queries and documents:
                yield PublishedPair(match[1], match[2], documents, {"": queries}, path)


def _clirmatrix_pairs(files: Mapping[str, Path]) -> Iterator[PublishedPair]:
    parts: dict[tuple[str, str], dict[str, Path]] = {}
    for name, path in files.items():
        if match := _RESULTS.fullmatch(name):
            parts.setdefault((match[1], match[2]), {})[match[3]] = path
    for (query_language, document_language), splits in parts.items():
        documents = files.get(f"{document_language}.tsv")
        if documents and splits.keys() == SPLITS.keys():
            yield PublishedPair(query_language, document_language, documents, splits)


@dataclass(frozen=True, slots=True)
class PublishedCollection(Collection):
    """One pair of a published data set, read as a collection with splits and graded judgments."""

    pair: PublishedPair | None = None
    _pool: list[str] = field(default_factory=list)  # ids of all documents, read once

    def documents(self) -> Iterator[Document]:
        """The documents of the pair."""
        return self._files.documents(self.faults)

    def queries(self, split: str | None = None) -> Iterator[Query]:
        """The queries, or those of one split."""
        queries = self._files.queries(self.faults)
        return (query for query in queries if split in (None, query.metadata["split"]))

    def judgments(self, split: str | None = None) -> Judgments:
        """The judgments, or those of one split's queries, with sampled irrelevant documents."""
        wanted = {query.query_id for query in self.queries(split)}
        judged = self._files.judgments(self.faults)
        return {
            query_id: self._with_negatives(query_id, grades)
            for query_id, grades in judged.items()
            if query_id in wanted
        }

    def _with_negatives(self, query_id: str, grades: Mapping[str, int]) -> dict[str, int]:
        if not all(grades.values()):
            return dict(grades)
        if not self._pool:
            self._pool.extend(document.doc_id for document in self.documents())
        drawn = sample(self._pool, NEGATIVES, {*grades}, ("published", query_id))
        return {**grades, **dict.fromkeys(drawn, 0)}

    @property
    def _files(self) -> PublishedPair:
        assert self.pair is not None, "a published collection has a pair"
        return self.pair


def open_graded(source: str | Path, languages: tuple[str, str] | None = None) -> Collection:
    """A published data set in its own files, or any other collection.

    ``languages`` are those of queries and documents; a folder with several pairs needs them.
    """
    pairs = find_pairs(Path(source))
    if not pairs:
        return Collection.open(source)
    chosen = _choose(pairs, languages, source)
    name = f"{Path(source).resolve().name}-{chosen.query_language}-{chosen.document_language}"
    documents, queries = str(chosen.document_file), str(next(iter(chosen.query_files.values())))
    return PublishedCollection(name, Faults(), documents, queries, {"": queries}, pair=chosen)


def _choose(
    pairs: Sequence[PublishedPair], languages: tuple[str, str] | None, source: str | Path
) -> PublishedPair:
    known = {(pair.query_language, pair.document_language): pair for pair in pairs}
    if languages is None and len(pairs) == 1:
        return pairs[0]
    if languages in known:
        return known[languages]
    names = ", ".join("-".join(pair) for pair in known)
    wanted = f"no pair {'-'.join(languages)}" if languages else f"{len(pairs)} pairs of languages"
    raise ConfigError(f"{source}: found {wanted}; expected one of {names} (--languages).")
