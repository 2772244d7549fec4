"""``dragoman learn lexicon``: a translation table from bitext, a dictionary, or both."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.learn.options import Bitext, Dictionaries
from dragoman.cli.options import AsJson, LanguagePair, OnBadLine, OutputFolder
from dragoman.text.files import Faults, OnError

if TYPE_CHECKING:
    from dragoman.lexicons.alignment.aligner import EmRound
    from dragoman.lexicons.report import LexiconReport


def learn_lexicon(
    languages: LanguagePair,
    output: OutputFolder,
    bitext: Bitext = None,
    dictionary: Dictionaries = None,
    rounds: Annotated[int, typer.Option(min=1, help="EM iterations of IBM Model 1.")] = 5,
    hmm_rounds: Annotated[
        int, typer.Option(min=0, help="EM iterations of the HMM after it, which learns word order.")
    ] = 5,
    compounds: Annotated[
        bool, typer.Option(help="Split compounds in languages that write them as one word.")
    ] = True,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Threads; the result does not depend on them.")
    ] = None,
    on_error: OnBadLine = OnError.STOP,
    as_json: AsJson = False,
) -> None:
    """Learn a translation table from sentence pairs, a dictionary, or both.

    [dim]dragoman learn lexicon corpus.tsv --dictionary words.tsv --languages en-sw -o en-sw[/]
    """
    from contextlib import ExitStack
    from dataclasses import replace

    from dragoman.cli.learn.sources import (
        BitextFiles,
        DictionaryFiles,
        report_faults,
        warn_if_swapped,
    )
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
    warn_if_swapped(pairs, entries)
    with ExitStack() as reading:

        def report_round(training_round: "EmRound") -> None:
            reading.close()  # the first round begins when all is read
            _print_round(training_round)

        result = learn_from(
            *(pairs, entries, source, target),
            LexiconConfig(alignment=alignment, split_compounds=compounds),
            advance=reading.enter_context(terminal.progress("reading")),
            on_round=report_round,
        )
    result.lexicon.save(output)
    report_faults(pairs, entries)
    summary = lexicon_report(result)
    if as_json:
        terminal.print_json(summary.as_json())
    else:
        _print(summary, output)


def _print_round(training_round: "EmRound") -> None:
    terminal.err.print(
        f"{training_round.model}, round {training_round.number}: log likelihood"
        f" {training_round.log_likelihood:,.0f}, perplexity"
        f" {training_round.forward_perplexity:,.1f} forward,"
        f" {training_round.backward_perplexity:,.1f} backward",
        soft_wrap=True,
    )


def _print(summary: "LexiconReport", output: Path) -> None:
    from dragoman.text.languages import name

    show = terminal.out.print
    show(
        f"Learnt {summary.languages} from {summary.pairs:,} sentence pairs and {summary.entries:,}"
        f" dictionary entries ({summary.left_out:,} left out): {summary.word_pairs:,} word pairs"
        f" in {terminal.plain(str(output))}",
        soft_wrap=True,
    )
    for side in summary.sides:
        show(
            f"\n[bold]{name(side.language)}[/]: {side.words:,} words,"
            f" {side.translated_words:.1%} of them and {side.coverage:.1%} of the running text"
            f" translated, {side.entropy:.2f} bits per word",
            soft_wrap=True,
        )
        width = max(map(len, side.translations), default=0)
        for word, best in side.translations.items():
            listed = ", ".join(f"{terminal.plain(other)} {share:.2f}" for other, share in best)
            show(f"  {terminal.plain(word):<{width}}  {listed}", soft_wrap=True)
    show("\n[bold]Alignments[/]")
    for sample in summary.samples:
        links = (f"{sample.source[i]}={sample.target[j]}" for i, j in sorted(sample.links))
        show(f"  {terminal.plain(' '.join(links))}", soft_wrap=True)
