"""Collections -> bags of words with vectors, for the benchmarks of transport; encoded once.

Words have the vectors of the default encoder, on their main axes; weights and preparation are the
paper's (Balikas et al. 2018).
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array, load_npz, save_npz

from dragoman.encoders.sentence_encoder import normalized
from dragoman.experiments.index_cache import temporary_index
from dragoman.systems.bags.wasserstein import WassersteinSystem
from dragoman.text.collection import Collection
from dragoman.types import Document, FloatArray, IntArray, Text

CACHE = Path.home() / ".cache/dragoman/benchmarks"
DIMENSIONS = 300  # the paper's
EPSILON = 0.1
SEED = 20180801
QUERY = -1


@dataclass(frozen=True)
class Prepared:
    """Bags of a collection's documents and English queries over one matrix of points."""

    points: FloatArray
    bags: csr_array
    languages: IntArray  # 0 is English, QUERY an English query


@dataclass
class Stopwatch:
    """Processor seconds by name."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str, times: float = 1.0) -> Iterator[None]:
        """Count what runs inside ``times`` over."""
        start = time.process_time()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + (time.process_time() - start) * times


def prepare(folder: Path, languages: Sequence[str], kept: Path, dimensions: int) -> Prepared:
    """The collection's bags, read and encoded once."""
    place = kept / folder.name / "-".join(languages)
    if not (place / "bags.npz").is_file():
        collection = Collection.open(folder)
        read = [
            (text.content, languages.index(text.language))
            for text in collection.documents()
            if text.language in languages
        ]
        read += [(text.content, QUERY) for text in collection.queries() if text.language == "en"]
        place.mkdir(parents=True, exist_ok=True)
        np.save(place / "languages.npy", [number for _, number in read])
        write([text for text, _ in read], place)
    return Prepared(
        main_axes(np.load(place / "points.npy"), dimensions),
        csr_array(load_npz(place / "bags.npz")),
        np.load(place / "languages.npy"),
    )


def read_bags(folder: Path, languages: Sequence[str], settings: Mapping[str, object]) -> Prepared:
    """The bags of a collection's documents by a system with these settings."""
    documents = [one for one in Collection.open(folder).documents() if one.language in languages]
    points, bags, ids = weighted_bags(documents, settings)
    by_id = {one.doc_id: languages.index(one.language) for one in documents}
    return Prepared(points, bags, np.array([by_id[doc_id] for doc_id in ids]))


def write(texts: Sequence[Text], place: Path) -> None:
    """Encode every word of ``texts`` and write points and bags."""
    documents = (
        Document(f"{number:09}", text.body, language=text.language)
        for number, text in enumerate(texts)
    )
    points, bags, _ = weighted_bags(documents, {"shipped_students": False})
    np.save(place / "points.npy", points)
    save_npz(place / "bags.npz", bags)


def weighted_bags(
    documents: Iterable[Document], settings: Mapping[str, object]
) -> tuple[FloatArray, csr_array, Sequence[str]]:
    """Points, bags over them that sum to one, and the documents' ids."""
    with (
        temporary_index(documents, WassersteinSystem.name, settings) as index,
        index.snapshot() as snapshot,
    ):
        system = index.system
        assert isinstance(system, WassersteinSystem)
        collection = system.collection(snapshot)
        return collection.vocabulary.points, scaled(collection.bags), collection.ids


def scaled(bags: csr_array) -> csr_array:
    """The rows summing to one, in float32."""
    sums = np.asarray(bags.sum(axis=1))
    data = bags.data / np.repeat(np.where(sums > 0, sums, 1), np.diff(bags.indptr))
    return csr_array((data.astype(np.float32), bags.indices, bags.indptr), shape=bags.shape)


def main_axes(points: FloatArray, dimensions: int) -> FloatArray:
    """The points on their axes of largest spread, at length one again."""
    if dimensions >= points.shape[1]:
        return points
    _, axes = np.linalg.eigh(points.T @ points)
    return normalized(points @ axes[:, -dimensions:])
