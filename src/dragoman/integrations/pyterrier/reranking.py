"""Systems as re-ranking transformers: results -> the same documents with other scores."""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pyterrier as pt

from dragoman import registry
from dragoman.errors import ConfigError
from dragoman.indexes.index import Index
from dragoman.indexes.saved_system import CONFIG
from dragoman.indexes.search.reranking import (
    CollectionReader,
    Rerank,
    SecondStage,
    TextReader,
    load_saved,
    second_scores,
)
from dragoman.indexes.system import System
from dragoman.integrations.pyterrier.frames import queries_of, ranked_anew
from dragoman.text.language_detection import Detector, with_languages
from dragoman.text.languages import canonical
from dragoman.types import Document, FloatArray, Query


class QueryReranker(pt.Transformer):
    """Scores the documents of one query at a time and ranks them anew."""

    columns: ClassVar[tuple[str, ...]] = ("qid", "query", "docno")
    language = ""

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The documents of each query by the scores of the system; those without one go last."""
        pt.validate.columns(inp, includes=list(self.columns), context=self)
        if not len(inp):
            return ranked_anew(inp, np.zeros(0))
        groups = [self._ranked(group) for _, group in inp.groupby("qid", sort=False)]
        return pd.concat(groups, ignore_index=True)

    def _ranked(self, group: pd.DataFrame) -> pd.DataFrame:
        (query,) = queries_of(group.iloc[:1], self.language)
        return ranked_anew(group, self.scores(query, group))

    @abstractmethod
    def scores(self, query: Query, group: pd.DataFrame) -> FloatArray:
        """The score of each row's document, NaN where there is none."""


class IndexReranker(QueryReranker):
    """Scores documents of an index, by the system of the index or by another one.

    Another system that weighs by statistics gets an index of its own over the same documents, in
    the user's cache, on first use. Scores are those of the system, without the balance of languages
    that a search has.
    """

    def __init__(self, index: Index, system: str = "", *, language: str = "") -> None:
        self.index = index
        self.system = system
        self.language = language

    def __repr__(self) -> str:
        return f"dragoman.IndexReranker({self.system or self.index.manifest.system!r})"

    def scores(self, query: Query, group: pd.DataFrame) -> FloatArray:
        """The scores of documents by their ids; NaN where the index lacks one."""
        if not query.language:
            query, _ = self.index.query(query.text, query_id=query.query_id)
        stored = self.index.documents([str(doc_id) for doc_id in group["docno"]])
        scores = np.full(len(stored), np.nan)
        rows = [row for row, one in enumerate(stored) if one is not None]
        texts = [one for one in stored if one is not None]
        if texts:
            scores[rows] = second_scores(self._stage(), query, texts)
        return scores

    def _stage(self) -> SecondStage:
        if self.system:
            return self.index.second_stage(Rerank(self.system))
        return CollectionReader(self.index)


class TextReranker(QueryReranker):
    """Scores the texts of a frame's column ``text``; needs no index.

    ``system`` is a system whose score depends on one text alone, as dense, or the folder of a
    trained model. Languages of texts and queries are taken from ``language`` columns of the frame
    (``doc_language`` for documents), else detected among ``languages``.
    """

    columns = ("qid", "query", "docno", "text")

    def __init__(
        self, system: str = "dense", *, language: str = "", languages: Sequence[str] | None = None
    ) -> None:
        self.system = system
        self.language = language
        self.languages = None if languages is None else [canonical(code) for code in languages]
        self._stage = TextReader(_system_of_texts(system))

    def __repr__(self) -> str:
        return f"dragoman.TextReranker({self.system!r})"

    def scores(self, query: Query, group: pd.DataFrame) -> FloatArray:
        """The scores of the texts."""
        if not query.language:
            detected = Detector(self.languages).detect(query.text).language
            query = Query(query.query_id, query.text, detected)
        codes = group["doc_language"] if "doc_language" in group else [""] * len(group)
        rows = zip(group["docno"], group["text"], codes, strict=True)
        documents = (
            Document(str(doc_id), str(text), language=canonical(code) if code else "")
            for doc_id, text, code in rows
        )
        return second_scores(self._stage, query, list(with_languages(documents, self.languages)))


def _system_of_texts(name: str) -> System:
    """The registered system, or the one of a folder; refused where it needs other documents."""
    if name not in registry.SYSTEMS and (Path(name) / CONFIG).is_file():
        system = load_saved(Path(name))
    else:
        kind = registry.system(name)
        if not getattr(kind, "reads_texts_alone", False):
            raise _needs_an_index(name)
        system = kind.create(kind.configure({}))
    if not getattr(system, "reads_texts_alone", False):
        raise _needs_an_index(name)
    return system


def _needs_an_index(name: str) -> ConfigError:
    return ConfigError(
        f"Found the system {name!r}, which weighs by the statistics of all documents; expected"
        " dense or the folder of a trained model. Re-rank by an index instead:"
        " DragomanIndex(folder).reranker()"
    )
