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
    """How the vectors of a text's words become one."""

    AVERAGE = "average"
    CNN = "cnn"
    LSTM = "lstm"

    def __repr__(self) -> str:
        """As saved models have it in their signatures."""
        return f"<Architecture.{self.name}: {self.value!r}>"


class LossName(StrEnum):
    """What is minimised."""

    SOSL = "sosl"
    THREE_PART = "three-part"
    MSE = "mse"
    PO = "po"
    PO_STEEP = "po-steep"

    @property
    def thresholds(self) -> tuple[float, ...]:
        """What parts three grades, where nobody says otherwise."""
        return THREE_PARTS if self is LossName.THREE_PART else THRESHOLDS

    def threshold_count(self, classes: int) -> int:
        """How many thresholds so many grades have: between them, or one for each."""
        return classes if self is LossName.THREE_PART else classes - 1


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothModelConfig:
    """What a model computes."""

    architecture: SmoothArchitecture = SmoothArchitecture.AVERAGE
    epsilon: float = 1.0  # smoothness of the cosine; 0 is the plain one
    dimension: int = 64  # of word vectors, where none are given
    longest: int = 200  # words of a text that are read
    # True: a mean is over `longest` places, empty ones filled by a learnt vector, as in the
    # authors' code; False: over the words there are
    count_padding: bool = False
    dropout: float = 0.4  # of word vectors, in cnn and lstm
    stop: bool = False  # leave stop words out

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
            raise ConfigError("count_padding is a setting of average pooling alone")


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothConfig:
    """Everything that decides what a training makes of a collection."""

    model: SmoothModelConfig = field(default_factory=SmoothModelConfig)
    loss: LossName = LossName.SOSL
    thresholds: tuple[float, ...] = ()  # () becomes the loss's own
    train: TrainConfig = field(default_factory=TrainConfig)
    batch: BatchConfig = field(default_factory=BatchConfig)
    negatives: int = 0  # drawn anew for every epoch; 0 takes those that the collection judges
    words: int = 100_000  # most frequent words of each language that get a vector
    seen: int = 2  # times a word must be met in training to get one

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", parse_choice(LossName, self.loss, "loss"))
        object.__setattr__(self, "thresholds", self.thresholds or self.loss.thresholds)
        if self.negatives < 0 or self.words < 1 or self.seen < 1:
            raise ConfigError(
                f"found negatives {self.negatives}, words {self.words}, seen {self.seen};"
                " expected 0, 1 and 1 or more"
            )

    @classmethod
    def paper(cls, architecture: SmoothArchitecture = SmoothArchitecture.AVERAGE) -> Self:
        """The settings of the paper's section 5 for an architecture."""
        model = SmoothModelConfig(architecture=architecture)
        slow = TrainConfig(learning_rate=0.001, decay=0.95)
        if architecture is SmoothArchitecture.CNN:
            return cls(model=model, train=slow, batch=BatchConfig(bucket=50, together=4))
        if architecture is SmoothArchitecture.LSTM:
            half = replace(slow, epochs=15)
            small = BatchConfig(size=64, bucket=50, together=4)
            return cls(model=model, train=half, batch=small)
        return cls(model=model)

    def as_settings(self) -> dict[str, Any]:
        """Plain values, for a file that says how a model was made."""
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
    seed: int = 0,
) -> SmoothConfig:
    """The paper's settings for an architecture, changed where a value is given."""
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
    )
