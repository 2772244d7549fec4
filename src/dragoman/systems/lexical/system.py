"""What the lexical systems share: documents become counts of dimensions, queries weighted terms.

A system says which dimensions a document's word has (``dimensions_of``) and which ones a query's
words search (``expand``). Encoding, searching, scoring and explaining follow from these: an
explanation decomposes the score.
"""

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import numpy as np

from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.indexes.search.postings import (
    DocumentScores,
    Located,
    SnapshotPostings,
    TermScores,
)
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Counts, Space, SpaceKind, Vector
from dragoman.lexicons.analysis import LexicalAnalyzer
from dragoman.lexicons.translation_tables import PIVOT, TranslationTables
from dragoman.scores.bm25 import length_norm, saturate
from dragoman.settings import parse_settings
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.expected_counts import (
    HIGHEST,
    PackedDimensions,
    Pairs,
    expected_counts,
)
from dragoman.systems.lexical.explanation import Term, counted, linked
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking, Text

TABLES = "lexicons"


class QueryTerms(NamedTuple):
    """The dimensions that a query asks for: each by one of its words, with a weight."""

    words: IntArray  # the position of the query's word
    dimensions: IntArray
    probabilities: FloatArray  # that the dimension's word is meant
    weights: FloatArray
    located: Located | None = None  # the postings of the dimensions, where they are known

    def by_dimension(self) -> tuple[IntArray, FloatArray]:
        """The dimensions, rising, each once, and the sums of their weights."""
        unique, inverse = np.unique(self.dimensions, return_inverse=True)
        sums = np.bincount(inverse, self.weights, len(unique))
        return unique, sums.astype(np.float64)  # whole numbers where there is none


class LexicalSystem(ABC):
    """Tables through which queries reach documents; what is counted is in the index."""

    name: ClassVar[str]
    space: ClassVar[str]
    zeros: ClassVar[bool] = True  # documents that a search leaves out have a score of 0
    scores_all_words: ClassVar[bool] = False  # a score depends on words that no query asks for

    def __init__(self, config: LexicalConfig, tables: TranslationTables) -> None:
        self.config, self.tables = config, tables
        self.analyzer = LexicalAnalyzer(tables)
        self._packed: dict[str, PackedDimensions] = {}  # by language

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> LexicalConfig:
        """The configuration that plain settings name."""
        return parse_settings(LexicalConfig, settings)

    @classmethod
    def create(cls, config: LexicalConfig) -> Self:
        """The system with its tables."""
        return cls(config, config.tables())

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space of counts."""
        return (Space(self.space, SpaceKind.COUNTS),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return self.tables.languages()

    @property
    def settings(self) -> dict[str, object]:
        """The parameters; analysers and tables are in the treatment of each language."""
        config = self.config
        return {"k1": config.bm25.k1, "b": config.bm25.b, "translate": config.translate}

    def treatment(self, language: str) -> str:
        """The analyser and the table; the table's fingerprint stands for its compound splitter."""
        analysis = self.analyzer.signature_without_splitter(language)
        return f"{analysis}|{self.tables.fingerprint(language)}"

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages whose words cannot be translated."""
        if not self.config.translate:
            return []
        missing = [code for code in languages if code != PIVOT and not self.tables.has(code)]
        return [without_table(missing)] if missing else []

    @abstractmethod
    def dimensions_of(self, language: str) -> Callable[[str], Pairs]:
        """What finds the dimensions of a document's word, with probabilities."""

    @abstractmethod
    def expand(
        self,
        postings: SnapshotPostings,
        words: Sequence[str],
        language: str,
        searched: Sequence[str],
    ) -> QueryTerms:
        """The terms of a query's words for documents in the ``searched`` languages."""

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """Expected counts and lengths; nothing that depends on other documents."""
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row, document in enumerate(documents):
            rows[document.language].append(row)
        vectors: list[Mapping[str, Vector]] = [{}] * len(documents)
        for language, chosen in rows.items():
            texts = [documents[row].content.body for row in chosen]
            bags = [Counter(self.analyzer(text, language)) for text in texts]
            counts = expected_counts(bags, self._dimensions(language))
            for row, bag, one in zip(chosen, bags, counts, strict=True):
                vectors[row] = self.represent(bag, one)
        return vectors

    def represent(self, words: Collection[str], counts: Counts) -> Mapping[str, Vector]:
        """The stored representation of a document with these distinct words."""
        del words
        return {self.space: counts}

    def _dimensions(self, language: str) -> PackedDimensions:
        packed = self._packed.get(language)
        if packed is None:
            new = PackedDimensions(self.dimensions_of(language))
            packed = self._packed.setdefault(language, new)
        return packed

    def postings(self, snapshot: Snapshot) -> SnapshotPostings:
        """The postings that a search of this snapshot reads."""
        return SnapshotPostings(snapshot, self.space)

    def scores_of_all(
        self, snapshot: Snapshot, text: Text, searched: Sequence[str]
    ) -> DocumentScores | None:
        """The documents' scores; None where the query asks for nothing."""
        postings = self.postings(snapshot)
        words = self.analyzer(text.body, text.language)
        terms = self.expand(postings, words, text.language, searched)
        if not len(terms.dimensions):
            return None
        return TermScores(
            postings, terms.dimensions, terms.weights, self.config.bm25, terms.located
        )

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best documents that share anything with the query."""
        searched = scope.allowed.languages or tuple(snapshot.languages)
        scores = self.scores_of_all(snapshot, query.content, searched)
        if scores is None:
            return Ranking(query.query_id, ())
        return Ranking(query.query_id, scope.rank(snapshot, scores.best, k, zeros=self.zeros))

    def score(self, snapshot: Snapshot, query: Query, documents: Sequence[Document]) -> FloatArray:
        """The score of each document by the statistics of the snapshot, as a search gives it."""
        postings, words = self.postings(snapshot), self.analyzer(query.text, query.language)

        @cache
        def weights(language: str) -> tuple[IntArray, FloatArray]:
            return self.expand(postings, words, query.language, [language]).by_dimension()

        scores = np.zeros(len(documents))
        for row, vectors in enumerate(self.encode(documents)):
            counts, language = vectors[self.space], documents[row].language
            assert isinstance(counts, Counts)
            impacts = self.impacts(postings, _rounded(counts), language)
            scores[row] = self.product(*weights(language), counts.dimensions, impacts)
        return scores

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which query word met which document word, how likely, with what share of the score."""
        postings, text = self.postings(snapshot), document.content
        words = self.analyzer.tokens(query.text, query.language)
        terms = self.expand(postings, [w.term for w in words], query.language, [text.language])
        query_terms = [
            Term(words[word].surface, dimension, probability, weight)
            for word, dimension, probability, weight in zip(
                *(column.tolist() for column in terms[:4]), strict=True
            )
        ]
        wanted, find = {term.dimension for term in query_terms}, self.dimensions_of(text.language)

        @cache
        def scored(word: str) -> Pairs:
            return [pair for pair in find(word) if self.scores_all_words or pair[0] in wanted]

        read = self.analyzer.tokens(text.body, text.language)
        document_terms = [Term(w.surface, d, p, p) for w in read for d, p in scored(w.term)]
        counts = counted(document_terms, len(read))
        impacts = self.impacts(postings, _rounded(counts), text.language)
        score = self.product(*terms.by_dimension(), counts.dimensions, impacts)
        by_dimension = dict(zip(counts.dimensions.tolist(), impacts.tolist(), strict=True))
        links = linked(query_terms, document_terms, by_dimension)
        return Explanation(document.doc_id, float(np.nan_to_num(score)), links)

    def impacts(self, postings: SnapshotPostings, counts: Counts, language: str) -> FloatArray:
        """What each dimension of a document is multiplied with: BM25's saturated counts."""
        mean = postings.mean_lengths.get(language, 0.0)
        norm = length_norm(np.array([float(counts.length)]), mean, self.config.bm25)
        return saturate(counts.counts, norm)

    def product(
        self, wanted: IntArray, weights: FloatArray, dimensions: IntArray, impacts: FloatArray
    ) -> float:
        """The score of a document's impacts for a query's weights, dimensions rising in both."""
        _, mine, other = np.intersect1d(wanted, dimensions, assume_unique=True, return_indices=True)
        return float(weights[mine] @ impacts[other])

    def save(self, folder: Path) -> None:
        """Write the configuration and the user's own tables."""
        for language, (_, table) in self.tables.user_tables.items():
            table.save(folder / TABLES / language)
        write_facts(folder, self.name, config=self.settings)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        facts = read_facts(folder, cls.name)
        own = sorted(str(path) for path in folder.glob(f"{TABLES}/*"))
        return cls.create(parse_settings(LexicalConfig, {**facts["config"], "lexicons": own}))


def _rounded(counts: Counts) -> Counts:
    """Counts in the precision of an index."""
    halves = np.minimum(counts.counts, HIGHEST).astype(np.float16)
    return replace(counts, counts=halves.astype(np.float64))


def without_table(languages: Sequence[str]) -> str:
    """What to know of documents and queries in languages that have no table."""
    named = ", ".join(code or "an unnamed language" for code in languages)
    meet = "they meet" if len(languages) > 1 else "it meets"
    return (
        f"no translation table for {named}: {meet} other languages by names, numbers and cognates"
        " only. Learn one (dragoman learn lexicon) and give it with --lexicon."
    )
