"""What is learnt: rows of query terms with their biases, and the encoder of sentences.

MODEL/model.json           format, settings, how it was trained, its calibration
MODEL/model.safetensors    the parameters
MODEL/terms.txt            kind, language and text of every row of the query terms
MODEL/words.keys.npy ...   the words and n-grams that documents are read by
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

from dragoman.settings import parse_settings
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder, write_lines
from dragoman.systems.searcher import sentences as sentence_reading
from dragoman.systems.searcher import terms as term_reading
from dragoman.systems.searcher.config import SearcherModelConfig
from dragoman.systems.searcher.document_words import DocumentWords
from dragoman.systems.searcher.encoders import Starts, build_encoder
from dragoman.systems.searcher.files import read_terms, read_words, write_words
from dragoman.systems.searcher.matching import pooled_scores
from dragoman.systems.searcher.sentences import Sentence
from dragoman.systems.searcher.terms import QueryTerm, Terms, term_bags
from dragoman.training.embedding_table import EmbeddingTable
from dragoman.training.parameters import (
    load_parameters,
    parameters_digest,
    refuse_other_signature,
    write_parameters,
)
from dragoman.training.sequences import Bags, Sequences, gather_positions
from dragoman.types import IntArray, Text

FORMAT = Format("dragoman-searcher", 1, "'dragoman train searcher'")
FACTS, TENSORS, TERMS = "model.json", "model.safetensors", "terms.txt"
PORTION = 256  # sentences that are encoded at a time
MOST_TERMS = 32  # of a query; only the first of a longer one are searched
FIRST_BIAS = -4.0  # before anything is learnt, few sentences are relevant


class SearcherEncoder(nn.Module):
    """Words of sentences -> positions in the shared space; the same in translation and search."""

    def __init__(self, config: SearcherModelConfig, rows: int, rng: np.random.Generator) -> None:
        super().__init__()
        self.table = EmbeddingTable(_random_vectors(rng, rows, config.size))
        self.context = build_encoder(config)

    def forward(self, words: Bags, texts: Sequences, rows: IntArray) -> tuple[Tensor, Starts]:
        """(m, p): the positions of the sentences ``rows``, and where each sentence starts."""
        at, starts = gather_positions(texts.starts, rows)
        different, place = np.unique(texts.words[at], return_inverse=True)
        vectors = self.table.sums(words, different)
        every = torch.from_numpy(place).to(vectors.device)
        found: Tensor = self.context(vectors[every], starts)
        return found, starts


class SearcherModel(nn.Module):
    """P(relevant | sentence, term) = sigmoid(pooled matches + the term's bias)."""

    def __init__(
        self,
        config: SearcherModelConfig,
        terms: Terms,
        words: DocumentWords,
        rng: np.random.Generator,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.config, self.terms, self.words = config, terms, words
        first = np.zeros((len(terms), config.size + 1), dtype=np.float32)  # the last is the bias
        first[:, :-1] = _random_vectors(rng, len(terms), config.size)
        self.queries = EmbeddingTable(first)
        self.bias = nn.Parameter(torch.tensor([FIRST_BIAS]))
        self.sentences = SearcherEncoder(config, len(words), rng)
        self.facts = dict(facts or {})

    def encode_terms(self, bags: Bags, rows: IntArray) -> tuple[Tensor, Tensor]:
        """(n, p) and (n, 1): the vectors and the biases of terms."""
        found = self.queries.sums(bags, rows)
        return found[:, :-1], found[:, -1:] + self.bias

    def logits(
        self,
        terms: Bags,
        chosen: IntArray,
        words: Bags,
        texts: Sequences,
        rows: IntArray,
    ) -> Tensor:
        """(terms, sentences): before the sigmoid; every sentence is encoded once."""
        vectors, biases = self.encode_terms(terms, chosen)
        positions, starts = self.sentences(words, texts, rows)
        return pooled_scores(vectors, positions, starts, self.config.pooling) + biases

    def query_terms(self, text: Text) -> list[QueryTerm]:
        """The known terms of a query; none in a language without terms."""
        if text.language not in self.terms.languages:
            return []
        return self.terms.split(text)[0][:MOST_TERMS]

    def document_sentences(self, text: Text) -> list[Sentence]:
        """The sentences of a document; none in a language that was not trained on."""
        if text.language not in self.words.languages:
            return []
        return sentence_reading.sentences(text, self.config.longest)

    @torch.no_grad()
    def term_vectors(self, terms: Sequence[QueryTerm]) -> NDArray[np.float32]:
        """(n, p + 1): the vectors of terms, the bias behind each."""
        self.eval()
        vectors, biases = self.encode_terms(term_bags(terms), np.arange(len(terms)))
        return torch.cat([vectors, biases], dim=1).cpu().numpy()

    def positions(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """(words of all sentences, p): every word in its context; sentences have words.

        Equal sentences are encoded once, and are equal.
        """
        number: dict[tuple[str, ...], int] = {}
        places = [number.setdefault(tuple(one), len(number)) for one in sentences]
        different = [*number]
        starts = np.cumsum([0, *map(len, different)], dtype=np.int64)
        at, _ = gather_positions(starts, np.array(places, dtype=np.int64))
        return self._positions(different)[at]

    @torch.no_grad()
    def _positions(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        self.eval()
        parts = [np.zeros((0, self.config.size), dtype=np.float32)]
        for start in range(0, len(sentences), PORTION):
            some = sentences[start : start + PORTION]
            numbers: dict[str, int] = {}
            texts = Sequences.pack(
                [numbers.setdefault(word, len(numbers)) for word in one] for one in some
            )
            found, _ = self.sentences(self.words.bags(list(numbers)), texts, np.arange(len(some)))
            parts.append(found.cpu().numpy())
        return np.concatenate(parts)

    @property
    def signature(self) -> str:
        """Models with the same signature give the same scores."""
        digest = sha256(parameters_digest(self))
        digest.update(json.dumps([self.terms.words, self.terms.stems, self.terms.phrases]).encode())
        digest.update(self.words.vocabulary.keys.tobytes())
        readers = [sentence_reading.signature(code) for code in sorted(self.words.languages)]
        readers += [term_reading.signature(code) for code in sorted(self.terms.languages)]
        scale = json.dumps(self.facts.get("calibration"), sort_keys=True)
        digest.update(f"{asdict(self.config)}|{readers}|{scale}".encode())
        return f"searcher-{self.config.pooling}|{digest.hexdigest()[:12]}"

    def save(self, folder: Path) -> None:
        """Write the model; the folder is in place only when whole."""
        with staged_folder(folder) as staged:
            self.write(staged)

    def write(self, folder: Path) -> None:
        """Write the model's files into ``folder``."""
        write_parameters(folder / TENSORS, self)
        kinds = ("word", "stem", "phrase")
        rows = (self.terms.words, self.terms.stems, self.terms.phrases)
        with write_lines(folder / TERMS) as stream:
            for kind, names in zip(kinds, rows, strict=True):
                stream.writelines(f"{kind}\t{name}\n" for name in names)
        write_words(folder, self.words)
        facts = {
            "config": asdict(self.config),
            "languages": sorted(self.words.languages),
            "unseen": self.words.vocabulary.unseen,
            "signature": self.signature,
            **self.facts,
        }
        FORMAT.write(folder / FACTS, facts)

    @classmethod
    def load(cls, folder: Path) -> "SearcherModel":
        """What ``save`` wrote; refused where texts would be read differently now."""
        facts = FORMAT.read(folder / FACTS)
        config, signature = (
            parse_settings(SearcherModelConfig, facts.pop("config")),
            facts.pop("signature"),
        )
        words = read_words(folder, frozenset(facts.pop("languages")), facts.pop("unseen"))
        terms = read_terms(folder / TERMS)
        model = cls(config, terms, words, np.random.default_rng(0), facts)
        load_parameters(folder / TENSORS, model, FORMAT.written_by)
        refuse_other_signature(folder, model.signature, signature)
        return model.eval()


def _random_vectors(rng: np.random.Generator, rows: int, size: int) -> NDArray[np.float32]:
    """First vectors, of length one on average."""
    drawn: NDArray[np.float32] = rng.standard_normal((rows, size), dtype=np.float32)
    return drawn / np.float32(size**0.5)
