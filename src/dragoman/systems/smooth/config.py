"""The settings of a smooth model and of its training, checked once."""

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice, replace_given
from dragoman.systems.smooth.losses import THREE_PARTS, THRESHOLDS
from dragoman.training.batches import BatchConfig
from dragoman.training.config import Precision, TrainConfig


class SmoothArchitecture(StrEnum):
    """How the word vectors of a text become one vector."""

    AVERAGE = "average"
    CNN = "cnn"
    LSTM = "lstm"
    LSTM_FIRST_POSITION = "lstm-first-position"  # section 5.1 to the letter

    def __repr__(self) -> str:
        """As in version 1 of the format: signatures of saved models contain it."""
        return f"<Architecture.{self.name}: {self.value!r}>"


class LossName(StrEnum):
    """The loss that training minimises."""

    SOSL = "sosl"
    THREE_PART = "three-part"
    MSE = "mse"
    PO = "po"
    PO_STEEP = "po-steep"
    ALL_THRESHOLD = "all-threshold"

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The default thresholds for three grades."""
        return THREE_PARTS if self is LossName.THREE_PART else THRESHOLDS

    def threshold_count(self, classes: int) -> int:
        """The number of thresholds for so many grades: between them, or one for each."""
        return classes if self is LossName.THREE_PART else classes - 1


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothModelConfig:
    """The architecture of a model."""

    architecture: SmoothArchitecture = SmoothArchitecture.AVERAGE
    epsilon: float = 1.0  # smoothness of the cosine; 0 is the plain one
    dimension: int = 64  # of word vectors, if none are given
    longest: int = 200  # maximum number of words of a text
    # True: a mean is over `longest` positions, padded with a trained vector, as in the authors'
    # code; False: over the words of the text
    count_padding: bool = False
    dropout: float = 0.4  # of word vectors, in cnn and lstm
    stop: bool = False  # remove stop words

    def __post_init__(self) -> None:
        object.__setattr__(
            self,
            "architecture",
            parse_choice(SmoothArchitecture, self.architecture, "architecture"),
        )
        if not 0 <= self.epsilon < float("inf"):
            raise ConfigError(f"epsilon must be a number from 0 on, got {self.epsilon}")
        if self.dimension < 1 or self.longest < 1:
            raise ConfigError(
                f"dimension and longest must be 1 or more, got {self.dimension}, {self.longest}"
            )
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be from 0 to below 1, got {self.dropout}")
        if self.count_padding and self.architecture is not SmoothArchitecture.AVERAGE:
            raise ConfigError("count_padding applies to average pooling only")


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothConfig:
    """All settings of a training."""

    model: SmoothModelConfig = field(default_factory=SmoothModelConfig)
    loss: LossName = LossName.SOSL
    thresholds: tuple[float, ...] = ()  # () becomes the default of the loss
    limit: float = 1.0  # the end of the outermost classes: 1 as printed
    train: TrainConfig = field(default_factory=TrainConfig)
    batch: BatchConfig = field(default_factory=BatchConfig)
    negatives: int = 0  # sampled for every query and epoch; 0 uses the judged ones
    words: int = 100_000  # size of each language's vocabulary
    seen: int = 2  # minimum frequency of its words in the training texts
    own_lengths: bool = False  # given word vectors begin with the lengths of their file

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", parse_choice(LossName, self.loss, "loss"))
        object.__setattr__(self, "thresholds", self.thresholds or self.loss.thresholds)
        if not 0 < self.limit <= 1:
            raise ConfigError(f"limit must be above 0 and at most 1, got {self.limit}")
        if self.negatives < 0 or self.words < 1 or self.seen < 1:
            raise ConfigError(
                f"found negatives {self.negatives}, words {self.words}, seen {self.seen};"
                " expected 0, 1 and 1 or more"
            )

    @classmethod
    def paper(cls, architecture: SmoothArchitecture = SmoothArchitecture.AVERAGE) -> Self:
        """The settings of the paper's section 5 for an architecture."""
        model = SmoothModelConfig(architecture=architecture)
        decaying = TrainConfig(learning_rate=0.001, decay=0.95)
        if architecture is SmoothArchitecture.CNN:
            return cls(model=model, train=decaying, batch=BatchConfig(bucket=50, together=4))
        if architecture is not SmoothArchitecture.AVERAGE:
            batch = BatchConfig(size=64, bucket=50, together=4)
            return cls(model=model, train=replace(decaying, epochs=15), batch=batch)
        return cls(model=model)

    def as_settings(self) -> dict[str, Any]:
        """Plain values, saved with the model."""
        return asdict(self)


def smooth_config(
    architecture: str = SmoothArchitecture.AVERAGE,
    *,
    loss: str = LossName.SOSL,
    thresholds: tuple[float, ...] = (),
    epsilon: float = 1.0,
    epochs: int | None = None,
    batch: int | None = None,
    learning_rate: float | None = None,
    negatives: int = 0,
    clip: float = 0.0,
    patience: int = 0,
    precision: str = Precision.FULL,
    count_padding: bool = False,
    own_lengths: bool = False,
    seed: int = 0,
) -> SmoothConfig:
    """The paper's settings for an architecture, with the given values replaced."""
    paper = SmoothConfig.paper(parse_choice(SmoothArchitecture, architecture, "architecture"))
    return replace(
        paper,
        model=replace(paper.model, epsilon=epsilon, count_padding=count_padding),
        loss=parse_choice(LossName, loss, "loss"),
        thresholds=thresholds,
        train=replace_given(
            paper.train,
            epochs=epochs,
            learning_rate=learning_rate,
            max_gradient_norm=clip,
            patience=patience,
            precision=parse_choice(Precision, precision, "precision"),
            seed=seed,
        ),
        batch=replace_given(paper.batch, size=batch, seed=seed),
        negatives=negatives,
        own_lengths=own_lengths,
    )
