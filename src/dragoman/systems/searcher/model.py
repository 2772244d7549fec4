"""The trained model: rows of query terms with their biases, and the sentence encoder.

MODEL/model.json           format, settings, facts about the training, calibration
MODEL/model.safetensors    the parameters
MODEL/terms.txt            kind, language and text of every row of the query terms
MODEL/words.keys.npy ...   the vocabulary of document words and n-grams
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dragoman.storage.facts import Format
from dragoman.storage.staging import write_lines
from dragoman.systems.searcher import sentences as sentence_module
from dragoman.systems.searcher import terms as term_module
from dragoman.systems.searcher.config import SearcherModelConfig
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.encoders import Starts, build_encoder
from dragoman.systems.searcher.files import read_terms, read_words, write_words
from dragoman.systems.searcher.matching import pooled_scores
from dragoman.systems.searcher.sentences import Sentence
from dragoman.systems.searcher.terms import QueryTerm, Terms, term_bags
from dragoman.training.embedding_table import EmbeddingTable
from dragoman.training.parameters import load_parameters, parameters_digest, write_parameters
from dragoman.training.saved_model import SavedModel, read_model_facts
from dragoman.training.sequences import Bags, Sequences, gather_positions
from dragoman.types import IntArray, Text

FORMAT = Format("dragoman-searcher", 1, "'dragoman train searcher'")
FACTS, TENSORS, TERMS = "model.json", "model.safetensors", "terms.txt"
PORTION = 256  # sentences encoded at a time
MOST_TERMS = 32  # of a query; further ones are ignored
FIRST_BIAS = -4.0  # a priori, few sentences are relevant


class SearcherEncoder(nn.Module):
    """Words of sentences -> positions in the shared space, for translation and search."""

    def __init__(self, config: SearcherModelConfig, rows: int, rng: np.random.Generator) -> None:
        super().__init__()
        self.table = EmbeddingTable(_random_vectors(rng, rows, config.size))
        self.context = build_encoder(config)

    def forward(self, words: Bags, texts: Sequences, rows: IntArray) -> tuple[Tensor, Starts]:
        """(m, p): the positions of the sentences ``rows``, and where each sentence starts."""
        at, starts = gather_positions(texts.starts, rows)
        distinct, index = np.unique(texts.words[at], return_inverse=True)
        vectors = self.table.sums(words, distinct)
        every = torch.from_numpy(index).to(vectors.device)
        positions: Tensor = self.context(vectors[every], starts)
        return positions, starts


class SearcherModel(SavedModel[SearcherModelConfig]):
    """P(relevant | sentence, term) = sigmoid(pooled dot products + the term's bias)."""

    def __init__(
        self,
        config: SearcherModelConfig,
        terms: Terms,
        words: DocumentWords,
        rng: np.random.Generator,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(config, facts)
        self.terms, self.words = terms, words
        table = np.zeros((len(terms), config.size + 1), dtype=np.float32)  # last column: bias
        table[:, :-1] = _random_vectors(rng, len(terms), config.size)
        self.queries = EmbeddingTable(table)
        self.bias = nn.Parameter(torch.tensor([FIRST_BIAS]))
        self.sentences = SearcherEncoder(config, len(words), rng)

    def encode_terms(self, bags: Bags, rows: IntArray) -> tuple[Tensor, Tensor]:
        """(n, p) and (n, 1): the vectors and the biases of terms."""
        sums = self.queries.sums(bags, rows)
        return sums[:, :-1], sums[:, -1:] + self.bias

    def logits(
        self,
        terms: Bags,
        term_rows: IntArray,
        words: Bags,
        texts: Sequences,
        rows: IntArray,
    ) -> Tensor:
        """(terms, sentences): the logits; every sentence is encoded once."""
        vectors, biases = self.encode_terms(terms, term_rows)
        positions, starts = self.sentences(words, texts, rows)
        return pooled_scores(vectors, positions, starts, self.config.pooling) + biases

    def query_terms(self, text: Text) -> list[QueryTerm]:
        """The known terms of a query; none if its language has no terms."""
        if text.language not in self.terms.languages:
            return []
        return self.terms.split(text)[0][:MOST_TERMS]

    def document_sentences(self, text: Text) -> list[Sentence]:
        """The sentences of a document; none if its language was not trained on."""
        if text.language not in self.words.languages:
            return []
        return sentence_module.sentences(text, self.config.longest)

    @torch.no_grad()
    def term_vectors(self, terms: Sequence[QueryTerm]) -> NDArray[np.float32]:
        """(n, p + 1): the vectors of terms, with the bias as last column."""
        self.eval()
        vectors, biases = self.encode_terms(term_bags(terms), np.arange(len(terms)))
        return torch.cat([vectors, biases], dim=1).cpu().numpy()

    def positions(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """(words of all sentences, p): contextual vectors; no sentence may be empty.

        Equal sentences are encoded once and have equal vectors.
        """
        ids: dict[tuple[str, ...], int] = {}
        rows = [ids.setdefault(tuple(words), len(ids)) for words in sentences]
        distinct = [*ids]
        starts = np.cumsum([0, *map(len, distinct)], dtype=np.int64)
        at, _ = gather_positions(starts, np.array(rows, dtype=np.int64))
        return self._positions(distinct)[at]

    @torch.no_grad()
    def _positions(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        self.eval()
        parts = [np.zeros((0, self.config.size), dtype=np.float32)]
        for start in range(0, len(sentences), PORTION):
            portion = sentences[start : start + PORTION]
            ids: dict[str, int] = {}
            texts = Sequences.pack([ids.setdefault(word, len(ids)) for word in s] for s in portion)
            rows = np.arange(len(portion))
            positions, _ = self.sentences(self.words.bags(list(ids)), texts, rows)
            parts.append(positions.cpu().numpy())
        return np.concatenate(parts)

    @property
    def signature(self) -> str:
        """Models with the same signature give the same scores."""
        digest = sha256(parameters_digest(self))
        digest.update(json.dumps([self.terms.words, self.terms.stems, self.terms.phrases]).encode())
        digest.update(self.words.vocabulary.keys.tobytes())
        readers = [sentence_module.signature(code) for code in sorted(self.words.languages)]
        readers += [term_module.signature(code) for code in sorted(self.terms.languages)]
        scale = json.dumps(self.facts.get("calibration"), sort_keys=True)
        digest.update(f"{asdict(self.config)}|{readers}|{scale}".encode())
        return f"searcher-{self.config.pooling}|{digest.hexdigest()[:12]}"

    def write(self, folder: Path) -> None:
        """Write the model's files into ``folder``."""
        write_parameters(folder / TENSORS, self)
        kinds = ("word", "stem", "phrase")
        rows = (self.terms.words, self.terms.stems, self.terms.phrases)
        with write_lines(folder / TERMS) as stream:
            for kind, names in zip(kinds, rows, strict=True):
                stream.writelines(f"{kind}\t{name}\n" for name in names)
        write_words(folder, self.words)
        self.write_facts(
            FORMAT,
            folder / FACTS,
            languages=sorted(self.words.languages),
            unseen=self.words.vocabulary.unseen,
        )

    @classmethod
    def load(cls, folder: Path) -> "SearcherModel":
        """What ``save`` wrote; refused if texts would be tokenized differently now."""
        config, signature, facts = read_model_facts(FORMAT, folder / FACTS, SearcherModelConfig)
        words = read_words(folder, frozenset(facts.pop("languages")), facts.pop("unseen"))
        terms = read_terms(folder / TERMS)
        model = cls(config, terms, words, np.random.default_rng(0), facts)
        load_parameters(folder / TENSORS, model, FORMAT.written_by)
        return model.verify(folder, signature)


def _random_vectors(rng: np.random.Generator, rows: int, size: int) -> NDArray[np.float32]:
    """Normally distributed vectors, of length one on average."""
    vectors: NDArray[np.float32] = rng.standard_normal((rows, size), dtype=np.float32)
    return vectors / np.float32(size**0.5)
