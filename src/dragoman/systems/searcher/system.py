"""Ranks documents by the probability that one of their sentences is relevant to the query.

An index stores a row per position and the length of every sentence. Search is an exact scan
(``scan``). Scores are probabilities, so that a threshold means the same for every query.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.saved_system import read_facts
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import DocumentSet, ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.settings import parse_settings
from dragoman.systems.searcher import sentences
from dragoman.systems.searcher.decisions import DEFAULT, Combination, combine_logits, saved_scaling
from dragoman.systems.searcher.explanation import Match, explain, matches
from dragoman.systems.searcher.model import MOST_TERMS, SearcherModel
from dragoman.systems.searcher.scan import (
    POSITIONS,
    SENTENCES,
    Positions,
    document_logits,
    scan,
)
from dragoman.training.trained_system import MODEL, TrainedSystem
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

ADVICE = "Train a model: dragoman train searcher BITEXT --languages en-sw -o MODEL."
CACHED_QUERIES = 1024
UNREAD = "not read"  # the treatment of other languages


@dataclass(frozen=True, kw_only=True, slots=True)
class SearcherSystemConfig:
    """The trained model, and how the terms of a query are combined."""

    model: Path
    combination: Combination = DEFAULT


class SearcherSystem(TrainedSystem[SearcherModel]):
    """A trained model; an index stores the positions of documents."""

    name: ClassVar[str] = "searcher"
    gives_probabilities: ClassVar[bool] = True
    reads_texts_alone: ClassVar[bool] = True

    def __init__(self, model: SearcherModel, combination: Combination = DEFAULT) -> None:
        super().__init__(model)
        self.combination = combination
        self._scaling = saved_scaling(model.facts)
        self._terms = lru_cache(CACHED_QUERIES)(self._term_vectors)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearcherSystemConfig:
        """The configuration that ``settings`` describe."""
        return parse_settings(SearcherSystemConfig, settings, advice=ADVICE)

    @classmethod
    def create(cls, config: SearcherSystemConfig) -> Self:
        """The system with the configured model."""
        return cls(cls.load_model(config.model), config.combination)

    @classmethod
    def load_model(cls, folder: Path) -> SearcherModel:
        """The model that was saved in ``folder``."""
        return SearcherModel.load(folder)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """A row per position, and the number of positions of each sentence."""
        return (
            Space(POSITIONS, SpaceKind.ROWS, self.model.config.size, coded=False),
            Space(SENTENCES, SpaceKind.ROWS, 1, coded=False),
        )

    @property
    def languages(self) -> Collection[str]:
        """The languages of queries."""
        return self.model.terms.languages

    @property
    def options(self) -> dict[str, object]:
        """How the terms of a query are combined."""
        return {"combination": str(self.combination)}

    def treatment(self, language: str) -> str:
        """The analysis of texts in ``language``; the model itself is in the settings."""
        return sentences.signature(language) if language in self.model.words.languages else UNREAD

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """A warning for each language without training documents and training queries."""
        queries, documents = (
            ", ".join(sorted(side.languages)) for side in (self.model.terms, self.model.words)
        )
        known = {*self.model.terms.languages, *self.model.words.languages}
        return [
            f"the model was trained on queries in {queries} and documents in {documents}; it does"
            f" not know {language or 'texts without a language'}"
            for language in languages
            if language not in known
        ]

    def query_warning(self, query: Query) -> str | None:
        """A warning about the query's language or its unknown words, if any."""
        if query.language not in self.languages:
            return super().query_warning(query)
        terms, unknown = self.model.terms.split(query.content)
        stems = [term.text for term in terms if term.by_stem]
        warnings = []
        if stems:
            warnings.append(
                f"searched by their stems, because the bitext lacks them: {', '.join(stems)}"
            )
        if len(terms) > MOST_TERMS:
            warnings.append(f"of {len(terms):,} terms the first {MOST_TERMS} are searched")
        if unknown:
            warnings.append(
                f"left out, because the bitext has nothing like them: {', '.join(unknown)}"
            )
        return "; ".join(warnings) or None

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A row per position and the sentence lengths; nothing for other languages."""
        return [
            {POSITIONS: rows, SENTENCES: lengths[:, None].astype(np.float32)}
            if len(lengths)
            else {}
            for rows, lengths in self._positions(documents)
        ]

    def _positions(
        self, documents: Sequence[Document]
    ) -> list[tuple[NDArray[np.float32], NDArray[np.int64]]]:
        parsed = [self.model.document_sentences(document.content) for document in documents]
        rows = self.model.positions([sentence.words for some in parsed for sentence in some])
        lengths = [np.array([len(one.words) for one in some], np.int64) for some in parsed]
        ends = np.cumsum([sizes.sum() for sizes in lengths])
        return list(zip(np.split(rows, ends[:-1]), lengths, strict=True)) if documents else []

    def _term_vectors(self, text: Text) -> NDArray[np.float32]:
        """(n, p + 1): the vectors of a query's known terms, with the bias as last column."""
        terms = self.model.query_terms(text)
        return self.model.term_vectors(terms) if terms else np.zeros((0, 1), np.float32)

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` most probable documents; equal scores by id."""
        terms = self._terms(query.content)
        if not len(terms):
            return Ranking(query.query_id, ())

        def most_probable(most: int, selection: DocumentSet) -> ScoredDocuments:
            numbers, logits = scan(selection, terms, self.model.config.pooling)
            scores = combine_logits(logits, self._scaling, self.combination)
            if (surplus := len(scores) - most) > 0:
                best = scores >= np.partition(scores, surplus)[surplus]
                numbers, scores = numbers[best], scores[best]
            one_span = len(selection.spans) == 1
            return snapshot.sort_top_k(ScoredDocuments(numbers, scores), most, by_number=one_span)

        return Ranking(query.query_id, scope.rank(snapshot, most_probable, k))

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The probability of each document, encoded now; NaN without a known word."""
        del snapshot
        terms, scores = self._terms(query.content), np.full(len(documents), np.nan)
        encoded = self._positions(documents) if len(terms) else []
        nonempty = [row for row, (positions, _) in enumerate(encoded) if len(positions)]
        if nonempty:
            packed = Positions.pack(encoded[row] for row in nonempty)
            wanted = np.ones(len(nonempty), np.bool_)
            logits = document_logits(packed, terms, self.model.config.pooling, wanted)
            scores[nonempty] = combine_logits(logits, self._scaling, self.combination)
        return scores

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The attention of each term over the words of its best sentence."""
        del snapshot
        return explain(self.model, query, document, self.combination)

    def matches(self, query: Query, document: Document) -> list[Match]:
        """The best sentence of each term, with the attention over its words."""
        return matches(self.model, query, document)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        combination = Combination(read_facts(folder, cls.name)["combination"])
        return cls(cls.load_model(folder / MODEL), combination)
