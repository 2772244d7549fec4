"""``dragoman learn embeddings``: word vectors of two languages in one space, from bitext."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.learn.options import Bitext, Dictionaries
from dragoman.cli.options import AsJson, AtBadLines
from dragoman.text.files import OnError

if TYPE_CHECKING:
    from dragoman.embeddings.bilingual.learning import BilingualEmbeddings


def learn_embeddings(
    languages: Annotated[
        str,
        typer.Option(
            help="The two languages in the order of the columns, as in en-sw.", show_default=False
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="A folder; it gets one of each language.", show_default=False
        ),
    ],
    bitext: Bitext = None,
    dictionary: Dictionaries = None,
    method: Annotated[
        str,
        typer.Option(
            help="direct: both languages factorised together; procrustes: each by itself, then"
            " joined by a rotation."
        ),
    ] = "direct",
    dimension: Annotated[int, typer.Option(min=2, help="Numbers a vector.")] = 300,
    min_count: Annotated[
        int, typer.Option(min=1, help="Sightings that a word needs to get a vector.")
    ] = 1,
    pull: Annotated[
        float, typer.Option(min=0, help="How much a word's translations count in its vector.")
    ] = 2.0,
    window: Annotated[
        int, typer.Option(min=1, help="Words to each side that are contexts, for procrustes.")
    ] = 5,
    refinements: Annotated[
        int, typer.Option(min=0, help="Rounds of refinement by CSLS, for procrustes.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Decides what is held out to measure by.")] = 0,
    on_error: AtBadLines = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Learn word vectors that two languages share, and how often they translate a word right.

    [dim]dragoman learn embeddings en-sw.tsv.gz --languages en-sw -o vectors[/]
    """
    from dragoman.embeddings.bilingual.learning import EmbeddingsConfig, learn_embeddings
    from dragoman.embeddings.bilingual.methods import Method
    from dragoman.errors import ConfigError
    from dragoman.settings import parse_choice
    from dragoman.text.files import Faults
    from dragoman.text.languages import parse_pair
    from dragoman.text.source import read_bitext, read_dictionary

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
    faults = Faults(on_error)
    pairs = read_bitext(bitext, faults, languages=(source, target))
    entries = (entry for path in dictionary or () for entry in read_dictionary(path, faults))
    with terminal.Stages() as stages:
        learnt = learn_embeddings(pairs, entries, source, target, config, stages.stage)
    learnt.save(output)
    terminal.report(faults)
    if as_json:
        terminal.print_json(learnt.report())
    else:
        _print(learnt, output)


def _print(learnt: "BilingualEmbeddings", output: Path) -> None:
    say = terminal.out.print
    source, target = learnt.source.language, learnt.target.language
    say(
        f"{terminal.plain(str(output))}: {len(learnt.source):,} words of {source} and"
        f" {len(learnt.target):,} of {target}, {learnt.source.dimension} numbers each, from"
        f" {learnt.pairs:,} sentence pairs and {learnt.entries:,} dictionary entries",
        soft_wrap=True,
    )
    found = learnt.accuracy
    for name, way in (
        (f"{source}-{target}", found.forward),
        (f"{target}-{source}", found.backward),
    ):
        measured = (
            f"the nearest word is a right translation for {way.csls:.1%} of {way.asked:,} words"
            f" (P@1 by CSLS; {way.cosine:.1%} by cosine; {found.origin})"
        )
        say(
            f"{name}: {measured if way.asked else 'not measured: nothing was left to ask'}",
            soft_wrap=True,
        )
