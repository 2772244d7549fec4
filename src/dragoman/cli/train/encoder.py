"""``dragoman train encoder``: a small multilingual transformer, pre-trained on bitext."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from dragoman.cli import terminal
from dragoman.cli.inputs import readable_collections
from dragoman.cli.options import AsJson, OnBadLine, OutputFolder, Seed, SentenceTeacher
from dragoman.cli.train.options import (
    ContrastiveBatchSize,
    Dimension,
    Epochs,
    LearningRate,
    Restart,
    TrainingBitext,
)
from dragoman.cli.train.output import print_best_epoch, print_report, training_stages
from dragoman.text.files import Faults, OnError


def train_encoder(
    bitext: TrainingBitext,
    output: OutputFolder,
    collection: Annotated[
        list[str] | None,
        typer.Option(
            help="A collection whose documents are plain text to train on, without their titles;"
            " repeat it for more.",
            callback=readable_collections,
        ),
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(min=1, help="Sentence pairs of each file at most.")
    ] = None,
    teacher: SentenceTeacher = "",
    first: Annotated[
        str,
        typer.Option(
            help="The token vectors to begin with: shared (from the sentence pairs that tokens have"
            " in common), aligned (these, trained to find translations) or drawn (at random)."
        ),
    ] = "aligned",
    pieces: Annotated[
        int | None, typer.Option(min=100, help="Tokens in the vocabulary of the tokenizer.")
    ] = None,
    size: Dimension = None,
    layers: Annotated[int | None, typer.Option(min=1, help="Transformer layers.")] = None,
    heads: Annotated[int | None, typer.Option(min=1, help="Attention heads per layer.")] = None,
    inner: Annotated[
        int | None, typer.Option(min=1, help="Dimension of a layer's feed-forward part.")
    ] = None,
    bag_epochs: Annotated[
        int | None,
        typer.Option(min=0, help="Epochs that align the token vectors, before the layers train."),
    ] = None,
    bag_steps: Annotated[int | None, typer.Option(min=1, help="Steps per such epoch.")] = None,
    ranking: Annotated[
        float | None,
        typer.Option(
            min=0, help="Weight of the loss of finding translations; 0 leaves masked tokens only."
        ),
    ] = None,
    comparing: Annotated[
        float | None,
        typer.Option(min=0, help="Weight of the loss of classifying pairs as translations or not."),
    ] = None,
    epochs: Epochs = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps per epoch.")] = None,
    batch: ContrastiveBatchSize = None,
    learning_rate: LearningRate = None,
    seed: Seed = 0,
    restart: Restart = False,
    on_error: OnBadLine = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Pre-train a small multilingual transformer, saved in the format of Hugging Face.

    It learns to predict masked tokens in texts and in sentence pairs, to find translations and to
    distinguish them from other texts; some pairs are held out to measure it. The first column of
    all bitext is in the same language. Ctrl-C saves the training; the same command resumes it.

    [dim]dragoman train encoder en-de.tsv.gz en-sw.tsv.gz -o encoder[/]
    """
    from dragoman.encoders.sentence_encoder import load_encoder
    from dragoman.training.pretraining.config import pretrain_config
    from dragoman.training.pretraining.pipeline import run_pipeline

    config = pretrain_config(
        first=first,
        epochs=epochs,
        learning_rate=learning_rate,
        batch=batch,
        pairs=pairs,
        steps=steps,
        seed=seed,
        encoder={
            "pieces": pieces,
            "size": size,
            "layers": layers,
            "heads": heads,
            "inner": inner,
        },
        objective={"ranking": ranking, "comparing": comparing},
        bag_epochs=bag_epochs,
        bag_steps=bag_steps,
    )
    faults = Faults(on_error)
    with training_stages(output) as stages:
        report = run_pipeline(
            bitext,
            config,
            output,
            collections=collection or (),
            teacher=load_encoder(teacher) if teacher else None,
            faults=faults,
            restart=restart,
            stage=stages.stage,
        )
    print_report(report, partial(_print, output), as_json=as_json, faults=faults)


def _print(output: Path, report: dict[str, Any]) -> None:
    print_best_epoch(output, f"{report['vocabulary']:,} pieces, the encoder", report)
    comparison = report["comparing"]
    for name, retrieval in report["retrieval"].items():
        auc = f", AUC {comparison[name]:.4f} against exchanged pairs" if name in comparison else ""
        terminal.out.print(
            f"{terminal.plain(name):12s} {retrieval['accuracy']:.4f}  of translations retrieved"
            f" among {retrieval['pairs']:,}{auc}",
            soft_wrap=True,
        )
    perplexity = report["perplexity"]
    terminal.out.print(
        f"perplexity   {perplexity['apart']:,.1f}, {perplexity['together']:,.1f} given the"
        " translation",
        soft_wrap=True,
    )
