"""How fast and how good are the sentence encoders?

    python benchmarks/encoders.py [--texts FILE.jsonl[.gz]] [--data ../shared/data]

Speed: texts a second of our encoder and of plain onnxruntime, in one loop, in one on each core and
in padded batches of 32, on the same texts in the same run; and how far batches move a vector, which
is why we do not use them.
Quality, with ``--data``: mAP on the pooled XQuAD-R sentences, as LAReQA measures it, for the
encoder alone and with the shipped students; nDCG@10 on its paragraphs and on AfriQA.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import onnxruntime
from onnxruntime_extensions import get_library_path

from dragoman.encoders.family import shipped_students
from dragoman.encoders.models import UNIVERSAL
from dragoman.encoders.sentence_encoder import load_encoder, normalized
from dragoman.processors import cores
from dragoman.systems.dense.system import DenseSystem
from dragoman.text.files import Faults
from dragoman.text.source import read_documents, read_judgments, read_queries
from dragoman.types import FloatArray

SAMPLE = Path(__file__).parent.parent / "sample" / "corpus.jsonl"
Codes = Sequence[str]
Measure = Callable[[FloatArray, FloatArray], float]  # scores and grades -> a value
KNOWN = ("ar", "de", "en", "es", "ru", "th", "tr", "zh")


def main() -> None:
    """Print the table of speeds, and the tables of quality where the data is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=Path, default=SAMPLE)
    parser.add_argument("--data", type=Path)
    asked = parser.parse_args()
    documents = islice(read_documents(str(asked.texts), Faults()), 400)
    speeds([document.text[:1000] for document in documents])
    if asked.data:
        for language in ("sw", "ha"):
            afriqa(asked.data / f"afriqa-{language}")
        paragraphs(asked.data / "xquad-r")
        pooled(asked.data / "xquad-r")


def speeds(texts: Sequence[str]) -> None:
    """Texts a second, by several ways to encode the same texts."""
    session, narrow = plain_session(0), plain_session(1)

    def run(batch: Sequence[str], session: onnxruntime.InferenceSession = session) -> FloatArray:
        vectors: FloatArray = session.run(["outputs"], {"inputs": np.array(batch, dtype=object)})[0]
        return vectors

    def loop() -> FloatArray:
        return np.vstack([run([text]) for text in texts])

    def loops() -> FloatArray:
        with ThreadPoolExecutor(cores()) as pool:
            return np.vstack([*pool.map(lambda text: run([text], narrow), texts)])

    def batches() -> FloatArray:
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        vectors = np.zeros((len(texts), UNIVERSAL.dimension), dtype=np.float32)
        for start in range(0, len(order), 32):
            rows = order[start : start + 32]
            vectors[rows] = run([texts[row] for row in rows])
        return vectors

    encoder = load_encoder("default")
    ways: dict[str, Callable[[], FloatArray]] = {
        "plain onnxruntime, one by one": loop,
        "plain onnxruntime, a loop a core": loops,
        "plain onnxruntime, batches of 32": batches,
        "dragoman, one a run, all cores": lambda: encoder.encode(texts),
    }
    for student in shipped_students()[:1]:
        ways[f"dragoman, {student.name}"] = partial(student.encode, texts)
    vectors, seconds = timed(ways)
    first = next(iter(ways))
    print(f"{len(texts):,} texts, {np.mean([len(text) for text in texts]):.0f} letters on average")
    print(f"{'':34}{'texts/s':>9}{'ratio':>7}  least cosine with one by one")
    for name, found in vectors.items():
        nearest = (normalized(found) * normalized(vectors[first])).sum(axis=1).min()
        same = f"{nearest:.4f}" if "student" not in name else "other vectors"
        rate, ratio = len(texts) / seconds[name], seconds[first] / seconds[name]
        print(f"{name:34}{rate:9.0f}{ratio:7.2f}  {same}")


def plain_session(threads: int) -> onnxruntime.InferenceSession:
    """The encoder with the runtime's own settings but for the threads of a run; 0 is all cores."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.register_custom_ops_library(get_library_path())
    return onnxruntime.InferenceSession(
        str(UNIVERSAL.require()), options, providers=["CPUExecutionProvider"]
    )


def timed(
    ways: Mapping[str, Callable[[], FloatArray]], rounds: int = 3
) -> tuple[dict[str, FloatArray], dict[str, float]]:
    """The vectors of each way and the best of its times; the ways take turns."""
    vectors: dict[str, FloatArray] = {}
    seconds = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            started = time.perf_counter()
            vectors[name] = way()
            seconds[name] = min(seconds[name], time.perf_counter() - started)
    return vectors, seconds


def pooled(folder: Path) -> None:
    """Mean average precision on all sentences, as in LAReQA, and on the languages it knows."""
    compared = Compared(folder / "sentences", folder)
    compared.print("XQuAD-R sentences, mAP, 11 languages", average_precision, None, None)
    compared.print("XQuAD-R sentences, mAP, the 8 known", average_precision, KNOWN, KNOWN)


def paragraphs(folder: Path) -> None:
    """nDCG@10 of English questions over paragraphs of one language, and the other way round."""
    compared = Compared(folder / "paragraphs", folder)
    for language in ("ar", "de", "el", "es", "hi", "ru", "th", "tr", "vi", "zh"):
        for asked, found in (("en", language), (language, "en")):
            name = f"XQuAD-R paragraphs, nDCG@10, {asked}-{found}"
            compared.print(name, ndcg, (asked,), (found,))


def afriqa(folder: Path) -> None:
    """nDCG@10 of African questions over English passages."""
    Compared(folder, folder).print(f"{folder.name}, nDCG@10", ndcg, None, None)


class Compared:
    """A collection under the encoder alone and with its students."""

    def __init__(self, folder: Path, queries: Path) -> None:
        documents = list(read_documents(str(folder / "corpus.jsonl.gz"), Faults()))
        self.judgments = read_judgments(str(folder / "qrels.tsv.gz"), Faults())
        self.queries = list(read_queries(str(queries / "queries.jsonl.gz"), Faults()))
        texts = [query.content for query in self.queries]
        self.rows, self.vectors = [], []
        for students in (False, True):
            system = DenseSystem.create(DenseSystem.configure({"shipped_students": students}))
            encoded = [one.get(system.space) for one in system.encode(documents)]
            self.rows.append([rows for rows in encoded if rows is not None])
            self.vectors.append(system.family.encode(texts))
        read = [one for one, rows in zip(documents, encoded, strict=True) if rows is not None]
        self.ids = [document.doc_id for document in read]
        self.languages = np.array([document.language for document in read])

    def print(self, name: str, measure: Measure, asked: Codes | None, found: Codes | None) -> None:
        """One line: the mean of a measure over the languages asked and found."""
        values = [self.mean(which, measure, asked, found) for which in (0, 1)]
        print(f"{name:40} encoder {values[0]:.3f}   with students {values[1]:.3f}", flush=True)

    def mean(self, which: int, measure: Measure, asked: Codes | None, found: Codes | None) -> float:
        """The mean over the queries in ``asked`` of a measure of the documents in ``found``."""
        chosen = np.flatnonzero(np.isin(self.languages, self.languages if found is None else found))
        place = {self.ids[number]: row for row, number in enumerate(chosen.tolist())}
        matrices = [np.asarray(self.rows[which][number]) for number in chosen.tolist()]
        starts = np.cumsum([0, *(len(rows) for rows in matrices)])[:-1]
        rows = np.concatenate(matrices)
        values = []
        for query, vector in zip(self.queries, self.vectors[which], strict=True):
            if asked is not None and query.language not in asked:
                continue
            grades = np.zeros(len(chosen))
            for doc_id, grade in self.judgments[query.query_id].items():
                if doc_id in place:
                    grades[place[doc_id]] = grade
            values.append(measure(np.maximum.reduceat(rows @ vector, starts), grades))
        return float(np.mean(values))


def average_precision(scores: FloatArray, grades: FloatArray) -> float:
    """The mean precision at each relevant document."""
    relevant = np.sort(scores[grades > 0])[::-1]
    ranks = np.array([np.count_nonzero(scores > score) + 1 for score in relevant])
    found = np.arange(1, len(ranks) + 1)
    return float((found / np.maximum(ranks, found)).mean()) if len(ranks) else 0.0


def ndcg(scores: FloatArray, grades: FloatArray) -> float:
    """The discounted gain of the first ten, the gain being the grade, over the ideal."""
    discounts = 1 / np.log2(np.arange(2, 12))
    gained = grades[np.argsort(-scores, kind="stable")[:10]]
    ideal = np.sort(grades)[::-1][:10]
    best = float(ideal @ discounts[: len(ideal)])
    return float(gained @ discounts[: len(gained)]) / best if best else 0.0


if __name__ == "__main__":
    main()
