"""Ranks documents by the probability that one of their sentences is relevant to the query.

Positions are computed once and stored as 8-bit integers. A search reads all of them in one compiled
pass (``scanning``) and is exact, or those of documents with near words alone (``near_words``). A
score is a probability, so that a threshold means the same for every query.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError, UnknownName
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.ranking.one_by_one import OneByOne
from dragoman.systems.searcher.config import chosen
from dragoman.systems.searcher.corpus import Corpus, collect, encoded
from dragoman.systems.searcher.decisions import DEFAULT, Combination, combined, scaling_of
from dragoman.systems.searcher.explanation import Match, explain, matches
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.quantized import quantized, restored
from dragoman.systems.searcher.scanning import scan
from dragoman.systems.searcher.sentences import sentences
from dragoman.types import Document, Explanation, FloatArray, Hit, IntArray, Query, Ranking, Text

MODEL = "model"
SETTINGS = ("model", "combination", "nearest")
MOST_TERMS = 32  # of a query; a longer one is asked by its first terms


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchConfig:
    """Which model reads, what all terms of a query mean together, how sure a search is."""

    model: Path
    combination: Combination = DEFAULT
    nearest: int = 0  # words of a term whose documents are read; 0 reads all and is exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "combination", chosen(Combination, self.combination, "setting"))
        if self.nearest < 0:
            raise ConfigError(f"nearest must be 0 or more, got {self.nearest}")

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The configuration that plain settings name."""
        for name in settings:
            if name not in SETTINGS:
                raise UnknownName(name, SETTINGS, "setting")
        if not settings.get("model"):
            raise ConfigError(
                "the system searcher needs a trained model: give its folder as `model`, made by"
                " dragoman train searcher BITEXT --languages en-sw -o MODEL"
            )
        given = {**settings, "model": Path(str(settings["model"]))}
        return cls(**given)  # type: ignore[arg-type]  # checked by __post_init__


@dataclass(frozen=True, slots=True)
class Encoded:
    """The terms of a query, or the positions of a document with the starts of its sentences."""

    vectors: NDArray[np.float32]
    starts: NDArray[np.int64]


class SearcherSystem(OneByOne):
    """A collection's positions and the model that made them."""

    name: ClassVar[str] = "searcher"
    gives_probabilities: ClassVar[bool] = True

    def __init__(
        self,
        model: SearcherModel,
        corpus: Corpus,
        combination: Combination = DEFAULT,
        nearest: int = 0,
        notices: Sequence[str] = (),
    ) -> None:
        self.model, self.corpus = model, corpus
        self.combination, self.nearest, self.notices = combination, nearest, tuple(notices)
        self.scaling = scaling_of(model.facts)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearchConfig:
        """The configuration that plain settings name."""
        return SearchConfig.from_settings(settings)

    @classmethod
    def build(cls, documents: Iterable[Document], config: SearchConfig, advance: Advance) -> Self:
        """The system over ``documents``, which are read once and not kept."""
        model, languages = SearcherModel.load(config.model), set[str]()

        def noted() -> Iterable[Document]:
            for document in documents:
                languages.add(document.language)
                yield document

        corpus = collect(noted(), model, advance)
        told = document_notices(model, sorted(languages))
        return cls(model, corpus, config.combination, config.nearest, told)

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` likeliest documents; equal scores by id."""
        (asked,) = self.encode_queries([query.content])
        if not len(asked.vectors):
            return Ranking(query.query_id, ())
        found = scan(
            self.corpus.positions,
            self.corpus.segments,
            asked.vectors,
            self.model.config.pooling,
            self.scaling,
            self.combination,
            k,
            self._rows(asked, languages),
        )
        return Ranking(query.query_id, self._hits(found.rows, found.logits))

    def _rows(self, asked: Encoded, languages: Collection[str] | None) -> IntArray | None:
        """The documents to be read; None for all."""
        chosen = self.corpus.chosen(languages)
        if not self.nearest:
            return chosen
        near = self.corpus.words.candidates(asked.vectors[:, :-1], self.nearest)
        return near if chosen is None else np.intersect1d(near, chosen)

    def _hits(self, rows: IntArray, logits: NDArray[np.float32]) -> tuple[Hit, ...]:
        kept = rows >= 0
        rows, logits = rows[kept], logits[:, kept]
        if not len(rows):
            return ()
        scores = combined(logits, self.scaling, self.combination)
        order = np.lexsort((rows, -scores))
        return tuple(Hit(self.corpus.ids[int(rows[at])], float(scores[at])) for at in order)

    def query_notice(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        return query_notice(self.model, query)

    def encode_queries(self, texts: Sequence[Text]) -> list[Encoded]:
        """One row per known term of a query, the bias behind its vector."""
        return [asked_terms(self.model, text) for text in texts]

    def encode_documents(self, texts: Sequence[Text]) -> list[Encoded]:
        """The positions of each text as the corpus stores them."""
        return [self._document(text) for text in texts]

    def _document(self, text: Text) -> Encoded:
        known = text.language in self.model.words.languages
        read = sentences(text, self.model.config.longest) if known else []
        vectors = encoded([one.words for one in read], self.model)
        starts = np.cumsum([0, *(len(one.words) for one in read)], dtype=np.int64)
        return Encoded(restored(*quantized(vectors)), starts)

    def score(self, query: Encoded, documents: Sequence[Encoded]) -> FloatArray:
        """The probability of each document; 0 without a known word on either side."""
        if not len(query.vectors):
            return np.zeros(len(documents))
        terms = query.vectors[:, :-1]
        scores = np.zeros(len(documents))
        for row, document in enumerate(documents):
            if len(document.vectors):
                dots = terms @ document.vectors.T
                pooled = pool_array(dots, document.starts, self.model.config.pooling)
                logits = pooled.max(axis=1) + query.vectors[:, -1]
                scores[row] = combined(logits[:, None], self.scaling, self.combination)[0]
        return scores

    def explain(self, query: Query, document: Document) -> Explanation:
        """The attention of each term over the words of its best sentence."""
        return explain(self.model, query, document, self.combination)

    def matches(self, query: Query, document: Document) -> list[Match]:
        """The sentence that matched each term, with the attention over all of its words."""
        return matches(self.model, query, document)

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {"model": self.model.signature, "combination": str(self.combination)}

    def save(self, folder: Path) -> None:
        """Write positions, settings and the model into ``folder``."""
        self.corpus.save(folder)
        self.model.save(folder / MODEL)
        write_facts(
            folder,
            self.name,
            notices=self.notices,
            combination=str(self.combination),
            nearest=self.nearest,
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; positions are mapped, not read."""
        facts = read_facts(folder, cls.name)
        combination = Combination(facts["combination"])
        model = SearcherModel.load(folder / MODEL)
        return cls(model, Corpus.load(folder), combination, facts["nearest"], facts["notices"])


def asked_terms(model: SearcherModel, text: Text) -> Encoded:
    """The vectors of a query's known terms; none for a language that the model does not ask in."""
    known = text.language in model.terms.languages
    asked = model.terms.asked(text)[0][:MOST_TERMS] if known else []
    vectors = model.term_vectors(asked) if asked else np.zeros((0, 1), dtype=np.float32)
    return Encoded(vectors, np.arange(len(asked) + 1))


def query_notice(model: SearcherModel, query: Query) -> str | None:
    """What to know of a query's language and of its words; None where all are known."""
    if query.language not in model.terms.languages:
        known = ", ".join(sorted(model.terms.languages))
        other = query.language or "an unknown language"
        return f"the model was trained on queries in {known}; one in {other} finds nothing"
    asked, unknown = model.terms.asked(query.content)
    stems = [term.text for term in asked if term.by_stem]
    told = []
    if stems:
        told.append(f"asked for by their stems, because the bitext lacks them: {', '.join(stems)}")
    if len(asked) > MOST_TERMS:
        told.append(f"of {len(asked):,} terms the first {MOST_TERMS} are asked for")
    if unknown:
        told.append(f"left out, because the bitext has nothing like them: {', '.join(unknown)}")
    return "; ".join(told) or None


def document_notices(model: SearcherModel, languages: Iterable[str]) -> list[str]:
    """A line for each language of documents that the model was not trained on."""
    asked, known = (", ".join(sorted(one.languages)) for one in (model.terms, model.words))
    return [
        f"the model was trained on queries in {asked} and documents in {known}; it does not know"
        f" {language or 'texts without a language'}"
        for language in languages
        if language not in model.words.languages
    ]
