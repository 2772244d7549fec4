"""A collection -> a trained model: vocabularies, first vectors, batches, the shared loop."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from dragoman.errors import ConfigError
from dragoman.protocols import Advance, silent
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.judging import pair_scores, per_query
from dragoman.systems.smooth.material import TRAIN, VALIDATION, Material, Pairs
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.objective import Objective, PairBatches, loss_of
from dragoman.systems.smooth.words import Reader, Texts, Vocabulary, first_vectors
from dragoman.training.fitting import Epoch, Fitting
from dragoman.types import FloatArray
from dragoman.vectors.words import WordVectors

VALIDATED_BY = ("nDCG@5", "P(rel=2)@1", "AP")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A collection in the numbers of a model's vocabularies."""

    material: Material
    vocabularies: tuple[Vocabulary, Vocabulary]
    queries: Texts
    documents: Texts

    def scores(self, model: SmoothModel, pairs: Pairs) -> FloatArray:
        """The model's score of every pair."""
        return pair_scores(model, self.queries, self.documents, pairs)


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, what every epoch measured, and which epoch the model is of."""

    model: SmoothModel
    epochs: tuple[Epoch, ...]
    best_epoch: int


def number(
    material: Material, config: SmoothConfig, vectors: Mapping[str, WordVectors]
) -> Numbered:
    """The words of training queries and of documents, and all texts in their numbers.

    Words that only queries outside of the training split have are known where ``vectors`` has them.
    """
    train = np.unique(material.pairs[TRAIN].queries)
    asked = Vocabulary.learn(
        (material.queries[row] for row in train), config.words, config.seen
    ).joined(vectors, config.words)
    found = Vocabulary.learn(material.documents, config.words, config.seen)
    found = found.joined(vectors, config.words)
    reader = Reader(config.model)
    return Numbered(
        material,
        (asked, found),
        reader.numbered(material.queries, asked),
        reader.numbered(material.documents, found),
    )


def first_model(
    numbered: Numbered, config: SmoothConfig, vectors: Mapping[str, WordVectors]
) -> SmoothModel:
    """The model before its first step."""
    dimensions = {found.dimension for found in vectors.values()} or {config.model.dimension}
    if len(dimensions) > 1:
        raise ConfigError(
            f"word vectors must have one dimension, got {sorted(dimensions)}; load vectors of one"
            " kind for both languages."
        )
    rng = np.random.default_rng((config.train.seed, len(numbered.documents)))
    tables = first_vectors(numbered.vocabularies, dimensions.pop(), vectors, rng)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.train.seed)
        return SmoothModel(config.model, numbered.vocabularies, tables)


def train(
    numbered: Numbered,
    config: SmoothConfig,
    vectors: Mapping[str, WordVectors] | None = None,
    *,
    folder: Path | None = None,
    advance: Advance = silent,
) -> Trained:
    """The model of the epoch that ranked the validation pairs best.

    With a ``folder``, an interrupted training is saved there and goes on when called again.
    """
    material = numbered.material
    model = first_model(numbered, config, vectors or {})
    judged = material.pairs[VALIDATION]

    def validation() -> dict[str, float]:
        values = per_query(material, judged, numbered.scores(model, judged), VALIDATED_BY)
        return {name: float(column.mean()) for name, column in values.items()}

    fitting = Fitting(
        model,
        batches_of(numbered, config),
        Objective(numbered.queries, numbered.documents, loss_of(config, material.classes)),
        config.train,
        folder=folder,
        settings={"collection": material.name, **config.as_settings()},
        validation=validation,
        advance=advance,
    )
    fitting.resume()
    fitting.run()
    return Trained(model.cpu().eval(), tuple(fitting.epochs), fitting.progress.best_epoch)


def batches_of(numbered: Numbered, config: SmoothConfig) -> PairBatches:
    """The training pairs, batch by batch."""
    lengths = numbered.documents.sequences.lengths
    pairs = numbered.material.pairs[TRAIN]
    return PairBatches(pairs, lengths, config.batch, config.negatives)
