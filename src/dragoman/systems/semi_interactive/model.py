"""The trained model: one encoder for pairs, or one for queries and one for documents.

MODEL/config.json        the name of the system
MODEL/model.json         format, settings, signature, facts about the training
MODEL/pairs/             the encoder of an interactive model, an ordinary Hugging Face folder
MODEL/queries/, documents/, texts/   those of the others (``texts`` if they share one)
MODEL/head.safetensors   the layer before the sigmoid of an interactive model
MODEL/onnx/              the exported encoder, if there is one (``exported_encoder.py``)
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save as tensors_to_bytes
from scipy.special import expit
from torch import Tensor, nn
from torch.nn.functional import normalize
from transformers import PreTrainedModel

from dragoman.encoders.transformer import MODEL as WEIGHTS
from dragoman.encoders.transformer import Transformer, load_transformer
from dragoman.indexes.saved_system import write_facts
from dragoman.ranking.rounding import round_scores
from dragoman.storage.facts import Format
from dragoman.systems.semi_interactive.config import (
    RelevanceArchitecture,
    SemiInteractiveConfig,
)
from dragoman.systems.semi_interactive.encoding import compute_by_length, mean_vectors, pad_inputs
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.exported_encoder import FOLDER as EXPORT
from dragoman.systems.semi_interactive.exported_encoder import ExportedEncoder, open_export
from dragoman.systems.semi_interactive.inputs import EncoderInput, InputBuilder
from dragoman.systems.semi_interactive.tokenized_examples import (
    TokenizedExamples,
    relevant_texts,
    tokenize,
    tokenize_examples,
)
from dragoman.training.parameters import (
    load_parameters,
    parameters,
    parameters_digest,
    write_parameters,
)
from dragoman.training.saved_model import SavedModel, read_model_facts
from dragoman.types import Document, FloatArray, IntArray, Query, Text

FORMAT = Format("dragoman-semi-interactive", 1, "'dragoman train transformer'")
FACTS, HEAD = "model.json", "head.safetensors"
PAIRS, QUERIES, DOCUMENTS, TEXTS = "pairs", "queries", "documents", "texts"
BATCH = 32


class RelevanceModel(SavedModel[SemiInteractiveConfig]):
    """Queries and documents -> relevance scores."""

    def __init__(
        self,
        config: SemiInteractiveConfig,
        encoders: Mapping[str, Transformer],
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(config, facts)
        first = next(iter(encoders.values()))
        longest = min(config.max_length, first.longest)
        config.require_room(longest)
        self.input_builder = InputBuilder(first.tokenizer, longest)
        self.encoders = nn.ModuleDict({name: one.model for name, one in encoders.items()})
        self.dimension = first.dimension
        self.export: ExportedEncoder | None = None  # encodes queries or pairs instead of the model
        self.head = nn.Linear(self.dimension, 1) if self.interactive else None
        for module in self.modules():
            if isinstance(module, nn.Dropout):
                module.p = config.dropout

    @property
    def interactive(self) -> bool:
        """Whether queries and documents are encoded together."""
        return self.config.architecture is RelevanceArchitecture.INTERACTIVE

    def encoder(self, name: str) -> PreTrainedModel:
        """The encoder of pairs, queries or documents, which may be shared."""
        known = name if name in self.encoders else TEXTS if TEXTS in self.encoders else PAIRS
        return cast("PreTrainedModel", self.encoders[known])

    def raw_scores(self, examples: TokenizedExamples, rows: IntArray) -> Tensor:
        """(n,), differentiable: logits of an interactive model (eq. 1, 2), else cosines (eq. 4).

        A text in several examples is encoded once.
        """
        if self.interactive:
            return self.logits(examples.pair_inputs(self.input_builder, rows))
        queries, query_of = np.unique(examples.query_rows[rows], return_inverse=True)
        documents, document_of = np.unique(examples.document_rows[rows], return_inverse=True)
        left = self._means(QUERIES, examples.query_inputs(self.input_builder, queries))
        right = self._means(DOCUMENTS, examples.document_inputs(self.input_builder, documents))
        left, right = normalize(left, dim=1), normalize(right, dim=1)
        pairs = [torch.from_numpy(of).to(left.device) for of in (query_of, document_of)]
        return (left.index_select(0, pairs[0]) * right.index_select(0, pairs[1])).sum(dim=1)

    def logits(self, pairs: Sequence[EncoderInput]) -> Tensor:
        """(n,): the argument of the sigmoid in equation 2."""
        assert self.head is not None, "only interactive models encode pairs"
        logits: Tensor = self.head(self._means(PAIRS, pairs))
        return logits[:, 0]

    def _means(self, name: str, inputs: Sequence[EncoderInput]) -> Tensor:
        encoder = self.encoder(name)
        return mean_vectors(encoder, pad_inputs(inputs, self.input_builder.padding, encoder.device))

    def score_pairs(
        self, examples: Sequence[RelevanceExample], *, batch: int = BATCH
    ) -> FloatArray:
        """(n,): probabilities of an interactive model, cosines of others; higher is better."""
        tokenized = tokenize_examples(examples, self.input_builder, self.config)
        return self.score_tokenized(tokenized, batch=batch)

    def score_tokenized(self, examples: TokenizedExamples, *, batch: int = BATCH) -> FloatArray:
        """(n,): the same for tokenized examples."""
        builder = self.input_builder
        if self.interactive:
            rows = np.arange(len(examples))
            return self.probabilities(examples.pair_inputs(builder, rows), batch=batch)
        queries = examples.query_inputs(builder, np.arange(len(examples.queries)))
        left = self.unit_vectors(QUERIES, queries, batch=batch)
        documents = examples.document_inputs(builder, np.arange(len(examples.documents)))
        right = self.unit_vectors(DOCUMENTS, documents, batch=batch)
        left, right = left[examples.query_rows], right[examples.document_rows]
        return round_scores(np.einsum("np,np->n", left, right, dtype=np.float64))

    def probabilities(self, pairs: Sequence[EncoderInput], *, batch: int = BATCH) -> FloatArray:
        """(n,): sigmoid of the logits, in batches of similar length."""
        self.eval()
        if self.export is not None:
            logits = self.export.run(pairs)
        else:
            logits = compute_by_length(pairs, batch, self.logits, 1)
        return round_scores(expit(logits[:, 0].astype(np.float64)))

    def unit_vectors(
        self, name: str, inputs: Sequence[EncoderInput], *, batch: int = BATCH
    ) -> NDArray[np.float32]:
        """(n, d): mean states of length one, so that an inner product is the cosine."""
        vectors = self.mean_states_of(name, inputs, batch=batch)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        units: NDArray[np.float32] = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        return units

    def mean_states_of(
        self, name: str, inputs: Sequence[EncoderInput], *, batch: int = BATCH
    ) -> NDArray[np.float32]:
        """(n, d): the mean of the hidden states of each input."""
        self.eval()
        if self.export is not None and self.export.role == name and inputs:
            return self.export.run(inputs)
        return compute_by_length(
            inputs, batch, lambda part: self._means(name, part), self.dimension
        )

    def encode_queries(
        self, queries: Sequence[Query | Text], *, batch: int = BATCH, unit: bool = True
    ) -> NDArray[np.float32]:
        """(n, d): queries, of length one unless ``unit`` is False; zero without a letter."""
        tokens = tokenize(self.input_builder, [_text(query) for query in queries])
        inputs = [self.input_builder.query(query_tokens) for query_tokens in tokens]
        compute = self.unit_vectors if unit else self.mean_states_of
        return _without_empty(compute(QUERIES, inputs, batch=batch), list(map(bool, tokens)))

    def encode_documents(
        self,
        documents: Sequence[Document | Text],
        relevant_queries: Sequence[Sequence[Query]] | None = None,
        *,
        batch: int = BATCH,
        unit: bool = True,
    ) -> NDArray[np.float32]:
        """(n, d): documents, with their relevant queries if the model uses them (eq. 6)."""
        given = relevant_queries or [()] * len(documents)
        texts = [relevant_texts(queries, self.config) for queries in given]
        tokens = tokenize(self.input_builder, [_text(document) for document in documents])
        query_tokens = iter(tokenize(self.input_builder, [text for some in texts for text in some]))
        relevant = [[next(query_tokens) for _ in some] for some in texts]
        pairs = list(zip(tokens, relevant, strict=True))
        inputs = [self.input_builder.document(own, queries) for own, queries in pairs]
        compute = self.unit_vectors if unit else self.mean_states_of
        nonempty = [bool(own) or any(queries) for own, queries in pairs]
        return _without_empty(compute(DOCUMENTS, inputs, batch=batch), nonempty)

    @property
    def signature(self) -> str:
        """Models with the same signature give the same scores."""
        digest = sha256(parameters_digest(self))
        digest.update(json.dumps(asdict(self.config), sort_keys=True).encode())
        digest.update(tokenizer_text(self.input_builder).encode())
        return f"{self.config.architecture}|{digest.hexdigest()[:12]}"

    def write(self, folder: Path) -> None:
        """Write the model's files into ``folder``."""
        for name, encoder in self.encoders.items():
            _write_encoder(cast("PreTrainedModel", encoder), folder / name)
            self.input_builder.tokenizer.save_pretrained(folder / name)
        if self.head is not None:
            write_parameters(folder / HEAD, self.head)
        self.write_facts(FORMAT, folder / FACTS)
        write_facts(folder, str(self.config.architecture))
        if self.export is not None:
            shutil.copytree(self.export.folder, folder / EXPORT)


def load_model(path: Path, *, served: bool = False) -> RelevanceModel:
    """What ``save`` wrote, ready to score; refused if it would score differently now.

    With ``served`` its export, if it has one, encodes queries or pairs instead.
    """
    config, signature, facts = read_model_facts(FORMAT, path / FACTS, SemiInteractiveConfig)
    encoders = {name: load_transformer(path / name) for name in encoder_names(config)}
    with torch.random.fork_rng(devices=[]):  # the head is drawn, then loaded
        model = RelevanceModel(config, encoders, facts)
    if model.head is not None:
        load_parameters(path / HEAD, model.head, FORMAT.written_by)
    model.verify(path, signature)
    if served:
        model.export = open_export(path)
    return model


def encoder_names(config: SemiInteractiveConfig) -> tuple[str, ...]:
    """The folders of a model's encoders."""
    if config.architecture is RelevanceArchitecture.INTERACTIVE:
        return (PAIRS,)
    return (TEXTS,) if config.shared else (QUERIES, DOCUMENTS)


def tokenizer_text(builder: InputBuilder) -> str:
    """The tokenizer as text; equal for tokenizers that split texts alike."""
    text: str = builder.tokenizer.backend_tokenizer.to_str()
    return text


def _write_encoder(encoder: PreTrainedModel, folder: Path) -> None:
    """Write settings and parameters; the function of transformers would show a progress bar."""
    encoder.config.save_pretrained(folder)
    (folder / WEIGHTS).write_bytes(tensors_to_bytes(parameters(encoder), {"format": "pt"}))


def _text(value: Document | Query | Text) -> Text:
    return value if isinstance(value, Text) else value.content


def _without_empty(vectors: NDArray[np.float32], nonempty: Sequence[bool]) -> NDArray[np.float32]:
    vectors[~np.array(nonempty, dtype=bool)] = 0
    return vectors
