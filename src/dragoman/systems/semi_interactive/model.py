"""What is learnt: one encoder for pairs, or one for queries and one for documents.

MODEL/config.json        which system this is
MODEL/model.json         format, settings, signature, how it was trained
MODEL/pairs/             the encoder of an interactive model, an ordinary Hugging Face folder
MODEL/queries/, documents/, texts/   those of the others (``texts`` where both share one)
MODEL/head.safetensors   the layer before the sigmoid of an interactive model
MODEL/onnx/              the same for serving, where it was exported (``exported_encoder.py``)
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
from dragoman.settings import parse_settings
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder
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
    refuse_other_signature,
    write_parameters,
)
from dragoman.types import Document, FloatArray, IntArray, Query, Text

FORMAT = Format("dragoman-semi-interactive", 1, "'dragoman train transformer'")
FACTS, HEAD = "model.json", "head.safetensors"
PAIRS, QUERIES, DOCUMENTS, TEXTS = "pairs", "queries", "documents", "texts"
BATCH = 32


class RelevanceModel(nn.Module):
    """Queries and documents -> how relevant one is to the other."""

    def __init__(
        self,
        config: SemiInteractiveConfig,
        encoders: Mapping[str, Transformer],
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.config, self.facts = config, dict(facts or {})
        first = next(iter(encoders.values()))
        self.reader = InputBuilder(first.tokenizer, min(config.max_length, first.longest))
        config.require_room(self.reader.longest)
        self.encoders = nn.ModuleDict({name: one.model for name, one in encoders.items()})
        self.dimension = first.dimension
        self.export: ExportedEncoder | None = None  # reads queries or pairs in the model's place
        self.head = nn.Linear(self.dimension, 1) if self.interactive else None
        for module in self.modules():
            if isinstance(module, nn.Dropout):
                module.p = config.dropout

    @property
    def interactive(self) -> bool:
        """Whether queries and documents are read together."""
        return self.config.architecture is RelevanceArchitecture.INTERACTIVE

    def encoder(self, name: str) -> PreTrainedModel:
        """The encoder of queries or documents; several names may mean one."""
        known = name if name in self.encoders else TEXTS if TEXTS in self.encoders else PAIRS
        return cast("PreTrainedModel", self.encoders[known])

    def raw_scores(self, prepared: TokenizedExamples, examples: IntArray) -> Tensor:
        """(n,), with a gradient: logits of an interactive model (eq. 1, 2), else cosines (eq. 4).

        A text in several examples is encoded once.
        """
        if self.interactive:
            return self.logits(prepared.pair_inputs(self.reader, examples))
        asked, query_of = np.unique(prepared.query_rows[examples], return_inverse=True)
        found, document_of = np.unique(prepared.document_rows[examples], return_inverse=True)
        left = self._means(QUERIES, prepared.query_inputs(self.reader, asked))
        right = self._means(DOCUMENTS, prepared.document_inputs(self.reader, found))
        left, right = normalize(left, dim=1), normalize(right, dim=1)
        rows = [torch.from_numpy(of).to(left.device) for of in (query_of, document_of)]
        return (left.index_select(0, rows[0]) * right.index_select(0, rows[1])).sum(dim=1)

    def logits(self, pairs: Sequence[EncoderInput]) -> Tensor:
        """(n,): what equation 2 puts into the sigmoid, of queries and documents read together."""
        assert self.head is not None, "only interactive models read pairs"
        found: Tensor = self.head(self._means(PAIRS, pairs))
        return found[:, 0]

    def _means(self, name: str, inputs: Sequence[EncoderInput]) -> Tensor:
        encoder = self.encoder(name)
        return mean_vectors(encoder, pad_inputs(inputs, self.reader.padding, encoder.device))

    def score_pairs(
        self, examples: Sequence[RelevanceExample], *, batch: int = BATCH
    ) -> FloatArray:
        """(n,): probabilities of an interactive model, cosines of others; higher is better."""
        return self.score_prepared(
            tokenize_examples(examples, self.reader, self.config), batch=batch
        )

    def score_prepared(self, prepared: TokenizedExamples, *, batch: int = BATCH) -> FloatArray:
        """(n,): the same for texts that are cut into tokens already."""
        if self.interactive:
            every = np.arange(len(prepared))
            return self.probabilities(prepared.pair_inputs(self.reader, every), batch=batch)
        every = np.arange(len(prepared.queries))
        left = self.unit_vectors(QUERIES, prepared.query_inputs(self.reader, every), batch=batch)
        every = np.arange(len(prepared.documents))
        inputs = prepared.document_inputs(self.reader, every)
        right = self.unit_vectors(DOCUMENTS, inputs, batch=batch)
        rows = prepared.query_rows, prepared.document_rows
        return round_scores(np.einsum("np,np->n", left[rows[0]], right[rows[1]], dtype=np.float64))

    def probabilities(self, pairs: Sequence[EncoderInput], *, batch: int = BATCH) -> FloatArray:
        """(n,): sigmoid of the logits, pairs of like length together."""
        self.eval()
        if self.export is not None:
            logits = self.export.run(pairs)
        else:
            logits = compute_by_length(pairs, batch, self.logits, 1)
        return round_scores(expit(logits[:, 0].astype(np.float64)))

    def unit_vectors(
        self, name: str, inputs: Sequence[EncoderInput], *, batch: int = BATCH
    ) -> NDArray[np.float32]:
        """(n, d): mean states at length one, so that an inner product is the cosine."""
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
            inputs, batch, lambda some: self._means(name, some), self.dimension
        )

    def encode_queries(
        self, queries: Sequence[Query | Text], *, batch: int = BATCH, unit: bool = True
    ) -> NDArray[np.float32]:
        """(n, d): queries, at length one unless ``unit`` is False; zero without a letter."""
        tokens = tokenize(self.reader, [_text(query) for query in queries])
        inputs = [self.reader.query(one) for one in tokens]
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
        """(n, d): documents, each with its relevant queries where the model reads them (eq. 6)."""
        beside = relevant_queries or [()] * len(documents)
        texts = [relevant_texts(some, self.config) for some in beside]
        tokens = tokenize(self.reader, [_text(document) for document in documents])
        asked = iter(tokenize(self.reader, [text for some in texts for text in some]))
        relevant = [[next(asked) for _ in some] for some in texts]
        pairs = list(zip(tokens, relevant, strict=True))
        inputs = [self.reader.document(mine, others) for mine, others in pairs]
        compute = self.unit_vectors if unit else self.mean_states_of
        filled = [bool(mine) or any(others) for mine, others in pairs]
        return _without_empty(compute(DOCUMENTS, inputs, batch=batch), filled)

    @property
    def signature(self) -> str:
        """Models with the same signature give the same scores."""
        digest = sha256(parameters_digest(self))
        digest.update(json.dumps(asdict(self.config), sort_keys=True).encode())
        digest.update(tokenizer_text(self.reader).encode())
        return f"{self.config.architecture}|{digest.hexdigest()[:12]}"

    def save(self, folder: Path) -> None:
        """Write the model; the folder is in place only when whole."""
        with staged_folder(folder) as staged:
            self.write(staged)

    def write(self, folder: Path) -> None:
        """Write the model's files into ``folder``."""
        for name, encoder in self.encoders.items():
            _write_encoder(cast("PreTrainedModel", encoder), folder / name)
            self.reader.tokenizer.save_pretrained(folder / name)
        if self.head is not None:
            write_parameters(folder / HEAD, self.head)
        facts = {"config": asdict(self.config), "signature": self.signature, **self.facts}
        FORMAT.write(folder / FACTS, facts)
        write_facts(folder, str(self.config.architecture))
        if self.export is not None:
            shutil.copytree(self.export.folder, folder / EXPORT)


def load_model(path: Path, *, served: bool = False) -> RelevanceModel:
    """What ``save`` wrote, ready to score; refused where it would score differently now.

    With ``served`` its export, where it has one, reads queries or pairs in its place.
    """
    facts = FORMAT.read(path / FACTS)
    config, signature = (
        parse_settings(SemiInteractiveConfig, facts.pop("config")),
        facts.pop("signature"),
    )
    encoders = {name: load_transformer(path / name) for name in encoder_names(config)}
    with torch.random.fork_rng(devices=[]):  # a new layer is drawn by chance, then filled
        model = RelevanceModel(config, encoders, facts)
    if model.head is not None:
        load_parameters(path / HEAD, model.head, FORMAT.written_by)
    refuse_other_signature(path, model.signature, signature)
    if served:
        model.export = open_export(path)
    return model.eval()


def encoder_names(config: SemiInteractiveConfig) -> tuple[str, ...]:
    """The folders of a model's encoders."""
    if config.architecture is RelevanceArchitecture.INTERACTIVE:
        return (PAIRS,)
    return (TEXTS,) if config.shared else (QUERIES, DOCUMENTS)


def tokenizer_text(reader: InputBuilder) -> str:
    """The whole tokenizer as text: equal where texts are cut alike."""
    written: str = reader.tokenizer.backend_tokenizer.to_str()
    return written


def _write_encoder(encoder: PreTrainedModel, folder: Path) -> None:
    """Write settings and parameters; transformers' own function would draw a progress bar."""
    encoder.config.save_pretrained(folder)
    (folder / WEIGHTS).write_bytes(tensors_to_bytes(parameters(encoder), {"format": "pt"}))


def _text(one: Document | Query | Text) -> Text:
    return one if isinstance(one, Text) else one.content


def _without_empty(vectors: NDArray[np.float32], filled: Sequence[bool]) -> NDArray[np.float32]:
    vectors[~np.array(filled, dtype=bool)] = 0
    return vectors
