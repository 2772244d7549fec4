"""``dragoman search``: one query to an index, its hits with snippets."""

from typing import TYPE_CHECKING

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace, KeyFile, folder_index, open_place
from dragoman.cli.options import (
    AsJson,
    Balanced,
    Depth,
    Grouped,
    QueryLanguage,
    QueryText,
    RerankDepth,
    RerankSeconds,
    RerankSystem,
    RerankWeight,
    Where,
    Within,
)
from dragoman.cli.probabilities import MinProbability, require_probabilities, with_probability
from dragoman.cli.reranking import prepare_reranking
from dragoman.ranking.balance import Balance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.padding import Padding
    from rich.text import Text as Line

    from dragoman.indexes.search.answer import Answer, GroupMember
    from dragoman.indexes.search.snippets import Snippet

MOST_COPIES = 3  # ids on one line


def search(
    place: IndexPlace,
    query: QueryText,
    k: Depth = 10,
    query_language: QueryLanguage = "",
    within: Within = "",
    where: Where = None,
    balance: Balanced = Balance.CALIBRATED,
    rerank: RerankSystem = "",
    rerank_weight: RerankWeight = 0.5,
    rerank_depth: RerankDepth = 100,
    rerank_seconds: RerankSeconds = 0.0,
    group: Grouped = True,
    min_probability: MinProbability = 0.0,
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Print the K best documents of INDEX for QUERY.

    [dim]dragoman search my-index "come funzionano le maree" --in de,fr[/]
    """
    from dragoman.text.languages import parse_list

    languages = parse_list(within) if within else None
    with open_place(place, key_file, texts=as_json) as index:
        if min_probability:
            require_probabilities(folder_index(index), rerank)
        answer = index.search(
            query,
            k,
            language=query_language,
            within=languages,
            where=where or (),
            balance=Balance.OFF if min_probability else balance,
            rerank=prepare_reranking(index, rerank, rerank_weight, rerank_depth, rerank_seconds),
            group=group,
            snippet_length=two_lines(),
        )
    if min_probability:
        answer = with_probability(answer, min_probability)
    if as_json:
        terminal.print_json(answer_fields(answer))
        return
    for warning in answer.warnings:
        terminal.warn(warning)
    print_answer(answer)


def answer_fields(answer: "Answer") -> dict[str, object]:
    """The answer as ``--json`` prints it."""
    from dataclasses import asdict

    from dragoman.indexes.search.answer import shown_metadata

    hits = [
        {
            "rank": rank,
            "id": result.hit.doc_id,
            "score": result.hit.score,
            "match": result.match and str(result.match),
            "parts": [part._asdict() for part in result.hit.parts],
            "language": result.document.language,
            "title": result.document.title,
            "text": result.document.text,
            "snippet": asdict(result.snippet),
            **{name: value for name, value in result.section._asdict().items() if value},
            "words": list(result.words),
            "metadata": shown_metadata(result.document),
            "members": [member_fields(member) for member in result.members],
        }
        for rank, result in enumerate(answer.results, start=1)
    ]
    return {
        "query": answer.query.text,
        "language": answer.query.language,
        "detected": answer.detection is not None,
        "warnings": list(answer.warnings),
        "verdict": answer.verdict and str(answer.verdict),
        "hits": hits,
    }


def member_fields(member: "GroupMember") -> dict[str, object]:
    """A copy or translation as ``--json`` prints it."""
    return {
        "id": member.doc_id,
        "score": member.score,
        "language": member.language,
        "title": member.title,
        "relation": str(member.relation),
    }


def print_answer(answer: "Answer") -> None:
    """Print the hits as text: rank, language, title, score, match, id, and the snippet."""
    from dragoman.indexes.search.answer import MatchQuality
    from dragoman.text.languages import name

    how = f", {answer.detection.reason}" if answer.detection and answer.detection.reason else ""
    terminal.out.print(f"[bold]{terminal.plain(answer.query.text)}[/]", end=" ")
    terminal.out.print(f"[dim]({name(answer.query.language)}{how})[/]")
    if not answer.results:
        terminal.out.print("  no hits")
    if answer.verdict is MatchQuality.WEAK:
        terminal.out.print("  nothing good found; these are the nearest")
    for rank, result in enumerate(answer.results, start=1):
        document = result.document
        title = document.title or document.doc_id
        match = f" {result.match}" if result.match else ""
        page = f", page {result.section.page}" if result.section.page else ""
        terminal.out.print(
            f"{rank:3d}  [cyan]{document.language:3s}[/] [bold]{terminal.plain(title)}[/]"
            f"  [dim]{result.hit.score:.3f}{match}  {terminal.plain(document.doc_id)}{page}[/]",
            soft_wrap=True,
        )
        terminal.out.print(highlighted(result.snippet))
        if result.members:
            terminal.out.print(below_title(f"[dim]{terminal.plain(also(result.members))}[/]"))


def also(members: "Sequence[GroupMember]") -> str:
    """One line that names the translations by their languages and the copies by their ids."""
    from dragoman.indexes.search.answer import Relation

    translated = [one.language for one in members if one.relation is Relation.TRANSLATION]
    copied = [one.doc_id for one in members if one.relation is Relation.COPY]
    parts = []
    if translated:
        plural = "s" if len(translated) > 1 else ""
        parts.append(f"{', '.join(sorted({*translated}))} (translation{plural})")
    if copied:
        more = f" and {len(copied) - MOST_COPIES} more" if len(copied) > MOST_COPIES else ""
        kind = "copies" if len(copied) > 1 else "copy"
        parts.append(f"{kind}: {', '.join(copied[:MOST_COPIES])}{more}")
    return f"also: {'; '.join(parts)}"


def highlighted(snippet: "Snippet") -> "Padding":
    """A snippet with the matched words in colour."""
    from rich.text import Text as Line

    line = Line(terminal.visible(snippet.text))
    for start, end in snippet.marks:
        line.stylize("green", start, end)
    return below_title(line)


def below_title(shown: "str | Line") -> "Padding":
    """A text that begins below the title of a hit, on every line."""
    from rich.padding import Padding

    return Padding(shown, (0, 2, 0, 9))


def two_lines() -> int:
    """The characters that fit two lines below a title."""
    return 2 * (min(terminal.out.width, 100) - 10)
