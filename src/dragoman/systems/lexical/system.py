"""What the lexical systems share: documents in, postings out; a query meets them term by term.

A system says which dimensions a word has, on the document's side (``document_terms``) and on the
query's (``query_terms``), and how counts become impacts. Search, encoding, scoring and explanation
follow from these: an explanation is the score taken apart again.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.indexes.saved import read_facts, write_facts
from dragoman.lexicons.reading import Reader, Word
from dragoman.lexicons.tables import Tables
from dragoman.protocols import Advance
from dragoman.scores.impacts import SparseVector
from dragoman.systems.lexical.collected import Collected, collect
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.explanation import Term, explained, vector
from dragoman.systems.lexical.postings import ABSENT, Postings
from dragoman.systems.lexical.searched import Searched
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

TABLES = "lexicons"


class LexicalSystem(ABC):
    """A collection, and the tables through which questions reach it."""

    name: ClassVar[str]

    def __init__(
        self,
        config: LexicalConfig,
        tables: Tables,
        postings: Searched,
        notices: Sequence[str] = (),
        reader: Reader | None = None,
    ) -> None:
        self.config, self.tables, self.postings = config, tables, postings
        self.notices = tuple(notices)
        self.reader = reader or Reader(tables)  # one that has read texts before knows their words

    @property
    def fixed(self) -> Postings:
        """The postings of a collection that does not change; a store keeps those of others."""
        assert isinstance(self.postings, Postings)
        return self.postings

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> LexicalConfig:
        """The configuration that plain settings name."""
        return LexicalConfig.from_settings(settings)

    @classmethod
    def build(cls, documents: Iterable[Document], config: LexicalConfig, advance: Advance) -> Self:
        """The system over ``documents``, which are read once and not kept."""
        tables = config.tables()
        collected = collect(documents, Reader(tables), advance)
        return cls.over(collected, config, tables)

    @classmethod
    @abstractmethod
    def over(cls, collected: Collected, config: LexicalConfig, tables: Tables) -> Self:
        """The system over counted documents."""

    @abstractmethod
    def query_terms(self, words: Sequence[Word], language: str, searched: str) -> list[Term]:
        """The terms of a query in ``language`` for documents in ``searched``."""

    def document_terms(self, words: Sequence[Word], language: str) -> list[Term]:
        """The terms of a document, by how often they are expected in it: each word once."""
        space = self.fixed.own(language)
        if space is None:
            return []
        found = ((word.surface, space.find(word.term)) for word in words)
        return [Term(surface, d, 1.0, 1.0) for surface, d in found if d != ABSENT]

    def indexed(self, counts: SparseVector) -> SparseVector:
        """The part of a document's counts that its postings keep; all of it unless told."""
        return counts

    @abstractmethod
    def impacts(self, counts: SparseVector, length: int, language: str) -> SparseVector:
        """What the terms of a document of ``length`` words add to its score."""

    def words(self, text: Text) -> list[Word]:
        """The words of a text, in order."""
        return self.reader.words(text.body, text.language)

    def query_vector(self, text: Text, languages: Collection[str] | None = None) -> SparseVector:
        """The query as weights of dimensions, for documents in ``languages``."""
        words = [Word(term, term) for term in self.reader(text.body, text.language)]
        chosen = self.postings.chosen(languages)
        return vector(
            term for code in chosen for term in self.query_terms(words, text.language, code)
        )

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` best documents that share anything with the query; equal scores by id."""
        return self.fixed.ranking(query.query_id, self.query_vector(query.content, languages), k)

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """``search`` for every query, on all cores; the answers are the same."""
        vectors = [self.query_vector(query.content, languages) for query in queries]
        found = self.fixed.index.search_many(vectors, k)
        return [
            self.fixed.named(query.query_id, best.documents, best.scores)
            for query, best in zip(queries, found, strict=True)
        ]

    def encode_queries(self, texts: Sequence[Text]) -> list[SparseVector]:
        """The queries as weights of dimensions."""
        return [self.query_vector(text) for text in texts]

    def encode_documents(self, texts: Sequence[Text]) -> list[SparseVector]:
        """The documents as impacts; words that the collection never saw are left out."""
        return [self._document_vector(text) for text in texts]

    def _document_vector(self, text: Text) -> SparseVector:
        words = self.words(text)
        counts = self.indexed(vector(self.document_terms(words, text.language)))
        return self.impacts(counts, len(words), text.language)

    def score(self, query: SparseVector, documents: Sequence[SparseVector]) -> FloatArray:
        """The sparse product of the query with every document."""
        weights = dict(zip(query.dimensions.tolist(), query.weights.tolist(), strict=True))
        return np.array(
            [
                sum(
                    weights.get(dimension, 0.0) * impact
                    for dimension, impact in zip(
                        document.dimensions.tolist(), document.weights.tolist(), strict=True
                    )
                )
                for document in documents
            ]
        )

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word met which document word, how likely, with what share of the score."""
        text = document.content
        words = self.words(text)
        asked = self.query_terms(self.words(query.content), query.language, text.language)
        found = self.document_terms(words, text.language)
        counts = self.indexed(vector(found))
        impacts = self.impacts(counts, len(words), text.language)
        return explained(document.doc_id, asked, found, impacts)

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        languages = self.postings.languages
        return {
            "k1": self.config.bm25.k1,
            "b": self.config.bm25.b,
            "translate": self.config.translate,
            "analysis": {code: self.reader.signature(code) for code in languages},
            "lexicons": {code: self.tables.fingerprint(code) for code in languages},
        }

    def save(self, folder: Path) -> None:
        """Write postings, configuration and the user's own tables into ``folder``."""
        self.fixed.save(folder)
        for language, (_, table) in self.tables.own.items():
            table.save(folder / TABLES / language)
        facts = {
            "k1": self.config.bm25.k1,
            "b": self.config.bm25.b,
            "translate": self.config.translate,
        }
        write_facts(folder, self.name, config=facts, notices=self.notices)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; arrays are mapped, not read."""
        postings = Postings.load(folder)
        facts = read_facts(folder, cls.name)
        own = sorted(folder.glob(f"{TABLES}/*"))
        config = LexicalConfig.from_settings({**facts["config"], "lexicons": own})
        tables = config.tables()
        return cls(config, tables, postings, facts["notices"])
