"""Rows of the re-ranking table -> claims: transport as a second stage helps, at each weight."""

from collections.abc import Sequence

import numpy as np

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.tasks import MEASURE
from dragoman.experiments.transport.runs import WEIGHTS, RerankingRuns


def transport_claims(rows: Sequence[RerankingRuns]) -> list[Claim]:
    """One claim per weight, on the queries of all tasks together; grouped by first stage."""
    labels = list(dict.fromkeys(row.alone.label for row in rows))
    gains = []
    for weight in WEIGHTS:
        pairs = {}
        for label in labels:
            same = [row for row in rows if row.alone.label == label]
            both = np.concatenate([row.both[weight].values for row in same])
            pairs[label] = (both, np.concatenate([row.alone.values for row in same]))
        text = f"Re-ranking by transport with weight {weight:g} is above the first stage alone"
        gains.append(ClaimedGain(text, MEASURE, pairs))
    return evaluate_claims(gains)
