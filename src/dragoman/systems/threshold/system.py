"""Documents respond to a query if one of their words is within a fixed cosine of it.

Barry et al. 2020, section 2: word vectors of two languages in one space, whatever made them, and a
single threshold. A document's score is the cosine of its nearest word; of a query of several words
the lowest of these counts, because every word asks for an answer.

    words.npy starts.npy               the different words of every document, as rows of the vectors
    ids.*.npy languages.*.npy          by document, in the order of the ids
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError, IndexFault, InputError, UnknownName
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.ranking.document_rows import rounded
from dragoman.ranking.one_by_one import OneByOne
from dragoman.ranking.topk import top_k
from dragoman.text.strings import Strings
from dragoman.types import Document, Explanation, FloatArray, Hit, Link, Query, Ranking, Text
from dragoman.vectors.space import WordSpace
from dragoman.vectors.spelling import Preparation
from dragoman.vectors.words import ABSENT, WordVectors

SETTINGS = ("vectors", "cosine")
FURTHEST = -1.0  # the score of a text without a known word


@dataclass(frozen=True, kw_only=True, slots=True)
class ThresholdConfig:
    """Which vectors, and how near a word must be."""

    vectors: tuple[Path, ...]
    cosine: float = FURTHEST  # documents below it do not respond

    def __post_init__(self) -> None:
        if not self.vectors:
            raise ConfigError(
                "the system threshold needs word vectors: give their folders as `vectors`, made by"
                " dragoman learn embeddings"
            )
        if not -1 <= self.cosine <= 1:
            raise ConfigError(f"cosine must be from -1 to 1, got {self.cosine}")

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The configuration that plain settings name."""
        for name in settings:
            if name not in SETTINGS:
                raise UnknownName(name, SETTINGS, "setting")
        folders = settings.get("vectors", ())
        if isinstance(folders, str) or not isinstance(folders, list | tuple):
            raise ConfigError(f"vectors must be a list of folders, got {folders!r}")
        cosine = float(str(settings.get("cosine", FURTHEST)))
        return cls(vectors=tuple(Path(str(one)) for one in folders), cosine=cosine)


@dataclass(frozen=True, eq=False)
class Corpus:
    """The different known words of every document that has any."""

    ids: Strings
    languages: Strings
    words: NDArray[np.int64]
    starts: NDArray[np.int64]

    @cached_property
    def spoken(self) -> NDArray[np.str_]:
        """The language of every document."""
        return np.array(list(self.languages), dtype=np.str_)


class ThresholdSystem(OneByOne):
    """Word vectors and the words of documents."""

    name: ClassVar[str] = "threshold"

    def __init__(
        self,
        config: ThresholdConfig,
        space: WordSpace,
        corpus: Corpus,
        notices: Sequence[str] = (),
    ) -> None:
        self.config, self.space, self.corpus = config, space, corpus
        self.notices = tuple(notices)
        self._prepare = Preparation()

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> ThresholdConfig:
        """The configuration that plain settings name."""
        return ThresholdConfig.from_settings(settings)

    @classmethod
    def build(
        cls, documents: Iterable[Document], config: ThresholdConfig, advance: Advance
    ) -> Self:
        """The system over ``documents``, which are read once and not kept."""
        space, prepare = opened(config), Preparation()
        read: list[tuple[str, str, NDArray[np.int64]]] = []
        for document in documents:
            words = prepare(document.content.body, document.language)
            read.append(
                (document.doc_id, document.language, known(space, words, document.language))
            )
            advance()
        read.sort(key=lambda one: one[0])
        for (one, _, _), (other, _, _) in pairwise(read):
            if one == other:
                raise InputError(
                    "documents", None, found=f"the id {one!r} twice", expected="every id once"
                )
        languages = sorted({language for _, language, _ in read} - set(space.languages))
        told = [f"no word vectors for {code}: its documents are not found" for code in languages]
        return cls(config, space, _packed([one for one in read if len(one[2])]), told)

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` documents with the nearest words, none below the cosine; equal ones by id."""
        vectors = self._vectors(query.content)
        corpus = self.corpus
        if not len(vectors) or not len(corpus.ids):
            return Ranking(query.query_id, ())
        near = np.asarray(self.space.points[corpus.words]) @ vectors.T
        scores = rounded(np.maximum.reduceat(near, corpus.starts[:-1], axis=0).min(axis=1))
        responds = scores >= self.config.cosine
        if languages is not None:
            responds &= np.isin(corpus.spoken, list(languages))
        rows = np.flatnonzero(responds)
        hits = (rows[place] for place in top_k(scores[rows], k))
        return Ranking(
            query.query_id, tuple(Hit(corpus.ids[int(row)], float(scores[row])) for row in hits)
        )

    def _vectors(self, text: Text) -> FloatArray:
        rows = known(self.space, self._prepare(text.body, text.language), text.language)
        vectors: FloatArray = np.asarray(self.space.points[rows])
        return vectors

    def encode_queries(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One row per known word."""
        return [self._vectors(text) for text in texts]

    def encode_documents(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One row per known word."""
        return [self._vectors(text) for text in texts]

    def score(self, query: FloatArray, documents: Sequence[FloatArray]) -> FloatArray:
        """The cosine of each document's nearest word to the query word that is worst served."""
        scores = np.full(len(documents), FURTHEST)
        for row, document in enumerate(documents):
            if len(query) and len(document):
                scores[row] = (document @ query.T).max(axis=0).min()
        return rounded(scores)

    def explain(self, query: Query, document: Document) -> Explanation:
        """The nearest word of the document for every word of the query."""
        asked = self._named(query.content)
        found = self._named(document.content)
        if not asked or not found:
            return Explanation(document.doc_id, FURTHEST, ())
        rows = [np.array([row for _, row in side]) for side in (asked, found)]
        near = np.asarray(self.space.points[rows[0]]) @ np.asarray(self.space.points[rows[1]]).T
        best = near.argmax(axis=1)
        links = [
            Link(word, found[best[row]][0], float(near[row, best[row]]), 1 / len(asked))
            for row, (word, _) in enumerate(asked)
        ]
        links.sort(key=lambda link: (-link.weight, link.query_word))
        score = float(rounded(near.max(axis=1)).min())
        return Explanation(document.doc_id, score, tuple(links))

    def _named(self, text: Text) -> list[tuple[str, int]]:
        """The different known words of a text and their rows."""
        words = list(dict.fromkeys(self._prepare(text.body, text.language)))
        rows = self.space.rows(words, text.language)
        return [(word, int(row)) for word, row in zip(words, rows, strict=True) if row != ABSENT]

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        sizes = {code: len(words) for code, words in self.space.numbers.items()}
        return {
            "vectors": sizes,
            "dimension": int(self.space.points.shape[1]),
            "reading": self._prepare.signature,
            "cosine": self.config.cosine,
        }

    def save(self, folder: Path) -> None:
        """Write words and settings into ``folder``; vectors stay where they are."""
        corpus = self.corpus
        np.save(folder / "words.npy", corpus.words, allow_pickle=False)
        np.save(folder / "starts.npy", corpus.starts, allow_pickle=False)
        corpus.ids.save(folder, "ids")
        corpus.languages.save(folder, "languages")
        vectors = [str(path.resolve()) for path in self.config.vectors]
        config = {"vectors": vectors, "cosine": self.config.cosine}
        write_facts(folder, self.name, config=config, notices=self.notices)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        facts = read_facts(folder, cls.name)
        config = ThresholdConfig.from_settings(facts["config"])
        try:
            words, starts = (
                np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
                for name in ("words", "starts")
            )
            ids, languages = Strings.load(folder, "ids"), Strings.load(folder, "languages")
        except (OSError, ValueError, EOFError) as error:
            raise IndexFault(
                f"{folder}: found damaged or missing files ({error}); build the index again."
            ) from error
        corpus = Corpus(ids, languages, words, starts)
        return cls(config, opened(config), corpus, facts["notices"])


def opened(config: ThresholdConfig) -> WordSpace:
    """The vectors that a configuration names, in one space."""
    return WordSpace.stack(WordVectors.open(folder) for folder in config.vectors)


def known(space: WordSpace, words: Sequence[str], language: str) -> NDArray[np.int64]:
    """The different rows of the words that have a vector."""
    rows = np.unique(space.rows(words, language)).astype(np.int64)
    found: NDArray[np.int64] = rows[rows != ABSENT]
    return found


def _packed(read: Sequence[tuple[str, str, NDArray[np.int64]]]) -> Corpus:
    return Corpus(
        Strings.pack(doc_id for doc_id, _, _ in read),
        Strings.pack(language for _, language, _ in read),
        np.concatenate([np.zeros(0, np.int64), *(rows for _, _, rows in read)]),
        np.cumsum([0, *(len(rows) for _, _, rows in read)], dtype=np.int64),
    )
