"""How fast and how large is psq beside bm25s, on the same documents in one run?

    python benchmarks/lexical_search.py CORPUS.jsonl.gz [--language it] [--sizes 60000,1000000]

Documents of one language are repeated with noise (a tenth of the words left out, a tenth drawn
from elsewhere) until there are as many as asked for. Queries are English first sentences. bm25s
gets the same words; where the documents are not English, its queries are translated word by word
before the clock starts, while psq translates inside it. Rows: one query at a time, and all queries
as a batch; bm25s with its numpy/scipy scorer and with its numba one. Times are processor times, the
least of five rounds in which all take turns, so that they hold on a busy machine. A ratio below 1
is psq's win.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Any

import bm25s
import numpy as np

from dragoman.protocols import silent
from dragoman.systems.lexical.analysis import Reader
from dragoman.systems.lexical.candidates import WordTranslator
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.psq import Psq
from dragoman.systems.lexical.tables import Tables
from dragoman.text.files import Faults, read_lines
from dragoman.types import Document, Query

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


def megabytes_of_psq(psq: Psq) -> float:
    """The arrays that a search touches."""
    index = psq.postings.index
    return sum(a.nbytes for a in (index.indptr, index.documents, index.impacts, index.bounds)) / 1e6


def megabytes_of_bm25s(retriever: Any) -> float:  # noqa: ANN401 - the library has no types
    """The arrays that a search touches."""
    arrays = [retriever.scores[name] for name in ("data", "indices", "indptr")]
    return float(sum(array.nbytes for array in arrays)) / 1e6


def translated(psq: Psq, queries: list[str], language: str, reader: Reader) -> list[list[str]]:
    """The queries' words in the documents' language, one each."""
    space = psq.postings.own(language)
    assert space is not None
    translator = WordTranslator(psq.tables)
    return [
        [translator.translate(word, "en", space) for word in reader(text, "en")] for text in queries
    ]


def compare(texts: list[str], queries: list[str], size: int, language: str) -> None:
    """Print the table for one size."""
    config = LexicalConfig()

    def documents() -> Iterator[Document]:
        return noisy_documents(texts, size, language)

    started = time.perf_counter()
    psq = Psq.build(documents(), config, silent)
    psq_build = time.perf_counter() - started
    reader = Reader(Tables.chosen(config))
    started = time.perf_counter()
    words = [reader(document.text, language) for document in documents()]
    make: Any = bm25s.BM25  # the library has no types
    retriever = make(k1=1.2, b=0.75, method="lucene")
    retriever.index(words, show_progress=False)
    bm25s_build = time.perf_counter() - started
    del words
    asked = translated(psq, queries, language, reader)

    def forget_names() -> None:
        """Rounds repeat the queries; without this, names would be looked up in the first only."""
        for names in psq.postings.names.values():
            names._answers.clear()

    def one_by_one() -> None:
        forget_names()
        for text in queries:
            psq.search(Query("q", text, "en"), K)

    def batch() -> None:
        forget_names()
        psq.search_many([Query("q", text, "en") for text in queries], K)

    def theirs(backend: str, *, together: bool) -> Callable[[], None]:
        """bm25s on one of its scorers; psq reads the query inside the clock, so it is read here."""
        scorer = copy(retriever)
        scorer.backend = backend

        def run() -> None:
            for text in queries:
                reader(text, "en")
            for part in [asked] if together else [[query] for query in asked]:
                scorer.retrieve(part, k=K, show_progress=False, n_threads=2 if together else 0)

        run()
        return run

    one_by_one()
    runs = {
        "psq, one by one": one_by_one,
        "psq, batch": batch,
        "numpy, one by one": theirs("numpy", together=False),
        "numpy, batch": theirs("numpy", together=True),
        "numba, one by one": theirs("numba", together=False),
        "numba, batch": theirs("numba", together=True),
    }
    times = {name: 1000 * least / len(queries) for name, least in measured(runs).items()}
    rows = [
        (f"ms/query, {way}, bm25s {backend}", times[f"psq, {way}"], times[f"{backend}, {way}"])
        for backend in ("numpy", "numba")
        for way in ("one by one", "batch")
    ]
    rows.append(("index, MB", megabytes_of_psq(psq), megabytes_of_bm25s(retriever)))
    rows.append(("build, s", psq_build, bm25s_build))
    print(f"\n{size:,} documents in {language}, {len(queries)} English queries, k = {K}")
    print(f"{'':38}{'psq':>10}{'bm25s':>10}{'ratio':>8}")
    for label, mine, other in rows:
        print(f"{label:38}{mine:10.3f}{other:10.3f}{mine / other:8.2f}", flush=True)


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
