"""The settings of a SEARCHER model and of its training, checked once."""

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice, replace_given
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig

RANDOM_RATE, RANDOM_DECAY = 0.01, 0.9  # of a training from random vectors
LONGEST_SENTENCE = 2048  # words; an index stores lengths in half precision, exact up to this


class EncoderKind(StrEnum):
    """The layers that put words into context."""

    CONVOLUTION = "conv"
    TRANSFORMER = "transformer"


class Pooling(StrEnum):
    """How the scores of a sentence's positions are pooled (section 7)."""

    SOFTMAX = "softmax"
    MAXIMUM = "max"


class SearcherInit(StrEnum):
    """The initial vectors of a training."""

    RANDOM = "drawn"
    ALIGNED = "aligned"  # bilingual word vectors, learnt from the bitext


@dataclass(frozen=True, kw_only=True, slots=True)
class SearcherModelConfig:
    """The architecture of a model; the paper's encoder has size 512 and 15 blocks."""

    encoder: EncoderKind = EncoderKind.CONVOLUTION
    pooling: Pooling = Pooling.SOFTMAX
    size: int = 128  # of all vectors
    blocks: int = 4
    width: int = 3  # words in the window of a convolution
    heads: int = 4  # of a transformer
    dropout: float = 0.3
    longest: int = 100  # words of a sentence; longer ones are split
    rows: int = 60_000  # maximum number of vectors of document words and n-grams
    subwords: bool = True  # represent document words by their character n-grams too

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", parse_choice(EncoderKind, self.encoder, "encoder"))
        object.__setattr__(self, "pooling", parse_choice(Pooling, self.pooling, "pooling"))
        if min(self.size, self.longest, self.rows, self.heads) < 1 or self.blocks < 0:
            raise ConfigError(
                f"found size {self.size}, blocks {self.blocks}, heads {self.heads}, longest"
                f" {self.longest}, rows {self.rows}; expected 1 or more, blocks 0 or more"
            )
        if self.longest > LONGEST_SENTENCE:
            raise ConfigError(f"longest must be at most {LONGEST_SENTENCE}, got {self.longest}")
        if self.width < 1 or self.width % 2 == 0:
            raise ConfigError(f"width must be odd, so that a word has a middle; got {self.width}")
        if self.encoder is EncoderKind.TRANSFORMER and (self.size % self.heads or self.size % 2):
            raise ConfigError(f"size {self.size} must be even and a multiple of heads {self.heads}")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be from 0 to below 1, got {self.dropout}")

    @property
    def receptive_field(self) -> int:
        """The number of words that a position of the convolutional encoder depends on."""
        return self.blocks * (self.width - 1) + 1


@dataclass(frozen=True, kw_only=True, slots=True)
class TermConfig:
    """Which terms of the query language have a row of their own."""

    seen: int = 1  # minimum number of pairs with a word
    longest_phrase: int = 3  # words
    phrase_seen: int = 5  # minimum number of pairs with a phrase

    def __post_init__(self) -> None:
        if min(self.seen, self.longest_phrase, self.phrase_seen) < 1:
            raise ConfigError(
                f"found seen {self.seen}, longest_phrase {self.longest_phrase}, phrase_seen"
                f" {self.phrase_seen}; expected 1 or more"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslationConfig:
    """The translation model that pre-trains the encoder (section 6)."""

    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(
            epochs=4, learning_rate=0.004, decay=0.8, max_gradient_norm=1.0
        )
    )
    batch: BatchConfig = field(default_factory=lambda: BatchConfig(size=64))
    words: int = 4_000  # size of the decoder's vocabulary; other words are one token
    blocks: int = 2  # of the decoder


@dataclass(frozen=True, kw_only=True, slots=True)
class SearcherConfig:
    """All settings of a training."""

    model: SearcherModelConfig = field(default_factory=SearcherModelConfig)
    terms: TermConfig = field(default_factory=TermConfig)
    train: TrainConfig = field(
        default_factory=lambda: TrainConfig(
            epochs=8, learning_rate=0.003, decay=0.8, max_gradient_norm=1.0, patience=2
        )
    )
    batch: BatchConfig = field(default_factory=lambda: BatchConfig(size=32))
    batch_terms: int = 1024  # maximum number of terms of a batch
    first: SearcherInit = SearcherInit.ALIGNED
    pretrain: TranslationConfig | None = None
    held_out: int = 500  # pairs for validation; at most a tenth of all

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", parse_choice(SearcherInit, self.first, "first vectors"))
        if self.batch_terms < 1 or self.held_out < 1:
            raise ConfigError(
                f"batch_terms and held_out must be 1 or more, got {self.batch_terms} and"
                f" {self.held_out}"
            )
        if self.pretrain is not None and self.first is SearcherInit.ALIGNED:
            raise ConfigError(
                "pre-training moves the words of documents away from the vectors that terms were"
                " aligned with; found first vectors 'aligned', expected 'drawn'"
            )

    @classmethod
    def paper(cls) -> Self:
        """The paper's encoder and initial vectors, for a machine with a GPU."""
        model = SearcherModelConfig(size=512, blocks=15)
        pretrain = TranslationConfig(words=32_000, blocks=15)
        return cls(model=model, first=SearcherInit.RANDOM, pretrain=pretrain).from_random()

    def from_random(self) -> Self:
        """The same with random initial vectors, which need a higher learning rate."""
        train = replace(self.train, learning_rate=RANDOM_RATE, decay=RANDOM_DECAY)
        return replace(self, first=SearcherInit.RANDOM, train=train)

    def with_seed(self, seed: int) -> Self:
        """The same with another seed of the training, its batches and its pre-training."""
        train, batch = replace(self.train, seed=seed), replace(self.batch, seed=seed)
        pretrain = self.pretrain and replace(
            self.pretrain,
            train=replace(self.pretrain.train, seed=seed),
            batch=replace(self.pretrain.batch, seed=seed),
        )
        return replace(self, train=train, batch=batch, pretrain=pretrain)

    def as_settings(self) -> dict[str, Any]:
        """Plain values, saved with the model."""
        return asdict(self)


def searcher_config(
    *,
    pooling: str = Pooling.SOFTMAX,
    encoder: str = EncoderKind.CONVOLUTION,
    size: int | None = None,
    blocks: int | None = None,
    subwords: bool = True,
    first: str = "",
    pretrain: bool = False,
    pretrain_epochs: int | None = None,
    epochs: int | None = None,
    batch: int | None = None,
    learning_rate: float | None = None,
    patience: int | None = None,
    seed: int = 0,
    paper: bool = False,
) -> SearcherConfig:
    """The defaults, or the paper's settings, with the given values replaced.

    By default, initial vectors are aligned, or random if the encoder is pre-trained.
    """
    config = SearcherConfig.paper() if paper else SearcherConfig()
    first = first or (SearcherInit.RANDOM if pretrain or paper else SearcherInit.ALIGNED)
    if parse_choice(SearcherInit, first, "first vectors") is SearcherInit.RANDOM:
        config = config.from_random()
    translation = config.pretrain or TranslationConfig()
    translation = replace(
        translation, train=replace_given(translation.train, epochs=pretrain_epochs)
    )
    config = replace(
        config,
        model=replace_given(
            config.model,
            pooling=pooling,
            encoder=encoder,
            size=size,
            blocks=blocks,
            subwords=subwords,
        ),
        train=replace_given(
            config.train, epochs=epochs, learning_rate=learning_rate, patience=patience
        ),
        batch=replace_given(config.batch, size=batch),
        pretrain=translation if pretrain or paper else None,
    )
    return config.with_seed(seed)
