"""The settings of the nbow system, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from dragoman.systems.bags.config import BagConfig


class Distance(StrEnum):
    """How far two averages are apart."""

    EUCLIDEAN = "euclidean"  # the paper's: a long text's average is short, and near to everything
    COSINE = "cosine"  # the same after averages are scaled to length one


@dataclass(frozen=True, kw_only=True, slots=True)
class NbowConfig(BagConfig):
    """Which word vectors are averaged, with which weights, and how averages are compared."""

    named: ClassVar[Mapping[str, type[StrEnum]]] = {**BagConfig.named, "distance": Distance}

    distance: Distance = Distance.EUCLIDEAN
