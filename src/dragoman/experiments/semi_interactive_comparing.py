"""A collection's bitext -> an encoder that has learnt to compare texts, for the interactive model.

Multilingual BERT looks from one text to the other since its pre-training; a small encoder of our
own does not, and the examples of a collection are too few to teach it. So the interactive model
first tells translations from other sentences. Bitext of a collection is that of its training part.

RUNS/comparing.json     how it was made; what was made in the same way is not made again
RUNS/comparing.model    the model, whose encoder is what the interactive model begins with
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from transformers import AutoConfig

from dragoman.experiments.semi_interactive_plan import Scale, upper_limit
from dragoman.protocols import Stage, unannounced
from dragoman.systems.semi_interactive import SemiInteractiveConfig, train
from dragoman.systems.semi_interactive.comparing import comparisons, drawn_pairs
from dragoman.systems.semi_interactive.config import FirstAttention
from dragoman.systems.semi_interactive.learning import training_steps
from dragoman.systems.semi_interactive.model import PAIRS
from dragoman.text.collection import Collection
from dragoman.text.files import write_lines

NAME = "comparing"
LARGE = 384  # the size of states from which on an encoder is taken to have learnt it already
HELD_OUT = 20  # one of so many examples validates


def learnt_to_compare(
    collection: Collection,
    encoder: Path,
    digest: str,
    scale: Scale,
    runs: Path,
    stage: Stage = unannounced,
) -> Path | None:
    """The encoder's folder; None where the encoder is large or the collection has no bitext."""
    files = collection.bitext_files()
    shape = AutoConfig.from_pretrained(encoder, local_files_only=True)
    if not files or shape.hidden_size >= LARGE or not scale.compared:
        return None
    config = _config(scale, bert=shape.model_type == "bert")
    told = {"encoder": digest, "pairs": scale.compared, "config": config.as_settings(),
            "bitext": [(path.name, path.stat().st_size) for path in files]}  # fmt: skip
    settings: dict[str, Any] = json.loads(json.dumps(told))
    kept, model = runs / f"{NAME}.json", runs / f"{NAME}.model"
    if not kept.is_file() or json.loads(kept.read_text(encoding="utf-8")) != settings:
        rng = np.random.default_rng(config.seed)
        examples = comparisons(drawn_pairs(files, scale.compared, rng), rng)
        held_out = max(2, len(examples) // HELD_OUT)
        steps = training_steps(len(examples) - held_out, config)
        advance = stage("learning to compare", steps)
        train(examples[held_out:], examples[:held_out], encoder, config, model, advance=advance)
        with write_lines(kept) as stream:
            stream.write(json.dumps(settings) + "\n")
    return model / PAIRS


def _config(scale: Scale, *, bert: bool) -> SemiInteractiveConfig:
    """One epoch; layers of BERT begin by looking for like tokens."""
    attention = FirstAttention.LIKES if bert else FirstAttention.ENCODER
    rate = scale.base.learning_rate
    config = upper_limit(scale).config
    return replace(config, epochs=1, attention=attention, learning_rate=rate)
