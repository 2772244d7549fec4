"""A system as a search model of MTEB (its ``SearchProtocol``).

mteb.evaluate(SearchModel("psq"), mteb.get_task("NeuCLIR2022Retrieval"))

MTEB calls ``index`` with the corpus of each subset of a task and then ``search`` with its queries.
The index is a folder that is removed when the next one is built or the model is closed.
"""

import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from mteb.models.model_meta import ModelMeta

import dragoman
from dragoman import compilation
from dragoman.errors import UserError
from dragoman.indexes.index import Index
from dragoman.integrations.mteb.dataset_rows import documents_of, queries_of
from dragoman.integrations.mteb.language_codes import canonical_codes
from dragoman.integrations.mteb.model_metadata import SYSTEMS, model_metadata
from dragoman.ranking.balance import Balance
from dragoman.ranking.ties import without_ties
from dragoman.text.language_detection import Detector, with_languages
from dragoman.text.languages import canonical
from dragoman.types import Hit, Query, Ranking

PIVOT = "en"  # many tasks name the documents' language alone and have English queries


class SearchModel:
    """Indexes and searches the corpus of a task; ``system`` is psq, dense or hybrid."""

    def __init__(
        self,
        system: str = "hybrid",
        *,
        settings: Mapping[str, object] | None = None,
        document_language: str = "",
        query_language: str = "",
        balance: Balance = Balance.CALIBRATED,
    ) -> None:
        self.system = system
        self.settings = dict(settings or {})
        self.document_language = canonical(document_language) if document_language else ""
        self.query_language = canonical(query_language) if query_language else ""
        self.balance = balance
        self.mteb_model_meta: ModelMeta = model_metadata(
            system, SearchLoader(system), self.settings
        )
        self._index: Index | None = None
        self._opened = ExitStack()
        weakref.finalize(self, self._opened.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the index."""
        self._opened.close()
        self._index = None

    def index(
        self,
        corpus: Any,  # noqa: ANN401 - a dataset
        *,
        task_metadata: Any,  # noqa: ANN401
        hf_split: str,
        hf_subset: str,
        encode_kwargs: Any = None,  # noqa: ANN401
        num_proc: int | None = None,
        **_: object,
    ) -> None:
        """Index the corpus; languages that its rows do not name are detected."""
        del hf_split, encode_kwargs, num_proc
        self.close()
        compilation.enable()
        folder = self._opened.enter_context(tempfile.TemporaryDirectory(prefix="dragoman-mteb-"))
        known = with_languages(
            documents_of(corpus, self.document_language), _candidates(task_metadata, hf_subset)
        )
        built = dragoman.index(
            known, Path(folder) / "index", system=self.system, settings=self.settings
        )
        self._index = self._opened.enter_context(built)
        built.warm_up()

    def search(
        self,
        queries: Any,  # noqa: ANN401 - a dataset
        *,
        task_metadata: Any,  # noqa: ANN401
        hf_subset: str,
        top_k: int,
        top_ranked: Mapping[str, Sequence[str]] | None = None,
        **_: object,
    ) -> dict[str, dict[str, float]]:
        """The scores of each query's best documents, or of those that ``top_ranked`` names.

        Languages that queries do not name are detected. Scores are without ties, so that MTEB ranks
        as this package does.
        """
        if self._index is None:
            raise UserError("Found a search before the corpus was indexed; call index first.")
        detector = Detector(_candidates(task_metadata, hf_subset))
        read = [
            query
            if query.language
            else replace(query, language=detector.detect(query.text).language)
            for query in queries_of(queries, self.query_language)
        ]
        rankings = (
            self._index.rank_all(read, top_k, self._index.scope(balance=self.balance))
            if top_ranked is None
            else self._rank_candidates(self._index, read, top_k, top_ranked)
        )
        return {ranking.query_id: scores_of(ranking) for ranking in rankings}

    def _rank_candidates(
        self,
        index: Index,
        queries: Sequence[Query],
        top_k: int,
        candidates: Mapping[str, Sequence[str]],
    ) -> Iterator[Ranking]:
        """Each query's own candidates by the score of the system, for tasks of re-ranking."""
        for query in queries:
            texts = [one for one in index.documents(candidates.get(query.query_id, ())) if one]
            with index.snapshot() as snapshot:
                scores = index.system.score(snapshot, query, texts) if texts else ()
            hits = [
                Hit(text.doc_id, float(score))
                for text, score in zip(texts, scores, strict=True)
                if score == score  # noqa: PLR0124 - NaN where there is no score
            ]
            best = sorted(hits, key=lambda hit: (-hit.score, hit.doc_id))
            yield Ranking(query.query_id, tuple(best[:top_k]))


def _candidates(task_metadata: Any, hf_subset: str) -> list[str]:  # noqa: ANN401
    """The languages that texts of a subset may be in."""
    named = task_metadata.hf_subsets_to_langscripts.get(hf_subset, task_metadata.bcp47_codes)
    return list(dict.fromkeys([*canonical_codes(named), PIVOT]))


def scores_of(ranking: Ranking) -> dict[str, float]:
    """The documents of a ranking with scores that other tools order in the same way."""
    scores = without_ties([hit.score for hit in ranking.hits])
    return dict(zip((hit.doc_id for hit in ranking.hits), scores, strict=True))


class SearchLoader:
    """Creates the model of one system, as ``ModelMeta.load_model`` calls it."""

    def __init__(self, system: str) -> None:
        self.system = system
        self.__name__ = f"load_{system}"

    def __call__(
        self,
        model_name: str = "",
        revision: str | None = None,
        device: str | None = None,
        **settings: object,
    ) -> SearchModel:
        """The model; further arguments are settings of the system."""
        del model_name, revision, device
        return SearchModel(self.system, settings=settings)


def models() -> dict[str, ModelMeta]:
    """The models by their names in MTEB, as in ``dragoman/psq``."""
    listed = [model_metadata(system, SearchLoader(system)) for system in SYSTEMS]
    return {str(one.name): one for one in listed}
