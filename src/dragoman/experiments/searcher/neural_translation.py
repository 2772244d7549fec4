"""Documents -> English, by the convolutional translation model that pre-trains SEARCHER's encoder.

The paper translates with such a model too (Table 1, "convolutional MT"). It learns from the pairs
of the task, like all rows. Words outside its vocabulary are translated by the task's lexicon, or
copied (Jean et al. 2015). A sample of the documents is also translated by beam search, to see what
the greedy translation of all documents loses.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.searcher.baselines import (
    BaselineResources,
    search_english,
    word_by_word,
)
from dragoman.experiments.searcher.normalization import ENGLISH, normalize_english
from dragoman.experiments.searcher.runs import RAW, DetectionRun
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.protocols import Stage, no_stages
from dragoman.systems.searcher.config import SearcherConfig
from dragoman.systems.searcher.decoding import Translation, TranslationDecoder
from dragoman.systems.searcher.pretraining import train_translation, translation_batches
from dragoman.systems.searcher.sentences import sentences
from dragoman.systems.searcher.terms import is_stop_word
from dragoman.systems.searcher.training_data import read_training_data
from dragoman.training.loop import planned_steps

SAMPLE = 30  # documents that are also translated by beam search
BEAM = 5

Sentences = list[tuple[str, ...]]  # of a document, as words


@dataclass(frozen=True, slots=True)
class _DocumentTranslator:
    """Turns what the decoder gives into English texts."""

    decoder: TranslationDecoder
    tables: TranslationTables
    language: str

    def greedy(self, documents: Sequence[Sentences]) -> list[str]:
        flat = [words for document in documents for words in document]
        lines = iter(zip(flat, self.decoder.greedy(flat), strict=True))
        return ["\n".join(self._text(*next(lines)) for _ in document) for document in documents]

    def beam(self, documents: Sequence[Sentences]) -> list[str]:
        return [
            "\n".join(self._text(words, self.decoder.beam(words, BEAM)) for words in document)
            for document in documents
        ]

    def _text(self, source: Sequence[str], translation: Translation) -> str:
        return " ".join(
            one if isinstance(one, str) else self._replacement(source[one]) for one in translation
        )

    def _replacement(self, word: str) -> str:
        return word_by_word(word, self.language, self.tables).strip() or word


def neural_translation_run(
    name: str,
    task: DetectionTask,
    config: SearcherConfig,
    resources: BaselineResources,
    folder: Path,
    stage: Stage = no_stages,
) -> DetectionRun:
    """Train the translation model, translate all documents greedily, and search them with BM25."""
    assert config.pretrain is not None
    data = read_training_data(task.name, task.training, (ENGLISH, task.language), config)
    steps = planned_steps(len(translation_batches(data, config.pretrain)),
                          config.pretrain.train.epochs)  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    trained = train_translation(data, config, folder=folder, advance=stage("training", steps))
    translator = _DocumentTranslator(
        TranslationDecoder(trained.model, data, config),
        TranslationTables([resources.lexicon], use_shipped=False),
        task.language,
    )
    stage("translating", None)
    sources = [
        [one.words for one in sentences(document.content, config.model.longest)]
        for document in task.documents
    ]
    texts = translator.greedy(sources)
    sampled = evenly_spaced(range(len(sources)), SAMPLE)
    beamed = translator.beam([sources[row] for row in sampled])
    facts: dict[str, Any] = {
        "greedy": mean_recall(texts, task.english),
        "sample": len(sampled),
        "greedy_on_sample": mean_recall(
            [texts[row] for row in sampled], [task.english[row] for row in sampled]
        ),
        "beam_on_sample": mean_recall(beamed, [task.english[row] for row in sampled]),
    }
    epochs = tuple(asdict(epoch) for epoch in trained.epochs)
    return DetectionRun(name, {}, {RAW: search_english(task, texts)}, 0.0, epochs, facts=facts)


def mean_recall(translations: Iterable[str], english: Iterable[str]) -> float:
    """The mean share of the true English side's distinct content words that a translation has."""
    shares = []
    for found, wanted in zip(translations, english, strict=True):
        words = {word for word in wanted.split() if not is_stop_word(word, ENGLISH)}
        if words:
            shares.append(len(words & set(normalize_english(found).split())) / len(words))
    return float(np.mean(shares)) if shares else 0.0
