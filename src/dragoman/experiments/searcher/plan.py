"""The sizes at which the SEARCHER experiment runs, and the trainings that it compares."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from dragoman.errors import ConfigError
from dragoman.systems.searcher.config import (
    Pooling,
    SearcherConfig,
    SearcherModelConfig,
    TranslationConfig,
)
from dragoman.training.batches import BatchConfig
from dragoman.training.config import Precision, TrainConfig


class SearcherRow(StrEnum):
    """The trainings that a call may be limited to."""

    SOFTMAX = "softmax"
    SOFTMAX_PRETRAINED = "softmax-pretrained"
    SOFTMAX_ALIGNED = "softmax-aligned"
    MAX = "max"
    MAX_PRETRAINED = "max-pretrained"
    MAX_ALIGNED = "max-aligned"
    DEPTHS = "depths"  # the chosen rows of DEPTH_ROWS with other numbers of blocks
    WIDTH = "width"  # softmax-aligned with longer vectors


@dataclass(frozen=True, kw_only=True, slots=True)
class SearcherScale:
    """The sizes of tasks and models, and which models are trained."""

    name: str
    documents: int | None  # at most; None takes all that the data gives
    queries: int  # of the test; there are more development queries
    pairs: int | None  # of bitext at most
    config: SearcherConfig
    pretrain: TranslationConfig
    translation: TranslationConfig  # of the row that translates documents
    depths: tuple[int, ...]  # blocks of the encoders that are compared
    width: int = 0  # size of one more model; 0 for none
    rows: tuple[SearcherRow, ...] = tuple(SearcherRow)
    seeds: int = 1  # of the trainings with the scale's own size and depth: 0, 1, ...

    def __post_init__(self) -> None:
        if not set(self.rows) - {SearcherRow.DEPTHS, SearcherRow.WIDTH}:
            raise ConfigError(
                "found no rows of SEARCHER to train; expected one or more, as in softmax,depths"
            )
        if self.seeds < 1:
            raise ConfigError(f"seeds must be 1 or more, got {self.seeds}")

    def __str__(self) -> str:
        """The scale as a line of a report."""
        model, train = self.config.model, self.config.train
        pairs = f"at most {self.pairs:,}" if self.pairs else "all"
        documents = f"at most {self.documents:,}" if self.documents else "all"
        seeds = "1 seed" if self.seeds == 1 else f"{self.seeds} seeds"
        brief = self.translation.train.precision is BRIEF
        precision = "; translation models compute in bfloat16" if brief else ""
        return (
            f"{self.name}: size {model.size}, {model.blocks} blocks, at most {train.epochs} epochs,"
            f" pre-training {self.pretrain.train.epochs} epochs, neural translation at most"
            f" {self.translation.train.epochs} epochs, {pairs} pairs of bitext, {documents}"
            f" documents; {seeds}; learning rates stand in the rows{precision}"
        )


PREFIX = "searcher-"
PAPER = SearcherConfig.paper()
# of the translation models of the scale full: twice as fast where the processor has it
BRIEF = Precision.BFLOAT16
RANDOM, ALIGNED = DEPTH_ROWS = (f"{PREFIX}softmax", f"{PREFIX}softmax-aligned")

SCALES: Mapping[str, SearcherScale] = {
    "tiny": SearcherScale(
        name="tiny",
        documents=60,
        queries=20,
        pairs=2_000,
        config=SearcherConfig(
            model=SearcherModelConfig(size=32, blocks=1),
            train=TrainConfig(epochs=2, learning_rate=0.005),
            batch=BatchConfig(size=32),
            held_out=100,
        ),
        pretrain=TranslationConfig(train=TrainConfig(epochs=1, learning_rate=0.005), words=1_000),
        translation=TranslationConfig(
            train=TrainConfig(epochs=2, learning_rate=0.005), words=1_000
        ),
        depths=(0, 1),
    ),
    "small": SearcherScale(
        name="small",
        documents=None,
        queries=100,
        pairs=8_000,
        config=SearcherConfig(
            model=SearcherModelConfig(size=64, blocks=2),
            train=TrainConfig(epochs=5, learning_rate=0.003, decay=0.8, max_gradient_norm=1.0),
        ),
        pretrain=TranslationConfig(
            train=TrainConfig(epochs=2, learning_rate=0.004, decay=0.8, max_gradient_norm=1.0),
            words=4_000,
        ),
        translation=TranslationConfig(
            train=TrainConfig(
                epochs=8, learning_rate=0.004, decay=0.85, max_gradient_norm=1.0, patience=2
            ),
            words=4_000,
        ),
        depths=(0, 2, 4),
    ),
    "full": SearcherScale(
        name="full",
        documents=None,
        queries=250,
        pairs=None,
        config=SearcherConfig(train=replace(SearcherConfig().train, epochs=12)),
        pretrain=TranslationConfig(train=replace(TranslationConfig().train, precision=BRIEF)),
        translation=TranslationConfig(
            train=TrainConfig(
                epochs=12,
                learning_rate=0.004,
                decay=0.85,
                max_gradient_norm=1.0,
                patience=2,
                precision=BRIEF,
            )
        ),
        depths=(0, 2, 4),
        width=256,
    ),
    "paper": SearcherScale(
        name="paper",
        documents=None,
        queries=250,
        pairs=None,
        config=SearcherConfig(model=PAPER.model),
        pretrain=PAPER.pretrain or TranslationConfig(),
        translation=PAPER.pretrain or TranslationConfig(),
        depths=(0, 4, PAPER.model.blocks),
    ),
}


def searcher_configs(scale: SearcherScale) -> dict[str, SearcherConfig]:
    """The chosen ones of both poolings, each from random, pre-trained and aligned word vectors.

    By row name.
    """
    rows = {}
    for pooling in Pooling:
        model = replace(scale.config.model, pooling=pooling)
        aligned = replace(scale.config, model=model, pretrain=None)
        rows[f"{PREFIX}{pooling}"] = aligned.from_random()
        rows[f"{PREFIX}{pooling}-pretrained"] = replace(
            aligned.from_random(), pretrain=scale.pretrain
        )
        rows[f"{PREFIX}{pooling}-aligned"] = aligned
    return {name: rows[name] for name in rows if name.removeprefix(PREFIX) in scale.rows}


def resized_configs(scale: SearcherScale) -> dict[str, SearcherConfig]:
    """The models of other depths and width, by row name; rows that are left out have none."""
    rows = searcher_configs(scale)
    resized = _depth_configs(scale, rows) if SearcherRow.DEPTHS in scale.rows else {}
    if SearcherRow.WIDTH in scale.rows and scale.width and ALIGNED in rows:
        model = replace(rows[ALIGNED].model, size=scale.width)
        resized[f"{ALIGNED}-size-{scale.width}"] = replace(rows[ALIGNED], model=model)
    return resized


def _depth_configs(
    scale: SearcherScale, rows: Mapping[str, SearcherConfig]
) -> dict[str, SearcherConfig]:
    """Softmax pooling from random and from aligned vectors, by number of blocks.

    The depth of ``rows`` is not repeated.
    """
    return {
        depth_row(start, blocks, scale): replace(
            rows[start], model=replace(rows[start].model, blocks=blocks)
        )
        for start in DEPTH_ROWS
        for blocks in scale.depths
        if start in rows and blocks != scale.config.model.blocks
    }


def depth_row(start: str, blocks: int, scale: SearcherScale) -> str:
    """The name of the row with a number of blocks that begins as ``start`` does."""
    return start if blocks == scale.config.model.blocks else f"{start}-{blocks}-blocks"


def seed_name(row: str, seed: int) -> str:
    """The name of a row's run with a seed."""
    return row if seed == 0 else f"{row}-seed-{seed}"


def translation_config(scale: SearcherScale) -> SearcherConfig:
    """The training of the translation model that translates documents."""
    return replace(scale.config.from_random(), pretrain=scale.translation)
