"""A collection -> a trained model: vocabularies, first vectors, batches, the shared loop."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np
import torch

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.protocols import Advance, no_progress
from dragoman.systems.smooth.config import SmoothArchitecture, SmoothConfig
from dragoman.systems.smooth.encoders import Tower
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.objective import PairBatches, SmoothObjective, build_loss
from dragoman.systems.smooth.training_data import TRAIN, VALIDATION, JudgedPairs, SmoothTrainingData
from dragoman.systems.smooth.validation import pair_scores, values_per_query
from dragoman.systems.smooth.vocabulary import (
    SmoothTokenizer,
    SmoothVocabulary,
    TokenizedTexts,
    initial_vectors,
)
from dragoman.training.trainer import Epoch, Trainer
from dragoman.types import FloatArray

VALIDATED_BY = ("nDCG@5", "P(rel=2)@1", "AP")
TABLE_PREFIX = "table."  # of a tower's parameters


@dataclass(frozen=True, slots=True)
class SmoothDataset:
    """A collection in the numbers of a model's vocabularies."""

    material: SmoothTrainingData
    vocabularies: tuple[SmoothVocabulary, SmoothVocabulary]
    queries: TokenizedTexts
    documents: TokenizedTexts

    def scores(self, model: SmoothModel, pairs: JudgedPairs) -> FloatArray:
        """The model's score of every pair."""
        return pair_scores(model, self.queries, self.documents, pairs)


@dataclass(frozen=True, slots=True)
class TrainedSmooth:
    """A model, what every epoch measured, and which epoch the model is of."""

    model: SmoothModel
    epochs: tuple[Epoch, ...]
    best_epoch: int

    @property
    def validation(self) -> float:
        """What the model is worth on the validation pairs; minus infinity before any epoch."""
        values = (epoch.validation[VALIDATED_BY[0]] for epoch in self.epochs)
        return max(values, default=-inf)


def build_dataset(
    material: SmoothTrainingData, config: SmoothConfig, vectors: Mapping[str, WordVectors]
) -> SmoothDataset:
    """The words of training queries and of documents, and all texts in their numbers.

    Words that only queries outside of the training split have are known where ``vectors`` has them.
    """
    train = np.unique(material.pairs[TRAIN].queries)
    asked = SmoothVocabulary.learn(
        (material.queries[row] for row in train), config.words, config.seen
    ).joined(vectors, config.words)
    found = SmoothVocabulary.learn(material.documents, config.words, config.seen)
    found = found.joined(vectors, config.words)
    reader = SmoothTokenizer(config.model)
    return SmoothDataset(
        material,
        (asked, found),
        reader.numbered(material.queries, asked),
        reader.numbered(material.documents, found),
    )


def initial_model(
    numbered: SmoothDataset, config: SmoothConfig, vectors: Mapping[str, WordVectors]
) -> SmoothModel:
    """The model before its first step."""
    dimensions = {found.dimension for found in vectors.values()} or {config.model.dimension}
    if len(dimensions) > 1:
        raise ConfigError(
            f"word vectors must have one dimension, got {sorted(dimensions)}; load vectors of one"
            " kind for both languages."
        )
    dimension = dimensions.pop()
    rng = np.random.default_rng((config.train.seed, len(numbered.documents)))
    tables = initial_vectors(numbered.vocabularies, dimension, vectors, rng)
    if config.model.architecture is SmoothArchitecture.CNN:
        # of length one: the strongest answers to longer ones lie where tanh is flat
        tables = [table / np.sqrt(dimension, dtype=np.float32) for table in tables]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.train.seed)
        model = SmoothModel(config.model, numbered.vocabularies, tables)
    share_initial_layers(model.queries, model.documents)
    return model


def share_initial_layers(queries: Tower, documents: Tower) -> None:
    """Give both towers the same first layers, which then part.

    Words that begin as translations of each other are so read alike from the first step on; layers
    drawn apart would have to find that out, and for thousands of steps they score all pairs alike.
    """
    layers = {
        name: tensor
        for name, tensor in queries.state_dict().items()
        if not name.startswith(TABLE_PREFIX)
    }
    documents.load_state_dict(layers, strict=False)


def train(
    numbered: SmoothDataset,
    config: SmoothConfig,
    vectors: Mapping[str, WordVectors] | None = None,
    *,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> TrainedSmooth:
    """The model of the epoch that ranked the validation pairs best.

    With a ``folder``, an interrupted training is saved there and goes on when called again.
    """
    material, given = numbered.material, vectors or {}
    model = initial_model(numbered, config, given)
    judged = material.pairs[VALIDATION]

    def validation() -> dict[str, float]:
        values = values_per_query(material, judged, numbered.scores(model, judged), VALIDATED_BY)
        return {name: float(column.mean()) for name, column in values.items()}

    fitting = Trainer(
        model,
        training_batches(numbered, config),
        SmoothObjective(numbered.queries, numbered.documents, build_loss(config, material.classes)),
        config.train,
        folder=folder,
        settings={
            "collection": material.name,
            "words with a vector": {code: len(found) for code, found in given.items()},
            **config.as_settings(),
        },
        validation=validation,
        advance=advance,
    )
    fitting.resume()
    fitting.run()
    return TrainedSmooth(model.cpu().eval(), tuple(fitting.epochs), fitting.progress.best_epoch)


def training_batches(numbered: SmoothDataset, config: SmoothConfig) -> PairBatches:
    """The training pairs, batch by batch."""
    lengths = numbered.documents.sequences.lengths
    pairs = numbered.material.pairs[TRAIN]
    return PairBatches(pairs, lengths, config.batch, config.negatives)
