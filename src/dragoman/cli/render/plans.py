"""``dragoman explain --lambdas``: transport plans of several regularisations, side by side."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.cli import terminal
from dragoman.cli.render.drawing import picture_writer
from dragoman.errors import ConfigError, UserError

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.types import Document, Explanation, Query

EXACT = "exact"
MOST_LINKS = 8  # of each plan


def parse_lambdas(text: str) -> dict[str, float | None]:
    """``"exact,0.1,1"`` -> labels and values; None is exact transport."""
    lambdas: dict[str, float | None] = {}
    for piece in (part.strip() for part in text.split(",")):
        try:
            value = None if piece == EXACT else float(piece)
        except ValueError as error:
            raise ConfigError(
                f"Found the lambda {piece!r}; expected numbers above 0 or {EXACT!r}, as in"
                f" {EXACT},0.1,1"
            ) from error
        lambdas[EXACT if value is None else f"lambda {value:g}"] = value
    return lambdas


def explain_plans(
    index: "Index",
    text: str,
    doc_id: str,
    language: str,
    lambdas: str,
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """Print the strongest links under every regularisation, and draw them into ``output``."""
    values = parse_lambdas(lambdas)
    draw = picture_writer(output, "draw_plans") if output is not None else None
    plans = getattr(index.system, "plans", None)
    if plans is None:
        raise UserError(
            f"{index.folder}: {index.manifest.system} has no transport plans; --lambdas"
            " needs an index made with --system wasserstein."
        )
    query, _ = index.query(text, language)
    document = index.documents([doc_id])[0]
    if document is None:
        raise UserError(f"{index.folder}: no document has the id {doc_id!r}.")
    with index.snapshot() as snapshot:
        computed = plans(snapshot, query, document, list(values.values()))
    explanations = dict(zip(values, computed, strict=True))
    if as_json:
        terminal.print_json(_fields(query, document, explanations))
    else:
        _print(explanations)
    if draw is not None:
        draw(query, document, explanations)


def _fields(
    query: "Query", document: "Document", explanations: Mapping[str, "Explanation"]
) -> dict[str, object]:
    return {
        "query": query.text,
        "document": document.doc_id,
        "plans": {
            label: {"score": one.score, "links": [asdict(link) for link in one.links]}
            for label, one in explanations.items()
        },
    }


def _print(explanations: Mapping[str, "Explanation"]) -> None:
    for label, one in explanations.items():
        terminal.out.print(f"[bold]{label}[/]  score {one.score:.3f}")
        for link in one.links[:MOST_LINKS]:
            pair = terminal.plain(f"{link.query_word} → {link.document_word}")
            terminal.out.print(f"  {link.share:6.1%}  {pair}", soft_wrap=True)
        if (more := len(one.links) - MOST_LINKS) > 0:
            terminal.out.print(f"  [dim]and {more:,} weaker links; --json prints all[/]")
