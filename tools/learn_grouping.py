"""Learn which hits count as translations of each other, and measure the groups.

    python tools/learn_grouping.py XQUAD_R DEBIAN_PACKAGES KUBERNETES [--write]

XQUAD_R is the folder of XQuAD-R (``queries.jsonl.gz``, ``paragraphs/``), DEBIAN_PACKAGES the output
of `dragoman collection debian-packages`, KUBERNETES a folder of documentation pages with the same
``_id`` in every language. The model is fitted on the first two; the third is held out. Rankings are
those of the default system, whole and in small samples, as a small index would have them.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

import dragoman
from dragoman.indexes.search.copies import copies
from dragoman.indexes.search.grouping import WINDOW, joined_apart
from dragoman.indexes.search.translations import (
    DATA,
    FORMAT,
    PairModel,
    TranslationPair,
    mean_rows,
    translation_pairs,
)
from dragoman.indexes.snapshot import Snapshot
from dragoman.scores.logistic import LogisticModel
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_queries
from dragoman.types import Document, Query

SEED = 0
SEARCHES = 150  # of each collection
SAMPLES = (WINDOW, 10, 4)  # hits of a ranking that are compared
BLOCKS, BLOCK = 90, 20  # neighbouring packages, which are the hardest to tell apart
PROBABILITIES = (0.5, 0.6, 0.7, 0.8, 0.9)
CHOSEN = 0.8  # the least probability of a translation, by the development collections


class Searches(NamedTuple):
    """A collection: its documents, each with the name that its translations share; its queries."""

    name: str
    documents: list[Document]
    names: dict[str, str]
    queries: list[Query]


class Ranked(NamedTuple):
    """Some hits of a ranking, and what compares them."""

    documents: list[Document]
    names: list[str]
    pairs: list[TranslationPair]


def xquad_paragraphs(folder: Path) -> Searches:
    """Paragraphs in eleven languages; ids are a language and the number of a paragraph."""
    documents = [*read_documents(folder / "paragraphs" / "corpus.jsonl.gz", Faults())]
    names = {one.doc_id: one.doc_id.partition("-")[2] for one in documents}
    return Searches(
        "xquad-r", documents, names, [*read_queries(folder / "queries.jsonl.gz", Faults())]
    )


def debian_packages(folder: Path) -> Searches:
    """Blocks of packages with neighbouring names, in all their languages."""
    documents = [*read_documents(folder / "corpus.jsonl.gz", Faults())]
    names = {one.doc_id: one.doc_id.partition(":")[2] for one in documents}
    packages = sorted({*names.values()})
    blocks = drawn(np.random.default_rng(SEED), len(packages) // BLOCK, BLOCKS)
    chosen = {package for block in blocks for package in packages[block * BLOCK :][:BLOCK]}
    queries = read_queries(folder / "queries.jsonl.gz", Faults())
    return Searches(
        "debian-packages",
        [one for one in documents if names[one.doc_id] in chosen],
        names,
        [query for query in queries if query.query_id in chosen],
    )


def kubernetes_pages(folder: Path) -> Searches:
    """Pages of documentation; their titles are the queries."""
    documents, names = [], {}
    for path in sorted(folder.glob("*.jsonl.gz")):
        for page in read_documents(path, Faults()):
            document = replace(page, doc_id=f"{page.language}:{page.doc_id}")
            documents.append(document)
            names[document.doc_id] = page.doc_id
    titled = [one for one in documents if one.title]
    queries = [Query(one.doc_id, one.title, one.language) for one in titled]
    return Searches("kubernetes-docs", documents, names, queries)


def drawn(rng: np.random.Generator, count: int, most: int) -> list[int]:
    """At most so many of ``count`` positions, rising."""
    return sorted(rng.choice(count, min(most, count), replace=False).tolist())


def rankings(collection: Searches) -> dict[int, list[Ranked]]:
    """By the number of hits that are compared: samples of the rankings of some queries."""
    rng = np.random.default_rng(SEED)
    queries = [collection.queries[row] for row in drawn(rng, len(collection.queries), SEARCHES)]
    found: dict[int, list[Ranked]] = {size: [] for size in SAMPLES}
    with (
        TemporaryDirectory() as folder,
        dragoman.index(collection.documents, Path(folder) / "index") as index,
        index.snapshot() as snapshot,
    ):
        for query in queries:
            ids = [hit.doc_id for hit in index.rank(query, WINDOW).hits]
            for size, mine in found.items():
                chosen = [ids[place] for place in drawn(rng, len(ids), size)]
                mine.append(ranked(snapshot, collection, chosen))
    return found


def ranked(snapshot: Snapshot, collection: Searches, doc_ids: Sequence[str]) -> Ranked:
    """Hits without those that are copies of others, and what compares them."""
    numbers = snapshot.numbers_of(doc_ids)
    repeated = {other for _, other in copies(snapshot.documents(numbers))}
    numbers = numbers[[row for row in range(len(numbers)) if row not in repeated]]
    documents = snapshot.documents(numbers)
    names = [collection.names[one.doc_id] for one in documents]
    pairs = translation_pairs(documents, mean_rows(snapshot, "dense", numbers))
    return Ranked(documents, names, pairs)


def learnt(collections: Sequence[dict[int, list[Ranked]]]) -> LogisticModel:
    """The model of all pairs; each collection and size of samples counts the same."""
    features, holds, counts = [], [], []
    for samples in (mine for one in collections for mine in one.values()):
        pairs = [(one, pair) for one in samples for pair in one.pairs]
        features += [pair.features for _, pair in pairs]
        holds += [one.names[pair.first] == one.names[pair.second] for one, pair in pairs]
        counts += [1000 / len(pairs)] * len(pairs)
    return LogisticModel.fit(np.array(features), np.array(holds), np.array(counts))


def measured(samples: Sequence[Ranked], model: PairModel) -> tuple[float, float]:
    """Precision and recall of the pairs that end in one group."""
    right = grouped = wanted = 0
    for one in samples:
        languages = [document.language for document in one.documents]
        firsts = joined_apart(np.arange(len(languages)), languages, model.links(one.pairs))
        for row, other in combinations(range(len(languages)), 2):
            if languages[row] != languages[other]:
                same = one.names[row] == one.names[other]
                together = firsts[row] == firsts[other]
                wanted, grouped, right = (
                    wanted + same,
                    grouped + together,
                    right + (same & together),
                )
    return right / max(grouped, 1), right / max(wanted, 1)


def main() -> None:
    """Fit, print precision and recall, and write the model where that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name in ("xquad_r", "debian_packages", "kubernetes"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--write", action="store_true", help="replace the model of the package")
    given = parser.parse_args()
    collections = [
        xquad_paragraphs(given.xquad_r),
        debian_packages(given.debian_packages),
        kubernetes_pages(given.kubernetes),
    ]
    samples = {one.name: rankings(one) for one in collections}
    *development, _ = samples.values()
    model = learnt(development)
    print(f"bias {model.bias:.2f}, weights", *(f"{weight:.2f}" for weight in model.weights))
    print(f"{'collection':18}{'hits':>5}" + "".join(f"{f'p >= {p}':>16}" for p in PROBABILITIES))
    for name, sizes in samples.items():
        for size, mine in sizes.items():
            figures = [measured(mine, PairModel(model, log(p / (1 - p)))) for p in PROBABILITIES]
            print(
                f"{name:18}{size:5}" + "".join(f"    P {p:.3f} R {r:.3f}"[-16:] for p, r in figures)
            )
    if given.write:
        rounded = [round(weight, 2) for weight in model.weights]
        least = round(log(CHOSEN / (1 - CHOSEN)), 3)
        FORMAT.write(DATA, {"bias": round(model.bias, 2), "weights": rounded, "least": least})


if __name__ == "__main__":
    main()
