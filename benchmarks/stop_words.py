"""What do stop words and stems do to monolingual ranking?

    python benchmarks/stop_words.py [COLLECTION_FOLDER] [QUERIES.jsonl.gz]

BM25 (k1 1.2, b 0.75) over the documents in the query's own language; mean reciprocal rank of the
best document with the highest grade.
"""

import argparse
import gzip
import json
import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.tokens import stopwords
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "xquad-r"
WHOLE_LIST = 10**6


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def best_documents(path: Path) -> dict[str, set[str]]:
    """Query -> its documents with the highest grade anywhere."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [line.split() for line in stream][1:]
    highest = max(int(grade) for _, _, grade in rows)
    found: dict[str, set[str]] = defaultdict(set)
    for query_id, doc_id, grade in rows:
        if int(grade) == highest:
            found[query_id].add(doc_id)
    return found


def reciprocal_rank(
    analyse: Analyzer,
    documents: list[dict[str, Any]],
    queries: list[dict[str, Any]],
    best: dict[str, set[str]],
) -> float:
    """The mean over the queries that have a best document here; ties count as their mean rank."""
    bags = [Counter(analyse(row["text"], row["lang"])) for row in documents]
    lengths = np.array([bag.total() for bag in bags], dtype=float)
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, bag in enumerate(bags):
        for word, count in bag.items():
            postings[word].append((number, count))
    norms = 1.2 * (0.25 + 0.75 * lengths / lengths.mean())
    ranks: list[float] = []
    for query in queries:
        scores = np.zeros(len(bags))
        for word in analyse(query["text"], query["lang"]):
            found = postings.get(word, [])
            idf = math.log(1 + (len(bags) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                scores[number] += idf * count * 2.2 / (count + norms[number])
        wanted = [n for n, row in enumerate(documents) if row["_id"] in best[query["_id"]]]
        if wanted:
            top = scores[wanted].max()
            ranks.append(1 + float((scores > top).sum()) + ((scores == top).sum() - 1) / 2)
    return float(np.mean([1 / rank for rank in ranks]))


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", type=Path, nargs="?", default=DEFAULT / "sentences")
    parser.add_argument("queries", type=Path, nargs="?", default=DEFAULT / "queries.jsonl.gz")
    asked = parser.parse_args()
    documents, queries = rows_of(asked.collection / "corpus.jsonl.gz"), rows_of(asked.queries)
    best = best_documents(asked.collection / "qrels.tsv.gz")
    used = stopwords.MOST_LETTERS
    settings = {
        "no stop words": (AnalyzerConfig(stop=False), used),
        f"up to {used} letters": (AnalyzerConfig(), used),
        "whole list": (AnalyzerConfig(), WHOLE_LIST),
        "no stems": (AnalyzerConfig(stem=False), used),
    }
    print(f"{asked.collection}: {len(documents):,} documents\n")
    print("    " + "".join(f"{label:>18}" for label in settings))
    table = []
    for language in sorted({row["lang"] for row in queries}):
        own_documents = [row for row in documents if row["lang"] == language]
        own_queries = [row for row in queries if row["lang"] == language]
        line = []
        for config, letters in settings.values():
            stopwords.MOST_LETTERS = letters
            line.append(reciprocal_rank(Analyzer(config), own_documents, own_queries, best))
        table.append(line)
        print(f"{language:4}" + "".join(f"{value:>18.3f}" for value in line), flush=True)
    print("mean" + "".join(f"{value:>18.3f}" for value in np.mean(table, axis=0)))


if __name__ == "__main__":
    main()
