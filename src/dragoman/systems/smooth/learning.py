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
from dragoman.systems.smooth.config import Architecture, SmoothConfig
from dragoman.systems.smooth.encoders import Tower
from dragoman.systems.smooth.judging import pair_scores, per_query
from dragoman.systems.smooth.material import TRAIN, VALIDATION, Material, Pairs
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.objective import Objective, PairBatches, loss_of
from dragoman.systems.smooth.words import Reader, Texts, Vocabulary, first_vectors
from dragoman.training.fitting import Epoch, Fitting
from dragoman.types import FloatArray

VALIDATED_BY = ("nDCG@5", "P(rel=2)@1", "AP")
TABLE_PREFIX = "table."  # of a tower's parameters


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

    @property
    def validation(self) -> float:
        """What the model is worth on the validation pairs; minus infinity before any epoch."""
        values = (epoch.validation[VALIDATED_BY[0]] for epoch in self.epochs)
        return max(values, default=-inf)


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
    dimension = dimensions.pop()
    rng = np.random.default_rng((config.train.seed, len(numbered.documents)))
    tables = first_vectors(numbered.vocabularies, dimension, vectors, rng)
    if config.model.architecture is Architecture.CNN:
        # of length one: the strongest answers to longer ones lie where tanh is flat
        tables = [table / np.sqrt(dimension, dtype=np.float32) for table in tables]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.train.seed)
        model = SmoothModel(config.model, numbered.vocabularies, tables)
    begin_alike(model.queries, model.documents)
    return model


def begin_alike(queries: Tower, documents: Tower) -> None:
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
    numbered: Numbered,
    config: SmoothConfig,
    vectors: Mapping[str, WordVectors] | None = None,
    *,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> Trained:
    """The model of the epoch that ranked the validation pairs best.

    With a ``folder``, an interrupted training is saved there and goes on when called again.
    """
    material, given = numbered.material, vectors or {}
    model = first_model(numbered, config, given)
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
    return Trained(model.cpu().eval(), tuple(fitting.epochs), fitting.progress.best_epoch)


def batches_of(numbered: Numbered, config: SmoothConfig) -> PairBatches:
    """The training pairs, batch by batch."""
    lengths = numbered.documents.sequences.lengths
    pairs = numbered.material.pairs[TRAIN]
    return PairBatches(pairs, lengths, config.batch, config.negatives)
