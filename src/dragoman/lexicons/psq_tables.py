"""Translation tables of other PSQ toolkits -> lexicons, and back.

hltcoe/PSQ and Patapsco share one form: a JSON object of objects, the probabilities of translations
by source word: ``{"bread": {"mkate": 0.8, ...}}``. Tables of GIZA++ and Moses have a line for each
pair: source, target, probability. Files may be compressed.

Words of such tables are surface forms of another tokenizer. They are analysed like texts here, and
the probabilities of words that become one term are added up (targets) or averaged (sources). The
other direction, which the tables lack, follows by Bayes' rule from equally frequent source terms.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np

from dragoman.errors import InputError
from dragoman.lexicons import sparse_rows
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.vocabulary import Vocabulary
from dragoman.storage.staging import write_lines
from dragoman.text.files import Faults, open_bytes
from dragoman.text.records import Location, parse_lines
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig

PsqTable = Mapping[str, Mapping[str, float]]
LARGEST = 4 << 30  # bytes of a JSON table, unpacked


def read_psq_table(path: Path, faults: Faults) -> dict[str, dict[str, float]]:
    """The translations of every source word, whichever of the two forms the file has."""
    with open_bytes(path) as stream:
        beginning = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return _read_json(path) if beginning == b"{" else _read_lines(path, faults)


def _read_json(path: Path) -> dict[str, dict[str, float]]:
    expected = 'an object of objects, as in {"bread": {"mkate": 0.8}}'
    with open_bytes(path) as stream:
        raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise InputError(path, None, found="more than 4 GB of JSON", expected="a smaller table")
    try:
        table = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(path, None, found=f"broken JSON ({error})", expected=expected) from error
    for source, translations in table.items():
        if not isinstance(translations, dict) or not all(
            map(_is_probability, translations.values())
        ):
            found = f"something else than probabilities at {source!r}"
            raise InputError(path, None, found=found, expected=expected)
    return {
        source: {target: float(value) for target, value in translations.items()}
        for source, translations in table.items()
    }


def _is_probability(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0.0 <= float(value) <= 1.0 + 1e-6  # type: ignore[arg-type]


def _read_lines(path: Path, faults: Faults) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for source, target, probability in parse_lines(path, faults, _parse_line):
        table.setdefault(source, {})[target] = probability
    return table


def _parse_line(location: Location, line: str) -> tuple[str, str, float]:
    columns = line.split()
    try:
        source, target, value = columns
        probability = float(value)
    except ValueError as error:
        raise location.fault(
            found=f"{len(columns)} columns", expected="3: source, target, probability"
        ) from error
    if not _is_probability(probability):
        raise location.fault(found=f"the probability {value}", expected="a number from 0 to 1")
    return source, target, probability


def lexicon_of_table(
    table: PsqTable, source: str, target: str, config: AnalyzerConfig | None = None
) -> Lexicon:
    """The table as a lexicon, with its words analysed; pairs without a term on a side are lost."""
    config = config or AnalyzerConfig()
    analyzer = Analyzer(config)
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    sources: dict[str, int] = {}
    targets: dict[str, int] = {}
    terms_of = _TermCache(analyzer, target)
    for word, translations in table.items():
        for term in analyzer(word, source)[:1]:
            row = sources.setdefault(term, len(sources))
            for translation, probability in translations.items():
                for other in terms_of(translation):
                    rows.append(row)
                    columns.append(targets.setdefault(other, len(targets)))
                    values.append(probability)
    if not values:
        raise InputError("table", None, found="no word pair", expected="words of both languages")
    summed = sparse_rows.table(
        np.array(rows, dtype=np.int32),
        np.array(columns, dtype=np.int32),
        np.array(values),
        (len(sources), len(targets)),
    )
    forward = sparse_rows.normalised(summed)
    signatures = {language: analyzer.signature(language) for language in (source, target)}
    return Lexicon(
        source=source,
        target=target,
        source_words=Vocabulary(tuple(sources)),
        target_words=Vocabulary(tuple(targets)),
        source_counts=np.ones(len(sources), dtype=np.int64),
        target_counts=np.ones(len(targets), dtype=np.int64),
        forward=forward,
        backward=sparse_rows.normalised(sparse_rows.transposed(forward)),
        analysis={**asdict(config), "signatures": signatures},
    )


class _TermCache:
    """The first term of a word, analysed once: tables repeat their target words."""

    def __init__(self, analyzer: Analyzer, language: str) -> None:
        self._analyzer, self._language = analyzer, language
        self._terms: dict[str, list[str]] = {}

    def __call__(self, word: str) -> list[str]:
        if word not in self._terms:
            self._terms[word] = self._analyzer(word, self._language)[:1]
        return self._terms[word]


def psq_table(lexicon: Lexicon) -> dict[str, dict[str, float]]:
    """The probabilities of translations by source term, most probable first."""
    return {
        word: dict(translations)
        for word in lexicon.source_words
        if (translations := lexicon.translations(word, len(lexicon.target_words)))
    }


def write_psq_table(path: Path, lexicon: Lexicon) -> int:
    """Write the table as JSON, compressed by the ending, and return its number of word pairs.

    Its words are the terms of this package's analyzers, which the other toolkit must use as well.
    """
    table = psq_table(lexicon)
    with write_lines(path) as stream:
        json.dump(table, stream, ensure_ascii=False)
        stream.write("\n")
    return sum(map(len, table.values()))
