"""Rows of the SEARCHER tables -> claims, tested by AQWV on the test queries of all languages.

Where a kind of row has several rows (translation baselines, SEARCHER's trainings), the development
queries choose, for every kind in the same way. The paper's claims are about SEARCHER from random or
pre-trained vectors, as in the paper; aligned vectors are ours, and among the extensions.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.searcher.experiment import (
    FUSION,
    ONE_SENTENCE,
    PSQ,
    SOURCE,
    TRANSLATED,
    WITH_PSQ,
    SearcherReproduction,
    best_searcher,
)
from dragoman.experiments.searcher.plan import PREFIX
from dragoman.experiments.searcher.values import RowValues
from dragoman.systems.searcher.config import Pooling
from dragoman.types import FloatArray

DOCUMENTS_ALONE = TRANSLATED
WITH_SOURCE = tuple(f"{name}{SOURCE}" for name in TRANSLATED)
TRANSLATIONS = (*DOCUMENTS_ALONE, *WITH_SOURCE, "query translation")
FROM_ALIGNED = "SEARCHER from aligned vectors is above"
STARTS = {"": "random", "-pretrained": "pre-trained", "-aligned": "aligned"}  # of the word vectors

# Barry et al. 2020, SEARCHER minus the best row without and with the search of the source: Table 1
# (Somali, the mean of analysis1 and dev1) and Table 2 (Bulgarian)
PAPER = {
    "so": ((0.229 - 0.175 + 0.250 - 0.211) / 2, (0.229 - 0.190 + 0.250 - 0.236) / 2),
    "bg": (0.655 - 0.653, 0.655 - 0.700),
}
ABOVE_TRANSLATION = "SEARCHER is above document translation"
ABOVE_BOTH = f"{ABOVE_TRANSLATION}{SOURCE}"

ALIGNED_ROWS = tuple(f"{PREFIX}{pooling}-aligned" for pooling in Pooling)
ROWS_OF_THE_PAPER = tuple(
    f"{PREFIX}{pooling}{ending}" for pooling in Pooling for ending in ("", "-pretrained")
)

RowChoice = Callable[[SearcherReproduction], RowValues | None]
Comparison = tuple[str, RowChoice, RowChoice]


def searcher_claims(
    results: Sequence[SearcherReproduction], probes: Iterable[ClaimedGain] = ()
) -> list[Claim]:
    """The paper's comparisons and its claims about models, then what it does not compare."""
    kinds = ((_of_the_paper(), False), (_extensions(), True))
    gains = (
        _gain(text, results, first, second, extension=extension)
        for comparisons, extension in kinds
        for text, first, second in comparisons
    )
    return evaluate_claims([*gains, *probes])


def seed_ranges(results: Sequence[SearcherReproduction]) -> list[str]:
    """The differences of all comparisons by seed as a table; nothing where there is one seed."""
    lines = []
    for text, first, second in (*_of_the_paper(), *_extensions()):
        gaps = {
            result.task.language: np.subtract(upper.actual_by_seed, lower.actual_by_seed)
            for result in results
            if (upper := first(result)) is not None and (lower := second(result)) is not None
        }
        if gaps and (mean := np.mean(list(gaps.values()), axis=0)).size > 1:
            groups = ", ".join(f"{language} {_range(gap)}" for language, gap in gaps.items())
            lines.append(f"| {text} | {mean.mean():+.3f} | {_range(mean)} | {groups} |")
    if not lines:
        return []
    return [
        "Differences in AQWV by seed, lowest to highest: of the mean over languages, and of each"
        " language:",
        "",
        "| comparison | mean | range over seeds | by language |",
        "|---|---:|---|---|",
        *lines,
    ]


def _range(gaps: FloatArray) -> str:
    return f"{gaps.min():+.3f} to {gaps.max():+.3f}"


def _of_the_paper() -> list[Comparison]:
    """Sections 2, 6 and 9."""
    searcher = _best_of(ROWS_OF_THE_PAPER)
    compared: list[Comparison] = [
        (ABOVE_TRANSLATION, searcher, _best_of(DOCUMENTS_ALONE)),
        (ABOVE_BOTH, searcher, _best_of(WITH_SOURCE)),
        ("SEARCHER is above the threshold baseline", searcher, _row("threshold")),
    ]
    for pooling in ("softmax", "max"):
        text = f"{pooling} pooling: {STARTS['-pretrained']} word vectors are above random ones"
        base = f"searcher-{pooling}"
        compared.append((text, _row(f"{base}-pretrained"), _row(base)))
    return compared


def _extensions() -> list[Comparison]:
    """Rows joined with psq, aligned vectors, and poolings, which the paper calls similar."""
    joined = [f"{name}{WITH_PSQ}" for name in TRANSLATIONS]
    control = f"threshold{WITH_PSQ}"
    aligned = _best_of(ALIGNED_ROWS)
    compared: list[Comparison] = [
        (f"{FROM_ALIGNED} document translation", aligned, _best_of(DOCUMENTS_ALONE)),
        (f"{FROM_ALIGNED} document translation{SOURCE}", aligned, _best_of(WITH_SOURCE)),
        (f"{FROM_ALIGNED} the threshold baseline", aligned, _row("threshold")),
        (f"{FROM_ALIGNED} psq", aligned, _row(PSQ)),
        (f"{FUSION} is above the best translation + psq", _row(FUSION), _best_of(joined)),
        (f"{FUSION} is above {control}", _row(FUSION), _row(control)),
        (f"{FUSION} is above psq", _row(FUSION), _row(PSQ)),
        ("the best SEARCHER is above the same by one sentence", _best_searcher, _row(ONE_SENTENCE)),
    ]
    for pooling in ("softmax", "max"):
        text = f"{pooling} pooling: {STARTS['-aligned']} word vectors are above random ones"
        base = f"searcher-{pooling}"
        compared.append((text, _row(f"{base}-aligned"), _row(base)))
    for ending, start in STARTS.items():
        text = f"{start} word vectors: softmax pooling is above max pooling"
        compared.append((text, _row(f"searcher-softmax{ending}"), _row(f"searcher-max{ending}")))
    return compared


def _gain(
    text: str,
    results: Sequence[SearcherReproduction],
    first: RowChoice,
    second: RowChoice,
    *,
    extension: bool,
) -> ClaimedGain:
    """Both rows in every language that has them."""
    pairs, resampled = {}, {}
    for result in results:
        upper, lower = first(result), second(result)
        if upper is not None and lower is not None:
            pairs[result.task.language] = (upper.values, lower.values)
            resampled[result.task.language] = upper.resampled - lower.resampled
    return ClaimedGain(
        text, "AQWV", pairs, _difference_in_paper(text, pairs), extension=extension,
        resampled=resampled,
    )  # fmt: skip


def _difference_in_paper(text: str, languages: Iterable[str]) -> float | None:
    """The mean over languages; None where the paper lacks one of them."""
    differences = [PAPER.get(language) for language in languages]
    if text not in (ABOVE_TRANSLATION, ABOVE_BOTH) or not differences or None in differences:
        return None
    column = int(text == ABOVE_BOTH)
    return float(np.mean([one[column] for one in differences if one is not None]))


def _row(name: str) -> RowChoice:
    return lambda result: next((one for one in result.values if one.name == name), None)


def _best_searcher(result: SearcherReproduction) -> RowValues | None:
    """The SEARCHER row that the development queries choose."""
    return _row(best_searcher(result.values))(result)


def _best_of(names: Sequence[str]) -> RowChoice:
    """The row of some that the development queries choose."""

    def choose(result: SearcherReproduction) -> RowValues | None:
        rows = [one for one in result.values if one.name in names]
        return max(rows, key=lambda one: one.development, default=None)

    return choose
