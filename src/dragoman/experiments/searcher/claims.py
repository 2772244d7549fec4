"""Rows of the SEARCHER tables -> claims, tested by AQWV on the test queries of all languages."""

from collections.abc import Callable, Sequence

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.searcher.experiment import FUSION, SearcherReproduction, best_searcher
from dragoman.experiments.searcher.values import DetectionValue

TRANSLATIONS = (
    "document translation", "query translation", "document translation + source",
    "apertium", "apertium + source",
)  # fmt: skip
STARTS = {"": "random", "-pretrained": "pre-trained", "-aligned": "aligned"}  # of the word vectors

RowChoice = Callable[[SearcherReproduction], DetectionValue | None]


def searcher_claims(results: Sequence[SearcherReproduction]) -> list[Claim]:
    """The fusion and SEARCHER against the baselines, then the ways to train SEARCHER."""
    compared: list[tuple[str, RowChoice, RowChoice]] = [
        (f"{FUSION} is above the best translation baseline", _row(FUSION), _best_translation),
        (f"{FUSION} is above psq", _row(FUSION), _row("psq")),
        ("SEARCHER is above the best translation baseline", _best_row, _best_translation),
        ("SEARCHER is above the threshold baseline", _best_row, _row("threshold")),
    ]
    for pooling in ("softmax", "max"):
        base = f"searcher-{pooling}"
        for ending in ("-pretrained", "-aligned"):
            text = f"{pooling} pooling: {STARTS[ending]} word vectors are above random ones"
            compared.append((text, _row(f"{base}{ending}"), _row(base)))
    for ending, start in STARTS.items():
        text = f"{start} word vectors: softmax pooling is above max pooling"
        compared.append((text, _row(f"searcher-softmax{ending}"), _row(f"searcher-max{ending}")))
    return evaluate_claims(_gain(text, results, *rows) for text, *rows in compared)


def _gain(
    text: str, results: Sequence[SearcherReproduction], first: RowChoice, second: RowChoice
) -> ClaimedGain:
    """Both rows in every language that has them."""
    pairs = {}
    for result in results:
        upper, lower = first(result), second(result)
        if upper is not None and lower is not None:
            pairs[result.task.language] = (upper.values, lower.values)
    return ClaimedGain(text, "AQWV", pairs)


def _row(name: str) -> RowChoice:
    return lambda result: next((one for one in result.values if one.name == name), None)


def _best_row(result: SearcherReproduction) -> DetectionValue | None:
    """The SEARCHER row that the development queries choose."""
    return _row(best_searcher(result.values))(result)


def _best_translation(result: SearcherReproduction) -> DetectionValue | None:
    """The translation baseline with the highest value on the test queries themselves."""
    rows = [one for one in result.values if one.name in TRANSLATIONS]
    return max(rows, key=lambda one: one.actual, default=None)
