"""The trained model: a tower for queries, a tower for documents, and their vocabularies.

MODEL/model.json           format, settings, facts about the training
MODEL/model.safetensors    the parameters
MODEL/queries.txt          language and word of every row of the query table
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
from torch import Tensor

from dragoman.errors import InputError
from dragoman.storage.facts import Format
from dragoman.storage.staging import write_lines
from dragoman.systems.smooth.config import SmoothModelConfig
from dragoman.systems.smooth.encoders import Tower, build_tower
from dragoman.systems.smooth.similarity import smooth_normalize
from dragoman.systems.smooth.vocabulary import SmoothTokenizer, SmoothVocabulary, TokenizedTexts
from dragoman.training.parameters import load_parameters, parameters_digest, write_parameters
from dragoman.training.saved_model import SavedModel, read_model_facts
from dragoman.types import IntArray, Text

FORMAT = Format("dragoman-smooth", 1, "'dragoman train smooth'")
FACTS, TENSORS, QUERIES, DOCUMENTS = (
    "model.json",
    "model.safetensors",
    "queries.txt",
    "documents.txt",
)
PORTION = 4096  # texts encoded at a time


class SmoothModel(SavedModel[SmoothModelConfig]):
    """Queries and documents as vectors whose inner product is their smooth cosine."""

    def __init__(
        self,
        config: SmoothModelConfig,
        vocabularies: tuple[SmoothVocabulary, SmoothVocabulary],
        tables: Sequence[NDArray[np.float32]],
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(config, facts)
        self.query_words, self.document_words = vocabularies
        self.queries: Tower = build_tower(config, tables[0])
        self.documents: Tower = build_tower(config, tables[1])
        self.tokenizer = SmoothTokenizer(config)

    @property
    def dimension(self) -> int:
        """The dimension of the text vectors."""
        return self.queries.dimension

    def scores(
        self,
        queries: TokenizedTexts,
        query_rows: IntArray,
        documents: TokenizedTexts,
        document_rows: IntArray,
    ) -> Tensor:
        """(n,): the smooth cosine of each of n pairs; a text in several pairs is encoded once."""
        unique_queries, query_of = np.unique(query_rows, return_inverse=True)
        unique_documents, document_of = np.unique(document_rows, return_inverse=True)
        left = smooth_normalize(self.queries(queries, unique_queries), self.config.epsilon)
        right = smooth_normalize(self.documents(documents, unique_documents), self.config.epsilon)
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
        words = ((text.language, self.tokenizer.words(text)) for text in texts)
        tokenized = self.tokenizer.to_ids(words, vocabulary)
        return self.encode(tower, tokenized, np.arange(len(tokenized)))

    def encode(self, tower: Tower, texts: TokenizedTexts, rows: IntArray) -> NDArray[np.float32]:
        """(n, p): the vectors of n ``rows`` of ``texts``, scaled by 1 / (norm + epsilon)."""
        self.eval()
        parts = [np.zeros((0, self.dimension), dtype=np.float32)]
        with torch.no_grad():
            for start in range(0, len(rows), PORTION):
                vectors = tower(texts, rows[start : start + PORTION]).float()
                parts.append(smooth_normalize(vectors, self.config.epsilon).cpu().numpy())
        return np.concatenate(parts)

    @property
    def signature(self) -> str:
        """Models with the same signature give the same vectors."""
        digest = sha256(parameters_digest(self))
        for vocabulary in (self.query_words, self.document_words):
            digest.update(json.dumps(dict(vocabulary.words)).encode())
        digest.update(f"{asdict(self.config)}|{self.tokenizer.signature}".encode())
        return f"smooth-{self.config.architecture}|{digest.hexdigest()[:12]}"

    def write(self, folder: Path) -> None:
        """Write the model's files into ``folder``."""
        write_parameters(folder / TENSORS, self)
        for name, vocabulary in ((QUERIES, self.query_words), (DOCUMENTS, self.document_words)):
            with write_lines(folder / name) as stream:
                stream.writelines(f"{language}\t{word}\n" for language, word in vocabulary)
        self.write_facts(FORMAT, folder / FACTS, dimension=self.queries.table.dimension)

    @classmethod
    def load(cls, folder: Path) -> "SmoothModel":
        """What ``save`` wrote; refused if texts would be tokenized differently now."""
        config, signature, facts = read_model_facts(FORMAT, folder / FACTS, SmoothModelConfig)
        dimension = facts.pop("dimension")
        vocabularies = _vocabulary(folder / QUERIES), _vocabulary(folder / DOCUMENTS)
        tables = [np.zeros((len(words), dimension), dtype=np.float32) for words in vocabularies]
        model = cls(config, vocabularies, tables, facts)
        load_parameters(folder / TENSORS, model, FORMAT.written_by)
        return model.verify(folder, signature)


def _vocabulary(path: Path) -> SmoothVocabulary:
    words: dict[str, list[str]] = {}
    try:
        for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
            language, _, word = line.partition("\t")
            words.setdefault(language, []).append(word)
    except OSError as error:
        raise InputError(path, None, found=f"no words ({error})", expected="a model") from error
    return SmoothVocabulary({language: tuple(some) for language, some in words.items()})
