"""Results of trainings -> claims: the first row of a table is above every other one, by nDCG@5."""

from collections.abc import Mapping

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.smooth.runs import SmoothTrainingResult
from dragoman.systems.smooth.training import VALIDATED_BY

PRIMARY = VALIDATED_BY[0]
OF_THE_PAPER = ("3-part", "MSE", "PO", "CNN", "LSTM")  # the other rows are extensions


def smooth_claims(results: Mapping[str, SmoothTrainingResult]) -> list[Claim]:
    """The paper's own choice, which is the first result, against each of the others."""
    first, *others = results
    return evaluate_claims(
        ClaimedGain(
            f"{first} is above {other}",
            PRIMARY,
            {"": (results[first].values[PRIMARY], results[other].values[PRIMARY])},
            extension=other not in OF_THE_PAPER,
        )
        for other in others
    )
