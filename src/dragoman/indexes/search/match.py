"""Hits -> how well each matches its query: good, fair or weak.

A logistic model for each system weighs the evidence (``System.evidence``) and the length of the
query; `tools/learn_match.py` learns it from queries with and without a right document, and measures
it on other collections. A match never changes a ranking.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import NamedTuple

from dragoman.encoders.passages import letters
from dragoman.indexes.search.answer import MatchQuality
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.system import GivesEvidence, System
from dragoman.scores.logistic import LogisticModel
from dragoman.storage.facts import Format
from dragoman.types import FloatArray, IntArray, Query

FORMAT = Format("dragoman-match", 1, "tools/learn_match.py")
FEWEST = 20  # documents of an index: how rare a word is cannot be said of fewer
DATA = Path(__file__).parent / "data" / "match.json"


class MatchModel(NamedTuple):
    """What the features of a hit say, and the log-odds from which it is fair and good."""

    model: LogisticModel
    fair: float
    good: float

    def quality(self, features: Sequence[float]) -> MatchQuality:
        """Good, fair or weak."""
        odds = self.model.log_odds(features)
        if odds >= self.good:
            return MatchQuality.GOOD
        return MatchQuality.FAIR if odds >= self.fair else MatchQuality.WEAK


@cache
def shipped_models() -> Mapping[str, MatchModel]:
    """The models that the package carries, by the name of the system."""
    return {
        name: MatchModel(
            LogisticModel(facts["bias"], tuple(facts["weights"])), facts["fair"], facts["good"]
        )
        for name, facts in FORMAT.read(DATA)["systems"].items()
    }


def match_qualities(
    system: System, snapshot: Snapshot, query: Query, numbers: IntArray
) -> list[MatchQuality | None]:
    """How well each document matches the query; None without a model, or in a tiny index."""
    model = shipped_models().get(system.name) if len(snapshot) >= FEWEST else None
    if model is None or not isinstance(system, GivesEvidence) or not len(numbers):
        return [None] * len(numbers)
    features = match_features(query, system.evidence(snapshot, query, numbers))
    return [model.quality(mine) for mine in features]


def match_features(query: Query, evidence: FloatArray) -> list[list[float]]:
    """What a model weighs: the evidence of each document, and the length of the query."""
    length = log(max(letters(query.text), 1))
    return [[*mine, length] for mine in evidence.tolist()]
