"""``dragoman learn embeddings``: word vectors of two languages in one space, from bitext."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.learn.options import Bitext, Dictionaries
from dragoman.cli.options import AsJson, LanguagePair, OnBadLine, OutputFolder, Seed
from dragoman.text.files import Faults, OnError

if TYPE_CHECKING:
    from dragoman.embeddings.bilingual.learning import BilingualEmbeddings


def learn_embeddings(
    languages: LanguagePair,
    output: OutputFolder,
    bitext: Bitext = None,
    dictionary: Dictionaries = None,
    method: Annotated[
        str,
        typer.Option(
            help="direct: both languages factorised together; procrustes: each alone, then joined"
            " by a rotation."
        ),
    ] = "direct",
    dimension: Annotated[int, typer.Option(min=2, help="Embedding dimension.")] = 300,
    min_count: Annotated[
        int, typer.Option(min=1, help="Occurrences that a word needs to get a vector.")
    ] = 1,
    pull: Annotated[
        float, typer.Option(min=0, help="Weight of a word's translations in its vector.")
    ] = 2.0,
    window: Annotated[
        int, typer.Option(min=1, help="Words to each side that are its contexts, for procrustes.")
    ] = 5,
    refinements: Annotated[
        int, typer.Option(min=0, help="Rounds of refinement by CSLS, for procrustes.")
    ] = 0,
    seed: Seed = 0,
    on_error: OnBadLine = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Learn word vectors that two languages share, and measure how well they translate words.

    [dim]dragoman learn embeddings en-sw.tsv.gz --languages en-sw -o vectors[/]
    """
    from dragoman.cli.learn.sources import (
        BitextFiles,
        DictionaryFiles,
        report_faults,
        warn_if_swapped,
    )
    from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
    from dragoman.embeddings.bilingual.methods import Method
    from dragoman.errors import ConfigError
    from dragoman.settings import parse_choice
    from dragoman.text.languages import parse_pair

    source, target = parse_pair(languages)
    if not bitext:
        raise ConfigError("found no bitext; expected files of sentence pairs")
    config = EmbeddingsConfig(
        method=parse_choice(Method, method, "method"),
        dimension=dimension,
        window=window,
        min_count=min_count,
        pull=pull,
        refinements=refinements,
        seed=seed,
    )
    pairs = BitextFiles(bitext, Faults(on_error), (source, target))
    entries = DictionaryFiles(dictionary or [], Faults(on_error))
    warn_if_swapped(pairs, entries)
    with terminal.Stages() as stages:
        embeddings = learn_embeddings(pairs, entries, source, target, config, stages.stage)
    embeddings.save(output)
    report_faults(pairs, entries)
    if as_json:
        terminal.print_json(embeddings.report())
    else:
        _print(embeddings, output)


def _print(embeddings: "BilingualEmbeddings", output: Path) -> None:
    source, target = embeddings.source.language, embeddings.target.language
    terminal.out.print(
        f"{terminal.plain(str(output))}: {len(embeddings.source):,} words of {source} and"
        f" {len(embeddings.target):,} of {target}, {embeddings.source.dimension} dimensions, from"
        f" {embeddings.pairs:,} sentence pairs and {embeddings.entries:,} dictionary entries",
        soft_wrap=True,
    )
    accuracy = embeddings.accuracy
    for name, direction in (
        (f"{source}-{target}", accuracy.forward),
        (f"{target}-{source}", accuracy.backward),
    ):
        measured = (
            f"the nearest word is a correct translation for {direction.csls:.1%} of"
            f" {direction.test_words:,} words (P@1 by CSLS; {direction.cosine:.1%} by cosine;"
            f" {accuracy.origin})"
        )
        terminal.out.print(
            f"{name}: {measured if direction.test_words else 'not measured: no test words'}",
            soft_wrap=True,
        )
