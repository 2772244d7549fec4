"""Pre-training of the sentence encoder in a convolutional translation model (section 6).

Gehring et al. 2017: the decoder has causal convolutions with gated linear units, and each of its
blocks attends to the encoded words. It is trained with teacher forcing. A search model takes over
the encoder alone; ``decoding`` translates with both.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from dragoman.protocols import Advance, no_progress
from dragoman.systems.searcher.config import SearcherConfig, TranslationConfig
from dragoman.systems.searcher.encoders import (
    ConvolutionBlock,
    Starts,
    gapped_positions,
    pad_sentences,
)
from dragoman.systems.searcher.model import PORTION, SearcherEncoder
from dragoman.systems.searcher.training import initial_model
from dragoman.systems.searcher.training_data import SearcherTrainingData
from dragoman.training.batches import RowBatches
from dragoman.training.sequences import Bags, Sequences, gather_positions
from dragoman.training.trainer import Epoch, TrainedModel, Trainer
from dragoman.types import IntArray

UNKNOWN, BOUNDARY = 0, 1  # rows of the decoder: any other word; begin and end of a sentence
FIRST_WORD = 2


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """The parameters of the sentence encoder, and the measurements of every epoch."""

    encoder: dict[str, Tensor]
    epochs: tuple[Epoch, ...]


class Decoder(nn.Module):
    """Predicts a sentence word by word, with attention to the encoded one."""

    def __init__(self, size: int, width: int, dropout: float, config: TranslationConfig) -> None:
        super().__init__()
        self.words = nn.Embedding(FIRST_WORD + config.words, size)
        nn.init.normal_(self.words.weight, std=size**-0.5)
        self.blocks = nn.ModuleList(
            ConvolutionBlock(size, width, dropout, config.blocks) for _ in range(config.blocks)
        )
        self.looks = nn.ModuleList(nn.Linear(size, size) for _ in range(config.blocks))
        self.says = nn.Linear(size, FIRST_WORD + config.words)
        self.before = width - 1

    def forward(
        self, words: Tensor, starts: Starts, encoded: Tensor, encoded_starts: Starts
    ) -> Tensor:
        """(m, vocabulary): the logits of the word after each of the m given ones."""
        states, _ = self.attend(words, starts, encoded, encoded_starts)
        logits: Tensor = self.says(states)
        return logits

    def attend(
        self, words: Tensor, starts: Starts, encoded: Tensor, encoded_starts: Starts
    ) -> tuple[Tensor, Tensor]:
        """(m, p): the states after the given words, and (m, longest): where the last block looked.

        The attention is over the words of the encoded sentence, whose longest has ``longest``.
        """
        at = torch.from_numpy(gapped_positions(starts, self.before)).to(words.device)
        vectors = self.words(words)
        length = len(at) + self.before * (len(starts) - 1)
        state = vectors.new_zeros((length, vectors.shape[1])).index_copy(0, at, vectors)
        real = vectors.new_zeros((length, 1)).index_fill(0, at, 1.0)
        keys, empty = pad_sentences(encoded, encoded_starts)
        attention = vectors.new_zeros((len(vectors), keys.shape[1]))
        for block, look in zip(self.blocks, self.looks, strict=True):
            state = block(state, real, self.before)
            queries, padding = pad_sentences(look(state[at]) + vectors, starts)
            weights = (queries @ keys.transpose(1, 2)).masked_fill(empty[:, None, :], -torch.inf)
            shares = torch.softmax(weights, dim=2)
            attention = shares[~padding]
            state = state.index_add(0, at, (shares @ keys)[~padding].to(state.dtype))
        return state[at], attention


class TranslationModel(nn.Module):
    """The sentence encoder and a decoder."""

    def __init__(self, sentences: SearcherEncoder, decoder: Decoder) -> None:
        super().__init__()
        self.sentences, self.decoder = sentences, decoder


@dataclass(frozen=True, slots=True)
class TranslationLoss:
    """Mean cross-entropy of the decoder's target words."""

    words: Bags
    texts: Sequences  # input of the encoder
    targets: Sequences  # word ids of the decoder

    def __call__(self, model: TranslationModel, rows: IntArray) -> Tensor:
        """The loss, differentiable."""
        encoded, encoded_starts = model.sentences(self.words, self.texts, rows)
        at, starts = gather_positions(self.targets.starts, rows)
        words = self.targets.words[at].astype(np.int64)
        inputs = np.insert(words, starts[:-1], BOUNDARY)
        targets = np.insert(words, starts[1:], BOUNDARY)
        input_starts = starts + np.arange(len(rows) + 1)  # each is one word longer
        device = encoded.device
        logits = model.decoder(
            torch.from_numpy(inputs).to(device), input_starts, encoded, encoded_starts
        )
        return functional.cross_entropy(logits, torch.from_numpy(targets).to(device))


def decoder_targets(data: SearcherTrainingData, words: int) -> tuple[Sequences, Sequences]:
    """The query sides of training and held-out pairs as ids of the decoder."""
    training, held_out = data.query_texts
    ids = np.full(len(data.query_words), UNKNOWN, dtype=np.int32)
    for decoder_id, word in enumerate(frequent_words(data, words), start=FIRST_WORD):
        ids[word] = decoder_id
    return (
        Sequences(ids[training.words], training.starts),
        Sequences(ids[held_out.words], held_out.starts),
    )


def frequent_words(data: SearcherTrainingData, words: int) -> list[int]:
    """The decoder's vocabulary: word ids of the query side, the most frequent first."""
    counted = Counter(data.query_texts[0].words.tolist())
    return [word for word, _ in counted.most_common(words)]


def initial_translation_model(
    data: SearcherTrainingData, config: SearcherConfig
) -> TranslationModel:
    """The model before its first step, with the encoder of the search model."""
    assert config.pretrain is not None
    sentences = initial_model(data, config).sentences
    model = config.model
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.pretrain.train.seed)
        decoder = Decoder(model.size, model.width, model.dropout, config.pretrain)
    return TranslationModel(sentences, decoder)


def pretrain(
    data: SearcherTrainingData,
    config: SearcherConfig,
    *,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> PretrainedEncoder:
    """The encoder of the translation model alone."""
    trained = train_translation(data, config, folder=folder, advance=advance)
    state = trained.model.sentences.state_dict()
    encoder = {name: tensor.detach().clone() for name, tensor in state.items()}
    return PretrainedEncoder(encoder, trained.epochs)


def train_translation(
    data: SearcherTrainingData,
    config: SearcherConfig,
    *,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> TrainedModel[TranslationModel]:
    """The translation model of the epoch with the highest likelihood of the held-out pairs."""
    assert config.pretrain is not None, "pre-training is not configured"
    model = initial_translation_model(data, config)
    training, held_out = decoder_targets(data, config.pretrain.words)
    validation_loss = TranslationLoss(data.word_bags, data.held_out.texts, held_out)
    trainer = Trainer(
        model,
        translation_batches(data, config.pretrain),
        TranslationLoss(data.word_bags, data.training.texts, training),
        config.pretrain.train,
        folder=folder,
        settings={"bitext": data.name, **config.as_settings()},
        validation=lambda: {"log-likelihood": -_mean_loss(validation_loss, model, len(held_out))},
        advance=advance,
    )
    return trainer.train()


def translation_batches(data: SearcherTrainingData, config: TranslationConfig) -> RowBatches:
    """The batches of the training pairs."""
    return RowBatches(data.training.texts.lengths, config.batch)


def _mean_loss(loss: TranslationLoss, model: TranslationModel, pairs: int) -> float:
    parts = [np.arange(pairs)[start : start + PORTION] for start in range(0, pairs, PORTION)]
    return float(np.mean([float(loss(model, rows)) for rows in parts]))
