"""The settings of a pre-training, checked once; sized for two cores and less than two hours."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice, replace_given
from dragoman.training.batches import BatchConfig
from dragoman.training.config import TrainConfig

LAST_RATE = 0.1  # the learning rate of the last epoch, as a part of the first's


def schedule(*, epochs: int, steps: int, learning_rate: float, seed: int = 0) -> TrainConfig:
    """A learning rate that rises over a twentieth of all steps and falls to a tenth by the end."""
    return TrainConfig(
        epochs=epochs,
        learning_rate=learning_rate,
        decay=LAST_RATE ** (1 / max(1, epochs - 1)),
        warm_up=epochs * steps // 20,
        max_gradient_norm=1.0,
        seed=seed,
    )


class PretrainInit(StrEnum):
    """The token vectors that a training begins with."""

    ALIGNED = "aligned"  # shared ones, trained to find translations without any layer
    SHARED = "shared"  # those of tokens that stand in the same sentence pairs
    DRAWN = "drawn"  # by chance


@dataclass(frozen=True, kw_only=True, slots=True)
class EncoderConfig:
    """The shape of the encoder, a BERT."""

    pieces: int = 32_000  # of the tokenizer
    size: int = 192  # of all vectors
    layers: int = 6
    heads: int = 3
    inner: int = 512  # of a layer's feed-forward part
    longest: int = 512  # tokens of a text, special ones included

    def __post_init__(self) -> None:
        if min(self.pieces, self.size, self.layers, self.heads, self.inner) < 1:
            raise ConfigError(
                "pieces, size, layers, heads and inner of an encoder must be 1 or more, got"
                f" {self.pieces}, {self.size}, {self.layers}, {self.heads} and {self.inner}"
            )
        if min(self.size, self.inner) < 2:  # layers begin with two directions and two units
            raise ConfigError(f"size and inner must be 2 or more, got {self.size} and {self.inner}")
        if self.size % self.heads:
            raise ConfigError(f"size must be a multiple of heads, got {self.size} and {self.heads}")
        if self.longest < 8:
            raise ConfigError(f"longest must be 8 tokens or more, got {self.longest}")


@dataclass(frozen=True, kw_only=True, slots=True)
class ObjectiveConfig:
    """What is learnt, and in which mixture."""

    masked: float = 0.15  # of the tokens of a text
    drawn: int = 2_000  # tokens that a masked one is told from, beside those of the batch
    # parts of the steps: pairs read side by side (also to be compared), plain texts; the
    # rest are pairs whose sides are read by themselves
    translation: float = 0.4
    plain: float = 0.2
    ranking: float = 1.0  # weight of finding the other side of a pair in the batch
    temperature: float = 0.05  # of the cosines in it
    comparing: float = 1.0  # weight of telling whether texts side by side are translations
    exchanged: float = 0.5  # of the pairs side by side, those that are not
    asked: float = 0.5  # of the steps with pairs side by side, those with a part of one side
    teaching: float = 1.0  # weight of the teacher's vectors, where there is one
    taught: int = 60_000  # most texts that the teacher is asked for

    def __post_init__(self) -> None:
        if not 0 < self.masked < 1:
            raise ConfigError(f"masked must be between 0 and 1, got {self.masked}")
        if min(self.translation, self.plain) < 0 or self.translation + self.plain > 1:
            raise ConfigError(
                "translation and plain are parts of the steps and sum to at most 1, got"
                f" {self.translation} and {self.plain}"
            )
        if min(self.ranking, self.comparing, self.teaching) < 0 or self.temperature <= 0:
            raise ConfigError(
                "the weights of ranking, comparing and teaching must be 0 or more and the"
                f" temperature above 0, got {self.ranking}, {self.comparing}, {self.teaching} and"
                f" {self.temperature}"
            )
        if not (0 <= self.exchanged < 1 and 0 <= self.asked <= 1):
            raise ConfigError(
                "exchanged and asked are parts, the first of them below 1, got"
                f" {self.exchanged} and {self.asked}"
            )
        if self.drawn < 0 or self.taught < 0:
            raise ConfigError(
                f"drawn and taught must be 0 or more, got {self.drawn} and {self.taught}"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenVectorConfig:
    """How token vectors are trained before the layers."""

    train: TrainConfig = field(
        default_factory=lambda: schedule(epochs=6, steps=300, learning_rate=4e-3)
    )
    size: int = 512  # pairs of a step
    steps: int = 300  # of an epoch

    def __post_init__(self) -> None:
        if self.size < 2 or self.steps < 1:
            raise ConfigError(
                f"size must be 2 or more and steps 1 or more, got {self.size} and {self.steps}"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class PretrainConfig:
    """Everything that decides what a pre-training makes of its texts."""

    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    objective: ObjectiveConfig = field(default_factory=ObjectiveConfig)
    first: PretrainInit = PretrainInit.ALIGNED
    bags: TokenVectorConfig = field(default_factory=TokenVectorConfig)
    # layers begin with what they are to do (``cross_attention.py``); longer steps would undo it
    train: TrainConfig = field(
        default_factory=lambda: schedule(epochs=60, steps=100, learning_rate=3e-4)
    )
    batch: BatchConfig = field(default_factory=lambda: BatchConfig(size=96, bucket=20))
    pieces_a_step: int = 32  # of plain texts, which are longer than sentences
    steps: int = 100  # of an epoch, after which the training is measured and saved
    sentence: int = 64  # most tokens of one side of a pair
    piece: int = 96  # tokens of the pieces that plain texts are cut into
    # most pairs of a file, and most plain texts, that are read: more would hardly be met
    pairs: int = 60_000
    plain_texts: int = 40_000
    smoothing: float = 0.5  # files of bitext take part by their size to this power
    held_out: int = 1_000  # pairs of each file that measure the encoder; at most a tenth

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
        """Plain values, for a file that says how an encoder was made."""
        return asdict(self)


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
    """The default, changed where a value is given."""
    small = PretrainConfig()
    length = replace_given(small.train, epochs=epochs, learning_rate=learning_rate)
    before = replace_given(small.bags.train, epochs=bag_epochs)
    steps = small.steps if steps is None else steps
    bag_steps = small.bags.steps if bag_steps is None else bag_steps
    return replace_given(
        small,
        first=parse_choice(PretrainInit, first, "first vectors"),
        encoder=replace_given(small.encoder, **(encoder or {})),
        objective=replace_given(small.objective, **(objective or {})),
        train=schedule(
            epochs=length.epochs, steps=steps, learning_rate=length.learning_rate, seed=seed
        ),
        steps=steps,
        pairs=pairs,
        batch=replace_given(small.batch, size=batch, seed=seed),
        bags=replace(
            small.bags,
            train=schedule(
                epochs=before.epochs, steps=bag_steps, learning_rate=before.learning_rate, seed=seed
            ),
            steps=bag_steps,
        ),
    )
