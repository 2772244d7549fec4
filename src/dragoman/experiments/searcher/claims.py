"""What the rows of the SEARCHER tables say together, in sentences: who is above whom, how surely.

Two rows are compared language by language on the same test queries: the difference of their AQWV,
a paired t test, Holm's correction over the languages.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dragoman.experiments.searcher.experiment import FUSION, Outcome, best_searcher
from dragoman.experiments.searcher.values import Value
from dragoman.metrics.significance import holm, student_test

SURE = 0.05
POOLINGS = ("softmax", "max")
BEGUN = {"pretrained": "after pre-training", "aligned": "from aligned vectors"}
TRANSLATIONS = (
    "document translation", "query translation", "document translation + source",
    "apertium", "apertium + source",
)  # fmt: skip

Choice = Callable[[Outcome], Value | None]


def verdicts(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """One sentence for each question that the tables answer."""
    searcher = "SEARCHER (the row that the development queries like best)"
    translation = "the best translation baseline of the test itself"
    yield _said("The fusion with psq", translation, outcomes, _row(FUSION), _best_translation)
    yield _said("The fusion", "psq alone", outcomes, _row(FUSION), _row("psq"))
    yield _said(searcher, translation, outcomes, _searcher, _best_translation)
    yield _said(searcher, "the threshold baseline", outcomes, _searcher, _row("threshold"))
    for pooling in POOLINGS:
        plain = _row(f"searcher-{pooling}")
        for ending, begun in BEGUN.items():
            row = _row(f"searcher-{pooling}-{ending}")
            subject = f"{pooling.capitalize()} pooling {begun}"
            yield _said(subject, "from nothing", outcomes, row, plain)
    for ending in ("", "-pretrained", "-aligned"):
        first, second = (_row(f"searcher-{pooling}{ending}") for pooling in POOLINGS)
        subject = f"Softmax pooling{ending.replace('-', ', ')}"
        yield _said(subject, "max pooling", outcomes, first, second)


def _said(subject: str, other: str, outcomes: Sequence[Outcome], one: Choice, two: Choice) -> str:
    """How often one row is above the other, and by how much in each language."""
    pairs = [(outcome, one(outcome), two(outcome)) for outcome in outcomes]
    both = [(o.task.language, a, b) for o, a, b in pairs if a is not None and b is not None]
    gains = {language: a.actual - b.actual for language, a, b in both}
    chances = holm([student_test(a.values, b.values) for _, a, b in both])
    sure = [gain for gain, p in zip(gains.values(), chances, strict=True) if p < SURE]
    above = sum(gain > 0 for gain in gains.values())
    listed = ", ".join(f"{language} {gain:+.3f}" for language, gain in gains.items())
    return (
        f"{subject} against {other}: above in {above} of {len(gains)} languages ({listed}), beyond"
        f" chance (p < {SURE:g}, corrected) above in {sum(gain > 0 for gain in sure)} and below in"
        f" {sum(gain < 0 for gain in sure)}; mean difference {np.mean([*gains.values()]):+.3f}."
    )


def _row(name: str) -> Choice:
    return lambda outcome: next((one for one in outcome.values if one.name == name), None)


def _searcher(outcome: Outcome) -> Value | None:
    return _row(best_searcher(outcome.values))(outcome)


def _best_translation(outcome: Outcome) -> Value | None:
    rows = [one for one in outcome.values if one.name in TRANSLATIONS]
    return max(rows, key=lambda one: one.actual, default=None)
