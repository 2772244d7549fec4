"""Sentence pairs or dictionary entries -> whether their columns are in the other order.

The letters of a sample of both columns decide. If py3langid covers both languages, it chooses
between them; otherwise it chooses among all that it covers, and the other language is whatever is
not the covered one.
"""

from collections.abc import Iterable
from itertools import islice

from dragoman.text.language_detection import Detection, Detector
from dragoman.types import DictionaryEntry, SentencePair

SAMPLE = 200  # pairs
LETTERS = 20_000  # of each column
FEWEST_LETTERS = 40  # in a column; fewer do not tell a language


def are_swapped(pairs: Iterable[SentencePair | DictionaryEntry], source: str, target: str) -> bool:
    """Whether the first column looks like ``target`` and the second like ``source``."""
    sample = [*islice(pairs, SAMPLE)]
    columns = [
        "\n".join(pair.source for pair in sample)[:LETTERS],
        "\n".join(pair.target for pair in sample)[:LETTERS],
    ]
    if min(map(len, columns)) < FEWEST_LETTERS:
        return False
    pair_detector = Detector((source, target))
    if not pair_detector.unknown:
        first, second = map(pair_detector.detect, columns)
        return _is(first, target) and _is(second, source)
    first, second = map(Detector().detect, columns)
    return (_is(second, source) and first.language != source) or (
        _is(first, target) and second.language != target
    )


def _is(detection: Detection, language: str) -> bool:
    return detection.certain and detection.language == language
