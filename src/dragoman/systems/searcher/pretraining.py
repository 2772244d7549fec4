"""A translation model around the sentence encoder, trained before it (section 6).

Gehring et al. 2017: the encoder is the one that searches; the decoder has causal convolutions with
gated linear units, and each of its blocks attends to the encoded words. The decoder is given the
true words before each word that it has to say; when it has learnt, it is thrown away.
"""

from collections import Counter
from collections.abc import Iterator
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
from dragoman.training.batches import BatchConfig, batch_count, epoch_rows
from dragoman.training.sequences import Bags, Sequences, gather_positions
from dragoman.training.trainer import Epoch, Trainer
from dragoman.types import IntArray

UNKNOWN, EDGE = 0, 1  # rows of the decoder: any other word, and where a sentence begins or ends
FIRST_WORD = 2


@dataclass(frozen=True, slots=True)
class PretrainedEncoder:
    """The parameters of the sentence encoder, and what every epoch measured."""

    encoder: dict[str, Tensor]
    epochs: tuple[Epoch, ...]


class Decoder(nn.Module):
    """Says a sentence word by word, each with a look at the encoded one."""

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

    def forward(self, words: Tensor, starts: Starts, seen: Tensor, seen_starts: Starts) -> Tensor:
        """(m, vocabulary): the logits of the word after each of the m given ones."""
        at = torch.from_numpy(gapped_positions(starts, self.before)).to(words.device)
        given = self.words(words)
        places = len(at) + self.before * (len(starts) - 1)
        state = given.new_zeros((places, given.shape[1])).index_copy(0, at, given)
        real = given.new_zeros((places, 1)).index_fill(0, at, 1.0)
        encoded, empty = pad_sentences(seen, seen_starts)
        for block, look in zip(self.blocks, self.looks, strict=True):
            state = block(state, real, self.before)
            asks, beyond = pad_sentences(look(state[at]) + given, starts)
            weights = (asks @ encoded.transpose(1, 2)).masked_fill(empty[:, None, :], -torch.inf)
            regions = (torch.softmax(weights, dim=2) @ encoded)[~beyond]
            state = state.index_add(0, at, regions)
        said: Tensor = self.says(state[at])
        return said


class TranslationModel(nn.Module):
    """The sentence encoder and a decoder."""

    def __init__(self, sentences: SearcherEncoder, decoder: Decoder) -> None:
        super().__init__()
        self.sentences, self.decoder = sentences, decoder


@dataclass(frozen=True, slots=True)
class TranslationBatches:
    """Batches of pairs, shuffled."""

    lengths: IntArray
    config: BatchConfig

    def __len__(self) -> int:
        return batch_count(len(self.lengths), self.config)

    def epoch(self, number: int, start: int = 0, stride: int = 1) -> Iterator[IntArray]:
        """The batches of the epoch ``number``."""
        return epoch_rows(self.lengths, self.config, number, start, stride)


@dataclass(frozen=True, slots=True)
class TranslationLoss:
    """Mean cross-entropy of the words that the decoder should say."""

    words: Bags
    texts: Sequences  # to be encoded
    spoken: Sequences  # to be said, in the decoder's numbers

    def __call__(self, model: TranslationModel, rows: IntArray) -> Tensor:
        """A number with a gradient."""
        seen, seen_starts = model.sentences(self.words, self.texts, rows)
        at, starts = gather_positions(self.spoken.starts, rows)
        said = self.spoken.words[at].astype(np.int64)
        ends = starts[1:] + np.arange(len(rows))
        given = np.insert(said, starts[:-1], EDGE)
        wanted = np.insert(said, starts[1:], EDGE)
        longer = np.concatenate([[0], ends + 1]).astype(np.int64)
        device = seen.device
        logits = model.decoder(torch.from_numpy(given).to(device), longer, seen, seen_starts)
        return functional.cross_entropy(logits, torch.from_numpy(wanted).to(device))


def decoder_targets(material: SearcherTrainingData, words: int) -> tuple[Sequences, Sequences]:
    """The query sides of both parts in the decoder's numbers; rare words are all one."""
    training = material.spoken[0].words
    frequent = Counter(training.tolist()).most_common(words)
    number = np.full(len(material.spoken_words), UNKNOWN, dtype=np.int32)
    for place, (word, _) in enumerate(frequent, start=FIRST_WORD):
        number[word] = place
    training_part, held_part = material.spoken
    return (
        Sequences(number[training_part.words], training_part.starts),
        Sequences(number[held_part.words], held_part.starts),
    )


def initial_translation_model(
    material: SearcherTrainingData, config: SearcherConfig
) -> TranslationModel:
    """The model before its first step; its encoder is that of the search model."""
    assert config.pretrain is not None
    sentences = initial_model(material, config).sentences
    model = config.model
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.pretrain.train.seed)
        decoder = Decoder(model.size, model.width, model.dropout, config.pretrain)
    return TranslationModel(sentences, decoder)


def pretrain(
    material: SearcherTrainingData,
    config: SearcherConfig,
    *,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> PretrainedEncoder:
    """The encoder of the translation model that said the held-out pairs best."""
    assert config.pretrain is not None, "the settings ask for no pre-training"
    model = initial_translation_model(material, config)
    spoken, held = decoder_targets(material, config.pretrain.words)
    measured = TranslationLoss(material.word_bags, material.held_out.texts, held)
    fitting = Trainer(
        model,
        translation_batches(material, config.pretrain),
        TranslationLoss(material.word_bags, material.training.texts, spoken),
        config.pretrain.train,
        folder=folder,
        settings={"bitext": material.name, **config.as_settings()},
        validation=lambda: {"log-likelihood": -_mean_loss(measured, model, len(held))},
        advance=advance,
    )
    fitting.resume()
    fitting.run()
    state = model.cpu().sentences.state_dict()
    return PretrainedEncoder(
        {name: t.detach().clone() for name, t in state.items()}, (*fitting.epochs,)
    )


def translation_batches(
    material: SearcherTrainingData, config: TranslationConfig
) -> TranslationBatches:
    """The training pairs, batch by batch."""
    return TranslationBatches(material.training.texts.lengths, config.batch)


def _mean_loss(loss: TranslationLoss, model: TranslationModel, pairs: int) -> float:
    parts = [np.arange(pairs)[start : start + PORTION] for start in range(0, pairs, PORTION)]
    return float(np.mean([float(loss(model, rows)) for rows in parts]))
