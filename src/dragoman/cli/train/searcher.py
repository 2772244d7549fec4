"""``dragoman train searcher``: a model that finds sentences for terms, from bitext alone."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AsJson, LanguagePair, OnBadLine, OutputFolder, Seed
from dragoman.cli.train.options import (
    ContrastiveBatchSize,
    Dimension,
    Epochs,
    LearningRate,
    Patience,
    Restart,
    TrainingBitext,
)
from dragoman.cli.train.output import print_best_epoch, print_report, training_stages
from dragoman.text.files import Faults, OnError


def train_searcher(
    bitext: TrainingBitext,
    languages: LanguagePair,
    output: OutputFolder,
    pooling: Annotated[
        str, typer.Option(help="softmax learns in fewer epochs; max gives sharper probabilities.")
    ] = "softmax",
    encoder: Annotated[
        str, typer.Option(help="The sentence encoder: conv (the paper's) or transformer.")
    ] = "conv",
    first: Annotated[
        str,
        typer.Option(
            help="The vectors to begin with: aligned (those of words that the bitext aligns) or"
            " drawn (at random, as in the paper).",
            show_default="aligned, or drawn with --pretrain",
        ),
    ] = "",
    pretrain: Annotated[
        bool,
        typer.Option("--pretrain", help="Train the encoder in a translation model first."),
    ] = False,
    pretrain_epochs: Annotated[
        int | None, typer.Option(min=1, help="Epochs of the translation model.")
    ] = None,
    paper: Annotated[
        bool,
        typer.Option(
            "--paper",
            help="The paper's model: --size 512 --blocks 15 --pretrain with a decoder of 15 blocks;"
            " it needs a GPU.",
        ),
    ] = False,
    size: Dimension = None,
    blocks: Annotated[
        int | None,
        typer.Option(min=0, help="Layers of convolutions of width 3; the paper has 15."),
    ] = None,
    subwords: Annotated[
        bool, typer.Option(help="Encode words of documents by their character n-grams too.")
    ] = True,
    epochs: Epochs = None,
    batch: ContrastiveBatchSize = None,
    learning_rate: LearningRate = None,
    patience: Patience = None,
    seed: Seed = 0,
    restart: Restart = False,
    on_error: OnBadLine = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Train SEARCHER (Barry et al. 2020) on bitext; some pairs are held out to measure it.

    The first of --languages is that of the queries, the second that of the documents. Ctrl-C saves
    the training; the same command resumes it.

    [dim]dragoman train searcher en-sw.tsv.gz --languages en-sw -o model --pretrain[/]
    """
    from dragoman.systems.searcher.config import searcher_config
    from dragoman.systems.searcher.pipeline import run_pipeline
    from dragoman.text.languages import parse_pair

    config = searcher_config(
        pooling=pooling,
        encoder=encoder,
        size=size,
        blocks=blocks,
        subwords=subwords,
        first=first,
        pretrain=pretrain,
        pretrain_epochs=pretrain_epochs,
        epochs=epochs,
        batch=batch,
        learning_rate=learning_rate,
        patience=patience,
        seed=seed,
        paper=paper,
    )
    faults = Faults(on_error)
    with training_stages(output) as stages:
        report = run_pipeline(
            bitext,
            parse_pair(languages),
            config,
            output,
            faults=faults,
            restart=restart,
            stage=stages.stage,
        )
    print_report(report, partial(_print, output), as_json=as_json, faults=faults)


def _print(output: Path, report: dict[str, Any]) -> None:
    pairs, error = report["pairs"], report["expected_calibration_error"]
    model = f"{report['terms']:,} terms of {pairs['training']:,} pairs, the model"
    print_best_epoch(output, model, report)
    for name, value in report["held_out"].items():
        terminal.out.print(f"{name:18s} {value:.4f}  on {pairs['held out']:,} held-out pairs")
    terminal.out.print(
        f"calibration error  {error['before']:.4f}, {error['after']:.4f} after scaling"
    )
