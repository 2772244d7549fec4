"""``dragoman train searcher``: a model that finds sentences for terms, from bitext alone."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AsJson, AtBadLines, LearningRate, ModelFolder, Restart, Seed
from dragoman.text.files import Faults, OnError


def train_searcher(
    bitext: Annotated[
        list[Path],
        typer.Argument(
            help="Sentence pairs, .tsv or .tmx (also .gz, .zst); queries will be in the language"
            " of the first column.",
            show_default=False,
        ),
    ],
    languages: Annotated[
        str, typer.Option(help="Those of the two columns, as in en-sw.", show_default=False)
    ],
    output: ModelFolder,
    pooling: Annotated[
        str, typer.Option(help="softmax learns in fewer passes; max gives sharper probabilities.")
    ] = "softmax",
    encoder: Annotated[str, typer.Option(help="conv (the paper's) or transformer.")] = "conv",
    first: Annotated[
        str,
        typer.Option(
            help="The vectors to begin with: aligned (those of words that the bitext aligns) or"
            " drawn (by chance, as in the paper).",
            show_default="aligned, or drawn with --pretrain",
        ),
    ] = "",
    pretrain: Annotated[
        bool,
        typer.Option("--pretrain", help="Train the encoder in a translation model first."),
    ] = False,
    pretrain_epochs: Annotated[
        int | None, typer.Option(min=1, help="Passes of the translation model.")
    ] = None,
    size: Annotated[
        int | None, typer.Option(min=1, help="Of all vectors; the paper's is 512.")
    ] = None,
    blocks: Annotated[
        int | None,
        typer.Option(min=0, help="Convolutions of width 3, one upon the other; the paper's 15."),
    ] = None,
    subwords: Annotated[
        bool, typer.Option(help="Read words of documents by their character n-grams too.")
    ] = True,
    epochs: Annotated[int | None, typer.Option(min=0, help="Most passes over the pairs.")] = None,
    batch: Annotated[int | None, typer.Option(min=2, help="Sentences of one step.")] = None,
    learning_rate: LearningRate = None,
    patience: Annotated[
        int | None,
        typer.Option(min=0, help="Stop after so many epochs without a better one; 0 never."),
    ] = None,
    seed: Seed = 0,
    restart: Restart = False,
    on_error: AtBadLines = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Train SEARCHER (Barry et al. 2020) on bitext; some pairs are held out to measure it.

    Ctrl-C saves the training; the same command goes on with it.

    [dim]dragoman train searcher en-sw.tsv.gz --languages en-sw -o model --pretrain[/]
    """
    from dragoman.systems.searcher.config import searcher_config
    from dragoman.systems.searcher.job import run_job
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
    )
    faults = Faults(on_error)
    with terminal.training_stages() as stages:
        report = run_job(
            bitext,
            parse_pair(languages),
            config,
            output,
            faults=faults,
            restart=restart,
            stage=stages.stage,
        )
    if not terminal.is_for_people(report, as_json=as_json, faults=faults):
        return
    pairs, error = report["pairs"], report["expected_calibration_error"]
    terminal.out.print(
        f"{terminal.plain(str(output))}: {report['terms']:,} terms of {pairs['training']:,} pairs,"
        f" the model of epoch {report['best_epoch']} of {report['epochs']}",
        soft_wrap=True,
    )
    for name, value in report["held_out"].items():
        terminal.out.print(f"{name:18s} {value:.4f}  on {pairs['held out']:,} held-out pairs")
    terminal.out.print(
        f"calibration error  {error['before']:.4f}, {error['after']:.4f} after scaling"
    )
