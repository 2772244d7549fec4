"""The encoder during pre-training: a BERT with heads for masked tokens, translations and a teacher.

Saved, it is a folder that ``transformers`` loads as a masked-language model, and
``encoders.transformer`` as an encoder, with a file for the classifier of translations. Token
vectors are also the output embeddings; a step updates only the ones it uses.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save as tensors_to_bytes
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertForMaskedLM, BertModel, PreTrainedTokenizerFast
from transformers.models.bert.modeling_bert import BertPredictionHeadTransform

from dragoman.encoders.transformer import MODEL
from dragoman.tokens.bpe import BEGIN, END, MASK, PADDING, SPECIAL, UNKNOWN
from dragoman.training.parameters import parameters, write_parameters
from dragoman.training.pretraining.config import EncoderConfig
from dragoman.training.pretraining.masking import PaddedTexts

DROPOUT = 0.1  # for fine-tuning; pre-training uses none, since it repeats texts too rarely
COMPARES = "compares.safetensors"  # the classifier of translations, of mean states
AMPLITUDE = 0.03  # of the initial position embeddings


class PretrainModel(nn.Module):
    """The trained modules; ``taught`` is the dimension of the teacher, 0 without one."""

    def __init__(self, config: EncoderConfig, vocabulary: int, taught: int = 0) -> None:
        super().__init__()
        shape = bert_config(config, vocabulary, dropout=0.0)
        self.encoder = BertModel(shape, add_pooling_layer=False)
        self.transform = BertPredictionHeadTransform(shape)  # type: ignore[no-untyped-call]
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        self.compares = nn.Linear(config.size, 1)
        self.repeats = nn.Linear(config.size, taught) if taught else None
        self.encoder.embeddings.word_embeddings.sparse = True
        with torch.no_grad():
            positions = self.encoder.embeddings.position_embeddings.weight
            positions.copy_(AMPLITUDE * torch.from_numpy(sinusoids(*positions.shape)))

    @property
    def vectors(self) -> nn.Parameter:
        """(vocabulary, size): the token vectors."""
        weight = self.encoder.embeddings.word_embeddings.weight
        assert isinstance(weight, nn.Parameter)
        return weight

    def states(self, inputs: PaddedTexts) -> Tensor:
        """(n, t, size): the last hidden states."""
        outputs = self.encoder(
            input_ids=self._tensor(inputs.tokens),
            attention_mask=self._tensor(inputs.real),
            token_type_ids=self._tensor(inputs.types),
            position_ids=self._tensor(inputs.positions),
        )
        states: Tensor = outputs.last_hidden_state
        return states

    def embeddings(self, inputs: PaddedTexts) -> Tensor:
        """(n, t, size): the input of the first layer."""
        embedded: Tensor = self.encoder.embeddings(
            input_ids=self._tensor(inputs.tokens),
            token_type_ids=self._tensor(inputs.types),
            position_ids=self._tensor(inputs.positions),
        )
        return embedded

    def logits(self, states: Tensor, tokens: NDArray[np.int64] | None = None) -> Tensor:
        """(m, c): the logits of ``tokens`` for each of m states; of all tokens without any."""
        transformed = self.transform(states)
        if tokens is None:
            return nn.functional.linear(transformed, self.vectors, self.bias)
        rows = self._tensor(tokens)
        vectors = nn.functional.embedding(rows, self.vectors, sparse=True)
        return nn.functional.linear(transformed, vectors, self.bias[rows])

    def _tensor(self, array: NDArray[np.int64]) -> Tensor:
        return torch.from_numpy(array).to(self.bias.device)


def random_model(
    config: EncoderConfig, counts: NDArray[np.int64], seed: int, taught: int = 0
) -> PretrainModel:
    """A model with random parameters that predicts every masked token by its frequency."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = PretrainModel(config, len(counts), taught)
    shares = (counts + 1) / (counts + 1).sum()
    with torch.no_grad():
        model.bias.copy_(torch.from_numpy(np.log(shares)))
    return model


@torch.no_grad()
def set_token_vectors(model: PretrainModel, vectors: NDArray[np.float32]) -> None:
    """Replace the token vectors by the nonzero rows of ``vectors``."""
    known = torch.from_numpy(vectors.any(axis=1))
    known[: len(SPECIAL)] = False
    model.vectors[known] = torch.from_numpy(vectors)[known]


def sinusoids(positions: int, size: int) -> NDArray[np.float32]:
    """Position embeddings: sines and cosines of decreasing frequency (Vaswani et al. 2017)."""
    rates = 1e4 ** (-np.arange(0, size, 2) / size)
    angles = np.arange(positions)[:, None] * rates
    return np.hstack([np.sin(angles), np.cos(angles)])[:, :size].astype(np.float32)


def bert_config(config: EncoderConfig, vocabulary: int, dropout: float) -> BertConfig:
    """The configuration of ``transformers``."""
    return BertConfig(
        architectures=[BertForMaskedLM.__name__],
        vocab_size=vocabulary,
        hidden_size=config.size,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        intermediate_size=config.inner,
        max_position_embeddings=config.longest,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        pad_token_id=SPECIAL.index(PADDING),
    )


def write_encoder(
    folder: Path, model: PretrainModel, tokenizer: Tokenizer, config: EncoderConfig
) -> None:
    """Write the folder that ``encoders.transformer.load_transformer`` reads."""
    bert_config(config, len(model.bias), DROPOUT).save_pretrained(folder)
    tensors = tensors_to_bytes(_bert_names(parameters(model)), metadata={"format": "pt"})
    (folder / MODEL).write_bytes(tensors)
    write_parameters(folder / COMPARES, model.compares)
    PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        pad_token=PADDING,
        unk_token=UNKNOWN,
        cls_token=BEGIN,
        sep_token=END,
        mask_token=MASK,
        model_max_length=config.longest,
    ).save_pretrained(folder)


def _bert_names(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The parameters with the names of ``BertForMaskedLM``."""
    names = {
        "encoder": "bert",
        "transform": "cls.predictions.transform",
        "bias": "cls.predictions.bias",
    }
    renamed = {}
    for name, tensor in tensors.items():
        part, dot, rest = name.partition(".")
        if part in names:
            renamed[f"{names[part]}{dot}{rest}"] = tensor
    return renamed
