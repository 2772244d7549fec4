"""What is learnt: a tower for queries, a tower for documents, and the words that they read.

MODEL/model.json           format, settings, how it was trained
MODEL/model.safetensors    the parameters
MODEL/queries.txt          language and word of every row of the queries' table
MODEL/documents.txt        the same for documents
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dragoman.errors import InputError
from dragoman.settings import parse_settings
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder, write_lines
from dragoman.systems.smooth.config import SmoothModelConfig
from dragoman.systems.smooth.encoders import Tower, build_tower
from dragoman.systems.smooth.similarity import smooth_normalize
from dragoman.systems.smooth.vocabulary import SmoothTokenizer, SmoothVocabulary, TokenizedTexts
from dragoman.training.parameters import (
    load_parameters,
    parameters_digest,
    refuse_other_signature,
    write_parameters,
)
from dragoman.types import IntArray, Text

FORMAT = Format("dragoman-smooth", 1, "'dragoman train smooth'")
FACTS, TENSORS, QUERIES, DOCUMENTS = (
    "model.json",
    "model.safetensors",
    "queries.txt",
    "documents.txt",
)
PORTION = 4096  # texts that are encoded at a time


class SmoothModel(nn.Module):
    """Queries and documents as vectors whose inner product is their smooth cosine."""

    def __init__(
        self,
        config: SmoothModelConfig,
        vocabularies: tuple[SmoothVocabulary, SmoothVocabulary],
        tables: Sequence[NDArray[np.float32]],
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.config = config
        self.query_words, self.document_words = vocabularies
        self.queries: Tower = build_tower(config, tables[0])
        self.documents: Tower = build_tower(config, tables[1])
        self.facts = dict(facts or {})
        self.reader = SmoothTokenizer(config)

    @property
    def dimension(self) -> int:
        """The length of the vectors of texts."""
        return self.queries.dimension

    def scores(
        self,
        queries: TokenizedTexts,
        query_rows: IntArray,
        documents: TokenizedTexts,
        document_rows: IntArray,
    ) -> Tensor:
        """(n,): the smooth cosine of each of n pairs; a text in several pairs is encoded once."""
        asked, query_of = np.unique(query_rows, return_inverse=True)
        found, document_of = np.unique(document_rows, return_inverse=True)
        left = smooth_normalize(self.queries(queries, asked), self.config.epsilon)
        right = smooth_normalize(self.documents(documents, found), self.config.epsilon)
        device = left.device
        pairs = [torch.from_numpy(of).to(device) for of in (query_of, document_of)]
        # plain indexing would sort the pairs in the backward pass
        return (left.index_select(0, pairs[0]) * right.index_select(0, pairs[1])).sum(dim=1)

    def query_vectors(self, texts: Iterable[Text]) -> NDArray[np.float32]:
        """(n, p): queries, scaled by 1 / (norm + epsilon)."""
        return self._vectors(self.queries, self.query_words, texts)

    def document_vectors(self, texts: Iterable[Text]) -> NDArray[np.float32]:
        """(n, p): documents, scaled by 1 / (norm + epsilon); zero without a known word."""
        return self._vectors(self.documents, self.document_words, texts)

    def _vectors(
        self, tower: Tower, vocabulary: SmoothVocabulary, texts: Iterable[Text]
    ) -> NDArray[np.float32]:
        numbered = self.reader.numbered(
            ((text.language, self.reader.words(text)) for text in texts), vocabulary
        )
        return self.encoded(tower, numbered, np.arange(len(numbered)))

    def encoded(self, tower: Tower, texts: TokenizedTexts, rows: IntArray) -> NDArray[np.float32]:
        """Some ``rows`` of ``texts`` through a tower, scaled by 1 / (norm + epsilon)."""
        self.eval()
        parts = [np.zeros((0, self.dimension), dtype=np.float32)]
        with torch.no_grad():
            for start in range(0, len(rows), PORTION):
                found = tower(texts, rows[start : start + PORTION]).float()
                vectors = smooth_normalize(found, self.config.epsilon)
                parts.append(vectors.cpu().numpy())
        return np.concatenate(parts)

    @property
    def signature(self) -> str:
        """Models with the same signature give the same vectors."""
        digest = sha256(parameters_digest(self))
        for vocabulary in (self.query_words, self.document_words):
            digest.update(json.dumps(dict(vocabulary.words)).encode())
        digest.update(f"{asdict(self.config)}|{self.reader.signature}".encode())
        return f"smooth-{self.config.architecture}|{digest.hexdigest()[:12]}"

    def save(self, folder: Path) -> None:
        """Write the model; the folder is in place only when whole."""
        with staged_folder(folder) as staged:
            self.write(staged)

    def write(self, folder: Path) -> None:
        """Write the model's files into ``folder``."""
        write_parameters(folder / TENSORS, self)
        for name, vocabulary in ((QUERIES, self.query_words), (DOCUMENTS, self.document_words)):
            with write_lines(folder / name) as stream:
                stream.writelines(f"{language}\t{word}\n" for language, word in vocabulary)
        facts = {
            "config": asdict(self.config),
            "dimension": self.queries.table.dimension,
            "signature": self.signature,
            **self.facts,
        }
        FORMAT.write(folder / FACTS, facts)

    @classmethod
    def load(cls, folder: Path) -> "SmoothModel":
        """What ``save`` wrote; refused where texts would be read differently now."""
        facts = FORMAT.read(folder / FACTS)
        config, dimension = (
            parse_settings(SmoothModelConfig, facts.pop("config")),
            facts.pop("dimension"),
        )
        signature = facts.pop("signature")
        vocabularies = _vocabulary(folder / QUERIES), _vocabulary(folder / DOCUMENTS)
        tables = [np.zeros((len(words), dimension), dtype=np.float32) for words in vocabularies]
        model = cls(config, vocabularies, tables, facts)
        load_parameters(folder / TENSORS, model, FORMAT.written_by)
        refuse_other_signature(folder, model.signature, signature)
        model.eval()
        return model


def _vocabulary(path: Path) -> SmoothVocabulary:
    words: dict[str, list[str]] = {}
    try:
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
            language, _, word = line.partition("\t")
            words.setdefault(language, []).append(word)
    except OSError as error:
        raise InputError(path, None, found=f"no words ({error})", expected="a model") from error
    return SmoothVocabulary({language: tuple(found) for language, found in words.items()})
