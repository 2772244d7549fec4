"""``dragoman search`` and ``run``: queries to an index."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.probabilities import MinProbability, expect_probabilities, likely
from dragoman.ranking.balance import Balance
from dragoman.text.files import OnError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.padding import Padding

    from dragoman.indexes.index import Index
    from dragoman.indexes.search.answer import Answer
    from dragoman.indexes.search.reranking import Rerank
    from dragoman.indexes.search.snippets import Snippet
    from dragoman.types import Ranking

IndexFolder = Annotated[Path, typer.Argument(metavar="INDEX", help="An index folder.")]
QueryLanguage = Annotated[
    str, typer.Option("--query-language", help="The query's language; detected where not given.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Within = Annotated[
    str, typer.Option("--in", help="Only documents in these languages, as in fr,it.")
]
Where = Annotated[
    list[str] | None,
    typer.Option(help="Only documents whose metadata fits, as in 'year>=2019' or author=Anna."),
]


Balanced = Annotated[
    Balance, typer.Option(help="Keep one language from flooding the list, or let it.")
]
SecondSystem = Annotated[
    str,
    typer.Option(
        "--rerank",
        metavar="SYSTEM",
        help="Let another system read the best documents once more: idf, bm25, dense ..., or the"
        " folder of a trained one. The first time it may read the whole index.",
    ),
]
SecondWeight = Annotated[
    float, typer.Option("--rerank-weight", help="Its share of the score.", min=0.0, max=1.0)
]
SecondDepth = Annotated[
    int, typer.Option("--rerank-depth", help="How many documents it reads.", min=1)
]
SecondSeconds = Annotated[
    float,
    typer.Option(
        "--rerank-seconds",
        help="How long it may read for a query; what it does not reach stays below in its order."
        " 0 waits until it is done.",
        min=0.0,
    ),
]


def search(
    index: IndexFolder,
    query: Annotated[str, typer.Argument(help="A question or a few words, in any language.")],
    k: Annotated[int, typer.Option("-k", help="How many documents.", min=1)] = 10,
    query_language: QueryLanguage = "",
    within: Within = "",
    where: Where = None,
    balance: Balanced = Balance.CALIBRATED,
    rerank: SecondSystem = "",
    rerank_weight: SecondWeight = 0.5,
    rerank_depth: SecondDepth = 100,
    rerank_seconds: SecondSeconds = 0.0,
    min_probability: MinProbability = 0.0,
    json: Json = False,
) -> None:
    """Print the K best documents of INDEX for QUERY.

    [dim]dragoman search my-index "come funzionano le maree" --in de,fr[/]
    """
    import dragoman
    from dragoman.text.languages import parse_list

    languages = parse_list(within) if within else None
    with dragoman.open(index) as opened:
        if min_probability:
            expect_probabilities(opened, rerank)
        answer = opened.search(
            query,
            k,
            language=query_language,
            within=languages,
            where=where or (),
            balance=Balance.OFF if min_probability else balance,
            rerank=second_stage(opened, rerank, rerank_weight, rerank_depth, rerank_seconds),
            snippet_length=two_lines(),
        )
        answer = likely(answer, min_probability) if min_probability else answer
        for warning in [] if json else answer.warnings:
            terminal.warn(warning)
        if json:
            terminal.print_json(answer_fields(answer))
        else:
            print_answer(answer)


def second_stage(
    index: "Index", system: str, weight: float, depth: int, seconds: float
) -> "Rerank | None":
    """The second stage that the options ask for, made ready with a progress bar."""
    if not system:
        return None
    from dragoman.indexes.search.reranking import Rerank

    rerank = Rerank(system, weight, depth, seconds or None)
    with terminal.late_progress(f"reading for {rerank.name}", index.count()) as advance:
        index.second_stage(rerank, advance)
    return rerank


def answer_fields(answer: "Answer") -> dict[str, object]:
    """The answer as ``--json`` prints it."""
    from dataclasses import asdict

    hits = [
        {
            "rank": rank,
            "id": result.hit.doc_id,
            "score": result.hit.score,
            "parts": [asdict(part) for part in result.hit.parts],
            "language": result.document.language,
            "title": result.document.title,
            "text": result.document.text,
            "snippet": asdict(result.snippet),
            "words": list(result.words),
            "metadata": dict(result.document.metadata),
        }
        for rank, result in enumerate(answer.results, start=1)
    ]
    return {
        "query": answer.query.text,
        "language": answer.query.language,
        "detected": answer.detection is not None,
        "warnings": list(answer.warnings),
        "hits": hits,
    }


def print_answer(answer: "Answer") -> None:
    """The answer as a person reads it: rank, score, language, title, and the passage that met."""
    from dragoman.text.languages import name

    how = f", {answer.detection.reason}" if answer.detection and answer.detection.reason else ""
    terminal.out.print(f"[bold]{terminal.plain(answer.query.text)}[/]", end=" ")
    terminal.out.print(f"[dim]({name(answer.query.language)}{how})[/]")
    if not answer.results:
        terminal.out.print("  nothing found")
    for rank, result in enumerate(answer.results, start=1):
        document = result.document
        title = document.title or document.doc_id
        terminal.out.print(
            f"{rank:3d}  [cyan]{document.language:3s}[/] [bold]{terminal.plain(title)}[/]"
            f"  [dim]{result.hit.score:.3f}  {terminal.plain(document.doc_id)}[/]",
            soft_wrap=True,
        )
        terminal.out.print(marked(result.snippet))


def marked(passage: "Snippet") -> "Padding":
    """A snippet with the met words in colour."""
    from rich.padding import Padding
    from rich.text import Text as Line

    line = Line(passage.text)
    for start, end in passage.marks:
        line.stylize("green", start, end)
    return Padding(line, (0, 2, 0, 9))


def two_lines() -> int:
    """The characters that fit two lines below a title."""
    return 2 * (min(terminal.out.width, 100) - 10)


def run(
    index: IndexFolder,
    queries: Annotated[Path, typer.Option(help="Queries: .jsonl, .tsv, .csv, BEIR, irds:NAME.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The TREC run to write.")],
    k: Annotated[int, typer.Option("-k", help="How many documents per query.", min=1)] = 1000,
    query_language: QueryLanguage = "",
    within: Within = "",
    where: Where = None,
    balance: Balanced = Balance.CALIBRATED,
    rerank: SecondSystem = "",
    rerank_weight: SecondWeight = 0.5,
    rerank_depth: SecondDepth = 100,
    rerank_seconds: SecondSeconds = 0.0,
    split: Annotated[str, typer.Option(help="Only queries of this split, as in test.")] = "",
    on_error: Annotated[
        OnError, typer.Option(help="At a bad line: stop, or skip and count.")
    ] = OnError.STOP,
) -> None:
    """Search INDEX for many queries and write a TREC run, with its signature beside it.

    [dim]dragoman run my-index --queries queries.jsonl -o run.trec[/]
    """
    import dragoman
    from dragoman.text.files import Faults
    from dragoman.text.formats.trec import write_run
    from dragoman.text.languages import parse_list
    from dragoman.text.source import read_queries

    faults = Faults(on_error)
    asked = [
        query
        for query in read_queries(str(queries), faults, language=query_language)
        if not split or query.metadata.get("split") == split
    ]
    languages = parse_list(within) if within else None
    with dragoman.open(index) as opened:
        second = second_stage(opened, rerank, rerank_weight, rerank_depth, rerank_seconds)
        scope = opened.scope(languages, where or (), balance)
        opened.warm_up()
        with terminal.progress("searching", len(asked)) as advance:
            warnings: dict[str, int] = {}
            rankings = noted(opened.rank_all(asked, k, scope, advance, second), warnings)
            write_run(output, rankings, tag=run_tag(opened, second))
        write_signature(
            opened,
            output,
            queries=str(queries),
            k=k,
            within=within,
            split=split,
            balance=str(balance),
            rerank=second and second.settings,
            cut_short=sum(warnings.values()),
        )
        declared = sorted({query.language for query in asked if query.language})
        for warning in opened.system.warnings(declared):
            terminal.warn(warning)
        if warnings:
            times = sum(warnings.values())
            terminal.warn(f"of {times:,} of {len(asked):,} queries: {next(iter(warnings))}")
    terminal.out.print(f"{output}: {len(asked):,} queries searched in {index}", soft_wrap=True)
    terminal.report(faults)


def noted(rankings: "Iterable[Ranking]", warnings: dict[str, int]) -> "Iterator[Ranking]":
    """The rankings as they come; what they note is counted."""
    for ranking in rankings:
        for warning in ranking.warnings:
            warnings[warning] = warnings.get(warning, 0) + 1
        yield ranking


def run_tag(index: "Index", second: "Rerank | None") -> str:
    """The run's name in its last column: the systems of both stages."""
    stages = [index.manifest.system, *([second.name] if second else [])]
    return "dragoman-" + "-".join(stages)


def write_signature(index: "Index", run_file: Path, **settings: object) -> None:
    """Say beside the run what made it: system, settings, versions, hash of the documents."""
    from dataclasses import asdict
    from json import dumps

    from dragoman.storage.staging import write_lines

    fields = {"run": run_file.name, "search": settings, "index": asdict(index.manifest)}
    with write_lines(run_file.with_name(f"{run_file.name}.signature.json")) as stream:
        stream.write(dumps(fields, ensure_ascii=False, indent=2) + "\n")
