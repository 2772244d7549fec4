"""A ranking and its judgments -> the same within each language pair.

A query counts in the pair of its own language with each language of its relevant documents; where
nothing is relevant, with each language of its judged documents. Within a pair the ranking and the
judgments are restricted to documents of that language: ``en-de`` measures how well English queries
retrieve German documents, whatever else the index holds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dragoman.types import Hit, Ranking

UNKNOWN = "und"  # BCP-47 for an undetermined language


@dataclass(slots=True)
class LanguagePairs:
    """The languages of queries and documents; collects retrieved documents without an entry."""

    queries: Mapping[str, str]
    documents: Mapping[str, str]
    unknown_documents: set[str] = field(default_factory=set)
    targets: dict[str, str] = field(
        default_factory=dict
    )  # by pair seen so far: the documents' language

    def split(
        self, ranking: Ranking, judged: Mapping[str, int]
    ) -> Iterator[tuple[str, Ranking, Mapping[str, int]]]:
        """Pair, ranking and judgments of every pair that this query counts in."""
        by_language: dict[str, dict[str, int]] = {}
        for doc_id, grade in judged.items():
            if doc_id in self.documents:
                by_language.setdefault(self._language(doc_id), {})[doc_id] = grade
        relevant = [code for code, some in by_language.items() if any(g > 0 for g in some.values())]
        hits = self._hits(ranking)
        source = self.queries.get(ranking.query_id) or UNKNOWN
        for code in sorted(relevant or by_language):
            pair = f"{source}-{code}"
            self.targets[pair] = code
            yield pair, Ranking(ranking.query_id, tuple(hits.get(code, ()))), by_language[code]

    def sizes(self) -> Mapping[str, int]:
        """By pair: the number of documents in its target language."""
        sizes = Counter(code or UNKNOWN for code in self.documents.values())
        return {pair: sizes[code] for pair, code in self.targets.items()}

    def _hits(self, ranking: Ranking) -> dict[str, list[Hit]]:
        hits: dict[str, list[Hit]] = {}
        language_of = self.documents.get
        for hit in ranking.hits:
            code = language_of(hit.doc_id)
            if code is None:
                self.unknown_documents.add(hit.doc_id)
            else:
                hits.setdefault(code or UNKNOWN, []).append(hit)
        return hits

    def _language(self, doc_id: str) -> str:
        return self.documents[doc_id] or UNKNOWN
