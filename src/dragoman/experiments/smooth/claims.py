"""Results of trainings -> claims: the first row of a table is above every other one."""

from collections.abc import Mapping

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.smooth.runs import SmoothTrainingResult

DECISIVE = ("P(rel=2)@1", "nDCG@5", "AP")


def smooth_claims(results: Mapping[str, SmoothTrainingResult]) -> list[Claim]:
    """The paper's own choice, which is the first result, against each of the others."""
    first, *others = results
    return evaluate_claims(
        ClaimedGain(
            f"{first} is above {other}",
            measure,
            {"": (results[first].values[measure], results[other].values[measure])},
        )
        for other in others
        for measure in DECISIVE
    )
