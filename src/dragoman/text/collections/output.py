"""Items and their pages -> a folder in the plain format, with a manifest.

Corpus, queries with their split, qrels, one bitext for each pair of languages; the same items give
the same bytes.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dragoman
from dragoman.errors import ConfigError
from dragoman.protocols import Advance, Stage
from dragoman.storage.staging import write_lines
from dragoman.text.collections.bitext import align_pages, held_out_lines, without_leaks
from dragoman.text.collections.catalogue import PIVOT, BuildRequest
from dragoman.text.collections.grading import sample_judgments
from dragoman.text.collections.items import Item, Page, as_document
from dragoman.text.collections.splits import Split, distinct_queries, split_items
from dragoman.text.formats.plain import QRELS_HEADER, write_documents, write_queries
from dragoman.types import Document, Query, SentencePair

MANIFEST_VERSION = 1

Pages = Mapping[str, Mapping[str, Page]]  # item name -> language -> page


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """The items, queries and splits of a collection, without the texts."""

    items: Mapping[str, Item]  # by name, sorted
    queries: Mapping[str, str]
    splits: Mapping[str, Split]


def plan_collection(items: Iterable[Item], request: BuildRequest) -> CollectionPlan:
    """Assign queries and splits to the items; a language without any item is an error."""
    named = {item.name: item for item in sorted(items, key=lambda item: item.name)}
    empty = [
        pair for pair, count in count_aligned(named.values(), request.others).items() if not count
    ]
    if empty:
        raise ConfigError(
            f"Found no item in both languages of {', '.join(empty)}; expected at least one."
            " Leave that language out, or name sources that have it."
        )
    queries = distinct_queries(named.values())
    return CollectionPlan(named, queries, split_items(named.values(), queries, request.seed))


def write_pages(
    folder: Path, collection: CollectionPlan, pages: Pages, request: BuildRequest, stage: Stage
) -> dict[str, Any]:
    """Write a collection whose pages fit in memory; the counts for its manifest."""
    total = sum(map(len, pages.values()))
    counts = write_texts(folder, documents(collection, pages), stage, total)
    counts |= write_judgments(folder, collection, request, stage)
    held_out = [pages[name] for name, split in collection.splits.items() if split != Split.TRAIN]
    for language in request.others:
        advance = stage(f"bitext {PIVOT}-{language}", None)
        lines = held_out_lines(
            page
            for versions in held_out
            for code, page in versions.items()
            if code in (PIVOT, language)
        )
        pairs = without_leaks(training_pairs(collection, pages, language), lines)
        counts["bitext"][f"{PIVOT}-{language}"] = write_bitext(folder, language, pairs, advance)
    return counts


def documents(collection: CollectionPlan, pages: Pages) -> Iterator[Document]:
    """Every page of every item, English first."""
    for name in collection.items:
        for language, page in pages[name].items():
            yield as_document(name, language, page)


def training_pairs(
    collection: CollectionPlan, pages: Pages, language: str
) -> Iterator[SentencePair]:
    """The sentence pairs of training items that have a page in ``language``."""
    for name, split in sorted(collection.splits.items()):
        if split is Split.TRAIN and language in pages[name]:
            yield from align_pages(pages[name][PIVOT], pages[name][language])


def write_texts(
    folder: Path, texts: Iterable[Document], stage: Stage, total: int
) -> dict[str, Any]:
    """Write the corpus; the numbers of documents by language."""
    advance = stage("documents", total)
    by_language: Counter[str] = Counter()

    def counted() -> Iterator[Document]:
        for document in texts:
            by_language[document.language] += 1
            advance()
            yield document

    write_documents(folder / "corpus.jsonl.gz", counted())
    return {"documents": dict(by_language), "bitext": {}}


def write_judgments(
    folder: Path, collection: CollectionPlan, request: BuildRequest, stage: Stage
) -> dict[str, Any]:
    """Write queries and judgments; their counts."""
    by_split: Counter[str] = Counter()
    queries: list[Query] = []
    for name, text in collection.queries.items():
        split = collection.splits[name].value
        by_split[split] += 1
        queries.append(Query(name, text, PIVOT, {"split": split}))
    write_queries(folder / "queries.jsonl.gz", queries)
    pairs = sum(len(collection.items[name].languages) - 1 for name in collection.queries)
    advance = stage("judged queries", pairs)
    by_grade: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    with write_lines(folder / "qrels.tsv.gz") as stream:
        stream.write("\t".join(QRELS_HEADER) + "\n")
        for query_id, doc_id, grade in sample_judgments(
            collection.items,
            collection.queries,
            request.others,
            seed=request.seed,
            negatives=request.negatives,
        ):
            stream.write(f"{query_id}\t{doc_id}\t{grade}\n")
            by_grade[str(grade)] += 1
            if grade == 2:
                judged[f"{PIVOT}-{doc_id.partition(':')[0]}"] += 1
                advance()
    return {
        "aligned": count_aligned(collection.items.values(), request.others),
        "queries": {split.value: by_split[split.value] for split in Split},
        "queries_by_pair": {pair: judged[pair] for pair in sorted(judged)},
        "judgments": {grade: by_grade[grade] for grade in ("2", "1", "0")},
    }


def count_aligned(items: Iterable[Item], languages: Sequence[str]) -> dict[str, int]:
    """Language pair -> the number of items with documents in both languages."""
    counts = Counter(code for item in items for code in item.languages)
    return {f"{PIVOT}-{code}": counts[code] for code in languages}


def write_bitext(
    folder: Path, language: str, pairs: Iterable[SentencePair], advance: Advance
) -> int:
    """Write the pairs with English to one file; their number."""
    count = 0
    with write_lines(folder / "bitext" / f"{PIVOT}-{language}.tsv.gz") as stream:
        for pair in pairs:
            stream.write(f"{pair.source}\t{pair.target}\n")
            count += 1
            advance()
    return count


def write_manifest(folder: Path, request: BuildRequest, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Write and return the manifest, with everything that determines the other files' bytes."""
    manifest = {
        "format": MANIFEST_VERSION,
        **facts,
        "languages": dict(request.languages),
        "seed": request.seed,
        "negatives": request.negatives,
        "dragoman": dragoman.__version__,
    }
    with write_lines(folder / "manifest.json") as stream:
        json.dump(manifest, stream, ensure_ascii=False, indent=2)
        stream.write("\n")
    return manifest
