"""The settings of topic models and of ranking by topics, checked once; the paper's by default."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from dragoman.embeddings.normalization import StopWordList, WordTokenizer, WordTokenizerConfig
from dragoman.errors import ConfigError
from dragoman.settings import FLATTENED

MAX_TOPICS = 65535  # kernels store a topic in 16 bits


class Divergence(StrEnum):
    """The divergence between the topic distributions of two texts."""

    RELATIVE_ENTROPY = "relative-entropy"  # of the query to the document
    JENSEN_SHANNON = "jensen-shannon"


@dataclass(frozen=True, kw_only=True, slots=True)
class SamplingSchedule:
    """The sweeps after which a sample is taken: every ``every`` sweeps after ``burn_in``."""

    burn_in: int = 200
    every: int = 25
    sweeps: int = 500

    def __post_init__(self) -> None:
        if self.burn_in < 0 or self.every < 1 or self.sweeps < self.burn_in + self.every:
            raise ConfigError(
                f"found burn_in {self.burn_in}, every {self.every}, sweeps {self.sweeps}; expected"
                " at least one sample: burn_in + every <= sweeps, with every above 0"
            )

    def takes_sample(self, sweep: int) -> bool:
        """Whether a sample is taken after ``sweep``, counted from 1."""
        return sweep > self.burn_in and (sweep - self.burn_in) % self.every == 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TopicConfig:
    """How a topic model is trained."""

    topics: int = 300
    alpha: float | None = None  # prior of topics in a document; None: 50 / topics
    beta: float = 0.01  # prior of words in a topic
    schedule: SamplingSchedule = field(default_factory=SamplingSchedule, metadata=FLATTENED)
    seed: int = 0
    first: int = 500  # words of a document that count, from its beginning
    stop: StopWordList = StopWordList.SHORT  # the list of stop words that are left out

    def __post_init__(self) -> None:
        if not 1 <= self.topics <= MAX_TOPICS:
            raise ConfigError(f"topics must be from 1 to {MAX_TOPICS:,}, got {self.topics}")
        if not (self.prior > 0 and self.beta > 0):
            raise ConfigError(f"alpha and beta must be above 0, got {self.prior}, {self.beta}")
        if self.first < 1:
            raise ConfigError(f"first must be at least 1, got {self.first}")

    @property
    def prior(self) -> float:
        """The value of alpha."""
        return 50 / self.topics if self.alpha is None else self.alpha

    @property
    def tokenizer(self) -> WordTokenizer:
        """The tokenizer of training and inference."""
        return WordTokenizer(WordTokenizerConfig(stop=self.stop))


@dataclass(frozen=True, kw_only=True, slots=True)
class BildaConfig:
    """Which topic model documents are compared by, and how."""

    model: Path
    divergence: Divergence = Divergence.RELATIVE_ENTROPY
