"""``dragoman reproduce wasserstein``: Tables 1 and 2 and Figure 1 of Balikas et al. 2018."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dragoman.embeddings.bilingual.learning import EmbeddingsConfig
from dragoman.embeddings.normalization import WordTokenizer
from dragoman.embeddings.out_of_vocabulary import OovConfig, with_substitutes, word_coverage
from dragoman.embeddings.space import WordSpace
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import InputError
from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.wasserstein.pair_plans import PairPlans, pair_plans
from dragoman.experiments.wasserstein.paired_documents import (
    TEST_ITEMS,
    PairedDocuments,
    TextStatistics,
    paired_documents,
    text_statistics,
)
from dragoman.experiments.wasserstein.resources import (
    PairResources,
    TrainingFiles,
    learn_resources,
)
from dragoman.experiments.wasserstein.runs import (
    SWEPT_QUERIES,
    RankRun,
    TableSystem,
    lambda_systems,
    table_systems,
    variant_systems,
)
from dragoman.experiments.wasserstein.saved_ranks import saved_run
from dragoman.experiments.wasserstein.translated_queries import translate_queries
from dragoman.lexicons.learning import LexiconConfig
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.protocols import Stage
from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.text.collection import Collection

PIVOT = "en"
BURN_IN, SAMPLED_EVERY = 2 / 5, 1 / 20  # of the sweeps; the paper's 200 and 25 of 500
SystemList = Callable[[PairResources, str, str], Iterator[TableSystem]]


@dataclass(frozen=True, kw_only=True, slots=True)
class WassersteinExperiment:
    """What is measured, on which data, at which size."""

    collection: Path
    cache: Path  # of vectors and topics
    bitext: Path | None = None
    dictionaries: Path | None = None
    items: int = TEST_ITEMS
    queries: int | None = None  # at most; None takes all
    topics: int = 300
    sweeps: int = 500
    with_lambdas: bool = False
    words: int | None = None  # the first of each test document; None takes all
    min_count: int = 1  # occurrences in the training texts that a word needs to get a vector

    @property
    def schedule(self) -> SamplingSchedule:
        """The paper's schedule, shortened in proportion to the sweeps."""
        burn_in = int(self.sweeps * BURN_IN)
        return SamplingSchedule(
            burn_in=burn_in, every=max(1, int(self.sweeps * SAMPLED_EVERY)), sweeps=self.sweeps
        )

    @property
    def facts(self) -> list[str]:
        """Settings and data, as lines of a report."""
        origin = str(self.bitext) if self.bitext else "the collection's training bitext"
        dictionaries = f" and {self.dictionaries}" if self.dictionaries else ""
        queries = f"{self.queries} of them as queries, evenly spaced" if self.queries else "all ask"
        rare = f"; words seen less than {self.min_count} times there have no vector"
        rare = rare if self.min_count > 1 else ""
        length = f"the first {self.words} words of each" if self.words else "whole documents"
        return [
            f"at most {self.items} test documents per language, {queries}; {length}, stop words"
            " counted",
            f"word vectors and translation tables: `dragoman learn embeddings` and `dragoman learn"
            f" lexicon` from {origin}{dictionaries}, for all rows alike{rare}",
            f"BiLDA: {self.topics} topics, {self.sweeps} sweeps, on the aligned training documents",
            "translations: a unigram model of the training documents chooses among candidates",
            "tf and idf: distances between frequencies of whole words, as in the paper, without"
            " words that no document has; one idf over the test documents of both languages",
            "lambda 0.1, Levenshtein distance 1; one seed",
        ]

    def training_files(self, language: str) -> TrainingFiles:
        """The files that vectors and translations of English and ``language`` are learnt from."""
        bitext = _pair_files(self.bitext or self.collection / "bitext", language)
        return TrainingFiles(bitext, _pair_files(self.dictionaries, language))


def _pair_files(folder: Path | None, language: str) -> list[Path]:
    """The file of a folder for English and ``language``; none without a folder."""
    if folder is None:
        return []
    path = folder / f"{PIVOT}-{language}.tsv.gz"
    if not path.is_file():
        raise InputError(folder, None, found=f"no {path.name}", expected="one for each pair")
    return [path]


@dataclass(frozen=True, slots=True)
class LanguageCoverage:
    """Table 1 for one language: its texts, its vectors, and the share of words that have one."""

    texts: TextStatistics
    vectors: int
    covered: float  # of running words
    repaired: float  # with the OOV protocol


@dataclass(frozen=True, slots=True)
class PairReproduction:
    """Everything measured for one pair of languages; runs by direction, English queries first."""

    coverage: tuple[LanguageCoverage, LanguageCoverage]
    directions: Sequence[Sequence[RankRun]]  # the 21 rows of Table 2
    variants: Sequence[Sequence[RankRun]]
    lambdas: Sequence[Sequence[RankRun]]
    plans: PairPlans | None  # Figure 1


def reproduce(plan: WassersteinExperiment, language: str, stage: Stage) -> PairReproduction:
    """Both directions between English and ``language``."""
    collection = Collection.open(plan.collection)
    tokenize = WordTokenizer()
    whole = paired_documents(collection, PIVOT, language, tokenize, plan.items)
    pairs = whole.excerpts(plan.words) if plan.words else whole
    stage(f"{PIVOT}-{language}: vectors, table and topics", None)
    resources = learn_resources(
        pairs,
        plan.training_files(language),
        plan.cache,
        topics=TopicConfig(topics=plan.topics, schedule=plan.schedule),
        embeddings=EmbeddingsConfig(min_count=plan.min_count),
        lexicon=LexiconConfig(),
    )

    def run_all(systems: SystemList, most: int | None) -> list[list[RankRun]]:
        folder = plan.cache / f"{collection.name}-{PIVOT}-{language}" / "ranks"
        return [
            _run_direction(folder, pairs, resources, systems, side, most, stage) for side in (0, 1)
        ]

    return PairReproduction(
        _coverage(pairs, resources, tokenize),
        directions=run_all(table_systems, plan.queries),
        variants=run_all(variant_systems, plan.queries),
        lambdas=run_all(lambda_systems, SWEPT_QUERIES) if plan.with_lambdas else (),
        plans=pair_plans(pairs, resources),
    )


def _run_direction(
    folder: Path,
    pairs: PairedDocuments,
    resources: PairResources,
    list_systems: SystemList,
    query_side: int,
    most: int | None,
    stage: Stage,
) -> list[RankRun]:
    names = pairs.languages[query_side], pairs.languages[1 - query_side]
    systems = list(list_systems(resources, *names))
    own = evenly_spaced(pairs.queries(query_side), most)
    tables = TranslationTables([resources.table])
    translated = evenly_spaced(translate_queries(pairs, query_side, tables), most)
    advance = stage(
        f"{'-'.join(names)}: {list_systems.__name__.replace('_', ' ')}", len(systems) * len(own)
    )
    return [
        saved_run(
            folder, pairs, system, translated if system.translated else own, query_side, advance
        )
        for system in systems
    ]


def _coverage(
    pairs: PairedDocuments, resources: PairResources, tokenize: WordTokenizer
) -> tuple[LanguageCoverage, LanguageCoverage]:
    vectors = [WordVectors.open(resources.vectors[code]) for code in pairs.languages]
    space = WordSpace.stack(vectors)
    repaired = with_substitutes(space, OovConfig(), np.random.default_rng(0))

    def of_side(side: int) -> LanguageCoverage:
        code = pairs.languages[side]
        texts = [document.content for document in pairs.documents(side)]
        return LanguageCoverage(
            text_statistics(pairs, side, tokenize),
            len(vectors[side]),
            word_coverage(texts, space, tokenize)[code].of_running,
            word_coverage(texts, repaired, tokenize)[code].of_running,
        )

    return of_side(0), of_side(1)
