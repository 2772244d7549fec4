"""What speaks for hits by words: the share of the query that they cover, and how far it stands out.

The weight of a query is what a document would score that has every word of it often. A word that no
document has weighs most: it is the rarest.
"""

from collections.abc import Sequence

import numpy as np

from dragoman.indexes.search.evidence import margins
from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.indexes.snapshot import Snapshot
from dragoman.scores.bm25 import inverse_document_frequency
from dragoman.systems.lexical.system import LexicalSystem, QueryTerms
from dragoman.types import FloatArray, IntArray, Query


def lexical_evidence(
    system: LexicalSystem, snapshot: Snapshot, query: Query, numbers: IntArray
) -> FloatArray:
    """The coverage and its margin of each document, (documents, 2); 0 where no word is known."""
    languages = snapshot.languages_of(numbers)
    codes = sorted({*languages})
    scores = system.scores_of_all(snapshot, query.content, codes)
    words = system.analyzer(query.text, query.language)
    if scores is None or not len(numbers):
        return np.zeros((len(numbers), 2))
    postings = system.postings(snapshot)
    weights = {code: query_weight(system, postings, words, query.language, code) for code in codes}
    mine = scores.of(numbers).astype(np.float64)
    above = margins(snapshot, numbers, mine, scores.best)
    whole = np.array([weights[code] for code in languages])
    evidence: FloatArray = np.column_stack([mine, above]) / whole[:, None]
    return evidence


def query_weight(
    system: LexicalSystem,
    postings: SnapshotPostings,
    words: Sequence[str],
    language: str,
    searched: str,
) -> float:
    """What a document in the ``searched`` language would score that has every word often."""
    terms: QueryTerms = system.expand(postings, words, language, [searched])
    best = np.zeros(len(words))
    np.maximum.at(best, terms.words, terms.weights)
    documents = float(postings.snapshot.languages[searched])
    unseen = inverse_document_frequency(np.zeros(1), np.array([documents]))
    return float(np.where(best > 0, best, unseen).sum())
