"""A ranking and its judgments in -> the same within each language pair.

A query stands in the pair of its own language with each language that its relevant documents are
in; where nothing is relevant, with each language that its judged documents are in. Within a pair
the ranking and the judgments are restricted to documents of that language: ``en-de`` answers how
well English finds German, whatever else the index holds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dragoman.types import Hit, Ranking

UNKNOWN = "und"  # BCP-47 for a language that nobody determined


@dataclass(slots=True)
class LanguagePairs:
    """The languages of queries and documents; remembers which documents it did not know."""

    queries: Mapping[str, str]
    documents: Mapping[str, str]
    strangers: set[str] = field(default_factory=set)
    targets: dict[str, str] = field(default_factory=dict)  # of the pairs met so far

    def split(
        self, ranking: Ranking, judged: Mapping[str, int]
    ) -> Iterator[tuple[str, Ranking, Mapping[str, int]]]:
        """Pair, ranking and judgments of every pair that this query stands in."""
        by_language: dict[str, dict[str, int]] = {}
        for doc_id, grade in judged.items():
            if doc_id in self.documents:
                by_language.setdefault(self._language(doc_id), {})[doc_id] = grade
        relevant = [code for code, part in by_language.items() if any(g > 0 for g in part.values())]
        hits = self._hits(ranking)
        source = self.queries.get(ranking.query_id) or UNKNOWN
        for code in sorted(relevant or by_language):
            pair = f"{source}-{code}"
            self.targets[pair] = code
            yield pair, Ranking(ranking.query_id, tuple(hits.get(code, ()))), by_language[code]

    def sizes(self) -> Mapping[str, int]:
        """By pair: how many documents there are in the language that it searches."""
        sizes = Counter(code or UNKNOWN for code in self.documents.values())
        return {pair: sizes[code] for pair, code in self.targets.items()}

    def _hits(self, ranking: Ranking) -> dict[str, list[Hit]]:
        hits: dict[str, list[Hit]] = {}
        language_of = self.documents.get
        for hit in ranking.hits:
            code = language_of(hit.doc_id)
            if code is None:
                self.strangers.add(hit.doc_id)
            else:
                hits.setdefault(code or UNKNOWN, []).append(hit)
        return hits

    def _language(self, doc_id: str) -> str:
        return self.documents[doc_id] or UNKNOWN
