"""Results of trainings -> claims.

Of tables: the first row is above every other one, by nDCG@5. Of readings of the paper: ours is
above the others. Of short trainings: the plain cosine's spread over learning rates is larger; a
spread is the mean over queries of a difference, so it is tested over queries too.
"""

from collections.abc import Mapping, Sequence

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.smooth.plan import CLIPPED
from dragoman.experiments.smooth.runs import SmoothTrainingResult
from dragoman.experiments.smooth.stability_runs import FirstVectors
from dragoman.experiments.smooth.stability_tables import StabilityRow
from dragoman.experiments.smooth.tables import (
    AS_CODED,
    AS_PRINTED,
    LSTM_AS_PRINTED,
    LSTM_OURS,
    OURS,
    PAPER,
    SOSL,
)
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.training import VALIDATED_BY
from dragoman.systems.smooth.validation import MEASURES
from dragoman.types import FloatArray

PRIMARY = VALIDATED_BY[0]
OF_THE_PAPER = ("3-part", "MSE", "PO", "CNN", "LSTM")  # the other rows are extensions
SPREAD = f"spread of {PRIMARY}"
SMOOTH = SmoothConfig.paper().model.epsilon
COMPARED = ((OURS, AS_PRINTED), (OURS, AS_CODED), (LSTM_OURS, LSTM_AS_PRINTED))

Setting = tuple[float, float]  # epsilon, clip


def smooth_claims(results: Mapping[str, SmoothTrainingResult], language: str = "") -> list[Claim]:
    """The paper's own choice, which is the first result, against each of the others.

    With the paper's difference where it has documents in this ``language``.
    """
    first, *others = results
    return evaluate_claims(
        _gain(
            *(results, first, other),
            extension=other not in OF_THE_PAPER,
            paper=_difference_in_paper(other, language),
        )
        for other in others
    )


def _difference_in_paper(other: str, language: str) -> float | None:
    """By the primary measure, between SOSL and another row of Table 2 or 3."""
    printed = PAPER.get(language, {})
    if other not in printed:
        return None
    column = MEASURES.index(PRIMARY)
    return printed[SOSL][column] - printed[other][column]


def authors_claims(results: Mapping[str, SmoothTrainingResult]) -> list[Claim]:
    """Ours against the other readings of the paper, where both were trained."""
    return evaluate_claims(
        _gain(results, ours, other, extension=True)
        for ours, other in COMPARED
        if ours in results and other in results
    )


def _gain(
    results: Mapping[str, SmoothTrainingResult],
    first: str,
    other: str,
    *,
    extension: bool,
    paper: float | None = None,
) -> ClaimedGain:
    return ClaimedGain(
        f"{first} is above {other}",
        PRIMARY,
        {"": (results[first].values[PRIMARY], results[other].values[PRIMARY])},
        paper=paper,
        extension=extension,
    )


def stability_claims(rows: Sequence[StabilityRow]) -> list[Claim]:
    """What the paper says of smoothing and of clipping, by first vectors."""
    plain, smooth, clipped, both = (0.0, 0.0), (SMOOTH, 0.0), (0.0, CLIPPED), (SMOOTH, CLIPPED)
    one = f"epsilon {SMOOTH:g}"
    return evaluate_claims(
        [
            _spread_claim(rows, f"epsilon 0 spreads more than {one}", plain, smooth),
            _spread_claim(
                rows,
                f"epsilon 0 clipped to {CLIPPED:g} spreads more than {one} unclipped",
                clipped,
                smooth,
            ),
            ClaimedGain(
                f"clipped to {CLIPPED:g}, {one} is above epsilon 0 (mean over learning rates)",
                PRIMARY,
                _values(rows, both, clipped, spread=False),
            ),
            _spread_claim(
                rows,
                f"epsilon 0 spreads more than epsilon 0 clipped to {CLIPPED:g}",
                plain,
                clipped,
                extension=True,
            ),
        ]
    )


def _spread_claim(
    rows: Sequence[StabilityRow],
    text: str,
    more: Setting,
    less: Setting,
    *,
    extension: bool = False,
) -> ClaimedGain:
    values = _values(rows, more, less, spread=True)
    return ClaimedGain(text, SPREAD, values, extension=extension)


def _values(
    rows: Sequence[StabilityRow], above: Setting, below: Setting, *, spread: bool
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """For every query, the spread or the mean over the rates, by first vectors."""
    pairs = {}
    for first in FirstVectors:
        found = {
            (row.epsilon, row.clip): row.spread_values if spread else row.mean_values
            for row in rows
            if row.first is first
        }
        if above in found and below in found:
            pairs[str(first)] = (found[above], found[below])
    return pairs
