"""An index as a retrieval transformer: queries -> results."""

from collections.abc import Collection, Iterable

import pandas as pd
import pyterrier as pt

from dragoman.indexes.search.open_index import OpenIndex
from dragoman.indexes.search.reranking import Rerank
from dragoman.integrations.pyterrier.frames import RESULT_COLUMNS, queries_of, results
from dragoman.ranking.balance import Balance

NUM_RESULTS = 1000


class Retriever(pt.Transformer):
    """Searches an index of a folder or of a service; arguments are those of ``Index.search``."""

    def __init__(
        self,
        index: OpenIndex,
        *,
        num_results: int = NUM_RESULTS,
        language: str = "",
        within: Collection[str] | None = None,
        where: Iterable[str] = (),
        balance: Balance = Balance.CALIBRATED,
        rerank: Rerank | str | None = None,
        verbose: bool = False,
    ) -> None:
        self.index = index
        self.num_results = num_results
        self.language = language
        self.within = within
        self.where = tuple(where)
        self.balance = balance
        self.rerank = rerank
        self.verbose = verbose

    def __repr__(self) -> str:
        return f"dragoman.Retriever({self.num_results})"

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """The results of every query; columns of the queries stay."""
        pt.validate.query_frame(inp, extra_columns=["query"], context=self)
        scope = self.index.scope(self.within, self.where, self.balance)
        queries = pt.tqdm(
            list(queries_of(inp, self.language)), disable=not self.verbose, desc="dragoman"
        )
        rankings = self.index.rank_all(queries, self.num_results, scope, rerank=self.rerank)
        return results(inp, (ranking.hits for ranking in rankings))

    def transform_outputs(self, inp_cols: list[str]) -> list[str]:
        """The columns of results; PyTerrier checks pipelines by them before they run."""
        pt.validate.query_frame(inp_cols, extra_columns=["query"], context=self)
        own = [name for name in inp_cols if name not in RESULT_COLUMNS]
        return [*own, *RESULT_COLUMNS]

    def fuse_rank_cutoff(self, k: int) -> "Retriever":
        """The same search to another depth, for ``retriever % k``."""
        if k >= self.num_results:
            return self
        return Retriever(
            self.index,
            num_results=k,
            language=self.language,
            within=self.within,
            where=self.where,
            balance=self.balance,
            rerank=self.rerank,
            verbose=self.verbose,
        )
