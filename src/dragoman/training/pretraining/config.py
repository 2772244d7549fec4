"""The settings of a pre-training, checked once; sized for two cores and less than two hours."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice, replace_given
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig

LAST_RATE = 0.1  # the learning rate of the last epoch, relative to the first


def schedule(*, epochs: int, steps: int, learning_rate: float, seed: int = 0) -> TrainConfig:
    """A training with warm-up over a twentieth of all steps and decay to a tenth by the end."""
    return TrainConfig(
        epochs=epochs,
        learning_rate=learning_rate,
        decay=LAST_RATE ** (1 / max(1, epochs - 1)),
        warm_up=epochs * steps // 20,
        max_gradient_norm=1.0,
        seed=seed,
    )


class PretrainInit(StrEnum):
    """The initial token vectors."""

    ALIGNED = "aligned"  # shared ones, then trained on translation pairs without layers
    SHARED = "shared"  # factors of the co-occurrences of tokens and sentence pairs
    RANDOM = "drawn"


@dataclass(frozen=True, kw_only=True, slots=True)
class EncoderConfig:
    """The architecture of the encoder, a BERT."""

    pieces: int = 32_000  # size of the tokenizer's vocabulary
    size: int = 192  # of all vectors
    layers: int = 6
    heads: int = 3
    inner: int = 512  # dimension of the feed-forward layers
    longest: int = 512  # tokens of a text, including special ones

    def __post_init__(self) -> None:
        if min(self.pieces, self.size, self.layers, self.heads, self.inner) < 1:
            raise ConfigError(
                "pieces, size, layers, heads and inner of an encoder must be 1 or more, got"
                f" {self.pieces}, {self.size}, {self.layers}, {self.heads} and {self.inner}"
            )
        if min(self.size, self.inner) < 2:  # the initial layers use two of each
            raise ConfigError(f"size and inner must be 2 or more, got {self.size} and {self.inner}")
        if self.size % self.heads:
            raise ConfigError(f"size must be a multiple of heads, got {self.size} and {self.heads}")
        if self.longest < 8:
            raise ConfigError(f"longest must be 8 tokens or more, got {self.longest}")


@dataclass(frozen=True, kw_only=True, slots=True)
class ObjectiveConfig:
    """The objectives of the pre-training and their weights."""

    masked: float = 0.15  # share of the tokens of a text
    drawn: int = 2_000  # sampled candidates for masked tokens, in addition to those of the batch
    # shares of the steps: concatenated pairs (also to be compared) and plain texts; the rest are
    # pairs whose sides are encoded separately
    translation: float = 0.4
    plain: float = 0.2
    ranking: float = (
        1.0  # weight of the ranking loss: finding the other side of a pair in the batch
    )
    temperature: float = 0.05  # of the cosines in the ranking loss
    comparing: float = 1.0  # weight of classifying concatenated texts as translations or not
    exchanged: float = 0.5  # share of concatenated pairs with swapped texts
    spans: float = 0.5  # share of steps with concatenated pairs whose first side is a short span
    teaching: float = 1.0  # weight of the distillation loss, if there is a teacher
    taught: int = 60_000  # maximum number of texts that the teacher encodes

    def __post_init__(self) -> None:
        if not 0 < self.masked < 1:
            raise ConfigError(f"masked must be between 0 and 1, got {self.masked}")
        if min(self.translation, self.plain) < 0 or self.translation + self.plain > 1:
            raise ConfigError(
                "translation and plain are shares of the steps and sum to at most 1, got"
                f" {self.translation} and {self.plain}"
            )
        if min(self.ranking, self.comparing, self.teaching) < 0 or self.temperature <= 0:
            raise ConfigError(
                "the weights of ranking, comparing and teaching must be 0 or more and the"
                f" temperature above 0, got {self.ranking}, {self.comparing}, {self.teaching} and"
                f" {self.temperature}"
            )
        if not (0 <= self.exchanged < 1 and 0 <= self.spans <= 1):
            raise ConfigError(
                "exchanged must be from 0 to below 1 and spans from 0 to 1, got"
                f" {self.exchanged} and {self.spans}"
            )
        if self.drawn < 0 or self.taught < 0:
            raise ConfigError(
                f"drawn and taught must be 0 or more, got {self.drawn} and {self.taught}"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenVectorConfig:
    """The training of token vectors before the layers."""

    train: TrainConfig = field(
        default_factory=lambda: schedule(epochs=6, steps=300, learning_rate=4e-3)
    )
    size: int = 512  # pairs per step
    steps: int = 300  # per epoch

    def __post_init__(self) -> None:
        if self.size < 2 or self.steps < 1:
            raise ConfigError(
                f"size must be 2 or more and steps 1 or more, got {self.size} and {self.steps}"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class PretrainConfig:
    """All settings of a pre-training."""

    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    objective: ObjectiveConfig = field(default_factory=ObjectiveConfig)
    first: PretrainInit = PretrainInit.ALIGNED
    bags: TokenVectorConfig = field(default_factory=TokenVectorConfig)
    # a higher learning rate would undo the initial layers (``cross_attention.py``)
    train: TrainConfig = field(
        default_factory=lambda: schedule(epochs=60, steps=100, learning_rate=3e-4)
    )
    batch: BatchConfig = field(default_factory=lambda: BatchConfig(size=96, bucket=20))
    pieces_a_step: int = 32  # chunks per step with plain texts, which are longer than sentences
    steps: int = 100  # per epoch, after which the model is validated and saved
    sentence: int = 64  # maximum number of tokens of one side of a pair
    piece: int = 96  # tokens of the chunks of plain texts
    # maximum number of pairs per file and of plain texts; more would hardly be used
    pairs: int = 60_000
    plain_texts: int = 40_000
    smoothing: float = 0.5  # files of bitext are sampled by their size to this power
    held_out: int = 1_000  # pairs of each file for validation; at most a tenth

    def __post_init__(self) -> None:
        if self.plain_texts < 0:
            raise ConfigError(f"plain_texts must be 0 or more, got {self.plain_texts}")
        if min(self.pairs, self.steps, self.held_out, self.pieces_a_step) < 1:
            raise ConfigError(
                "pairs, steps, held_out and pieces_a_step must be 1 or more, got"
                f" {self.pairs}, {self.steps}, {self.held_out} and {self.pieces_a_step}"
            )
        longest = self.encoder.longest
        if min(self.sentence, self.piece) < 4 or max(2 * self.sentence, self.piece) > longest:
            raise ConfigError(
                "sentence and piece must be 4 tokens or more, and two sentences or one piece fit"
                f" into {longest}; got {self.sentence} and {self.piece}"
            )
        if not 0 <= self.smoothing <= 1:
            raise ConfigError(f"smoothing must be between 0 and 1, got {self.smoothing}")

    def as_settings(self) -> dict[str, Any]:
        """Plain values, saved with the encoder."""
        settings = asdict(self)
        objective = settings["objective"]
        objective["asked"] = objective.pop("spans")  # the name in saved files
        return settings


def pretrain_config(
    *,
    first: str = PretrainInit.ALIGNED,
    epochs: int | None = None,
    steps: int | None = None,
    learning_rate: float | None = None,
    batch: int | None = None,
    pairs: int | None = None,
    bag_epochs: int | None = None,
    bag_steps: int | None = None,
    encoder: Mapping[str, int | None] | None = None,
    objective: Mapping[str, float | None] | None = None,
    seed: int = 0,
) -> PretrainConfig:
    """The defaults, with the given values replaced."""
    default = PretrainConfig()
    train = replace_given(default.train, epochs=epochs, learning_rate=learning_rate)
    bag_train = replace_given(default.bags.train, epochs=bag_epochs)
    steps = default.steps if steps is None else steps
    bag_steps = default.bags.steps if bag_steps is None else bag_steps
    return replace_given(
        default,
        first=parse_choice(PretrainInit, first, "first vectors"),
        encoder=replace_given(default.encoder, **(encoder or {})),
        objective=replace_given(default.objective, **(objective or {})),
        train=schedule(
            epochs=train.epochs, steps=steps, learning_rate=train.learning_rate, seed=seed
        ),
        steps=steps,
        pairs=pairs,
        batch=replace_given(default.batch, size=batch, seed=seed),
        bags=replace(
            default.bags,
            train=schedule(
                epochs=bag_train.epochs,
                steps=bag_steps,
                learning_rate=bag_train.learning_rate,
                seed=seed,
            ),
            steps=bag_steps,
        ),
    )
