"""Knowledge transfer from a teacher (section 3.3): its word embeddings and its scores.

Scores are computed once for the same teacher and examples and cached in a file named after their
digest. The teacher can be a sentence encoder; it has scores, but no word embeddings.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol, cast

import numpy as np
import torch
from torch import nn

from dragoman import registry
from dragoman.encoders.sentence_encoder import SentenceEncoder, load_encoder
from dragoman.errors import ConfigError
from dragoman.storage.staging import staged_file
from dragoman.systems.semi_interactive.examples import RelevanceExample, pairs_digest
from dragoman.systems.semi_interactive.model import (
    BATCH,
    FACTS,
    RelevanceModel,
    load_model,
    tokenizer_text,
)
from dragoman.types import FloatArray, Text


class Teacher(Protocol):
    """A model whose relevance scores a student is trained to reproduce."""

    @property
    def signature(self) -> str:
        """Teachers with the same signature give the same scores."""
        ...

    def score_pairs(
        self, examples: Sequence[RelevanceExample], *, batch: int = BATCH
    ) -> FloatArray:
        """(n,): one score per example, from 0 to 1."""
        ...


class SentenceTeacher:
    """A sentence encoder as a teacher: the cosine of a query and a document, at least 0."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder

    @property
    def signature(self) -> str:
        """The signature of the encoder."""
        return f"sentences|{self._encoder.signature}"

    def score_pairs(
        self, examples: Sequence[RelevanceExample], *, batch: int = BATCH
    ) -> FloatArray:
        """(n,): cosines; every distinct text is encoded once."""
        queries = _distinct_rows([example.query.content for example in examples])
        documents = _distinct_rows([example.document.content for example in examples])
        left = self._encoder.encode([text.body for text in queries])
        right = self._encoder.encode([text.body for text in documents])
        rows = [
            (queries[example.query.content], documents[example.document.content])
            for example in examples
        ]
        pairs = np.array(rows, dtype=np.int64).reshape(-1, 2)
        left, right = left[pairs[:, 0]], right[pairs[:, 1]]
        cosines: FloatArray = np.einsum("np,np->n", left, right, dtype=np.float64)
        return cosines.clip(0.0, 1.0)


def _distinct_rows(texts: Sequence[Text]) -> dict[Text, int]:
    return {text: row for row, text in enumerate(dict.fromkeys(texts))}


def load_teacher(name: Path | str) -> Teacher:
    """The model in a folder, or the sentence encoder of that name or folder."""
    folder = Path(name)
    if str(name) in registry.ENCODERS or not (folder / FACTS).is_file():
        return SentenceTeacher(load_encoder(name))
    model = load_model(folder)
    if not model.interactive:
        raise ConfigError(
            f"{folder} is a {model.config.architecture} model; a teacher must be interactive,"
            " made by dragoman train transformer --architecture interactive"
        )
    return model


def teacher_scores(
    model: Teacher, examples: Sequence[RelevanceExample], cache: Path, *, batch: int = BATCH
) -> FloatArray:
    """(n,): the teacher's scores of the examples, from ``cache`` if they are there."""
    key = f"{model.signature}|{pairs_digest(examples)}"
    path = cache / f"teacher-{sha256(key.encode()).hexdigest()[:24]}.npy"
    if path.is_file():
        cached: FloatArray = np.load(path, allow_pickle=False)
        return cached
    scores = np.asarray(model.score_pairs(examples, batch=batch), dtype=np.float64)
    with staged_file(path) as staged, staged.open("wb") as stream:
        np.save(stream, scores, allow_pickle=False)
    return scores


@torch.no_grad()
def reuse_embeddings(student: RelevanceModel, teacher: Teacher) -> None:
    """Copy the teacher's word embeddings into every encoder of the student."""
    if not isinstance(teacher, RelevanceModel):
        raise ConfigError(
            "a sentence encoder has no word embeddings to initialize a model with; set"
            " reuse_embeddings to False (--no-reuse-embeddings)"
        )
    if tokenizer_text(teacher.input_builder) != tokenizer_text(student.input_builder):
        raise ConfigError(
            "the teacher tokenizes texts differently from the student; train both from the same"
            " encoder, or set reuse_embeddings to False"
        )
    given = _embeddings(teacher, next(iter(teacher.encoders)))
    for name in student.encoders:
        own = _embeddings(student, name)
        if own.weight.shape != given.weight.shape:
            raise ConfigError(
                f"the teacher's word embeddings are {tuple(given.weight.shape)}, the student's"
                f" {tuple(own.weight.shape)}; train both from the same encoder, or set"
                " reuse_embeddings to False"
            )
        own.weight.copy_(given.weight)


def _embeddings(model: RelevanceModel, name: str) -> nn.Embedding:
    return cast("nn.Embedding", model.encoder(name).get_input_embeddings())
