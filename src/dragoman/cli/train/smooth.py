"""``dragoman train smooth``: a model that ranks documents for queries in another language."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from dragoman.cli import terminal
from dragoman.cli.options import (
    AsJson,
    GradedCollection,
    InitialVectors,
    OnlyPair,
    OutputFolder,
    Seed,
)
from dragoman.cli.train.options import BatchSize, Epochs, LearningRate, Patience, Restart
from dragoman.cli.train.output import print_best_epoch, print_report, training_stages

GRID = "grid"


def train_smooth(
    collection: GradedCollection,
    output: OutputFolder,
    languages: OnlyPair = "",
    architecture: Annotated[
        str,
        typer.Option(
            help="average, cnn, lstm or lstm-first-position; each brings the paper's settings."
        ),
    ] = "average",
    loss: Annotated[
        str, typer.Option(help="sosl, three-part, mse, po, po-steep or all-threshold.")
    ] = "sosl",
    thresholds: Annotated[
        str,
        typer.Option(
            help="Between the grades, rising within -1 and 1, as in 0.2,0.7. 'grid' tries many in"
            " short trainings and takes the best.",
            show_default="the loss's own for three grades",
        ),
    ] = "",
    epsilon: Annotated[
        float, typer.Option(help="Smoothness of the cosine; 0 is the plain cosine.")
    ] = 1.0,
    vectors: InitialVectors = None,
    epochs: Epochs = None,
    batch: BatchSize = None,
    learning_rate: LearningRate = None,
    negatives: Annotated[
        int,
        typer.Option(
            min=0,
            help="Irrelevant documents drawn per query, anew in each epoch; 0 takes those that the"
            " collection judges.",
        ),
    ] = 0,
    clip: Annotated[
        float, typer.Option(min=0, help="Scale gradients down to this norm; 0 never.")
    ] = 0.0,
    patience: Patience = 0,
    precision: Annotated[
        str,
        typer.Option(help="Of the forward pass: no (float32), or bf16 on devices that have it."),
    ] = "no",
    count_padding: Annotated[
        bool,
        typer.Option(
            "--count-padding",
            help="Average over 200 positions, padded with a learnt vector, as the paper's code"
            " does; without it over the words of the text.",
        ),
    ] = False,
    own_lengths: Annotated[
        bool,
        typer.Option(
            "--own-lengths",
            help="Begin with the lengths that the vectors have in their file, as the paper does;"
            " without it all begin equally long.",
        ),
    ] = False,
    seed: Seed = 0,
    restart: Restart = False,
    as_json: AsJson = False,
) -> None:
    """Train a model with smooth learning (Liu et al. 2020), and measure it on the test queries.

    Ctrl-C saves the training; the same command resumes it.

    [dim]dragoman train smooth debian-packages-en-it -o model --languages en-it[/]
    """
    from dragoman.systems.smooth.config import smooth_config
    from dragoman.systems.smooth.pipeline import run_pipeline
    from dragoman.text.languages import parse_pair

    config = smooth_config(
        architecture,
        loss=loss,
        thresholds=_numbers(thresholds) if thresholds not in ("", GRID) else (),
        epsilon=epsilon,
        epochs=epochs,
        batch=batch,
        learning_rate=learning_rate,
        negatives=negatives,
        clip=clip,
        patience=patience or 0,
        precision=precision,
        count_padding=count_padding,
        own_lengths=own_lengths,
        seed=seed,
    )
    with training_stages(output) as stages:
        report = run_pipeline(
            collection,
            config,
            output,
            languages=parse_pair(languages) if languages else None,
            vectors=vectors or (),
            search=thresholds == GRID,
            restart=restart,
            stage=stages.stage,
        )
    print_report(report, partial(_print, output), as_json=as_json)


def _print(output: Path, report: dict[str, Any]) -> None:
    print_best_epoch(output, "the model", report, f"{report['test_queries']:,} test queries")
    for name, value in report["test"].items():
        terminal.out.print(f"{name:18s} {value:.4f}")


def _numbers(text: str) -> tuple[float, ...]:
    from dragoman.errors import ConfigError

    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise ConfigError(
            f"thresholds must be numbers joined by commas, or 'grid'; got {text!r}"
        ) from error
