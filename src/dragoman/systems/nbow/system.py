"""Ranks documents by the Euclidean distance between averages of word vectors.

With vectors that languages share, a query is averaged as it is. With monolingual ones its words are
translated first, one by one, into each language that is searched (Balikas et al. 2018, section 4).
A score is minus the distance, from -2 to 0.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.errors import IndexFault
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.lexicons.tables import Tables
from dragoman.lexicons.wording import Forms, Wording
from dragoman.protocols import Advance
from dragoman.ranking.document_rows import DocumentRows, rounded
from dragoman.scores.by_row import squared_distances
from dragoman.systems.nbow.averages import Vectors, load_frequencies, save_frequencies
from dragoman.systems.nbow.config import NbowConfig
from dragoman.systems.nbow.explanation import linked
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking, Text
from dragoman.vectors.bags import CountedText, DocumentFrequencies

ANY = ""  # the language of a query that documents of every language are compared with
UNREACHABLE = -3.0  # the score of a text without a known word; no two averages are farther than 2

# language -> average; a document has its own, a query ANY or one for each language it is put in
Averages = Mapping[str, FloatArray]


class NbowSystem:
    """A collection's averages, and the vectors and frequencies that made them."""

    name: ClassVar[str] = "nbow"

    def __init__(
        self,
        config: NbowConfig,
        vectors: Vectors,
        frequencies: DocumentFrequencies,
        documents: DocumentRows,
        notices: Sequence[str] = (),
    ) -> None:
        self.config, self.vectors = config, vectors
        self.frequencies, self.documents = frequencies, documents
        self.notices = tuple(notices)
        self._forms: dict[str, Forms] = {}

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> NbowConfig:
        """The configuration that plain settings name."""
        return NbowConfig.from_settings(settings)

    @classmethod
    def build(cls, documents: Iterable[Document], config: NbowConfig, advance: Advance) -> Self:
        """The system over ``documents``; those without a word that has a vector stay out."""
        vectors = Vectors.open(config)
        ids: list[str] = []
        read: list[CountedText] = []
        for document in documents:
            ids.append(document.doc_id)
            read.append(vectors.read(document.content))
            advance()
        frequencies = DocumentFrequencies.fit(read)
        averages = vectors.averages(read, frequencies)
        languages = [text.language for text in read]
        rows = DocumentRows.arranged(ids, languages, averages)
        return cls(config, vectors, frequencies, rows, _notices(vectors, languages, averages))

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` nearest documents in languages where the query has a known word."""
        searched = self.documents.found_in(languages)
        asked = self._asked(query.content, searched)
        known = [code for code in searched if _part(asked, code) is not None]
        hits = self.documents.best(lambda rows: -self._distances(asked, rows), k, known)
        return Ranking(query.query_id, hits)

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """``search`` for every query."""
        return [self.search(query, k, languages) for query in queries]

    def query_notice(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        if self.config.translate:
            lost = [
                code
                for code in self.documents.found_in(None)
                if not self._wording.knows(query.language, code)
            ]
            told = f"no table leads from {query.language} to {', '.join(lost)}: words stay as they"
            return f"{told} are" if lost else None
        return None if query.language in self.vectors.languages else _unknown(query.language)

    def _asked(self, text: Text, searched: Sequence[str]) -> Averages:
        """The query as the documents of each language meet it."""
        if not self.config.translate:
            return self._averages(text, ANY)
        found: dict[str, FloatArray] = {}
        for code in searched:
            found.update(self._averages(self._put_in(text, code), code))
        return found

    def _put_in(self, text: Text, language: str) -> Text:
        """The query as documents in ``language`` meet it."""
        if not self.config.translate:
            return text
        words = self._wording.translated(text, self._forms_of(language))
        return Text(" ".join(words), language)

    def _averages(self, text: Text, language: str) -> Averages:
        (average,) = self.vectors.averages([self.vectors.read(text)], self.frequencies)
        return {} if average is None else {language: average}

    @cached_property
    def _wording(self) -> Wording:
        return Wording(Tables(self.config.lexicons))

    def _forms_of(self, language: str) -> Forms:
        if language not in self._forms:
            counts: Mapping[str, int] = self.frequencies.counts.get(language, {})
            documents = {word: float(count) for word, count in counts.items()}
            self._forms[language] = Forms.of(language, documents, self._wording.read)
        return self._forms[language]

    def _distances(self, asked: Averages, rows: IntArray) -> FloatArray:
        """Of the documents in ``rows``, each from the query's part in its language."""
        found = np.empty(len(rows))
        for code, places in self.documents.by_language(rows).items():
            part = _part(asked, code)
            assert part is not None, "a language without a known word is not searched"
            squares = squared_distances(self.documents.rows, rows[places], part.astype(np.float64))
            found[places] = np.sqrt(squares)
        return found

    def encode_queries(self, texts: Sequence[Text]) -> list[Averages]:
        """The average of each text, once or in each language of the collection; or nothing."""
        searched = self.documents.found_in(None)
        return [self._asked(text, searched) for text in texts]

    def encode_documents(self, texts: Sequence[Text]) -> list[Averages]:
        """The average of each text, in its language; nothing where no word is known."""
        return [self._averages(text, text.language) for text in texts]

    def score(self, query: Averages, documents: Sequence[Averages]) -> FloatArray:
        """Minus the distance of each document; ``UNREACHABLE`` where one side knows no word."""
        return np.array([_score(query, document) for document in documents])

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word brings the averages together with which word of the document."""
        asked, found = (
            self.vectors.weighed_words(self.vectors.read(text), self.frequencies)
            for text in (self._put_in(query.content, document.language), document.content)
        )
        (there,) = self.encode_documents([document.content])
        score = self.score(self._asked(query.content, [document.language]), [there])[0]
        return Explanation(document.doc_id, float(score), linked(asked, found))

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        tables = Tables(self.config.lexicons)
        codes = self.documents.found_in(None) if self.config.translate else ()
        return {
            **self.config.plain,
            "vectors": self.vectors.signature,
            "lexicons": {code: tables.fingerprint(code) for code in codes},
        }

    def save(self, folder: Path) -> None:
        """Write averages, frequencies and settings; the vectors stay where they are."""
        self.documents.save(folder)
        save_frequencies(folder, self.frequencies)
        write_facts(
            folder,
            self.name,
            config=self.config.plain,
            vectors=self.vectors.signature,
            notices=self.notices,
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; vectors that changed in the meantime are refused."""
        facts = read_facts(folder, cls.name)
        config = NbowConfig.from_settings(facts["config"])
        vectors = Vectors.open(config)
        if vectors.signature != facts["vectors"]:
            raise IndexFault(
                f"{folder}: was built with the vectors {facts['vectors']}; found"
                f" {vectors.signature}. Build the index again."
            )
        documents = DocumentRows.load(folder)
        return cls(config, vectors, load_frequencies(folder), documents, facts["notices"])


def _part(asked: Averages, language: str) -> FloatArray | None:
    return asked.get(language, asked.get(ANY))


def _score(query: Averages, document: Averages) -> float:
    for language, average in document.items():
        part = _part(query, language)
        if part is not None:
            there = np.array([0], dtype=np.int64)
            square = squared_distances(average[None], there, part.astype(np.float64))
            return float(rounded(-np.sqrt(square))[0])
    return UNREACHABLE


def _notices(
    vectors: Vectors, languages: Sequence[str], averages: Sequence[FloatArray | None]
) -> list[str]:
    found = [_unknown(code) for code in sorted(set(languages) - set(vectors.languages))]
    lost = sum(
        average is None and code in vectors.languages
        for code, average in zip(languages, averages, strict=True)
    )
    if lost:
        found.append(f"{lost:,} documents have no word with a vector and cannot be found")
    return found


def _unknown(language: str) -> str:
    code = language or "texts without a language"
    return f"no word vectors for {code}; learn some: dragoman learn embeddings"
