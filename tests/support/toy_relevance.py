"""A small transformer that puts words on axes, and small trained models made of it."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from transformers import (
    BertConfig,
    BertModel,
    DistilBertConfig,
    DistilBertModel,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    XLMRobertaConfig,
    XLMRobertaModel,
)

from dragoman.systems.semi_interactive.config import RelevanceArchitecture, SemiInteractiveConfig
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.model import RelevanceModel
from dragoman.systems.semi_interactive.training import initial_model
from dragoman.types import Document, Query

TOPICS = 6
WORDS = [f"{word}{n}" for word in ("thing", "cosa", "chose", "noise") for n in range(TOPICS)]
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
DIMENSION = 16


def save_encoder(
    folder: Path,
    words: list[str],
    *,
    layers: int = 2,
    axes: Mapping[str, int] | None = None,
    longest: int = 64,
    kind: str = "bert",
    seed: int = 0,
) -> Path:
    """A folder with an encoder of ``words``; with ``axes`` a word is nothing but its axis."""
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *words])}
    cutter = Tokenizer(WordLevel(vocabulary, unk_token=SPECIAL[1]))
    cutter.normalizer, cutter.pre_tokenizer = Lowercase(), Whitespace()
    names = dict(zip(("pad", "unk", "cls", "sep", "mask"), SPECIAL, strict=True))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=cutter,
        model_max_length=longest,
        **{f"{name}_token": token for name, token in names.items()},
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _untrained(kind, len(vocabulary), layers, longest)
    if axes is not None:
        _put_on_axes(model, vocabulary, axes)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _untrained(kind: str, words: int, layers: int, longest: int) -> PreTrainedModel:
    if kind == "distilbert":
        sizes = {"dim": DIMENSION, "n_layers": layers, "n_heads": 2, "hidden_dim": 2 * DIMENSION}
        return DistilBertModel(
            DistilBertConfig(vocab_size=words, max_position_embeddings=longest, **sizes)
        )
    sizes = {
        "vocab_size": words,
        "hidden_size": DIMENSION,
        "num_hidden_layers": layers,
        "num_attention_heads": 2,
        "intermediate_size": 2 * DIMENSION,
    }
    if kind == "xlm-roberta":
        config = XLMRobertaConfig(
            max_position_embeddings=longest + 1, type_vocab_size=1, pad_token_id=0, **sizes
        )
        return XLMRobertaModel(config, add_pooling_layer=False)
    return BertModel(BertConfig(max_position_embeddings=longest, **sizes), add_pooling_layer=False)


def toy_model(
    axes: Mapping[str, Mapping[str, int]], architecture: str, folder: Path
) -> RelevanceModel:
    """A model that puts the words of every language on axes; its encoder is in ``folder``."""
    placed = {word: axis for words in axes.values() for word, axis in words.items()}
    encoder = save_encoder(folder, sorted(placed), layers=1, axes=placed)
    config = SemiInteractiveConfig(architecture=RelevanceArchitecture(architecture), max_length=32)
    model = initial_model(encoder, config).eval()
    model.facts["languages"] = {"queries": sorted(axes), "documents": sorted(axes)}
    return model


@torch.no_grad()
def _put_on_axes(model: BertModel, vocabulary: Mapping[str, int], axes: Mapping[str, int]) -> None:
    """Nothing but the word counts: no place, no segment, and layers that change little."""
    for table in (model.embeddings.position_embeddings, model.embeddings.token_type_embeddings):
        table.weight.zero_()
    model.embeddings.word_embeddings.weight.zero_()
    for word, axis in axes.items():
        model.embeddings.word_embeddings.weight[vocabulary[word], axis] = 1
    for layer in model.encoder.layer:
        for parameter in layer.parameters():
            if parameter.dim() > 1:
                parameter.zero_()


def toy_examples(count: int, seed: int, prefix: str = "") -> list[RelevanceExample]:
    """English queries and Italian documents about topics; a French query says the document's."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        asked, label = int(rng.integers(TOPICS)), int(number % 2)
        topic = asked if label else (asked + 1 + int(rng.integers(TOPICS - 1))) % TOPICS
        noise = [f"noise{rng.integers(TOPICS)}" for _ in range(3)]
        found.append(
            RelevanceExample(
                Query(f"{prefix}q{number}", f"thing{asked} {noise[0]}", "en"),
                Document(f"{prefix}d{number}", f"cosa{topic} {noise[1]} {noise[2]}", language="it"),
                (Query(f"r{topic}", f"chose{topic}", "fr"),),
                float(label),
            )
        )
    return found
