"""An index folder as an artifact of PyTerrier: indexer, retriever and re-ranker in one object.

index = DragomanIndex("my.index", system="psq")
index.index(dataset.get_corpus_iter())
pipeline = index.retriever() % 100 >> index.reranker("dense")
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyterrier as pt

import dragoman
from dragoman.errors import UserError
from dragoman.indexes.index import Index
from dragoman.indexes.manifest import is_index
from dragoman.integrations.pyterrier.artifact_metadata import FORMAT, PACKAGE, TYPE
from dragoman.integrations.pyterrier.frames import LANGUAGE
from dragoman.integrations.pyterrier.reranking import IndexReranker
from dragoman.integrations.pyterrier.retrieval import NUM_RESULTS, Retriever
from dragoman.ranking.balance import Balance
from dragoman.text.languages import canonical
from dragoman.types import Document


class DragomanIndex(pt.Artifact, pt.Indexer):
    """The index in a folder; ``system``, ``language`` and ``settings`` are those of a new one."""

    ARTIFACT_TYPE = TYPE
    ARTIFACT_FORMAT = FORMAT
    ARTIFACT_PACKAGE_HINT = PACKAGE

    def __init__(
        self,
        path: str | Path,
        *,
        system: str = "",
        language: str = "",
        languages: Collection[str] | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(path)
        self.system = system
        self.language = canonical(language) if language else ""
        self.languages = languages
        self.settings = settings

    def __repr__(self) -> str:
        return f"DragomanIndex({str(self.path)!r})"

    def built(self) -> bool:
        """Whether the folder holds an index."""
        return is_index(Path(self.path))

    def index(self, inp: Iterable[Mapping[str, Any]], **_: object) -> "DragomanIndex":
        """Index dictionaries with ``docno``, ``text`` and optionally ``title`` and ``language``."""
        if self.built():
            raise UserError(f"{self.path}: found an index; expected a new folder. Remove it first.")
        dragoman.index(
            self._documents(inp),
            Path(self.path),
            system=self.system or None,
            languages=self.languages,
            settings=self.settings,
        ).close()
        return self

    def index_inputs(self) -> list[list[str]]:
        """The columns that ``index`` reads."""
        return [["docno", "text"]]

    @cached_property
    def opened(self) -> Index:
        """The open index."""
        one = dragoman.open(self.path)
        one.warm_up()
        return one

    def close(self) -> None:
        """Close the files of the index; it is opened again when it is used."""
        if "opened" in self.__dict__:
            self.opened.close()
            del self.__dict__["opened"]

    def retriever(
        self,
        *,
        num_results: int = NUM_RESULTS,
        language: str = "",
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = Balance.CALIBRATED,
        verbose: bool = False,
    ) -> Retriever:
        """A transformer that searches the index."""
        return Retriever(
            self.opened,
            num_results=num_results,
            language=language,
            within=within,
            where=where,
            balance=balance,
            verbose=verbose,
        )

    def reranker(self, system: str = "", *, language: str = "") -> IndexReranker:
        """A transformer that scores results by the system of the index, or by another one."""
        return IndexReranker(self.opened, system, language=language)

    def text_loader(self) -> pt.Transformer:
        """A transformer that adds the title, text and language of the documents of results."""
        return pt.apply.generic(self._with_texts)

    def _with_texts(self, inp: pd.DataFrame) -> pd.DataFrame:
        stored = self.opened.documents([str(doc_id) for doc_id in inp["docno"]])
        return inp.assign(
            title=[one.title if one else "" for one in stored],
            text=[one.text if one else "" for one in stored],
            doc_language=[one.language if one else "" for one in stored],
        )

    def _documents(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[Document]:
        for row in rows:
            code = row.get(LANGUAGE) or self.language
            yield Document(
                str(row["docno"]),
                str(row.get("text") or ""),
                str(row.get("title") or ""),
                canonical(code) if code else "",
            )
