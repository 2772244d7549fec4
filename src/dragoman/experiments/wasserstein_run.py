"""One pair of languages after another: texts, materials, every row in both directions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.errors import InputError
from dragoman.experiments.paired_documents import (
    TEST_ITEMS,
    PairedDocuments,
    paired_documents,
    statistics,
)
from dragoman.experiments.wasserstein import (
    Contestant,
    Found,
    Materials,
    contestants,
    ranked,
    sweep,
)
from dragoman.experiments.wasserstein_materials import materials
from dragoman.experiments.wasserstein_report import Measured, Side
from dragoman.protocols import Advance
from dragoman.systems.bilda.config import Schedule, TopicConfig
from dragoman.text.collection import Collection
from dragoman.vectors.embeddings_learning import EmbeddingsConfig
from dragoman.vectors.oov import OovConfig, coverage, forgiving
from dragoman.vectors.space import WordSpace
from dragoman.vectors.spelling import Preparation
from dragoman.vectors.words import WordVectors

PIVOT = "en"
BURN_IN, SAMPLED_EVERY = 2 / 5, 1 / 20  # of the sweeps; the paper's 200 and 25 of 500
Told = Callable[[str, int | None], Advance]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What is measured, from what, at which size."""

    collection: Path
    keep: Path
    bitext: Path | None = None
    dictionaries: Path | None = None
    items: int = TEST_ITEMS
    topics: int = 300
    sweeps: int = 500
    swept: bool = False

    @property
    def schedule(self) -> Schedule:
        """The paper's schedule, shortened with the sweeps."""
        burn_in = int(self.sweeps * BURN_IN)
        return Schedule(
            burn_in=burn_in, every=max(1, int(self.sweeps * SAMPLED_EVERY)), sweeps=self.sweeps
        )

    @property
    def facts(self) -> list[str]:
        """How it was made, for people."""
        origin = str(self.bitext) if self.bitext else "the collection's training bitext"
        beside = f" and {self.dictionaries}" if self.dictionaries else ""
        return [
            f"word vectors: `dragoman learn embeddings` from {origin}{beside}; lexicons: the"
            " shipped tables; one idf over the test documents of both languages",
            f"BiLDA: {self.topics} topics, {self.sweeps} sweeps, on the aligned training documents",
            f"at most {self.items} test documents a language, lambda 0.1, Levenshtein distance 1",
        ]

    def files(self, folder: Path | None, language: str) -> list[Path]:
        """The files about a language in a folder."""
        if folder is None:
            return []
        path = folder / f"{PIVOT}-{language}.tsv.gz"
        if not path.is_file():
            raise InputError(folder, None, found=f"no {path.name}", expected="one for each pair")
        return [path]


def measure(plan: Plan, language: str, told: Told) -> Measured:
    """Both directions between English and ``language``."""
    collection = Collection.open(plan.collection)
    tokenize = Preparation()
    pairs = paired_documents(collection, PIVOT, language, tokenize, plan.items)
    bitext = plan.files(plan.bitext or plan.collection / "bitext", language)
    told(f"{PIVOT}-{language}: vectors and topics", None)
    learnt = materials(
        pairs,
        bitext,
        plan.files(plan.dictionaries, language),
        plan.keep,
        topics=TopicConfig(topics=plan.topics, schedule=plan.schedule),
        embeddings=EmbeddingsConfig(),
    )
    directions = [_direction(pairs, learnt, contestants, asked, told) for asked in (0, 1)]
    wanted = (0, 1) if plan.swept else ()
    sweeps = [_direction(pairs, learnt, sweep, asked, told) for asked in wanted]
    return Measured(_sides(pairs, learnt, tokenize), directions, sweeps)


def _direction(
    pairs: PairedDocuments,
    learnt: Materials,
    listed: Callable[[Materials, str, str], Iterator[Contestant]],
    asked: int,
    told: Told,
) -> list[Found]:
    names = pairs.languages[asked], pairs.languages[1 - asked]
    rows = list(listed(learnt, *names))
    advance = told(f"{'-'.join(names)}: {listed.__name__}", len(rows) * len(pairs.test))
    return [ranked(pairs, row, asked, advance) for row in rows]


def _sides(pairs: PairedDocuments, learnt: Materials, tokenize: Preparation) -> tuple[Side, Side]:
    vectors = [WordVectors.open(learnt.vectors[code]) for code in pairs.languages]
    space = WordSpace.stack(vectors)
    repaired = forgiving(space, OovConfig(), np.random.default_rng(0))

    def side(number: int) -> Side:
        code = pairs.languages[number]
        texts = [document.content for document in pairs.documents(number)]
        return Side(
            statistics(pairs, number, tokenize),
            len(vectors[number]),
            coverage(texts, space, tokenize)[code].of_running,
            coverage(texts, repaired, tokenize)[code].of_running,
        )

    return side(0), side(1)
