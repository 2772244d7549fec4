"""Collections in which some queries have no right document, for ``learn_match``."""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.types import Document, Query

SEED = 0
ASKED = 300  # queries of a collection
PASSAGES = 350  # of a question set
BLOCK, BLOCKS = 20, 60  # neighbouring packages
QUESTIONS = {
    "squad2-en": "en",
    "drcd": "zh",
    "jaquad": "ja",
    "arcd": "ar",
    "squad2-fi": "fi",
    "iapp-th": "th",
    "tydiqa-id": "id",
}


class Asked(NamedTuple):
    """A query, the languages that are searched, and the right documents of the index."""

    query: Query
    within: tuple[str, ...]  # all where empty
    right: frozenset[str]  # none where they were left out


class AskedCollection(NamedTuple):
    """The documents of an index, and what is asked."""

    name: str
    documents: list[Document]
    asked: list[Asked]


def training_collections(data: Path, packages: Path) -> list[AskedCollection]:
    """Questions in seven languages, package descriptions and questions across languages."""
    return [
        question_sets(data / "questions", QUESTIONS),
        debian_packages(packages),
        african_questions(data, "sw"),
    ]


def test_collections(data: Path) -> list[AskedCollection]:
    """Collections that no choice was made on."""
    return [
        xquad_paragraphs(data / "xquad-r"),
        african_questions(data, "ha"),
        african_questions(data, "yo"),
        kubernetes_pages(data / "kubernetes-docs"),
        question_sets(data / "questions", {"medquad": "en"}),
    ]


def left_out(articles: Iterable[str]) -> set[str]:
    """About half of the articles."""
    names = sorted({*articles})
    chosen = np.random.default_rng(SEED).permutation(len(names))[: len(names) // 2]
    return {names[row] for row in chosen.tolist()}


def collection(
    name: str,
    documents: Sequence[Document],
    articles: Mapping[str, str],
    queries: Sequence[tuple[Query, tuple[str, ...], Sequence[str]]],
) -> AskedCollection:
    """A collection without the documents of half its articles, and a sample of its queries.

    A query comes with the languages that are searched and its right documents.
    """
    out = left_out(articles.values())
    kept = [document for document in documents if articles[document.doc_id] not in out]
    ids = {document.doc_id for document in kept}
    rows = np.random.default_rng(SEED).permutation(len(queries))[:ASKED]
    asked = [Asked(query, within, frozenset({*right} & ids)) for query, within, right in queries]
    return AskedCollection(name, kept, [asked[row] for row in sorted(rows.tolist())])


def question_sets(folder: Path, languages: Mapping[str, str]) -> AskedCollection:
    """Passages, each with a question on it; searched in the language of the question."""
    documents, articles, queries = [], {}, []
    for name, code in languages.items():
        for number, (passage, line) in enumerate([*passages(folder, name).items()]):
            doc_id = f"{name}-{number}"
            documents.append(Document(doc_id, passage, language=code))
            articles[doc_id] = line["title"] or doc_id
            queries.append((Query(doc_id, line["question"], code), (code,), [doc_id]))
    return collection("-".join(languages)[:20], documents, articles, queries)


def passages(folder: Path, name: str) -> dict[str, Any]:
    """Sampled passages of a question set, each with the line of its first question."""
    first: dict[str, Any] = {}
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            first.setdefault(line["passage"], line)
    rows = np.random.default_rng(SEED).permutation(len(first))[:PASSAGES]
    every = [*first.items()]
    return dict(every[row] for row in sorted(rows.tolist()))


def african_questions(data: Path, code: str) -> AskedCollection:
    """AfriQA: questions in an African language to English passages."""
    folder = data / f"afriqa-{code}"
    documents = [*read_documents(folder / "corpus.jsonl.gz", Faults())]
    articles = {one.doc_id: one.title or one.doc_id for one in documents}
    judgments = read_judgments(folder / "qrels.tsv.gz", Faults())
    queries = [
        (query, (), [*judgments.get(query.query_id, ())])
        for query in read_queries(folder / "queries.jsonl.gz", Faults())
    ]
    return collection(f"afriqa-{code}", documents, articles, queries)


def debian_packages(folder: Path) -> AskedCollection:
    """Package descriptions; English queries to all languages, and to all others than English."""
    every = [*read_documents(folder / "corpus.jsonl.gz", Faults())]
    package = {one.doc_id: one.doc_id.partition(":")[2] for one in every}
    names = sorted({*package.values()})
    rows = np.random.default_rng(SEED).permutation(len(names) // BLOCK)[:BLOCKS]
    blocks = {name: str(row) for row in rows.tolist() for name in names[row * BLOCK :][:BLOCK]}
    documents = [one for one in every if package[one.doc_id] in blocks]
    versions: dict[str, list[str]] = {}
    for one in documents:
        versions.setdefault(package[one.doc_id], []).append(one.doc_id)
    others = tuple(sorted({one.language for one in documents} - {"en"}))
    queries = [
        (query, within, [v for v in versions[query.query_id] if not within or v[:3] != "en:"])
        for query in read_queries(folder / "queries.jsonl.gz", Faults())
        if query.query_id in versions
        for within in ((), others)
    ]
    articles = {one.doc_id: blocks[package[one.doc_id]] for one in documents}
    return collection("debian-packages", documents, articles, queries)


def xquad_paragraphs(folder: Path) -> AskedCollection:
    """Paragraphs in eleven languages; the same article in every language is right or left out."""
    documents = [*read_documents(folder / "paragraphs" / "corpus.jsonl.gz", Faults())]
    judgments = read_judgments(folder / "paragraphs" / "qrels.tsv.gz", Faults())
    articles = {one.doc_id: one.doc_id.split("-")[1] for one in documents}
    queries = [
        (query, (), [doc_id for doc_id, grade in judgments[query.query_id].items() if grade > 1])
        for query in read_queries(folder / "queries.jsonl.gz", Faults())
    ]
    return collection("xquad-r", documents, articles, queries)


def kubernetes_pages(folder: Path) -> AskedCollection:
    """Pages of documentation; the title in one language is searched in the other languages."""
    documents, articles = [], {}
    for path in sorted(folder.glob("*.jsonl.gz")):
        for page in read_documents(path, Faults()):
            document = replace(page, doc_id=f"{page.language}:{page.doc_id}")
            documents.append(document)
            articles[document.doc_id] = page.doc_id
    codes = {one.language for one in documents}
    versions: dict[str, list[str]] = {}
    for doc_id, page_id in articles.items():
        versions.setdefault(page_id, []).append(doc_id)
    queries = []
    for one in documents:
        others = [v for v in versions[articles[one.doc_id]] if v != one.doc_id]
        if one.title and others:
            query = Query(one.doc_id, one.title, one.language)
            queries.append((query, tuple(sorted(codes - {one.language})), others))
    return collection("kubernetes-docs", documents, articles, queries)
