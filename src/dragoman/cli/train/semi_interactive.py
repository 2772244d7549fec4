"""``dragoman train interactive``, ``non-interactive``, ``semi-interactive``: three transformers."""

from pathlib import Path
from typing import Annotated, Any

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AsJson, GradedCollection, ModelFolder, OnePair, Restart

Encoder = Annotated[
    str,
    typer.Option(
        help="The pre-trained encoder to begin with: a Hugging Face folder, or a name of the hub;"
        " `dragoman train encoder` makes one.",
        show_default=False,
    ),
]
Negatives = Annotated[
    int, typer.Option(min=1, help="Irrelevant documents of a query to learn from.")
]
Most = Annotated[
    int, typer.Option("--queries", min=0, help="Most queries of each split; 0 takes all.")
]
Layers = Annotated[int, typer.Option(min=1, help="Layers of the encoder that are kept at most.")]
Length = Annotated[int, typer.Option(min=32, help="Tokens of a text that are read.")]
Epochs = Annotated[int, typer.Option(min=0, help="Most passes over the examples.")]
Patience = Annotated[
    int, typer.Option(min=0, help="Stop after so many epochs without a better one; 0 never.")
]
Batch = Annotated[int, typer.Option(min=1, help="Examples of one step; the paper's are 1024.")]
Rate = Annotated[float, typer.Option(help="Adam's step; the paper's is 3e-5.")]
WarmUp = Annotated[
    int,
    typer.Option(min=0, help="Steps until that is reached, at most a tenth of all of them."),
]
Dropout = Annotated[float, typer.Option(min=0.0, max=1.0, help="Of the encoders.")]
Seed = Annotated[int, typer.Option(min=0, help="Decides negatives, order and dropout.")]
Export = Annotated[
    bool,
    typer.Option(
        "--export",
        help="Also write what runs for every search as ONNX in eight bits, and measure it.",
    ),
]
Teacher = Annotated[
    str,
    typer.Option(
        help="Whom to learn from: the folder of an interactive model, or 'default', the sentence"
        " encoder.",
        show_default=False,
    ),
]
Alpha = Annotated[
    float,
    typer.Option(
        min=0.0, max=1.0, help="The share of the labels in the loss; the teacher's is the rest."
    ),
]
Distilled = Annotated[
    str,
    typer.Option(
        "--distillation",
        help="How the teacher's scores are learnt: printed (the paper's equation 7), symmetric, or"
        " off.",
    ),
]
Reused = Annotated[
    bool, typer.Option(help="Begin with the teacher's word embeddings; 'default' has none.")
]
Shared = Annotated[
    bool, typer.Option("--shared", help="One encoder for queries and documents instead of two.")
]


def interactive(
    collection: GradedCollection,
    encoder: Encoder,
    output: ModelFolder,
    languages: OnePair = "",
    negatives: Negatives = 4,
    queries: Most = 0,
    layers: Layers = 6,
    max_length: Length = 128,
    epochs: Epochs = 10,
    patience: Patience = 2,
    batch: Batch = 64,
    learning_rate: Rate = 3e-5,
    warm_up: WarmUp = 8000,
    dropout: Dropout = 0.1,
    seed: Seed = 0,
    export: Export = False,
    restart: Restart = False,
    as_json: AsJson = False,
) -> None:
    """Train a model that reads query and document together: a second stage, and a teacher.

    Ctrl-C saves the training; the same command goes on with it.

    [dim]dragoman train interactive debian-packages-en-it --encoder encoder -o teacher[/]
    """
    _train("interactive", **locals())


def non_interactive(
    collection: GradedCollection,
    encoder: Encoder,
    output: ModelFolder,
    teacher: Teacher = "",
    alpha: Alpha = 0.7,
    distillation: Distilled = "printed",
    reuse_embeddings: Reused = True,
    shared: Shared = False,
    languages: OnePair = "",
    negatives: Negatives = 4,
    queries: Most = 0,
    layers: Layers = 6,
    max_length: Length = 128,
    epochs: Epochs = 10,
    patience: Patience = 2,
    batch: Batch = 64,
    learning_rate: Rate = 3e-5,
    warm_up: WarmUp = 8000,
    dropout: Dropout = 0.1,
    seed: Seed = 0,
    export: Export = False,
    restart: Restart = False,
    as_json: AsJson = False,
) -> None:
    """Train a model that encodes queries and documents apart.

    Ctrl-C saves the training; the same command goes on with it.

    [dim]dragoman train non-interactive debian-packages-en-it --encoder encoder -o model[/]
    """
    _train("non-interactive", **locals())


def semi_interactive(
    collection: GradedCollection,
    encoder: Encoder,
    output: ModelFolder,
    relevant_queries: Annotated[
        int, typer.Option(min=0, help="How many relevant queries are read with a document.")
    ] = 3,
    clicks: Annotated[
        Path | None,
        typer.Option(
            help="A click log to take them from, by click-through rate; default are the titles of"
            " the same item in other languages.",
            show_default=False,
        ),
    ] = None,
    teacher: Teacher = "",
    alpha: Alpha = 0.7,
    distillation: Distilled = "printed",
    reuse_embeddings: Reused = True,
    shared: Shared = False,
    languages: OnePair = "",
    negatives: Negatives = 4,
    queries: Most = 0,
    layers: Layers = 6,
    max_length: Length = 128,
    epochs: Epochs = 10,
    patience: Patience = 2,
    batch: Batch = 64,
    learning_rate: Rate = 3e-5,
    warm_up: WarmUp = 8000,
    dropout: Dropout = 0.1,
    seed: Seed = 0,
    export: Export = False,
    restart: Restart = False,
    as_json: AsJson = False,
) -> None:
    """Train a model that encodes documents with relevant queries in several languages.

    Ctrl-C saves the training; the same command goes on with it.

    [dim]dragoman train semi-interactive libreoffice-help --encoder encoder --teacher teacher
    -o model[/]
    """
    _train("semi-interactive", **locals())


def _train(
    architecture: str,
    *,
    collection: str,
    encoder: str,
    output: Path,
    languages: str,
    negatives: int,
    queries: int,
    seed: int,
    export: bool,
    restart: bool,
    as_json: bool,
    teacher: str = "",
    clicks: Path | None = None,
    **fitted: Any,  # noqa: ANN401
) -> None:
    """Train with the options of a command; ``fitted`` are settings by their own names."""
    from dragoman.systems.semi_interactive.config import Architecture, SemiInteractiveConfig
    from dragoman.systems.semi_interactive.job import run_job
    from dragoman.systems.semi_interactive.material import MaterialConfig
    from dragoman.text.languages import parse_pair

    config = SemiInteractiveConfig(architecture=Architecture(architecture), seed=seed, **fitted)
    pair = parse_pair(languages) if languages else None
    material = MaterialConfig(
        languages=pair, negatives=negatives, most=queries, clicks=clicks, seed=seed
    )
    with terminal.training_stages() as stages:
        report = run_job(
            collection,
            encoder,
            config,
            output,
            material=material,
            teacher=teacher or None,
            export=export,
            restart=restart,
            stage=stages.stage,
        )
    if not terminal.is_for_people(report, as_json=as_json):
        return
    terminal.out.print(
        f"{terminal.plain(str(output))}: the model of epoch {report['best_epoch']} of"
        f" {report['epochs']}, measured on {report['test_pairs']:,} test pairs",
        soft_wrap=True,
    )
    terminal.out.print(f"AUC {report['test']['AUC']:.4f}")
    if made := report.get("export"):
        terminal.out.print(
            f"int8: {made['speed_up']:.1f} times as fast for one input,"
            f" AUC {made['auc']['int8']:.4f} instead of {made['auc']['torch']:.4f}"
            f" on {made['examples']:,} pairs, scores at most {made['largest_difference']:.4f} off",
            soft_wrap=True,
        )
