"""``dragoman learn lexicon``: a translation table from bitext, a dictionary, or both."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.learn.options import Bitext, Dictionaries
from dragoman.cli.options import AsJson, AtBadLines
from dragoman.text.files import Faults, OnError

if TYPE_CHECKING:
    from dragoman.lexicons.alignment.aligner import EmRound
    from dragoman.lexicons.report import LexiconReport
    from dragoman.types import DictionaryEntry, SentencePair


@dataclass
class BitextFiles:
    """Sentence pairs that are read from their files each time they are asked for."""

    paths: list[str]
    faults: Faults  # of the last reading
    languages: tuple[str, str]

    def __iter__(self) -> "Iterator[SentencePair]":
        from dragoman.text.source import read_bitext

        self.faults = Faults(self.faults.on_error)
        return read_bitext(self.paths, self.faults, languages=self.languages)


@dataclass
class DictionaryFiles:
    """Dictionary entries that are read from their files each time they are asked for."""

    paths: list[Path]
    faults: Faults  # of the last reading

    def __iter__(self) -> "Iterator[DictionaryEntry]":
        from dragoman.text.source import read_dictionary

        self.faults = Faults(self.faults.on_error)
        for path in self.paths:
            yield from read_dictionary(path, self.faults)


def learn_lexicon(
    languages: Annotated[
        str,
        typer.Option(
            help="The two languages in the order of the columns, as in en-sw.", show_default=False
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The lexicon's folder.", show_default=False)
    ],
    bitext: Bitext = None,
    dictionary: Dictionaries = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of IBM Model 1.")] = 5,
    hmm_rounds: Annotated[
        int, typer.Option(min=0, help="Rounds of the HMM after it, which learns word order.")
    ] = 5,
    compounds: Annotated[
        bool, typer.Option(help="Split compounds in languages that write them as one word.")
    ] = True,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Threads; the result does not depend on them.")
    ] = None,
    on_error: AtBadLines = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Learn a translation table from sentence pairs, a dictionary, or both.

    [dim]dragoman learn lexicon corpus.tsv --dictionary words.tsv --languages en-sw -o en-sw[/]
    """
    from contextlib import ExitStack
    from dataclasses import replace

    from dragoman.errors import ConfigError
    from dragoman.lexicons.alignment.aligner import AlignmentConfig
    from dragoman.lexicons.learning import LexiconConfig
    from dragoman.lexicons.learning import learn_lexicon as learn_from
    from dragoman.lexicons.report import lexicon_report
    from dragoman.text.languages import parse_pair

    source, target = parse_pair(languages)
    if not bitext and not dictionary:
        raise ConfigError("found no bitext and no dictionary; expected files of one or the other")
    alignment = AlignmentConfig(model1_rounds=rounds, hmm_rounds=hmm_rounds)
    if workers is not None:
        alignment = replace(alignment, workers=workers)
    pairs = BitextFiles(bitext or [], Faults(on_error), (source, target))
    entries = DictionaryFiles(dictionary or [], Faults(on_error))
    with ExitStack() as reading:

        def say_round(found: "EmRound") -> None:
            reading.close()  # the first round begins when all is read
            _say(found)

        learnt = learn_from(
            *(pairs, entries, source, target),
            LexiconConfig(alignment=alignment, split_compounds=compounds),
            advance=reading.enter_context(terminal.progress("reading")),
            on_round=say_round,
        )
    learnt.lexicon.save(output)
    for faults in (pairs.faults, entries.faults):
        terminal.report(faults)
    found = lexicon_report(learnt)
    if as_json:
        terminal.print_json(found.as_json())
    else:
        _print(found, output)


def _say(found: "EmRound") -> None:
    terminal.err.print(
        f"{found.model}, round {found.number}: log likelihood {found.log_likelihood:,.0f},"
        f" perplexity {found.forward_perplexity:,.1f} there, {found.backward_perplexity:,.1f} back",
        soft_wrap=True,
    )


def _print(found: "LexiconReport", output: Path) -> None:
    from dragoman.text.languages import name

    say = terminal.out.print
    say(
        f"Learnt {found.languages} from {found.pairs:,} sentence pairs and {found.entries:,}"
        f" dictionary entries ({found.left_out:,} left out): {found.word_pairs:,} word pairs"
        f" in {terminal.plain(str(output))}",
        soft_wrap=True,
    )
    for side in found.sides:
        say(
            f"\n[bold]{name(side.language)}[/]: {side.words:,} words,"
            f" {side.translated_words:.1%} of them and {side.coverage:.1%} of the running text"
            f" translated, {side.entropy:.2f} bits per word",
            soft_wrap=True,
        )
        width = max(map(len, side.translations), default=0)
        for word, best in side.translations.items():
            listed = ", ".join(f"{terminal.plain(other)} {share:.2f}" for other, share in best)
            say(f"  {terminal.plain(word):<{width}}  {listed}", soft_wrap=True)
    say("\n[bold]Alignments[/]")
    for sample in found.samples:
        links = (f"{sample.source[i]}={sample.target[j]}" for i, j in sorted(sample.links))
        say(f"  {terminal.plain(' '.join(links))}", soft_wrap=True)
