"""The encoder while it is trained: a BERT, what tells hidden tokens, what repeats the teacher.

Saved, it is a folder that ``transformers`` loads as a masked-language model, and
``vectors.transformer`` as an encoder; what compares two texts is a file beside it. The vectors of
tokens also tell the hidden ones; a step changes only those that it reads.
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

DROPOUT = 0.1  # of those who train the encoder on; pre-training reads no text often enough for it
COMPARES = "compares.safetensors"  # what tells, by their mean state, whether two texts belong
WAVE = 0.03  # height of the waves that places begin as


class PretrainModel(nn.Module):
    """What is fitted; ``taught`` is the length of the teacher's vectors, 0 without one."""

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
            places = self.encoder.embeddings.position_embeddings.weight
            places.copy_(WAVE * torch.from_numpy(sinusoids(*places.shape)))

    @property
    def vectors(self) -> nn.Parameter:
        """(vocabulary, size): those of the tokens."""
        weight = self.encoder.embeddings.word_embeddings.weight
        assert isinstance(weight, nn.Parameter)
        return weight

    def states(self, lines: PaddedTexts) -> Tensor:
        """(n, t, size): the last hidden states."""
        found = self.encoder(
            input_ids=self._tensor(lines.tokens),
            attention_mask=self._tensor(lines.real),
            token_type_ids=self._tensor(lines.types),
            position_ids=self._tensor(lines.places),
        )
        states: Tensor = found.last_hidden_state
        return states

    def embedded(self, lines: PaddedTexts) -> Tensor:
        """(n, t, size): what the first layer reads."""
        found: Tensor = self.encoder.embeddings(
            input_ids=self._tensor(lines.tokens),
            token_type_ids=self._tensor(lines.types),
            position_ids=self._tensor(lines.places),
        )
        return found

    def logits(self, states: Tensor, tokens: NDArray[np.int64] | None = None) -> Tensor:
        """(m, c): how much each of m states looks like each of ``tokens``; all without any."""
        told = self.transform(states)
        if tokens is None:
            return nn.functional.linear(told, self.vectors, self.bias)
        asked = self._tensor(tokens)
        vectors = nn.functional.embedding(asked, self.vectors, sparse=True)
        return nn.functional.linear(told, vectors, self.bias[asked])

    def _tensor(self, numbers: NDArray[np.int64]) -> Tensor:
        return torch.from_numpy(numbers).to(self.bias.device)


def random_model(
    config: EncoderConfig, counts: NDArray[np.int64], seed: int, taught: int = 0
) -> PretrainModel:
    """The model before its first step, which tells every hidden token by its frequency."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = PretrainModel(config, len(counts), taught)
    shares = (counts + 1) / (counts + 1).sum()
    with torch.no_grad():
        model.bias.copy_(torch.from_numpy(np.log(shares)))
    return model


@torch.no_grad()
def set_token_vectors(model: PretrainModel, vectors: NDArray[np.float32]) -> None:
    """Put known token vectors in the place of drawn ones; rows of zeros are not known."""
    known = torch.from_numpy(vectors.any(axis=1))
    known[: len(SPECIAL)] = False
    model.vectors[known] = torch.from_numpy(vectors)[known]


def sinusoids(places: int, size: int) -> NDArray[np.float32]:
    """Sines and cosines of falling frequency (Vaswani et al. 2017): near places are alike."""
    rates = 1e4 ** (-np.arange(0, size, 2) / size)
    angles = np.arange(places)[:, None] * rates
    return np.hstack([np.sin(angles), np.cos(angles)])[:, :size].astype(np.float32)


def bert_config(config: EncoderConfig, vocabulary: int, dropout: float) -> BertConfig:
    """The settings in the words of ``transformers``."""
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
    """Write the folder that ``vectors.transformer.load_transformer`` reads."""
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
    """The parameters by the names that ``BertForMaskedLM`` gives them."""
    names = {
        "encoder": "bert",
        "transform": "cls.predictions.transform",
        "bias": "cls.predictions.bias",
    }
    found = {}
    for name, tensor in tensors.items():
        part, dot, rest = name.partition(".")
        if part in names:
            found[f"{names[part]}{dot}{rest}"] = tensor
    return found
