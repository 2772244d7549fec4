"""Translation tables between two languages: p(t | s) and p(s | t) for the terms of both.

Probabilistic structured queries need both directions (Darwish and Oard 2003). ``learning`` makes a
``Lexicon`` from bitext and dictionaries.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import neg
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError
from dragoman.lexicons import lexicon_files, sparse_rows
from dragoman.lexicons.dictionary import entry_terms, pair_counts
from dragoman.lexicons.sparse_rows import Table
from dragoman.lexicons.vocabulary import ABSENT, Vocabulary
from dragoman.protocols import Tokenizer
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.tokens.compounds import CompoundSplitter
from dragoman.types import DictionaryEntry, IntArray

ANALYSIS_FIELDS = ("stop", "stem", "min_length", "cjk")  # of AnalyzerConfig


@dataclass(frozen=True)
class Lexicon:
    """The translation probabilities of two languages' terms, in both directions."""

    source: str
    target: str
    source_words: Vocabulary
    target_words: Vocabulary
    source_counts: IntArray  # the term frequency of each word in the training text
    target_counts: IntArray
    forward: Table  # rows are source words: p(target | source), rows sum to one or are empty
    backward: Table  # rows are target words: p(source | target)
    analysis: Mapping[str, object] = field(default_factory=dict)  # the analyzer's settings
    splitters: Mapping[str, CompoundSplitter] = field(default_factory=dict)  # by language

    def __post_init__(self) -> None:
        sizes = (len(self.source_words), len(self.target_words))
        assert self.forward.shape == sizes, (self.forward.shape, sizes)
        assert self.backward.shape == sizes[::-1], (self.backward.shape, sizes)
        assert (len(self.source_counts), len(self.target_counts)) == sizes

    def translations(self, word: str, n: int = 10) -> list[tuple[str, float]]:
        """The ``n`` most probable translations of a source word, best first; none if unknown."""
        number = self.source_words.ids.get(word, ABSENT)
        if number == ABSENT:
            return []
        starts, columns, values = self._forward
        start, end = starts[number], starts[number + 1]
        negated = map(neg, values[start:end].tolist())
        best = sorted(zip(negated, columns[start:end].tolist(), strict=True))[:n]
        words = self.target_words.words
        return [(words[column], -value) for value, column in best]

    @cached_property
    def _forward(self) -> tuple[memoryview, memoryview, memoryview]:
        """Starts, columns and values as views: faster than arrays for reading a few numbers."""
        table = self.forward
        return table.indptr.data, table.indices.data, table.data.data

    def reversed(self) -> "Lexicon":
        """The same tables with source and target exchanged."""
        return replace(
            self,
            source=self.target,
            target=self.source,
            source_words=self.target_words,
            target_words=self.source_words,
            source_counts=self.target_counts,
            target_counts=self.source_counts,
            forward=self.backward,
            backward=self.forward,
        )

    def pruned(
        self, *, threshold: float = 0.0, mass: float = 1.0, top: int = 1_000_000
    ) -> "Lexicon":
        """Only the best translations of each word, both ways (see ``sparse_rows.pruned``)."""
        return replace(
            self,
            forward=sparse_rows.pruned(self.forward, threshold=threshold, mass=mass, top=top),
            backward=sparse_rows.pruned(self.backward, threshold=threshold, mass=mass, top=top),
        )

    def symmetrised(self) -> "Lexicon":
        """Both directions from one number per pair, ``sqrt(p(t|s) p(s|t))``.

        A pair in one direction only is dropped: agreement cleans a table.
        """
        joint = sparse_rows.geometric_mean(self.forward, self.backward)
        return replace(
            self,
            forward=sparse_rows.normalised(joint),
            backward=sparse_rows.normalised(sparse_rows.transposed(joint)),
        )

    def composed(self, other: "Lexicon") -> "Lexicon":
        """From this source to the other's target, through their common language.

        ``p(c|a) = sum_b p(c|b) p(b|a)``; the probability of pivot words that ``other`` lacks is
        lost, and the rest is scaled to sum to one.
        """
        if self.target != other.source:
            raise ConfigError(
                f"cannot compose {self.source}-{self.target} with {other.source}-{other.target}:"
                f" expected a table from {self.target!r}. Try reversed()."
            )
        ids = other.source_words.ids_of(self.target_words.words)
        known = np.flatnonzero(ids != ABSENT)
        ones = np.ones(len(known), dtype=np.float32)
        bridge = sparse_rows.matrix(
            (ones, (known, ids[known])), shape=(len(self.target_words), len(other.source_words))
        )
        return Lexicon(
            source=self.source,
            target=other.target,
            source_words=self.source_words,
            target_words=other.target_words,
            source_counts=self.source_counts,
            target_counts=other.target_counts,
            forward=sparse_rows.normalised(self.forward @ bridge @ other.forward),
            backward=sparse_rows.normalised(other.backward @ bridge.T @ self.backward),
            analysis={**other.analysis, **self.analysis},
            splitters={**other.splitters, **self.splitters},
        )

    def with_dictionary(
        self, entries: Iterable[DictionaryEntry], tokenize: Tokenizer, weight: float = 5.0
    ) -> "Lexicon":
        """The tables with a dictionary as prior, worth ``weight`` occurrences of every word.

        A word with n occurrences retains n/(n + weight) of its probabilities from bitext; one
        without any is translated by the dictionary alone. Words of the dictionary are added.
        """
        terms = entry_terms(entries, tokenize, self.source, self.target)
        source_words = self.source_words.extended([w for entry in terms for w in entry.source])
        target_words = self.target_words.extended([w for entry in terms for w in entry.target])
        counts = pair_counts(terms, source_words, target_words)
        source_counts = sparse_rows.padded(self.source_counts, len(source_words))
        target_counts = sparse_rows.padded(self.target_counts, len(target_words))
        return replace(
            self,
            source_words=source_words,
            target_words=target_words,
            source_counts=source_counts,
            target_counts=target_counts,
            forward=sparse_rows.with_prior(self.forward, source_counts, counts, weight),
            backward=sparse_rows.with_prior(
                self.backward, target_counts, sparse_rows.transposed(counts), weight
            ),
        )

    def analyzer(self) -> Analyzer:
        """An analyzer that gives the terms of this table, with compounds split as in training."""
        config = {name: self.analysis[name] for name in ANALYSIS_FIELDS if name in self.analysis}
        return Analyzer(AnalyzerConfig(**config), self.splitters)  # type: ignore[arg-type]

    def check_analysis(self, config: AnalyzerConfig) -> None:
        """Raise ``ConfigError`` if ``config`` gives other terms than those of this table."""
        for name in ANALYSIS_FIELDS:
            trained, given = self.analysis.get(name), getattr(config, name)
            if trained is not None and trained != given:
                raise ConfigError(
                    f"the {self.source}-{self.target} table holds words analysed with"
                    f" {name}={trained}; found {name}={given}. Analyse with lexicon.analyzer(),"
                    " or learn a table of your own."
                )

    def save(self, folder: Path) -> None:
        """Write the tables to ``folder``; an old folder is replaced only when all is written."""
        lexicon_files.write_folder(folder, self._tensors(), self._facts())

    def digest(self) -> str:
        """A hash of all words, probabilities and settings, independent of the file format."""
        digest = hashlib.sha256(json.dumps(self._facts(), sort_keys=True).encode())
        for name, tensor in sorted(self._tensors().items()):
            digest.update(f"{name}\t{tensor.dtype}\t{tensor.shape}\n".encode())
            digest.update(np.ascontiguousarray(tensor).tobytes())
        return digest.hexdigest()[:16]

    def _tensors(self) -> dict[str, NDArray[Any]]:
        tensors = self._word_tensors()
        for name, matrix in (("forward", self.forward), ("backward", self.backward)):
            tensors[f"{name}.values"] = matrix.data
            tensors[f"{name}.columns"] = matrix.indices
            tensors[f"{name}.starts"] = matrix.indptr
        return tensors

    @classmethod
    def load(cls, folder: Path) -> "Lexicon":
        """The lexicon that ``save`` wrote."""
        tensors, facts = lexicon_files.read_folder(folder)
        sizes = _sizes(tensors)
        tables = [
            sparse_rows.matrix(
                tuple(tensors[f"{name}.{part}"] for part in ("values", "columns", "starts")),
                shape=shape,
            )
            for name, shape in (("forward", sizes), ("backward", sizes[::-1]))
        ]
        return cls._from_tensors(tensors, facts, *tables)

    def pack(self) -> bytes:
        """The packed file, an eighth of the size: see ``lexicon_files``."""
        back = sparse_rows.as_table(sparse_rows.transposed(self.backward))
        either = sparse_rows.as_table(self.forward.astype(bool) + back.astype(bool))
        tensors = {
            **self._word_tensors(),
            "pairs.gaps": lexicon_files.gaps(either.indices, either.indptr),
            "pairs.starts": either.indptr,
            "forward.levels": lexicon_files.quantised(sparse_rows.values_at(self.forward, either)),
            "backward.levels": lexicon_files.quantised(sparse_rows.values_at(back, either)),
        }
        return lexicon_files.pack(tensors, self._facts())

    @classmethod
    def unpack(cls, path: Path) -> "Lexicon":
        """The lexicon in a packed file."""
        tensors, facts = lexicon_files.unpack(path)
        starts = tensors["pairs.starts"]
        columns = lexicon_files.columns_from_gaps(tensors["pairs.gaps"], starts)
        forward, back = (
            sparse_rows.matrix(
                (lexicon_files.dequantised(levels), columns, starts), _sizes(tensors)
            )
            for levels in (tensors["forward.levels"], tensors["backward.levels"])
        )
        backward = sparse_rows.normalised(sparse_rows.transposed(back))
        return cls._from_tensors(tensors, facts, sparse_rows.normalised(forward), backward)

    def _word_tensors(self) -> dict[str, NDArray[Any]]:
        tensors: dict[str, NDArray[Any]] = {
            "source": lexicon_files.words_to_bytes(self.source_words.words),
            "target": lexicon_files.words_to_bytes(self.target_words.words),
            "source.counts": self.source_counts.astype(np.int64),
            "target.counts": self.target_counts.astype(np.int64),
        }
        for language, splitter in self.splitters.items():
            parts = sorted(splitter.counts)
            counts = np.array([splitter.counts[part] for part in parts], dtype=np.int64)
            tensors[f"parts.{language}"] = lexicon_files.words_to_bytes(tuple(parts))
            tensors[f"parts.{language}.counts"] = counts
        return tensors

    def _facts(self) -> dict[str, object]:
        shortest = {language: splitter.min_length for language, splitter in self.splitters.items()}
        return {
            "source": self.source,
            "target": self.target,
            "analysis": dict(self.analysis),
            "shortest_parts": shortest,
        }

    @classmethod
    def _from_tensors(
        cls,
        tensors: lexicon_files.Tensors,
        facts: lexicon_files.Facts,
        forward: Table,
        backward: Table,
    ) -> "Lexicon":
        splitters = {}
        for language, shortest in facts["shortest_parts"].items():
            parts = lexicon_files.words_from_bytes(tensors[f"parts.{language}"])
            counts = dict(zip(parts, tensors[f"parts.{language}.counts"].tolist(), strict=True))
            splitters[language] = CompoundSplitter(language, counts, shortest)
        return cls(
            source=facts["source"],
            target=facts["target"],
            source_words=Vocabulary(lexicon_files.words_from_bytes(tensors["source"])),
            target_words=Vocabulary(lexicon_files.words_from_bytes(tensors["target"])),
            source_counts=tensors["source.counts"],
            target_counts=tensors["target.counts"],
            forward=forward,
            backward=backward,
            analysis=facts["analysis"],
            splitters=splitters,
        )


def _sizes(tensors: lexicon_files.Tensors) -> tuple[int, int]:
    return len(tensors["source.counts"]), len(tensors["target.counts"])
