"""The settings of learning topics and ranking by them, checked once; defaults are the paper's."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from dragoman.embeddings.normalization import StopWordList, WordTokenizer, WordTokenizerConfig
from dragoman.errors import ConfigError
from dragoman.settings import FLATTENED

MOST_TOPICS = 65535  # kernels keep a topic in sixteen bits


class Divergence(StrEnum):
    """How far two distributions over topics are apart."""

    RELATIVE_ENTROPY = "relative-entropy"  # of the query to the document
    JENSEN_SHANNON = "jensen-shannon"


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """When samples are taken: ``every`` so many sweeps after ``burn_in``, up to ``sweeps``."""

    burn_in: int = 200
    every: int = 25
    sweeps: int = 500

    def __post_init__(self) -> None:
        if self.burn_in < 0 or self.every < 1 or self.sweeps < self.burn_in + self.every:
            raise ConfigError(
                f"found burn_in {self.burn_in}, every {self.every}, sweeps {self.sweeps}; expected"
                " at least one sample: burn_in + every <= sweeps, with every above 0"
            )

    def samples(self, sweep: int) -> bool:
        """Whether a sample is taken after ``sweep``, counted from 1."""
        return sweep > self.burn_in and (sweep - self.burn_in) % self.every == 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TopicConfig:
    """How topics are learnt."""

    topics: int = 300
    alpha: float | None = None  # of topics in a document; 50 / topics unless told
    beta: float = 0.01  # of words in a topic
    schedule: Schedule = field(default_factory=Schedule, metadata=FLATTENED)
    seed: int = 0
    first: int = 500  # words that are read of a document
    stop: StopWordList = StopWordList.SHORT  # which listed words are left out

    def __post_init__(self) -> None:
        if not 1 <= self.topics <= MOST_TOPICS:
            raise ConfigError(f"topics must be from 1 to {MOST_TOPICS:,}, got {self.topics}")
        if not (self.prior > 0 and self.beta > 0):
            raise ConfigError(f"alpha and beta must be above 0, got {self.prior}, {self.beta}")
        if self.first < 1:
            raise ConfigError(f"first must be at least 1, got {self.first}")

    @property
    def prior(self) -> float:
        """The alpha in use."""
        return 50 / self.topics if self.alpha is None else self.alpha

    @property
    def preparation(self) -> WordTokenizer:
        """How texts are read, the same for training and for ever after."""
        return WordTokenizer(WordTokenizerConfig(stop=self.stop))


@dataclass(frozen=True, kw_only=True, slots=True)
class BildaConfig:
    """Which topics documents are compared by, and how."""

    model: Path
    divergence: Divergence = Divergence.RELATIVE_ENTROPY
