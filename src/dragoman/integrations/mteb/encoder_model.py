"""A sentence encoder as a model of MTEB (its ``EncoderProtocol``), for tasks of every kind."""

from typing import Any

import numpy as np
from mteb.models.abs_encoder import AbsEncoder
from mteb.models.model_meta import ScoringFunction

from dragoman.encoders.sentence_encoder import DEFAULT, load_encoder
from dragoman.integrations.mteb.model_metadata import ORGANIZATION, model_metadata
from dragoman.types import FloatArray


class EncoderModel(AbsEncoder):
    """The default encoder, or the one in a folder; vectors have length one."""

    def __init__(self, model_name: str = DEFAULT, revision: str | None = None, **_: object) -> None:
        del revision
        self.encoder = load_encoder(model_name)
        name = self.encoder.name.replace("/", "-")
        self.mteb_model_meta = model_metadata("dense").model_copy(
            update={
                "name": f"{ORGANIZATION}/encoder-{name}",
                "embed_dim": self.encoder.dimension,
                "similarity_fn_name": ScoringFunction.COSINE,
            }
        )

    def encode(self, inputs: Any, **_: object) -> FloatArray:  # noqa: ANN401 - a data loader
        """One row per text of all batches, in order; prompts are not used."""
        texts = [text for batch in inputs for text in batch["text"]]
        if not texts:
            return np.zeros((0, self.encoder.dimension), dtype=np.float32)
        return self.encoder.encode(texts)
