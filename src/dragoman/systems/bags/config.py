"""The settings of the systems that compare weighted bags of words, checked once."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dragoman.embeddings.normalization import StopWordList
from dragoman.errors import ConfigError
from dragoman.systems.bags.weighting import MAX_WORDS, Weighting


class Distance(StrEnum):
    """The distance between two averages."""

    EUCLIDEAN = "euclidean"  # the paper's; the average of a long text is short and near every query
    COSINE = "cosine"  # the same between averages scaled to length one


@dataclass(frozen=True, kw_only=True, slots=True)
class BagSystemConfig:
    """Which words of a text count, how much, and where their vectors come from."""

    weighting: Weighting = Weighting.IDF
    vectors: tuple[Path, ...] = ()  # folders of word vectors; none: the sentence encoder's
    misspelt: int = (
        0  # Levenshtein distance within which an unknown word takes a known one's vector
    )
    collapse: bool = False  # words spelt alike in two languages share a vector
    seed: int = 0  # of the choice among equally near words
    translate: bool = False  # queries are translated word by word
    lexicons: tuple[Path, ...] = ()  # the user's own translation tables, before the shipped ones
    encoder: str = "default"
    students: tuple[Path, ...] = ()
    shipped_students: bool = True
    first: int = MAX_WORDS  # a text's known words that count, from its beginning
    stop: StopWordList = StopWordList.SHORT  # the list of stop words that are left out

    def __post_init__(self) -> None:
        if self.misspelt < 0 or self.first < 1:
            raise ConfigError(
                f"misspelt must be 0 or more and first 1 or more, got {self.misspelt}, {self.first}"
            )
        if (self.misspelt or self.collapse) and not self.vectors:
            raise ConfigError(
                "Found misspelt or collapse without vectors; expected folders of word vectors, or"
                " neither: a sentence encoder has a vector for every word."
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class NbowConfig(BagSystemConfig):
    """How word vectors are averaged and averages compared."""

    distance: Distance = Distance.EUCLIDEAN


@dataclass(frozen=True, kw_only=True, slots=True)
class WassersteinConfig(BagSystemConfig):
    """How weight is transported between word vectors."""

    epsilon: float | None = 0.1  # the paper's lambda; None is exact transport

    def __post_init__(self) -> None:
        BagSystemConfig.__post_init__(self)
        if self.epsilon is not None and not self.epsilon > 0:
            raise ConfigError(f"epsilon must be above 0, or none, got {self.epsilon}")
