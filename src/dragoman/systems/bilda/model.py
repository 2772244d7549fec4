"""Counts of words by topic -> p(word | topic) and the topic distributions of texts.

p(word | topic) in a language with V words is (n_wk + beta) / (n_k + V beta), where counts are means
over the samples of the training. The topics of an unseen text are sampled under these fixed
probabilities (Vulic et al. 2015, section 3.4). Its random numbers depend on its words alone: a text
has the same topics in every batch, and so have two texts of the same words.

    FOLDER/bilda.json           format, languages, settings, facts about the training
    FOLDER/bilda.safetensors    counts (sparse: starts, topics, tallies), totals, words
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as tensors_from_bytes
from safetensors.numpy import save as tensors_to_bytes
from scipy.sparse import csr_array

from dragoman.embeddings.normalization import WordTokenizer
from dragoman.errors import InputError
from dragoman.settings import parse_settings, setting_names
from dragoman.storage.facts import Format
from dragoman.storage.packed_strings import PackedStrings
from dragoman.storage.staging import staged_folder
from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.systems.bilda.inference import infer
from dragoman.types import FloatArray, IntArray, Text

FORMAT = Format("dragoman-bilda", 2, "'dragoman train bilda'")
FACTS, TENSORS = "bilda.json", "bilda.safetensors"


@dataclass(frozen=True, eq=False)
class TopicModel:
    """Topics as distributions over the words of one or more languages."""

    config: TopicConfig
    languages: tuple[str, ...]
    vocabularies: tuple[tuple[str, ...], ...]
    counts: csr_array  # (words of all languages, topics), summed over ``samples``
    totals: IntArray  # (languages, topics), summed over ``samples``
    samples: int
    facts: Mapping[str, Any] = field(default_factory=dict)  # about the training, for reports

    @cached_property
    def tokenize(self) -> WordTokenizer:
        """The tokenizer of training and inference."""
        return self.config.tokenizer

    @cached_property
    def _rows(self) -> tuple[dict[str, int], ...]:
        """By language: word -> its row in ``counts``."""
        rows, offset = [], 0
        for words in self.vocabularies:
            rows.append({word: row for row, word in enumerate(words, start=offset)})
            offset += len(words)
        return tuple(rows)

    def word(self, row: int) -> str:
        """The word of a row of ``counts``."""
        for words in self.vocabularies:
            if row < len(words):
                return words[row]
            row -= len(words)
        raise IndexError(row)

    def word_rows(self, text: Text) -> IntArray:
        """The rows of the known running words of a text, ascending."""
        if text.language not in self.languages:
            return np.zeros(0, dtype=np.int64)
        known = self._rows[self.languages.index(text.language)]
        words = self.tokenize(text.body, text.language)
        rows = [known[word] for word in words if word in known][: self.config.first]
        return np.sort(np.array(rows, dtype=np.int64))

    def word_probabilities(self, rows: IntArray, language: str) -> FloatArray:
        """p(word | topic) for rows of one language, (rows, topics) in float64."""
        index = self.languages.index(language)
        smoothing = self.samples * self.config.beta
        counts = self.counts[rows].toarray() + smoothing
        totals = self.totals[index] + smoothing * len(self.vocabularies[index])
        probabilities: FloatArray = counts / totals
        return probabilities

    def infer_topics(self, text: Text) -> FloatArray | None:
        """The topic distribution of a text; None if it has no known word."""
        rows = self.word_rows(text)
        return self.infer_row_topics(rows, text.language) if len(rows) else None

    def infer_row_topics(self, rows: IntArray, language: str) -> FloatArray:
        """The topic distribution of a text whose running words have these rows."""
        distinct, indices = np.unique(rows, return_inverse=True)
        schedule: SamplingSchedule = self.config.schedule
        topics: FloatArray = infer(
            np.ascontiguousarray(self.word_probabilities(distinct, language)),
            indices.astype(np.int64),
            self.config.prior,
            schedule.burn_in,
            schedule.every,
            schedule.sweeps,
            _key(self.config.seed, language, rows),
        )
        return topics

    def warning(self, language: str) -> str | None:
        """What to tell a user with texts in ``language``; None if the model was trained on it."""
        if language in self.languages:
            return None
        code = language or "texts without a language"
        return f"the topic model was not trained on {code}; train one that is: dragoman train bilda"

    def perplexity(self, texts: Sequence[Text]) -> float:
        """The perplexity of the known words given the topics of their own text."""
        likelihood, words = 0.0, 0
        for text in texts:
            rows = self.word_rows(text)
            if len(rows):
                topics = self.infer_row_topics(rows, text.language)
                probabilities = self.word_probabilities(rows, text.language) @ topics
                likelihood += float(np.log(probabilities).sum())
                words += len(rows)
        return float(np.exp(-likelihood / words)) if words else float("nan")

    def top_words(self, topic: int, language: str, count: int = 10) -> list[str]:
        """The most probable words of a topic, best first; ties in vocabulary order."""
        index = self.languages.index(language)
        offset = sum(len(words) for words in self.vocabularies[:index])
        words = self.vocabularies[index]
        column = self._by_topic[[topic]].toarray().ravel()[offset : offset + len(words)]
        best = np.argsort(-column, kind="stable")[:count]
        return [words[row] for row in best if column[row]]

    @cached_property
    def _by_topic(self) -> csr_array:
        return csr_array(self.counts.T)

    @cached_property
    def signature(self) -> str:
        """The same for two models that give every text the same topics."""
        digest = hashlib.sha256()
        for array in self._tensors().values():
            digest.update(array.tobytes())
        facts = json.dumps(self._settings(), sort_keys=True)
        return hashlib.sha256(facts.encode() + digest.digest()).hexdigest()[:16]

    def _settings(self) -> dict[str, Any]:
        schedule = self.config.schedule
        return {
            "languages": list(self.languages),
            "topics": self.config.topics,
            "alpha": self.config.prior,
            "beta": self.config.beta,
            "burn_in": schedule.burn_in,
            "every": schedule.every,
            "sweeps": schedule.sweeps,
            "seed": self.config.seed,
            "first": self.config.first,
            "stop": self.config.stop.value,
            "samples": self.samples,
            "words": self.tokenize.signature,
        }

    def _tensors(self) -> dict[str, Any]:
        tensors = {
            "starts": self.counts.indptr.astype(np.int64),
            "topics": self.counts.indices.astype(np.int32),
            "tallies": self.counts.data.astype(np.int64),
            "totals": self.totals,
        }
        for language, words in zip(self.languages, self.vocabularies, strict=True):
            packed = PackedStrings.pack(words)
            tensors[f"words.{language}.offsets"] = packed.offsets
            tensors[f"words.{language}.content"] = packed.content
        return tensors

    def save(self, folder: Path) -> None:
        """Write the model; the folder appears only when it is complete."""
        with staged_folder(folder) as staged:
            (staged / TENSORS).write_bytes(tensors_to_bytes(self._tensors()))
            FORMAT.write(staged / FACTS, {**self._settings(), "learnt": self.facts})

    @classmethod
    def load(cls, folder: Path) -> "TopicModel":
        """What ``save`` wrote; a model trained with another tokenizer is refused."""
        facts = FORMAT.read(folder / FACTS)
        config = _config(facts)
        _check_tokenizer(folder / FACTS, facts["words"], config)
        try:
            tensors = tensors_from_bytes((folder / TENSORS).read_bytes())
            vocabularies = tuple(
                tuple(
                    PackedStrings(
                        tensors[f"words.{code}.offsets"], tensors[f"words.{code}.content"]
                    )
                )
                for code in facts["languages"]
            )
            sparse = (tensors["tallies"], tensors["topics"], tensors["starts"])
            totals = tensors["totals"]
        except (OSError, SafetensorError, KeyError) as error:
            raise InputError(
                folder / TENSORS,
                None,
                found=f"no topics ({error})",
                expected="what 'dragoman train bilda' wrote",
            ) from error
        shape = (sum(map(len, vocabularies)), config.topics)
        counts = csr_array(sparse, shape=shape)
        languages = tuple(facts["languages"])
        about = facts.get("learnt", {})
        return cls(config, languages, vocabularies, counts, totals, facts["samples"], about)


def _key(seed: int, language: str, rows: IntArray) -> np.uint64:
    """The key of a text's random numbers, the same for the same words."""
    digest = hashlib.blake2b(f"{seed}\t{language}".encode(), digest_size=8)
    digest.update(rows.astype("<i8").tobytes())
    return np.uint64(int.from_bytes(digest.digest(), "little"))


def _config(facts: Mapping[str, Any]) -> TopicConfig:
    return parse_settings(TopicConfig, {name: facts[name] for name in setting_names(TopicConfig)})


def _check_tokenizer(path: Path, words: str, config: TopicConfig) -> None:
    """Refuse a model that was trained with another tokenizer."""
    now = config.tokenizer.signature
    if words != now:
        raise InputError(
            path,
            None,
            found=f"words tokenized by {words}",
            expected=now,
            advice="Train the model again.",
        )
