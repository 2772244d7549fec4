"""``dragoman train smooth``: a model that ranks documents for queries in another language."""

from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import (
    AsJson,
    GradedCollection,
    LearningRate,
    ModelFolder,
    OnePair,
    Restart,
    Seed,
)

GRID = "grid"


def train_smooth(
    collection: GradedCollection,
    output: ModelFolder,
    languages: OnePair = "",
    architecture: Annotated[
        str, typer.Option(help="average, cnn or lstm; each brings the paper's settings.")
    ] = "average",
    loss: Annotated[str, typer.Option(help="sosl, three-part, mse, po or po-steep.")] = "sosl",
    thresholds: Annotated[
        str,
        typer.Option(
            help="Between the grades, rising within -1 and 1, as in 0.2,0.7; default the loss's"
            " own for three grades. 'grid' tries many in short trainings and takes the best."
        ),
    ] = "",
    epsilon: Annotated[
        float, typer.Option(help="Smoothness of the cosine; 0 is the plain one.")
    ] = 1.0,
    vectors: Annotated[
        list[str] | None,
        typer.Option(
            help="Word vectors to begin with: a folder of `dragoman learn embeddings`, or a file of"
            " one language (.vec, Polyglot .pkl, ...) as in en=FILE."
        ),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=0, help="Passes over the pairs; default the paper's.")
    ] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Pairs of one step.")] = None,
    learning_rate: LearningRate = None,
    negatives: Annotated[
        int,
        typer.Option(
            min=0,
            help="Draw so many irrelevant documents a query, anew for each epoch; 0 takes those"
            " that the collection judges.",
        ),
    ] = 0,
    clip: Annotated[
        float, typer.Option(min=0, help="Scale gradients down to this norm; 0 never.")
    ] = 0.0,
    patience: Annotated[
        int, typer.Option(min=0, help="Stop after so many epochs without a better one; 0 never.")
    ] = 0,
    precision: Annotated[
        str,
        typer.Option(help="Of the forward pass: no (float32), or bf16 on devices that have it."),
    ] = "no",
    count_padding: Annotated[
        bool,
        typer.Option(
            "--count-padding",
            help="Average over 200 places, empty ones filled by a learnt vector, as the paper's"
            " code does; without it over the words that a text has.",
        ),
    ] = False,
    seed: Seed = 0,
    restart: Restart = False,
    as_json: AsJson = False,
) -> None:
    """Train a model with smooth learning (Liu et al. 2020), and measure it on the test queries.

    Ctrl-C saves the training; the same command goes on with it.

    [dim]dragoman train smooth debian-packages-en-it -o model --languages en-it[/]
    """
    from dragoman.systems.smooth.config import smooth_config
    from dragoman.systems.smooth.job import run_job
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
        patience=patience,
        precision=precision,
        count_padding=count_padding,
        seed=seed,
    )
    pair = parse_pair(languages) if languages else None
    with terminal.training_stages() as stages:
        report = run_job(
            collection,
            config,
            output,
            languages=pair,
            vectors=vectors or (),
            search=thresholds == GRID,
            restart=restart,
            stage=stages.stage,
        )
    if not terminal.is_for_people(report, as_json=as_json):
        return
    terminal.out.print(
        f"{terminal.plain(str(output))}: the model of epoch {report['best_epoch']} of"
        f" {report['epochs']}, measured on {report['test_queries']:,} test queries",
        soft_wrap=True,
    )
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
