"""How fast and how large is psq beside bm25s, on the same documents in one run?

    python benchmarks/lexical_search.py CORPUS.jsonl.gz [--language it] [--sizes 60000,1000000]

Documents of one language are repeated with noise (a tenth of the words left out, a tenth drawn
from elsewhere) until there are as many as asked for. Queries are English first sentences.

What the clock counts. Both read the query's text with the same analyser, inside the clock, and
both look the words up. psq also translates, looks for names by sound, takes a snapshot, and names
the documents it found; bm25s gets its words translated before the clock starts where documents are
not English, and gives numbers. *cold* words are met for the first time in a round: all that psq
remembers of words but their analysis is forgotten before it. *warm* words came in the round before.
bm25s remembers nothing. Rows: one query at a time, and all queries on two threads; bm25s with its
numpy/scipy scorer and with its numba one. Times are processor times, the least of five rounds in
which all take turns, so that they hold on a busy machine. A ratio below 1 is psq's win.

What the memory counts. *postings* are the arrays of postings. *held* is all that a system holds to
answer: postings, vocabularies, document ids, names by sound; for psq these are the segments of the
index, mapped from disk. The translation tables and what is remembered of words are left out, and so
is the analyser, which both use.
"""

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import bm25s
import numpy as np

import dragoman
from dragoman.indexes.index import Index
from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.lexicons.analysis import LexicalAnalyzer
from dragoman.lexicons.sounds.transliteration import romanised, sound_key
from dragoman.lexicons.word_translation import WordTranslator
from dragoman.ranking.balance import Balance
from dragoman.systems.lexical.bm25 import OwnWords
from dragoman.systems.lexical.psq import WORDS, Psq
from dragoman.text.files import Faults, read_lines
from dragoman.types import Document, Query

Row = tuple[str, float, float]  # label, psq, bm25s

K = 10
QUERIES = 500


def texts_of(corpus: Path, language: str) -> list[str]:
    """The texts of one language, titles in front."""
    records = (json.loads(line) for _, line in read_lines(corpus, Faults()))
    return [
        f"{record.get('title', '')}\n{record['text']}"
        for record in records
        if record["lang"] == language
    ]


def noisy_documents(texts: list[str], size: int, language: str) -> Iterator[Document]:
    """``size`` documents; the first ones as they are, the rest as noisy copies."""
    rng = np.random.default_rng(0)
    vocabulary = np.array(sorted({word for text in texts[:5000] for word in text.split()}))
    for number in range(size):
        text = texts[number % len(texts)]
        if number >= len(texts):
            words = np.array(text.split())
            words = words[rng.random(len(words)) > 0.1]
            added = rng.choice(vocabulary, max(1, len(words) // 10))
            text = " ".join([*words, *added])
        yield Document(f"{number:08}", text, language=language)


def measured(runs: Mapping[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """The least processor time of each in seconds; they take turns and share the noise."""
    least = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            gc.collect()
            started = time.process_time()
            run()
            least[name] = min(least[name], time.process_time() - started)
    return least


def megabytes(*held: object) -> float:
    """The size of objects and of all that they hold; what is held twice counts once."""
    seen: set[int] = set()
    waiting, total = list(held), 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType):
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            waiting += [one.base] if one.base is not None else []
            total += one.nbytes if one.base is None else 0
            continue
        total += sys.getsizeof(one)
        if not isinstance(one, str | bytes | int | float):
            waiting += gc.get_referents(one)
    return total / 1e6


def memory(index: Index, retriever: Any) -> list[Row]:  # noqa: ANN401 - the library has no types
    """The rows on memory."""
    with index.snapshot() as snapshot:
        arrays = [reader.segment.arrays.arrays for reader in snapshot.readers]
    sizes = [(name, array.nbytes / 1e6) for mine in arrays for name, array in mine.items()]
    postings = sum(size for name, size in sizes if name.startswith(f"{Psq.space}."))
    scores = retriever.scores
    theirs = megabytes(*(scores[name] for name in ("data", "indices", "indptr")))
    vocabulary = megabytes(scores, retriever.vocab_dict, retriever.unique_token_ids_set)
    return [
        ("postings, MB", postings, theirs),
        ("held, MB", sum(size for _, size in sizes), vocabulary),
    ]


def translated(
    index: Index, system: Psq, queries: list[str], language: str, reader: LexicalAnalyzer
) -> list[list[str]]:
    """The queries' words in the documents' language, one each."""
    translator = WordTranslator(system.tables)
    with index.snapshot() as snapshot:
        own = OwnWords(SnapshotPostings(snapshot, Psq.space), language)
        return [
            [translator.translate(word, "en", own) for word in reader(text, "en")]
            for text in queries
        ]


def compare(texts: list[str], queries: list[str], size: int, language: str) -> None:
    """Print the table for one size."""
    with tempfile.TemporaryDirectory() as folder:
        documents = noisy_documents(texts, size, language)
        started = time.perf_counter()
        with dragoman.index(documents, Path(folder) / "index", system=Psq.name) as index:
            built = time.perf_counter() - started
            index.warm_up()
            rows = measured_rows(
                index, built, list(noisy_documents(texts, size, language)), queries
            )
    print(f"\n{size:,} documents in {language}, {len(queries)} English queries, k = {K}")
    print(f"{'':38}{'psq':>10}{'bm25s':>10}{'ratio':>8}")
    for label, mine, other in rows:
        print(f"{label:38}{mine:10.3f}{other:10.3f}{mine / other:8.2f}", flush=True)


def measured_rows(
    index: Index, built: float, documents: list[Document], queries: list[str]
) -> list[Row]:
    """All rows of a table; ``built`` is how long the index took."""
    system, language = index.system, documents[0].language
    assert isinstance(system, Psq)
    reader = LexicalAnalyzer(system.tables)
    started = time.perf_counter()
    words = [reader(document.text, language) for document in documents]
    make: Any = bm25s.BM25  # the library has no types
    retriever = make(k1=1.2, b=0.75, method="lucene")
    retriever.index(words, show_progress=False)
    bm25s_build = time.perf_counter() - started
    del words
    runs = {
        **psq_runs(index, system, queries),
        **bm25s_runs(
            retriever, reader, queries, translated(index, system, queries, language, reader)
        ),
    }
    times = {name: 1000 * least / len(queries) for name, least in measured(runs).items()}
    rows = [
        (
            f"ms/query, {way}, {words}, {backend}",
            times[f"{words}, {way}"],
            times[f"{backend}, {way}"],
        )
        for backend in ("numpy", "numba")
        for way in ("one by one", "two threads")
        for words in ("cold", "warm")
    ]
    return [*rows, *memory(index, retriever), ("build, s", built, bm25s_build)]


def psq_runs(index: Index, system: Psq, queries: list[str]) -> dict[str, Callable[[], object]]:
    """What the clock runs of psq."""
    scope = index.scope(balance=Balance.OFF)

    def search(text: str) -> object:
        return index.rank(Query("q", text, "en"), K, scope)

    def forget_words() -> None:
        """Rounds repeat the queries; after this, their words are new."""
        system._expansions.clear()
        romanised.cache_clear()
        sound_key.cache_clear()
        with index.snapshot() as snapshot:
            for reader in snapshot.readers:
                reader.segment.words(WORDS)._known.clear()

    def one_by_one() -> None:
        for text in queries:
            search(text)

    def two_threads() -> None:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(search, queries))

    def cold(run: Callable[[], None]) -> Callable[[], None]:
        def run_cold() -> None:
            forget_words()
            run()

        return run_cold

    one_by_one()
    return {
        "cold, one by one": cold(one_by_one),
        "warm, one by one": one_by_one,
        "cold, two threads": cold(two_threads),
        "warm, two threads": two_threads,
    }


def bm25s_runs(
    retriever: Any,  # noqa: ANN401
    reader: LexicalAnalyzer,
    queries: list[str],
    words: list[list[str]],
) -> dict[str, Callable[[], object]]:
    """What the clock runs of bm25s; psq reads the query inside the clock, so it is read here."""

    def run_of(backend: str, *, together: bool) -> Callable[[], None]:
        scorer = copy(retriever)
        scorer.backend = backend

        def run() -> None:
            for text in queries:
                reader(text, "en")
            for part in [words] if together else [[query] for query in words]:
                scorer.retrieve(part, k=K, show_progress=False, n_threads=2 if together else 0)

        run()
        return run

    return {
        f"{backend}, {way}": run_of(backend, together=way == "two threads")
        for backend in ("numpy", "numba")
        for way in ("one by one", "two threads")
    }


def main() -> None:
    """Read the options and print one table per size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--language", default="en")
    parser.add_argument("--sizes", default="60000,1000000")
    options = parser.parse_args()
    texts = texts_of(options.corpus, options.language)
    english = texts_of(options.corpus, "en")
    step = max(1, len(english) // QUERIES)
    queries = [text.split("\n")[1].split(". ")[0][:200] for text in english[::step]][:QUERIES]
    for size in map(int, options.sizes.split(",")):
        compare(texts, queries, size, options.language)


if __name__ == "__main__":
    main()
