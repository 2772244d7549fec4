"""``dragoman learn encoder``: a student for a language that the sentence encoder does not know."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.learn.options import Bitext, Dictionaries
from dragoman.cli.options import AsJson, AtBadLines
from dragoman.text.files import OnError


def learn_encoder(
    languages: Annotated[
        str,
        typer.Option(
            help="The language that the encoder knows and the one to learn, in the order of the"
            " columns, as in en-sw.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The student's folder.", show_default=False)
    ],
    bitext: Bitext = None,
    dictionary: Dictionaries = None,
    teacher: Annotated[str, typer.Option(help="The encoder to learn from.")] = "default",
    rows: Annotated[
        int, typer.Option(min=1000, help="Words and n-grams that get a row; fewer is smaller.")
    ] = 60_000,
    bits: Annotated[int, typer.Option(help="Bits a number: 8, 4, 2 or 1; fewer is smaller.")] = 8,
    seed: Annotated[int, typer.Option(help="Decides which pairs are held out.")] = 0,
    on_error: AtBadLines = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Teach the sentence encoder a language from sentence pairs, in minutes.

    [dim]dragoman learn encoder en-sw.tsv.gz --languages en-sw -o swahili[/]
    """
    from dataclasses import asdict

    from dragoman.encoders.learning import StudentConfig, learn_student
    from dragoman.encoders.sentence_encoder import load_encoder
    from dragoman.encoders.subwords import SubwordConfig
    from dragoman.text.files import Faults
    from dragoman.text.languages import parse_pair
    from dragoman.text.source import read_bitext, read_dictionary

    known, language = parse_pair(languages)
    faults = Faults(on_error)
    encoder = load_encoder(teacher)
    encoder.require(known)
    config = StudentConfig(
        vocabulary=SubwordConfig(rows=rows),
        bits=bits,
        seed=seed,
    )
    pairs = list(read_bitext(bitext, faults, languages=(known, language))) if bitext else []
    entries = [entry for path in dictionary or () for entry in read_dictionary(path, faults)]
    with terminal.Stages() as stages:
        learnt = learn_student(pairs, entries, language, encoder, config, stages.stage)
    learnt.student.save(output)
    terminal.report(faults)
    if as_json:
        terminal.print_json({"language": language, **asdict(learnt.accuracy)})
        return
    size = sum(path.stat().st_size for path in output.iterdir()) / 1e6
    found = learnt.accuracy
    terminal.out.print(f"{terminal.plain(str(output))}: {language}, {size:.1f} MB")
    terminal.out.print(
        f"of {found.among:,} held-out sentences, the translation comes first:"
        f" {language}-{known} {found.to_known:.1%}, {known}-{language} {found.from_known:.1%}"
    )
