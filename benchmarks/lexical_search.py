"""How fast and how large is psq beside bm25s, on the same documents in one run?

    python benchmarks/lexical_search.py CORPUS.jsonl.gz [--language it] [--sizes 60000,1000000]

Documents of one language are repeated with noise (a tenth of the words left out, a tenth drawn
from elsewhere) until there are as many as asked for. Queries are English first sentences.

What the clock counts. Both read the query's text with the same analyser, inside the clock, and
both find the words in their vocabulary. psq also translates, looks for names by sound, and names
the documents it found; bm25s gets its words translated before the clock starts where documents are
not English, and gives numbers. *cold* words are met for the first time in a round: all that psq
remembers of words but their analysis is forgotten before it. *warm* words came in the round before.
bm25s remembers nothing. Rows: one query at a time, and all queries as a batch on two threads; bm25s
with its numpy/scipy scorer and with its numba one. Times are processor times, the least of five
rounds in which all take turns, so that they hold on a busy machine. A ratio below 1 is psq's win.

What the memory counts. *postings* are the arrays of postings. *held* is all that a system holds to
answer: postings, vocabularies, document ids, names by sound, what it remembers of words; *held with
tables* adds the translation tables, which all indexes of a process share. The analyser is left out,
because both use it.
"""

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import bm25s
import numpy as np

from dragoman.lexicons.candidates import WordTranslator
from dragoman.lexicons.reading import Reader
from dragoman.protocols import silent
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.psq import Psq
from dragoman.systems.lexical.transliteration import romanised, sound_key
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
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType | Psq | Reader):
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


def memory(psq: Psq, retriever: Any) -> list[Row]:  # noqa: ANN401 - the library has no types
    """The rows on memory."""
    index, scores = psq.fixed.index, retriever.scores
    theirs = megabytes(scores, retriever.vocab_dict, retriever.unique_token_ids_set)
    return [
        (
            "postings, MB",
            megabytes(index.indptr, index.documents, index.impacts, index.bounds),
            megabytes(*(scores[name] for name in ("data", "indices", "indptr"))),
        ),
        ("held, MB", megabytes(psq.fixed, psq._askings), theirs),
        (
            "held with tables, MB",
            megabytes(psq.fixed, psq._askings, psq.tables, psq._mapper),
            theirs,
        ),
    ]


def translated(psq: Psq, queries: list[str], language: str, reader: Reader) -> list[list[str]]:
    """The queries' words in the documents' language, one each."""
    space = psq.fixed.own(language)
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
    reader = Reader(config.tables())
    started = time.perf_counter()
    words = [reader(document.text, language) for document in documents()]
    make: Any = bm25s.BM25  # the library has no types
    retriever = make(k1=1.2, b=0.75, method="lucene")
    retriever.index(words, show_progress=False)
    bm25s_build = time.perf_counter() - started
    del words
    asked = translated(psq, queries, language, reader)

    def forget_words() -> None:
        """Rounds repeat the queries; after this, their words are new."""
        psq._askings.clear()
        romanised.cache_clear()
        sound_key.cache_clear()
        for names in psq.fixed.names.values():
            names._answers.clear()

    def one_by_one() -> None:
        for text in queries:
            psq.search(Query("q", text, "en"), K)

    def batch() -> None:
        psq.search_many([Query("q", text, "en") for text in queries], K)

    def cold(run: Callable[[], None]) -> Callable[[], None]:
        def run_cold() -> None:
            forget_words()
            run()

        return run_cold

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
        "cold, one by one": cold(one_by_one),
        "warm, one by one": one_by_one,
        "cold, batch": cold(batch),
        "warm, batch": batch,
        "numpy, one by one": theirs("numpy", together=False),
        "numpy, batch": theirs("numpy", together=True),
        "numba, one by one": theirs("numba", together=False),
        "numba, batch": theirs("numba", together=True),
    }
    times = {name: 1000 * least / len(queries) for name, least in measured(runs).items()}
    rows = [
        (
            f"ms/query, {way}, {words}, {backend}",
            times[f"{words}, {way}"],
            times[f"{backend}, {way}"],
        )
        for backend in ("numpy", "numba")
        for way in ("one by one", "batch")
        for words in ("cold", "warm")
    ]
    rows += [*memory(psq, retriever), ("build, s", psq_build, bm25s_build)]
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
