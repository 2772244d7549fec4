"""A collection -> a trained model: vocabularies, initial vectors, batches, the shared loop."""

from collections.abc import Mapping
from dataclasses import dataclass
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
from dragoman.training.trainer import TrainedModel, Trainer
from dragoman.types import FloatArray

VALIDATED_BY = ("nDCG@5", "P(rel=2)@1", "AP")
TABLE_PREFIX = "table."  # of a tower's parameters


@dataclass(frozen=True, slots=True)
class SmoothDataset:
    """A collection as word ids of a model's vocabularies."""

    data: SmoothTrainingData
    vocabularies: tuple[SmoothVocabulary, SmoothVocabulary]
    queries: TokenizedTexts
    documents: TokenizedTexts

    def scores(self, model: SmoothModel, pairs: JudgedPairs) -> FloatArray:
        """The model's score of every pair."""
        return pair_scores(model, self.queries, self.documents, pairs)


def build_dataset(
    data: SmoothTrainingData, config: SmoothConfig, vectors: Mapping[str, WordVectors]
) -> SmoothDataset:
    """The vocabularies of training queries and of documents, and all texts as word ids.

    Words of ``vectors`` are in the vocabularies too, even if no training query has them.
    """
    train = np.unique(data.pairs[TRAIN].queries)
    query_words = SmoothVocabulary.learn(
        (data.queries[row] for row in train), config.words, config.seen
    ).extended(vectors, config.words)
    document_words = SmoothVocabulary.learn(data.documents, config.words, config.seen)
    document_words = document_words.extended(vectors, config.words)
    tokenizer = SmoothTokenizer(config.model)
    return SmoothDataset(
        data,
        (query_words, document_words),
        tokenizer.to_ids(data.queries, query_words),
        tokenizer.to_ids(data.documents, document_words),
    )


def initial_model(
    dataset: SmoothDataset, config: SmoothConfig, vectors: Mapping[str, WordVectors]
) -> SmoothModel:
    """The model before its first step."""
    dimensions = {some.dimension for some in vectors.values()} or {config.model.dimension}
    if len(dimensions) > 1:
        raise ConfigError(
            f"word vectors must have one dimension, got {sorted(dimensions)}; load vectors of one"
            " kind for both languages."
        )
    dimension = dimensions.pop()
    rng = np.random.default_rng((config.train.seed, len(dataset.documents)))
    own = config.own_lengths
    tables = initial_vectors(dataset.vocabularies, dimension, vectors, rng, own_lengths=own)
    if config.model.architecture is SmoothArchitecture.CNN and not own:
        # of length one: the activations of longer ones lie where tanh is flat
        tables = [table / np.sqrt(dimension, dtype=np.float32) for table in tables]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.train.seed)
        model = SmoothModel(config.model, dataset.vocabularies, tables)
    share_initial_layers(model.queries, model.documents)
    return model


def share_initial_layers(queries: Tower, documents: Tower) -> None:
    """Give both towers the same initial layers, which are then trained separately.

    Words that begin as translations of each other then have similar representations from the first
    step on; independently drawn layers score all pairs alike for thousands of steps.
    """
    layers = {
        name: tensor
        for name, tensor in queries.state_dict().items()
        if not name.startswith(TABLE_PREFIX)
    }
    documents.load_state_dict(layers, strict=False)


def train(
    dataset: SmoothDataset,
    config: SmoothConfig,
    vectors: Mapping[str, WordVectors] | None = None,
    *,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> TrainedModel[SmoothModel]:
    """The model of the epoch that ranked the validation pairs best.

    With a ``folder``, an interrupted training is saved there and resumes when called again.
    """
    data, given = dataset.data, vectors or {}
    model = initial_model(dataset, config, given)
    pairs = data.pairs[VALIDATION]

    def validation() -> dict[str, float]:
        values = values_per_query(data, pairs, dataset.scores(model, pairs), VALIDATED_BY)
        return {name: float(column.mean()) for name, column in values.items()}

    trainer = Trainer(
        model,
        training_batches(dataset, config),
        SmoothObjective(dataset.queries, dataset.documents, build_loss(config, data.classes)),
        config.train,
        folder=folder,
        settings={
            "collection": data.name,
            "words with a vector": {code: len(some) for code, some in given.items()},
            **config.as_settings(),
        },
        validation=validation,
        advance=advance,
    )
    return trainer.train()


def training_batches(dataset: SmoothDataset, config: SmoothConfig) -> PairBatches:
    """The batches of the training pairs."""
    lengths = dataset.documents.sequences.lengths
    pairs = dataset.data.pairs[TRAIN]
    return PairBatches(pairs, lengths, config.batch, config.negatives)
