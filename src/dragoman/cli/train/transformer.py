"""``dragoman train transformer``: an interactive, non-interactive or semi-interactive model."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from dragoman.cli import terminal
from dragoman.cli.inputs import readable_path
from dragoman.cli.options import (
    AsJson,
    GradedCollection,
    OnlyPair,
    OutputFolder,
    PretrainedEncoder,
    Seed,
)
from dragoman.cli.train.options import BatchSize, Epochs, LearningRate, Patience, Restart
from dragoman.cli.train.output import print_best_epoch, print_report, training_stages

ENCODED_APART = ("non-interactive", "semi-interactive")
WITH_QUERIES = ("semi-interactive",)
APPLICABLE = {  # an option that not every architecture has -> the architectures that have it
    "teacher": ENCODED_APART,
    "alpha": ENCODED_APART,
    "distillation": ENCODED_APART,
    "reuse_embeddings": ENCODED_APART,
    "shared": ENCODED_APART,
    "relevant_queries": WITH_QUERIES,
    "clicks": WITH_QUERIES,
}


def train_transformer(
    collection: GradedCollection,
    architecture: Annotated[
        str,
        typer.Option(
            help="What is encoded together: interactive (query and document), non-interactive"
            " (neither) or semi-interactive (a document and queries known to be relevant to it).",
            show_default=False,
        ),
    ],
    encoder: PretrainedEncoder,
    output: OutputFolder,
    teacher: Annotated[
        str,
        typer.Option(
            help="The model to learn from: the folder of an interactive one, or 'default', the"
            " sentence encoder. Not for interactive.",
            show_default=False,
        ),
    ] = "",
    alpha: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="The weight of the labels in the loss; the teacher's scores have the rest. Not for"
            " interactive.",
            show_default="0.7",
        ),
    ] = None,
    distillation: Annotated[
        str | None,
        typer.Option(
            help="How the teacher's scores enter the loss: printed (the paper's equation 7),"
            " symmetric, or off. Not for interactive.",
            show_default="printed",
        ),
    ] = None,
    reuse_embeddings: Annotated[
        bool | None,
        typer.Option(
            help="Begin with the teacher's word embeddings; 'default' has none. Not for"
            " interactive.",
            show_default="reuse-embeddings",
        ),
    ] = None,
    shared: Annotated[
        bool,
        typer.Option(
            "--shared",
            help="One encoder for queries and documents instead of two. Not for interactive.",
        ),
    ] = False,
    relevant_queries: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many relevant queries are encoded with a document. Semi-interactive only.",
            show_default="3",
        ),
    ] = None,
    clicks: Annotated[
        Path | None,
        typer.Option(
            help="A click log that gives the relevant queries, by click-through rate; without one"
            " they are the titles of the same item in other languages. Semi-interactive only.",
            show_default=False,
            callback=readable_path,
        ),
    ] = None,
    languages: OnlyPair = "",
    negatives: Annotated[
        int, typer.Option(min=1, help="Irrelevant documents per query to learn from.")
    ] = 4,
    queries: Annotated[
        int, typer.Option(min=0, help="Queries per split at most; 0 takes all.")
    ] = 0,
    layers: Annotated[int, typer.Option(min=1, help="Layers of the encoder to use at most.")] = 6,
    max_length: Annotated[
        int, typer.Option(min=32, help="Tokens of an input; longer texts are cut.")
    ] = 128,
    epochs: Epochs = 10,
    patience: Patience = 2,
    batch: BatchSize = 64,
    learning_rate: LearningRate = 3e-5,
    warm_up: Annotated[
        int,
        typer.Option(
            min=0, help="Steps in which the learning rate rises, at most a tenth of all steps."
        ),
    ] = 8000,
    dropout: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Dropout in the encoders.")
    ] = 0.1,
    seed: Seed = 0,
    export: Annotated[
        bool,
        typer.Option(
            "--export",
            help="Also write the encoder that every search runs as int8 ONNX, and measure it.",
        ),
    ] = False,
    restart: Restart = False,
    as_json: AsJson = False,
) -> None:
    """Train a transformer that scores a document for a query in another language (Xu et al. 2021).

    An interactive model re-ranks, and teaches the others; these encode documents at indexing time.
    Ctrl-C saves the training; the same command resumes it.

    [dim]dragoman train transformer debian-packages-en-it --architecture interactive
    --encoder encoder -o teacher[/]

    [dim]dragoman train transformer libreoffice-help --architecture semi-interactive
    --encoder encoder --teacher teacher -o model[/]
    """
    from dragoman.systems.semi_interactive.config import SemiInteractiveConfig
    from dragoman.systems.semi_interactive.pipeline import run_pipeline
    from dragoman.systems.semi_interactive.training_data import ExampleConfig
    from dragoman.text.languages import parse_pair

    optional_settings = {
        "alpha": alpha,
        "distillation": distillation,
        "reuse_embeddings": reuse_embeddings,
        "shared": shared or None,
        "relevant_queries": relevant_queries,
    }
    settings: dict[str, Any] = {
        "architecture": architecture,
        "layers": layers,
        "max_length": max_length,
        "epochs": epochs,
        "patience": patience,
        "batch": batch,
        "learning_rate": learning_rate,
        "warm_up": warm_up,
        "dropout": dropout,
        "seed": seed,
        **{name: value for name, value in optional_settings.items() if value is not None},
    }
    config = SemiInteractiveConfig(**settings)
    refuse_inapplicable(
        architecture, {**optional_settings, "teacher": teacher or None, "clicks": clicks}
    )
    examples = ExampleConfig(
        languages=parse_pair(languages) if languages else None,
        negatives=negatives,
        most=queries,
        clicks=clicks,
        seed=seed,
    )
    with training_stages(output) as stages:
        report = run_pipeline(
            collection,
            encoder,
            config,
            output,
            examples=examples,
            teacher=teacher or None,
            export=export,
            restart=restart,
            stage=stages.stage,
        )
    print_report(report, partial(_print, output), as_json=as_json)


def refuse_inapplicable(architecture: str, options: Mapping[str, object]) -> None:
    """Refuse options with a value that ``architecture`` has no use for."""
    from dragoman.errors import ConfigError

    for name, value in options.items():
        if value is not None and architecture not in APPLICABLE[name]:
            option = name.replace("_", "-")
            raise ConfigError(
                f"found --{option} with --architecture {architecture}; it applies to"
                f" {' and '.join(APPLICABLE[name])} models only: leave it out, or choose another"
                " architecture."
            )


def _print(output: Path, report: dict[str, Any]) -> None:
    print_best_epoch(output, "the model", report, f"{report['test_pairs']:,} test pairs")
    terminal.out.print(f"AUC {report['test']['AUC']:.4f}")
    if export := report.get("export"):
        terminal.out.print(
            f"int8: {export['speed_up']:.1f} times as fast for one input,"
            f" AUC {export['auc']['int8']:.4f} instead of {export['auc']['torch']:.4f} on"
            f" {export['examples']:,} pairs, scores at most {export['largest_difference']:.4f} off",
            soft_wrap=True,
        )
