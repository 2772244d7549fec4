"""The settings of the nbow system, checked once."""

from dataclasses import dataclass
from enum import StrEnum

from dragoman.systems.bags.config import BagConfig


class Distance(StrEnum):
    """How far two averages are apart."""

    EUCLIDEAN = "euclidean"  # the paper's: a long text's average is short, and near to everything
    COSINE = "cosine"  # the same after averages are scaled to length one


@dataclass(frozen=True, kw_only=True, slots=True)
class NbowConfig(BagConfig):
    """Which word vectors are averaged, with which weights, and how averages are compared."""

    distance: Distance = Distance.EUCLIDEAN
