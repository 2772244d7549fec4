"""One pair of languages after another: texts, materials, every row in both directions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig
from dragoman.embeddings.normalization import WordTokenizer
from dragoman.embeddings.out_of_vocabulary import OovConfig, with_substitutes, word_coverage
from dragoman.embeddings.space import WordSpace
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import InputError
from dragoman.experiments.wasserstein.experiment import (
    SWEPT_QUERIES,
    Contestant,
    Found,
    Materials,
    contestants,
    ranked,
    sweep,
    variants,
)
from dragoman.experiments.wasserstein.materials import Sources, materials
from dragoman.experiments.wasserstein.paired_documents import (
    TEST_ITEMS,
    PairedDocuments,
    paired_documents,
    statistics,
)
from dragoman.experiments.wasserstein.report import Measured, Side
from dragoman.protocols import Advance
from dragoman.systems.bilda.config import Schedule, TopicConfig
from dragoman.text.collection import Collection

PIVOT = "en"
BURN_IN, SAMPLED_EVERY = 2 / 5, 1 / 20  # of the sweeps; the paper's 200 and 25 of 500
Told = Callable[[str, int | None], Advance]
Listed = Callable[[Materials, str, str], Iterator[Contestant]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What is measured, from what, at which size."""

    collection: Path
    keep: Path
    bitext: Path | None = None
    dictionaries: Path | None = None
    items: int = TEST_ITEMS
    questions: int | None = None  # all of them unless told
    topics: int = 300
    sweeps: int = 500
    swept: bool = False
    wider: bool = False
    words: int | None = None  # of each document, in a second, harder round

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
        asking = f" {self.questions} of them asking, spread evenly," if self.questions else ""
        return [
            f"word vectors: `dragoman learn embeddings` from {origin}{beside}; lexicons: the"
            " shipped tables; one idf over the test documents of both languages",
            f"BiLDA: {self.topics} topics, {self.sweeps} sweeps, on the aligned training documents",
            f"at most {self.items} test documents a language,{asking} lambda 0.1, Levenshtein"
            " distance 1",
            *([f"first words: {self.words} of each document"] if self.words else []),
        ]

    def sources(self, language: str) -> Sources:
        """What a language's vectors and topics are learnt from."""
        training = self.files(self.collection / "bitext", language)
        bitext = self.files(self.bitext, language)
        dictionaries = self.files(self.dictionaries, language)
        wider = training if bitext and self.wider else []
        return Sources(bitext or training, dictionaries, wider)

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
    tokenize = WordTokenizer()
    pairs = paired_documents(collection, PIVOT, language, tokenize, plan.items)
    told(f"{PIVOT}-{language}: vectors and topics", None)
    learnt = materials(
        pairs,
        plan.sources(language),
        plan.keep,
        topics=TopicConfig(topics=plan.topics, schedule=plan.schedule),
        embeddings=EmbeddingsConfig(),
    )

    return Measured(
        _sides(pairs, learnt, tokenize),
        directions=_both(pairs, learnt, contestants, told, plan.questions),
        variants=_both(pairs, learnt, variants, told, plan.questions),
        sweeps=_both(pairs, learnt, sweep, told, SWEPT_QUERIES) if plan.swept else (),
        excerpts=excerpted(plan, pairs, learnt, told) if plan.words else (),
    )


def excerpted(
    plan: Plan, pairs: PairedDocuments, learnt: Materials, told: Told
) -> list[list[Found]]:
    """The 21 rows once more, on the first words of each document."""
    assert plan.words is not None
    return _both(pairs.excerpts(plan.words), learnt, contestants, told, plan.questions)


def _both(
    pairs: PairedDocuments, learnt: Materials, listed: Listed, told: Told, most: int | None
) -> list[list[Found]]:
    return [_direction(pairs, learnt, listed, asked, told, most) for asked in (0, 1)]


def _direction(
    pairs: PairedDocuments,
    learnt: Materials,
    listed: Listed,
    asked: int,
    told: Told,
    most: int | None,
) -> list[Found]:
    names = pairs.languages[asked], pairs.languages[1 - asked]
    rows = list(listed(learnt, *names))
    count = min(most or len(pairs.test), len(pairs.test))
    advance = told(f"{'-'.join(names)}: {listed.__name__}", len(rows) * count)
    return [ranked(pairs, row, asked, most, advance) for row in rows]


def _sides(pairs: PairedDocuments, learnt: Materials, tokenize: WordTokenizer) -> tuple[Side, Side]:
    vectors = [WordVectors.open(learnt.vectors[code]) for code in pairs.languages]
    space = WordSpace.stack(vectors)
    repaired = with_substitutes(space, OovConfig(), np.random.default_rng(0))

    def side(number: int) -> Side:
        code = pairs.languages[number]
        texts = [document.content for document in pairs.documents(number)]
        return Side(
            statistics(pairs, number, tokenize),
            len(vectors[number]),
            word_coverage(texts, space, tokenize)[code].of_running,
            word_coverage(texts, repaired, tokenize)[code].of_running,
        )

    return side(0), side(1)
