"""``dragoman train encoder``: a small multilingual transformer of our own, from bitext."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AsJson, AtBadLines, Restart, Seed
from dragoman.text.files import Faults, OnError


def train_encoder(
    bitext: Annotated[
        list[Path],
        typer.Argument(
            help="Sentence pairs, .tsv or .tmx (also .gz, .zst), or folders of them; all have their"
            " first column in the same language.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The encoder's folder.", show_default=False)
    ],
    collection: Annotated[
        list[str] | None,
        typer.Option(
            help="A collection whose documents are read as plain text, without titles; again for"
            " further ones."
        ),
    ] = None,
    pairs: Annotated[
        int | None, typer.Option(min=1, help="Most pairs of each file that are read.")
    ] = None,
    teacher: Annotated[
        str,
        typer.Option(
            help="A sentence encoder whose vectors the new one learns to repeat: 'default', or the"
            " folder of one."
        ),
    ] = "",
    first: Annotated[
        str,
        typer.Option(
            help="The token vectors to begin with: shared (of tokens that stand in the same"
            " sentence pairs), aligned (these, trained to find translations) or drawn (by chance)."
        ),
    ] = "aligned",
    pieces: Annotated[int | None, typer.Option(min=100, help="Of the tokenizer.")] = None,
    size: Annotated[int | None, typer.Option(min=1, help="Of all vectors.")] = None,
    layers: Annotated[int | None, typer.Option(min=1, help="One upon the other.")] = None,
    heads: Annotated[int | None, typer.Option(min=1, help="Of attention.")] = None,
    inner: Annotated[
        int | None, typer.Option(min=1, help="Size of a layer's feed-forward part.")
    ] = None,
    bag_epochs: Annotated[
        int | None, typer.Option(min=0, help="Of aligned token vectors, before the layers.")
    ] = None,
    bag_steps: Annotated[int | None, typer.Option(min=1, help="Of one of these.")] = None,
    ranking: Annotated[
        float | None,
        typer.Option(min=0, help="Weight of finding translations; 0 only tells hidden tokens."),
    ] = None,
    comparing: Annotated[
        float | None,
        typer.Option(min=0, help="Weight of telling translations from other texts, side by side."),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=0, help="After each it is measured and saved.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Of an epoch.")] = None,
    batch: Annotated[int | None, typer.Option(min=2, help="Pairs of one step.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Adam's highest step.")] = None,
    seed: Seed = 0,
    restart: Restart = False,
    on_error: AtBadLines = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Pre-train a small multilingual transformer, saved as Hugging Face's libraries save one.

    It learns to tell hidden words of texts and of sentence pairs, to find translations and to tell
    them from other texts; some pairs are held out to measure it. Ctrl-C saves the training; the
    same command goes on with it.

    [dim]dragoman train encoder en-de.tsv.gz en-sw.tsv.gz -o encoder[/]
    """
    from dragoman.encoders.sentence_encoder import load_encoder
    from dragoman.training.pretraining.config import pretrain_config
    from dragoman.training.pretraining.job import run_job

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
    with terminal.training_stages() as stages:
        report = run_job(
            bitext,
            config,
            output,
            collections=collection or (),
            teacher=load_encoder(teacher) if teacher else None,
            faults=faults,
            restart=restart,
            stage=stages.stage,
        )
    if terminal.is_for_people(report, as_json=as_json, faults=faults):
        _print(report, output)


def _print(report: dict[str, object], output: Path) -> None:
    terminal.out.print(
        f"{terminal.plain(str(output))}: {report['vocabulary']:,} pieces, the encoder of epoch"
        f" {report['best_epoch']} of {report['epochs']}",
        soft_wrap=True,
    )
    retrieval, told, perplexity = (
        report[name] for name in ("retrieval", "comparing", "perplexity")
    )
    assert isinstance(retrieval, dict)
    assert isinstance(told, dict)
    assert isinstance(perplexity, dict)
    for name, found in retrieval.items():
        compared = f", {told[name]:.4f} AUC beside exchanged ones" if name in told else ""
        terminal.out.print(
            f"{terminal.plain(name):12s} {found['accuracy']:.4f}  translations found among"
            f" {found['pairs']:,}{compared}",
            soft_wrap=True,
        )
    terminal.out.print(
        f"perplexity   {perplexity['apart']:,.1f}, {perplexity['together']:,.1f} beside the"
        " translation",
        soft_wrap=True,
    )
