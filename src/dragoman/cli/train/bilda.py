"""``dragoman train bilda``: topics that two languages share, from aligned documents."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.inputs import readable_collections
from dragoman.cli.options import (
    AsJson,
    LanguagePair,
    OnBadLine,
    OutputFolder,
    Seed,
    SweepCount,
    TopicCount,
)
from dragoman.text.files import Faults, OnError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dragoman.systems.bilda.aligned_texts import AlignedTexts
    from dragoman.systems.bilda.model import TopicModel
    from dragoman.systems.bilda.sampler import Sweep

EVERYTHING = "all"
REPORT_EVERY = 25  # sweeps between two reports of the perplexity
SHOWN_TOPICS, SHOWN_WORDS = 5, 8


def train_bilda(
    source: Annotated[
        list[str],
        typer.Argument(
            help="A collection with documents in both languages, or two line-aligned files.",
            show_default=False,
            callback=readable_collections,
        ),
    ],
    languages: LanguagePair,
    output: OutputFolder,
    topics: TopicCount = 300,
    alpha: Annotated[
        float | None,
        typer.Option(help="Prior of topics in a document.", show_default="50 / topics"),
    ] = None,
    beta: Annotated[float, typer.Option(help="Prior of words in a topic.")] = 0.01,
    burn_in: Annotated[
        int, typer.Option(min=0, help="Gibbs sweeps before the first sample.")
    ] = 200,
    every: Annotated[int, typer.Option(min=1, help="Gibbs sweeps from sample to sample.")] = 25,
    sweeps: SweepCount = 500,
    seed: Seed = 0,
    split: Annotated[
        str,
        typer.Option(
            help=f"Learn from items whose query is in this split; {EVERYTHING!r} takes every item."
        ),
    ] = "train",
    on_error: OnBadLine = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Learn topics that two languages share from documents that are in both.

    An interrupted training is saved; the same command resumes it.

    [dim]dragoman train bilda libreoffice-help --languages en-fr -o topics-en-fr[/]
    """
    import shutil

    from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
    from dragoman.systems.bilda.corpus import build_corpus
    from dragoman.systems.bilda.training import train
    from dragoman.text.languages import parse_pair

    pair = parse_pair(languages)
    schedule = SamplingSchedule(burn_in=burn_in, every=every, sweeps=sweeps)
    config = TopicConfig(topics=topics, alpha=alpha, beta=beta, schedule=schedule, seed=seed)
    faults = Faults(on_error)
    with terminal.progress("reading") as advance:
        items = _items(source, pair, split, faults)
        corpus = build_corpus(items, pair, config.tokenizer, config.first, advance)
    checkpoint = output.with_name(f"{output.name}.training")
    with terminal.progress("sweeps", sweeps) as advance:
        done = 0

        def report_sweep(sweep: "Sweep") -> None:
            nonlocal done
            advance(sweep.number - done)  # a resumed training begins with a later sweep
            done = sweep.number
            if sweep.number % REPORT_EVERY == 0 or sweep.number == 1:
                _print_sweep(sweep)

        model = train(corpus, config, checkpoint, report_sweep)
    model.save(output)
    shutil.rmtree(checkpoint, ignore_errors=True)
    terminal.report(faults)
    if as_json:
        terminal.print_json(_report(model))
    else:
        _print(model, output)


def _items(
    source: list[str], pair: tuple[str, str], split: str, faults: Faults
) -> "Iterator[AlignedTexts]":
    from dragoman.systems.bilda.aligned_texts import collection_texts, comparable_texts
    from dragoman.text.collection import Collection

    if len(source) > 1:
        return comparable_texts([Path(path) for path in source], pair, faults)
    chosen = None if split == EVERYTHING else split
    return collection_texts(Collection.open(source[0], faults), pair, chosen)


def _print_sweep(sweep: "Sweep") -> None:
    sampled = ", sampled" if sweep.sampled else ""
    terminal.err.print(f"sweep {sweep.number}: perplexity {sweep.perplexity:,.1f}{sampled}")


def _report(model: "TopicModel") -> dict[str, object]:
    return {
        "languages": list(model.languages),
        "topics": model.config.topics,
        "samples": model.samples,
        **model.facts,
        "words": {
            code: len(words)
            for code, words in zip(model.languages, model.vocabularies, strict=True)
        },
        "largest": _largest(model),
    }


def _largest(model: "TopicModel") -> list[dict[str, list[str]]]:
    """The best words of the largest topics, by language."""
    largest = model.totals.sum(axis=0).argsort()[::-1][:SHOWN_TOPICS].tolist()
    return [
        {code: model.top_words(topic, code, SHOWN_WORDS) for code in model.languages}
        for topic in largest
    ]


def _print(model: "TopicModel", output: Path) -> None:
    facts = model.facts
    terminal.out.print(
        f"Learnt {model.config.topics:,} topics of {' and '.join(model.languages)} from"
        f" {facts['documents']:,} documents ({facts['running_words']:,} words),"
        f" {model.samples} samples, in {terminal.plain(str(output))}",
        soft_wrap=True,
    )
    for number, topic in enumerate(_largest(model), start=1):
        terminal.out.print(f"\n[bold]topic {number}[/]")
        for code, words in topic.items():
            terminal.out.print(f"  {code}  {terminal.plain(' '.join(words))}", soft_wrap=True)
