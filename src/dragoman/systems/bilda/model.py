"""What is learnt: how often each word had each topic; and what follows, the topics of a text.

p(word | topic) of a language with V words is (n_wk + beta) / (n_k + V beta), the counts being means
over the samples of the training. An unseen text keeps these fixed and draws its own words' topics
(Vulic et al. 2015, section 3.4). Its draws depend on its words alone: a text has the same topics in
every batch, and two texts of the same words have the same topics.

    FOLDER/bilda.json           format, languages, settings, how it was learnt
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
from dragoman.systems.bilda.config import Schedule, TopicConfig
from dragoman.systems.bilda.inference import infer
from dragoman.types import FloatArray, IntArray, Text

FORMAT = Format("dragoman-bilda", 2, "'dragoman train bilda'")
FACTS, TENSORS = "bilda.json", "bilda.safetensors"


@dataclass(frozen=True, eq=False)
class TopicModel:
    """Topics over the words of one or more languages."""

    config: TopicConfig
    languages: tuple[str, ...]
    vocabularies: tuple[tuple[str, ...], ...]
    counts: csr_array  # (words of all languages, topics), summed over ``samples``
    totals: IntArray  # (languages, topics), summed over ``samples``
    samples: int
    facts: Mapping[str, Any] = field(default_factory=dict)  # how it was learnt, for people

    @cached_property
    def tokenize(self) -> WordTokenizer:
        """How texts are read, the same for training and for ever after."""
        return self.config.preparation

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], ...]:
        """By language: word -> its row in ``counts``."""
        found, offset = [], 0
        for words in self.vocabularies:
            found.append({word: offset + place for place, word in enumerate(words)})
            offset += len(words)
        return tuple(found)

    def word(self, row: int) -> str:
        """The word that a row of ``counts`` belongs to."""
        for words in self.vocabularies:
            if row < len(words):
                return words[row]
            row -= len(words)
        raise IndexError(row)

    def known_words(self, text: Text) -> IntArray:
        """The rows of the text's words that the model knows, rising; repetitions stay."""
        if text.language not in self.languages:
            return np.zeros(0, dtype=np.int64)
        known = self._numbers[self.languages.index(text.language)]
        words = self.tokenize(text.body, text.language)
        kept = [known[word] for word in words if word in known][: self.config.first]
        return np.sort(np.array(kept, dtype=np.int64))

    def word_probabilities(self, rows: IntArray, language: str) -> FloatArray:
        """p(word | topic) of words of one language; shape (rows, topics), float64."""
        side = self.languages.index(language)
        smoothing = self.samples * self.config.beta
        tallies = self.counts[rows].toarray() + smoothing
        found: FloatArray = tallies / (self.totals[side] + smoothing * len(self.vocabularies[side]))
        return found

    def topics_of(self, text: Text) -> FloatArray | None:
        """The text's distribution over topics; None where the model knows none of its words."""
        rows = self.known_words(text)
        return self.topics_of_words(rows, text.language) if len(rows) else None

    def topics_of_words(self, rows: IntArray, language: str) -> FloatArray:
        """The distribution over topics of a text that has these words."""
        distinct, places = np.unique(rows, return_inverse=True)
        schedule: Schedule = self.config.schedule
        found: FloatArray = infer(
            np.ascontiguousarray(self.word_probabilities(distinct, language)),
            places.astype(np.int64),
            self.config.prior,
            schedule.burn_in,
            schedule.every,
            schedule.sweeps,
            _key(self.config.seed, language, rows),
        )
        return found

    def warning(self, language: str) -> str | None:
        """What a person should know of texts in ``language``; None if nothing."""
        if language in self.languages:
            return None
        code = language or "texts without a language"
        return f"the topics know nothing of {code}; train a model with it: dragoman train bilda"

    def perplexity(self, texts: Sequence[Text]) -> float:
        """How many words a known word is chosen from, in the mean, given its own text's topics."""
        likelihood, words = 0.0, 0
        for text in texts:
            rows = self.known_words(text)
            if len(rows):
                shares = self.topics_of_words(rows, text.language)
                likelihood += float(
                    np.log(self.word_probabilities(rows, text.language) @ shares).sum()
                )
                words += len(rows)
        return float(np.exp(-likelihood / words)) if words else float("nan")

    def best_words(self, topic: int, language: str, count: int = 10) -> list[str]:
        """The likeliest words of a topic, likeliest first; equal ones as they were met."""
        side = self.languages.index(language)
        offset = sum(len(words) for words in self.vocabularies[:side])
        words = self.vocabularies[side]
        column = self._by_topic[[topic]].toarray().ravel()[offset : offset + len(words)]
        best = np.argsort(-column, kind="stable")[:count]
        return [words[row] for row in best if column[row]]

    @cached_property
    def _by_topic(self) -> csr_array:
        return csr_array(self.counts.T)

    @cached_property
    def signature(self) -> str:
        """What must be equal for two models to give a text the same topics."""
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
        """Write the model; the folder is in place only when whole."""
        with staged_folder(folder) as staged:
            (staged / TENSORS).write_bytes(tensors_to_bytes(self._tensors()))
            FORMAT.write(staged / FACTS, {**self._settings(), "learnt": self.facts})

    @classmethod
    def load(cls, folder: Path) -> "TopicModel":
        """What ``save`` wrote; a model whose words were read by other rules is refused."""
        facts = FORMAT.read(folder / FACTS)
        config = _config(facts)
        _check_reading(folder / FACTS, facts["words"], config)
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
        learnt = facts.get("learnt", {})
        return cls(config, languages, vocabularies, counts, totals, facts["samples"], learnt)


def _key(seed: int, language: str, rows: IntArray) -> np.uint64:
    """The key of a text's random numbers: the same for the same words."""
    digest = hashlib.blake2b(f"{seed}\t{language}".encode(), digest_size=8)
    digest.update(rows.astype("<i8").tobytes())
    return np.uint64(int.from_bytes(digest.digest(), "little"))


def _config(facts: Mapping[str, Any]) -> TopicConfig:
    return parse_settings(TopicConfig, {name: facts[name] for name in setting_names(TopicConfig)})


def _check_reading(path: Path, words: str, config: TopicConfig) -> None:
    """Refuse a model whose words were read by other rules than today's."""
    now = config.preparation.signature
    if words != now:
        raise InputError(
            path,
            None,
            found=f"words read by {words}",
            expected=now,
            advice="Train the model again.",
        )
