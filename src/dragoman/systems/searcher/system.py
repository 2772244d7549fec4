"""Ranks documents by the probability that one of their sentences is relevant to the query.

An index keeps a row per position and the length of every sentence. A search reads all of them and
is exact (``scanning``). A score is a probability, so that a threshold means the same for every
query.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.saved_system import read_facts, write_facts
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
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

MODEL = "model"
ADVICE = "Train a model: dragoman train searcher BITEXT --languages en-sw -o MODEL."
REMEMBERED = 1024  # queries
UNREAD = "not read"


@dataclass(frozen=True, kw_only=True, slots=True)
class SearcherSystemConfig:
    """Which model reads, and what all terms of a query mean together."""

    model: Path
    combination: Combination = DEFAULT


class SearcherSystem:
    """The model; what it made of documents is in the index."""

    name: ClassVar[str] = "searcher"
    gives_probabilities: ClassVar[bool] = True
    reads_texts_alone: ClassVar[bool] = True

    def __init__(self, model: SearcherModel, combination: Combination = DEFAULT) -> None:
        self.model, self.combination = model, combination
        self._scaling = saved_scaling(model.facts)
        self._terms = lru_cache(REMEMBERED)(self._term_vectors)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearcherSystemConfig:
        """The configuration that plain settings name."""
        return parse_settings(SearcherSystemConfig, settings, advice=ADVICE)

    @classmethod
    def create(cls, config: SearcherSystemConfig) -> Self:
        """The model."""
        return cls(SearcherModel.load(config.model), config.combination)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """A row per position, and the number of positions of each sentence."""
        return (
            Space(POSITIONS, SpaceKind.ROWS, self.model.config.size, coded=False),
            Space(SENTENCES, SpaceKind.ROWS, 1, coded=False),
        )

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return self.model.terms.languages

    @property
    def settings(self) -> dict[str, object]:
        """The model that made the positions, and what it makes of several terms."""
        return {"model": self.model.signature, "combination": str(self.combination)}

    def treatment(self, language: str) -> str:
        """How texts are cut into words; the model itself is in the settings."""
        return sentences.signature(language) if language in self.model.words.languages else UNREAD

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages that the model reads neither in documents nor in queries."""
        queries, read = (
            ", ".join(sorted(one.languages)) for one in (self.model.terms, self.model.words)
        )
        known = {*self.model.terms.languages, *self.model.words.languages}
        return [
            f"the model was trained on queries in {queries} and documents in {read}; it does not"
            f" know {language or 'texts without a language'}"
            for language in languages
            if language not in known
        ]

    def query_warning(self, query: Query) -> str | None:
        """What to know of a query's language and of its words; None where all are known."""
        if query.language not in self.model.terms.languages:
            known = ", ".join(sorted(self.model.terms.languages))
            other = query.language or "an unknown language"
            return f"the model was trained on queries in {known}; one in {other} finds nothing"
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
        """A row per position and the lengths of sentences; nothing of an unread document."""
        return [
            {POSITIONS: rows, SENTENCES: lengths[:, None].astype(np.float32)}
            if len(lengths)
            else {}
            for rows, lengths in self._positions(documents)
        ]

    def _positions(
        self, documents: Sequence[Document]
    ) -> list[tuple[NDArray[np.float32], NDArray[np.int64]]]:
        cut = [self.model.document_sentences(document.content) for document in documents]
        rows = self.model.positions([sentence.words for one in cut for sentence in one])
        lengths = [np.array([len(sentence.words) for sentence in one], np.int64) for one in cut]
        ends = np.cumsum([one.sum() for one in lengths])
        return list(zip(np.split(rows, ends[:-1]), lengths, strict=True)) if documents else []

    def _term_vectors(self, text: Text) -> NDArray[np.float32]:
        """(n, p + 1): the known terms of a query, the bias behind the vector of each."""
        terms = self.model.query_terms(text)
        return self.model.term_vectors(terms) if terms else np.zeros((0, 1), np.float32)

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` likeliest documents; equal scores by id."""
        terms = self._terms(query.content)
        if not len(terms):
            return Ranking(query.query_id, ())

        def likeliest(most: int, selection: DocumentSet) -> ScoredDocuments:
            numbers, logits = scan(selection, terms, self.model.config.pooling)
            scores = combine_logits(logits, self._scaling, self.combination)
            if (cut := len(scores) - most) > 0:
                high = scores >= np.partition(scores, cut)[cut]
                numbers, scores = numbers[high], scores[high]
            one_span = len(selection.spans) == 1
            return snapshot.sort_top_k(ScoredDocuments(numbers, scores), most, by_number=one_span)

        return Ranking(query.query_id, scope.rank(snapshot, likeliest, k))

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The probability of each document, encoded now; NaN without a known word."""
        del snapshot
        terms, scores = self._terms(query.content), np.full(len(documents), np.nan)
        encoded = self._positions(documents) if len(terms) else []
        filled = [place for place, (rows, _) in enumerate(encoded) if len(rows)]
        if filled:
            positions = Positions.pack(encoded[place] for place in filled)
            every = np.ones(len(filled), np.bool_)
            logits = document_logits(positions, terms, self.model.config.pooling, every)
            scores[filled] = combine_logits(logits, self._scaling, self.combination)
        return scores

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The attention of each term over the words of its best sentence."""
        del snapshot
        return explain(self.model, query, document, self.combination)

    def matches(self, query: Query, document: Document) -> list[Match]:
        """The sentence that matched each term, with the attention over all of its words."""
        return matches(self.model, query, document)

    def save(self, folder: Path) -> None:
        """Write the model, so that the index needs nothing else."""
        self.model.save(folder / MODEL)
        write_facts(folder, self.name, combination=str(self.combination))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        combination = Combination(read_facts(folder, cls.name)["combination"])
        return cls(SearcherModel.load(folder / MODEL), combination)
