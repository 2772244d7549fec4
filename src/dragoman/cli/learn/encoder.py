"""``dragoman learn encoder``: a student for a language that the sentence encoder lacks."""

from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.learn.options import Bitext, Dictionaries
from dragoman.cli.options import (
    AsJson,
    LanguagePair,
    OnBadLine,
    OutputFolder,
    Seed,
    SentenceTeacher,
)
from dragoman.text.files import Faults, OnError


def learn_encoder(
    languages: LanguagePair,
    output: OutputFolder,
    bitext: Bitext = None,
    dictionary: Dictionaries = None,
    teacher: SentenceTeacher = "default",
    rows: Annotated[
        int,
        typer.Option(min=1000, help="Words and n-grams that get a vector; fewer make it smaller."),
    ] = 60_000,
    bits: Annotated[
        int, typer.Option(help="Bits per number: 8, 4, 2 or 1; fewer make it smaller.")
    ] = 8,
    seed: Seed = 0,
    on_error: OnBadLine = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Distil a student encoder for a new language from sentence pairs, in minutes.

    The first of --languages is one that the sentence encoder supports, the second is the new one.

    [dim]dragoman learn encoder en-sw.tsv.gz --languages en-sw -o swahili[/]
    """
    from dataclasses import asdict

    from dragoman.cli.learn.sources import (
        BitextFiles,
        DictionaryFiles,
        report_faults,
        warn_if_swapped,
    )
    from dragoman.encoders.learning import StudentConfig, learn_student
    from dragoman.encoders.sentence_encoder import load_encoder
    from dragoman.encoders.subwords import SubwordConfig
    from dragoman.text.languages import parse_pair

    known, language = parse_pair(languages)
    encoder = load_encoder(teacher)
    encoder.require(known)
    config = StudentConfig(
        vocabulary=SubwordConfig(rows=rows),
        bits=bits,
        seed=seed,
    )
    pairs = BitextFiles(bitext or [], Faults(on_error), (known, language))
    entries = DictionaryFiles(dictionary or [], Faults(on_error))
    warn_if_swapped(pairs, entries)
    with terminal.Stages() as stages:
        result = learn_student(list(pairs), list(entries), language, encoder, config, stages.stage)
    result.student.save(output)
    report_faults(pairs, entries)
    if as_json:
        terminal.print_json({"language": language, **asdict(result.accuracy)})
        return
    size = sum(path.stat().st_size for path in output.iterdir()) / 1e6
    accuracy = result.accuracy
    terminal.out.print(f"{terminal.plain(str(output))}: {language}, {size:.1f} MB")
    terminal.out.print(
        f"of {accuracy.among:,} held-out sentences, the translation comes first:"
        f" {language}-{known} {accuracy.to_known:.1%}, {known}-{language} {accuracy.from_known:.1%}"
    )
