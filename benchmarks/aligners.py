"""How fast are lexicons learnt, and how good are they, beside eflomal's default?

    python benchmarks/aligners.py [--pairs 200000] [--language de] [--repeat 3]

Both aligners read the same analysed sentence pairs, in turn, each in a process of its own. Timed
is the way from lines of words to both directions: ours with the finished table, eflomal's with its
links on disk (counting them into a table is not charged to it). The machine may be shared, so
processor seconds stand beside wall seconds, and ratios are of medians. Quality is nDCG@10 of
``psq`` on XQuAD-R's paragraphs, from English and into it, with the table of every run, because
eflomal samples and no two runs of it are the same: mean, lowest and highest.
"""

import argparse
import gzip
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from dragoman.lexicons import sparse_rows
from dragoman.lexicons.alignment.aligner import AlignmentConfig, align
from dragoman.lexicons.alignment.packed_bitext import PackedBitext, WeightedPair, pack
from dragoman.lexicons.lexicon import Lexicon
from dragoman.protocols import no_progress
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

DATA = Path(__file__).parent.parent.parent / "shared" / "data"


def main() -> None:
    """Read the options; a child measures one aligner once."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--language", default="de")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--child", choices=["dragoman", "eflomal"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        CHILDREN[options.child](options.folder, options.language)
        return
    with tempfile.TemporaryDirectory() as name:
        compare(Path(name), options.language, options.pairs, options.repeat)


def compare(folder: Path, language: str, pairs: int, repeat: int) -> None:
    """Run both in turn and print one table."""
    written = write_words(folder, language, pairs)
    found: dict[str, list[dict[str, float]]] = {"dragoman": [], "eflomal": []}
    for _ in range(repeat):
        for child, runs in found.items():
            command = [sys.executable, __file__, "--child", child, "--folder", str(folder)]
            ran = subprocess.run(
                [*command, "--language", language], stdout=subprocess.PIPE, check=True
            )
            table = retrieval(folder / child, language)
            runs.append({**json.loads(ran.stdout), "there": table[0], "back": table[1]})
    median = {
        child: {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        for child, runs in found.items()
    }
    print(f"en-{language}, {written:,} sentence pairs, median of {repeat} runs")
    headings = (f"nDCG@10 en-{language}", f"nDCG@10 {language}-en")
    print(f"{'':10}{'wall s':>8}{'cpu s':>8}{'MB':>8}  {headings[0]:24}{headings[1]}")
    for child, measured in median.items():
        there, back = (spread([run[key] for run in found[child]]) for key in ("there", "back"))
        print(
            f"{child:10}{measured['wall']:8.1f}{measured['cpu']:8.1f}{measured['mb']:8.0f}"
            f"  {there:24}{back}"
        )
    ours, theirs = median["dragoman"], median["eflomal"]
    print(
        f"eflomal / dragoman: wall {theirs['wall'] / ours['wall']:.2f},"
        f" cpu {theirs['cpu'] / ours['cpu']:.2f}, memory {theirs['mb'] / ours['mb']:.2f}"
    )
    print(f"not in the times above: {ours['jit']:.1f} s to load or compile the kernels, once")


def spread(values: list[float]) -> str:
    """Mean, lowest and highest."""
    return f"{statistics.mean(values):.4f} ({min(values):.4f}-{max(values):.4f})"


def write_words(folder: Path, language: str, pairs: int) -> int:
    """The analysed sentence pairs, as lines of words on both sides."""
    analyzer = Analyzer(AnalyzerConfig())
    written = 0
    with (
        gzip.open(DATA / "bitext" / f"en-{language}.tsv.gz", "rt", encoding="utf-8") as lines,
        (folder / "source").open("w", encoding="utf-8") as source,
        (folder / "target").open("w", encoding="utf-8") as target,
    ):
        for line in lines:
            left, right = line.rstrip("\n").split("\t")[:2]
            words = analyzer(left, "en"), analyzer(right, language)
            if all(0 < len(side) <= 100 for side in words) and written < pairs:
                source.write(" ".join(words[0]) + "\n")
                target.write(" ".join(words[1]) + "\n")
                written += 1
    return written


def read_words(folder: Path) -> Iterator[WeightedPair]:
    """The lines of ``write_words``."""
    with (
        (folder / "source").open(encoding="utf-8") as source,
        (folder / "target").open(encoding="utf-8") as target,
    ):
        for left, right in zip(source, target, strict=True):
            yield WeightedPair(left.split(), right.split(), 1)


def run_dragoman(folder: Path, language: str) -> None:
    """Measure ours; the kernels are loaded by a few sentences first."""
    with tempfile.TemporaryDirectory() as name:
        started = time.perf_counter()
        few = pack(islice(read_words(folder), 50), Path(name), no_progress)
        align(few, Path(name), AlignmentConfig())
        jit = time.perf_counter() - started
    before = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        packed = pack(read_words(folder), Path(name), no_progress)
        aligned = align(packed, Path(name), AlignmentConfig())
        places = (aligned.model.rows, aligned.model.pairs.columns)
        lexicon = from_counts(
            packed, language, *places, aligned.forward_counts, aligned.backward_counts
        )
    wall = time.perf_counter() - started
    lexicon.save(folder / "dragoman")
    print(json.dumps({**used(before, resource.RUSAGE_SELF), "wall": wall, "jit": jit}))


def run_eflomal(folder: Path, language: str) -> None:
    """Measure eflomal, whose work is done by a binary of its own."""
    import eflomal

    before = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with (
        (folder / "source").open(encoding="utf-8") as source,
        (folder / "target").open(encoding="utf-8") as target,
    ):
        eflomal.Aligner().align(
            source,
            target,
            links_filename_fwd=str(folder / "forward"),
            links_filename_rev=str(folder / "backward"),
        )
    wall = time.perf_counter() - started
    own = used(before[0], resource.RUSAGE_SELF)
    binary = used(before[1], resource.RUSAGE_CHILDREN)
    measured = {"cpu": own["cpu"] + binary["cpu"], "mb": max(own["mb"], binary["mb"])}
    count_links(folder, language).save(folder / "eflomal")
    print(json.dumps({**measured, "wall": wall, "jit": 0.0}))


def used(before: resource.struct_rusage, who: int) -> dict[str, float]:
    """Processor seconds since ``before``, and the most memory ever held."""
    now = resource.getrusage(who)
    cpu = now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "mb": now.ru_maxrss / 1024}


def count_links(folder: Path, language: str) -> Lexicon:
    """Links of eflomal, both directions, counted into the same kind of table."""
    with tempfile.TemporaryDirectory() as name:
        packed = pack(read_words(folder), Path(name), no_progress)
        sides = []
        for direction in ("forward", "backward"):
            sources, targets = [], []
            with (folder / direction).open(encoding="utf-8") as lines:
                for n, line in enumerate(lines):
                    for link in line.split():
                        i, j = map(int, link.split("-"))
                        sources.append(packed.sentence(n)[0][i])
                        targets.append(packed.sentence(n)[1][j])
            sides.append((np.array(sources), np.array(targets)))
        sizes = (len(packed.source_words), len(packed.target_words))
        tables = [sparse_rows.table(*links, np.ones(len(links[0])), sizes) for links in sides]
        return finished(packed, language, *tables)


def from_counts(
    packed: PackedBitext,
    language: str,
    sources: np.ndarray,
    targets: np.ndarray,
    forward: np.ndarray,
    backward: np.ndarray,
) -> Lexicon:
    """The finished table of expected counts."""
    sizes = (len(packed.source_words), len(packed.target_words))
    tables = (sparse_rows.table(sources, targets, counts, sizes) for counts in (forward, backward))
    return finished(packed, language, *tables)


def finished(
    packed: PackedBitext, language: str, forward: sparse_rows.Table, backward: sparse_rows.Table
) -> Lexicon:
    """The same last steps for both: normalise, symmetrise, prune."""
    lexicon = Lexicon(
        *("en", language, packed.source_words, packed.target_words, *packed.counts()),
        *(sparse_rows.normalised(forward), sparse_rows.normalised(csr_array(backward.T))),
    )
    return lexicon.symmetrised().pruned(threshold=1e-3, mass=0.99, top=30)


def retrieval(table: Path, language: str) -> tuple[float, float]:
    """nDCG@10 of English questions to paragraphs in ``language``, and the other way."""
    import ir_measures

    from dragoman.experiments.index_cache import temporary_index
    from dragoman.ranking.balance import Balance
    from dragoman.text.files import Faults
    from dragoman.text.source import (
        read_documents,
        read_judgments,
        read_queries,
    )

    folder = DATA / "xquad-r"
    pool = [
        document
        for document in read_documents(folder / "paragraphs" / "corpus.jsonl.gz", Faults())
        if document.language in ("en", language)
    ]
    queries = list(read_queries(folder / "queries.jsonl.gz", Faults()))
    judgments = read_judgments(folder / "paragraphs" / "qrels.tsv.gz", Faults())
    measure = ir_measures.nDCG @ 10
    values = []
    with temporary_index(pool, "psq", {"lexicons": [str(table)]}) as index:
        for spoken, searched in (("en", language), (language, "en")):
            there = {document.doc_id for document in pool if document.language == searched}
            mine = [query for query in queries if query.language == spoken]
            rankings = index.rank_all(mine, 10, index.scope([searched], balance=Balance.OFF))
            run = {one.query_id: {hit.doc_id: hit.score for hit in one.hits} for one in rankings}
            qrels = {
                query.query_id: {
                    doc_id: grade
                    for doc_id, grade in judgments.get(query.query_id, {}).items()
                    if doc_id in there
                }
                for query in mine
            }
            values.append(ir_measures.calc_aggregate([measure], qrels, run)[measure])
    return values[0], values[1]


CHILDREN = {"dragoman": run_dragoman, "eflomal": run_eflomal}

if __name__ == "__main__":
    main()
